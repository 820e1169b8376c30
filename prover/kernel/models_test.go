package kernel_test

import (
	"math/rand/v2"
	"testing"

	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// scope makes models in which carrier sets are small, or infinite, and integers lie in -3..3,
// or in -2..2 inside of sets. Sets of integers, and of elements of infinite carrier sets, may have no bound.
type scope struct {
	b     *logic.Bank
	model *eval.Model
	rand  *rand.Rand
}

func newScope(b *logic.Bank, r *rand.Rand, size int, carriers []string) scope {
	s := scope{b, eval.NewModel(), r}
	for i, c := range carriers {
		if size == eval.Infinite {
			s.model.Carriers[c] = eval.Infinite
		} else {
			s.model.Carriers[c] = max(1, size-i%2)
		}
	}
	return s
}

// sizes are those of carrier sets in scopes.
var sizes = []int{1, 2, 3, eval.Infinite}

// elements returns the elements to choose from in a carrier set.
func (s scope) elements(carrier string) (out []eval.Value) {
	n := s.model.Carriers[carrier]
	if n == eval.Infinite {
		n = 3
	}
	for i := range n {
		out = append(out, s.model.Space.Element(carrier, i))
	}
	return out
}

// boundless returns some infinite sets of elements of type t, if there are such that are intervals.
func (s scope) boundless(t logic.Type) []eval.Value {
	sp := s.model.Space
	var some []eval.Value // three elements in a row
	switch s.b.TypeKind(t) {
	case logic.KindInt:
		some = []eval.Value{sp.Int64(-1), sp.Int64(0), sp.Int64(1)}
	case logic.KindGiven:
		if s.model.Carriers[s.b.GivenName(t)] == eval.Infinite {
			some = s.elements(s.b.GivenName(t))
		}
	}
	if some == nil {
		return nil
	}
	return []eval.Value{sp.Interval(0, 0, some[1]), sp.Interval(some[0], 0, some[1]), sp.Interval(some[1], 0, some[1]), sp.Interval(0, some[2], some[1])}
}

// all returns all values of type t in the scope, and false if there are more than limit.
func (s scope) all(t logic.Type, limit, span int) (out []eval.Value, ok bool) {
	sp := s.model.Space
	switch s.b.TypeKind(t) {
	case logic.KindInt:
		for i := -span; i <= span; i++ {
			out = append(out, sp.Int64(int64(i)))
		}
	case logic.KindBool:
		out = []eval.Value{sp.Bool(false), sp.Bool(true)}
	case logic.KindGiven:
		out = s.elements(s.b.GivenName(t))
	case logic.KindPow:
		elems, ok := s.all(s.b.Elem(t), 9, 2)
		if !ok || len(elems) > 9 {
			return nil, false
		}
		for m := range 1 << len(elems) {
			var set []eval.Value
			for i, x := range elems {
				if m>>i&1 == 1 {
					set = append(set, x)
				}
			}
			out = append(out, sp.Set(set...))
		}
		if span == 3 {
			out = append(out, s.boundless(s.b.Elem(t))...)
		}
	case logic.KindProd:
		l, r := s.b.Pair(t)
		ls, ok1 := s.all(l, limit, span)
		rs, ok2 := s.all(r, limit, span)
		if !ok1 || !ok2 || len(ls)*len(rs) > limit {
			return nil, false
		}
		for _, x := range ls {
			for _, y := range rs {
				out = append(out, sp.Pair(x, y))
			}
		}
	}
	return out, len(out) <= limit
}

// random returns a random value of type t in the scope; sets have at most 4 members.
func (s scope) random(t logic.Type, span int) eval.Value {
	sp := s.model.Space
	switch s.b.TypeKind(t) {
	case logic.KindInt:
		return sp.Int64(int64(s.rand.IntN(2*span+1) - span))
	case logic.KindBool:
		return sp.Bool(s.rand.IntN(2) == 0)
	case logic.KindGiven:
		all := s.elements(s.b.GivenName(t))
		return all[s.rand.IntN(len(all))]
	case logic.KindPow:
		if all := s.boundless(s.b.Elem(t)); span == 3 && len(all) > 0 && s.rand.IntN(4) == 0 {
			return all[s.rand.IntN(len(all))]
		}
		var set []eval.Value
		for range s.rand.IntN(5) {
			set = append(set, s.random(s.b.Elem(t), 2))
		}
		return sp.Set(set...)
	}
	l, r := s.b.Pair(t)
	return sp.Pair(s.random(l, span), s.random(r, span))
}

// each calls f for the models that give ids values: all of them if these are at
// most limit, and else limit random ones.
func (s scope) each(ids []logic.Term, limit int, f func(*eval.Model)) {
	lists := make([][]eval.Value, len(ids))
	total := 1
	for i, id := range ids {
		vs, ok := s.all(s.b.Type(id), limit, 3)
		if !ok || total > limit {
			total = limit + 1
			break
		}
		lists[i], total = vs, total*len(vs)
	}
	for n := range min(total, limit) {
		for i, id := range ids {
			if total > limit {
				s.model.Values[s.b.Name(id)] = s.random(s.b.Type(id), 3)
			} else {
				s.model.Values[s.b.Name(id)] = lists[i][n%len(lists[i])]
				n /= len(lists[i])
			}
		}
		f(s.model)
	}
}

// valid fails the test if f is false in some model; it returns how often f was true
// and unknown.
func valid(t *testing.T, what string, b *logic.Bank, f logic.Term, limit int) (yes, unknown int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	ids := b.FreeIdents(f)
	for _, size := range sizes {
		s := newScope(b, r, size, random.Carriers(b, f))
		s.each(ids, limit, func(m *eval.Model) {
			switch eval.New(b, m, 20000).Pred(f) {
			case eval.True:
				yes++
			case eval.Unknown:
				unknown++
			case eval.False:
				data, _ := m.MarshalJSON()
				t.Fatalf("%s is false in %s", what, data)
			}
		})
		if len(s.model.Carriers) == 0 {
			break
		}
	}
	return yes, unknown
}
