package merge

import (
	"fmt"
	"slices"
	"strings"
)

// joiner joins the trees of three texts.
type joiner struct {
	// torn are, for each side, the groups of nodes that are ambiguous.
	torn [2][]torn
	// heads joins what stands before the children of nodes, where no two of the texts are equal.
	heads func(base, ours, theirs string) (string, bool)
	// leaves does so for nodes without children, and for what stands behind the children of others.
	leaves func(base, ours, theirs string) (string, bool)
}

// torn is nodes of the common ancestor, and those of a side that they may be there.
type torn struct{ base, side []*node }

func (g torn) ids() []string { return slices.Concat(nodeIDs(g.base), nodeIDs(g.side)) }

// joined is a node of the result.
type joined struct {
	text      string
	there     bool // the result has it
	title     string
	name      string
	parts     []part   // what it says, for checking
	conflicts []string // the elements that stand between markers
}

// node joins three nodes of one id; nil where a text has none. invented says that it stands
// in something that both sides added under one name: these are two, and what only one of
// them has is no addition to the other.
func (j *joiner) node(path string, base, ours, theirs *node, invented bool) joined {
	// First what one text lacks, then what one side left as it was, at last what both sides changed. The layout of an
	// unchanged side yields to the other one.
	switch {
	case ours == nil && theirs == nil:
		return joined{}
	case base == nil && (ours == nil || theirs == nil):
		if invented {
			return conflict(path, ours, theirs)
		}
		return keep(path, ours, theirs)
	case base == nil && same(ours, theirs):
		return keep(path, ours, nil)
	case base == nil && ours.leaf() && theirs.leaf():
		return j.leaf(path, &node{name: ours.name}, ours, theirs)
	case base == nil && (ours.leaf() || theirs.leaf()):
		return conflict(path, ours, theirs)
	case base == nil:
		return j.inside(path, nil, ours, theirs, invented || ours.heads)
	case theirs == nil && same(base, ours), ours == nil && same(base, theirs):
		return joined{}
	case ours == nil || theirs == nil:
		return conflict(path, ours, theirs)
	case ours.raw() == base.raw():
		return keep(path, theirs, nil)
	case theirs.raw() == base.raw(), same(ours, theirs):
		return keep(path, ours, nil)
	case same(ours, base):
		return keep(path, theirs, nil)
	case same(theirs, base):
		return keep(path, ours, nil)
	case ours.leaf() && theirs.leaf() && base.leaf():
		return j.leaf(path, base, ours, theirs)
	case ours.leaf() || theirs.leaf() || base.leaf():
		return conflict(path, ours, theirs)
	}
	return j.inside(path, base, ours, theirs, invented)
}

// keep takes the first of two nodes that there is.
func keep(path string, first, second *node) joined {
	if first == nil {
		first = second
	}
	return joined{text: first.raw(), there: true, title: first.title(), name: first.name, parts: first.parts(path)}
}

// conflict puts both nodes between markers; either may be nil.
func conflict(path string, ours, theirs *node) joined {
	n := ours
	if n == nil {
		n = theirs
	}
	return joined{text: marked(ours.raw(), theirs.raw()), there: true, title: n.title(), conflicts: []string{show(path, n)}}
}

func marked(ours, theirs string) string {
	return "<<<<<<< ours\n" + whole(ours) + "=======\n" + whole(theirs) + ">>>>>>> theirs\n"
}

// show is the path of a node for people, who need no clauses to find it.
func show(path string, n *node) string {
	segments := slices.DeleteFunc(strings.Split(path, "/"), func(x string) bool { return !strings.Contains(x, " ") })
	return strings.Join(append(segments, n.title()), "/")
}

