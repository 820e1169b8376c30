package discharge

import (
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
)

// Result is an obligation and what became of it.
type Result struct {
	*po.Obligation
	Outcome
}

// Status is how a component stands.
type Status struct {
	Component string
	Total     int
	Count     map[Verdict]int
	// Verified: all obligations of the component and of its ancestors are proved,
	// well-definedness included, and it is accurate. This is what makes it sound
	// to assume that hypotheses and goals are well-defined.
	Verified bool
	Why      string // why not; "" if verified
}

// Proved counts the obligations with a certificate.
func (s Status) Proved() int { return s.Count[Proved] + s.Count[Vacuous] }

// Components sums up results by component, in the order of the development:
// contexts first, each behind what it depends on. Results may be a part of what
// there is to prove: a component with an obligation that has no result is not
// verified.
func Components(dev *model.Development, results []Result) []Status {
	byName := map[string]*Status{}
	var out []*Status
	add := func(name string, accurate bool) *Status {
		s := &Status{Component: name, Count: map[Verdict]int{}, Verified: true}
		if !accurate {
			s.fail("it is inaccurate: the static checker dropped or repaired a part of it, or of what it builds on")
		}
		byName[name] = s
		out = append(out, s)
		return s
	}
	needs := map[*Status][]string{}
	for _, c := range dev.Contexts {
		s := add(c.Name, c.Whole)
		for _, a := range c.Ancestors {
			needs[s] = append(needs[s], a.Name)
		}
	}
	for _, m := range dev.Machines {
		s := add(m.Name, m.Whole)
		for _, c := range m.Contexts {
			needs[s] = append(needs[s], c.Name)
		}
		if m.Refines != nil {
			needs[s] = append(needs[s], m.Refines.Name)
		}
	}
	seen := map[string]bool{}
	for _, r := range results {
		if s := byName[r.Component]; s != nil && r.Project == dev.Project {
			seen[r.Component+"/"+r.Name] = true
			s.Total++
			s.Count[r.Verdict]++
			if !r.Verdict.Holds() {
				s.fail(r.Name + " is " + string(r.Verdict))
			}
		}
	}
	for _, o := range required(dev) {
		if !seen[o.Component+"/"+o.Name] {
			byName[o.Component].fail(o.Name + " was not looked at")
		}
	}
	var list []Status
	for _, s := range out {
		for _, n := range needs[s] {
			if a := byName[n]; a == nil || !a.Verified {
				s.fail(n + " is not verified")
			}
		}
		list = append(list, *s)
	}
	return list
}

// required returns the obligations that every development has.
func required(dev *model.Development) []*po.Obligation {
	all, err := po.All(dev, nil)
	if err != nil {
		panic("discharge: " + err.Error()) // only options can be wrong
	}
	return all
}

func (s *Status) fail(why string) {
	if s.Verified {
		s.Verified, s.Why = false, why
	}
}
