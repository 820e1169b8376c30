package tune_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A second, slow tuner over models that are data of the test: it evaluates
// formulas by walking trees and explores states in a map. It shares nothing with
// the product but the text that it writes for it.

// formula is an expression or a predicate.
type formula struct {
	op   string // a number, a name, or an operator
	args []formula
}

func leaf(op string) formula                   { return formula{op: op} }
func apply(op string, args ...formula) formula { return formula{op, args} }

func (f formula) String() string {
	switch len(f.args) {
	case 0:
		return f.op
	case 1:
		if f.op == "−" {
			return "(−" + f.args[0].String() + ")"
		}
		return f.op + "(" + f.args[0].String() + ")"
	}
	return "(" + f.args[0].String() + " " + f.op + " " + f.args[1].String() + ")"
}

// truth and elements of sets are numbers, too: FALSE is 0, the k-th element k.
type values map[string]int

// eval returns the value; ok is false if it has none.
func (f formula) eval(v values) (x int, ok bool) {
	if len(f.args) == 0 {
		if n, named := v[f.op]; named {
			return n, true
		}
		var n int
		if _, err := fmt.Sscan(f.op, &n); err != nil {
			panic("reference: no value of " + f.op)
		}
		return n, true
	}
	if f.op == "card" {
		return v["#"+f.args[0].op], true
	}
	a, ok := f.args[0].eval(v)
	if !ok {
		return 0, false
	}
	if len(f.args) == 1 {
		return -a, true
	}
	// Definedness goes from left to right: behind a false conjunct nothing counts.
	if f.op == "∧" && a == 0 || f.op == "⇒" && a == 0 {
		return number(f.op == "⇒"), true
	}
	if f.op == "∨" && a == 1 {
		return 1, true
	}
	b, ok := f.args[1].eval(v)
	if !ok {
		return 0, false
	}
	switch f.op {
	case "+":
		return a + b, true
	case "−":
		return a - b, true
	case "∗":
		return a * b, true
	case "÷":
		if b == 0 {
			return 0, false
		}
		return a / b, true
	case "mod":
		if a < 0 || b <= 0 {
			return 0, false
		}
		return a % b, true
	case "=":
		return number(a == b), true
	case "≠":
		return number(a != b), true
	case "<":
		return number(a < b), true
	case "≤":
		return number(a <= b), true
	case "∧", "∨", "⇒":
		return b, true
	}
	panic("reference: operator " + f.op)
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// event is an event with at most one parameter d, of 0‥most.
type event struct {
	most    int // -1: no parameter
	guards  []formula
	actions []action
}

type action struct {
	name  string
	value formula
}

// choice is a constant with the set of its values: {value}, or those listed.
type choice struct {
	name   string
	listed []string
	value  formula
	axiom  bool // an axiom says name = value; search does not mention it
}

func (c choice) set() string {
	if c.listed != nil {
		return "{" + strings.Join(c.listed, ", ") + "}"
	}
	return "{" + c.value.String() + "}"
}

// entry is a machine and what is tuned.
type entry struct {
	size    int      // of carrier set S
	named   bool     // its elements are constants
	given   int      // value of the name n of the instance
	choices []choice // in the order of search
	axioms  []formula
	init    []action
	events  []event
	final   formula
	names   values // of literals: TRUE, elements

	objectives []objective
	pareto     bool
	constraint formula // no operator: none
}

// objective is an expression of which the least or greatest value is best.
type objective struct {
	value    formula
	maximise bool
}

var variables = []string{"x", "y", "t", "on"}

// point is what the reference says of one: the least and the greatest value of each
// objective, or that the point is illegal under a criterion.
type point struct {
	shown       string
	allowed     bool // by the axioms
	worst, best bool // legal under the criterion
	low, high   []int
}

const tooMany = 3000

// points returns all points in the order of the search; ok is false if there are
// too many states to say.
func (e *entry) points() (out []point, ok bool) {
	ok = true
	var choose func(k int, v values)
	choose = func(k int, v values) {
		if k < len(e.choices) {
			c := e.choices[k]
			list := c.listed
			if list == nil {
				x, _ := c.value.eval(v)
				list = []string{fmt.Sprint(x)}
			}
			for _, text := range list {
				x, _ := leaf(text).eval(v)
				w := values{c.name: x}
				for name, y := range v {
					w[name] = y
				}
				choose(k+1, w)
			}
			return
		}
		p := point{}
		var shown []string
		for _, c := range e.choices {
			shown = append(shown, e.print(c.name, v[c.name]))
		}
		p.shown = strings.Join(shown, " ")
		for _, a := range e.axioms {
			if x, defined := a.eval(v); !defined || x == 0 {
				out = append(out, p)
				return
			}
		}
		if p.allowed = true; !e.explore(v, &p) {
			ok = false
		}
		out = append(out, p)
	}
	v := values{"n": e.given, "#S": e.size}
	for name, x := range e.names {
		v[name] = x
	}
	choose(0, v)
	return out, ok
}

// print is a value of constant name as the product prints it.
func (e *entry) print(name string, x int) string {
	switch {
	case name == "b":
		return []string{"FALSE", "TRUE"}[x]
	case name == "s" && e.named:
		return "s" + fmt.Sprint(x+1)
	case name == "s":
		return "S" + fmt.Sprint(x+1)
	}
	return strings.Replace(fmt.Sprint(x), "-", "−", 1)
}

type state [4]int

// explore finds out what all schedules of a point end with.
func (e *entry) explore(constants values, p *point) (ok bool) {
	in := func(s state, d int) values {
		v := values{"d": d}
		for name, x := range constants {
			v[name] = x
		}
		for i, name := range variables {
			v[name] = s[i]
		}
		return v
	}
	undefined := false
	fire := func(s state, actions []action, v values) state {
		next := s
		for _, a := range actions {
			x, defined := a.value.eval(v)
			undefined = undefined || !defined
			next[slices.Index(variables, a.name)] = x
		}
		return next
	}
	first := fire(state{}, e.init, in(state{}, 0))
	if undefined {
		return true
	}
	ended, stuck, violated := false, false, false
	after := map[state][]state{}
	for todo := []state{first}; len(todo) > 0; {
		s := todo[0]
		todo = todo[1:]
		if _, seen := after[s]; seen {
			continue
		}
		if len(after) > tooMany {
			return false // even if something has no value: a search may see what comes first
		}
		after[s] = nil
		final, defined := e.final.eval(in(s, 0))
		undefined = undefined || !defined
		if final == 1 && defined {
			if e.constraint.op != "" {
				holds, defined := e.constraint.eval(in(s, 0))
				if undefined = undefined || !defined; holds == 0 {
					violated = true
					continue
				}
			}
			for k, o := range e.objectives {
				t, defined := o.value.eval(in(s, 0))
				undefined = undefined || !defined
				if !ended {
					p.low, p.high = append(p.low, t), append(p.high, t)
				}
				p.low[k], p.high[k] = min(p.low[k], t), max(p.high[k], t)
			}
			ended = true
			continue
		}
		for _, ev := range e.events {
			for d := range max(1, ev.most+1) {
				v := in(s, d)
				enabled := true
				for _, g := range ev.guards {
					x, defined := g.eval(v)
					if undefined = undefined || !defined; x == 0 {
						enabled = false
						break
					}
				}
				if !enabled {
					continue
				}
				if next := fire(s, ev.actions, v); next != s {
					after[s] = append(after[s], next)
				}
			}
		}
		stuck = stuck || len(after[s]) == 0
		todo = append(todo, after[s]...)
	}
	p.best = ended && !undefined
	p.worst = p.best && !stuck && !violated && !cyclic(after)
	return true
}

// cyclic takes away states that nothing leads out of until there are none.
func cyclic(after map[state][]state) bool {
	for removed := true; removed; {
		removed = false
		for s, next := range after {
			leads := slices.ContainsFunc(next, func(x state) bool { _, there := after[x]; return there })
			if !leads {
				delete(after, s)
				removed = true
			}
		}
	}
	return len(after) > 0
}

// made makes a random entry.
func made(w *rand.Rand) *entry {
	e := &entry{size: 2 + w.IntN(2), named: w.IntN(3) == 0, given: w.IntN(5), names: values{"FALSE": 0, "TRUE": 1}}
	pick := func(xs ...string) string { return xs[w.IntN(len(xs))] }
	var elements []string
	for k := range e.size {
		name := fmt.Sprintf("s%d", k+1)
		elements = append(elements, name)
		if e.named {
			e.names[name] = k
		}
	}
	e.choices = []choice{
		{name: "a", listed: []string{"0", "1", "3", "2"}[w.IntN(2):][:2+w.IntN(2)]},
		{name: "b", listed: []string{"FALSE", "TRUE"}},
	}
	constants := []string{"a", "n"}
	var number func(depth int, names []string) formula
	number = func(depth int, names []string) formula {
		if depth == 0 || w.IntN(3) == 0 {
			return leaf(pick(append([]string{"0", "1", "2", "3"}, names...)...))
		}
		switch w.IntN(9) {
		case 0:
			return apply("−", number(depth-1, names))
		case 1:
			return apply("card", leaf("S"))
		}
		return apply(pick("+", "+", "−", "∗", "÷", "mod"), number(depth-1, names), number(depth-1, names))
	}
	total := func(names []string) formula { // without ÷ and mod, that sets of search have values
		return apply(pick("+", "−", "∗"), leaf(pick(names...)), leaf(pick("1", "2", "3")))
	}
	if w.IntN(2) == 0 {
		e.choices = append(e.choices, choice{name: "c", value: total(constants), axiom: w.IntN(2) == 0})
		constants = append(constants, "c")
	}
	if w.IntN(2) == 0 {
		e.choices = append(e.choices, choice{name: "k", listed: []string{"1", "2"}})
		constants = append(constants, "k")
	}
	if e.named {
		e.choices = append(e.choices, choice{name: "s", listed: elements})
	}
	var predicate func(depth int, names []string) formula
	predicate = func(depth int, names []string) formula {
		if depth > 0 && w.IntN(3) == 0 {
			return apply(pick("∧", "∨", "⇒"), predicate(depth-1, names), predicate(depth-1, names))
		}
		switch {
		case w.IntN(5) == 0:
			return apply(pick("=", "≠"), leaf("b"), leaf(pick("TRUE", "FALSE")))
		case e.named && w.IntN(5) == 0:
			return apply(pick("=", "≠"), leaf("s"), leaf(pick(elements...)))
		case slices.Contains(names, "x") && w.IntN(5) == 0:
			return apply("=", leaf("on"), leaf(pick("TRUE", "FALSE")))
		}
		return apply(pick("=", "≠", "<", "≤"), number(1, names), number(1, names))
	}
	if w.IntN(3) > 0 {
		e.axioms = append(e.axioms, predicate(1, constants))
	}
	all := append([]string{"x", "y", "t"}, constants...)
	e.init = []action{{"x", leaf(pick("0", "0", "1"))}, {"y", leaf(pick("0", "a", "n"))}, {"t", number(1, constants)}, {"on", leaf("TRUE")}}
	for range 1 + w.IntN(3) {
		ev := event{most: -1}
		names := all
		if w.IntN(4) == 0 {
			ev.most = 1 + w.IntN(2)
			names = append(slices.Clone(all), "d")
		}
		// Most machines end: x counts up to a bound.
		ev.guards = append(ev.guards, apply("<", leaf("x"), leaf(pick("2", "3", "4"))))
		if w.IntN(3) == 0 {
			ev.guards = append(ev.guards, predicate(1, names))
		}
		if w.IntN(6) > 0 {
			ev.actions = append(ev.actions, action{"x", apply("+", leaf("x"), leaf("1"))})
		}
		if w.IntN(2) == 0 {
			ev.actions = append(ev.actions, action{"y", leaf(pick("0", "1", "x", "a"))})
		}
		if w.IntN(4) > 0 {
			ev.actions = append(ev.actions, action{"t", apply(pick("+", "+", "−"), leaf("t"), number(1, slices.DeleteFunc(slices.Clone(names), func(s string) bool { return s == "t" })))})
		}
		if w.IntN(4) == 0 {
			ev.actions = append(ev.actions, action{"on", leaf(pick("TRUE", "FALSE"))})
		}
		e.events = append(e.events, ev)
	}
	if w.IntN(4) == 0 { // a schedule may go to and fro for ever
		e.events = append(e.events, event{-1, []formula{apply("<", leaf("x"), leaf("2"))}, []action{{"y", apply("−", leaf("1"), leaf("y"))}}})
	}
	e.final = apply("=", leaf("x"), leaf(pick("2", "2", "3")))
	e.objectives = []objective{{value: leaf("t")}}
	if w.IntN(2) == 0 {
		e.objectives[0] = objective{number(2, all), w.IntN(2) == 0}
	}
	if w.IntN(2) == 0 {
		e.objectives = append(e.objectives, objective{number(1, all), w.IntN(2) == 0})
		e.pareto = w.IntN(2) == 0
	}
	if w.IntN(3) == 0 {
		e.constraint = predicate(1, all)
	}
	switch w.IntN(6) {
	case 0:
		e.final = apply("∨", e.final, apply("=", leaf("on"), leaf("FALSE")))
	case 1:
		e.final = apply("=", leaf("y"), leaf(pick("1", "a")))
	}
	return e
}

// text is the machine in the language.
func (e *entry) text() string {
	var w strings.Builder
	w.WriteString("context C\nsets S\nconstants")
	for _, c := range e.choices {
		w.WriteString(" " + c.name)
	}
	var elements []string
	for k := range e.size {
		if e.named {
			elements = append(elements, fmt.Sprintf("s%d", k+1))
		}
	}
	w.WriteString(" " + strings.Join(elements, " ") + "\naxioms\n")
	if e.named {
		fmt.Fprintf(&w, "  @parts partition(S, {%s})\n", strings.Join(elements, "}, {"))
	} else {
		w.WriteString("  @finite finite(S)\n")
	}
	for _, c := range e.choices {
		fmt.Fprintf(&w, "  @type_%s %s ∈ %s\n", c.name, c.name, map[string]string{"b": "BOOL", "s": "S"}[c.name]+strings.Repeat("ℤ", number(c.name != "b" && c.name != "s")))
	}
	for _, c := range e.choices {
		if c.axiom {
			fmt.Fprintf(&w, "  @def_%s %s = %s\n", c.name, c.name, e.inlined(c.value))
		}
	}
	for i, a := range e.axioms {
		fmt.Fprintf(&w, "  @a%d %s\n", i, e.inlined(a))
	}
	w.WriteString("end\nmachine M sees C\nvariables x y t on\ninvariants\n  @x x ∈ ℤ\n  @y y ∈ ℤ\n  @t t ∈ ℤ\n  @on on ∈ BOOL\nevents\n")
	w.WriteString("event INITIALISATION\nthen\n")
	write := func(actions []action) {
		for _, a := range actions {
			fmt.Fprintf(&w, "  @to_%s %s ≔ %s\n", a.name, a.name, e.inlined(a.value))
		}
		w.WriteString("end\n")
	}
	write(e.init)
	for i, ev := range e.events {
		fmt.Fprintf(&w, "event e%d\n", i)
		if ev.most >= 0 {
			w.WriteString("any d\n")
		}
		w.WriteString("where\n")
		if ev.most >= 0 {
			fmt.Fprintf(&w, "  @d d ∈ 0‥%d\n", ev.most)
		}
		for k, g := range ev.guards {
			fmt.Fprintf(&w, "  @g%d %s\n", k, e.inlined(g))
		}
		w.WriteString("then\n")
		if len(ev.actions) == 0 {
			w.WriteString("  skip\n")
		}
		write(ev.actions)
	}
	w.WriteString("end\n")
	return w.String()
}

// inlined writes f with n, which is not a constant of the machine, as its value.
func (e *entry) inlined(f formula) string {
	if len(f.args) == 0 && f.op == "n" {
		return fmt.Sprint(e.given)
	}
	g := formula{op: f.op}
	for _, a := range f.args {
		g.args = append(g.args, leaf(e.inlined(a)))
	}
	return g.String()
}
