package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// answer begins an answer: it checks the entry and lists the points, with what
// is illegal about them.
func (e *Entry) answer(ctx context.Context, opt Options) (*Answer, *simulate.Grid, error) {
	if err := e.check(); err != nil {
		return nil, nil, err
	}
	setup := e.Setup
	setup.Bank = e.Bank
	choices := e.choices()
	grid, err := simulate.NewGrid(e.Machine, setup, e.Given, choices)
	if err != nil {
		return nil, nil, err
	}
	a := &Answer{Entry: e.Name, Objectives: e.Objectives, Order: cmp.Or(e.Order, Lexicographic), Criterion: cmp.Or(e.Criterion, Worst), First: -1}
	for _, constraint := range e.Constraints {
		a.Constraints = append(a.Constraints, text.Readable(e.Bank, constraint))
	}
	for i, g := range e.Given {
		a.Given = append(a.Given, Setting{g.Name, grid.Given[i]})
	}
	for _, s := range e.carriers() {
		n := len(grid.Carriers[s])
		a.Carriers = append(a.Carriers, Setting{s, simulate.Constant{Text: fmt.Sprint(n), Int: big.NewInt(int64(n))}})
	}
	for _, c := range choices {
		one := e.Bank.Op(c.Set) == logic.SetExt && len(e.Bank.Args(c.Set)) == 1
		if !one && !slices.ContainsFunc(e.Shown, func(p Parameter) bool { return e.mentions(p.Term, []string{c.Name}) }) {
			a.chosen = append(a.chosen, c.Name)
		}
	}
	// Points are counted before any is made: sets of a billion values are easily
	// written.
	if opt.MaxPoints > 0 {
		switch n, err := grid.Count(ctx, opt.MaxPoints); {
		case err != nil:
			return nil, nil, err
		case n > opt.MaxPoints:
			return nil, nil, fmt.Errorf("the sets of search have more than %d points; narrow them, or raise --max-points", opt.MaxPoints)
		}
	}
	return a, grid, e.points(ctx, a, grid, choices, opt)
}

// pointRoom is about the room of a point with a few parameters, in bytes.
const pointRoom = 1 << 9

// points lists the points and sorts out the illegal ones.
func (e *Entry) points(ctx context.Context, answer *Answer, grid *simulate.Grid, choices []simulate.Choice, opt Options) error {
	var shown []func(simulate.Point) (simulate.Constant, error)
	for _, s := range e.Shown {
		value, err := grid.Expression(s.Term)
		if err != nil {
			return fmt.Errorf("parameter %s: %w", s.Name, err)
		}
		answer.Names, shown = append(answer.Names, s.Name), append(shown, value)
	}
	cuts, err := e.cuts(grid)
	if err != nil {
		return err
	}
	reasons := map[string]string{} // each once, however many points have it
	for x, err := range grid.Points(ctx) {
		if err != nil {
			return err
		}
		cuts = slices.DeleteFunc(cuts, func(c cut) bool {
			if c.at(x) {
				answer.Cut = append(answer.Cut, c.String())
				return true
			}
			return false
		})
		p := Point{at: x, SameAs: -1, Found: -1, broken: len(x.Broken)}
		if x.Without != "" {
			p.broken, p.Illegal = math.MaxInt, fmt.Sprintf("%s has no value (%s)", x.Without, x.Why)
		}
		for i, value := range shown {
			constant, err := value(x)
			switch {
			case err != nil && p.broken == 0:
				return fmt.Errorf("parameter %s at %s: %w", answer.Names[i], x, err)
			case err != nil:
				constant = simulate.Constant{Text: "—"}
			}
			p.Values = append(p.Values, constant)
		}
		if x.False != nil {
			return fmt.Errorf("at %s the axioms hold, but theorem %s does not: it does not follow from them; correct it, or add the axiom that it needs", x, e.named(x.False))
		}
		if len(x.Broken) > 0 {
			key := fmt.Sprint(x.Broken)
			if reasons[key] == "" {
				reasons[key] = answer.forbid(e.broken(x.Broken))
			}
			p.Illegal = reasons[key]
		}
		if opt.MaxMemory > 0 && len(answer.Points) > opt.MaxMemory/pointRoom {
			return errors.New("the points do not fit into the memory; narrow the sets of search, or raise --max-memory")
		}
		answer.Points = append(answer.Points, p)
	}
	answer.Points = withoutTwins(answer.Points)
	e.same(answer.Points, grid, choices)
	return nil
}

// same finds the legal points at which the machine is the same as at an earlier
// one. Constants are either derived, by a set {E} of one value, or chosen. Points
// that differ only in chosen constants which the machine does not read, and agree
// on all derived ones, are one point under several names: a tile that is asked for
// larger than the input and clamped, say.
func (e *Entry) same(points []Point, grid *simulate.Grid, choices []simulate.Choice) {
	names := e.reads()
	for _, c := range choices {
		if e.Bank.Op(c.Set) == logic.SetExt && len(e.Bank.Args(c.Set)) == 1 {
			names = append(names, c.Name)
		}
	}
	first := map[string]int{}
	for i := range points {
		point := &points[i]
		if point.Illegal != "" {
			continue
		}
		key := grid.Key(point.at, names)
		if j, ok := first[key]; ok {
			point.SameAs = j
		} else {
			first[key] = i
		}
	}
}

