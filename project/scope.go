package project

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Machine is what gradine.toml says of m.
func (p *Project) Machine(m *model.Machine) config.Machine {
	if p.Config == nil {
		return config.Machine{}
	}
	return p.Config.Machine[m.Name]
}

// Scope types the formulas that gradine.toml and flags write about a machine.
type Scope struct {
	bank *logic.Bank
	env  check.Env
}

// Bank is where the terms of s are, and that of set-ups made with it.
func (s Scope) Bank() *logic.Bank { return s.bank }

// Formula reads a predicate or an expression of the text language, by lang.ParsePredicate
// or lang.ParseExpression.
func (s Scope) Formula(text string, parse func(string, lang.Dialect) (*lang.Formula, []lang.Problem)) (logic.Term, error) {
	formula, problems := parse(text, lang.Text)
	if len(problems) > 0 {
		return 0, fmt.Errorf("%q: %s", text, problems[0].Message)
	}
	// Before types: of what does not exist, a message that it has none does not help.
	unknown := ""
	formula.Free(func(name string) {
		if _, ok := s.env[name]; !ok && unknown == "" {
			unknown = name
		}
	})
	if unknown != "" {
		hint := diag.DidYouMean(unknown, slices.Sorted(maps.Keys(s.env)))
		if hint != "" {
			hint = "; " + hint
		}
		return 0, fmt.Errorf("%q: there is no identifier %s%s", text, unknown, hint)
	}
	term, _, found := check.Formula(s.bank, s.env, formula)
	if len(found) > 0 {
		return 0, fmt.Errorf("%q: %s", text, found[0].Message)
	}
	return term, nil
}

// Predicate reads a predicate over what is in scope.
func (s Scope) Predicate(text string) (logic.Term, error) {
	return s.Formula(text, lang.ParsePredicate)
}

// Of is the scope of an event: it also has its parameters.
func (s Scope) Of(e *model.Event) Scope {
	env := maps.Clone(s.env)
	for _, x := range e.Parameters {
		env[x.Name] = s.bank.Type(x.Term)
	}
	return Scope{s.bank, env}
}

// declare reads a predicate, and takes the identifiers that it types into the scope.
func (s Scope) declare(text string) (logic.Term, []model.Ident, error) {
	formula, problems := lang.ParsePredicate(text, lang.Text)
	if len(problems) > 0 {
		return 0, nil, fmt.Errorf("%q: %s", text, problems[0].Message)
	}
	term, inferred, found := check.Formula(s.bank, s.env, formula)
	if len(found) > 0 {
		return 0, nil, fmt.Errorf("%q: %s", text, found[0].Message)
	}
	var own []model.Ident
	for _, ident := range inferred {
		s.env[ident.Name] = ident.Type
		own = append(own, model.Ident{Name: ident.Name, Term: s.bank.Free(ident.Name, ident.Type)})
	}
	return term, own, nil
}

// threads reads the sets that are declared to be interchangeable.
func (s Scope) threads(conf config.Machine) (out []explore.Threads, err error) {
	for _, name := range conf.Threads {
		set, err := s.Formula(name, lang.ParseExpression)
		if err != nil {
			return nil, err
		}
		out = append(out, explore.Threads{Name: name, Set: set})
	}
	return out, nil
}

// Scope is the scope of machine m: carrier sets, constants and variables.
func (p *Project) Scope(m *model.Machine) Scope { return p.scopeIn(p.Dev.Bank.Extend(), m) }

// scopeIn is Scope with terms in a bank that extends the one of the development.
func (p *Project) scopeIn(bank *logic.Bank, m *model.Machine) Scope {
	s := constantsOf(bank, m)
	for _, v := range m.Variables {
		if v.Concrete {
			s.env[v.Name] = s.bank.Type(v.Term)
		}
	}
	return s
}

