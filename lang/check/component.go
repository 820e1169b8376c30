package check

import (
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

func (c *checker) component(src *lang.Component) *component {
	return &component{checker: c, src: src, scope: newSymbols(nil), labels: labels{}, accurate: c.read[src], unread: map[string]bool{}}
}

// declareAll declares the sets or constants names.
func (k *component) declareAll(names []lang.Name, kind symbolKind) {
	for _, n := range names {
		at := k.at(n.Span, n.Text)
		if !k.identifier(n, at) {
			continue
		}
		s := &symbol{name: n.Text, kind: kind, at: at, origin: k.origin("", n, n.Doc)}
		if kind == carrierSet {
			s.typ = k.bank.PowType(k.bank.GivenType(n.Text))
		}
		k.declare(k.scope, s)
	}
}

// settle reports the own identifiers of s of the given kind without a type, and
// returns the others that are sound.
func (k *component) settle(s *symbols, kind symbolKind) []model.Ident {
	var out []model.Ident
	for _, symbol := range s.order {
		if symbol.kind != kind || symbol.from != "" {
			continue
		}
		if symbol.typ == logic.NoType {
			k.found.untyped(symbol)
			k.found.follows(k.unread[symbol.name] || k.garbled)
			symbol.faulty = true
		} else if !symbol.faulty {
			out = append(out, k.ident(symbol))
		}
		symbol.settled = true
	}
	return out
}

func (k *component) ident(x *symbol) model.Ident {
	return model.Ident{Name: x.name, Term: identifier(k.bank, x.name, x.typ), Origin: x.origin}
}

// declared is the visibility of all that is declared and has no fault.
func (k *component) declared(s *symbols) func(place, string) *symbol {
	return func(at place, name string) *symbol {
		x := s.find(name)
		switch {
		case x == nil:
			k.found.undeclared(at, name, k.meant(s, name))
			k.found.follows(k.again("undeclared", at.span.File, name))
			return nil
		case x.faulty:
			k.found.faultyDeclaration(at, name, x.at)
			return nil
		}
		return x
	}
}

// inScope stores an inferred type in the scope s.
func inScope(s *symbols) func(place, Typing) bool {
	return func(at place, t Typing) bool {
		x := s.find(t.Name)
		x.typ, x.typed = t.Type, at.span
		return true
	}
}

// parsed reports the syntax errors of src, and whether a formula has come of
// it. The errors of text files are reported where these are read.
func (k *component) parsed(src *lang.Source, formula bool, at place) bool {
	for _, p := range src.Problems {
		k.found.syntax(place{diag.Span{From: p.From, To: p.To}, at.element}, p)
	}
	k.garbled = k.garbled || !formula
	return formula
}

// dubious warns about what is legal but probably a mistake in a formula with the names n.
func (k *component) dubious(n *names, s *symbols, at place) {
	for _, span := range n.implications {
		k.found.implicationInExistential(place{span, at.element})
	}
	for _, name := range n.declared {
		if symbol := s.find(name.Text); symbol != nil || n.seen[name.Text] {
			k.found.hidesFree(place{name.Span, at.element}, name.Text)
		}
	}
	for _, name := range n.rebound {
		k.found.rebound(place{name.Span, at.element}, name.Text)
	}
}

// allVisible reports whether r allows all the names n.
func (k *component) allVisible(n *names, r rule, at place) bool {
	ok := true
	for _, f := range n.free {
		if r.visible(place{f.Span, at.element}, f.Text) == nil {
			ok = false
		}
	}
	return ok
}

func (k *component) typing(r rule, at place) *typing {
	lookup := r.lookup
	if lookup == nil {
		lookup = r.scope.lookup
	}
	t := newTyping(k.bank, lookup, at.element)
	t.again = k.again
	t.typed = func(name string) diag.Span {
		if symbol := r.scope.find(name); symbol != nil {
			return symbol.typed
		}
		return diag.Span{}
	}
	return t
}

// inferred passes on what t has inferred, and reports whether all of it is allowed.
func (k *component) inferred(t *typing, r rule, at place) bool {
	ok := true
	for _, x := range t.inferred() {
		if r.infer == nil {
			k.found.untypedIdentifier(at, x.Name)
			ok = false
		} else if !r.infer(at, x) {
			ok = false
		}
	}
	return ok
}

// locate moves the problems from number first on, as far as their spans count
// from the beginning of the formula src, to where that stands in its file.
func (k *component) locate(first int, src *lang.Source) {
	for i := range k.found[first:] {
		if d := &k.found[first+i]; d.Span.File == "" {
			d.Span = within(src, d.Span.From, d.Span.To)
		}
	}
}

// within is the span of bytes from to to of the text of src. If the file
// spells the text in another way, as XML does with <, it is the span of src.
func within(src *lang.Source, from, to int) diag.Span {
	span := src.Span
	if from < 0 || to > len(src.Text) || from > to || span.To-span.From != len(src.Text) {
		return span
	}
	before := src.Text[:from]
	if n := strings.Count(before, "\n"); span.Line > 0 && n > 0 {
		span.Line += n
		span.Col = 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
	} else if span.Col > 0 {
		span.Col += utf8.RuneCountInString(before)
	}
	span.From, span.To = span.From+from, span.From+to
	return span
}

// formula checks a predicate or expression by r. l is nil if its label is bad,
// and then there is no term; the formula is read nevertheless.
func (k *component) formula(src *lang.Source, f *lang.Formula, l *label, r rule, at place) (logic.Term, bool) {
	defer k.locate(len(k.found), src)
	if !k.parsed(src, f != nil, at) {
		return 0, false
	}
	n := namesOf(f)
	k.dubious(n, r.scope, at)
	var term logic.Term
	ok := l != nil && k.allVisible(n, r, at)
	if ok {
		t := k.typing(r, at)
		term, ok = t.formula(f)
		k.report(t)
		ok = ok && k.inferred(t, r, at)
	}
	for _, name := range n.free {
		k.unread[name.Text] = k.unread[name.Text] || !ok
	}
	return term, ok
}

// report takes over what was found in a formula. A type that does not follow may have
// been given by what could not be read.
func (k *component) report(t *typing) {
	for _, problem := range t.problems() {
		problem.Follows = problem.Follows || problem.Code == "GR0101" && k.garbled
		k.found = append(k.found, problem)
	}
}

// predicates checks the predicates of c and returns those that are right.
func (k *component) predicates(c clause) []*model.Predicate {
	var out []*model.Predicate
	names := k.labelNames(c.kind, c.used, len(c.predicates), func(i int) lang.Name { return c.predicates[i].Label })
	for i, predicate := range c.predicates {
		at := k.at(predicate.Source.Span, c.event, names[i].Text)
		label := k.label(c.used, c.kind, names[i], place{names[i].Span, at.element})
		var term logic.Term
		ok := !predicate.Source.Absent
		if ok {
			term, ok = k.formula(&predicate.Source, predicate.Formula, label, c.rule(predicate), at)
		} else {
			k.found.predicateUndef(at)
		}
		if ok {
			origin := k.origin(c.event, names[i], predicate.Doc)
			out = append(out, &model.Predicate{Label: label.text, Theorem: predicate.Theorem, Term: term, Origin: origin})
		} else {
			c.drop()
		}
		// The label is settled whether or not its formula is right, so that a second one of the same
		// name is still found.
		if label != nil {
			label.settled = true
			label.faulty = label.faulty || !ok
		}
	}
	return out
}
