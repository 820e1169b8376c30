package review

import (
	"context"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
)

// Options say how the prover is asked.
type Options struct {
	Discharge discharge.Options
	Progress  func() // called when an obligation is done; may be nil
}

// Review is what the difference between two revisions of a project means.
type Review struct {
	Project     string
	Problems    []Problem
	Changes     []*Change
	Claims      []Claim
	Obligations []*ObligationChange // all of them
	Affected    []Affected
	Searched    int  // sequents that no stored certificate decided
	Interrupted bool // not all verdicts were found
}

// Affected is a component that the changes reach: one that changed, or one that
// builds on such a one.
type Affected struct {
	Component string
	Refines   string // the machine it refines, or ""
	Changed   bool   // it changed itself, not only what it builds on
	Total     int    // obligations
	Touched   int    // obligations that are new or have another sequent
}

// Sources tells whether the text of a file changed; it is false for files that
// only one revision has.
type Sources func(old, now string) bool

// Compare reviews a project. changed tells whether the text of two files differs.
func Compare(ctx context.Context, project string, old, now *Side, changed Sources, opts Options) *Review {
	r := &Review{Project: project, Problems: problems(old.Problems, now.Problems)}
	plain := bank{logic.NewBank()}
	was, is := components(old, plain.Bank, newNames{}), components(now, plain.Bank, newNames{})
	pairs := pairComponents(was, is)
	p := &pairing{
		bank: bank{logic.NewBank()}, components: map[string]string{}, events: map[string]string{}, labels: map[[3]string]string{},
		renamers: map[renamerKey]*discharge.Renamer{},
	}
	p.names, p.params = renames(was, is, pairs)
	p.renamed = map[*po.Obligation]discharge.Names{}
	p.prints = text.NewFingerprinter(p.bank.Bank)
	return r.compare(ctx, p, old, now, changed, opts)
}

func (r *Review) compare(ctx context.Context, p *pairing, old, now *Side, changed Sources, opts Options) *Review {
	was, is := components(old, p.bank.Bank, newNames{p.names, p.params}), components(now, p.bank.Bank, newNames{})
	stable := r.elements(p, was, is, changed)
	var same map[*ObligationChange]bool
	r.Obligations, same = p.obligations(old.Obligations, now.Obligations)
	p.bank.Freeze()
	for _, c := range r.Changes {
		if c.What == Changed {
			c.Diff = tidy(p.bank.diff(c.Old, c.New))
		}
	}
	r.effects(ctx, p.bank, now.Dev, is, stable, opts)
	r.claims(old, now)
	r.judge(ctx, p, old, now, same, opts)
	r.affected(p, now.Dev, same)
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
			p.components[c.Component] = d.Component
		}
	}
	matchings := map[*component]*matching{}
	for _, d := range is {
		if c := origin[d]; c != nil {
			matchings[d] = p.match(c, d, stable)
		}
	}
	for _, d := range is {
		c := origin[d]
		if c == nil {
			r.Changes = append(r.Changes, &Change{What: Added, New: &d.Element})
			continue
		}
		m := matchings[d]
		if len(c.syntax.Refines) > 0 {
			for _, a := range was {
				if a.Kind == c.Kind && a.Component == c.syntax.Refines[0].Text && pairs[a] != nil {
					m.refs = matchings[pairs[a]].events
				}
			}
		}
		r.Changes = append(r.Changes, p.component(m, c, d)...)
	}
	r.reformatted(is, origin, changed)
	for _, c := range was {
		if pairs[c] == nil {
			r.Changes = append(r.Changes, &Change{What: Removed, Old: &c.Element})
		}
	}
	r.Changes = moves(p.bank, r.Changes)
	return stable
}

// match pairs the elements of two revisions of a component.
func (p *pairing) match(c, d *component, stable map[*Element]bool) *matching {
	m := newMatching(p.bank, c, d, func(event, name string) string {
		if to, ok := p.params[c.Component+"/"+event][name]; ok && event != "" {
			return to
		}
		return p.names.Of(name)
	})
	for e, f := range m.events {
		p.events[c.Component+"/"+e] = f
	}
	for x, y := range m.pairs {
		p.labels[[3]string{x.Component, x.Event, x.Label}] = y.Label
		stable[y] = p.bank.same(x, y)
	}
	return m
}

// component lists the changes of a component and its elements.
func (p *pairing) component(m *matching, c, d *component) []*Change {
	var out []*Change
	if c.Component != d.Component {
		out = append(out, &Change{What: Renamed, Old: &c.Element, New: &d.Element})
	}
	if c.File != d.File {
		out = append(out, &Change{What: Moved, Old: &c.Element, New: &d.Element})
	}
	inner := m.changes(c, d)
	inner = slices.DeleteFunc(slices.Clone(inner), func(e *Change) bool { return p.onlyReference(e, inner) })
	if m.reordered(c, d) {
		inner = append(inner, &Change{What: Reordered, Old: &c.Element, New: &d.Element})
	}
	return append(out, inner...)
}

// reformatted adds the components of files whose text changed although nothing
// that they say did.
func (r *Review) reformatted(is []*component, origin map[*component]*component, changed Sources) {
	explained := map[string]bool{}
	for _, c := range r.Changes {
		for _, e := range []*Element{c.Old, c.New} {
			if e != nil {
				explained[e.File] = true
			}
		}
	}
	for _, d := range is {
		if c := origin[d]; c != nil && c.File == d.File && !explained[d.File] && changed(c.File, d.File) {
			r.Changes = append(r.Changes, &Change{What: Reformatted, Old: &c.Element, New: &d.Element})
		}
	}
}

// onlyReference reports whether a change of a clause is only that the component it
// names has another name now.
func (p *pairing) onlyReference(c *Change, all []*Change) bool {
	is := func(d *Change, what What, name string) bool {
		e := d.Element()
		return d.What == what && e.Kind == c.Element().Kind && e.Label == name
	}
	switch c.Element().Kind {
	case "sees", "refines", "extends":
	default:
		return false
	}
	if c.What == Removed {
		to := p.components[c.Old.Label]
		return to != c.Old.Label && slices.ContainsFunc(all, func(d *Change) bool { return is(d, Added, to) })
	}
	return c.What == Added && slices.ContainsFunc(all, func(d *Change) bool {
		return d.What == Removed && d.Old.Kind == c.New.Kind && p.components[d.Old.Label] == c.New.Label
	})
}

// affected lists the components that changes reach, in the order of the
// development.
func (r *Review) affected(p *pairing, dev *model.Development, same map[*ObligationChange]bool) {
	changed := map[string]bool{}
	for _, c := range r.Changes {
		if c.New != nil && c.What != Reformatted && c.What != Reordered {
			changed[c.New.Component] = true
		} else if c.What == Removed {
			changed[p.components[c.Old.Component]] = true
		}
	}
	total, touched := map[string]int{}, map[string]int{}
	for _, o := range r.Obligations {
		if o.New != nil {
			total[o.New.Component]++
			if !same[o] {
				touched[o.New.Component]++
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
	for _, m := range dev.Machines {
		var needs []string
		for _, c := range m.Contexts {
			needs = append(needs, c.Name)
		}
		refines := ""
		if m.Refines != nil {
			refines = m.Refines.Name
			needs = append(needs, refines)
		}
		add(m.Name, refines, needs...)
	}
}

// Cost returns the steps of the proofs that both revisions have: before and now.
func (r *Review) Cost() (was, is int64) {
	for _, o := range r.Obligations {
		if o.Was.Proved() && o.Is.Proved() {
			was += o.Was.Steps
			is += o.Is.Steps
		}
	}
	return was, is
}
