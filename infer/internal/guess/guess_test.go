package guess

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic/text"
)

var update = flag.Bool("update", false, "write the golden files")

// loop is a machine with what most rules look at: a counter in a loop, what is accumulated in
// step with it, a set that grows, and a flag.
const loop = `context sizes
sets S
constants n k
axioms
    @n n ∈ ℕ1
    @k k = 4
end

machine loop sees sizes
variables i sum done seen
invariants
    @i i ∈ ℤ
    @sum sum ∈ ℤ
    @done done ∈ BOOL
    @seen seen ⊆ S
events
    event INITIALISATION
        then
            @i i ≔ 0
            @sum sum ≔ 0
            @done done ≔ FALSE
            @seen seen ≔ ∅
    end

    event step
        any x
        where
            @g i < n
            @x x ∈ S ∖ seen
        then
            @i i ≔ i + 1
            @sum sum ≔ sum + k
            @seen seen ≔ seen ∪ {x}
    end

    event finish
        where
            @g i = n
        then
            @done done ≔ TRUE
    end
end
`

// filled is a machine over a function: its cells are filled one after the other, from both ends.
const filled = `context sizes
constants n
axioms
    @n n ∈ ℕ1
end

machine filled sees sizes
variables a low high
invariants
    @a a ∈ 0 ‥ n − 1 ⇸ ℤ
    @low low ∈ ℤ
    @high high ∈ ℤ
events
    event INITIALISATION
        then
            @a a ≔ ∅
            @low low ≔ 0
            @high high ≔ n
    end

    event up
        where
            @g low < high
        then
            @a a(low) ≔ 2 ∗ low
            @low low ≔ low + 1
    end

    event down
        where
            @g low < high
        then
            @a a(high − 1) ≔ 0
            @high high ≔ high − 1
    end
end
`

// most bounds the candidates of one rule that a golden file shows.
const most = 12

// TestCandidates shows what each rule guesses of machines, by golden files.
func TestCandidates(t *testing.T) {
	for name, src := range map[string]string{"loop": loop, "filled": filled} {
		var b strings.Builder
		for _, r := range Rules() {
			var problems diag.List
			dev := check.Development("p", []*lang.File{lang.Parse("m.eventb", []byte(src), &problems)}, &problems)
			for _, p := range problems.Sorted() {
				if p.Severity == diag.Error {
					t.Fatal(p)
				}
			}
			wider, got := Candidates(t.Context(), dev, dev.Machines[0], Clues{Only: []string{r.Name}})
			fmt.Fprintf(&b, "%s: %d\n", r.Name, len(got))
			for i, c := range got {
				if c.Rule != r.Name {
					t.Errorf("rule %s alone was asked, and %s guesses", r.Name, c.Rule)
				}
				for _, j := range c.Stronger {
					if j < 0 || j >= len(got) || j == i {
						t.Errorf("rule %s: candidate %d waits for %d", r.Name, i, j)
					}
				}
				if i < most {
					fmt.Fprintf(&b, "\t%s\n", text.Readable(wider.Bank, c.Term))
				}
			}
			if _, none := Candidates(t.Context(), dev, dev.Machines[0], Clues{Only: []string{r.Name}, Without: []string{r.Name}}); len(none) > 0 {
				t.Errorf("rule %s was left out, and %d are guessed", r.Name, len(none))
			}
		}
		golden := filepath.Join("testdata", name+".txt")
		if *update {
			if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil || string(want) != b.String() {
			t.Errorf("%s is not what the rules guess (%v); go test ./infer/internal/guess -update writes\n%s", golden, err, &b)
		}
	}
}

// TestSamples leaves out, of guesses that are many, what a state that a run met refutes.
func TestSamples(t *testing.T) {
	var problems diag.List
	dev := check.Development("p", []*lang.File{lang.Parse("m.eventb", []byte(loop), &problems)}, &problems)
	state := func(i, sum, done string) Sample {
		s := NewSample()
		for name, value := range map[string]string{"i": i, "sum": sum, "done": done, "n": "3", "k": "4"} {
			s.Set(name, value)
		}
		return s
	}
	guessed := func(samples ...Sample) string {
		wider, got := Candidates(t.Context(), dev, dev.Machines[0], Clues{Only: []string{"when"}, Samples: samples})
		var out []string
		for _, c := range got {
			out = append(out, text.Term(wider.Bank, c.Term))
		}
		return strings.Join(out, ", ")
	}
	all, some := guessed(), guessed(state("2", "8", "FALSE"), state("3", "12", "TRUE"))
	for p, want := range map[string][2]bool{
		"done=FALSE⇒i≤0": {true, false}, "done=FALSE⇒0≤i": {true, true}, "done=TRUE⇒sum=4": {true, false}, "done=TRUE⇒i=n": {true, true},
	} {
		if got := [2]bool{strings.Contains(all, p), strings.Contains(some, p)}; got != want {
			t.Errorf("%s is guessed without and with samples: %v, want %v", p, got, want)
		}
	}
	// What holds in all states that were met, or in none, tells none apart.
	if one := guessed(state("2", "8", "FALSE")); strings.Contains(one, "done=FALSE⇒") {
		t.Errorf("a condition that always holds: %s", one)
	}
}
