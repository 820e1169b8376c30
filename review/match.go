package review

import (
	"maps"
	"slices"
	"strings"
)

// What is what became of an element.
type What string

// What may become of an element. The last three are about whole components:
// nothing of a reordered one changed but the order of its elements, nothing of one
// that follows but the names of what it refers to, nothing of a reformatted one but
// layout.
const (
	Added       What = "added"
	Removed     What = "removed"
	Renamed     What = "renamed"
	Retyped     What = "retyped" // an identifier has another type
	Moved       What = "moved"
	Changed     What = "changed"
	Commented   What = "commented" // the comment that belongs to it changed
	Reordered   What = "reordered"
	Follows     What = "follows"
	Reformatted What = "reformatted"
)

// unsaid reports whether nothing that the models say changed.
func (w What) unsaid() bool {
	return w == Reformatted || w == Reordered || w == Follows || w == Commented
}

// Change is one element that is not as it was.
type Change struct {
	What     What
	Old, New *Element // nil if there is none
	Effect   Effect
	Diff     []Piece // of a changed element
	// noMore: of an action, its event is proved to do nothing that it did not do before.
	noMore bool
}

// Element returns the new element, or the old one if it is gone.
func (c *Change) Element() *Element {
	if c.New != nil {
		return c.New
	}
	return c.Old
}

// pairComponents finds the component that each old one is now: that of its kind
// and name, or else one that is gone and one that is new and much like it.
func pairComponents(old, now []*component) map[*component]*component {
	pairs := map[*component]*component{}
	free := slices.Clone(now)
	take := func(c *component, match func(*component) bool) {
		if i := slices.IndexFunc(free, match); pairs[c] == nil && i >= 0 {
			pairs[c] = free[i]
			free = slices.Delete(free, i, i+1)
		}
	}
	for _, c := range old {
		take(c, func(d *component) bool { return d.Kind == c.Kind && d.Component == c.Component })
	}
	for _, c := range old {
		if pairs[c] == nil {
			// A component under another name is the one that is left with the most of its elements.
			best := mostAlike(free, func(d *component) float64 {
				if d.Kind != c.Kind {
					return 0
				}
				return alike(c.elements, d.elements)
			})
			take(c, func(d *component) bool { return d == best })
		}
	}
	return pairs
}

// similar is the share of common elements above which two things count as one
// under two names.
const similar = 0.5

// mostAlike returns the one of list that scores best, at least similar, or the
// zero value.
func mostAlike[T any](list []T, score func(T) float64) (best T) {
	top := similar
	for _, x := range list {
		if s := score(x); s >= top && (s > top || top == similar) {
			best, top = x, s+1e-9
		}
	}
	return best
}

// alike returns the share of elements of two lists that are common to them.
func alike(xs, ys []*Element) float64 {
	type key struct{ kind, event, label, text string }
	count := map[key]int{}
	for _, element := range xs {
		count[key{element.Kind, element.Event, element.Label, element.says}]++
	}
	common := 0
	for _, element := range ys {
		k := key{element.Kind, element.Event, element.Label, element.says}
		if count[k] > 0 {
			count[k]--
			common++
		}
	}
	if len(xs)+len(ys) == 0 {
		return 0
	}
	return float64(common) / float64(max(len(xs), len(ys)))
}

// matching pairs the elements of two components.
type matching struct {
	b      bank
	events map[string]string // label of an old event → of the new one
	names  func(event, name string) string
	pairs  map[*Element]*Element
	refs   map[string]string // label of an old event of the refined machine → of the new one; nil if there is none
	free   []*Element        // of the new component
}

// newMatching pairs the elements of c and d: by label and content, by content
// alone, by label alone.
func newMatching(b bank, c, d *component, refs map[string]string, names func(event, name string) string) *matching {
	m := &matching{b: b, names: names, refs: refs, pairs: map[*Element]*Element{}, free: slices.Clone(d.elements), events: map[string]string{}}
	m.pairEvents(c, d)
	// What kept label and text comes first, then what says the same elsewhere, and last what kept its
	// label alone: a swap of labels is then two renames, and no change.
	for _, pass := range []func(x, y *Element) bool{
		func(x, y *Element) bool { return m.label(x) == y.Label && b.same(x, y) },
		func(x, y *Element) bool {
			return !x.isIdent() && x.Kind != "event" && x.Text != "" && y.Text != "" && b.same(x, y)
		},
		func(x, y *Element) bool { return m.label(x) == y.Label },
	} {
		for _, x := range c.elements {
			if m.pairs[x] != nil {
				continue
			}
			i := slices.IndexFunc(m.free, func(y *Element) bool {
				return x.Kind == y.Kind && m.events[x.Event] == y.Event && pass(x, y)
			})
			if i >= 0 {
				m.pairs[x] = m.free[i]
				m.free = slices.Delete(m.free, i, i+1)
			}
		}
	}
	return m
}

// label is the label or name that x has if it is there under its new name.
func (m *matching) label(x *Element) string {
	switch {
	case x.Kind == "event":
		return m.events[x.Label]
	case x.isIdent() || x.Kind == "witness":
		return m.names(x.Event, x.Label)
	}
	return x.Label
}

