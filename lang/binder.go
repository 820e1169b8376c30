package lang

import (
	"fmt"

	"github.com/gradine/gradine/lang/internal/scan"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/notation"
)

// declarations reads x, y⦂T.
func (g *grouper) declarations() []Decl {
	var decls []Decl
	for {
		decls = append(decls, g.declaration())
		if !g.is(scan.Comma) {
			return decls
		}
		g.take()
	}
}

// declaration reads the name that a quantifier binds, with its type if one follows.
func (g *grouper) declaration() Decl {
	tok := g.next()
	if tok.Kind != scan.Name {
		help := ""
		if tok.Kind == scan.Sign && tok.Sign == scan.LeftParen {
			help = "the names after a quantifier are written without parentheses: ∀x,y·…"
		}
		// A reserved word has a message of its own: "found dom" alone would not say why it cannot be a
		// name.
		switch _, isWord := scan.Word(g.text(tok)); {
		case isWord && tok.Kind == scan.Sign:
			g.fail(codeReserved, tok, "use another name", "%s is %s, so it cannot be a name", g.text(tok), wordMeaning(g.text(tok)))
			return Decl{}
		case g.at > 0 && help == "":
			help = g.foreignAt(tok)
		}
		g.fail(codeWantName, tok, help, "expected a name, found %s", g.describe(tok))
		return Decl{}
	}
	g.take()
	decl := Decl{Name: scan.Unquote(g.text(tok))}
	if g.is(notation.OfType) {
		g.take()
		decl.Oftype = g.typeExpr()
	}
	decl.Span = g.span(tok.From, g.lastEnd())
	return decl
}

// typeExpr reads the type behind ⦂.
func (g *grouper) typeExpr() *Formula {
	p := g.operand(notation.OfType)
	g.want(p, false, "type")
	if !g.failed && !isType(p.f) {
		g.failAt(codeWantType, p.from, p.to, "a type is built from ℤ, BOOL, carrier sets, ℙ, × and ↔", "‘%s’ is not a type", g.excerpt(p.from, p.to))
	}
	return p.f
}

// isType reports whether f is a type expression.
func isType(f *Formula) bool {
	switch f.Op {
	case logic.Integer, logic.Bool, logic.Free:
		return true
	case logic.Pow, logic.CProd, logic.Rel:
		for _, a := range f.Args {
			if !isType(a) {
				return false
			}
		}
		return true
	}
	return false
}

// ofType reads ⦂ and the type of a generic atom.
func (g *grouper) ofType(left part) part {
	tok := g.take()
	if !left.f.Op.IsGeneric() {
		g.fail(codeOfType, tok, "delete the annotation; only ∅, id, prj1, prj2 and declared names can have a type", "⦂ is not allowed here")
		return left
	}
	from := g.next().From
	left.f.Oftype = g.typeExpr()
	if shape, ok := genericShape(left.f); !g.failed && !ok {
		g.report(codeGenericType, from, g.lastEnd(), "", "the type of %s must have the form %s", spell(left.f.Op), shape)
	}
	left.f.Span = g.span(left.from, g.lastEnd())
	left.head, left.closed, left.to = notation.OfType, false, g.lastEnd()
	left.depth++
	return left
}

// genericShape is the form that the type of a generic atom must have, and
// whether it has it.
func genericShape(f *Formula) (string, bool) {
	a, b := relationType(f.Oftype)
	switch f.Op {
	case logic.Id:
		return "ℙ(α×α)", a != nil && sameType(a, b)
	case logic.Prj1:
		return "ℙ(α×β×α)", a != nil && a.Op == logic.CProd && sameType(a.Args[0], b)
	case logic.Prj2:
		return "ℙ(α×β×β)", a != nil && a.Op == logic.CProd && sameType(a.Args[1], b)
	}
	return "ℙ(α)", f.Oftype.Op == logic.Pow || f.Oftype.Op == logic.Rel
}

// relationType returns α and β of ℙ(α×β), or nil.
func relationType(t *Formula) (a, b *Formula) {
	if t.Op == logic.Pow && t.Args[0].Op == logic.CProd {
		t = t.Args[0]
	} else if t.Op != logic.Rel {
		return nil, nil
	}
	return t.Args[0], t.Args[1]
}

