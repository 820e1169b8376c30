package explore

import (
	"slices"

	"github.com/gradine/gradine/lang/model"
)

// Elements of a carrier set that no constant distinguishes are interchangeable:
// formulas reach them through constants, variables and quantifiers only, so a
// permutation of them takes runs to runs, and keeps the truth of invariants, of
// the goal and of guards. A search under symmetry keeps, of all states that such
// permutations take to each other, the least one.

// permutation maps the elements of carrier sets, by name of the set.
type permutation map[string][]Value

// maxPermutations bounds the permutations that are tried for each state. Carrier
// sets that would pass it are left as they are, which is sound.
const maxPermutations = 720

// symmetries returns the permutations that no constant of the set-up tells
// apart, without the identity, and the carrier sets that they permute.
func symmetries(in *Instance, m *model.Machine) (perms []permutation, sets []string) {
	perms = []permutation{{}}
	for _, c := range m.Contexts {
		for _, set := range c.Sets {
			n := len(in.Carriers[set.Name])
			if n < 2 || n > 6 || !in.indistinct(m, set.Name, n) {
				continue
			}
			orders := orders(n)
			if len(perms)*len(orders) > maxPermutations {
				continue
			}
			sets = append(sets, set.Name)
			var next []permutation
			for _, p := range perms {
				for _, order := range orders {
					q := permutation{set.Name: order}
					for name, o := range p {
						q[name] = o
					}
					next = append(next, q)
				}
			}
			perms = next
		}
	}
	return perms[1:], sets
}

// indistinct reports whether every constant is the same after any two
// neighbouring elements of a carrier set are exchanged.
func (in *Instance) indistinct(m *model.Machine, set string, n int) bool {
	for i := range n - 1 {
		swap := make([]Value, n)
		for k := range swap {
			swap[k] = Value(k)
		}
		swap[i], swap[i+1] = swap[i+1], swap[i]
		for _, c := range m.Contexts {
			for _, k := range c.Constants {
				if in.defs[k.Term] != 0 {
					continue
				}
				s := in.space.shape(in.bank.Type(k.Term))
				if v := in.values[k.Name]; in.space.permute(s, v, permutation{set: swap}) != v {
					return false
				}
			}
		}
	}
	return true
}

// orders returns all permutations of 0‥n−1, the identity first.
func orders(n int) [][]Value {
	if n == 0 {
		return [][]Value{{}}
	}
	var out [][]Value
	for at := n - 1; at >= 0; at-- {
		for _, rest := range orders(n - 1) {
			out = append(out, slices.Insert(slices.Clone(rest), at, Value(n-1)))
		}
	}
	return out
}

// permute applies a permutation to a value.
func (u *space) permute(s *shape, v Value, by permutation) Value {
	switch {
	case s.l != nil:
		a, b := u.split(s, v)
		return u.pair(s, u.permute(s.l, a, by), u.permute(s.r, b, by))
	case s.elem != nil:
		if !s.elem.moves(by) {
			return v
		}
		var out []Value
		for _, x := range u.elems(s, v, nil) {
			out = append(out, u.permute(s.elem, x, by))
		}
		return u.set(s, out)
	case s.name != "":
		if order, ok := by[s.name]; ok {
			return order[v]
		}
	}
	return v
}

// moves reports whether a permutation can change values of s.
func (s *shape) moves(by permutation) bool {
	switch {
	case s.l != nil:
		return s.l.moves(by) || s.r.moves(by)
	case s.elem != nil:
		return s.elem.moves(by)
	}
	return by[s.name] != nil
}

// canonical replaces the after-values of f by those of the representative, and
// returns those that were there.
func (s *search) canonical(f *frame) (was []Value) {
	p := s.p
	was = make([]Value, len(p.vars))
	for i, v := range p.vars {
		was[i] = f.slots[v.primed]
	}
	best := slices.Clone(was)
	next := make([]Value, len(was))
	for _, perm := range s.perms {
		order := 0
		for i, v := range p.vars {
			next[i] = p.u.permute(v.shape, was[i], perm)
			if order == 0 {
				order = p.u.compare(v.shape, next[i], best[i])
			}
			if order > 0 {
				break
			}
		}
		if order < 0 {
			copy(best, next)
		}
	}
	p.setAfter(f, best)
	return was
}

func (p *program) setAfter(f *frame, values []Value) {
	for i, v := range p.vars {
		f.slots[v.primed] = values[i]
	}
}

// packCanonical packs the representative of the after-values of f.
func (s *search) packCanonical(f *frame) []byte {
	if len(s.perms) == 0 {
		return s.p.pack(nil, f)
	}
	was := s.canonical(f)
	state := s.p.pack(nil, f)
	s.p.setAfter(f, was)
	return state
}