// reads lists the names in what is run and read: events, the final predicate, constraints
// and objectives.
func (e *Entry) reads() []string {
	ts := append([]logic.Term{e.Final}, e.Constraints...)
	for _, objective := range e.Objectives {
		ts = append(ts, objective.Term)
	}
	for _, ev := range e.Machine.Events {
		ts = append(ts, model.Terms(ev.Guards)...)
		for _, action := range ev.Actions {
			ts = append(append(ts, action.Left...), action.Right...)
		}
	}
	var out []string
	for _, id := range e.Bank.FreeIdents(ts...) {
		out = append(out, e.Bank.Name(id))
	}
	return out
}

// withoutTwins keeps of the illegal points that show the same only the first of
// those with the fewest false axioms, and none if a legal point shows the same:
// constants that are not shown may be tried with several values, of which the
// axioms single one out.
func withoutTwins(points []Point) []Point {
	key := func(point *Point) string {
		var w strings.Builder
		for _, constant := range point.Values {
			w.WriteString(constant.Text)
			w.WriteByte(0)
		}
		return w.String()
	}
	best := map[string]int{}
	for i := range points {
		point := &points[i]
		k := key(point)
		if j, ok := best[k]; !ok || point.broken < points[j].broken {
			best[k] = i
		}
	}
	var kept []Point
	for i := range points {
		if point := &points[i]; point.broken == 0 || best[key(point)] == i {
			kept = append(kept, *point)
		}
	}
	return kept
}

// broken lists axioms that are false.
func (e *Entry) broken(axioms []*model.Predicate) (out []string) {
	for _, x := range axioms {
		out = append(out, e.named(x))
	}
	return out
}

// forbid remembers axioms that points violate together, and says so.
func (a *Answer) forbid(axioms []string) string {
	why := "violates " + strings.Join(axioms, ", ")
	if a.forbidden == nil {
		a.forbidden = map[string][]string{}
	}
	a.forbidden[why] = axioms
	return why
}

// Violation is an axiom, and how many points violate it, alone or with others.
type Violation struct {
	Axiom  string
	Points int
}

// Violations lists the axioms that points violate, in the order of the points. Other
// counts the points that are illegal for another reason.
func (a *Answer) Violations() (out []Violation, other int) {
	at := map[string]int{}
	for i := range a.Points {
		why := a.Points[i].Illegal
		axioms, known := a.forbidden[why]
		if !known && why != "" {
			other++
		}
		for _, x := range axioms {
			k, seen := at[x]
			if !seen {
				k = len(out)
				at[x], out = k, append(out, Violation{Axiom: x})
			}
			out[k].Points++
		}
	}
	return out, other
}

// named is an axiom with what it says.
func (e *Entry) named(x *model.Predicate) string {
	return fmt.Sprintf("%s/%s (%s)", x.Origin.Component, x.Label, text.Readable(e.Bank, x.Term))
}

// check refuses an entry whose names do not stand for what they must. What is
// searched and given are constants: a variable with a fixed value would be another
// machine.
func (e *Entry) check() error {
	machine := e.Machine
	if !machine.Whole {
		return fmt.Errorf("machine %s is inaccurate: a part of it or of its ancestors is missing or was repaired, so its runs may differ; gradine check names the part", machine.Name)
	}
	if err := e.checkObjectives(); err != nil {
		return err
	}
	if e.Criterion != "" && e.Criterion != Worst && e.Criterion != Best {
		return fmt.Errorf("criterion %q; use worst or best", e.Criterion)
	}
	if err := e.CheckInstance(); err != nil {
		return err
	}
	known := map[string]bool{} // names that points give values to
	for _, c := range machine.Contexts {
		for _, ident := range c.Constants {
			known[ident.Name] = true
		}
	}
	for _, g := range e.Given {
		known[g.Name] = true
	}
	for _, c := range e.Choices {
		if err := e.checkChoice(c, known); err != nil {
			return err
		}
	}
	for _, s := range e.Shown {
		if err := e.over(s.Term, known); err != nil {
			return fmt.Errorf("parameter %s: %w", s.Name, err)
		}
	}
	return e.checkCarriers()
}

