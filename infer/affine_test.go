package infer_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/infer"
	"github.com/gradine/gradine/logic/text"
)

// jobs hands out jobs one after the other, and works on each in rounds that take a time.
const jobs = `context sizes
constants n r cost
axioms
	@n n ∈ 1 ‥ 3
	@r r ∈ 1 ‥ 2
	@cost cost ∈ 1 ‥ 3
end
machine jobs sees sizes
variables next running spent busy worker round now start phase
invariants
	@next next ∈ 0 ‥ n
	@running running ⊆ 0 ‥ n − 1
	@spent spent ∈ 0 ‥ n − 1 → ℕ
	@busy busy ∈ BOOL
	@worker worker ∈ 0 ‥ 1
	@round round ∈ 0 ‥ r
	@now now ∈ ℕ
	@start start ∈ ℕ
	@phase phase ∈ 0 ‥ 2
	@fresh ∀j·j ∈ next ‥ n − 1 ⇒ spent(j) = 0
events
	event INITIALISATION
	then
		@next next ≔ 0
		@running running ≔ ∅
		@spent spent ≔ 0 ‥ n − 1 × {0}
		@busy busy ≔ FALSE
		@worker worker ≔ 0
		@round round ≔ 0
		@now now ≔ 0
		@start start ≔ 0
		@phase phase ≔ 0
	end
	event give
	where
		@more next < n
		@idle busy = FALSE
	then
		@running running ≔ running ∪ {next}
		@next next ≔ next + 1
		@busy busy ≔ TRUE
		@start start ≔ now
	end
	event work
	where
		@runs busy = TRUE
		@works phase = 0
		@more round < r
	then
		@round round ≔ round + 1
		@now now ≔ now + cost
		@spent spent(next − 1) ≔ spent(next − 1) + cost
	end
	event worked
	where
		@runs busy = TRUE
		@works phase = 0
		@all round = r
	then
		@phase phase ≔ 1
		@round round ≔ 0
	end
	event finish
	where
		@worked phase = 1
	then
		@running running ≔ running ∖ {next − 1}
		@busy busy ≔ FALSE
		@phase phase ≔ 0
		@start start ≔ now
	end
end
`

// wards counts what is done at each place, and lets the places take turns.
const wards = `context sizes
constants n c d
axioms
	@n n ∈ 1 ‥ 3
	@c c ∈ 1 ‥ 2
	@d d ∈ 1 ‥ 2
end
machine wards sees sizes
variables open total paid turn clock base
invariants
	@open open ⊆ 0 ‥ n − 1
	@total total ∈ 0 ‥ n − 1 → ℕ
	@paid paid ∈ 0 ‥ n − 1 → ℕ
	@turn turn ∈ 0 ‥ n
	@clock clock ∈ 0 ‥ n − 1 → ℕ
	@base base ∈ ℕ
events
	event INITIALISATION
	then
		@open open ≔ 0 ‥ n − 1
		@total total ≔ 0 ‥ n − 1 × {0}
		@paid paid ≔ 0 ‥ n − 1 × {0}
		@turn turn ≔ 0
		@clock clock ≔ 0 ‥ n − 1 × {0}
		@base base ≔ 0
	end
	event serve any w
	where
		@member w ∈ open
		@more total(w) < c
	then
		@total total(w) ≔ total(w) + 1
		@paid paid(w) ≔ paid(w) + d
	end
	event close any w
	where
		@member w ∈ open
		@all total(w) = c
	then
		@open open ≔ open ∖ {w}
	end
	event pass
	where
		@more turn < n
	then
		@clock clock(turn) ≔ base + d
		@turn turn ≔ turn + 1
	end
	event around
	where
		@all turn = n
	then
		@turn turn ≔ 0
		@base base ≔ base + d
	end
end
`

