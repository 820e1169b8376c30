// Package smtlib translates sequents to SMT-LIB 2.6, for a second opinion from SMT solvers. The
// translation is unsatisfiable if the sequent is valid. No verdict depends on it.
//
// Sets are arrays of truth values. A set expression becomes a description of its elements. A set
// in an argument position gets a name, which is a function of the enclosing bound variables. The
// kernel's membership axioms describe the elements, except for a few operators that solvers
// handle better in another form. Application, card, min and max are described where they occur,
// not for all sets. These operators, ÷, mod and ^ have unspecified values where they are not
// well-defined. Other operators are rejected.
package smtlib

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/meaning"
)

// unknown is the operator that Write has no translation for.
type unknown struct{ op logic.Op }

func (u unknown) Error() string {
	return fmt.Sprintf("smtlib: operator %s has no translation", u.op)
}

// Write writes the hypotheses of s, the well-definedness of hypotheses and goal, and the
// negated goal as assertions. It writes nothing if some operator has no translation.
func Write(out io.Writer, sequent logic.Sequent) (err error) {
	// The translation is recursive: an operator without one ends it by a panic from wherever it is met.
	defer func() {
		switch r := recover().(type) {
		case nil:
		case unknown:
			err = r
		default:
			panic(r)
		}
	}()
	sequent = sequent.Bare()
	t := &translator{b: sequent.Bank, known: map[string]bool{}, names: map[string]string{}}
	for i, hypothesis := range sequent.Hyps {
		t.assert(fmt.Sprintf("hypothesis %d: ", i+1), hypothesis, false)
		t.assert(fmt.Sprintf("well-definedness of hypothesis %d: ", i+1), sequent.Bank.Bare(sequent.Bank.D(hypothesis)), false)
	}
	t.assert("well-definedness of the goal: ", sequent.Bank.Bare(sequent.Bank.D(sequent.Goal)), false)
	t.assert("goal: ", sequent.Goal, true)
	_, err = fmt.Fprintf(out, "(set-logic ALL)\n%s%s%s(check-sat)\n", prelude, t.decls.String(), t.asserts.String())
	return err
}

const prelude = `(declare-datatypes ((Pair 2)) ((par (X Y) ((pair (fst X) (snd Y))))))
(declare-fun undiv (Int Int) Int)
(declare-fun unmod (Int Int) Int)
(define-fun quotient ((a Int) (b Int)) Int
  (ite (= b 0) (undiv a b) (ite (>= a 0) (div a b) (- (div (- a) b)))))
(define-fun remainder ((a Int) (b Int)) Int (ite (and (>= a 0) (> b 0)) (mod a b) (unmod a b)))
`

const powers = `(declare-fun power (Int Int) Int)
(assert (forall ((a Int)) (= (power a 0) 1)))
(assert (forall ((a Int) (n Int)) (=> (>= n 0) (= (power a (+ n 1)) (* a (power a n))))))`

// translator collects declarations and assertions.
type translator struct {
	b              *logic.Bank
	decls, asserts strings.Builder
	known          map[string]bool
	names          map[string]string // of set expressions, by expression and place
	scope          []variable        // bound variables, the innermost last
	made           int
}

type variable struct{ name, sort string }

func (t *translator) assert(what string, p logic.Term, negate bool) {
	if t.b.Op(p) == logic.True && !negate {
		return
	}
	f := t.formula(p)
	if negate {
		f = "(not " + f + ")"
	}
	fmt.Fprintf(&t.asserts, "; %s%s\n(assert %s)\n", what, strings.ReplaceAll(text.Options{Spaced: true}.Term(t.b, p), "\n", " "), f)
}

// once reports whether key is new.
func (t *translator) once(key string) bool {
	defer func() { t.known[key] = true }()
	return !t.known[key]
}

// declare adds a declaration and, after it, axioms.
func (t *translator) declare(format string, args ...any) { fmt.Fprintf(&t.decls, format+"\n", args...) }