// checkObjectives refuses objectives and constraints that cannot be read at an end.
func (e *Entry) checkObjectives() error {
	// Abstract variables have no value at an end, so only concrete ones may occur.
	known := map[string]bool{}
	for _, variable := range e.Machine.Variables {
		known[variable.Name] = variable.Concrete
	}
	for _, ctx := range e.Machine.Contexts {
		for _, ident := range ctx.Constants {
			known[ident.Name] = true
		}
		for _, ident := range ctx.Sets {
			known[ident.Name] = true
		}
	}
	if len(e.Objectives) == 0 {
		return errors.New("there is no objective")
	}
	for _, objective := range e.Objectives {
		if e.Bank.TypeKind(e.Bank.Type(objective.Term)) != logic.KindInt {
			return fmt.Errorf("objective: %s is not an integer; name an integer variable of %s, or an expression of them", objective.Text, e.Machine.Name)
		}
		if err := e.over(objective.Term, known); err != nil {
			return fmt.Errorf("objective: %w or variable of %s", err, e.Machine.Name)
		}
	}
	for _, constraint := range e.Constraints {
		if err := e.over(constraint, known); err != nil {
			return fmt.Errorf("constraint %s: %w or variable of %s", text.Readable(e.Bank, constraint), err, e.Machine.Name)
		}
	}
	if e.Order != "" && e.Order != Lexicographic && e.Order != Pareto {
		return fmt.Errorf("order %q; use lexicographic or pareto", e.Order)
	}
	return nil
}

// CheckInstance refuses values of the instance for what is not a constant, and of
// another type. Search looks at them, too.
func (e *Entry) CheckInstance() error {
	bank := e.Bank
	for _, g := range e.Given {
		term := e.constant(g.Name)
		used := slices.ContainsFunc(e.Choices, func(c simulate.Choice) bool {
			return slices.ContainsFunc(bank.FreeIdents(c.Set), func(id logic.Term) bool { return bank.Name(id) == g.Name })
		})
		switch {
		case e.isVariable(g.Name):
			return fmt.Errorf("instance: %s is a variable of %s; only constants have values in an instance", g.Name, e.Machine.Name)
		case term == 0 && !used:
			return fmt.Errorf("instance: machine %s has no constant %s, and no set of search mentions it%s", e.Machine.Name, g.Name, e.nearest(g.Name))
		case slices.ContainsFunc(e.Choices, func(c simulate.Choice) bool { return c.Name == g.Name }):
			return fmt.Errorf("instance: %s also has a set of values under search; give it in one place", g.Name)
		case term != 0 && bank.Type(term) != bank.Type(g.Term):
			return fmt.Errorf("instance: %s = %s has type %s, but constant %s has type %s", g.Name, text.Readable(bank, g.Term), text.Type(bank, bank.Type(g.Term)), g.Name, text.Type(bank, bank.Type(term)))
		}
	}
	return nil
}

// nearest proposes the constant that may be meant.
func (e *Entry) nearest(name string) string {
	var names []string
	for _, context := range e.Machine.Contexts {
		for _, constant := range context.Constants {
			names = append(names, constant.Name)
		}
	}
	if hint := diag.DidYouMean(name, names); hint != "" {
		return "; " + hint
	}
	return ""
}

func (e *Entry) isVariable(name string) bool {
	return slices.ContainsFunc(e.Machine.Variables, func(v model.Variable) bool { return v.Name == name })
}

func (e *Entry) checkChoice(c simulate.Choice, known map[string]bool) error {
	bank := e.Bank
	term := e.constant(c.Name)
	switch {
	case e.isVariable(c.Name):
		return fmt.Errorf("search: %s is a variable of %s; only constants are searched", c.Name, e.Machine.Name)
	case term == 0:
		return fmt.Errorf("search: machine %s has no constant %s%s", e.Machine.Name, c.Name, e.nearest(c.Name))
	case bank.Elem(bank.Type(c.Set)) != bank.Type(term):
		return fmt.Errorf("search: %s is to be in %s, of type %s, but constant %s has type %s", c.Name, text.Readable(bank, c.Set), text.Type(bank, bank.Type(c.Set)), c.Name, text.Type(bank, bank.Type(term)))
	}
	if err := e.over(c.Set, known); err != nil {
		return fmt.Errorf("search: the values of %s: %w", c.Name, err)
	}
	return nil
}

// constant returns the constant of a name, 0 if there is none.
func (e *Entry) constant(name string) logic.Term {
	for _, c := range e.Machine.Contexts {
		for _, k := range c.Constants {
			if k.Name == name {
				return k.Term
			}
		}
	}
	return 0
}

// over refuses identifiers without a value at a point.
func (e *Entry) over(t logic.Term, known map[string]bool) error {
	for _, id := range e.Bank.FreeIdents(t) {
		if name := e.Bank.Name(id); !known[name] {
			return fmt.Errorf("%s is not a constant", name)
		}
	}
	return nil
}

// carriers lists the carrier sets that the machine sees.
func (e *Entry) carriers() []string {
	var out []string
	for _, c := range e.Machine.Contexts {
		for _, s := range c.Sets {
			out = append(out, s.Name)
		}
	}
	return out
}

// checkCarriers refuses carrier sets whose size is not given: what is optimal with
// two elements need not be with three.
func (e *Entry) checkCarriers() error {
	for _, s := range e.carriers() {
		sized := e.Setup.Sizes[s] > 0 || len(e.Setup.Names[s]) > 0 || e.Setup.Default > 0
		if !sized && !explore.Enumerated(e.Bank, e.Machine, s) {
			return fmt.Errorf("carrier set %s has no size, and an optimum is for one size; write for example carriers = { %s = 3 } under [machine.%s]", s, s, e.Machine.Name)
		}
	}
	return nil
}
