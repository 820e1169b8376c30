package explain

import (
	"slices"
	"strconv"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover"
)

// Part is one of the conjuncts that a goal comes to, when it is taken apart.
type Part struct {
	Goal     logic.Term
	Assuming []logic.Term // premises of the part, in addition to the hypotheses of the sequent
	Bank     *logic.Bank
	Proved   bool
	Cases    []Case // of one that is not proved: a distinction that settles some of its cases
}

// Case is one case of a distinction.
type Case struct {
	Holds  logic.Term
	Proved bool
}

// Bounds on what is looked at.
const (
	maxParts     = 24
	maxLeft      = 3 // parts whose cases are looked at
	maxSplits    = 6 // distinctions tried for one part
	maxCaseCount = 4
)

// The parts of a goal share a fourth of the budget of its own search, and each case
// gets a hundredth: what is easy shows with that, and a person waits for it.
const (
	partShare = 4
	caseShare = 100
)

// Parts takes the goal of an open sequent, in a frozen bank, apart and proves each part by itself,
// those before it assumed. Of a part that is left it looks for a distinction of
// cases that settles some of them. Stop is asked whether to end early.
func Parts(sequent logic.Sequent, steps int64, stop func() bool) []Part {
	if steps == 0 {
		steps = prover.DefaultSteps
	}
	d := &dissection{b: sequent.Bank.Extend(), s: sequent, stop: stop, steps: steps}
	d.split(sequent.Goal, nil)
	left := 0
	for i := range d.parts {
		p := &d.parts[i]
		p.Proved = d.proves(p, 0, steps/partShare/int64(len(d.parts)))
		if !p.Proved && left < maxLeft {
			left++
			p.Cases = d.cases(p)
		}
	}
	return d.parts
}

type dissection struct {
	b     *logic.Bank
	s     logic.Sequent
	steps int64
	stop  func() bool
	parts []Part
}

// split adds the parts of goal under assumptions.
func (d *dissection) split(goal logic.Term, assuming []logic.Term) {
	bank := d.b
	switch op := bank.Op(goal); {
	case len(d.parts) >= maxParts:
	case op == logic.And:
		for i, predicate := range bank.Args(goal) {
			// Earlier conjuncts are parts of their own, so later ones may use them.
			d.split(predicate, slices.Concat(assuming, bank.Args(goal)[:i]))
		}
		return
	case op == logic.Implies:
		d.split(bank.Arg(goal, 1), slices.Concat(assuming, []logic.Term{bank.Arg(goal, 0)}))
		return
	case op == logic.Iff:
		left, right := bank.Arg(goal, 0), bank.Arg(goal, 1)
		d.split(right, slices.Concat(assuming, []logic.Term{left}))
		d.split(left, slices.Concat(assuming, []logic.Term{right}))
		return
	case op == logic.Forall:
		d.split(bank.Instantiate(bank.Arg(goal, 0), d.fresh(goal, assuming)), assuming)
		return
	}
	d.parts = append(d.parts, Part{Goal: goal, Assuming: assuming, Bank: bank})
}

// fresh returns identifiers for the variables that t binds: called as they are,
// with a number where the name is taken.
func (d *dissection) fresh(t logic.Term, assuming []logic.Term) []logic.Term {
	taken := map[string]bool{}
	for _, x := range d.b.FreeIdents(slices.Concat(d.s.Hyps, assuming, []logic.Term{d.s.Goal, t})...) {
		taken[d.b.Name(x)] = true
	}
	hint, _ := d.b.Hint(t)
	var out []logic.Term
	for i, typ := range d.b.Decls(t) {
		name := "x"
		if i < len(hint.Names) {
			name = hint.Names[i]
		}
		for base, n := name, 1; taken[name]; n++ {
			name = base + strconv.Itoa(n)
		}
		taken[name] = true
		out = append(out, d.b.Free(name, typ))
	}
	return out
}