// sort is the name of a type in SMT-LIB, which declares pairs when they first occur.
func (t *translator) sort(typ logic.Type) string {
	switch t.b.TypeKind(typ) {
	case logic.KindInt:
		return "Int"
	case logic.KindBool:
		return "Bool"
	case logic.KindPow:
		return "(Array " + t.sort(t.b.Elem(typ)) + " Bool)"
	case logic.KindProd:
		left, right := t.b.Pair(typ)
		name := "(Pair " + t.sort(left) + " " + t.sort(right) + ")"
		if t.once(name) {
			// Some solvers know the constructor for a sort only once the sort has been used.
			t.declare("(declare-const |some %s| %s)", strings.ReplaceAll(name, "|", "'"), name)
		}
		return name
	}
	name := "|set " + t.b.GivenName(typ) + "|"
	if t.once(name) {
		t.declare("(declare-sort %s 0)", name)
	}
	return name
}

// operator returns the name of op on sets of type typ, which is a function to the given sort of these,
// and of an argument of type arg if there is one.
func (t *translator) operator(op string, typ, arg, to logic.Type) string {
	set := t.sort(typ)
	name := "|" + op + " " + strings.ReplaceAll(set, "|", "'") + "|"
	if t.once(name) {
		if arg != logic.NoType {
			set += " " + t.sort(arg)
		}
		t.declare("(declare-fun %s (%s) %s)", name, set, t.sort(to))
	}
	return name
}

// near returns the names, sorts and declarations of the variables that e may mention.
func (t *translator) near(e logic.Term) (vars, sorts, decls []string) {
	for _, v := range t.scope[len(t.scope)-t.b.Depth(e):] {
		vars, sorts, decls = append(vars, v.name), append(sorts, v.sort), append(decls, "("+v.name+" "+v.sort+")")
	}
	return vars, sorts, decls
}

// about asserts, once, what holds of e where it stands, for all values of the variables around.
func (t *translator) about(e logic.Term, fact func() string) {
	_, sorts, decls := t.near(e)
	if !t.once(fmt.Sprint("about ", e, sorts)) {
		return
	}
	f := fact()
	if len(decls) > 0 {
		f = "(forall (" + strings.Join(decls, " ") + ") " + f + ")"
	}
	t.declare("(assert %s)", f)
}

// bind translates with new bound variables of types ts, and returns their declarations.
func (t *translator) bind(ts []logic.Type, f func(vars []string) string) (decls, body string) {
	n := len(t.scope)
	var vars, list []string
	for _, typ := range ts {
		t.made++
		v := variable{fmt.Sprintf("x%d", t.made), t.sort(typ)}
		t.scope = append(t.scope, v)
		vars = append(vars, v.name)
		list = append(list, "("+v.name+" "+v.sort+")")
	}
	body = f(vars)
	t.scope = t.scope[:n]
	return "(" + strings.Join(list, " ") + ")", body
}

// fresh is bind for variables that the formulas of the bank do not mention.
func (t *translator) fresh(q string, ts []logic.Type, f func(vars []string) string) string {
	var vars, list []string
	for _, typ := range ts {
		t.made++
		x := fmt.Sprintf("x%d", t.made)
		vars = append(vars, x)
		list = append(list, "("+x+" "+t.sort(typ)+")")
	}
	return "(" + q + " (" + strings.Join(list, " ") + ") " + f(vars) + ")"
}

func (t *translator) all(ts []logic.Term, f func(logic.Term) string) string {
	var out []string
	for _, x := range ts {
		out = append(out, f(x))
	}
	return strings.Join(out, " ")
}

var connectives = map[logic.Op]string{
	logic.Not: "not", logic.And: "and", logic.Or: "or", logic.Implies: "=>", logic.Iff: "=",
	logic.Lt: "<", logic.Le: "<=", logic.Gt: ">", logic.Ge: ">=",
	logic.Plus: "+", logic.Minus: "-", logic.Neg: "-", logic.Times: "*", logic.Div: "quotient", logic.Mod: "remainder", logic.Exp: "power",
	logic.Maplet: "pair", logic.Eq: "=", logic.Neq: "distinct",
}

func connective(op logic.Op) string {
	word, ok := connectives[op]
	if !ok {
		panic(unknown{op})
	}
	return word
}

