package infer_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradine/gradine/infer"
	"github.com/gradine/gradine/logic/text"
)

// machines that the tests of engines run on: counters, sets, a function, a refinement.
var small = []string{`
machine m
variables i j s
invariants
  @ti i ∈ ℤ
  @tj j ∈ ℤ
  @ts s ⊆ 0‥3
  @goal i = 4 ⇒ j = 8
events
  event INITIALISATION then @i i ≔ 0 @j j ≔ 0 @s s ≔ ∅ end
  event both where @g i < 4 then @i i ≔ i + 1 @j j ≔ j + 2 @s s ≔ s ∪ {i} end
  event clear where @g i = 4 then @s s ≔ ∅ end
end`, `
context c constants n axioms @n n ∈ 1‥3 end
machine m sees c
variables f k
invariants
  @tf f ∈ 0‥n−1 → ℤ
  @tk k ∈ ℤ
  @goal k = n ⇒ (∀x·x ∈ 0‥n−1 ⇒ f(x) = 1)
events
  event INITIALISATION then @f f ≔ (0‥n−1)×{0} @k k ≔ 0 end
  event step where @g k < n @h k ∈ dom(f) then @f f(k) ≔ 1 @k k ≔ k + 1 end
end`, `
machine a variables t invariants @t t ∈ ℕ
events
  event INITIALISATION then @t t ≔ 0 end
  event up then @t t ≔ t + 1 end
  event down where @g t > 0 then @t t ≔ t − 1 end
end
machine m refines a
variables x y
invariants @x x ∈ ℕ @y y ∈ ℕ
events
  event INITIALISATION then @x x ≔ 0 @y y ≔ 0 end
  event up refines up then @x x ≔ x + 1 end
  event move where @g x > 0 then @x x ≔ x − 1 @y y ≔ y + 1 end
  event down refines down where @g y > 0 then @y y ≔ y − 1 end
end`}

// inferred says what is kept with some engines, and what is killed by whatever.
func inferred(t *testing.T, src string, opts infer.Options) (kept, killed string) {
	t.Helper()
	dev, m, _ := guessed(t, src)
	r, err := infer.Infer(context.Background(), dev, m, opts)
	if err != nil {
		t.Fatal(err)
	}
	var b, k strings.Builder
	for _, x := range r.Kept {
		fmt.Fprintln(&b, x.Rule, text.Readable(r.Development.Bank, x.Term))
	}
	for _, x := range r.Open {
		fmt.Fprintln(&b, x.Name, x.Closed)
	}
	for _, x := range r.Killed {
		fmt.Fprintln(&k, x.Rule, text.Readable(r.Development.Bank, x.Term), x.By, x.Round)
	}
	return b.String(), k.String()
}

// Whatever engines run, in whatever order, and at one time or not, the same is kept: and
// the same run gives the same report.
func TestOrderOfEngines(t *testing.T) {
	rules := []string{"r8", "r9", "affine", "disjoint", "nonempty", "glue"}
	for i, src := range small {
		opts := infer.Options{All: true, Only: rules, Engines: []string{}}
		want, _ := inferred(t, src, opts)
		if i != 1 && !strings.Contains(want, "true") {
			t.Errorf("machine %d: nothing is closed:\n%s", i, want)
		}
		type run struct {
			engines  []string
			parallel bool
		}
		runs := []run{{[]string{"DYN"}, false}, {[]string{"LU(1)", "SBASE", "DYN"}, true}}
		if os.Getenv("GRADINE_SWEEP") != "" {
			for _, engines := range [][]string{{"SBASE", "DYN"}, {"DYN", "SBASE", "SSTEP"}, {"LU(1)", "DYN"}, {"SSTEP", "LU(2)"}} {
				runs = append(runs, run{engines, false}, run{engines, true})
			}
		}
		for _, x := range runs {
			opts.Engines, opts.Parallel, opts.Proving.Workers = x.engines, x.parallel, 0
			kept, killed := inferred(t, src, opts)
			if diff := cmp.Diff(want, kept); diff != "" {
				t.Errorf("machine %d, %v: %s", i, x, diff)
			}
			if opts.Proving.Workers = 1; !x.parallel {
				continue
			}
			if _, again := inferred(t, src, opts); again != killed {
				t.Errorf("machine %d, %v: other candidates fell in the second run", i, x)
			}
		}
	}
}

// Each engine kills something, and nothing that Houdini keeps.
func TestEnginesKill(t *testing.T) {
	kept := map[string]bool{}
	rules := []string{"r8", "r9", "disjoint", "goal"}
	all, _ := inferred(t, small[0], infer.Options{All: true, Only: rules, Engines: []string{}})
	for _, line := range strings.Split(all, "\n") {
		kept[line] = true
	}
	for _, e := range infer.Engines() {
		engines := []string{e.Name}
		if e.Name == infer.SSTEP {
			// Candidates that contradict each other are in no state together: they have to go first.
			engines = []string{infer.DYN, infer.SSTEP}
		}
		_, killed := inferred(t, small[0], infer.Options{All: true, Only: rules, Engines: engines})
		n := 0
		for _, line := range strings.Split(killed, "\n") {
			what, by, _ := strings.Cut(line, " "+e.Name+" ")
			if by == "" {
				continue
			}
			n++
			if kept[what] {
				t.Errorf("%s kills %s, which is inductive", e.Name, what)
			}
		}
		if n == 0 {
			t.Errorf("%s kills nothing", e.Name)
		}
	}
}
