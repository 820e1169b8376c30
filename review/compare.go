package review

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// Compare reviews a project. changed tells whether the text of two files differs.
func Compare(ctx context.Context, project string, old, now *Side, changed Sources, opts Options) *Review {
	if opts.Budget == nil {
		opts.Budget = ThoroughBudget(0)
	}
	r := &Review{Project: project, Problems: problems(old.Problems, now.Problems)}
	plain := bank{logic.NewBank()}
	was, is := components(old, plain.Bank, newNames{}), components(now, plain.Bank, newNames{})
	return r.compare(ctx, newPairing(was, is), old, now, changed, opts)
}

// newPairing begins a comparison with the new names of identifiers.
func newPairing(was, is []*component) *pairing {
	p := &pairing{
		bank: bank{logic.NewBank()}, components: map[string]string{}, events: map[string]string{}, labels: map[labelKey]string{},
		renamers: map[renamerKey]*proofstore.Renamer{},
	}
	p.names, p.params = renames(was, is, pairComponents(was, is))
	p.prints = text.NewFingerprinter(p.bank.Bank)
	return p
}

// compare finds the changes between two versions, and what they mean.
func (r *Review) compare(ctx context.Context, p *pairing, old, now *Side, changed Sources, opts Options) *Review {
	was, is := components(old, p.bank.Bank, newNames{p.names, p.params}), components(now, p.bank.Bank, newNames{})
	stable := r.elements(p, was, is, changed)
	var same map[*ObligationChange]bool
	r.Obligations, same = p.obligations(old.Obligations, now.Obligations)
	p.bank.Freeze()
	for _, change := range r.Changes {
		if change.What == Changed {
			change.Diff = tidy(p.bank.diff(change.Old, change.New))
		}
	}
	r.effects(ctx, p, old, now, is, stable, opts)
	r.requirements(was, is)
	r.claims(p, old, now)
	r.Scenarios = scenarios(old.Outcomes, now.Outcomes, func(machine string) string { return cmp.Or(p.components["machine "+machine], machine) })
	r.newlySeen(p, was, is)
	r.judge(ctx, old, now, same, opts)
	r.repair(ctx, now, p.namesFor, opts)
	r.behind(ctx, p, old, now, opts)
	r.affected(p, now.Dev, same)
	r.causes(now.Dev)
	r.judgement(opts)
	r.debts(old, now)
	return r
}

// elements finds the changes of elements. It returns the elements of the new
// revision that say what they said before.
func (r *Review) elements(p *pairing, was, is []*component, changed Sources) map[*Element]bool {
	stable := map[*Element]bool{}
	pairs := pairComponents(was, is)
	origin := map[*component]*component{}
	for _, c := range was {
		if d := pairs[c]; d != nil {
			origin[d] = c
			p.components[c.id()] = d.Component
		}
	}
	matchings := p.match(was, pairs, stable)
	for _, d := range is {
		if c := origin[d]; c != nil {
			r.Changes = append(r.Changes, p.component(matchings[c], family{was, c}, family{is, d})...)
		} else {
			r.Changes = append(r.Changes, &Change{What: Added, New: &d.Element})
		}
	}
	for _, c := range was {
		if pairs[c] == nil {
			r.Changes = append(r.Changes, &Change{What: Removed, Old: &c.Element})
		}
	}
	r.Changes = moves(p.bank, r.Changes)
	r.reformatted(is, origin, changed)
	return stable
}

// match pairs the elements of all components that both revisions have.
func (p *pairing) match(was []*component, pairs map[*component]*component, stable map[*Element]bool) map[*component]*matching {
	out := map[*component]*matching{}
	for _, c := range abstractFirst(was) {
		d := pairs[c]
		if d == nil {
			continue
		}
		var refs map[string]string
		if a := refined(was, c); a != nil && out[a] != nil {
			refs = out[a].events
		}
		m := newMatching(p.bank, c, d, refs, func(event, name string) string {
			if to, ok := p.params[c.Component+"/"+event][name]; ok && event != "" {
				return to
			}
			return p.names.Of(name)
		})
		for e, f := range m.events {
			p.events[c.Component+"/"+e] = f
		}
		for x, y := range m.pairs {
			p.labels[labelKey{c.Kind, x.Component, x.Event, x.Label}] = y.Label
			stable[y] = p.bank.same(x, y)
		}
		out[c] = m
	}
	return out
}

// refined returns the machine that c refines; nil if there is none.
func refined(all []*component, c *component) *component {
	if len(c.syntax.Refines) == 0 {
		return nil
	}
	i := slices.IndexFunc(all, func(a *component) bool {
		return a.Kind == c.Kind && a != c && a.Component == c.syntax.Refines[0].Text
	})
	if i < 0 {
		return nil
	}
	return all[i]
}

// abstractFirst returns the components with each machine behind the one that it
// refines, for a refinement says which event is which by the events it refines.
func abstractFirst(all []*component) []*component {
	var out []*component
	begun := map[*component]bool{}
	var visit func(c *component)
	visit = func(c *component) {
		if begun[c] {
			return
		}
		begun[c] = true
		if a := refined(all, c); a != nil {
			visit(a)
		}
		out = append(out, c)
	}
	for _, c := range all {
		visit(c)
	}
	return out
}

// family is a component among all of its revision.
type family struct {
	all []*component
	*component
}

