package explore_test

import (
	"maps"
	"slices"
	"strings"
)

// brute explores a machine state by state.
type brute struct {
	*world
	m      *bruteMachine
	consts *env

	states  map[string]int // by the keys of the variables
	values  []*env
	steps   [][]bruteStep // by state
	initial []int

	transitions, deadlocks int
	stuck                  []int           // the states that are deadlocks
	failed                 map[string]bool // kind and label of what fails
	instances              [][]bruteInstance
}

// bruteStep is a transition.
type bruteStep struct {
	event, params string
	to            int
}

// bruteInstance is an event with values of its parameters in a state in which its
// guards hold.
type bruteInstance struct {
	event int
	args  string
	to    []int
}

const bruteStates = 150

// exploreByForce returns nil if the machine is too large.
func exploreByForce(m *bruteMachine, elems []string, consts map[string]string) (r *brute) {
	defer func() {
		if p := recover(); p != nil {
			if _, large := p.(tooLarge); !large {
				panic(p)
			}
			r = nil
		}
	}()
	r = &brute{world: &world{}, m: m, states: map[string]int{}, failed: map[string]bool{}}
	for _, e := range elems {
		r.elems = append(r.elems, atom(e))
	}
	for _, name := range slices.Sorted(maps.Keys(consts)) {
		r.consts = r.consts.with(name, readValue(consts[name]))
	}
	r.initial = targets(r.fire(m.init, -1, r.consts))
	r.transitions = len(r.initial)
	if len(r.initial) == 0 && len(r.failed) == 0 {
		r.failed["initialisation INITIALISATION"] = true
	}
	for s := 0; s < len(r.values); s++ {
		r.expand(s)
	}
	return r
}

func targets(steps []bruteStep) (out []int) {
	for _, s := range steps {
		out = append(out, s.to)
	}
	return out
}

func (r *brute) expand(s int) {
	e := r.values[s]
	for i, inv := range r.m.invariants {
		label := "i" + string(rune('0'+i))
		holds := false
		if !has(func() { holds = r.pred(inv, e) }) {
			r.failed["undefined "+label] = true
		} else if !holds {
			r.failed["invariant "+label] = true
		}
	}
	r.steps, r.instances = append(r.steps, nil), append(r.instances, nil)
	s = len(r.steps) - 1
	ill := false
	for i, ev := range r.m.events {
		steps := r.fire(ev, i, e)
		ill = ill || steps == nil
		r.steps[s] = append(r.steps[s], steps...)
	}
	r.transitions += len(r.steps[s])
	if len(r.steps[s]) == 0 && !ill {
		r.deadlocks++
		r.stuck = append(r.stuck, s)
		r.failed["deadlock "] = true
	}
}

// fire returns the transitions of an event, nil if something has no value.
func (r *brute) fire(ev *bruteEvent, number int, e *env) []bruteStep {
	steps := []bruteStep{}
	var instances []bruteInstance
	var theorems []string
	var reach []func()
	ok := has(func() {
		r.params(ev, ev.params, e, func(e *env, args []string) {
			for i, g := range ev.guards {
				switch holds := r.pred(g, e); {
				case holds:
				case ev.theorem[i]:
					theorems = append(theorems, "theorem "+ev.label+"/g"+string(rune('0'+i)))
				default:
					return
				}
			}
			x := bruteInstance{event: number, args: strings.Join(args, ";")}
			at := len(instances)
			r.act(ev, ev.actions, e, map[string]*val{}, func(after map[string]*val) {
				reach = append(reach, func() {
					to := r.state(e, after)
					steps = append(steps, bruteStep{ev.label, x.args, to})
					instances[at].to = append(instances[at].to, to)
				})
			})
			instances = append(instances, x)
		})
	})
	if !ok {
		r.failed["undefined "+ev.label] = true
		return nil
	}
	for _, step := range reach {
		step()
	}
	for _, what := range theorems {
		r.failed[what] = true
	}
	if number >= 0 {
		last := len(r.instances) - 1
		r.instances[last] = append(r.instances[last], instances...)
	}
	return steps
}

