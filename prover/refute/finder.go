package refute

import (
	"math/big"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// finder is a search in progress.
type finder struct {
	stop     func() bool   // the answer is no longer wanted
	s        logic.Sequent // bare, in a bank of its own
	core     []logic.Term  // its hypotheses without those aside
	asides   []*aside
	stuck    bool                      // an aside has no values that we find
	lent     map[eval.Condition][]byte // certificates found for the asides
	fixed    map[string]int            // sizes of carrier sets that others have chosen
	alone    bool                      // the sequent is what stands aside of another
	asserted []logic.Term              // hypotheses and well-definedness conditions, definitions unfolded
	goal     logic.Term                // likewise
	known                              // what the hypotheses say of identifiers
	extrema  []logic.Term              // identifiers that it defines as extrema
	plain    map[logic.Term]logic.Term // the definitions without these
	carriers []string
	numbers  []*big.Int // literals
	listsAll bool       // the hypotheses name all elements of all carrier sets, and there are no integers
	small    bool       // scopes differ in nothing, as all types are finite

	chosen
	definition map[logic.Term]logic.Term   // of identifiers that hypotheses define, in terms of others
	names      map[string]bool             // of free identifiers
	mentioned  map[logic.Term][]logic.Term // free identifiers of formulas that mentions was asked about

	prove         Prover                   // nil if there is none
	proving       int                      // steps that are left for it
	valid         map[eval.Condition]Claim // by no equations at all
	spent         map[eval.Condition]int   // what the search for that was granted
	sought        map[string]Claim         // by condition and equations
	claimed       []Claim                  // of the model that was found
	contradictory bool                     // a hypothesis is false in all models

	finiteness bool           // finite occurs
	named      int            // the most identifiers of the elements of one carrier set
	counts     bool           // the size of a carrier set is compared with numbers
	stretched  map[string]int // carrier sets that have more elements than scopes
	steps      int
}

// mentions returns the free identifiers of formulas in the order of their first occurrence. Each plan of each scope asks for them.
func (f *finder) mentions(ts ...logic.Term) []logic.Term {
	if f.mentioned == nil {
		f.mentioned = map[logic.Term][]logic.Term{}
	}
	var out []logic.Term
	seen := map[logic.Term]bool{}
	for _, t := range ts {
		ids, ok := f.mentioned[t]
		if !ok {
			ids = f.s.Bank.FreeIdents(t)
			f.mentioned[t] = ids
		}
		if len(ts) == 1 {
			return ids
		}
		for _, id := range ids {
			if !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	return out
}

// elements returns how many elements a carrier set needs in the largest scope: so many that those with names can all be different, and
// one more than a number with which its size is compared.
func (f *finder) elements() int {
	n := f.named + 2
	for _, number := range f.numbers {
		if f.counts && number.IsInt64() && number.Int64() < maxNamed {
			n = max(n, int(number.Int64())+1)
		}
	}
	return min(n, maxNamed)
}

// sizes reports whether t says how many elements a carrier set has: it counts the set, or maps it one to one.
func sizes(bank *logic.Bank, t logic.Term) bool {
	op := bank.Op(t)
	want, arrow := op.Arrow()
	return (op == logic.Card || arrow && (want.Injective || want.Surjective)) && slices.ContainsFunc(bank.Args(t), func(a logic.Term) bool { return bank.Op(a) == logic.Given })
}

// integers lists n integers: small ones, and the literals with their
// neighbours, in turn.
func (f *finder) integers(space *eval.Space, n int) []eval.Value {
	var near, far []*big.Int
	for _, d := range []int64{0, 1, 2, -1, 3, -2, 4, 5, -3, 6, 7, 8, -4, 9, 10} {
		near = append(near, big.NewInt(d))
	}
	for _, d := range []int64{0, 1, -1, 2, -2} {
		for _, z := range f.numbers {
			far = append(far, new(big.Int).Add(z, big.NewInt(d)))
		}
	}
	slices.SortStableFunc(far[:min(len(far), len(f.numbers))], func(x, y *big.Int) int { return x.CmpAbs(y) })
	var out []eval.Value
	add := func(list []*big.Int, i int) {
		if i < len(list) && len(out) < n {
			if value := space.Int(list[i]); !slices.Contains(out, value) {
				out = append(out, value)
			}
		}
	}
	for i := 0; len(out) < n && (i < len(near) || i < len(far)); i++ {
		add(near, i)
		add(far, i)
	}
	return out
}

// complete returns a model with the values that m has, and those of the chosen and the defined
// identifiers that it lacks; without those of identifiers made up.
func (f *finder) complete(model *eval.Model) *eval.Model {
	model = model.In(f.s.Bank).Clone()
	fill := func(ids []logic.Term, by map[logic.Term]logic.Term) {
		e := eval.New(f.s.Bank, model, min(max(f.steps, 0), 1<<17))
		values := map[string]eval.Value{}
		for _, id := range ids {
			if _, given := model.Values[f.s.Bank.Name(id)]; given || by[id] == 0 {
				continue
			}
			if value, ok := e.Value(by[id]); ok {
				values[f.s.Bank.Name(id)] = value
			}
		}
		for name, value := range values {
			model.Define(f.s.Bank, name, value)
		}
	}
	if len(f.ids) > 0 {
		fill(f.ids, f.unfold)
		for _, id := range f.made {
			delete(model.Values, f.s.Bank.Name(id))
		}
	}
	fill(f.defined, f.definition)
	return model
}