// formula translates a predicate.
func (t *translator) formula(predicate logic.Term) string {
	bank, args := t.b, t.b.Args(predicate)
	switch op := bank.Op(predicate); op {
	case logic.True, logic.False:
		return map[bool]string{true: "true", false: "false"}[op == logic.True]
	case logic.Forall, logic.Exists:
		decls, body := t.bind(bank.Decls(predicate), func([]string) string { return t.formula(args[0]) })
		return "(" + map[bool]string{true: "forall", false: "exists"}[op == logic.Forall] + " " + decls + " " + body + ")"
	case logic.Not, logic.And, logic.Or, logic.Implies, logic.Iff:
		return "(" + connectives[op] + " " + t.all(args, t.formula) + ")"
	case logic.In:
		return t.member(t.term(args[0]), args[1])
	case logic.NotIn:
		return "(not " + t.member(t.term(args[0]), args[1]) + ")"
	case logic.SubsetEq, logic.Subset, logic.NotSubsetEq, logic.NotSubset:
		return t.inclusion(op, args[0], args[1])
	case logic.Finite:
		return t.finite(args[0])
	case logic.Partition:
		return t.partition(args)
	case logic.Eq, logic.Neq:
		if bank.TypeKind(bank.Type(args[0])) == logic.KindPow {
			return not(op == logic.Neq, t.sameElements(args[0], args[1]))
		}
	}
	return "(" + connective(bank.Op(predicate)) + " " + t.all(args, t.term) + ")"
}

func (t *translator) sameElements(s, u logic.Term) string {
	return t.fresh("forall", []logic.Type{t.b.Elem(t.b.Type(s))}, func(x []string) string {
		return "(= " + t.member(x[0], s) + " " + t.member(x[0], u) + ")"
	})
}

func (t *translator) inclusion(op logic.Op, set, term logic.Term) string {
	elem := t.b.Elem(t.b.Type(set))
	in := t.fresh("forall", []logic.Type{elem}, func(x []string) string {
		return "(=> " + t.member(x[0], set) + " " + t.member(x[0], term) + ")"
	})
	if op == logic.Subset || op == logic.NotSubset {
		in = "(and " + in + " (not " + t.sameElements(set, term) + "))"
	}
	if op == logic.NotSubset || op == logic.NotSubsetEq {
		in = "(not " + in + ")"
	}
	return in
}

func (t *translator) partition(args []logic.Term) string {
	elem := []logic.Type{t.b.Elem(t.b.Type(args[0]))}
	return t.fresh("forall", elem, func(x []string) string {
		out := "(and (= " + t.member(x[0], args[0]) + " (or false " + t.all(args[1:], func(set logic.Term) string { return t.member(x[0], set) }) + "))"
		for i, set := range args[1:] {
			for _, term := range args[1 : i+1] {
				out += " (not (and " + t.member(x[0], set) + " " + t.member(x[0], term) + "))"
			}
		}
		return out + ")"
	})
}

// term translates an expression.
func (t *translator) term(expr logic.Term) string {
	bank, args := t.b, t.b.Args(expr)
	switch op := bank.Op(expr); op {
	case logic.Int:
		v := bank.Value(expr).String()
		if rest, negative := strings.CutPrefix(v, "-"); negative {
			return "(- " + rest + ")"
		}
		return v
	case logic.Free:
		name := "|id " + bank.Name(expr) + "|"
		if t.once(name) {
			t.declare("(declare-const %s %s)", name, t.sort(bank.Type(expr)))
		}
		return name
	case logic.Bound:
		return t.scope[len(t.scope)-1-bank.Index(expr)].name
	case logic.TrueE, logic.FalseE:
		return map[bool]string{true: "true", false: "false"}[op == logic.TrueE]
	case logic.BoolOf:
		return t.formula(args[0])
	case logic.Apply:
		return t.apply(expr, args[0], args[1])
	case logic.Card:
		return t.card(expr, args[0])
	case logic.Min, logic.Max:
		return t.extremum(expr, op, args[0])
	case logic.Exp:
		return t.power(args[0], args[1])
	case logic.Maplet:
		t.sort(bank.Type(expr))
	}
	// Where a set is an argument it needs a name; its members are said of the name.
	if bank.TypeKind(bank.Type(expr)) == logic.KindPow {
		return t.named(expr)
	}
	return "(" + connective(bank.Op(expr)) + " " + t.all(args, t.term) + ")"
}

