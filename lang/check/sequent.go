package check

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic"
)

// Reader reads formulas and sequents from text in Rodin's stored language. It
// remembers the syntax of what it read, as hypotheses recur from sequent to
// sequent. The zero Reader is ready for use, by one goroutine.
type Reader struct {
	// Bank, if not nil, is for the terms of all sequents, which are then typed once; else each
	// sequent has a bank of its own.
	Bank *logic.Bank

	predicates map[string]*lang.Formula
	types      map[string]*lang.Formula
	typed      map[string][]typed // by text, in Bank
}

// typed is what a text meant where its environment gave these answers.
type typed struct {
	term    logic.Term
	answers []Typing // NoType for names without a type
}

// again returns what text meant in an environment that says the same as env, if there was one.
func (r *Reader) again(env Env, text string) (logic.Term, bool) {
	for _, t := range r.typed[text] {
		if !slices.ContainsFunc(t.answers, func(a Typing) bool { return env[a.Name] != a.Type }) {
			return t.term, true
		}
	}
	return 0, false
}

// maxRemembered bounds the memory of a Reader.
const maxRemembered = 1 << 16

// remembered returns the syntax of text.
func remembered(memory *map[string]*lang.Formula, text string, parse func(string, lang.Dialect) (*lang.Formula, []lang.Problem)) (*lang.Formula, error) {
	if f, ok := (*memory)[text]; ok {
		return f, nil
	}
	f, problems := parse(text, lang.Stored)
	if len(problems) > 0 {
		p := problems[0]
		return nil, fmt.Errorf("%s [%s] in %q", p.Message, p.Code, text)
	}
	if *memory == nil || len(*memory) > maxRemembered {
		*memory = map[string]*lang.Formula{}
	}
	(*memory)[text] = f
	return f, nil
}

func firstError(found []diag.Diagnostic, text string) error {
	return fmt.Errorf("%s [%s] in %q", found[0].Message, found[0].Code, text)
}

// Predicate reads text as a predicate over env. All its identifiers must have
// a type in env. Sequents of one model repeat their hypotheses: a text is typed once for each set of answers that its
// environments give about its names.
func (r *Reader) Predicate(bank *logic.Bank, env Env, text string) (logic.Term, error) {
	shared := bank == r.Bank
	if shared {
		if term, ok := r.again(env, text); ok {
			return term, nil
		}
	}
	formula, err := remembered(&r.predicates, text, lang.ParsePredicate)
	if err != nil {
		return 0, err
	}
	// The answers of the environment are recorded: with the same answers the text has the same type again.
	var answers []Typing
	t := newTyping(bank, func(name string) (logic.Type, bool) {
		typ, ok := env.lookup(name)
		if answer := (Typing{name, typ}); !slices.Contains(answers, answer) {
			answers = append(answers, answer)
		}
		return typ, ok
	}, "")
	term, _ := t.formula(formula)
	if found := t.problems(); len(found) > 0 {
		return 0, firstError(found, text)
	}
	if inferred := t.inferred(); len(inferred) > 0 {
		return 0, fmt.Errorf("identifier %s has no type, in %q", quote(inferred[0].Name), text)
	}
	if shared {
		if r.typed == nil || len(r.typed) > maxRemembered {
			r.typed = map[string][]typed{}
		}
		r.typed[text] = append(r.typed[text], typed{term, answers})
	}
	return term, nil
}

// Type reads text as a type. Identifiers in it are carrier sets.
func (r *Reader) Type(b *logic.Bank, text string) (logic.Type, error) {
	f, err := remembered(&r.types, text, lang.ParseType)
	if err != nil {
		return logic.NoType, err
	}
	typ, _, found := Type(b, nil, f)
	if len(found) > 0 {
		return logic.NoType, firstError(found, text)
	}
	return typ, nil
}

// Env reads types, the texts of the types of identifiers. Carrier sets that
// only occur inside of types are added.
func (r *Reader) Env(bank *logic.Bank, types map[string]string) (Env, error) {
	env := Env{}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		typ, err := r.Type(bank, types[name])
		if err != nil {
			return nil, fmt.Errorf("type of %s: %w", quote(name), err)
		}
		env[name] = typ
	}
	for _, name := range slices.Sorted(maps.Keys(types)) {
		for _, g := range givenTypes(bank, env[name]) {
			set := bank.GivenName(g)
			if typ, ok := env[set]; ok && typ != bank.PowType(g) {
				return nil, fmt.Errorf("identifier %s is a carrier set in the type of %s", quote(set), quote(name))
			}
			env[set] = bank.PowType(g)
		}
	}
	return env, nil
}

// givenTypes returns the carrier sets in typ, as types.
func givenTypes(bank *logic.Bank, typ logic.Type) []logic.Type {
	switch bank.TypeKind(typ) {
	case logic.KindGiven:
		return []logic.Type{typ}
	case logic.KindPow:
		return givenTypes(bank, bank.Elem(typ))
	case logic.KindProd:
		left, right := bank.Pair(typ)
		return append(givenTypes(bank, left), givenTypes(bank, right)...)
	}
	return nil
}

// Sequent reads a sequent. Selected are indices of hyps.
func (r *Reader) Sequent(types map[string]string, hyps []string, selected []int, goal string) (logic.Sequent, error) {
	bank := r.Bank
	if bank == nil {
		bank = logic.NewBank()
	}
	env, err := r.Env(bank, types)
	if err != nil {
		return logic.Sequent{}, err
	}
	sequent := logic.Sequent{Bank: bank, Hyps: make([]logic.Term, len(hyps)), Selected: selected}
	for i, h := range hyps {
		if sequent.Hyps[i], err = r.Predicate(bank, env, h); err != nil {
			return logic.Sequent{}, fmt.Errorf("hypothesis %d: %w", i, err)
		}
	}
	for _, i := range selected {
		if i < 0 || i >= len(hyps) {
			return logic.Sequent{}, fmt.Errorf("selected hypothesis %d of %d", i, len(hyps))
		}
	}
	if sequent.Goal, err = r.Predicate(bank, env, goal); err != nil {
		return logic.Sequent{}, fmt.Errorf("goal: %w", err)
	}
	return sequent, nil
}

// ReadSequent reads one sequent; for many, use one Reader.
func ReadSequent(types map[string]string, hyps []string, selected []int, goal string) (logic.Sequent, error) {
	return new(Reader).Sequent(types, hyps, selected, goal)
}

// Predicate reads one predicate over env; for many, use one Reader.
func Predicate(b *logic.Bank, env Env, text string) (logic.Term, error) {
	return new(Reader).Predicate(b, env, text)
}
