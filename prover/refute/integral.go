package refute

import (
	"maps"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// Integral is s where the integers stand for the given carrier sets. Carrier sets may be any sets that are not empty, so
// that a counterexample to it is one to s. It is bare, in a bank of its own.
func Integral(s logic.Sequent, sets []string) logic.Sequent {
	s = s.Bare()
	x := &integral{bank: s.Bank, sets: sets, types: map[logic.Type]logic.Type{}, terms: map[logic.Term]logic.Term{}}
	out := logic.Sequent{Bank: s.Bank, Selected: s.Selected, Goal: x.term(s.Goal)}
	for _, h := range s.Hyps {
		out.Hyps = append(out.Hyps, x.term(h))
	}
	return out
}

// integral replaces carrier sets by ℤ.
type integral struct {
	bank  *logic.Bank
	sets  []string
	types map[logic.Type]logic.Type
	terms map[logic.Term]logic.Term
}

// typ is a type with ℤ in the place of the chosen carrier sets.
func (x *integral) typ(t logic.Type) logic.Type {
	if out, ok := x.types[t]; ok {
		return out
	}
	out := t
	switch x.bank.TypeKind(t) {
	case logic.KindGiven:
		if slices.Contains(x.sets, x.bank.GivenName(t)) {
			out = logic.IntType
		}
	case logic.KindPow:
		out = x.bank.PowType(x.typ(x.bank.Elem(t)))
	case logic.KindProd:
		left, right := x.bank.Pair(t)
		out = x.bank.ProdType(x.typ(left), x.typ(right))
	}
	x.types[t] = out
	return out
}

// term is a term with ℤ in the place of the chosen carrier sets.
func (x *integral) term(t logic.Term) logic.Term {
	if out, ok := x.terms[t]; ok {
		return out
	}
	bank := x.bank
	args := make([]logic.Term, 0, len(bank.Args(t)))
	for _, a := range bank.Args(t) {
		args = append(args, x.term(a))
	}
	var decls []logic.Type
	if bank.Op(t).IsBinder() {
		for _, d := range bank.Decls(t) {
			decls = append(decls, x.typ(d))
		}
	}
	out := t
	// Each term is built again with ℤ in place of the carrier sets, down to the types of its variables.
	switch op := bank.Op(t); op {
	case logic.Given:
		if slices.Contains(x.sets, bank.Name(t)) {
			out = bank.App(logic.Integer)
		}
	case logic.Free:
		out = bank.Free(bank.Name(t), x.typ(bank.Type(t)))
	case logic.Bound:
		out = bank.Bound(bank.Index(t), x.typ(bank.Type(t)))
	case logic.Int:
	case logic.Empty, logic.Id, logic.Prj1, logic.Prj2:
		out = bank.Atom(op, x.typ(bank.Type(t)))
	case logic.Eps:
		out = bank.Choice(decls, bank.Index(t), args[0])
	default:
		if op.IsBinder() {
			out = bank.Quant(op, decls, nil, args...)
		} else {
			out = bank.App(op, args...)
		}
	}
	x.terms[t] = out
	return out
}

// needInfinity returns the carrier sets of clusters that are linked to the goal neither by identifiers nor by carrier sets,
// and for which no small sets are found with which they hold; and the steps that this took.
func needInfinity(s logic.Sequent, opts Options) (sets []string, taken int) {
	s = s.Bare()
	bank := s.Bank
	f := &finder{s: s}
	clusters := clustersOf(s)
	of := map[string]int{} // by carrier set: the cluster that speaks of it, -1 for several or the rest
	speaks := func(t logic.Term, cluster int) {
		f.typesOf(t, func(name string) {
			if other, seen := of[name]; seen && other != cluster {
				cluster = -1
			}
			of[name] = cluster
		})
	}
	apart := map[int]bool{}
	for k, a := range clusters {
		for _, i := range a.hyps {
			apart[i] = true
			speaks(s.Hyps[i], k)
		}
	}
	speaks(s.Goal, -1)
	var absolute []int // what mentions no identifier is said of sets alone, such as that one is infinite
	for i, h := range s.Hyps {
		switch {
		case apart[i]:
		case len(bank.FreeIdents(h)) == 0:
			absolute = append(absolute, i)
		default:
			speaks(h, -1)
		}
	}
	for k, a := range clusters {
		var own []string
		for _, name := range slices.Sorted(maps.Keys(of)) {
			if of[name] == k {
				own = append(own, name)
			}
		}
		if len(own) == 0 {
			continue
		}
		alone := logic.Sequent{Bank: bank, Goal: bank.App(logic.False)}
		for _, i := range a.hyps {
			alone.Hyps = append(alone.Hyps, s.Hyps[i])
		}
		for _, i := range absolute {
			f.typesOf(s.Hyps[i], func(name string) {
				if of[name] == k && !slices.Contains(alone.Hyps, s.Hyps[i]) {
					alone.Hyps = append(alone.Hyps, s.Hyps[i])
				}
			})
		}
		x, n, _ := searchApart(alone, Options{Steps: min(opts.Steps/infinityShare, infinitySteps), Stop: opts.Stop}, nil)
		taken += n
		if x == nil {
			sets = append(sets, own...)
		}
	}
	return sets, taken
}

const (
	// infinityShare is the part of a search that looks for small carrier sets of what stands apart.
	infinityShare = 16
	// infinitySteps bounds what that takes for one cluster.
	infinitySteps = 20_000
)

// WithIntegers returns counterexample x to Integral(s, sets) as one to s; nil if x is nil.
func WithIntegers(s logic.Sequent, x *Counterexample, sets []string) *Counterexample {
	if x == nil {
		return nil
	}
	out := *x
	out.Integers, out.Whole = sets, x.Model
	out.Model = x.Model.Clone()
	for _, name := range sets {
		out.Model.Carriers[name] = eval.Infinite
	}
	// The values of what these sets are made of are integers, which their types do not have.
	for _, id := range s.Bank.FreeIdents(append(slices.Clone(s.Hyps), s.Goal)...) {
		carriersIn(s.Bank, s.Bank.Type(id), func(name string) {
			if slices.Contains(sets, name) {
				delete(out.Model.Values, s.Bank.Name(id))
			}
		})
	}
	in := Integral(s, sets)
	path, _ := eval.New(in.Bank, x.Model.In(in.Bank), 1<<18).Failing(in.Goal)
	out.Part = s.Goal
	for _, i := range path {
		out.Part = s.Bank.Arg(out.Part, i)
	}
	return &out
}

// Confirmed returns x if it is a counterexample to s, and nil otherwise; see [Confirm].
func (x *Counterexample) Confirmed(s logic.Sequent) *Counterexample {
	if len(x.Integers) == 0 {
		return Confirm(s, x.Model, x.Claims...)
	}
	return WithIntegers(s, Confirm(Integral(s, x.Integers), x.Whole, x.Claims...), x.Integers)
}
