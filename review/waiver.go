package review

import (
	"slices"
	"strings"
)

// Waiver is a claim that somebody agreed to lose: it opens one gate for one element.
type Waiver struct {
	Project string // that the element is of; ConfigurationName for a setting
	Gate    Loss
	Element string // the path of the element, of the obligation or of the setting
	Says    string // what the element says as long as the waiver holds, or "removed"; "" for anything
	Until   string // the last day on which it holds, YYYY-MM-DD; "" for no end
	Why     string
}

// WaiverState is what a waiver is to a review.
type WaiverState string

// The states. A waiver that no claim meets is idle: what it is about happened before.
const (
	InForce WaiverState = "in force"
	Fresh   WaiverState = "new" // the change under review adds it
	Expired WaiverState = "expired"
	// Ambiguous: several claims fit it, as of a context and a machine that share a name.
	Ambiguous WaiverState = "ambiguous"
	Idle      WaiverState = "idle"
)

// Waived is a waiver of the new revision, and what it is to the review.
type Waived struct {
	Waiver
	State WaiverState
}

// Waive applies the waivers and the expectations of the new revision to reviews of all projects:
// was and is are the waivers before and now, day is the date of the new revision, "" if it is
// unknown. A waiver is compared with that, never with a clock.
func Waive(reviews []*Review, was, is []Waiver, day string) {
	i := slices.IndexFunc(reviews, func(r *Review) bool { return r.Project == ConfigurationName })
	names := namesOf(slices.DeleteFunc(slices.Clone(reviews), func(r *Review) bool { return r.Project == ConfigurationName }))
	was = slices.Clone(was)
	for i := range was {
		was[i] = names.waiver(was[i])
	}
	for _, w := range is {
		x := &Waived{Waiver: w, State: InForce}
		switch {
		case w.Until != "" && (day == "" || w.Until < day):
			x.State = Expired
		case !slices.Contains(was, w):
			x.State = Fresh
		}
		x.apply(w.covered(reviews))
		// They stand with the settings, or, where none changed, with the first project.
		if at := max(i, 0); at < len(reviews) {
			reviews[at].Waived = append(reviews[at].Waived, x)
		}
	}
	if i < 0 {
		return
	}
	for _, c := range reviews[i].Claims {
		path, ok := strings.CutPrefix(c.Path, "expect.")
		if !ok {
			continue
		}
		for _, r := range reviews {
			for _, o := range r.Obligations {
				if o.Expected != nil && r.Project+"/"+o.Obligation().Path() == path {
					o.ExpectedAnew = true
				}
			}
		}
	}
}

// covered lists the claims of w's project that w is about.
func (w Waiver) covered(reviews []*Review) (out []*Claim) {
	for _, r := range reviews {
		if r.Project != w.Project {
			continue
		}
		for j := range r.Claims {
			if c := &r.Claims[j]; w.covers(c) {
				out = append(out, c)
			}
		}
	}
	return out
}

// apply notes the waiver in the claim that it opens the gate for.
func (x *Waived) apply(claims []*Claim) {
	switch {
	case x.State == Expired:
	case len(claims) == 1:
		claims[0].Waiver = x
	case x.State == Fresh:
	case len(claims) > 1: // only one loss was agreed to
		x.State = Ambiguous
	default:
		x.State = Idle
	}
}

// covers reports whether a waiver is about a claim.
func (w Waiver) covers(c *Claim) bool {
	return w.Gate == c.Loss && w.Element == c.Path && (w.Says == "" || strings.Join(strings.Fields(w.Says), " ") == c.says())
}

// says is what the element of a claim says now, "removed" if it is gone.
func (c *Claim) says() string {
	if c.Now == nil {
		return "removed"
	}
	return strings.Join(strings.Fields(c.Now.Text), " ")
}

// Passes reports whether a claim is waived. One that the change itself waives passes only if
// that is accepted.
func (c *Claim) Passes(accept bool) bool {
	return c.Waiver != nil && (accept || c.Waiver.State == InForce) || accept && strings.HasPrefix(c.Path, "expect.")
}

// Agreed reports whether an obligation has a verdict that gradine.toml expects. An expectation
// that the change itself adds counts only if that is accepted.
func (o *ObligationChange) Agreed(accept bool) bool {
	return o.Expected != nil && (accept || !o.ExpectedAnew)
}

// NewTrust counts the waivers and expectations that the change under review adds.
func (r *Review) NewTrust() (n int) {
	for _, w := range r.Waived {
		if w.State == Fresh {
			n++
		}
	}
	for _, c := range r.Claims {
		if strings.HasPrefix(c.Path, "expect.") {
			n++
		}
	}
	return n
}
