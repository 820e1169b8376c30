package hints

import (
	"slices"

	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic"
)

// Names say what identifiers and labels are called now.
type Names struct {
	Identifier, Label func(string) string
}

// Renamed returns hints under new names; what they were is left as it is. Names that a hint
// gives to what exists, and bound variables, stay. Comments inside of formulas go.
func Renamed(list []*Hint, n Names) []*Hint {
	var out []*Hint
	for _, h := range list {
		c := *h
		c.text = ""
		c.Label.Text = n.Label(h.Label.Text)
		c.Words = slices.Clone(h.Words)
		for i := range c.Words {
			switch h.Kind {
			case Use:
				c.Words[i].Text = n.Label(h.Words[i].Text)
			case Unfold, Induct:
				c.Words[i].Text = n.Identifier(h.Words[i].Text)
			}
		}
		c.Fact = renamed(h.Fact, n.Identifier)
		c.Values = slices.Clone(h.Values)
		for i, v := range h.Values {
			c.Values[i].Expr, c.Values[i].text = renamed(v.Expr, n.Identifier), ""
		}
		c.Below = Renamed(h.Below, n)
		out = append(out, &c)
	}
	return out
}

// renamed returns a copy of f with other names of its free identifiers.
func renamed(f *lang.Formula, name func(string) string) *lang.Formula {
	if f == nil {
		return nil
	}
	inside := name
	if len(f.Decls) > 0 {
		inside = func(s string) string {
			if slices.ContainsFunc(f.Decls, func(d lang.Decl) bool { return d.Name == s }) {
				return s
			}
			return name(s)
		}
	}
	g := *f
	if f.Op == logic.Free {
		g.Name = name(f.Name)
	}
	g.Oftype = renamed(f.Oftype, name)
	g.Args = slices.Clone(f.Args)
	for i, a := range f.Args {
		g.Args[i] = renamed(a, inside)
	}
	g.Decls = slices.Clone(f.Decls)
	for i, d := range f.Decls {
		g.Decls[i].Oftype = renamed(d.Oftype, name)
	}
	return &g
}
