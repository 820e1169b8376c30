package refute

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/prover/kernel"
)

// A Claim is a condition of a counterexample that the evaluator does not decide, such as a hypothesis
// about all integers. It holds in the model because it follows from the equations that describe the
// model: the kernel has accepted the certificate.
type Claim struct {
	eval.Condition
	// Sequent has the equations as hypotheses, none if the condition is valid, and the condition as
	// its goal. It is bare, in a bank of its own.
	Sequent logic.Sequent
	// Certificate proves Sequent without the well-definedness of hypotheses or goal, which is not granted.
	Certificate []byte
}

// A Prover looks for a certificate of a bare sequent within a number of steps, and returns those that
// it took; nil means that it found none. It must not use that hypotheses or goal are well-defined.
// It is not trusted: the proof kernel checks what it finds.
type Prover func(s logic.Sequent, steps int) (certificate []byte, taken int)

const (
	// maxClaims bounds the conditions of one counterexample that are claimed.
	maxClaims = 12
	// validSteps is what the search may spend to show that a condition is valid, in any model.
	validSteps = 60_000
	// soonSteps is what it may spend on that before the model is asked.
	soonSteps = 3_000
	// claimSteps is what it may spend to show that one holds in a given model.
	claimSteps = 40_000
	// claimsSteps bounds what all claims of one search take.
	claimsSteps = 240_000
)

// claims returns claims for conditions of m, or false if one is not shown.
func (f *finder) claims(m *eval.Model, conditions []eval.Condition) (out []Claim, ok bool) {
	for _, condition := range conditions {
		c, ok := f.claimOne(m, condition)
		if !ok {
			return nil, false
		}
		out = append(out, c)
	}
	return out, true
}

// claimOne shows that a condition of a countermodel holds for all values that the model leaves out.
func (f *finder) claimOne(m *eval.Model, condition eval.Condition) (Claim, bool) {
	// Most of what mentions identifiers holds only for some of their values: whether it is valid is asked shortly at first.
	first := validSteps
	if len(f.s.Bank.FreeIdents(condition.Of(f.s))) > 0 {
		first = soonSteps
	}
	if c, ok := f.validFor(condition, first); ok {
		return c, true
	}
	if certificate := f.lent[condition]; certificate != nil {
		if c, ok := f.certified(m, condition, certificate); ok {
			return c, true
		}
	}
	if f.falsified(m, condition.Of(f.s)) {
		return Claim{}, false
	}
	equations := f.equations(m, condition)
	if len(equations) == 0 {
		return f.validFor(condition, validSteps)
	}
	// Models that differ in what the condition does not mention have the same equations.
	key := fmt.Sprint(condition, equations)
	c, seen := f.sought[key]
	if !seen {
		c = f.shown(Claim{Condition: condition, Sequent: f.about(equations, condition)}, claimSteps)
		f.sought[key] = c
	}
	if c.Certificate != nil {
		return c, true
	}
	return f.validFor(condition, validSteps)
}

// validFor returns the claim that condition holds in any model, if that many steps, or those of an earlier search, show it.
func (f *finder) validFor(condition eval.Condition, steps int) (Claim, bool) {
	c, seen := f.valid[condition]
	if c.Certificate == nil && (!seen || f.spent[condition] < steps) {
		c = f.shown(Claim{Condition: condition, Sequent: f.about(nil, condition)}, steps)
		f.valid[condition], f.spent[condition] = c, steps
	}
	return c, c.Certificate != nil
}

// certified returns the claim that condition holds in m, if the kernel accepts its certificate.
func (f *finder) certified(m *eval.Model, condition eval.Condition, certificate []byte) (Claim, bool) {
	c := Claim{condition, f.about(nil, condition), certificate}
	if c.accept(certificate) == nil {
		return c, true
	}
	c.Sequent = f.about(f.equations(m, condition), condition)
	return c, c.accept(certificate) == nil
}

// about returns the sequent that says that a condition follows from equations.
func (f *finder) about(equations []logic.Term, condition eval.Condition) logic.Sequent {
	return logic.Sequent{Bank: f.s.Bank, Hyps: equations, Goal: condition.Of(f.s)}.Bare()
}

// shown returns c with a certificate, if one is found.
func (f *finder) shown(c Claim, steps int) Claim {
	steps = min(steps, f.proving, f.steps)
	if steps <= 0 || f.prove == nil {
		return c
	}
	certificate, taken := f.prove(c.Sequent, steps)
	f.steps -= taken
	f.proving -= taken
	if certificate != nil && c.accept(certificate) == nil {
		c.Certificate = certificate
	}
	return c
}

