package search

import (
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/euf"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/internal/solve"
	"github.com/gradine/gradine/prover/kernel"
)

// How much is asked of solutions: each round asks for all quantifiers again.
const (
	solveRounds    = 8
	solveSolutions = 6
)

// solveQuantifiers instantiates the active quantifiers with solutions of what would
// contradict them, and equations of sets with elements in which these might differ.
func (rs *resorts) solveQuantifiers() bool {
	if !rs.opts.Solve || rs.solved >= solveRounds {
		return false
	}
	rs.solved++
	before := rs.instances.made
	clauses, atoms := rs.sat.Clauses(), len(rs.atoms)
	for i := 0; i < len(rs.instances.quants); i++ {
		quantifier := rs.instances.quants[i]
		if quantifier.rule != nil || rs.sat.Value(quantifier.lit) <= 0 || quantifier.gen > rs.limit {
			continue
		}
		s := solve.New(&rs.known)
		var vals []logic.Term
		for _, typ := range quantifier.decls {
			vals = append(vals, s.Unknown(typ))
		}
		// What is solved for is the negation: an instance that is true already is of no use.
		body := rs.b.Instantiate(rs.b.Arg(quantifier.f, 0), vals)
		made := 0
		s.Solve(body, quantifier.lit.IsNeg(), func() {
			s.Fill(vals, func() {
				if made < solveSolutions && rs.instantiateIfUseful(quantifier, rs.values(s, vals), quantifier.gen) {
					made++
				}
			})
		})
		rs.steps += 8 * int64(s.Work)
	}
	rs.solveEquations()
	return rs.instances.made > before || rs.sat.Clauses() > clauses || len(rs.atoms) > atoms
}

func (rs *resorts) values(s *solve.Solver, vals []logic.Term) []logic.Term {
	out := make([]logic.Term, len(vals))
	for i, v := range vals {
		out[i] = s.Value(v)
	}
	return out
}

// solveEquations creates memberships of elements that would contradict the true
// equations between a set with a meaning of its own and another, or ∅, or a type.
func (rs *resorts) solveEquations() {
	for v := 0; v < len(rs.atoms); v++ {
		t := rs.atoms[v]
		if rs.b.Op(t) != logic.Eq || rs.truth(rs.nodes[v]) <= 0 || rs.gens[v] > rs.limit {
			continue
		}
		x, y := rs.b.Arg(t, 0), rs.b.Arg(t, 1)
		if rs.b.TypeKind(rs.b.Type(x)) != logic.KindPow || !rs.hasMeaning(x) && !rs.hasMeaning(y) && !rs.isWhole(x, y) && !rs.isWhole(y, x) {
			continue
		}
		rs.solveDifference(x, y, rs.gens[v])
		rs.solveDifference(y, x, rs.gens[v])
	}
}

// hasMeaning reports whether it can be said what the elements of t are.
func (rs *resorts) hasMeaning(t logic.Term) bool {
	op := rs.b.Op(t)
	return (kernel.Membership(op) != nil || op == logic.Compr) && op != logic.Empty && !rs.b.IsTypeExpr(t)
}

// isWhole reports whether s is a type and t is empty.
func (rs *resorts) isWhole(s, t logic.Term) bool {
	return rs.b.IsTypeExpr(s) && rs.b.Op(t) == logic.Empty
}

// solveDifference creates memberships in x and y of elements that x may have and y not.
func (rs *resorts) solveDifference(x, y logic.Term, gen int16) {
	s := solve.New(&rs.known)
	z := s.Unknown(rs.b.Elem(rs.b.Type(x)))
	made := 0
	s.Member(z, x, true, func() {
		s.Member(z, y, false, func() {
			s.Fill([]logic.Term{z}, func() {
				// One element is enough to refute equality; a few more guard against one that leads
				// nowhere.
				if made++; made > solveSolutions {
					return
				}
				z := s.Value(z)
				rs.ctx = gen
				for _, set := range []logic.Term{x, y} {
					key := askKey{askSolve, z, set}
					if rs.asked.has(key) {
						continue
					}
					rs.asked.add(key)
					if rs.b.IsTypeExpr(set) {
						rs.member(z, set)
						rs.axiom(sat.NoLit, "type", z)
					} else {
						rs.members.entailed(z, set)
					}
				}
			})
		})
	})
	rs.steps += 8 * int64(s.Work)
}

// termOf returns a term of type typ that matters and is not further away than what is worked on.
func (e *engine) termOf(typ logic.Type) (logic.Term, bool) {
	for node := euf.Node(1); int(node) < len(e.terms.relevant); node++ {
		if term := e.g.Term(node); e.terms.relevant[node] && e.b.Type(term) == typ && e.terms.gen[node] <= e.limit {
			return term, true
		}
	}
	return 0, false
}
