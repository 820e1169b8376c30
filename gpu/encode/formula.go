package encode

import (
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic"
)

// A formula of the model, as a parser would have made it.
type formula = *lang.Formula

func operation(op logic.Op, args ...formula) formula { return &lang.Formula{Op: op, Args: args} }

func ident(name string) formula { return &lang.Formula{Op: logic.Free, Name: name} }

func literal(n *big.Int) formula { return &lang.Formula{Op: logic.Int, Name: n.String()} }

func num[N int | int64](n N) formula { return literal(big.NewInt(int64(n))) }

func eq(a, b formula) formula      { return operation(logic.Eq, a, b) }
func neq(a, b formula) formula     { return operation(logic.Neq, a, b) }
func le(a, b formula) formula      { return operation(logic.Le, a, b) }
func lt(a, b formula) formula      { return operation(logic.Lt, a, b) }
func implies(a, b formula) formula { return operation(logic.Implies, a, b) }
func not(a formula) formula        { return operation(logic.Not, a) }

// is says that a variable of the model, such as a program counter, has a number.
func is[N int | int64](name string, n N) formula { return eq(ident(name), num(n)) }

func integer(a formula) formula { return operation(logic.In, a, operation(logic.Integer)) }

// within says that a is between two numbers.
func within(lo *big.Int, a formula, hi *big.Int) []formula {
	return []formula{le(literal(lo), a), le(a, literal(hi))}
}

// all is a conjunction, and either a disjunction: flat, and of one part that part.
func all(parts ...formula) formula     { return flat(logic.And, parts) }
func either(parts ...formula) formula  { return flat(logic.Or, parts) }
func plus(parts ...formula) formula    { return flat(logic.Plus, parts) }
func product(parts ...formula) formula { return flat(logic.Times, parts) }

func flat(op logic.Op, parts []formula) formula {
	var args []formula
	for _, p := range parts {
		if p.Op == op {
			args = append(args, p.Args...)
		} else {
			args = append(args, p)
		}
	}
	return joined(op, args)
}

// joined is like flat, but parts of the same operator stay what they are.
func joined(op logic.Op, args []formula) formula {
	if len(args) == 1 {
		return args[0]
	}
	return operation(op, args...)
}

// spelled is a formula on one line.
func spelled(f formula) string { return strings.Join(f.Lines(math.MaxInt), " ") }

// same reports whether two formulas are written alike.
func same(a, b formula) bool {
	return a.Op == b.Op && a.Name == b.Name && slices.EqualFunc(a.Args, b.Args, same) &&
		slices.EqualFunc(a.Decls, b.Decls, func(x, y lang.Decl) bool { return x.Name == y.Name })
}

// add adds what is not there.
func add(to *[]formula, more ...formula) {
	for _, f := range more {
		if !slices.ContainsFunc(*to, func(g formula) bool { return same(f, g) }) {
			*to = append(*to, f)
		}
	}
}

// reading makes formulas of terms, for one thread.
type reading struct {
	thread string                      // the suffix of what each thread has itself: 1, 2
	grid   bool                        // the threads are of different groups
	local  func(v *ir.Variable) string // nil: with the thread's suffix
	fresh  func(name string) string    // of arbitrary values; nil: as they are
}

// flipped is for the other thread.
func (r reading) flipped() reading {
	if r.thread == "1" {
		r.thread = "2"
	} else {
		r.thread = "1"
	}
	return r
}

func (r reading) symbol(t *ir.Term) string {
	if !t.Own {
		return t.Name
	}
	if !t.Symbol.OfLaunch() {
		if r.fresh != nil {
			return r.fresh(t.Name)
		}
		return t.Name
	}
	if t.Symbol.Of == ir.OfGroup && !r.grid {
		return t.Name
	}
	return t.Name + "_" + r.thread
}

func (r reading) variable(v *ir.Variable) string {
	if r.local != nil {
		return r.local(v)
	}
	return v.Name + "_" + r.thread
}

// term is a term of the program as a formula of Event-B.
func (r reading) term(t *ir.Term) formula {
	switch t.Op {
	case ir.Num:
		return literal(t.Val)
	case ir.Sym:
		return ident(r.symbol(t))
	case ir.Local_:
		return ident(r.variable(t.V))
	case ir.Other:
		return r.flipped().term(t.Args[0])
	case ir.Add:
		return r.sum(t)
	case ir.Mul:
		return joined(logic.Times, r.terms(t.Args))
	case ir.Quo:
		return operation(logic.Div, r.terms(t.Args)...)
	case ir.Modulo, ir.Rem:
		return operation(logic.Mod, r.terms(t.Args)...)
	}
	return r.predicate(t)
}

func (r reading) terms(list []*ir.Term) (out []formula) {
	for _, t := range list {
		out = append(out, r.term(t))
	}
	return out
}

// sum has its summands with their signs; a positive one comes first.
func (r reading) sum(t *ir.Term) formula {
	negative := func(a *ir.Term) bool {
		return a.Op == ir.Num && a.Val.Sign() < 0 || a.Op == ir.Mul && a.Args[0].Op == ir.Num && a.Args[0].Val.Sign() < 0
	}
	first := slices.IndexFunc(t.Args, func(a *ir.Term) bool { return !negative(a) })
	out, open := num(0), false // open: the sum so far goes on to grow
	if first >= 0 {
		out = r.term(t.Args[first])
	}
	for i, a := range t.Args {
		switch {
		case i == first:
		case negative(a):
			out, open = operation(logic.Minus, out, r.term(ir.Product(ir.Number(-1), a))), false
		case open:
			out.Args = append(out.Args, r.term(a))
		default:
			out, open = operation(logic.Plus, out, r.term(a)), true
		}
	}
	return out
}

// predicate keeps what a term has joined by and and or as it has nested it.
func (r reading) predicate(t *ir.Term) formula {
	switch t.Op {
	case ir.PTrue:
		return operation(logic.True)
	case ir.PFalse:
		return operation(logic.False)
	case ir.PEq:
		return operation(logic.Eq, r.terms(t.Args)...)
	case ir.PNe:
		return operation(logic.Neq, r.terms(t.Args)...)
	case ir.PLe:
		return operation(logic.Le, r.terms(t.Args)...)
	case ir.PLt:
		return operation(logic.Lt, r.terms(t.Args)...)
	case ir.PNot:
		return not(r.predicate(t.Args[0]))
	case ir.PAnd:
		return joined(logic.And, r.predicates(t.Args))
	case ir.POr:
		return joined(logic.Or, r.predicates(t.Args))
	case ir.Other:
		return r.flipped().predicate(t.Args[0])
	}
	panic("the walker leaves no other operators") // a guess would be a guard that is never true, or a claim that always is
}

func (r reading) predicates(list []*ir.Term) (out []formula) {
	for _, t := range list {
		out = append(out, r.predicate(t))
	}
	return out
}
