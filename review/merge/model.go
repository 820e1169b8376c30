package merge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/review"
)

// model is the tree of a text model, and what is matched of it.
func model(name string, src []byte) (*node, *lang.File, error) {
	var problems diag.List
	file := lang.Parse(name, src, &problems)
	if problems.HasErrors() {
		return nil, nil, errUnreadable
	}
	c := cutter{src: string(src)}
	root := &node{}
	for _, component := range file.Components {
		root.children = append(root.children, c.component(component))
	}
	root.tail = c.src[c.at:]
	if c.backward {
		return nil, nil, errUnreadable
	}
	return root, file, nil
}

// cutter cuts a text into the texts of its nodes, from its beginning on.
type cutter struct {
	src      string
	at       int
	backward bool // something ends before what stands in front of it
}

// to cuts up to an end, and to that of its line if only a comment follows on it.
func (c *cutter) to(end int) string {
	end = lineEnd(c.src, end)
	if end < c.at {
		c.backward = true
		return ""
	}
	out := c.src[c.at:end]
	c.at = end
	return out
}

// lineEnd moves the end of an element behind its line, if only a comment follows on it.
func lineEnd(src string, end int) int {
	line, _, more := strings.Cut(src[end:], "\n")
	if t := strings.TrimSpace(line); t != "" && !strings.HasPrefix(t, "//") {
		return end
	}
	if more {
		return end + len(line) + 1
	}
	return len(src)
}

// entry is something that stands in a clause.
type entry struct {
	kind, name string
	at, end    int
	event      *lang.Event
}

// component is the node of a component.
func (c *cutter) component(x *lang.Component) *node {
	kind := "context"
	if x.Kind == lang.MachineKind {
		kind = "machine"
	}
	n := &node{kind: kind, name: x.Name.Text, at: x.Name.Span.From, heads: true, head: c.to(x.Name.Span.To)}
	var list []entry
	list = names(list, "extends", x.Extends)
	list = names(list, "refines", x.Refines)
	list = names(list, "sees", x.Sees)
	list = names(list, "set", x.Sets)
	list = names(list, "constant", x.Constants)
	list = names(list, "variable", x.Variables)
	list = predicates(list, "axiom", x.Axioms)
	list = predicates(list, "invariant", x.Invariants)
	for _, v := range x.Variants {
		list = append(list, labelled("variant", v.Label, v.Source))
	}
	for _, e := range x.Events {
		list = append(list, entry{kind: "event", name: e.Label.Text, at: e.Label.Span.From, event: e})
	}
	c.clauses(n, x.Clauses, list)
	return n
}

// event is the node of an event. What it refines belongs to its head.
func (c *cutter) event(e *lang.Event) *node {
	end := e.Label.Span.To
	inside := slices.Clone(e.Clauses)
	for _, clause := range e.Clauses {
		// What an event is and what it refines is one decision with its name.
		switch clause.Keyword {
		case "refines", "extends":
		case "status":
			word := strings.TrimLeft(c.src[clause.Span.To:], " \t\r\n")
			end = max(end, len(c.src)-len(word)+strings.IndexFunc(word+" ", func(r rune) bool { return r < 'A' }))
		default:
			continue
		}
		inside = slices.DeleteFunc(inside, func(x lang.Clause) bool { return x == clause })
	}
	for _, name := range e.Refines {
		end = max(end, name.Span.To)
	}
	n := &node{kind: "event", name: e.Label.Text, at: e.Label.Span.From, heads: true, head: c.to(end)}
	var list []entry
	list = names(list, "parameter", e.Parameters)
	list = predicates(list, "guard", e.Guards)
	list = predicates(list, "witness", e.Witnesses)
	for _, a := range e.Actions {
		list = append(list, labelled("action", a.Label, a.Source))
	}
	c.clauses(n, inside, list)
	return n
}

