package refute

import (
	"maps"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// A hypothesis card(S)=1000 has no model in any scope, and a scope with so many elements would be too large. What is false in addition to
// it mostly is so with few elements of S already: then the others are like one of them. Such a model is found without the
// hypothesis, and stretched before it is confirmed.

const (
	maxStretched = 5_000  // elements of a carrier set
	maxCopies    = 50_000 // pairs and elements that stretching adds to a model
)

// stretches reports whether t, a condition in which definitions are unfolded, says only that a carrier set has more elements than
// scopes have, and notes how many it needs.
func (f *finder) stretches(t logic.Term) bool {
	bank := f.s.Bank
	args := bank.Args(t)
	if len(args) != 2 {
		return false
	}
	more, at := int64(0), 0 // which side is the larger one, and by how much at least
	switch bank.Op(t) {
	case logic.Eq:
		if bank.Op(args[0]) != logic.Card {
			at = 1
		}
	case logic.Ge:
	case logic.Gt:
		more = 1
	case logic.Le:
		at = 1
	case logic.Lt:
		more, at = 1, 1
	default:
		return false
	}
	count, number := args[at], args[1-at]
	if bank.Op(count) != logic.Card || bank.Op(bank.Arg(count, 0)) != logic.Given || bank.Op(number) != logic.Int {
		return false
	}
	size := bank.Value(number)
	if !size.IsInt64() || size.Int64()+more < maxNamed || size.Int64()+more > maxStretched {
		return false
	}
	if f.stretched == nil {
		f.stretched = map[string]int{}
	}
	name := bank.GivenName(bank.Elem(bank.Type(bank.Arg(count, 0))))
	f.stretched[name] = max(f.stretched[name], int(size.Int64()+more))
	return true
}

// stretch returns m with as many elements of carrier sets as hypotheses ask for. The new ones are in the sets that have all old ones,
// and have the values of an old one, that which occurs least, in the relations that have values for all old ones. It returns m itself
// where that would be too large.
func (f *finder) stretch(m *eval.Model) *eval.Model {
	for _, carrier := range slices.Sorted(maps.Keys(f.stretched)) {
		s := stretching{space: m.Space}
		size := f.stretched[carrier]
		for i := range max(m.Carriers[carrier], 0) {
			s.old = append(s.old, m.Space.Element(carrier, i))
		}
		if len(s.old) == 0 || len(s.old) >= size {
			continue
		}
		names := slices.Sorted(maps.Keys(m.Values))
		s.like = slices.MinFunc(s.old, func(x, y eval.Value) int { return s.occurrences(m, names, x) - s.occurrences(m, names, y) })
		for i := len(s.old); i < size; i++ {
			s.copies = append(s.copies, m.Space.Element(carrier, i))
		}
		wide := m.Clone()
		wide.Carriers[carrier] = size
		for _, name := range names {
			wide.Values[name] = s.of(m.Values[name])
		}
		if s.made > maxCopies {
			return m
		}
		m = wide
	}
	return m
}

// stretching puts copies of an element next to it.
type stretching struct {
	space       *eval.Space
	old, copies []eval.Value
	like        eval.Value // what the copies are like
	made        int
}

// occurrences counts the members in which element x occurs of the listed sets that are values of m.
func (s *stretching) occurrences(m *eval.Model, names []string, x eval.Value) (n int) {
	for _, name := range names {
		if v := m.Values[name]; s.space.Kind(v) != eval.Set {
			n += s.in(x, v)
		} else {
			for _, member := range s.space.Members(v) {
				n += s.in(x, member)
			}
		}
	}
	return n
}

// in returns 1 if x occurs in v, and otherwise 0.
func (s *stretching) in(x, v eval.Value) int {
	var parts []eval.Value
	switch s.space.Kind(v) {
	case eval.Pair:
		parts = s.space.Parts(v)
	case eval.Set:
		parts = s.space.Members(v)
	}
	if v == x || slices.ContainsFunc(parts, func(part eval.Value) bool { return s.in(x, part) > 0 }) {
		return 1
	}
	return 0
}

// of returns set v with the copies, if it has all old elements, or pairs all of them with something; anything else as it is.
func (s *stretching) of(v eval.Value) eval.Value {
	if s.space.Kind(v) != eval.Set {
		return v
	}
	members := slices.Clone(s.space.Members(v))
	first := func(member eval.Value) eval.Value {
		if s.space.Kind(member) == eval.Pair {
			return s.space.Parts(member)[0]
		}
		return member
	}
	// A set that lacks an old element has no reason to hold its copies.
	for _, x := range s.old {
		if !slices.ContainsFunc(members, func(member eval.Value) bool { return first(member) == x }) {
			return v
		}
	}
	for _, member := range s.space.Members(v) {
		if first(member) != s.like {
			continue
		}
		// The new members of all sets together are bounded, since sets of sets multiply them.
		if s.made += len(s.copies); s.made > maxCopies {
			return v
		}
		for _, x := range s.copies {
			if member != s.like {
				x = s.space.Pair(x, s.space.Parts(member)[1])
			}
			members = append(members, x)
		}
	}
	return s.space.Set(members...)
}
