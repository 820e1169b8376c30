package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/gradine/gradine/discharge/verdict"
)

// Stability compares the verdicts of two versions of gradine, or of two runs, about the same
// obligations.
type Stability struct {
	Same    int // verdict, proof and, within the margin, cost are those of before
	Changes []StabilityChange
}

// StabilityChange is an obligation of which a version says something else than the other one.
type StabilityChange struct {
	Obligation string          `json:"obligation"`            // project/component/name
	What       Stable          `json:"change"`                // kind of the change
	Old        verdict.Verdict `json:"old_verdict,omitempty"` // verdict in the old file
	New        verdict.Verdict `json:"verdict,omitempty"`     // verdict in the new file
	OldSteps   int64           `json:"old_steps,omitempty"`   // search steps in the old file
	Steps      int64           `json:"steps,omitempty"`       // search steps in the new file
}

// Stable is how the new version differs.
type Stable string

// The differences, the gravest first.
const (
	StableLost      Stable = "lost"    // proved before, and not now
	StableOther     Stable = "verdict" // another verdict otherwise
	StableAbove     Stable = "ceiling" // takes more steps than allowed
	StableCosts     Stable = "costs"   // takes more steps than before, beyond the margin
	StableGained    Stable = "gained"  // proved now, and not before
	StableCheaper   Stable = "cheaper" // takes fewer steps, beyond the margin
	StableDifferent Stable = "proof"   // another proof at about the same cost
	StableGone      Stable = "gone"    // only the old version has it
	StableNew       Stable = "new"     // only the new version has it
	StableUnknown   Stable = "unknown" // one version did not count its steps
)

var stableOrder = []Stable{StableLost, StableOther, StableAbove, StableCosts, StableGone, StableUnknown, StableGained, StableCheaper, StableDifferent, StableNew}

// ReadVerdicts reads what prove --format jsonl wrote. Lines of another kind are an error: a
// comparison of half the verdicts would hide the rest.
func ReadVerdicts(in io.Reader) (map[string]Verdict, error) {
	out := map[string]Verdict{}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<28)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var v Verdict
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		name := v.Project + "/" + v.Component + "/" + v.Name
		if v.ID != nil {
			name = fmt.Sprint(v.ID)
		}
		switch _, twice := out[name]; {
		case v.Verdict == "" || name == "//":
			return nil, fmt.Errorf("line %d is not an answer of prove --format jsonl", n)
		case twice:
			return nil, fmt.Errorf("line %d: duplicate %s", n, name)
		}
		out[name] = v
	}
	return out, lines.Err()
}

// CompareVerdicts says how the new verdicts differ from the old ones. A cost counts as another if
// it differs by more than margin, 0.2 for a fifth; ceiling is what one proof may take, 0 for any
// number of steps.
func CompareVerdicts(was, is map[string]Verdict, margin float64, ceiling int64) Stability {
	var out Stability
	for name, now := range is {
		old, had := was[name]
		change := StabilityChange{Obligation: name, New: now.Verdict, Steps: stepsOf(now)}
		if had {
			change.Old, change.OldSteps = old.Verdict, stepsOf(old)
		}
		if change.What = difference(old, now, had, margin, ceiling); change.What == "" {
			out.Same++
		} else {
			out.Changes = append(out.Changes, change)
		}
	}
	for name, old := range was {
		if _, there := is[name]; !there {
			out.Changes = append(out.Changes, StabilityChange{Obligation: name, What: StableGone, Old: old.Verdict, OldSteps: stepsOf(old)})
		}
	}
	slices.SortFunc(out.Changes, func(a, b StabilityChange) int {
		return cmp.Or(cmp.Compare(slices.Index(stableOrder, a.What), slices.Index(stableOrder, b.What)), cmp.Compare(b.Steps, a.Steps), cmp.Compare(a.Obligation, b.Obligation))
	})
	return out
}

func stepsOf(v Verdict) int64 {
	if v.Steps == nil {
		return 0
	}
	return *v.Steps
}

// difference is what is said of one obligation; "" if it is as before.
func difference(old, now Verdict, had bool, margin float64, ceiling int64) Stable {
	a, b := float64(stepsOf(old)), float64(stepsOf(now))
	switch {
	case had && old.Verdict.Holds() && !now.Verdict.Holds():
		return StableLost
	case ceiling > 0 && stepsOf(now) > ceiling:
		return StableAbove
	case !had:
		return StableNew
	case now.Verdict == verdict.Proved && !old.Verdict.Holds():
		return StableGained
	case old.Verdict != now.Verdict:
		return StableOther
	case old.Steps == nil || now.Steps == nil:
		return StableUnknown
	case b > a*(1+margin):
		return StableCosts
	case b*(1+margin) < a:
		return StableCheaper
	case old.Certificate != now.Certificate:
		return StableDifferent
	}
	return ""
}

// Count counts the changes of one kind.
func (s Stability) Count(what Stable) (n int) {
	for _, c := range s.Changes {
		if c.What == what {
			n++
		}
	}
	return n
}

// StabilityText writes a comparison for people.
func StabilityText(out io.Writer, style Style, s Stability) {
	said := map[Stable]string{
		StableLost: "proof lost", StableOther: "verdict", StableAbove: "above the ceiling", StableCosts: "costs more", StableGained: "now proved",
		StableCheaper: "costs less", StableDifferent: "another proof", StableGone: "gone", StableNew: "new", StableUnknown: "steps not counted",
	}
	for _, c := range s.Changes {
		if c.What == StableDifferent {
			continue // counted below: it is no news to anybody
		}
		paint := style.Dim
		switch c.What {
		case StableLost, StableOther, StableAbove:
			paint = style.Red
		case StableCosts, StableGone, StableUnknown:
			paint = style.Yellow
		}
		fmt.Fprintf(out, "%s %s: %s", paint(said[c.What]), c.Obligation, cmp.Or(string(c.New), "no line"))
		if c.New != "" {
			fmt.Fprintf(out, " (%d steps)", c.Steps)
		}
		if c.Old != "" {
			fmt.Fprintf(out, ", previously %s (%d steps)", c.Old, c.OldSteps)
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintf(out, "%s as before", Count(s.Same, "obligation"))
	for _, what := range stableOrder {
		if n := s.Count(what); n > 0 {
			fmt.Fprintf(out, ", %d %s", n, said[what])
		}
	}
	fmt.Fprintln(out)
}

// StabilityJSON writes a line for each change.
func StabilityJSON(w io.Writer, s Stability) error {
	out := NewLines(w)
	for _, c := range s.Changes {
		out.Put(c)
	}
	return out.Err
}