// named gives set expression e a name.
func (t *translator) named(expr logic.Term) string {
	vars, sorts, list := t.near(expr)
	key := fmt.Sprint(expr, sorts)
	name, ok := t.names[key]
	if !ok {
		name = fmt.Sprintf("set%d", len(t.names)+1)
		t.names[key] = name
		typ := t.b.Type(expr)
		elem := t.sort(t.b.Elem(typ))
		t.made++
		x := fmt.Sprintf("x%d", t.made)
		call := name
		if len(vars) > 0 {
			call = "(" + name + " " + strings.Join(vars, " ") + ")"
		}
		meaning := t.member(x, expr)
		t.declare("(declare-fun %s (%s) %s)", name, strings.Join(sorts, " "), t.sort(typ))
		t.declare("(assert (forall (%s) (= (select %s %s) %s)))", strings.Join(append(list, "("+x+" "+elem+")"), " "), call, x, meaning)
	}
	if len(vars) > 0 {
		return "(" + name + " " + strings.Join(vars, " ") + ")"
	}
	return name
}

// apply translates e = f(x).
func (t *translator) apply(e, f, x logic.Term) string {
	l, r := t.b.RelPair(t.b.Type(f))
	arg := t.term(x)
	out := "(" + t.operator("apply", t.b.Type(f), l, r) + " " + t.term(f) + " " + arg + ")"
	t.about(e, func() string {
		image := t.fresh("exists", []logic.Type{r}, func(y []string) string { return t.member(pair(arg, y[0]), f) })
		return "(=> " + image + " " + t.member(pair(arg, out), f) + ")"
	})
	return out
}

// finite says that the elements of s can be numbered with numbers below some bound.
func (t *translator) finite(s logic.Term) string {
	typ := t.b.Elem(t.b.Type(s))
	return "(exists ((f (Array " + t.sort(typ) + " Int)) (n Int)) " + t.numbers(s, "n") + ")"
}

// numbers says that array f numbers the elements of s with different numbers from 0 to n−1.
func (t *translator) numbers(s logic.Term, n string) string {
	typ := t.b.Elem(t.b.Type(s))
	bounds := t.fresh("forall", []logic.Type{typ}, func(x []string) string {
		return "(=> " + t.member(x[0], s) + " (and (<= 0 (select f " + x[0] + ")) (< (select f " + x[0] + ") " + n + ")))"
	})
	apart := t.fresh("forall", []logic.Type{typ, typ}, func(x []string) string {
		return "(=> (and " + t.member(x[0], s) + " " + t.member(x[1], s) + " (= (select f " + x[0] + ") (select f " + x[1] + "))) (= " + x[0] + " " + x[1] + "))"
	})
	return "(and " + bounds + " " + apart + ")"
}

// card translates e = card(s), the number with which a finite set is numbered completely.
func (t *translator) card(e, s logic.Term) string {
	out := "(" + t.operator("card", t.b.Type(s), logic.NoType, logic.IntType) + " " + t.term(s) + ")"
	t.about(e, func() string {
		typ := t.b.Elem(t.b.Type(s))
		all := t.fresh("exists", []logic.Type{typ}, func(x []string) string { return "(and " + t.member(x[0], s) + " (= (select f " + x[0] + ") k))" })
		return "(=> " + t.finite(s) + " (and (<= 0 " + out + ") (exists ((f (Array " + t.sort(typ) + " Int))) (and " + t.numbers(s, out) +
			" (forall ((k Int)) (=> (and (<= 0 k) (< k " + out + ")) " + all + "))))))"
	})
	return out
}

