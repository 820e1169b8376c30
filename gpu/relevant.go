package gpu

import (
	"slices"

	"github.com/gradine/gradine/logic"
)

// truth is what facts say of a predicate.
type truth int8

const (
	unknown truth = iota
	isTrue
	isFalse
)

// not is the truth of the negation.
func (t truth) not() truth { return [...]truth{unknown, isFalse, isTrue}[t] }

// facts are the values of control points, by identifier: what hypotheses say to be a number.
type facts struct {
	*logic.Bank
	values map[logic.Term]logic.Term
}

// relevant is s without the hypotheses about other points of control than the two threads are at:
// each invariant of a kernel speaks of one point, and they are many. A proof of what it returns
// is one of s; nothing is lost either, for what it leaves out follows from what stays.
func relevant(s logic.Sequent) logic.Sequent {
	f := &facts{s.Bank, map[logic.Term]logic.Term{}}
	if s.Bank.Op(s.Goal) == logic.Implies {
		premise := s.Bank.Arg(s.Goal, 0)
		if f.of(premise) == isFalse { // an event that leads elsewhere
			return logic.Sequent{Bank: s.Bank, Goal: s.Goal}
		}
		f.learn(premise)
	}
	for known := -1; known < len(f.values); {
		known = len(f.values)
		for _, h := range s.Hyps {
			f.learn(h)
		}
	}
	out := logic.Sequent{Bank: s.Bank, Goal: s.Goal}
	for i, h := range s.Hyps {
		if s.Bank.Op(h) == logic.Implies && f.of(s.Bank.Arg(h, 0)) == isFalse {
			continue
		}
		if slices.Contains(s.Selected, i) {
			out.Selected = append(out.Selected, len(out.Hyps))
		}
		out.Hyps = append(out.Hyps, h)
	}
	return out
}

// learn takes up what p, which holds, says of values.
func (f *facts) learn(p logic.Term) {
	switch args := f.Args(p); f.Op(p) {
	case logic.And:
		for _, q := range args {
			f.learn(q)
		}
	case logic.Implies:
		if f.of(args[0]) == isTrue {
			f.learn(args[1])
		}
	case logic.Eq:
		// The first value stays: hypotheses that another one follows from are not left out by it.
		if _, known := f.values[args[0]]; !known && f.Op(args[0]) == logic.Free && f.Op(args[1]) == logic.Int {
			f.values[args[0]] = args[1]
		}
	}
}

// of is the truth of p.
func (f *facts) of(p logic.Term) truth {
	switch args := f.Args(p); f.Op(p) {
	case logic.Not:
		return f.of(args[0]).not()
	case logic.And:
		return f.all(args, isFalse)
	case logic.Or:
		return f.all(args, isTrue)
	case logic.Eq:
		a, b := f.value(args[0]), f.value(args[1])
		switch {
		case f.Op(a) != logic.Int || f.Op(b) != logic.Int:
			return unknown
		case a == b:
			return isTrue
		}
		return isFalse
	}
	return unknown
}

// all is the truth of several predicates, of which one decides if it is as decides says.
func (f *facts) all(ps []logic.Term, decides truth) truth {
	result := decides.not()
	for _, p := range ps {
		switch f.of(p) {
		case decides:
			return decides
		case unknown:
			result = unknown
		}
	}
	return result
}

func (f *facts) value(t logic.Term) logic.Term {
	if v, ok := f.values[t]; ok {
		return v
	}
	return t
}
