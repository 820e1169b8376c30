package lang

import (
	"fmt"
	"strings"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/notation"
)

// FullyParenthesised is the text of f in Rodin's stored spelling with every
// operand in the open in parentheses. It leaves types out.
func FullyParenthesised(f *Formula) string {
	var p parenPrinter
	p.formula(f)
	return p.String()
}

// FullyParenthesised is the text of a, as that of formulas. A function update is
// written as the override that it means.
func (a *Assignment) FullyParenthesised() string {
	if a.Kind == Skip {
		return "skip"
	}
	var p parenPrinter
	p.list(a.Left, ",")
	switch a.Kind {
	case BecomesEqual:
		p.WriteString(" ≔ ")
		if a.Update {
			pair := &Formula{Op: logic.SetExt, Args: []*Formula{{Op: logic.Maplet, Args: []*Formula{a.Index, a.Right[0]}}}}
			p.formula(&Formula{Op: logic.Ovr, Args: []*Formula{a.Left[0], pair}})
			break
		}
		p.list(a.Right, ", ")
	case BecomesIn:
		p.WriteString(" :∈ ")
		p.formula(a.Right[0])
	case BecomesSuch:
		p.WriteString(" :∣ ")
		p.formula(a.Right[0])
	}
	return p.String()
}

type parenPrinter struct {
	strings.Builder
	renamed map[string]string // bound names that had to give way
}

func (p *parenPrinter) list(fs []*Formula, separator string) {
	for i, f := range fs {
		if i > 0 {
			p.WriteString(separator)
		}
		p.formula(f)
	}
}

func (p *parenPrinter) enclosed(f *Formula) {
	p.WriteByte('(')
	p.formula(f)
	p.WriteByte(')')
}

// formula writes a formula with all its parentheses.
func (p *parenPrinter) formula(f *Formula) {
	switch f.Op {
	case logic.Free:
		if other, ok := p.renamed[f.Name]; ok {
			p.WriteString(other)
			return
		}
		p.WriteString(f.Name)
		return
	case logic.Int:
		p.WriteString(strings.Replace(f.Name, "-", "−", 1))
		return
	case PredVar:
		p.WriteString("$" + f.Name)
		return
	}
	if f.Decls != nil {
		p.binder(f)
		return
	}
	// Only operands in the open get parentheses, as in Rodin's own form of this name:
	// between brackets nothing could be read in two ways.
	e := notation.Of(f.Op)
	switch e.Shape {
	case notation.Atom:
		p.WriteString(e.Unicode)
	case notation.Call:
		p.WriteString(e.Unicode + "(")
		p.list(f.Args, ",")
		p.WriteByte(')')
	case notation.Braces:
		p.WriteByte('{')
		p.list(f.Args, ",")
		p.WriteByte('}')
	case notation.Prefix:
		p.WriteString(e.Unicode)
		p.enclosed(f.Args[0])
	case notation.Postfix:
		p.enclosed(f.Args[0])
		p.WriteString(e.Unicode)
	case notation.Function, notation.Image:
		p.enclosed(f.Args[0])
		open, closing := "(", ")"
		if e.Shape == notation.Image {
			open, closing = "[", "]"
		}
		p.WriteString(open)
		p.formula(f.Args[1])
		p.WriteString(closing)
	case notation.Infix:
		for i, a := range f.Args {
			if i > 0 && e.Spaced {
				p.WriteString(" " + e.Unicode + " ")
			} else if i > 0 {
				p.WriteString(e.Unicode)
			}
			p.enclosed(a)
		}
	}
}

