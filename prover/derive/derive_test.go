package derive

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

var update = flag.Bool("update", false, "write the golden file")

// shown are the parts of a plan that are left to prove, each with what its rules have added or
// hidden, and its goal.
func shown(p *Plan) string {
	var out []string
	var walk func(n *Node)
	walk = func(n *Node) {
		for _, m := range n.Parts {
			walk(m)
		}
		if len(n.Parts) > 0 {
			return
		}
		var hyps []string
		for i, h := range n.Hyps {
			switch {
			case h.hidden:
				hyps = append(hyps, "¬"+h.Label)
			case i >= p.Given:
				hyps = append(hyps, h.Label+": "+text.Readable(p.Bank, h.Term))
			}
		}
		out = append(out, strings.TrimSpace(strings.Join(hyps, "; ")+" ⊢ "+text.Readable(p.Bank, n.Goal)))
	}
	walk(p.Root)
	return strings.Join(out, "\n")
}

// TestRules applies each rule to a sequent, and shows what is left to prove, by a golden file.
func TestRules(t *testing.T) {
	var all strings.Builder
	ident := func(n *Node, name string) logic.Term { return n.Identifiers()[name] }
	for _, c := range []struct {
		name, goal string
		hyps       []string
		rule       func(n *Node) error
	}{
		{"intro", "∀x,y·x∈ℕ∧y>x⇒y>0", nil, func(n *Node) error { n.Intro(); return nil }},
		{"intro of a taken name", "∀m·m>0⇒m≥n", []string{"m=1"}, func(n *Node) error { n.Intro(); return nil }},
		{"cut", "n>0", nil, func(n *Node) error { n.Have(n.Goal); return nil }},
		{"cut with a condition", "n÷m>0", nil, func(n *Node) error { n.Have(n.Goal); return nil }},
		{"cases", "n>0", nil, func(n *Node) error { n.Cases(n.Hyps[0].Term); return nil }},
		{"instance", "f(1)=1", []string{"∀x,y·f(x)=y"}, func(n *Node) error {
			_, err := n.Inst(0, []int{0}, []logic.Term{n.Bank().Int64(1)})
			return err
		}},
		{"instance of all", "f(1)=1", []string{"∀x,y·f(x)=y"}, func(n *Node) error {
			_, err := n.Inst(0, []int{1, 0}, []logic.Term{n.Bank().Int64(1), n.Bank().Int64(2)})
			return err
		}},
		{"instance of what is no ∀", "n=1", []string{"n=1"}, func(n *Node) error { _, err := n.Inst(0, nil, nil); return err }},
		{"witness", "∃x,y·x+y=n", nil, func(n *Node) error {
			_, err := n.Witness([]int{1}, []logic.Term{n.Bank().Int64(0)})
			return err
		}},
		{"witness of what is no ∃", "n=1", nil, func(n *Node) error { _, err := n.Witness(nil, nil); return err }},
		{"obtain", "n>0", []string{"∃x·x>0∧x=n"}, func(n *Node) error { _, err := n.Obtain(0, []string{"k"}); return err }},
		{"obtain a taken name", "n>0", []string{"∃x·x>0∧x=n"}, func(n *Node) error { _, err := n.Obtain(0, []string{"n"}); return err }},
		{"obtain too many", "n>0", []string{"∃x·x=n"}, func(n *Node) error { _, err := n.Obtain(0, []string{"k", "l"}); return err }},
		{"unfold", "n+n=4", []string{"2=n"}, func(n *Node) error { _, err := n.Unfold(ident(n, "n")); return err }},
		{"unfold a circle", "n=4", []string{"n=n+0"}, func(n *Node) error { _, err := n.Unfold(ident(n, "n")); return err }},
		{"induction on a number", "n≥0⇒f(n)=n", []string{"f(0)=0", "m=n"}, func(n *Node) error {
			_, _, _, err := n.Induct(ident(n, "n"))
			return err
		}},
		{"induction on a set", "finite(A)⇒A∈ℙ(B)", nil, func(n *Node) error {
			_, _, _, err := n.Induct(ident(n, "A"))
			return err
		}},
		{"induction on a pair", "p=p", nil, func(n *Node) error { _, _, _, err := n.Induct(ident(n, "p")); return err }},
		{"members", "A⊆B", nil, func(n *Node) error { n.Members(ident(n, "A"), ident(n, "B")); return nil }},
		{"up to", "f(n)>0", []string{"n>m"}, func(n *Node) error { n.Upto(ident(n, "n")); return nil }},
		{"within", "f(n)>0", []string{"n>m"}, func(n *Node) error { n.Within(ident(n, "n")); return nil }},
	} {
		types := map[string]string{"S": "ℙ(S)", "A": "ℙ(S)", "B": "ℙ(S)", "f": "ℙ(ℤ×ℤ)", "m": "ℤ", "n": "ℤ", "p": "ℤ×ℤ"}
		hyps := append(c.hyps, "n=n")
		q, err := check.ReadSequent(types, hyps, nil, c.goal)
		if err != nil {
			t.Fatal(err)
		}
		var labels []string
		for i := range hyps {
			labels = append(labels, fmt.Sprint("h", i))
		}
		p := New(q, labels)
		p.GrantGoal()
		got := ""
		if err := c.rule(p.Root); err != nil {
			got = err.Error()
		} else {
			got = shown(p)
		}
		fmt.Fprintf(&all, "-- %s --\n%s\n", c.name, got)
	}
	const golden = "testdata/rules.txtar"
	if *update {
		if err := os.WriteFile(golden, []byte(all.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || string(want) != all.String() {
		t.Errorf("%s is not what the rules leave (%v); go test ./prover/derive -update writes\n%s", golden, err, &all)
	}
}
