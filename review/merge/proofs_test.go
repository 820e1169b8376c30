package merge

import (
	"fmt"
	"strings"
	"testing"
)

// proofFile is a file of proofs, each with its steps.
func proofFile(proofs ...string) []byte {
	var out strings.Builder
	out.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<org.eventb.core.prFile version=\"1\">\n")
	for _, p := range proofs {
		name, steps, _ := strings.Cut(p, " ")
		fmt.Fprintf(&out, "<org.eventb.core.prProof name=\"%s\" org.eventb.core.confidence=\"1000\">\n", name)
		for _, s := range strings.Fields(steps) {
			fmt.Fprintf(&out, "<org.eventb.core.prRule name=\"%s\"/>\n", s)
		}
		out.WriteString("</org.eventb.core.prProof>\n")
	}
	return []byte(out.String() + "</org.eventb.core.prFile>\n")
}

// TestProofs joins files of proofs: a proof is whole, of one side or of the other, never of both.
func TestProofs(t *testing.T) {
	list := func(proofs ...string) []string { return proofs }
	for _, test := range []struct {
		name                     string
		base, ours, theirs, want []string
		conflicts                int
	}{
		{"two proofs", list("a/INV r1 r2", "b/INV r1"), list("a/INV r3", "b/INV r1"), list("a/INV r1 r2", "b/INV r5 r6"), list("a/INV r3", "b/INV r5 r6"), 0},
		{"both add", list("a/INV r1"), list("a/INV r1", "b/INV r1"), list("a/INV r1", "c/INV r1"), list("a/INV r1", "b/INV r1", "c/INV r1"), 0},
		{"one removes", list("a/INV r1", "b/INV r1"), list("b/INV r1"), list("a/INV r1", "b/INV r2"), list("b/INV r2"), 0},
		{"steps of one proof", list("a/INV r1 r2 r3 r4 r5 r6"), list("a/INV s1 r2 r3 r4 r5 r6"), list("a/INV r1 r2 r3 r4 r5 s6"), nil, 1},
		{"both add one", list("a/INV r1"), list("a/INV r1", "b/INV r1"), list("a/INV r1", "b/INV r2"), nil, 1},
		{"removed and changed", list("a/INV r1", "b/INV r1"), list("b/INV r1"), list("a/INV r2", "b/INV r1"), nil, 1},
	} {
		for _, swapped := range []bool{false, true} {
			ours, theirs := proofFile(test.ours...), proofFile(test.theirs...)
			if swapped {
				ours, theirs = theirs, ours
			}
			r, err := Proofs("m.bpr", proofFile(test.base...), ours, theirs)
			if err != nil || len(r.Conflicts) != test.conflicts {
				t.Errorf("%s: %v, conflicts %q", test.name, err, r.Conflicts)
				continue
			}
			if test.conflicts == 0 {
				got := string(r.Text)
				for _, p := range test.want {
					if one := string(proofFile(p)); !strings.Contains(got, one[strings.Index(one, "<org.eventb.core.prProof"):strings.Index(one, "</org.eventb.core.prFile")]) {
						t.Errorf("%s: no %s in\n%s", test.name, p, got)
					}
				}
				if n := strings.Count(got, "<org.eventb.core.prProof"); n != len(test.want) {
					t.Errorf("%s: %d proofs", test.name, n)
				}
				continue
			}
			for side, want := range [][]byte{ours, theirs} {
				if got := choice(string(r.Text), side); says(got) != says(string(want)) {
					t.Errorf("%s: side %d is\n%s", test.name, side, got)
				}
			}
		}
	}
	for _, src := range []string{"", "<a/>", string(proofFile("a r1", "a r2")), "<org.eventb.core.prFile>"} {
		if _, err := Proofs("m.bpr", proofFile(), []byte(src), proofFile("b r1")); err == nil {
			t.Errorf("%q is joined", src)
		}
	}
}