func sameType(s, t *Formula) bool { return TypeText(s) == TypeText(t) }

// binder makes the node of a binder, which ends at the last token.
func (g *grouper) binder(op, head logic.Op, form logic.Form, t scan.Token, decls []Decl, args ...part) part {
	p := g.build(op, t.From, args...)
	p.head = head
	p.f.Form, p.f.Decls = form, decls
	return p
}

// quantified reads ∀x·P and ∃x·P.
func (g *grouper) quantified(t scan.Token) part {
	decls := g.declarations()
	if g.is(logic.In) {
		joined := map[logic.Op]string{logic.Forall: "⇒", logic.Exists: "∧"}[t.Sign]
		g.fail(codeExpected, g.next(), fmt.Sprintf("write %s%s·%[2]s ∈ … %s …", g.text(t), decls[len(decls)-1].Name, joined), "a quantifier declares only names; state the set in the body")
	}
	g.expect(scan.Dot, "the names of "+g.text(t))
	body := g.body(true, "body of "+g.text(t))
	return g.binder(t.Sign, t.Sign, logic.Explicit, t, decls, body)
}

// body reads what stands behind · or ∣, as far as it reaches.
func (g *grouper) body(predicate bool, role string) part {
	p := g.operand(logic.Invalid)
	g.want(p, predicate, role)
	return p
}

// lambda reads λp·P∣E.
func (g *grouper) lambda(tok scan.Token) part {
	var decls []Decl
	seen := map[string]bool{}
	pattern := g.pattern(&decls, seen, 0)
	g.expect(scan.Dot, "the pattern of λ")
	pred := g.body(true, "condition of λ")
	g.expect(scan.SuchThat, "the condition of λ")
	value := g.body(false, "value of λ")
	pair := part{
		f:     &Formula{Op: logic.Maplet, Args: []*Formula{pattern.f, value.f}, Span: g.span(pattern.from, value.to)},
		depth: max(pattern.depth, value.depth) + 1,
	}
	return g.binder(logic.Compr, notation.Lambda, logic.Lambda, tok, decls, pred, pair)
}

// pattern reads the names of a λ, joined by ↦.
func (g *grouper) pattern(decls *[]Decl, seen map[string]bool, level int) part {
	p := g.patternAtom(decls, seen, level)
	for g.is(logic.Maplet) {
		g.take()
		right := g.patternAtom(decls, seen, level)
		p = g.build(logic.Maplet, p.from, p, right)
		if p.depth > MaxNesting {
			g.fail(codeNesting, g.next(), "use fewer levels", "pattern nested deeper than %d levels", MaxNesting)
		}
	}
	return p
}

// patternAtom reads a part of a pattern behind λ: a name with its type, or a pattern in parentheses.
func (g *grouper) patternAtom(decls *[]Decl, seen map[string]bool, level int) part {
	tok := g.next()
	if g.is(scan.LeftParen) && level < MaxNesting {
		g.take()
		p := g.pattern(decls, seen, level+1)
		g.closeBracket(scan.RightParen, tok)
		p.from, p.to = tok.From, g.lastEnd()
		return p
	}
	decl := g.declaration()
	if g.failed {
		return g.missing(tok)
	}
	if seen[decl.Name] {
		g.report(codeDuplicateName, decl.Span.From, decl.Span.To, "rename one occurrence, and state in the predicate that the two names are equal", "name %s occurs twice in the pattern of λ", decl.Name)
	}
	seen[decl.Name] = true
	*decls = append(*decls, decl)
	p := g.leaf(logic.Free, tok, decl.Name)
	p.to = g.lastEnd()
	return p
}

// quantifiedSet reads ⋃x·P∣E and ⋃E∣P.
func (g *grouper) quantifiedSet(t scan.Token) part {
	if g.declaresNames() {
		return g.explicit(t, t.Sign)
	}
	return g.implicit(t, t.Sign)
}

