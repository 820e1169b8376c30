package random

import (
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/gradine/gradine/logic"
)

// Change returns the bare sequent s changed in one place, and the name of the kind of
// change. It returns s itself, and no name, if it was out of luck.
func Change(r *rand.Rand, s logic.Sequent) (logic.Sequent, string) {
	c := changer{b: s.Bank, r: r}
	for _, term := range append(slices.Clone(s.Hyps), s.Goal) {
		for _, id := range s.Bank.FreeIdents(term) {
			if !slices.Contains(c.ids, id) {
				c.ids = append(c.ids, id)
			}
		}
	}
	for range 10 {
		if u, kind := c.sequent(s); kind != "" {
			return u, kind
		}
	}
	return s, ""
}

// A changer knows the identifiers of the sequent that it changes.
type changer struct {
	b   *logic.Bank
	r   *rand.Rand
	ids []logic.Term
}

// sequent changes s as a whole, or one of its formulas.
func (c changer) sequent(s logic.Sequent) (logic.Sequent, string) {
	out := s
	out.Hyps = slices.Clone(s.Hyps)
	if len(s.Hyps) > 0 {
		i := c.r.IntN(len(s.Hyps))
		switch c.r.IntN(16) {
		case 0:
			out.Hyps = slices.Delete(out.Hyps, i, i+1)
			out.Selected = nil
			return out, "drop hypothesis"
		case 1:
			out.Hyps[i] = c.b.Not(s.Hyps[i])
			return out, "negate hypothesis"
		case 2:
			out.Goal, out.Hyps[i] = s.Hyps[i], s.Goal
			return out, "exchange goal and hypothesis"
		case 3, 4, 5, 6:
			t, kind := c.formula(s.Hyps[i])
			out.Hyps[i] = t
			return out, kind
		}
	}
	t, kind := c.formula(s.Goal)
	out.Goal = t
	return out, kind
}

// A site is a place in a formula: the way to it by argument numbers, and the types of the
// variables in scope, the innermost last.
type site struct {
	path  []int
	scope []logic.Type
	t     logic.Term
}

// maxSites bounds the places to choose from.
const maxSites = 4000

func (c changer) sites(t logic.Term) (out []site) {
	var walk func(s site)
	walk = func(s site) {
		if len(out) == maxSites {
			return
		}
		out = append(out, s)
		scope := s.scope
		if c.b.Op(s.t).IsBinder() {
			scope = slices.Concat(scope, c.b.Decls(s.t))
		}
		for i, a := range c.b.Args(s.t) {
			walk(site{append(slices.Clip(s.path), i), scope, a})
		}
	}
	walk(site{t: t})
	return out
}

// formula changes one place of t; it names the change, or nothing if there was none.
func (c changer) formula(t logic.Term) (logic.Term, string) {
	at := one(c.r, c.sites(t)...)
	options := c.options(at)
	if len(options) == 0 {
		return t, ""
	}
	o := one(c.r, options...)
	u, ok := c.put(t, at.path, o.t)
	if !ok || u == t || c.b.Depth(u) != 0 {
		return t, ""
	}
	return u, o.kind
}

// put returns t with u at the end of path.
func (c changer) put(t logic.Term, path []int, u logic.Term) (logic.Term, bool) {
	if len(path) == 0 {
		return u, true
	}
	args := slices.Clone(c.b.Args(t))
	a, ok := c.put(args[path[0]], path[1:], u)
	if !ok {
		return 0, false
	}
	args[path[0]] = a
	return c.with(t, c.b.Op(t), args)
}

// with returns t with another operator and other arguments, and false if that is ill-typed.
func (c changer) with(t logic.Term, op logic.Op, args []logic.Term) (u logic.Term, ok bool) {
	var err error
	if op == logic.Eps {
		u, err = c.b.TryChoice(c.b.Decls(t), c.b.Index(t), args[0])
	} else if op.IsBinder() {
		u, err = c.b.TryQuant(op, c.b.Decls(t), nil, args...)
	} else {
		u, err = c.b.TryApp(op, args...)
	}
	return u, err == nil && c.b.Type(u) == c.b.Type(t)
}

// option is something to put in a place.
type option struct {
	t    logic.Term
	kind string
}

// groups are operators that are easily taken for one another.
var groups = [][]logic.Op{
	{logic.And, logic.Or}, {logic.Implies, logic.Iff, logic.And, logic.Or}, {logic.Forall, logic.Exists},
	{logic.Le, logic.Lt, logic.Ge, logic.Gt, logic.Eq, logic.Neq}, {logic.In, logic.NotIn}, {logic.True, logic.False},
	{logic.Subset, logic.SubsetEq, logic.NotSubset, logic.NotSubsetEq, logic.Eq, logic.Neq},
	{logic.Integer, logic.Natural, logic.Natural1}, {logic.TrueE, logic.FalseE}, {logic.Pred, logic.Succ},
	arrows,
	{logic.Union, logic.Inter, logic.Diff, logic.Ovr}, {logic.BComp, logic.FComp}, {logic.DProd, logic.PProd},
	{logic.DomRes, logic.DomSub}, {logic.RanRes, logic.RanSub}, {logic.Dom, logic.Ran}, {logic.Min, logic.Max},
	{logic.Plus, logic.Minus, logic.Times}, {logic.Div, logic.Mod, logic.Times, logic.Minus}, {logic.Pow, logic.Pow1},
	{logic.GUnion, logic.GInter}, {logic.QUnion, logic.QInter},
}