// clauses cuts the clauses of n, with what stands in each.
func (c *cutter) clauses(n *node, clauses []lang.Clause, list []entry) {
	slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(a.at, b.at) })
	for i, clause := range clauses {
		if clause.Keyword == "end" {
			n.tail = c.to(clause.Span.To)
			return
		}
		next := len(c.src)
		if i+1 < len(clauses) {
			next = clauses[i+1].Span.From
		}
		x := &node{kind: clause.Keyword, at: -1}
		for len(list) > 0 && list[0].at < next {
			e := list[0]
			list = list[1:]
			switch {
			case e.kind == "refines": // a machine refines one other: the clause is one decision
				x.head += c.to(e.end)
				continue
			case x.head == "":
				x.head = c.to(clause.Span.To)
			}
			if e.event != nil {
				x.children = append(x.children, c.event(e.event))
			} else {
				x.children = append(x.children, &node{kind: e.kind, name: e.name, at: e.at, head: c.to(e.end)})
			}
		}
		if x.head == "" {
			x.head = c.to(clause.Span.To)
		}
		n.children = append(n.children, x)
	}
}

func names(list []entry, kind string, names []lang.Name) []entry {
	for _, n := range names {
		list = append(list, entry{kind: kind, name: n.Text, at: n.Span.From, end: n.Span.To})
	}
	return list
}

func predicates(list []entry, kind string, ps []*lang.Predicate) []entry {
	for _, p := range ps {
		list = append(list, labelled(kind, p.Label, p.Source))
	}
	return list
}

func labelled(kind string, label lang.Name, src lang.Source) entry {
	e := entry{kind: kind, name: label.Text, at: label.Span.From, end: src.Span.To}
	if label.Absent || label.Span.IsZero() {
		e.name, e.at = "", src.Span.From
	}
	return e
}

// matched gives the nodes of a side the ids that they have in the common ancestor, and says
// which of them are ambiguous.
func matched(base, side *node, was, is *lang.File) (groups []torn) {
	texts := review.MatchTexts(was, is)
	// Elements are paired by their places in the texts, which the nodes know as well.
	origin := map[int]int{}
	for _, p := range texts.Pairs {
		origin[p.New.Span.From] = p.Old.Span.From
	}
	at := map[int]*node{}
	parent := map[*node]*node{}
	var visit func(n *node)
	visit = func(n *node) {
		for _, c := range n.children {
			if c.at >= 0 {
				at[c.at] = c
			}
			parent[c] = n
			visit(c)
		}
	}
	visit(base)
	here := map[int]*node{}
	var identify func(was, n *node)
	identify = func(old, n *node) {
		taken := map[string]bool{}
		for _, c := range n.children {
			var from *node
			switch {
			case old == nil:
			// Sections and clauses have no place of their own: the first one of its kind is the same.
			case c.at < 0:
				i := slices.IndexFunc(old.children, func(x *node) bool { return x.kind == c.kind && !taken[x.id] })
				if i >= 0 {
					from = old.children[i]
				}
			default:
				// An element that moved into another component is a new one there.
				if place, ok := origin[c.at]; ok && parent[at[place]] == old {
					from = at[place]
				}
				here[c.at] = c
			}
			switch {
			case from != nil && !taken[from.id]:
				c.id = from.id
				taken[c.id] = true
			case c.name == "" && c.at >= 0:
				unique(c, "+"+c.kind+" "+says(c.head), taken)
			default:
				unique(c, "+"+c.title(), taken)
			}
			identify(from, c)
		}
		if old != nil {
			replaced(old, n)
		}
	}
	identify(base, side)
	// A split counts only if all of its parts were found: half of one would be joined as if it were whole.
	for _, s := range texts.Splits {
		var group torn
		for _, e := range s.Old {
			if n := at[e.Span.From]; n != nil {
				group.base = append(group.base, n)
			}
		}
		for _, e := range s.New {
			if n := here[e.Span.From]; n != nil {
				group.side = append(group.side, n)
			}
		}
		if len(group.base) == len(s.Old) && len(group.side) == len(s.New) {
			groups = append(groups, group)
		}
	}
	return groups
}

// replaced gives a formula that stands where another one is gone that one's id: whether it is
// the same with another label and other words, or took its place, it is one decision.
func replaced(base, side *node) {
	here, there := index(side), index(base)
	last := 0 // in base, behind what the side has last
	for _, c := range side.children {
		if there[c.id] != nil {
			last = slices.IndexFunc(base.children, func(o *node) bool { return o.id == c.id }) + 1
			continue
		}
		if last < len(base.children) && here[base.children[last].id] == nil && base.children[last].kind == c.kind && isFormula(c.kind) {
			c.id = base.children[last].id
			here[c.id] = c
			last++
		}
	}
}

func isFormula(kind string) bool {
	switch kind {
	case "axiom", "invariant", "variant", "guard", "witness", "action":
		return true
	}
	return false
}