// declaresNames reports whether a list of declarations comes next. Parentheses
// around its first name are taken for a slip: the error message is better.
func (g *grouper) declaresNames() bool {
	at := g.at
	sees := func(op logic.Op) bool { return g.tokens[at].Kind == scan.Sign && g.tokens[at].Sign == op }
	if sees(scan.LeftParen) {
		at++
	}
	if g.tokens[at].Kind != scan.Name {
		return false
	}
	at++
	if sees(scan.RightParen) {
		at++
	}
	return sees(scan.Comma) || sees(scan.Dot) || sees(notation.OfType)
}

// explicit reads x·P∣E of op.
func (g *grouper) explicit(t scan.Token, op logic.Op) part {
	decls := g.declarations()
	g.expect(scan.Dot, "the names of "+binderName(op))
	pred := g.body(true, "condition of "+binderName(op))
	g.expect(scan.SuchThat, "the condition of "+binderName(op))
	value := g.body(false, "value of "+binderName(op))
	return g.binder(op, op, logic.Explicit, t, decls, pred, value)
}

// implicit reads E∣P of op: the free identifiers of E are bound.
func (g *grouper) implicit(t scan.Token, op logic.Op) part {
	value := g.body(false, "value of "+binderName(op))
	g.expect(scan.SuchThat, "the expression of "+binderName(op))
	decls := boundBy(value.f)
	if len(decls) == 0 {
		g.failAt(codeNotBinding, value.from, value.to, fmt.Sprintf("declare the names, as in %sx · P ∣ E", spell(op)), "‘%s’ binds no identifier", g.excerpt(value.from, value.to))
	}
	pred := g.body(true, "condition of "+binderName(op))
	return g.binder(op, op, logic.Implicit, t, decls, pred, value)
}

func binderName(op logic.Op) string {
	if op == logic.Compr {
		return "a set comprehension"
	}
	return spell(op)
}

// boundBy lists the free identifiers of e, in order of first occurrence.
func boundBy(e *Formula) []Decl {
	var decls []Decl
	seen := map[string]bool{}
	freeNames(e, nil, func(f *Formula) {
		if !seen[f.Name] {
			seen[f.Name] = true
			decls = append(decls, Decl{Name: f.Name, Span: f.Span})
		}
	})
	return decls
}

// Free calls visit with the name of each free identifier of f outside types, from left to
// right.
func (f *Formula) Free(visit func(name string)) {
	freeNames(f, nil, func(x *Formula) { visit(x.Name) })
}

// braces reads a set: enumerated, or by comprehension.
func (g *grouper) braces(open scan.Token) part {
	var p part
	switch {
	case !g.isComprehension():
		p = g.enumeration(open)
	case g.declaresNames():
		p = g.explicit(open, logic.Compr)
	default:
		p = g.implicit(open, logic.Compr)
	}
	g.closeBracket(scan.RightBrace, open)
	p.closed = true
	p.to = g.lastEnd()
	p.f.Span.To = p.to
	return p
}

func (g *grouper) enumeration(open scan.Token) part {
	var parts []part
	for !g.failed && !(g.is(scan.RightBrace) && len(parts) == 0) {
		p := g.operand(logic.Invalid)
		g.want(p, false, "member of a set")
		parts = append(parts, p)
		if !g.is(scan.Comma) {
			break
		}
		g.take()
	}
	return g.build(logic.SetExt, open.From, parts...)
}

// isComprehension reports whether a ∣ that belongs to no inner λ, ⋃ or ⋂ comes
// before the brace is closed.
func (g *grouper) isComprehension() bool {
	level, inner := 0, 0
	for _, tok := range g.tokens[g.at:] {
		if tok.Kind == scan.End {
			return false
		}
		if tok.Kind != scan.Sign {
			continue
		}
		switch tok.Sign {
		case scan.LeftBrace, scan.LeftParen:
			level++
		case scan.RightBrace, scan.RightParen:
			if level--; level < 0 {
				return false
			}
		case notation.Lambda, logic.QUnion, logic.QInter:
			// What stands in inner braces has bars of its own.
			if level == 0 {
				inner++
			}
		case scan.SuchThat:
			if level == 0 {
				if inner--; inner < 0 {
					return true
				}
			}
		}
	}
	return false
}
