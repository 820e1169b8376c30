package merge

import (
	"errors"
	"strings"
)

var errUnreadable = errors.New("the text has errors")

// node is one element of a text with all that stands below it: a component, a clause, an
// event, a guard. The texts of the nodes of a file, one behind the other, are the file. What
// stands between two elements, such as a comment, belongs to the second one.
type node struct {
	// id tells the children of a node apart, in all three texts: an element that a side only
	// renamed has the id that it has in the common ancestor.
	id   string
	kind string // machine, where, guard; "" of the file
	name string // "" if the element has none
	at   int    // where the name stands, or what it says if it has none
	head string // what stands before the children
	tail string // and behind them
	// heads says that what one of two new elements of one name has alone is no addition to the
	// other: of an event, but not of its clause of guards.
	heads bool
	// atomic says that a conflict in it is one about all of it.
	atomic   bool
	children []*node
}

// leaf reports whether a node has one text, which is one decision.
func (n *node) leaf() bool { return len(n.children) == 0 && n.tail == "" }

// title is how people call a node.
func (n *node) title() string { return strings.TrimSpace(n.kind + " " + n.name) }

// raw is the whole text of a node, "" of none.
func (n *node) raw() string {
	if n == nil {
		return ""
	}
	var out strings.Builder
	var add func(n *node)
	add = func(n *node) {
		out.WriteString(n.head)
		for _, c := range n.children {
			add(c)
		}
		out.WriteString(n.tail)
	}
	add(n)
	return out.String()
}

// says is a text without its layout, for comparing.
func says(text string) string { return strings.Join(strings.Fields(text), " ") }

// same reports whether two nodes differ in layout at most.
func same(x, y *node) bool { return says(x.raw()) == says(y.raw()) }

// part is what one node by itself says, for comparing texts node by node.
type part struct{ path, says string }

// parts lists the nodes of a tree.
func (n *node) parts(above string) []part {
	path := above + "/" + n.title()
	out := []part{{path, says(n.head) + "|" + says(n.tail)}}
	for _, c := range n.children {
		out = append(out, c.parts(path)...)
	}
	return out
}

// twice returns the path of two nodes of one name at one place, "" if there are none.
func (n *node) twice(above string) string {
	seen := map[string]bool{}
	path := above + "/" + n.title()
	for _, c := range n.children {
		if c.name != "" && seen[c.title()] {
			return path + "/" + c.title()
		}
		seen[c.title()] = true
		if found := c.twice(path); found != "" {
			return found
		}
	}
	return ""
}
