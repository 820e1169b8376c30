package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/lang"
)

// Split is old and new elements of one kind whose content is distributed differently: an event
// that is several now, several that are one, or both. It is unknown which of the new ones an old one is.
type Split struct{ Old, New []*Element }

// unit is one of two texts' events or components, with what it says.
type unit struct {
	element *Element
	parts   map[string]bool // its formulas, without labels and the names of parameters
	head    string          // what it refines, "" if nothing
	above   []string        // of a component: those that it builds on
}

// shared lists the parts of u that v has and that but, if any, has not.
func (u *unit) shared(v, but *unit) (out []string) {
	for p := range u.parts {
		if v.parts[p] && (but == nil || !but.parts[p]) {
			out = append(out, p)
		}
	}
	return out
}

// regrouping is the old and the new units of one place, paired as far as names and likeness do.
type regrouping struct {
	was, is []*unit
	paired  func(old, now *unit) bool
}

// splits finds the events of c and d among which guards, witnesses and actions moved, so that more than
// one event of a text may be one of the other.
func splits(c, d *component, m *matching) []Split {
	g := regrouping{was: eventUnits(c, m.refs), is: eventUnits(d, nil)}
	g.paired = func(old, now *unit) bool { return m.events[old.element.Label] == now.element.Label }
	return g.groups(g.evidence)
}

// splitComponents finds the components that are gone where several new ones have half of what they said each.
func splitComponents(was, is []*component, pairs map[*component]*component) []Split {
	g := regrouping{was: componentUnits(was), is: componentUnits(is)}
	g.paired = func(old, now *unit) bool {
		d := pairs[old.element.component]
		return d != nil && d == now.element.component
	}
	return g.groups(func(old, now *unit) bool {
		refines := slices.ContainsFunc(now.above, func(id string) bool {
			return slices.ContainsFunc(g.is, func(u *unit) bool { return u.element.component.id() == id && g.old(u) == nil && u.has(old) })
		})
		return g.now(old) == nil && g.old(now) == nil && old.element.Kind == now.element.Kind && now.has(old) && !refines
	})
}

// has reports whether u has at least half of what another unit says.
func (u *unit) has(other *unit) bool {
	return len(other.parts) > 0 && float64(len(other.shared(u, nil))) >= similar*float64(len(other.parts))
}

// named is the unit of a list that has the name of another one, nil if there is none.
func named(list []*unit, u *unit) *unit {
	if i := slices.IndexFunc(list, func(v *unit) bool { return v.element.Kind == u.element.Kind && v.element.Path() == u.element.Path() }); i >= 0 {
		return list[i]
	}
	return nil
}

// now is the new unit of an old one's name, nil if that name is gone.
func (g *regrouping) now(old *unit) *unit { return named(g.is, old) }

// old is the old unit of a new one's name, nil if that name is new.
func (g *regrouping) old(now *unit) *unit { return named(g.was, now) }

// evidence reports whether something that an old event said may be what a new one of another name says.
// Of an event that is gone, one formula that no other event had is enough: a half may have lost the
// rest. An event that is still there was only copied if it says what it said.
func (g *regrouping) evidence(old, now *unit) bool {
	kept, was := g.now(old), g.old(now)
	taken := old.shared(now, was)
	alone := slices.ContainsFunc(taken, func(p string) bool { return g.alone(old, p) })
	half := len(taken) > 0 && float64(len(taken)) >= similar*float64(len(old.parts)) && !g.closer(old, now)
	switch {
	case old.element.Label == lang.Initialisation || now.element.Label == lang.Initialisation:
		return false
	case kept == nil && was == nil:
		return alone || half || old.head != "" && old.head == now.head && g.only(old)
	case kept == nil:
		return alone && half
	case was == nil:
		return alone && half && !kept.equal(old)
	}
	return false // a formula moved from one event to another; both are there
}

// equal reports whether two units say the same.
func (u *unit) equal(v *unit) bool {
	return len(u.parts) == len(v.parts) && len(u.shared(v, nil)) == len(u.parts)
}

