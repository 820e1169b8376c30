package page

import (
	"fmt"
	"strings"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/model"
)

// treeView is the refinement tree, drawn row by row: what refines or extends a
// component stands below it, one step to the right.
type treeView struct {
	Width, Height int
	Nodes         []treeNode
}

type treeNode struct {
	X, Y, Width, Up      int // Up is the height of the line to the component above; 0 if there is none
	Name, Detail, Link   string
	Verdict, Sign, Title string
	Context              bool
}

const (
	rowHeight = 34
	stepWidth = 22
)

// treeOf draws how components build on each other, as an indented tree with their verdicts.
func treeOf(p *findings, id string) treeView {
	var t treeView
	index := map[model.Component]int{}
	for i, s := range p.Status {
		index[s.Of] = i
	}
	add := func(c model.Component, depth int, parent *treeNode, title string) *treeNode {
		s, name := p.Status[index[c]], c.Name()
		sum := s.Totals()
		n := treeNode{
			X: 4 + depth*stepWidth, Y: 4 + len(t.Nodes)*rowHeight, Name: name, Detail: fmt.Sprintf("%d of %d", sum.Proved, sum.Asked), Title: title,
			Link: fmt.Sprintf("%sc%d", id, index[c]), Context: c.Context != nil, Verdict: "open",
		}
		if sum.Asked+sum.Expected == 0 {
			n.Detail = ""
		}
		switch {
		case s.Verified:
			n.Verdict = "proved"
		case s.Count[verdict.Refuted] > 0:
			n.Verdict = "refuted"
		}
		n.Sign = signOf(n.Verdict)
		n.Width = 36 + 9*len([]rune(name+n.Detail))
		if parent != nil {
			n.Up = n.Y - parent.Y
		}
		t.Nodes = append(t.Nodes, n)
		t.Width = max(t.Width, n.X+n.Width+4)
		t.Height = n.Y + rowHeight
		return &n
	}
	// Only the direct successors are drawn below a node, each with all that is below
	// it, so the rows stand in the order of a walk.
	refinements := map[*model.Machine][]*model.Machine{}
	for _, m := range p.Dev.Machines {
		refinements[m.Refines] = append(refinements[m.Refines], m)
	}
	var machines func(above *model.Machine, parent *treeNode, depth int)
	machines = func(above *model.Machine, parent *treeNode, depth int) {
		for _, m := range refinements[above] {
			var sees []string
			for _, c := range m.Sees {
				sees = append(sees, c.Name)
			}
			title := "machine " + m.Name
			if len(sees) > 0 {
				title += " sees " + strings.Join(sees, ", ")
			}
			machines(m, add(model.Component{Machine: m}, depth, parent, title), depth+1)
		}
	}
	machines(nil, nil, 0)
	// A context that extends several stands below the first: the picture is a tree.
	extensions := map[*model.Context][]*model.Context{}
	for _, c := range p.Dev.Contexts {
		var first *model.Context
		if len(c.Extends) > 0 {
			first = c.Extends[0]
		}
		extensions[first] = append(extensions[first], c)
	}
	var contexts func(above *model.Context, parent *treeNode, depth int)
	contexts = func(above *model.Context, parent *treeNode, depth int) {
		for _, c := range extensions[above] {
			contexts(c, add(model.Component{Context: c}, depth, parent, "context "+c.Name), depth+1)
		}
	}
	contexts(nil, nil, 0)
	return t
}
