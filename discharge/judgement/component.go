package judgement

import (
	"maps"
	"slices"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
)

// Status is how a component stands.
type Status struct {
	Of        model.Component
	Component string // its name
	Total     int    // results of it
	Count     map[verdict.Verdict]int
	Expected  map[verdict.Verdict]int // of these, results that are as gradine.toml expects
	// Verified: all that was written of the component is in the model, all its
	// obligations have a certificate, well-definedness included and whatever else was
	// asked of it, such as deadlock freedom; and the components that it builds on are
	// verified. This is what makes it sound to assume that hypotheses and goals are
	// well-defined.
	Verified bool
	Why      string // why not; "" if verified
	// Unknown: nothing speaks against the component, but there is no result of some
	// obligations of it, or of what it builds on.
	Unknown bool
	// Fault is why its obligations are not known, if an error of this program is the reason.
	Fault string
}

// Totals returns the counts of the results of the component.
func (s *Status) Totals() Totals {
	t := Totals{Proved: s.Count[verdict.Proved] - s.Expected[verdict.Proved]}
	for _, n := range s.Expected {
		t.Expected += n
	}
	if t.Expected > 0 {
		t.ExpectedAs = maps.Clone(s.Expected)
	}
	t.Asked = s.Total - t.Expected
	return t
}

// Components sums up results by component, in the order of the development:
// contexts first, each behind what it builds on. Results may be a part of what
// there is to prove, and of other developments too.
func Components(dev *model.Development, results []verdict.Result) []Status {
	components := dev.Components()
	return statuses(components, Required(dev, components), results)
}

// Cone is a component with all that it builds on, and what there always is to prove of them.
type Cone struct {
	of         model.Component
	components []model.Component // each behind what it builds on
	demanded   map[model.Component]Demand
}

// ConeOf generates the obligations of component c of dev and of what it builds on.
func ConeOf(dev *model.Development, c model.Component) *Cone {
	below := dev.Below(c)
	return &Cone{c, below, Required(dev, below)}
}

// Obligations returns what there is to prove, in the order of the components.
func (x *Cone) Obligations() (out []*po.Obligation) {
	for _, c := range x.components {
		out = append(out, x.demanded[c].Obligations...)
	}
	return out
}

// Status returns how the component stands.
func (x *Cone) Status(results []verdict.Result) Status {
	all := statuses(x.components, x.demanded, results)
	return all[slices.IndexFunc(all, func(s Status) bool { return s.Of == x.of })]
}

// Faults says of which components the obligations are not known because this program broke
// off, a sentence each: nothing that builds on them is verified.
func (x *Cone) Faults() (out []string) {
	for _, c := range x.components {
		if why := x.demanded[c].Fault; why != "" {
			out = append(out, "the obligations of "+po.About(c)+" are not known: "+why)
		}
	}
	return out
}

// statuses sums up results of some components, each behind what it builds on, which is
// among them. Of each everything that is demanded must be proved.
func statuses(components []model.Component, demanded map[model.Component]Demand, results []verdict.Result) []Status {
	verdicts := Verdicts(results)
	found := map[model.Component][]*po.Obligation{} // DLF and ENB, too: only who asks for them has them
	for _, result := range results {
		found[result.Of()] = append(found[result.Of()], result.Obligation)
	}
	number := map[model.Component]int{}
	var out []Status
	for _, c := range components {
		status := Status{Of: c, Component: c.Name(), Count: map[verdict.Verdict]int{}, Expected: map[verdict.Verdict]int{}}
		status.judge(slices.Concat(demanded[c].Obligations, found[c]), verdicts)
		if why := demanded[c].Fault; why != "" {
			status.Fault, status.Verified, status.Unknown, status.Why = why, false, false, "its obligations are not known: internal error: "+why
		}
		for _, a := range c.BuildsOn() {
			status.restOn(out[number[a]])
		}
		number[c] = len(out)
		out = append(out, status)
	}
	for _, result := range results {
		if i, ok := number[result.Of()]; ok {
			out[i].Total++
			out[i].Count[result.Verdict]++
			if result.Expected != nil {
				out[i].Expected[result.Verdict]++
			}
		}
	}
	return out
}

// judge settles how the component stands by itself: it is verified if it is whole,
// and each of its obligations has a certificate.
func (s *Status) judge(demanded []*po.Obligation, verdicts map[po.ID]verdict.Verdict) {
	if !s.Of.Whole() {
		s.Why = "it is inaccurate: " + s.Of.Lost()
		for _, c := range s.Of.BuildsOn() {
			if s.Of.Lost() == "" && !c.Whole() {
				s.Why = "it builds on " + c.Name() + ", which is inaccurate"
			}
		}
		return
	}
	missing := ""
	for _, obligation := range demanded {
		switch v, ok := verdicts[obligation.ID()]; {
		case !ok:
			missing = obligation.Name
		case !v.Holds():
			s.Why = obligation.Name + " is " + string(v)
			return
		}
	}
	if s.Verified = missing == ""; !s.Verified {
		s.Unknown, s.Why = true, missing+" was not checked"
	}
}

// restOn takes into account how a component stands that s builds on.
func (s *Status) restOn(a Status) {
	if a.Verified || !s.Verified && !s.Unknown {
		return
	}
	s.Unknown = a.Unknown
	s.Verified, s.Why = false, a.Component+" is not verified"
	if a.Unknown {
		s.Why = "obligations of " + a.Component + " were not looked at"
	}
}

// Verdicts returns the verdicts by obligation. Of several results of one, the
// worst counts.
func Verdicts(results []verdict.Result) map[po.ID]verdict.Verdict {
	out := map[po.ID]verdict.Verdict{}
	for _, r := range results {
		if v, ok := out[r.ID()]; !ok || v.Holds() {
			out[r.ID()] = r.Verdict
		}
	}
	return out
}

// Demand is what there always is to prove of a component, or why that is not known.
type Demand struct {
	Obligations []*po.Obligation
	Fault       string
}

// Required returns the obligations that components always have, by component.
func Required(dev *model.Development, components []model.Component) map[model.Component]Demand {
	all, err := po.Of(dev, components, nil)
	faults, err := seam.Split(err)
	if err != nil {
		panic("discharge: " + err.Error()) // only options can be wrong
	}
	out := map[model.Component]Demand{}
	for _, o := range all {
		d := out[o.Of()]
		d.Obligations = append(d.Obligations, o)
		out[o.Of()] = d
	}
	why := map[string]string{}
	for _, fault := range faults {
		why[fault.About] = fault.Error()
	}
	for _, c := range components {
		if fault, ok := why[po.About(c)]; ok {
			out[c] = Demand{Fault: fault}
		}
	}
	return out
}
