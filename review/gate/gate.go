// Package gate defines the conditions under which a review fails.
package gate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/review"
)

// Gate is a condition under which a review fails.
type Gate struct {
	name string
	// Open says that what it finds has no verdict, rather than a bad one.
	Open bool
	// count says how many findings of a review do not pass; accept says that waivers and
	// expectations count that the change itself adds.
	count func(x *review.Review, accept bool) int
	why   string // what the findings are
	one   string // the same of one of them; "" if it is why
	cost  float64
}

// gates are the conditions other than cost+N%.
var gates = []Gate{
	{name: "lost-proof", why: "affected obligations", one: "affected obligation", count: touched(func(o *review.ObligationChange) bool { return o.Fate == review.Lost })},
	{name: "refuted", why: "affected obligations", one: "affected obligation", count: touched(hasVerdict(verdict.Refuted))},
	{name: "vacuous", why: "affected obligations", one: "affected obligation", count: touched(hasVerdict(verdict.Vacuous))},
	{name: "contradiction", why: "new contradictions", one: "new contradiction", count: func(x *review.Review, _ bool) int {
		n := 0
		for _, c := range x.Contradictions {
			if c.What == review.OnlyNow && !x.Intended(c) {
				n++
			}
		}
		return n
	}},
	{name: "open", Open: true, why: "affected obligations", one: "affected obligation", count: touched(func(o *review.ObligationChange) bool {
		return o.Is.Verdict == verdict.Open || o.Is.Verdict == "" && o.Fate != review.Unclear
	})},
	{name: "worse", why: "affected obligations", one: "affected obligation", count: touched((*review.ObligationChange).Worse)},
	{name: "weakened-claim", why: "claims were weakened", one: "claim was weakened", count: losses(review.Weakened)},
	{name: "removed-claim", why: "claims were removed", one: "claim was removed", count: losses(review.Dropped)},
	{name: "new-assumption", why: "new assumptions", one: "new assumption", count: losses(review.Assumed)},
	{name: "more", why: "restrictions of machines without an abstract machine were removed", one: "restriction of a machine without an abstract machine was removed", count: losses(review.More)},
	{name: "less", why: "events of machines without an abstract machine were removed", one: "event of a machine without an abstract machine was removed", count: losses(review.Less)},
	{name: "smaller", why: "settings make an exploration smaller", one: "setting makes an exploration smaller", count: losses(review.Smaller)},
	{name: "scenario", why: "scenarios passed before and no longer pass", one: "scenario passed before and no longer passes", count: func(x *review.Review, _ bool) int {
		n := 0
		for _, s := range x.Scenarios {
			if s.Lost {
				n++
			}
		}
		return n
	}},
	{name: "new-waiver", why: "new waivers or expectations; accept them with --accept-new-waivers", one: "new waiver or expectation; accept it with --accept-new-waivers", count: func(x *review.Review, accept bool) int {
		if accept {
			return 0
		}
		return x.NewTrust()
	}},
}

// touched counts the obligations with another sequent, or without one before, that
// are as fails says and not as gradine.toml expects.
func touched(fails func(*review.ObligationChange) bool) func(*review.Review, bool) int {
	return func(x *review.Review, accept bool) int {
		n := 0
		for _, o := range x.Obligations {
			if o.New != nil && o.Fate != review.Same && !o.Agreed(accept) && fails(o) {
				n++
			}
		}
		return n
	}
}

func hasVerdict(v verdict.Verdict) func(*review.ObligationChange) bool {
	return func(o *review.ObligationChange) bool { return o.Is.Verdict == v }
}

// dearer counts the obligations whose proof takes more than so many times the steps that it took.
func dearer(factor float64) func(*review.Review, bool) int {
	return func(x *review.Review, _ bool) int {
		return x.Count(func(o *review.ObligationChange) bool {
			ratio, known := o.Cost()
			return known && o.Is.Proved() && ratio > factor
		})
	}
}

