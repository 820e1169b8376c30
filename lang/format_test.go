package lang

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang/internal/scan"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/notation"
	"pgregory.net/rapid"
)

var allOptions = []Options{{}, {ASCII: true}, {Width: 30}, {ASCII: true, Width: 50}}

// checkFormat checks that Format is idempotent on f, and that Parse reads f back.
func checkFormat(t interface {
	Helper()
	Fatalf(string, ...any)
}, f *File, same cmp.Options) {
	t.Helper()
	for _, o := range allOptions {
		text := Format(f, o)
		var diags diag.List
		again := Parse("test.eventb", text, &diags)
		if diags.Len() > 0 {
			t.Fatalf("%+v: %v in\n%s", o, diags.Sorted()[0], text)
		}
		if diff := cmp.Diff(f, again, same); diff != "" {
			t.Fatalf("%+v: reads back differently:\n%s\nfrom\n%s", o, diff, text)
		}
		if twice := Format(again, o); string(twice) != string(text) {
			t.Fatalf("%+v: not idempotent: %s", o, cmp.Diff(string(text), string(twice)))
		}
	}
}

func TestFormatSamples(t *testing.T) {
	for _, name := range []string{"camille.eventb", "camillex.bumx", "rossi.eventb", "comments.eventb"} {
		checkFormat(t, mustParse(t, read(t, name)), sameWithoutDocs)
	}
}

func TestFormatGolden(t *testing.T) {
	for _, c := range []struct {
		name, golden string
		o            Options
	}{
		{"comments.eventb", "comments.golden", Options{}},
		{"camille.eventb", "camille.ascii.golden", Options{ASCII: true, Width: 60}},
		{"long.eventb", "long.golden", Options{Width: 60}},
	} {
		got := string(Format(mustParse(t, read(t, c.name)), c.o))
		if want := read(t, c.golden); got != want {
			t.Errorf("%s: %s\n%s", c.name, cmp.Diff(want, got), got)
		}
	}
}

// A source makes random syntax trees that are well formed.
type source struct{ *rapid.T }

func (s source) pick(n int) int { return rapid.IntRange(0, n-1).Draw(s.T, "pick") }

func (s source) name() string {
	return rapid.SampledFrom([]string{
		"x", "y", "z", "S", "f", "x'", "été", "or", "end", "Sets", "event", "status", "NAT", "card", "a b", "x`y", "a-b", "θ_1", "", "\"", "//", "skip", " x", "x\n",
	}).Draw(s.T, "name")
}

func (s source) names(most int) []Name {
	var list []Name
	for range s.pick(most + 1) {
		list = append(list, Name{Text: s.name(), Doc: s.doc()})
	}
	return list
}

func (s source) doc() string {
	if s.pick(4) > 0 {
		return ""
	}
	return rapid.SampledFrom([]string{"one line", " odd // */ `", "two\nlines", "an empty\n\nline\n", "\n", "tail "}).Draw(s.T, "doc")
}

func (s source) predicate(depth int) *Formula {
	if depth == 0 {
		return &Formula{Op: rapid.SampledFrom([]logic.Op{logic.True, logic.False}).Draw(s.T, "atom")}
	}
	depth--
	switch s.pick(8) {
	case 0:
		return s.node(depth, logic.Not, s.predicate)
	case 1:
		return s.node(depth, rapid.SampledFrom([]logic.Op{logic.And, logic.Or, logic.Implies, logic.Iff}).Draw(s.T, "op"), s.predicate)
	case 2:
		f := s.node(depth, rapid.SampledFrom([]logic.Op{logic.Forall, logic.Exists}).Draw(s.T, "op"), s.predicate)
		f.Decls = s.decls(depth)
		return f
	case 3:
		return s.node(depth, rapid.SampledFrom([]logic.Op{logic.Finite, logic.Partition}).Draw(s.T, "op"), s.expression)
	case 4:
		return &Formula{Op: PredVar, Name: "P"}
	}
	return s.node(depth, logic.Op(rapid.IntRange(int(logic.Eq), int(logic.NotSubsetEq)).Draw(s.T, "op")), s.expression)
}