// binder writes a binder. Where a declaration list has a name twice, the later
// one, which hides the earlier one, is renamed.
func (p *parenPrinter) binder(formula *Formula) {
	names := make([]string, len(formula.Decls))
	outer := p.renamed
	defer func() { p.renamed = outer }()
	for i, decl := range formula.Decls {
		names[i] = decl.Name
	}
	if outer != nil || hasDuplicates(names) {
		p.rename(formula, names)
	}
	// The forms of a comprehension differ in what is written first: its pattern, its
	// expression, or its names.
	open, closing := "", ""
	if formula.Op == logic.Compr && formula.Form != logic.Lambda {
		open, closing = "{", "}"
	} else if formula.Op == logic.Compr {
		open = "λ"
	} else {
		open = notation.Of(formula.Op).Unicode
	}
	p.WriteString(open)
	switch {
	case formula.Op == logic.Forall || formula.Op == logic.Exists:
		p.WriteString(strings.Join(names, ",") + "·")
		p.formula(formula.Args[0])
	case formula.Form == logic.Lambda:
		p.pattern(formula.Args[1].Args[0])
		p.WriteString("·")
		p.formula(formula.Args[0])
		p.WriteString(" ∣ ")
		p.formula(formula.Args[1].Args[1])
	case formula.Form == logic.Implicit:
		p.formula(formula.Args[1])
		p.WriteString(" ∣ ")
		p.formula(formula.Args[0])
	default:
		p.WriteString(strings.Join(names, ",") + "·")
		p.formula(formula.Args[0])
		p.WriteString(" ∣ ")
		p.formula(formula.Args[1])
	}
	p.WriteString(closing)
}

func (p *parenPrinter) pattern(formula *Formula) {
	if formula.Op != logic.Maplet {
		p.formula(formula)
		return
	}
	p.pattern(formula.Args[0])
	p.WriteString(" ↦ ")
	if formula.Args[1].Op == logic.Maplet {
		p.WriteByte('(')
		defer p.WriteByte(')')
	}
	p.pattern(formula.Args[1])
}

func hasDuplicates(names []string) bool {
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n] {
			return true
		}
		seen[n] = true
	}
	return false
}

// rename gives the names of f's declarations fresh spellings where they clash
// with an earlier one or with a name that f uses from outside.
func (p *parenPrinter) rename(f *Formula, names []string) {
	inner := map[string]string{}
	used := map[string]bool{}
	freeNames(f, nil, func(x *Formula) {
		if other, ok := p.renamed[x.Name]; ok {
			used[other] = true
		} else {
			used[x.Name] = true
		}
	})
	for name, other := range p.renamed {
		inner[name] = other
	}
	for i, name := range names {
		fresh := name
		for n := 0; used[fresh]; n++ {
			fresh = fmt.Sprintf("%s%d", name, n)
		}
		used[fresh] = true
		names[i] = fresh
		inner[name] = fresh
	}
	p.renamed = inner
}

// TypeText is the canonical text of a type expression: ↔ written as ℙ(×),
// products to the left.
func TypeText(t *Formula) string {
	var b strings.Builder
	writeType(&b, t, false)
	return b.String()
}

// writeType writes a type in its one spelling. right says that it stands right of ×.
func writeType(b *strings.Builder, formula *Formula, right bool) {
	switch formula.Op {
	case logic.Pow:
		b.WriteString("ℙ(")
		writeType(b, formula.Args[0], false)
		b.WriteByte(')')
	// A↔B is ℙ(A×B) spelt differently; types have one spelling.
	case logic.Rel:
		b.WriteString("ℙ(")
		writeType(b, &Formula{Op: logic.CProd, Args: formula.Args}, false)
		b.WriteByte(')')
	case logic.CProd:
		if right {
			b.WriteByte('(')
		}
		writeType(b, formula.Args[0], false)
		b.WriteString("×")
		writeType(b, formula.Args[1], true)
		if right {
			b.WriteByte(')')
		}
	case logic.Free:
		b.WriteString(formula.Name)
	default:
		b.WriteString(notation.Of(formula.Op).Unicode)
	}
}

// freeNames calls visit on the free identifiers of f outside types, from left
// to right; bound counts the binders around them by name.
func freeNames(f *Formula, bound map[string]int, visit func(*Formula)) {
	if f.Op == logic.Free {
		if bound[f.Name] == 0 {
			visit(f)
		}
		return
	}
	if len(f.Decls) > 0 && bound == nil {
		bound = map[string]int{}
	}
	for _, decl := range f.Decls {
		bound[decl.Name]++
	}
	for _, a := range f.Args {
		freeNames(a, bound, visit)
	}
	for _, decl := range f.Decls {
		bound[decl.Name]--
	}
}