// pairEvents finds the event that each old one is now, and returns what it found.
func (m *matching) pairEvents(c, d *component) map[string]string {
	was, is := eventsOf(c, m.refs), eventsOf(d, nil)
	m.events[""] = ""
	var free []string
	for _, e := range is.order {
		if was.parts[e] == nil {
			free = append(free, e)
		}
	}
	for _, e := range was.order {
		if is.parts[e] != nil {
			m.events[e] = e
			continue
		}
		best := mostAlike(free, func(f string) float64 { return alike(was.parts[e], is.parts[f]) })
		if best != "" {
			m.events[e] = best
			free = slices.DeleteFunc(free, func(f string) bool { return f == best })
		}
	}
	return m.events
}

// before is the label that an event of the new component had, "" if it is new.
func (m *matching) before(event string) string {
	for _, old := range slices.Sorted(maps.Keys(m.events)) {
		if m.events[old] == event {
			return old
		}
	}
	return ""
}

// eventList is the events of a component with their parts, for comparison: as if
// they all had one label.
type eventList struct {
	order []string
	parts map[string][]*Element
}

// Refined events have the names that refs gives them.
func eventsOf(c *component, refs map[string]string) eventList {
	l := eventList{parts: map[string][]*Element{}}
	for _, element := range c.elements {
		switch {
		case element.Kind == "event":
			l.order = append(l.order, element.Label)
			l.parts[element.Label] = append(l.parts[element.Label], &Element{Kind: element.Kind, says: headWith(element, refs)})
		case element.Event != "":
			x := *element
			x.Event = ""
			l.parts[element.Event] = append(l.parts[element.Event], &x)
		}
	}
	return l
}

// headWith is what an event says of itself, with the new names of the events that
// it refines.
func headWith(e *Element, refs map[string]string) string {
	out := e.head
	for _, r := range e.refs {
		if to, ok := refs[r]; ok {
			r = to
		}
		out += " " + r
	}
	return out
}

// changes lists what became of the elements of c and d, in the order of d.
func (m *matching) changes(c, d *component) []*Change {
	var out []*Change
	origin := map[*Element]*Element{}
	for _, x := range c.elements {
		if y := m.pairs[x]; y != nil {
			origin[y] = x
		} else {
			out = append(out, &Change{What: Removed, Old: x})
		}
	}
	for _, y := range d.elements {
		x := origin[y]
		switch {
		case x == nil:
			out = append(out, &Change{What: Added, New: y})
		// One change an element: that it says something else matters more than its type, and that more
		// than its label.
		case !m.same(x, y):
			out = append(out, &Change{What: Changed, Old: x, New: y})
		case x.typ != y.typ && x.typ != "" && y.typ != "":
			out = append(out, &Change{What: Retyped, Old: x, New: y, Diff: []Piece{{'-', x.typ}, {'+', y.typ}}})
		case x.Label != y.Label && (x.given || y.given):
			out = append(out, &Change{What: Renamed, Old: x, New: y})
		}
		if x != nil {
			out = commented(out, x, y)
		}
	}
	return commented(out, &c.Element, &d.Element)
}

// commented adds to list that the comment of an element says something else.
func commented(list []*Change, x, y *Element) []*Change {
	was, is := strings.Join(strings.Fields(x.Doc), " "), strings.Join(strings.Fields(y.Doc), " ")
	if was == is {
		return list
	}
	return append(list, &Change{What: Commented, Old: x, New: y, Diff: tidy([]Piece{{'-', was}, {'+', is}})})
}

// same reports whether x and y say the same, given new names of refined events.
func (m *matching) same(x, y *Element) bool {
	if x.Kind != "event" {
		return m.b.same(x, y)
	}
	return x.head == y.head && slices.EqualFunc(x.refs, y.refs, func(a, b string) bool {
		to, ok := m.refs[a]
		return ok && to == b || !ok && a == b
	})
}

// reordered reports whether paired elements stand in another order.
func (m *matching) reordered(c, d *component) bool {
	place := map[*Element]int{}
	for i, element := range d.elements {
		place[element] = i
	}
	last := -1
	for _, x := range c.elements {
		if y := m.pairs[x]; y != nil {
			if place[y] < last {
				return true
			}
			last = place[y]
		}
	}
	return false
}

// moves joins elements that are removed in one place and added in another, with
// the same label and content.
func moves(b bank, changes []*Change) []*Change {
	for _, c := range changes {
		if c.What != Removed || c.Old.Kind == "event" || c.Old.isIdent() || c.Old.Text == "" {
			continue
		}
		i := slices.IndexFunc(changes, func(d *Change) bool {
			return d.What == Added && d.New.Kind == c.Old.Kind && d.New.Label == c.Old.Label && b.same(c.Old, d.New)
		})
		if i >= 0 {
			changes[i].What, changes[i].Old = Moved, c.Old
			c.What = ""
		}
	}
	return compact(changes)
}

// compact leaves out the changes that others have taken up.
func compact(changes []*Change) []*Change {
	return slices.DeleteFunc(changes, func(c *Change) bool { return c.What == "" })
}

// Effect is how a changed element relates to what it was, under the hypotheses
// that both revisions have.
type Effect string
