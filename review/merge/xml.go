package merge

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/review"
)

// core begins the names of Rodin's elements and attributes.
const core = "org.eventb.core."

// element is what the tree of a file of Rodin's keeps of an element.
type element struct {
	internal string // the name by which Rodin's database knows it
	label    string // what people call it; "" if it has no label
}

// Rodin joins two edits of a context or a machine of Rodin: elements are known by their
// internal names, and new ones by their labels. Where two elements at one place would have one
// internal name, the later one gets another: Rodin wants them unique.
func Rodin(name string, base, ours, theirs []byte) (Result, error) {
	x := &rodinMatch{known: map[*node]element{}}
	all := [3][]byte{base, ours, theirs}
	trees, err := x.readAll(name, all)
	if err != nil {
		return Result{}, err
	}
	if text, ok := unchanged(trees); ok {
		return Result{Text: []byte(text)}, nil
	}
	var versions [3]version
	var problems diag.List // the elements with errors are joined as they are
	for i, src := range all {
		versions[i] = xmlVersion(src, rodin.ParseRenamed(name, src, &problems))
	}
	var followed []string
	if !slices.ContainsFunc(versions[:], func(v version) bool { return v.file == nil }) {
		if names := reused(versions); len(names) > 0 {
			return clash(ours, theirs, names), nil
		}
		all, followed = follow(versions, escaped)
	}
	if trees, err = x.readAll(name, all); err != nil {
		return Result{}, err
	}
	x.internal(trees[0])
	j := &joiner{heads: attributes}
	for i := range j.torn {
		j.torn[i] = x.match(trees[0], trees[i+1], splitEvents(name, all[0], all[i+1]))
	}
	x.names(trees)
	r, err := j.join(name, trees, x.read)
	r.Followed = followed
	return r, err
}

// readAll reads the three texts of a merge.
func (x *rodinMatch) readAll(name string, all [3][]byte) (trees [3]*node, err error) {
	for i, src := range all {
		if trees[i], err = xmlTree(src, x.known); err != nil {
			return trees, fmt.Errorf("%s of %s: %w", texts[i], name, err)
		}
	}
	return trees, nil
}

// read reads what comes of a merge, in which internal names are unique.
func (x *rodinMatch) read(src string) (*node, error) {
	n, err := xmlTree([]byte(src), x.known)
	if err != nil {
		return nil, err
	}
	if shared := x.sharedName(n); shared != "" {
		return nil, fmt.Errorf("two elements have the internal name %s", shared)
	}
	return n, nil
}

// mixed are the labels of events of the common ancestor, and of those of a side that they may be there.
type mixed struct{ base, side []string }

// splitEvents are the events that are ambiguous on a side.
func splitEvents(name string, base, side []byte) (out []mixed) {
	var problems diag.List
	was, is := rodin.ParseRenamed(name, base, &problems), rodin.ParseRenamed(name, side, &problems)
	if was == nil || is == nil {
		return nil
	}
	for _, s := range review.MatchTexts(was, is).Splits {
		var group mixed
		for _, e := range s.Old {
			group.base = append(group.base, e.Label)
		}
		for _, e := range s.New {
			group.side = append(group.side, e.Label)
		}
		out = append(out, group)
	}
	return out
}

// xmlTree is the tree of a file of Rodin's.
func xmlTree(src []byte, known map[*node]element) (*node, error) {
	d := xml.NewDecoder(bytes.NewReader(src))
	root := &node{}
	open := []*node{root}
	at := 0
	// A tag has the rest of its line.
	cut := func() string {
		end := max(at, int(d.InputOffset()))
		for rest := end; rest < len(src) && strings.IndexByte(" \t\r\n", src[rest]) >= 0; rest++ {
			if src[rest] == '\n' {
				end = rest + 1
				break
			}
		}
		text := string(src[at:end])
		at = end
		return text
	}
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, errUnreadable
		}
		top := open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			n := &node{kind: strings.TrimPrefix(token.Name.Local, core), at: -1, head: cut()}
			e := element{valueOf(token, "name"), valueOf(token, core+"label")}
			if e.label == "" {
				e.label = valueOf(token, core+"identifier")
			}
			if e.label == "" {
				e.label = valueOf(token, core+"target")
			}
			n.name = e.label
			n.heads = n.kind == "event"
			known[n] = e
			top.children = append(top.children, n)
			open = append(open, n)
		case xml.EndElement:
			top.tail = cut()
			open = open[:len(open)-1]
		}
	}
	if len(root.children) == 0 {
		return nil, errUnreadable
	}
	root.tail += string(src[at:])
	settle(root)
	return root, nil
}

// settle makes the tail of an element without children part of its head, so that it is one text.
func settle(n *node) {
	if len(n.children) == 0 {
		n.head, n.tail = n.head+n.tail, ""
	}
	for _, c := range n.children {
		settle(c)
	}
}