// node makes a node of op with as many arguments as it takes.
func (s source) node(depth int, op logic.Op, arg func(int) *Formula) *Formula {
	n := 2
	switch notation.Of(op).Shape {
	case notation.Prefix, notation.Postfix, notation.Call:
		n = 1
	case notation.Binder:
		n = 1
	case notation.Braces:
		n = s.pick(3)
	}
	if op.IsAssociative() {
		n += s.pick(2)
	}
	if op == logic.Partition {
		n += s.pick(3)
	}
	f := &Formula{Op: op}
	for range n {
		f.Args = append(f.Args, arg(depth))
	}
	return f
}

func (s source) decls(depth int) []Decl {
	var list []Decl
	for range 1 + s.pick(3) {
		list = append(list, Decl{Name: s.name(), Oftype: s.optionalType(depth)})
	}
	return list
}

func (s source) optionalType(depth int) *Formula {
	if s.pick(2) == 0 {
		return nil
	}
	return s.typeExpr(depth)
}

func (s source) typeExpr(depth int) *Formula {
	if depth == 0 || s.pick(3) == 0 {
		return rapid.SampledFrom([]*Formula{{Op: logic.Integer}, {Op: logic.Bool}, {Op: logic.Free, Name: "S"}}).Draw(s.T, "type")
	}
	return s.node(depth-1, rapid.SampledFrom([]logic.Op{logic.Pow, logic.CProd, logic.Rel}).Draw(s.T, "op"), s.typeExpr)
}

func (s source) expression(depth int) *Formula {
	if depth == 0 {
		return s.atom()
	}
	depth--
	switch s.pick(9) {
	case 0:
		return s.atom()
	case 1:
		return s.node(depth, logic.BoolOf, s.predicate)
	case 2:
		return s.binder(depth)
	case 3:
		return &Formula{Op: logic.Empty, Oftype: s.node(depth, logic.Pow, s.typeExpr)}
	case 4:
		return s.node(depth, logic.SetExt, s.expression)
	case 5:
		return s.node(depth, logic.Op(rapid.IntRange(int(logic.Card), int(logic.Max)).Draw(s.T, "op")), s.expression)
	}
	return s.node(depth, logic.Op(rapid.IntRange(int(logic.Maplet), int(logic.Exp)).Draw(s.T, "op")), s.expression)
}

func (s source) atom() *Formula {
	switch s.pick(3) {
	case 0:
		return &Formula{Op: logic.Op(rapid.IntRange(int(logic.Integer), int(logic.Succ)).Draw(s.T, "atom"))}
	case 1:
		return &Formula{Op: logic.Int, Name: fmt.Sprint(rapid.IntRange(-3, 12).Draw(s.T, "number"))}
	}
	return &Formula{Op: logic.Free, Name: s.name()}
}

func (s source) binder(depth int) *Formula {
	f := &Formula{Op: rapid.SampledFrom([]logic.Op{logic.Compr, logic.QUnion, logic.QInter}).Draw(s.T, "op"), Form: logic.Form(s.pick(2))}
	f.Args = []*Formula{s.predicate(depth), s.expression(depth)}
	if s.pick(3) == 0 {
		f.Op, f.Form = logic.Compr, logic.Lambda
		pattern := s.pattern(&f.Decls, depth)
		f.Args[1] = &Formula{Op: logic.Maplet, Args: []*Formula{pattern, f.Args[1]}}
		return f
	}
	if f.Decls = boundBy(f.Args[1]); f.Form == logic.Explicit || len(f.Decls) == 0 {
		f.Form, f.Decls = logic.Explicit, s.decls(depth)
	}
	return f
}

func (s source) pattern(decls *[]Decl, depth int) *Formula {
	if depth > 0 && s.pick(2) == 0 {
		return &Formula{Op: logic.Maplet, Args: []*Formula{s.pattern(decls, depth-1), s.pattern(decls, depth-1)}}
	}
	d := Decl{Name: fmt.Sprintf("v%d", len(*decls)), Oftype: s.optionalType(1)}
	*decls = append(*decls, d)
	return &Formula{Op: logic.Free, Name: d.Name}
}