// extremum translates e = min(s) or e = max(s).
func (t *translator) extremum(expr logic.Term, op logic.Op, set logic.Term) string {
	word, order := "min", "<="
	if op == logic.Max {
		word, order = "max", ">="
	}
	out := "(" + t.operator(word, t.b.Type(set), logic.NoType, logic.IntType) + " " + t.term(set) + ")"
	t.about(expr, func() string {
		least := func(x string) string {
			return t.fresh("forall", []logic.Type{logic.IntType}, func(y []string) string {
				return "(=> " + t.member(y[0], set) + " (" + order + " " + x + " " + y[0] + "))"
			})
		}
		some := t.fresh("exists", []logic.Type{logic.IntType}, func(x []string) string { return t.member(x[0], set) })
		bounded := t.fresh("exists", []logic.Type{logic.IntType}, func(x []string) string { return least(x[0]) })
		return "(=> (and " + some + " " + bounded + ") (and " + t.member(out, set) + " " + least(out) + "))"
	})
	return out
}

// power translates a^n, as a product where n is a small literal.
func (t *translator) power(a, n logic.Term) string {
	if t.b.Op(n) == logic.Int {
		if v := t.b.Value(n); v.IsInt64() && 0 <= v.Int64() && v.Int64() <= 16 {
			return t.shorten(t.term(a), func(x string) string { return "(* 1 1" + strings.Repeat(" "+x, int(v.Int64())) + ")" })
		}
	}
	if t.once("power") {
		t.declare(powers)
	}
	return "(power " + t.term(a) + " " + t.term(n) + ")"
}

// shorten gives x a short name in f if it is long.
func (t *translator) shorten(x string, f func(x string) string) string {
	if len(x) < 40 || !strings.HasPrefix(x, "(") {
		return f(x)
	}
	t.made++
	short := fmt.Sprintf("x%d", t.made)
	return "(let ((" + short + " " + x + ")) " + f(short) + ")"
}

// member says that x, already translated, is an element of s.
func (t *translator) member(x string, s logic.Term) string {
	if t.b.IsTypeExpr(s) {
		return "true"
	}
	t.sort(t.b.Type(s))
	return t.shorten(x, func(x string) string { return t.memberOf(x, s) })
}

func pair(x, y string) string { return "(pair " + x + " " + y + ")" }

// memberOf is member for x short enough to be repeated.
func (t *translator) memberOf(x string, set logic.Term) string {
	op, args := t.b.Op(set), t.b.Args(set)
	if want, arrow := op.Arrow(); arrow {
		return t.arrow(x, want, args[0], args[1])
	}
	switch op {
	case logic.Free, logic.Bound, logic.Apply:
		return "(select " + t.term(set) + " " + x + ")"
	case logic.Compr, logic.QUnion, logic.QInter:
		return t.comprehension(x, set)
	case logic.GInter: // its axiom says nothing of ∅
		return t.fresh("forall", []logic.Type{t.b.Elem(t.b.Type(args[0]))}, func(y []string) string {
			return "(=> " + t.member(y[0], args[0]) + " (select " + y[0] + " " + x + "))"
		})
	case logic.Pow, logic.Pow1: // x needs no name
		return t.subset(x, args[0], op == logic.Pow1)
	}
	term, ok := meaning.Comprehension(t.b, set)
	if !ok {
		panic(unknown{op})
	}
	return t.comprehension(x, term)
}

func not(neg bool, f string) string {
	if neg {
		return "(not " + f + ")"
	}
	return f
}

// comprehension says that x is in {z·p∣e}, in ⋃z·p∣e or in ⋂z·p∣e.
func (t *translator) comprehension(x string, set logic.Term) string {
	args, op := t.b.Args(set), t.b.Op(set)
	if op == logic.Compr {
		if parts := make([]string, len(t.b.Decls(set))); t.apart(x, args[1], parts) && !slices.Contains(parts, "") {
			return t.let(parts, t.b.Decls(set), func() string { return t.formula(args[0]) })
		}
	}
	decls, body := t.bind(t.b.Decls(set), func([]string) string {
		p := t.formula(args[0])
		switch op {
		case logic.Compr:
			return "(and " + p + " " + "(= " + x + " " + t.term(args[1]) + ")" + ")"
		case logic.QUnion:
			return "(and " + p + " " + t.member(x, args[1]) + ")"
		}
		return "(=> " + p + " " + t.member(x, args[1]) + ")"
	})
	return "(" + map[bool]string{true: "forall", false: "exists"}[op == logic.QInter] + " " + decls + " " + body + ")"
}