// options lists what may stand in place of a term.
func (c changer) options(at site) (out []option) {
	bank, op, args := c.b, c.b.Op(at.t), c.b.Args(at.t)
	add := func(kind string, term logic.Term, ok bool) {
		if ok && term != at.t {
			out = append(out, option{term, kind})
		}
	}
	for _, g := range groups {
		if slices.Contains(g, op) {
			for _, o := range g {
				term, ok := c.with(at.t, o, args)
				add("operator", term, ok)
			}
		}
	}
	for i, a := range args {
		if !op.IsBinder() {
			add("part for whole", a, bank.Type(a) == bank.Type(at.t))
		}
		if op.IsAssociative() && len(args) > 2 {
			t, ok := c.with(at.t, op, slices.Delete(slices.Clone(args), i, i+1))
			add("part left out", t, ok)
		}
	}
	if len(args) == 2 && !op.IsBinder() {
		term, ok := c.with(at.t, op, []logic.Term{args[1], args[0]})
		add("order of arguments", term, ok)
	}
	out = append(out, c.replacements(at)...)
	return append(out, c.traps(at)...)
}

// replacements lists other leaves for a leaf.
func (c changer) replacements(at site) (out []option) {
	bank, typ := c.b, c.b.Type(at.t)
	switch bank.Op(at.t) {
	case logic.Int:
		v := bank.Value(at.t)
		for _, d := range []int64{1, -1} {
			out = append(out, option{bank.Int(new(big.Int).Add(v, big.NewInt(d))), "number"})
		}
		out = append(out, option{bank.Int(new(big.Int).Neg(v)), "number"}, option{bank.Int(one(c.r, numbers...)), "number"})
	case logic.Free, logic.Bound:
		for _, id := range c.ids {
			if bank.Type(id) == typ && id != at.t {
				out = append(out, option{id, "identifier"})
			}
		}
		for i, t := range at.scope {
			if variable := bank.Bound(len(at.scope)-1-i, t); t == typ && variable != at.t {
				out = append(out, option{variable, "bound variable"})
			}
		}
	}
	return out
}

// traps lists terms whose meaning at the edge is easily got wrong: of numbers that are negative,
// divided, or past machine words, of sets without elements, and of what is not well-defined.
func (c changer) traps(at site) (out []option) {
	bank, typ := c.b, c.b.Type(at.t)
	add := func(term logic.Term) { out = append(out, option{term, "trap"}) }
	switch {
	case typ == logic.Prop && c.r.IntN(4) == 0:
		out = append(out, option{bank.Not(at.t), "negation"})
	case typ == logic.IntType && c.r.IntN(4) == 0:
		term := bank.Int(one(c.r, numbers...))
		add(bank.App(logic.Neg, at.t))
		add(bank.App(one(c.r, logic.Div, logic.Mod, logic.Plus, logic.Times), at.t, term))
		add(bank.App(one(c.r, logic.Div, logic.Mod), term, at.t))
		add(bank.App(one(c.r, logic.Min, logic.Max), bank.App(logic.SetExt, at.t, term)))
		add(bank.App(one(c.r, logic.Min, logic.Max, logic.Card), bank.App(logic.UpTo, term, at.t)))
		add(bank.App(logic.Exp, at.t, bank.Int64(int64(c.r.IntN(3)))))
	case bank.Elem(typ) != logic.NoType && c.r.IntN(3) == 0:
		add(bank.Atom(logic.Empty, typ))
		add(bank.TypeExpr(bank.Elem(typ)))
		add(bank.App(one(c.r, logic.GInter, logic.GUnion), bank.App(logic.SetExt, at.t)))
		add(bank.App(one(c.r, logic.GInter, logic.GUnion), bank.Atom(logic.Empty, bank.PowType(typ))))
		if left, right := bank.RelPair(typ); left != logic.NoType && left == right {
			add(bank.App(logic.Converse, at.t))
			add(bank.Atom(logic.Id, typ))
		}
	}
	return out
}

// Everywhere returns a function that makes one and the same random change throughout terms of b
// like the given ones, and the change: one operator for another, one identifier, one number.
// Terms keep their types.
func Everywhere(bank *logic.Bank, r *rand.Rand, like ...logic.Term) (change func(logic.Term) logic.Term, from, to logic.Term) {
	c := changer{b: bank, r: r, ids: bank.FreeIdents(like...)}
	for range 20 {
		at := one(r, c.sites(one(r, like...))...)
		// Only changes that make sense wherever the same operator or identifier occurs:
		// a subterm that goes, say, is another one at each place.
		options := slices.DeleteFunc(c.options(at), func(o option) bool {
			return bank.Depth(o.t) != bank.Depth(at.t) || o.kind != "operator" && o.kind != "identifier" && o.kind != "number" && o.kind != "order of arguments"
		})
		if len(options) == 0 {
			continue
		}
		o := one(r, options...)
		memo := map[logic.Term]logic.Term{}
		if len(bank.Args(at.t)) == 0 {
			memo[at.t] = o.t
		}
		var walk func(term logic.Term) logic.Term
		walk = func(t logic.Term) logic.Term {
			if u, ok := memo[t]; ok {
				return u
			}
			u, args := t, slices.Clone(bank.Args(t))
			for i, a := range args {
				args[i] = walk(a)
			}
			if len(args) > 0 {
				op := bank.Op(t)
				if op == bank.Op(at.t) {
					op = bank.Op(o.t)
				}
				if o.kind == "order of arguments" && op == bank.Op(at.t) && len(args) == 2 {
					if variable, ok := c.with(t, op, []logic.Term{args[1], args[0]}); ok {
						memo[t] = variable
						return variable
					}
				}
				// Where the other operator does not fit the types, the old one stays.
				if v, ok := c.with(t, op, args); ok {
					u = v
				} else if v, ok := c.with(t, bank.Op(t), args); ok {
					u = v
				}
			}
			memo[t] = u
			return u
		}
		return walk, at.t, o.t
	}
	return func(term logic.Term) logic.Term { return term }, 0, 0
}