func valueOf(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// rodinMatch gives the elements of files of Rodin's their ids.
type rodinMatch struct{ known map[*node]element }

// internal gives the elements of the common ancestor ids by their internal names.
func (x *rodinMatch) internal(n *node) {
	taken := map[string]bool{}
	for _, c := range n.children {
		unique(c, c.kind+" "+x.known[c].internal, taken)
		x.internal(c)
	}
}

// match gives the elements of a side the ids that they have in the common ancestor: by
// internal name, or else by label. Mixed events are none of these; their nodes are returned.
func (x *rodinMatch) match(base, side *node, splits []mixed) (groups []torn) {
	inBase := func(c *node) bool {
		return c.kind == "event" && slices.ContainsFunc(splits, func(s mixed) bool { return slices.Contains(s.base, c.name) })
	}
	inSide := func(c *node) bool {
		return c.kind == "event" && slices.ContainsFunc(splits, func(s mixed) bool { return slices.Contains(s.side, c.name) })
	}
	taken := map[string]bool{}
	from := map[*node]*node{}
	// Rodin keeps the internal name when a label changes, and gives a copied element a new one: labels decide only where
	// internal names do not.
	for _, same := range []func(old, now element) bool{
		func(old, now element) bool { return old.internal == now.internal },
		func(old, now element) bool { return old.label != "" && old.label == now.label },
	} {
		for _, c := range side.children {
			if from[c] != nil || base == nil || inSide(c) {
				continue
			}
			i := slices.IndexFunc(base.children, func(o *node) bool {
				return o.kind == c.kind && !taken[o.id] && same(x.known[o], x.known[c]) && !inBase(o)
			})
			if i >= 0 {
				from[c] = base.children[i]
				c.id = from[c].id
				taken[c.id] = true
			}
		}
	}
	for _, c := range side.children {
		if from[c] == nil {
			name := c.name
			if name == "" {
				name = x.known[c].internal
			}
			unique(c, "+"+c.kind+" "+name, taken)
		}
		groups = append(groups, x.match(from[c], c, splits)...)
	}
	if base == nil {
		return groups
	}
	for _, s := range splits {
		group := torn{events(base, s.base), events(side, s.side)}
		if len(group.base) == len(s.base) && len(group.side) == len(s.side) {
			groups = append(groups, group)
		}
	}
	return groups
}

// events are the events below a node that have some labels.
func events(n *node, labels []string) (out []*node) {
	for _, c := range n.children {
		if c.kind == "event" && slices.Contains(labels, c.name) {
			out = append(out, c)
		}
	}
	return out
}

// names gives each element one internal name in all three texts: that which a side gave it, or else
// that of the common ancestor. An element that would share its name with another one of its kind at
// its place gets a fresh one, also where a side itself has both: Rodin wants them unique, whatever a
// reader of the result keeps of a conflict.
func (x *rodinMatch) names(at [3]*node) {
	var here []*node
	used := map[string]bool{}
	for _, n := range at {
		if n == nil {
			continue
		}
		for _, c := range n.children {
			used[x.known[c].internal] = true
			if !slices.ContainsFunc(here, func(o *node) bool { return o.id == c.id }) {
				here = append(here, c)
			}
		}
	}
	owned := map[string]bool{} // by kind and internal name
	for _, first := range here {
		same := [3]*node{find(at[0], first.id), find(at[1], first.id), find(at[2], first.id)}
		name := x.named(same)
		x.rename(same, name)
		x.names(same)
		if gone(same) || name == "" {
			continue
		}
		if owned[first.kind+" "+name] {
			plain := name
			for i := 1; used[name]; i++ {
				name = fmt.Sprintf("%s_%d", plain, i)
			}
			used[name] = true
			x.rename(same, name)
		}
		owned[first.kind+" "+name] = true
	}
}

// named is the internal name of one element: ours, where we gave it one.
func (x *rodinMatch) named(same [3]*node) string {
	base, ours, theirs := same[0], same[1], same[2]
	switch {
	case ours == nil && theirs == nil:
		return x.known[base].internal
	case ours == nil:
		return x.known[theirs].internal
	case theirs == nil || base == nil || x.known[ours].internal != x.known[base].internal:
		return x.known[ours].internal
	}
	return x.known[theirs].internal
}

// rename gives nodes an internal name.
func (x *rodinMatch) rename(nodes [3]*node, name string) {
	for _, n := range nodes {
		if n == nil || x.known[n].internal == name {
			continue
		}
		t := startTag(n.head)
		i := slices.IndexFunc(t.attributes, func(a attribute) bool { return a.name == "name" })
		if i < 0 {
			continue
		}
		a := t.attributes[i]
		value := escaped(name)
		if n.head[a.valueTo] == '\'' {
			value = strings.ReplaceAll(value, "'", "&apos;")
		}
		n.head = n.head[:a.valueFrom] + value + n.head[a.valueTo:]
		x.known[n] = element{name, x.known[n].label}
	}
}

// gone reports whether no text that is chosen from the result has an element: a side removed it,
// and the other one left it as it was.
func gone(all [3]*node) bool {
	base, ours, theirs := all[0], all[1], all[2]
	return base != nil && (ours == nil && theirs == nil || ours == nil && same(base, theirs) || theirs == nil && same(base, ours))
}

// sharedName is an internal name that two elements of one kind at one place have, "" if there is none.
func (x *rodinMatch) sharedName(n *node) string {
	seen := map[string]bool{}
	for _, c := range n.children {
		e := x.known[c]
		if key := c.kind + " " + e.internal; e.internal != "" && seen[key] {
			return key
		} else {
			seen[key] = true
		}
		if found := x.sharedName(c); found != "" {
			return found
		}
	}
	return ""
}

func find(n *node, id string) *node {
	if n == nil {
		return nil
	}
	for _, c := range n.children {
		if c.id == id {
			return c
		}
	}
	return nil
}