// apart takes x apart along the pattern e: parts gets what each of the variables is. It
// reports whether e is made of the variables, each once, by ↦ alone.
func (t *translator) apart(x string, expr logic.Term, parts []string) bool {
	switch t.b.Op(expr) {
	case logic.Maplet:
		l, r := halves(x)
		return t.apart(l, t.b.Arg(expr, 0), parts) && t.apart(r, t.b.Arg(expr, 1), parts)
	case logic.Bound:
		i := len(parts) - 1 - t.b.Index(expr)
		if i < 0 || parts[i] != "" {
			return false
		}
		parts[i] = x
		return true
	}
	return false
}

// halves returns the components of pair x, which may be made of them.
func halves(x string) (l, r string) {
	inner, made := strings.CutPrefix(x, "(pair ")
	depth, quoted := 0, false
	for i, char := range inner {
		switch {
		case !made:
		case char == '|':
			quoted = !quoted
		case quoted:
		case char == '(':
			depth++
		case char == ')':
			depth--
		case char == ' ' && depth == 0:
			return inner[:i], inner[i+1 : len(inner)-1]
		}
	}
	return "(fst " + x + ")", "(snd " + x + ")"
}

// let translates with new bound variables of types ts that are the given values.
func (t *translator) let(vals []string, ts []logic.Type, f func() string) string {
	n := len(t.scope)
	var list []string
	for i, typ := range ts {
		v := variable{vals[i], t.sort(typ)}
		if !strings.HasPrefix(v.name, "x") { // not a bound variable already
			t.made++
			v.name = fmt.Sprintf("x%d", t.made)
			list = append(list, "("+v.name+" "+vals[i]+")")
		}
		t.scope = append(t.scope, v)
	}
	body := f()
	t.scope = t.scope[:n]
	if len(list) == 0 {
		return body
	}
	return "(let (" + strings.Join(list, " ") + ") " + body + ")"
}

// subset says that the set x is part of s, and not empty if that is wanted.
func (t *translator) subset(x string, s logic.Term, inhabited bool) string {
	elem := []logic.Type{t.b.Elem(t.b.Type(s))}
	out := t.fresh("forall", elem, func(y []string) string {
		return "(=> (select " + x + " " + y[0] + ") " + t.member(y[0], s) + ")"
	})
	if inhabited {
		out = "(and " + out + " " + t.fresh("exists", elem, func(y []string) string { return "(select " + x + " " + y[0] + ")" }) + ")"
	}
	return out
}

// arrow says that r is a relation of the given kind between s and u.
func (t *translator) arrow(r string, want logic.Arrow, set, term logic.Term) string {
	left, typ := t.b.Elem(t.b.Type(set)), t.b.Elem(t.b.Type(term))
	in := func(x, y string) string { return "(select " + r + " (pair " + x + " " + y + "))" }
	out := "(and " + t.fresh("forall", []logic.Type{left, typ}, func(v []string) string {
		return "(=> " + in(v[0], v[1]) + " (and " + t.member(v[0], set) + " " + t.member(v[1], term) + "))"
	})
	if want.Functional {
		out += " " + t.fresh("forall", []logic.Type{left, typ, typ}, func(v []string) string {
			return "(=> (and " + in(v[0], v[1]) + " " + in(v[0], v[2]) + ") (= " + v[1] + " " + v[2] + "))"
		})
	}
	if want.Injective {
		out += " " + t.fresh("forall", []logic.Type{left, left, typ}, func(v []string) string {
			return "(=> (and " + in(v[0], v[2]) + " " + in(v[1], v[2]) + ") (= " + v[0] + " " + v[1] + "))"
		})
	}
	if want.Total {
		out += " " + t.fresh("forall", []logic.Type{left}, func(v []string) string {
			return "(=> " + t.member(v[0], set) + " " + t.fresh("exists", []logic.Type{typ}, func(w []string) string { return in(v[0], w[0]) }) + ")"
		})
	}
	if want.Surjective {
		out += " " + t.fresh("forall", []logic.Type{typ}, func(v []string) string {
			return "(=> " + t.member(v[0], term) + " " + t.fresh("exists", []logic.Type{left}, func(w []string) string { return in(w[0], v[0]) }) + ")"
		})
	}
	return out + ")"
}