// constantsOf is the scope of the carrier sets and constants that m sees.
func constantsOf(bank *logic.Bank, machine *model.Machine) Scope {
	s := Scope{bank, check.Env{}}
	for _, context := range machine.Contexts {
		for _, ident := range context.Sets {
			s.env[ident.Name] = s.bank.Type(ident.Term)
		}
		for _, ident := range context.Constants {
			s.env[ident.Name] = s.bank.Type(ident.Term)
		}
	}
	return s
}

// Threads are the sets of m whose elements gradine.toml declares to be interchangeable.
func (p *Project) Threads(m *model.Machine, s Scope) ([]explore.Threads, error) {
	out, err := s.threads(p.Machine(m))
	if err != nil {
		return nil, p.misconfigured(m, err, "threads")
	}
	return out, nil
}

// Ends is the predicate of the states in which m may end: text, or what gradine.toml says if text is empty. It is 0 if
// neither says anything: then every state without a successor is a deadlock.
func (p *Project) Ends(m *model.Machine, s Scope, text string) (logic.Term, error) {
	configured := p.Machine(m).Ends
	if text == "" && configured != "" {
		term, err := s.Predicate(configured)
		if err != nil {
			return 0, p.misconfigured(m, err, "terminal")
		}
		return term, nil
	}
	if text == "" && p.kernelOf(m) != nil {
		text = "⊤" // threads end; that they meet at barriers is a check of its own
	}
	if text == "" {
		return 0, nil
	}
	return s.Predicate(text)
}

// Overrides stand above what gradine.toml says of how a machine is made finite.
type Overrides struct {
	Size      int               // of all carrier sets that have no other; 0 to leave that open
	Sizes     map[string]int    // of carrier sets, by name
	Constants map[string]string // values of constants, as expressions
	Open      []string          // constants of which gradine.toml does not count
	Integers  *explore.Bounds   // where to look for integers that nothing else bounds
}

// Missing is the error about an override that names what the machine does not have.
type Missing struct{ error }

// Unwrap returns the error that says what it is.
func (e Missing) Unwrap() error { return e.error }

// MaxCarrier is the most elements of a carrier set that gradine.toml can give: more are
// not explored in any case.
const MaxCarrier = 1 << 20

// Setup says how machine m, whose scope is s, is made finite: what gradine.toml says of
// it, and overrides.
func (p *Project) Setup(machine *model.Machine, s Scope, with Overrides) (explore.Setup, error) {
	setup, err := p.configured(machine, s)
	if err != nil {
		return setup, err
	}
	setup.Default, setup.Choose = with.Size, discharge.Model
	if with.Integers != nil {
		setup.Bounds[""] = *with.Integers
	}
	if kernel := p.kernelOf(machine); kernel != nil {
		if err := launchSetup(kernel, machine, s, &setup); err != nil {
			return setup, err
		}
	}
	// What stands on the command line goes before gradine.toml, names included.
	for _, name := range slices.Sorted(maps.Keys(with.Sizes)) {
		if !slices.Contains(setsOf(machine), name) {
			return setup, Missing{fmt.Errorf("machine %s sees no carrier set %s to give a size", machine.Name, name)}
		}
		setup.Sizes[name] = with.Sizes[name]
		delete(setup.Names, name)
	}
	values := map[string]string{}
	for name, value := range p.Machine(machine).Constants {
		if !slices.Contains(with.Open, name) {
			values[name] = fmt.Sprint(value)
		}
	}
	maps.Copy(values, with.Constants)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		term, err := s.Predicate(fmt.Sprintf("%s = (%s)", name, values[name]))
		if _, ok := with.Constants[name]; ok && err != nil {
			return setup, Missing{err}
		}
		if err != nil {
			return setup, p.misconfigured(machine, err, "constants", name)
		}
		setup.Given = append(setup.Given, term)
	}
	return setup, nil
}