// params visits the values of parameters: all elements, and the integers of the
// set that bounds them. A guard that comes before the bound is tried far around.
func (r *brute) params(ev *bruteEvent, ps []*node, e *env, visit func(*env, []string)) {
	if len(ps) == 0 {
		visit(e, nil)
		return
	}
	p := ps[0]
	var values []*val
	if p.typ.kind == 's' {
		values = r.elems
	} else {
		for _, g := range ev.guards {
			if g.op == "∈" && g.args[0] == p && !infinite(g.args[1]) && !mentions(g.args[1], ps) {
				// Where an earlier guard is false for all elements, the bound is not
				// evaluated. All earlier ones are about p, or in the way as well.
				if !has(func() { values = r.expr(g.args[1], e).parts }) {
					values = []*val{readValue("0")}
				}
			}
		}
		// An equation gives a value that no bound need contain.
		for _, g := range ev.guards {
			if g.op == "=" && g.args[0] == p && !mentions(g.args[1], ps) {
				has(func() { values = setOf(append(slices.Clone(values), r.expr(g.args[1], e))).parts })
			}
		}
		if len(values) == 0 {
			values = []*val{readValue("0")} // for the guards before the bound
		}
		if ev.hideaway {
			for i := -9; i < 10; i++ {
				values = append(values, lit(int64(i)).number())
			}
			values = setOf(values).parts
		}
	}
	for _, v := range values {
		r.params(ev, ps[1:], e.with(p.name, v), func(e *env, args []string) {
			visit(e, append([]string{v.key}, args...))
		})
	}
}

// mentions reports whether one of the parameters, which have no values yet, is in n.
func mentions(n *node, ps []*node) bool {
	if n.op == "var" && slices.ContainsFunc(ps, func(p *node) bool { return p.name == n.name }) {
		return true
	}
	return slices.ContainsFunc(n.args, func(a *node) bool { return mentions(a, ps) })
}

func (n *node) number() *val { return number(n.n) }

func (r *brute) act(ev *bruteEvent, actions []*bruteAction, e *env, after map[string]*val, visit func(map[string]*val)) {
	if len(actions) == 0 {
		visit(after)
		return
	}
	a := actions[0]
	set := func(v *val) {
		next := maps.Clone(after)
		next[a.v.name] = v
		r.act(ev, actions[1:], e, next, visit)
	}
	// What has no value counts, also where another action has no choice.
	for _, other := range actions[1:] {
		switch {
		case other.kind != '|':
			r.expr(other.right, e)
		default:
			r.such(other, e, func(*val) {})
		}
	}
	switch a.kind {
	case '=':
		set(r.expr(a.right, e))
	case '∈':
		for _, v := range r.expr(a.right, e).parts {
			set(v)
		}
	default:
		r.such(a, e, set)
	}
}

// such visits the after-values of an action x :∣ x' ∈ S ∧ P.
func (r *brute) such(a *bruteAction, e *env, visit func(*val)) {
	var found []*val
	for _, v := range r.expr(a.bound, e).parts {
		if r.pred(a.right, e.with(a.v.name+"'", v)) {
			found = append(found, v)
		}
	}
	for _, v := range found {
		visit(v)
	}
}

// state returns the number of the state after the changes.
func (r *brute) state(e *env, after map[string]*val) int {
	next := r.consts
	var key strings.Builder
	for _, v := range r.m.vars {
		x, ok := after[v.name]
		if !ok {
			x = e.of(v.name)
		}
		next = next.with(v.name, x)
		key.WriteString(x.key + ";")
	}
	s, ok := r.states[key.String()]
	if !ok {
		s = len(r.values)
		if s == bruteStates {
			panic(tooLarge{})
		}
		r.states[key.String()] = s
		r.values = append(r.values, next)
	}
	return s
}
