package discharge

import (
	"slices"
	"strconv"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover"
)

// Part is one of the conjuncts that a goal comes to, when it is taken apart.
type Part struct {
	Goal     logic.Term
	Assuming []logic.Term // premises of the part, beside the hypotheses of the sequent
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
func Parts(s logic.Sequent, steps int64, stop func() bool) []Part {
	if steps == 0 {
		steps = prover.DefaultSteps
	}
	d := &dissection{b: s.Bank.Extend(), s: s, stop: stop, steps: steps}
	d.split(s.Goal, nil)
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
	b := d.b
	switch op := b.Op(goal); {
	case len(d.parts) >= maxParts:
	case op == logic.And:
		for i, p := range b.Args(goal) {
			// Earlier conjuncts are parts of their own, so later ones may use them.
			d.split(p, slices.Concat(assuming, b.Args(goal)[:i]))
		}
		return
	case op == logic.Implies:
		d.split(b.Arg(goal, 1), slices.Concat(assuming, []logic.Term{b.Arg(goal, 0)}))
		return
	case op == logic.Iff:
		l, r := b.Arg(goal, 0), b.Arg(goal, 1)
		d.split(r, slices.Concat(assuming, []logic.Term{l}))
		d.split(l, slices.Concat(assuming, []logic.Term{r}))
		return
	case op == logic.Forall:
		d.split(b.Instantiate(b.Arg(goal, 0), d.fresh(goal, assuming)), assuming)
		return
	}
	d.parts = append(d.parts, Part{Goal: goal, Assuming: assuming, Bank: b})
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
	s := logic.Sequent{Bank: d.b, Hyps: slices.Concat(d.s.Hyps, p.Assuming), Goal: p.Goal, Selected: slices.Clone(d.s.Selected)}
	if holds != 0 {
		s.Hyps = append(s.Hyps, holds)
	}
	for i := len(d.s.Hyps); i < len(s.Hyps); i++ {
		s.Selected = append(s.Selected, i) // what belongs to the part matters to it
	}
	return prover.Prove(s, prover.Options{Steps: max(steps, 1), Stop: d.stop}).Proof != nil
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
	b := d.b
	ids := b.FreeIdents(append(slices.Clone(p.Assuming), p.Goal)...)
	var out [][]logic.Term
	equal := func(x logic.Term, values []logic.Term) {
		var split []logic.Term
		for _, v := range values {
			split = append(split, b.App(logic.Eq, x, v))
		}
		out = append(out, split)
	}
	// What the author distinguishes comes first, the premises of the part before the
	// hypotheses: only the first few distinctions are tried.
	for _, h := range slices.Concat(p.Assuming, d.s.Hyps) {
		if !slices.ContainsFunc(b.FreeIdents(h), func(x logic.Term) bool { return slices.Contains(ids, x) }) {
			continue
		}
		switch {
		case b.Op(h) == logic.Or && len(b.Args(h)) <= maxCaseCount:
			out = append(out, b.Args(h))
		case b.Op(h) == logic.In && b.Op(b.Arg(h, 0)) == logic.Free && b.Op(b.Arg(h, 1)) == logic.SetExt:
			if values := b.Args(b.Arg(h, 1)); len(values) > 1 && len(values) <= maxCaseCount {
				equal(b.Arg(h, 0), values)
			}
		}
	}
	for _, x := range ids {
		if b.Type(x) == logic.BoolType {
			equal(x, []logic.Term{b.App(logic.TrueE), b.App(logic.FalseE)})
		}
	}
	d.overridden(p.Goal, func(at logic.Term) {
		for _, x := range ids {
			if x != at && b.Type(x) == b.Type(at) {
				out = append(out, []logic.Term{b.App(logic.Eq, x, at), b.App(logic.Neq, x, at)})
			}
		}
	})
	return out
}

// overridden visits the closed arguments for which t overrides functions.
func (d *dissection) overridden(t logic.Term, visit func(at logic.Term)) {
	b := d.b
	if b.Op(t) == logic.Ovr {
		for _, f := range b.Args(t)[1:] {
			if b.Op(f) != logic.SetExt {
				continue
			}
			for _, pair := range b.Args(f) {
				if b.Op(pair) == logic.Maplet && b.Depth(b.Arg(pair, 0)) == 0 {
					visit(b.Arg(pair, 0))
				}
			}
		}
	}
	for _, a := range b.Args(t) {
		d.overridden(a, visit)
	}
}
