package check

import (
	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic"
)

// names are the identifiers of a formula, and what looks dubious in it.
type names struct {
	free         []lang.Name // each once, in order of occurrence
	declared     []lang.Name // declarations of bound variables
	rebound      []lang.Name // declarations inside the scope of a variable of that name
	implications []diag.Span // implications directly below ∃

	seen  map[string]bool
	depth map[string]int // variables of that name in scope
}

func newNames() *names { return &names{seen: map[string]bool{}, depth: map[string]int{}} }

// namesOf returns the names of f.
func namesOf(f *lang.Formula) *names {
	n := newNames()
	n.walk(f)
	return n
}

// usedBy returns the names that assignment a uses, apart from those it assigns.
func usedBy(assignment *lang.Assignment) *names {
	n := newNames()
	if assignment.Kind == lang.BecomesSuch {
		for _, formula := range assignment.Left {
			n.seen[formula.Name+"'"] = true
		}
	}
	if assignment.Update {
		n.walk(assignment.Left[0])
		n.walk(assignment.Index)
	}
	for _, formula := range assignment.Right {
		n.walk(formula)
	}
	return n
}

// walk collects the names that f uses, declares and declares again, and the places of a warning.
func (n *names) walk(f *lang.Formula) {
	switch f.Op {
	case logic.Free:
		if n.depth[f.Name] == 0 {
			n.use(f)
		}
		return
	case logic.Exists:
		// ∃x·P⇒Q is rarely meant; somebody who sees the list may warn of it.
		if p := f.Args[0]; p.Op == logic.Implies {
			n.implications = append(n.implications, p.Span)
		}
	}
	n.typeNames(f.Oftype)
	// All are declared before any is in scope: the type of one mentions none of the others.
	for _, decl := range f.Decls {
		n.typeNames(decl.Oftype)
		name := lang.Name{Text: decl.Name, Span: decl.Span}
		n.declared = append(n.declared, name)
		if n.depth[decl.Name] > 0 {
			n.rebound = append(n.rebound, name)
		}
	}
	for _, decl := range f.Decls {
		n.depth[decl.Name]++
	}
	for _, a := range f.Args {
		n.walk(a)
	}
	for _, decl := range f.Decls {
		n.depth[decl.Name]--
	}
}

func (n *names) use(f *lang.Formula) {
	if !n.seen[f.Name] {
		n.seen[f.Name] = true
		n.free = append(n.free, lang.Name{Text: f.Name, Span: f.Span})
	}
}

// typeNames adds the names of a type, which are free whatever is bound.
func (n *names) typeNames(f *lang.Formula) {
	if f == nil {
		return
	}
	if f.Op == logic.Free {
		n.use(f)
	}
	for _, a := range f.Args {
		n.typeNames(a)
	}
}