// accept reports why the kernel does not accept a certificate of c, nil if it does.
func (c *Claim) accept(certificate []byte) error {
	// The certificate brings terms of its own: it is read into a copy.
	s := c.Sequent.Bare()
	proof, err := kernel.Decode(s.Bank, certificate)
	if err != nil {
		return err
	}
	res, err := kernel.Check(s, proof)
	if err != nil {
		return err
	}
	if len(res.WDs) > 0 || res.WDGoal {
		return fmt.Errorf("refute: the certificate takes for granted that formulas are well-defined")
	}
	// Equations that hold in a model do not contradict each other.
	if res.Vacuous() {
		return fmt.Errorf("refute: the equations are inconsistent")
	}
	return nil
}

// maxNamedElements bounds the carrier sets whose elements equations name.
const maxNamedElements = 8

// equations describe what model m says of the identifiers of a condition, and of carrier sets. Each
// holds in the model. What has no short description is left out.
func (f *finder) equations(m *eval.Model, condition eval.Condition) (out []logic.Term) {
	bank := f.s.Bank
	elements := map[string][]logic.Term{}
	carrierOf := func(name string) {
		if _, known := elements[name]; known {
			return
		}
		elements[name] = nil
		for i := range min(max(m.Carriers[name], 0), maxNamedElements) {
			elements[name] = append(elements[name], f.fresh(fmt.Sprintf("%s·%d", name, i), bank.GivenType(name)))
		}
	}
	named := true
	element := func(carrier string, i int) logic.Term {
		carrierOf(carrier)
		if i < 0 || i >= len(elements[carrier]) {
			named = false
			return f.fresh(carrier+"·other", bank.GivenType(carrier))
		}
		return elements[carrier][i]
	}
	todo := bank.FreeIdents(condition.Of(f.s))
	for i := 0; i < len(todo); i++ { // grows
		id := todo[i]
		typ := bank.Type(id)
		carriersIn(bank, typ, carrierOf)
		if value, ok := m.Values[bank.Name(id)]; ok {
			named = true
			if t, ok := m.Term(bank, typ, value, element); ok && named {
				out = append(out, bank.App(logic.Eq, id, t))
				continue
			}
		}
		// complete has given it the value of its definition, or none.
		if t, defined := f.definition[id]; defined {
			out = append(out, bank.App(logic.Eq, id, t))
			for _, other := range bank.FreeIdents(t) {
				if !slices.Contains(todo, other) {
					todo = append(todo, other)
				}
			}
		}
	}
	f.typesOf(condition.Of(f.s), carrierOf)
	for _, name := range f.carriers {
		terms := elements[name]
		if _, mentioned := elements[name]; mentioned && m.Carriers[name] == eval.Infinite {
			out = append(out, bank.Not(bank.App(logic.Finite, bank.Given(name))))
		}
		if len(terms) == 0 || len(terms) != m.Carriers[name] {
			// Some elements of a larger set, or of an infinite one: they are different.
			out = append(out, different(bank, terms)...)
			continue
		}
		out = append(out, bank.App(logic.Eq, bank.Given(name), bank.App(logic.SetExt, terms...)))
		out = append(out, different(bank, terms)...)
	}
	return out
}

// different says that terms denote different things.
func different(bank *logic.Bank, terms []logic.Term) (out []logic.Term) {
	for i := range terms {
		for j := range i {
			out = append(out, bank.App(logic.Neq, terms[j], terms[i]))
		}
	}
	return out
}

// carriersIn calls f with the carrier sets in a type.
func carriersIn(bank *logic.Bank, typ logic.Type, f func(name string)) {
	switch bank.TypeKind(typ) {
	case logic.KindGiven:
		f(bank.GivenName(typ))
	case logic.KindPow:
		carriersIn(bank, bank.Elem(typ), f)
	case logic.KindProd:
		left, right := bank.Pair(typ)
		carriersIn(bank, left, f)
		carriersIn(bank, right, f)
	}
}

// typesOf calls visit with the carrier sets in the types of t and of its parts.
func (f *finder) typesOf(t logic.Term, visit func(name string)) {
	bank := f.s.Bank
	seen := map[logic.Term]bool{}
	var walk func(t logic.Term)
	walk = func(t logic.Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		carriersIn(bank, bank.Type(t), visit)
		if bank.Op(t).IsBinder() {
			for _, typ := range bank.Decls(t) {
				carriersIn(bank, typ, visit)
			}
		}
		for _, a := range bank.Args(t) {
			walk(a)
		}
	}
	walk(t)
}

// fresh returns an identifier that the sequent does not have.
func (f *finder) fresh(name string, typ logic.Type) logic.Term {
	for f.names[name] {
		name += "·"
	}
	return f.s.Bank.Free(name, typ)
}