func (s source) label() Name {
	return Name{Text: rapid.SampledFrom([]string{"inv1", "a b", "x'", "SAF-1.2\"", "end", "x`y", "", "a:b", "@"}).Draw(s.T, "label")}
}

func (s source) predicates() []*Predicate {
	var list []*Predicate
	for i := range s.pick(4) {
		p := &Predicate{Label: s.label(), Theorem: s.pick(3) == 0, Formula: s.predicate(s.pick(4)), Doc: s.doc()}
		if s.pick(4) == 0 && (i == 0 || p.Theorem) {
			p.Label = Name{Absent: true}
		}
		list = append(list, p)
	}
	return list
}

func (s source) assignment() *Assignment {
	left := []*Formula{{Op: logic.Free, Name: s.name()}}
	switch s.pick(5) {
	case 0:
		return &Assignment{Kind: Skip}
	case 1:
		return &Assignment{Kind: BecomesIn, Left: left, Right: []*Formula{s.expression(2)}}
	case 2:
		left = append(left, &Formula{Op: logic.Free, Name: s.name()})
		return &Assignment{Kind: BecomesSuch, Left: left, Right: []*Formula{s.predicate(2)}}
	case 3:
		return &Assignment{Update: true, Left: left, Index: s.expression(2), Right: []*Formula{s.expression(2)}}
	}
	left = append(left, &Formula{Op: logic.Free, Name: s.name()})
	return &Assignment{Left: left, Right: []*Formula{s.expression(2), s.expression(2)}}
}

func (s source) event() *Event {
	e := &Event{Label: Name{Text: s.name()}, Convergence: Convergence(s.pick(3)), Extended: s.pick(2) == 0, Doc: s.doc()}
	e.Refines, e.Parameters = s.names(2), s.names(3)
	e.Guards, e.Witnesses = s.predicates(), s.predicates()
	for range s.pick(3) {
		e.Actions = append(e.Actions, &Action{Label: s.label(), Assignment: s.assignment(), Doc: s.doc()})
	}
	return e
}

func (s source) component() *Component {
	c := &Component{Kind: Kind(s.pick(2)), Name: Name{Text: s.name()}, Doc: s.doc()}
	if c.Kind == ContextKind {
		c.Extends, c.Sets, c.Constants, c.Axioms = s.names(2), s.names(3), s.names(3), s.predicates()
		return c
	}
	c.Refines, c.Sees, c.Variables, c.Invariants = s.names(2), s.names(2), s.names(5), s.predicates()
	for i := range s.pick(3) {
		c.Variants = append(c.Variants, &Variant{Label: Name{Text: []string{"vrn", "other"}[i]}, Formula: s.expression(2), Doc: s.doc()})
	}
	for range s.pick(3) {
		c.Events = append(c.Events, s.event())
	}
	return c
}

func TestParseAndFormatAreInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := source{t}
		f := &File{Complete: true}
		for range 1 + s.pick(2) {
			f.Components = append(f.Components, s.component())
		}
		checkFormat(t, f, sameFile)
	})
}

// checkParenthesised checks that the fully parenthesised text of f reads as f.
func checkParenthesised(t interface{ Fatalf(string, ...any) }, f *Formula) {
	text := FullyParenthesised(f)
	parse := ParseExpression
	if isPredicate(f) {
		parse = ParsePredicate
	}
	again, problems := parse(text, scan.Stored)
	if problems != nil {
		t.Fatalf("%s: %v", text, problems)
	}
	if twice := FullyParenthesised(again); twice != text {
		t.Fatalf("%s reads as %s", text, twice)
	}
}