// inherits reports whether an event extends one that has this element: then it has it
// without writing it.
func (f family) inherits(b bank, event string, element *Element) bool {
	i := slices.IndexFunc(f.elements, func(x *Element) bool { return x.Kind == "event" && x.Label == event })
	above := refined(f.all, f.component)
	if i < 0 || above == nil || !strings.Contains(f.elements[i].head, "extends") || len(f.elements[i].refs) != 1 {
		return false
	}
	abstract := f.elements[i].refs[0]
	return slices.ContainsFunc(above.elements, func(x *Element) bool {
		return x.Event == abstract && x.Kind == element.Kind && x.Label == element.Label && b.same(x, element)
	}) || family{f.all, above}.inherits(b, abstract, element)
}

// component lists the changes of a component and its elements.
func (p *pairing) component(m *matching, was, is family) []*Change {
	c, d := was.component, is.component
	var out []*Change
	if c.Component != d.Component {
		out = append(out, &Change{What: Renamed, Old: &c.Element, New: &d.Element})
	}
	if c.File != d.File {
		out = append(out, &Change{What: Moved, Old: &c.Element, New: &d.Element})
	}
	inner := m.changes(c, d)
	whole := map[What]map[string]bool{Added: {}, Removed: {}} // events, which are shown with their parts
	for _, change := range inner {
		if events := whole[change.What]; events != nil && change.Element().Kind == "event" {
			events[change.Element().Label] = true
		}
	}
	inner = slices.DeleteFunc(slices.Clone(inner), func(change *Change) bool {
		return p.onlyReference(change, inner) || whole[change.What][change.Element().Event] ||
			// What one revision repeats of the refined event, the other inherits.
			change.What == Removed && change.Old.Event != "" && is.inherits(p.bank, m.events[change.Old.Event], change.Old) ||
			change.What == Added && change.New.Event != "" && was.inherits(p.bank, m.before(change.New.Event), change.New)
	})
	if m.reordered(c, d) {
		inner = append(inner, &Change{What: Reordered, Old: &c.Element, New: &d.Element})
	}
	return append(out, inner...)
}

// reformatted adds the components of files whose text changed although nothing
// that they say did: they follow a rename, or it is their layout.
func (r *Review) reformatted(is []*component, origin map[*component]*component, changed Sources) {
	explained := map[string]bool{}
	for _, change := range r.Changes {
		for _, element := range []*Element{change.Old, change.New} {
			if element != nil {
				explained[element.File] = true
			}
		}
	}
	for _, d := range is {
		if c := origin[d]; c != nil && c.File == d.File && !explained[d.File] && changed(c.File, d.File) {
			what := Reformatted
			if !slices.EqualFunc(c.elements, d.elements, func(x, y *Element) bool { return x.Label == y.Label && x.Text == y.Text }) {
				what = Follows
			}
			r.Changes = append(r.Changes, &Change{What: what, Old: &c.Element, New: &d.Element})
		}
	}
}

// onlyReference reports whether a change of a clause is only that the component it
// names has another name now.
func (p *pairing) onlyReference(c *Change, all []*Change) bool {
	is := func(d *Change, what What, name string) bool {
		element := d.Element()
		return d.What == what && element.Kind == c.Element().Kind && element.Label == name
	}
	switch c.Element().Kind {
	case "sees", "refines", "extends":
	default:
		return false
	}
	if c.What == Removed {
		to := p.components[c.Old.target()]
		return to != c.Old.Label && slices.ContainsFunc(all, func(d *Change) bool { return is(d, Added, to) })
	}
	return c.What == Added && slices.ContainsFunc(all, func(d *Change) bool {
		return d.What == Removed && d.Old.Kind == c.New.Kind && p.components[d.Old.target()] == c.New.Label
	})
}

// affected lists the components that changes reach, in the order of the
// development.
func (r *Review) affected(p *pairing, dev *model.Development, same map[*ObligationChange]bool) {
	changed := map[string]bool{}
	for _, change := range r.Changes {
		switch {
		case change.New != nil && !change.What.unsaid():
			changed[change.New.Component] = true
			// What a removed element changed is the component that it was in, whatever that
			// is called now.
		case change.What == Removed:
			for _, kind := range []string{"context", "machine"} {
				if now, there := p.components[kind+" "+change.Old.Component]; there {
					changed[now] = true
				}
			}
		}
	}
	total, touched := map[string]int{}, map[string]int{}
	for _, obligation := range r.Obligations {
		if obligation.New != nil {
			total[obligation.New.Component]++
			if !same[obligation] {
				touched[obligation.New.Component]++
			}
		}
	}
	reached := map[string]bool{}
	add := func(name, refines string, needs ...string) {
		if changed[name] || slices.ContainsFunc(needs, func(n string) bool { return reached[n] }) {
			reached[name] = true
			r.Affected = append(r.Affected, Affected{name, refines, changed[name], total[name], touched[name]})
		}
	}
	for _, c := range dev.Contexts {
		var needs []string
		for _, a := range c.Ancestors {
			needs = append(needs, a.Name)
		}
		add(c.Name, "", needs...)
	}
	for _, machine := range dev.Machines {
		var needs []string
		for _, c := range machine.Contexts {
			needs = append(needs, c.Name)
		}
		refines := ""
		if machine.Refines != nil {
			refines = machine.Refines.Name
			needs = append(needs, refines)
		}
		add(machine.Name, refines, needs...)
	}
}