// The analysis follows one element of a domain: into sets, before and behind a counter,
// and through the changes at other places.
func TestElements(t *testing.T) {
	dev, m, _ := guessed(t, wards)
	wider, candidates := infer.Guess(t.Context(), dev, m, infer.Options{Only: []string{"elements"}})
	var made []string
	for _, c := range candidates {
		made = append(made, text.Readable(wider.Bank, c.Term))
	}
	for _, want := range []string{
		"∀k·k ∈ 0 ‥ n − 1 ⇒ paid(k) = d ∗ total(k)",
		"∀k·k ∈ 0 ‥ n − 1 ∧ k ∉ open ⇒ total(k) = c",
		"∀k·k ∈ 0 ‥ n − 1 ∧ k < turn ⇒ clock(k) = d + base",
		"∀k·k ∈ 0 ‥ n − 1 ∧ k ≥ turn ⇒ clock(k) = base",
	} {
		if !slices.Contains(made, want) {
			t.Errorf("%s is not among\n%s", want, strings.Join(made, "\n"))
		}
	}
}

// The analysis follows equations through events: products, values of functions at
// expressions, and conditions that tell phases apart.
func TestAffine(t *testing.T) {
	dev, m, _ := guessed(t, jobs)
	wider, candidates := infer.Guess(t.Context(), dev, m, infer.Options{Only: []string{"affine"}})
	var made []string
	for _, c := range candidates {
		made = append(made, text.Readable(wider.Bank, c.Term))
	}
	for _, want := range []string{
		"phase = 0 ⇒ now = cost ∗ round + start",
		"busy = TRUE ⇒ now = start + spent(next − 1)",
		"phase = 1 ⇒ busy = TRUE",
		"phase = 1 ⇒ round = 0",
		"busy = FALSE ⇒ round = 0",
	} {
		if !slices.Contains(made, want) {
			t.Errorf("%s is not among %s", want, strings.Join(made, "\n"))
		}
	}
}

// gate counts who is in by the difference of two counters.
const gate = `machine gate
variables
	came
	left
	inside
invariants
	@came came ∈ ℕ
	@left left ∈ ℕ
	@inside inside ∈ BOOL
events
	event INITIALISATION
	then
		@came came ≔ 0
		@left left ≔ 0
		@inside inside ≔ FALSE
	end
	event enter
	where
		@free inside = FALSE
	then
		@came came ≔ came + 1
		@inside inside ≔ TRUE
	end
	event leave
	where
		@there inside = TRUE
	then
		@left left ≔ left + 1
		@inside inside ≔ FALSE
	end
end
`

// An equation that cannot be written, came = left + inside, is said where it can be: the
// analysis does not count it as told.
func TestAffineOfTruthValues(t *testing.T) {
	dev, m, _ := guessed(t, gate)
	wider, candidates := infer.Guess(t.Context(), dev, m, infer.Options{Only: []string{"affine"}})
	var made []string
	for _, c := range candidates {
		made = append(made, text.Readable(wider.Bank, c.Term))
	}
	for _, want := range []string{"inside = FALSE ⇒ left = came", "inside = TRUE ⇒ came = left + 1"} {
		if !slices.Contains(made, want) {
			t.Errorf("%s is not among %s", want, strings.Join(made, "\n"))
		}
	}
}

// Where all that events do is linear, no run refutes what the analysis finds; it may only
// be that a function has no value.
func TestAffineIsTrue(t *testing.T) {
	for _, src := range append(slices.Clone(small), jobs, wards, gate) {
		dev, m, _ := guessed(t, src)
		wider, candidates := infer.Guess(t.Context(), dev, m, infer.Options{Only: []string{"affine", "elements"}})
		more, with := infer.With(wider, m, candidates)
		instances, _, err := explore.Solve(context.Background(), more, with, explore.Setup{Default: 2}, 6)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range instances {
			found, err := explore.Run(context.Background(), with, in, explore.Options{NoDeadlock: true, KeepGoing: true, MaxStates: 2000, Refinement: with.Refines != nil})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range found.Findings {
				if strings.HasPrefix(f.Label, "?") && f.Kind == explore.InvariantFails {
					t.Errorf("%s: %s fails", m.Name, text.Readable(more.Bank, with.Invariants[len(m.Invariants)+number(t, f.Label)].Term))
				}
			}
		}
	}
}

func number(t *testing.T, label string) int {
	t.Helper()
	n, err := strconv.Atoi(label[1:])
	if err != nil {
		t.Fatal(err)
	}
	return n
}