func losses(l review.Loss) func(*review.Review, bool) int {
	return func(x *review.Review, accept bool) int {
		n := 0
		for _, c := range x.Claims {
			if c.Loss == l && !c.Passes(accept) {
				n++
			}
		}
		return n
	}
}

// Default names the gates of what a development promised and no longer promises.
const Default = "default"

// None names no gate.
const None = "none"

// byDefault are the names of these gates: all but those that more than a promise opens.
func byDefault() string {
	var names []string
	for _, g := range gates {
		if g.name != "open" {
			names = append(names, g.name)
		}
	}
	return strings.Join(names, ",")
}

// Parse reads a list of conditions, separated by commas.
func Parse(list string) ([]Gate, error) {
	var out []Gate
	list = strings.ReplaceAll(","+list+",", ","+Default+",", ","+byDefault()+",")
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(gates, func(g Gate) bool { return g.name == name })
		switch {
		case name == "" || name == None:
		case i >= 0:
			out = append(out, gates[i])
		case strings.HasPrefix(name, "cost+") && strings.HasSuffix(name, "%"):
			n, err := strconv.ParseFloat(name[len("cost+"):len(name)-1], 64)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("%s: write cost+20%% for a fifth", name)
			}
			out = append(out, Gate{name: name, cost: 1 + n/100})
		case strings.HasPrefix(name, "steps+") && strings.HasSuffix(name, "%"):
			n, err := strconv.ParseFloat(name[len("steps+"):len(name)-1], 64)
			if err != nil || n < 0 {
				return nil, fmt.Errorf("%s: write steps+100%% for twice the steps", name)
			}
			out = append(out, Gate{name: name, why: "proofs exceed this limit", one: "proof exceeds this limit", count: dearer(1 + n/100)})
		default:
			return nil, fmt.Errorf("%s: it must be one of %s, cost+N%%, steps+N%%, default and none", name, Names())
		}
	}
	return out, nil
}

// NeedsSearch reports whether a gate judges what a search alone finds, so that --replay
// leaves it without data.
func (g Gate) NeedsSearch() bool { return g.name == "contradiction" }

// Name is how --fail-on names the gate.
func (g Gate) Name() string { return g.name }

// Names lists the conditions other than cost+N% and steps+N%.
func Names() string {
	var names []string
	for _, g := range gates {
		names = append(names, g.name)
	}
	return strings.Join(names, ", ")
}

// Failing says why a review does not pass, or "". accept says that somebody agrees to the waivers
// and expectations that the change itself adds.
func (g Gate) Failing(x *review.Review, accept bool) string {
	if g.cost > 0 {
		if was, is := x.Cost(); float64(is) > g.cost*float64(was) {
			return fmt.Sprintf("%s: proofs take %d steps, and took %d", g.name, is, was)
		}
		return ""
	}
	if n := g.count(x, accept); n > 0 {
		if n == 1 && g.one != "" {
			return fmt.Sprintf("%s: 1 %s", g.name, g.one)
		}
		return fmt.Sprintf("%s: %d %s", g.name, n, g.why)
	}
	return ""
}

// Blind says why a gate has nothing to judge by, so that it cannot pass, or "": of a gate on
// costs, that no earlier cost of the proofs that were kept is known; of contradictions, that some were searched for only briefly.
func (g Gate) Blind(x *review.Review) string {
	if n := len(x.BriefAssumptions); g.name == "contradiction" && n > 0 {
		return fmt.Sprintf("%s: searched only briefly (%d), so --fail-on cannot pass; use --thorough", g.name, n)
	}
	if g.cost == 0 {
		return ""
	}
	unknown := x.Count(func(o *review.ObligationChange) bool { return o.Fate == review.Kept && o.Was.Steps == 0 })
	known := x.Count(func(o *review.ObligationChange) bool { _, ok := o.Cost(); return ok && o.Fate != review.Same })
	if unknown == 0 || known > 0 {
		return ""
	}
	return fmt.Sprintf("%s: the earlier cost of kept proofs (%d) is unknown; commit a proofs.lock, which `gradine prove --lock` writes", g.name, unknown)
}