func FuzzFormat(f *testing.F) {
	for _, name := range []string{"camille.eventb", "camillex.bumx", "rossi.eventb", "comments.eventb", "errors.eventb"} {
		f.Add(read(f, name))
	}
	f.Add("context C axioms @a {x·x>0∣x}=f(λx↦y·⊤∣1)[S] /* c */ ∧ ¬1=2 end")
	f.Fuzz(func(t *testing.T, src string) {
		var diags diag.List
		file := Parse("fuzz", []byte(src), &diags)
		if diags.Len() > 0 || len(src) > 4096 {
			return
		}
		for _, o := range allOptions {
			text := Format(file, o)
			again := Parse("fuzz", text, &diags)
			if diags.Len() > 0 {
				t.Fatalf("%v in\n%s\nfrom\n%s", diags.Sorted()[0], text, src)
			}
			if diff := cmp.Diff(file, again, sameWithoutDocs); diff != "" {
				t.Fatalf("reads back differently:\n%s", diff)
			}
			third := Format(again, o)
			if fourth := Format(Parse("fuzz", third, &diags), o); string(third) != string(fourth) {
				t.Fatalf("not idempotent:\n%s", cmp.Diff(string(third), string(fourth)))
			}
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"camille.eventb", "errors.eventb", "comments.eventb"} {
		f.Add(read(f, name))
	}
	f.Fuzz(func(t *testing.T, src string) {
		var diags diag.List
		file := Parse("fuzz", []byte(src), &diags)
		if len(file.Components) == 0 && diags.Len() == 0 && strings.Trim(src, " \n\t\r") != "" && len(file.Comments) == 0 && !strings.ContainsFunc(src, scan.IsBlank) {
			t.Fatalf("%q: nothing read, nothing said", src)
		}
		for _, d := range diags.Sorted() {
			if d.Span.From < 0 || d.Span.To > len(src) || d.Span.From > d.Span.To {
				t.Fatalf("%v has span %v", d, d.Span)
			}
		}
	})
}

func FuzzFormula(f *testing.F) {
	for _, text := range []string{
		"∀x,y⦂ℤ·x∈{1}∧y=−1⇒x+y>0", "{x∣x∈S∖{1}}=f[{2}]∪(λx↦y·⊤∣x)∼", "partition(S,{a},{b})", "∅⦂ℙ(ℤ)=id(x)", "a := b", "!x.x:NAT1 & x /= 2 or $P",
	} {
		f.Add(text, false)
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, stored bool) {
		d := scan.Text
		if stored {
			d = scan.Stored
		}
		for _, parse := range []func(string, scan.Dialect) (*Formula, []Problem){ParsePredicate, ParseExpression} {
			f, problems := parse(text, d)
			if (f == nil) != (len(problems) > 0) {
				t.Fatalf("%q: %v, %v", text, f, problems)
			}
			if f == nil {
				continue
			}
			plain := true // quoted names may hold anything, types are not printed
			walk(f, func(f *Formula) bool {
				plain = plain && f.Oftype == nil && (f.Op != logic.Free || isStored(f.Name))
				for _, d := range f.Decls {
					plain = plain && isStored(d.Name)
				}
				return true
			})
			if plain {
				checkParenthesised(t, f)
			}
		}
		ParseAssignment(text, d)
		ParseType(text, d)
	})
}

func isStored(word string) bool {
	tokens := scan.All(word, scan.Stored)
	return len(tokens) == 2 && tokens[0].Kind == scan.Name && tokens[0].From == 0 && tokens[0].To == len(word)
}

// walk visits f and the formulas below it, types included, parents first. It does
// not go below a formula for which visit returns false.
func walk(f *Formula, visit func(*Formula) bool) {
	if f == nil || !visit(f) {
		return
	}
	walk(f.Oftype, visit)
	for _, d := range f.Decls {
		walk(d.Oftype, visit)
	}
	for _, a := range f.Args {
		walk(a, visit)
	}
}

// TestFormatTwice: what is formatted stays as it is, comments of several lines inside a formula too, and their lines keep
// their distance from each other.
func TestFormatTwice(t *testing.T) {
	for _, formula := range []string{"k /* x\n     more */ = 1", "k\n  /* a\n\tb\n\t    c\n\n   */ = /* d\n e */ 1", "k /* one\ntwo */ = 1"} {
		text := []byte("context c\nconstants k\naxioms\n    @a " + formula + "\nend\n")
		var once []byte
		for range 3 {
			var problems diag.List
			file := Parse("c.eventb", text, &problems)
			if problems.HasErrors() {
				t.Fatal(problems.Sorted())
			}
			text = Format(file, Options{})
			if once == nil {
				once = text
			}
			if !bytes.Equal(once, text) {
				t.Errorf("formatted once\n%s\nand again\n%s", once, text)
			}
		}
	}
}
