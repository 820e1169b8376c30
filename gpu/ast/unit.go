package ast

import (
	"fmt"
	"strings"

	"github.com/gradine/gradine/gpu/preproc"
)

// Source is a file to be read: its text, macros that are also defined, and what it may include.
type Source struct {
	File    string
	Text    []byte
	Defines []string
	Include preproc.Include

	origin *preproc.Origin
}

// spliced is s with the files that it includes.
func (s Source) spliced() (Source, *preproc.Problem) {
	var problem *preproc.Problem
	s.Text, s.origin, problem = preproc.Splice(s.File, s.Text, s.Include, s.Defines)
	return s, problem
}

// Unit is what one source file holds.
type Unit struct {
	File      string
	Functions []*Function
	Globals   []*Decl
	Enums     map[string]int64
	Axioms    []*Expr  // __axiom(e)
	Taken     []string // which macros that the file does not define decide what is read
	Unread    []Unread // declarations that are not read
	Asserts   []Unread // functions of a host that is left out, with assertions
	Overrides bool     // the host gives constants other values

	functions map[string][]*Function // by name, in the order of the file
	lost      lost
	origin    *preproc.Origin
}

// Unread is a declaration that is not read, and why. If that follows from another one, it says nothing new.
type Unread struct {
	*preproc.Problem
	Name    string // of a function
	Kernel  bool
	Follows bool
}

// Operators says why it is not known what operators on vectors mean, "" if it is.
func (u *Unit) Operators() string {
	if u.lost[anyOperator] == nil {
		return ""
	}
	return u.lost.why(anyOperator, u.File)
}

// Function is the function of that name, the one with a body if one has; nil if there is none.
func (u *Unit) Function(name string) *Function {
	var found *Function
	for _, f := range u.functions[name] {
		if found == nil || f.Defined {
			found = f
		}
	}
	return found
}

// named are the functions of the file of one name, those with bodies first.
func (u *Unit) named(name string) (out []*Function) {
	for _, body := range []bool{true, false} {
		for _, f := range u.functions[name] {
			if f.Defined == body {
				out = append(out, f)
			}
		}
	}
	return out
}

// add notes a function of the file.
func (u *Unit) add(f *Function) {
	u.Functions = append(u.Functions, f)
	u.functions[f.Name] = append(u.functions[f.Name], f)
}

// Declares reports whether the file has a function of that name.
func (u *Unit) Declares(name string) bool { return u.Function(name) != nil }

// Global is the declaration of a variable of the file: the one that defines it, if one does.
func (u *Unit) Global(name string) *Decl {
	var found *Decl
	for _, d := range u.Globals {
		if d.Name == name && (found == nil || found.Init == nil && !d.Extern) {
			found = d
		}
	}
	return found
}

// Shown is p as it is shown to people: what stands in an included file has its name.
func (u *Unit) Shown(p *preproc.Problem) *preproc.Problem { return u.origin.Problem(p) }

// Included says which place in an included file a place is, "" if it is in the file itself.
func (u *Unit) Included(p preproc.Place) string {
	file, at := u.origin.Shown(u.File, p)
	if file == u.File {
		return ""
	}
	return strings.Join([]string{file, fmt.Sprint(at.Line), fmt.Sprint(at.Col)}, ":")
}