// whole ends text with the end of a line.
func whole(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// leaf joins three nodes without children.
func (j *joiner) leaf(path string, base, ours, theirs *node) joined {
	text, ok := finer(base.head, ours.head, theirs.head, j.leaves)
	if !ok {
		return conflict(path, ours, theirs)
	}
	n := *ours // whose name it has
	if base.name == ours.name {
		n = *theirs
	}
	n.head = text
	return keep(path, &n, nil)
}

// finer joins three texts, by a finer rule where no two of them are equal.
func finer(base, ours, theirs string, rule func(base, ours, theirs string) (string, bool)) (string, bool) {
	out, ok := three(base, ours, theirs)
	if !ok && rule != nil {
		return rule(base, ours, theirs)
	}
	return out, ok
}

// inside joins what three nodes consist of; base may be nil.
func (j *joiner) inside(path string, base, ours, theirs *node, invented bool) joined {
	if base == nil {
		base = &node{name: ours.name} // it says nothing, so that what only one side says is a conflict
	}
	head, ok := finer(base.head, ours.head, theirs.head, j.heads)
	chosen := ours // whose name it has
	if base.name == ours.name {
		chosen = theirs
	}
	tail, fits := finer(base.tail, ours.tail, theirs.tail, j.leaves)
	order, sorted := order(ids(base), ids(ours), ids(theirs))
	if !ok || !fits || !sorted {
		return conflict(path, ours, theirs)
	}
	out := joined{there: true, title: chosen.title(), name: chosen.name}
	below := path + "/" + out.title
	out.parts = []part{{below, says(head) + "|" + says(tail)}}
	var all builder
	all.add(head)
	some := false
	for _, child := range j.children(below, order, base, ours, theirs, invented) {
		some = some || child.there
		all.add(child.text)
		out.parts = append(out.parts, child.parts...)
		out.conflicts = append(out.conflicts, child.conflicts...)
	}
	if len(out.conflicts) > 0 && ours.atomic {
		return conflict(path, ours, theirs)
	}
	if !some && tail == "" && path != "" {
		// Each side removed what the other left of a clause.
		if says(head) == out.title {
			return joined{}
		}
		return conflict(path, ours, theirs)
	}
	all.add(tail)
	out.text = all.String()
	return out
}

// builder puts texts one behind the other, so that no two words become one and markers
// begin their lines.
type builder struct{ strings.Builder }

func (b *builder) add(text string) {
	if before := b.String(); before != "" && text != "" {
		gap := strings.ContainsRune(" \t\r\n", rune(before[len(before)-1])) || strings.ContainsRune(" \t\r\n", rune(text[0]))
		marker := strings.HasPrefix(text, "<<<<<<< ")
		if !gap || marker && before[len(before)-1] != '\n' {
			b.WriteByte('\n')
		}
	}
	b.WriteString(text)
}

// three joins three texts, each of which is one decision.
func three(base, ours, theirs string) (string, bool) {
	switch {
	case ours == base:
		return theirs, true
	case theirs == base, says(ours) == says(theirs):
		return ours, true
	case says(ours) == says(base):
		return theirs, true
	case says(theirs) == says(base):
		return ours, true
	}
	return "", false
}

func ids(n *node) []string { return nodeIDs(n.children) }

func nodeIDs(list []*node) (out []string) {
	for _, c := range list {
		out = append(out, c.id)
	}
	return out
}

// children joins the children of three nodes. Those that would have one name, and those that are
// torn on a side where the other one changed them, are one conflict together.
func (j *joiner) children(path string, order []string, base, ours, theirs *node, invented bool) []joined {
	b, o, t := index(base), index(ours), index(theirs)
	results := map[string]joined{}
	for _, id := range order {
		results[id] = j.node(path, b[id], o[id], t[id], invented)
	}
	var groups [][]string
	// A group is a conflict if one side split or joined it and the other side changed any part of it.
	for side, one := range []map[string]*node{o, t} {
		other := []map[string]*node{t, o}[side]
		for _, group := range j.torn[side] {
			if j.undecided(side, group, b, one, other) {
				groups = append(groups, group.ids())
			}
		}
	}
	// Two elements of one name would be an error in the result that neither side has.
	byName := map[string][]string{}
	for _, id := range order {
		if r := results[id]; r.there && r.name != "" {
			byName[r.title] = append(byName[r.title], id)
		}
	}
	for _, id := range order {
		if list := byName[results[id].title]; results[id].there && len(list) > 1 && list[0] == id {
			groups = append(groups, list)
		}
	}
	groups = overlapping(groups)
	var out []joined
	for _, id := range order {
		i := slices.IndexFunc(groups, func(g []string) bool { return slices.Contains(g, id) })
		switch {
		case i < 0:
			out = append(out, results[id])
		// The conflict stands where the first of its elements would stand.
		case groups[i] != nil && !slices.ContainsFunc(order[:slices.Index(order, id)], func(x string) bool { return slices.Contains(groups[i], x) }):
			out = append(out, together(path, groups[i], ours, theirs))
		}
	}
	return out
}

// undecided reports whether a group of nodes that stand here is a conflict: the other side decided
// something about one of them, and did not tear it into the same ones.
func (j *joiner) undecided(side int, group torn, base, here, other map[string]*node) bool {
	if base[group.base[0].id] != group.base[0] || here[group.side[0].id] != group.side[0] {
		return false // they stand somewhere else
	}
	alike := func(g torn) bool { return slices.Equal(g.base, group.base) && slices.Equal(g.ids(), group.ids()) }
	return !slices.ContainsFunc(j.torn[1-side], alike) && slices.ContainsFunc(group.base, func(n *node) bool {
		return other[n.id] == nil || !same(n, other[n.id])
	})
}

// overlapping joins the groups that have a member in common.
func overlapping(groups [][]string) (out [][]string) {
	for _, g := range groups {
		var apart [][]string
		for _, h := range out {
			if slices.ContainsFunc(h, func(x string) bool { return slices.Contains(g, x) }) {
				g = append(slices.Clone(h), g...)
			} else {
				apart = append(apart, h)
			}
		}
		out = append(apart, g)
	}
	return out
}

// together is one conflict of several children.
func together(path string, group []string, ours, theirs *node) joined {
	text := func(n *node) string {
		var out builder
		for _, c := range n.children {
			if slices.Contains(group, c.id) {
				out.add(c.raw())
			}
		}
		return out.String()
	}
	var names []string
	for _, n := range []*node{ours, theirs} {
		for _, c := range n.children {
			if name := show(path, c); slices.Contains(group, c.id) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return joined{text: marked(text(ours), text(theirs)), there: true, conflicts: []string{strings.Join(names, ", ")}}
}

func index(n *node) map[string]*node {
	out := map[string]*node{}
	for _, c := range n.children {
		out[c.id] = c
	}
	return out
}

// order is the order of the children of a node in the result. Of two that all texts have, the
// side decides that changed which of them stands first; what a side adds stands behind what
// it stands behind there, our additions first. It fails where the decisions of both sides
// make no order.
func order(base, ours, theirs []string) ([]string, bool) {
	place := func(list []string) map[string]int {
		out := map[string]int{}
		for i, id := range list {
			out[id] = i
		}
		return out
	}
	b, o, t := place(base), place(ours), place(theirs)
	var core []string
	for _, id := range base {
		_, inOurs := o[id]
		if _, inTheirs := t[id]; inOurs && inTheirs {
			core = append(core, id)
		}
	}
	if len(base) == 0 {
		core = common(ours, theirs) // both added it, in one order
		if !slices.Equal(core, common(theirs, ours)) {
			return nil, false
		}
		b = o
	}
	before := func(x, y string) bool {
		if was := b[x] < b[y]; (o[x] < o[y]) != was {
			return o[x] < o[y]
		}
		return t[x] < t[y]
	}
	behind := map[string]int{} // how many stand behind it
	for _, x := range core {
		for _, y := range core {
			if x != y && before(x, y) {
				behind[x]++
			}
		}
	}
	out := slices.Clone(core)
	slices.SortStableFunc(out, func(x, y string) int { return behind[y] - behind[x] })
	for i, x := range out {
		for _, y := range out[i+1:] {
			if !before(x, y) {
				return nil, false
			}
		}
	}
	for side, list := range [][]string{ours, theirs} {
		last := ""
		for _, id := range list {
			if !slices.Contains(out, id) {
				i := slices.Index(out, last) + 1
				for side == 1 && i < len(out) && !slices.Contains(core, out[i]) && slices.Contains(ours, out[i]) {
					i++ // our additions stand first
				}
				out = slices.Insert(out, i, id)
			}
			last = id
		}
	}
	return out, true
}

// common keeps the elements of list that other has, too.
func common(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(k string) bool { return !slices.Contains(other, k) })
}

// unique gives a node an id that none of its siblings has yet.
func unique(n *node, id string, taken map[string]bool) {
	n.id = id
	for i := 2; taken[n.id]; i++ {
		n.id = fmt.Sprintf("%s #%d", id, i)
	}
	taken[n.id] = true
}

// byName gives the nodes below n ids by kind and name, in each text alike.
func byName(n *node) {
	taken := map[string]bool{}
	for _, c := range n.children {
		unique(c, c.title(), taken)
		byName(c)
	}
}