// proves reports whether p is proved with some steps, where one more predicate
// holds unless it is 0.
func (d *dissection) proves(p *Part, holds logic.Term, steps int64) bool {
	if d.stop() {
		return false
	}
	sequent := logic.Sequent{Bank: d.b, Hyps: slices.Concat(d.s.Hyps, p.Assuming), Goal: p.Goal, Selected: slices.Clone(d.s.Selected)}
	if holds != 0 {
		sequent.Hyps = append(sequent.Hyps, holds)
	}
	for i := len(d.s.Hyps); i < len(sequent.Hyps); i++ {
		sequent.Selected = append(sequent.Selected, i) // what belongs to the part matters to it
	}
	return prover.Prove(sequent, prover.Options{Steps: max(steps, 1), Stop: d.stop}).Proof != nil
}

// cases returns the first distinction that settles some cases of p and not all.
func (d *dissection) cases(p *Part) []Case {
	for i, split := range d.distinctions(p) {
		if i == maxSplits {
			break
		}
		var out []Case
		proved := 0
		for _, holds := range split {
			ok := d.proves(p, holds, d.steps/caseShare)
			if ok {
				proved++
			}
			out = append(out, Case{holds, ok})
		}
		if proved > 0 {
			return out
		}
	}
	return nil
}

// distinctions lists ways to distinguish cases of p, each a list of predicates of
// which one holds: alternatives among what is assumed of identifiers of the part,
// values of an enumeration or of type BOOL, and whether an identifier is where a
// function is overridden.
func (d *dissection) distinctions(p *Part) [][]logic.Term {
	bank := d.b
	ids := bank.FreeIdents(append(slices.Clone(p.Assuming), p.Goal)...)
	var out [][]logic.Term
	equal := func(term logic.Term, values []logic.Term) {
		var split []logic.Term
		for _, variable := range values {
			split = append(split, bank.App(logic.Eq, term, variable))
		}
		out = append(out, split)
	}
	// What the author distinguishes comes first, the premises of the part before the
	// hypotheses: only the first few distinctions are tried.
	for _, hypothesis := range slices.Concat(p.Assuming, d.s.Hyps) {
		if !slices.ContainsFunc(bank.FreeIdents(hypothesis), func(term logic.Term) bool { return slices.Contains(ids, term) }) {
			continue
		}
		switch {
		case bank.Op(hypothesis) == logic.Or && len(bank.Args(hypothesis)) <= maxCaseCount:
			out = append(out, bank.Args(hypothesis))
		case bank.Op(hypothesis) == logic.In && bank.Op(bank.Arg(hypothesis, 0)) == logic.Free && bank.Op(bank.Arg(hypothesis, 1)) == logic.SetExt:
			if values := bank.Args(bank.Arg(hypothesis, 1)); len(values) > 1 && len(values) <= maxCaseCount {
				equal(bank.Arg(hypothesis, 0), values)
			}
		}
	}
	for _, term := range ids {
		if bank.Type(term) == logic.BoolType {
			equal(term, []logic.Term{bank.App(logic.TrueE), bank.App(logic.FalseE)})
		}
	}
	d.overridden(p.Goal, func(at logic.Term) {
		for _, term := range ids {
			if term != at && bank.Type(term) == bank.Type(at) {
				out = append(out, []logic.Term{bank.App(logic.Eq, term, at), bank.App(logic.Neq, term, at)})
			}
		}
	})
	return out
}

// overridden visits the closed arguments for which t overrides functions.
func (d *dissection) overridden(t logic.Term, visit func(at logic.Term)) {
	bank := d.b
	if bank.Op(t) == logic.Ovr {
		for _, f := range bank.Args(t)[1:] {
			if bank.Op(f) != logic.SetExt {
				continue
			}
			for _, pair := range bank.Args(f) {
				if bank.Op(pair) == logic.Maplet && bank.Depth(bank.Arg(pair, 0)) == 0 {
					visit(bank.Arg(pair, 0))
				}
			}
		}
	}
	for _, a := range bank.Args(t) {
		d.overridden(a, visit)
	}
}