// alone reports whether no other old unit has a part.
func (g *regrouping) alone(old *unit, part string) bool {
	return !slices.ContainsFunc(g.was, func(u *unit) bool { return u != old && u.parts[part] })
}

// only reports whether no other old unit refines the same.
func (g *regrouping) only(old *unit) bool {
	return !slices.ContainsFunc(g.was, func(u *unit) bool { return u != old && u.head == old.head })
}

// closer reports whether another old unit, of another name, has more in common with a new one.
func (g *regrouping) closer(old, now *unit) bool {
	n := len(old.shared(now, nil))
	return slices.ContainsFunc(g.was, func(u *unit) bool {
		return u != old && u != g.old(now) && len(u.shared(now, nil)) > n
	})
}

// groups are the connected units that are not one old one and one new one.
func (g *regrouping) groups(evidence func(old, now *unit) bool) (out []Split) {
	left := slices.Clone(g.was)
	for len(left) > 0 {
		olds, news := []*unit{left[0]}, []*unit(nil)
		for grown := true; grown; {
			grown = false
			for _, n := range g.is {
				if !slices.Contains(news, n) && slices.ContainsFunc(olds, func(o *unit) bool { return g.paired(o, n) || evidence(o, n) }) {
					news, grown = append(news, n), true
				}
			}
			for _, o := range g.was {
				if !slices.Contains(olds, o) && slices.ContainsFunc(news, func(n *unit) bool { return g.paired(o, n) || evidence(o, n) }) {
					olds, grown = append(olds, o), true
				}
			}
		}
		left = slices.DeleteFunc(left, func(u *unit) bool { return slices.Contains(olds, u) })
		if len(news) > 0 && len(olds)+len(news) > 2 {
			out = append(out, Split{g.elements(g.was, olds), g.elements(g.is, news)})
		}
	}
	return out
}

// elements are those of some units, in the order of all.
func (g *regrouping) elements(all, some []*unit) (out []*Element) {
	for _, u := range all {
		if slices.Contains(some, u) {
			out = append(out, u.element)
		}
	}
	return out
}

// eventUnits are the events of a component. Refined events have the names that refs gives them.
func eventUnits(c *component, refs map[string]string) (out []*unit) {
	of := map[string]*unit{}
	for _, e := range c.elements {
		if e.Kind != "event" {
			continue
		}
		u := &unit{element: e, parts: map[string]bool{}}
		if len(e.refs) > 0 {
			u.head = headWith(e, refs)
		}
		of[e.Label] = u
		out = append(out, u)
	}
	for event, u := range of {
		add(u, c, func(e *Element) bool { return e.Event == event })
	}
	return out
}

// componentUnits are components, with all that they say.
func componentUnits(cs []*component) (out []*unit) {
	for _, c := range cs {
		u := &unit{element: &c.Element, parts: map[string]bool{}}
		add(u, c, func(*Element) bool { return true })
		for _, e := range c.elements {
			if e.Kind == "refines" || e.Kind == "extends" {
				u.above = append(u.above, e.target())
			}
		}
		out = append(out, u)
	}
	return out
}

// add gives a unit the formulas of the elements of c that are its own.
func add(u *unit, c *component, own func(*Element) bool) {
	for _, e := range c.elements {
		if own(e) && e.Text != "" && e.Kind != "event" && !e.isIdent() {
			u.parts[e.Kind+" "+withoutParameters(e, c)] = true
		}
	}
}

// withoutParameters is what an element says, with a number for each parameter of its event: the halves
// of an event may call them differently.
func withoutParameters(e *Element, c *component) string {
	numbers := map[string]string{}
	for _, p := range c.elements {
		if p.Kind == "parameter" && p.Event == e.Event {
			numbers[p.Label], numbers[e.rename(p.Label)] = "", ""
		}
	}
	n := 0
	var out []string
	for _, t := range lang.Tokens(e.says) {
		word := e.says[t.From:t.To]
		if number, ok := numbers[word]; ok && t.Kind == lang.NameToken {
			if number == "" {
				n++
				number = fmt.Sprintf("?%d", n)
				numbers[word] = number
			}
			word = number
		}
		out = append(out, word)
	}
	return strings.Join(out, " ")
}