// configured is what gradine.toml says of the carrier sets and the bounds of a machine.
func (p *Project) configured(machine *model.Machine, s Scope) (explore.Setup, error) {
	conf := p.Machine(machine)
	setup := explore.Setup{Sizes: map[string]int{}, Names: map[string][]string{}, Bounds: map[string]explore.Bounds{}, Bank: s.bank}
	for _, name := range slices.Sorted(maps.Keys(conf.Carriers)) {
		var err error
		switch v := conf.Carriers[name].(type) {
		case int64:
			if v < 1 || v > MaxCarrier {
				err = fmt.Errorf("%d is not the size of a carrier set, which has from 1 to %d elements", v, MaxCarrier)
			}
			setup.Sizes[name] = int(v)
		case []any:
			setup.Names[name], err = elements(v)
		default:
			err = fmt.Errorf("%v is neither a size nor a list of names", v)
		}
		if err == nil && !slices.Contains(setsOf(machine), name) {
			err = fmt.Errorf("machine %s sees no carrier set %s; %s", machine.Name, name, insteadOf(name, setsOf(machine)))
		}
		if err != nil {
			return setup, p.misconfigured(machine, err, "carriers", name)
		}
	}
	// Bounds can be set for whatever is enumerated, which includes what formulas bind.
	for _, name := range slices.Sorted(maps.Keys(conf.Bounds)) {
		b := conf.Bounds[name]
		if there := p.bounded(machine); !slices.Contains(there, name) {
			return setup, p.misconfigured(machine, fmt.Errorf("machine %s has no element %s; %s", machine.Name, name, insteadOf(name, there)), "bounds", name)
		}
		if b[0] > b[1] {
			return setup, p.misconfigured(machine, fmt.Errorf("the least value, %d, is above the greatest, %d", b[0], b[1]), "bounds", name)
		}
		setup.Bounds[name] = explore.Bounds{Low: b[0], High: b[1]}
	}
	return setup, nil
}

// misconfigured is an error about a key of the entry of a machine in gradine.toml.
func (p *Project) misconfigured(m *model.Machine, err error, key ...string) error {
	at := append([]string{"machine", m.Name}, key...)
	return fmt.Errorf("%s: %s: %w", p.Config.At(at...), strings.Join(at, "."), err)
}

// elements are the names of the elements of a carrier set.
func elements(list []any) (out []string, err error) {
	for _, x := range list {
		name, ok := x.(string)
		if !ok || strings.TrimSpace(name) == "" || slices.Contains(out, name) {
			return nil, fmt.Errorf("%v does not name one more element; write different names in quotes", x)
		}
		out = append(out, name)
	}
	if len(out) == 0 {
		return nil, errors.New("there are no elements; every carrier set has one at least")
	}
	return out, nil
}

// setsOf lists the carrier sets that m sees.
func setsOf(m *model.Machine) (out []string) {
	for _, context := range m.Contexts {
		for _, set := range context.Sets {
			out = append(out, set.Name)
		}
	}
	return out
}

// ParseOverrides reads how a machine is made finite as flags of commands say it: SET=N, the
// size of a carrier set, or N, that of all others; NAME=EXPRESSION, the value of a constant;
// LOW..HIGH, where to look for integers.
func ParseOverrides(sizes, constants []string, integers string) (Overrides, error) {
	with := Overrides{Sizes: map[string]int{}, Constants: map[string]string{}}
	if integers != "" {
		with.Integers = &explore.Bounds{}
		if _, err := fmt.Sscanf(integers, "%d..%d", &with.Integers.Low, &with.Integers.High); err != nil || with.Integers.Low > with.Integers.High {
			return with, fmt.Errorf("--integers %s: write LOW..HIGH", integers)
		}
	}
	// A number without a name is the size of all sets that have none of their own.
	for _, size := range sizes {
		name, text, named := strings.Cut(size, "=")
		if !named {
			text = name
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > MaxCarrier {
			return with, fmt.Errorf("--size %s: %q is not a size of a set", size, text)
		}
		if named {
			with.Sizes[name] = n
		} else {
			with.Size = n
		}
	}
	for _, c := range constants {
		name, text, ok := strings.Cut(c, "=")
		if !ok {
			return with, fmt.Errorf("--const %s: write NAME=EXPRESSION", c)
		}
		with.Constants[strings.TrimSpace(name)] = text
	}
	return with, nil
}
