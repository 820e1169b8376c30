package recheck

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
)

//go:embed axioms.txt
var axiomTable string

//go:embed conditions.txt
var conditionTable string

// axioms has the schemata by their names, and conditions what operators ask of arguments.
var axioms, conditions = parseTable(axiomTable), parseTable(conditionTable)

// A node is a word or a list in parentheses.
type node struct {
	word string
	list []*node
}

// A schema has parameters, words or an operator with its arguments, and formulas.
type schema struct{ params, formulas []*node }

func parseTable(table string) map[string]schema {
	out := map[string]schema{}
	for line := range strings.Lines(table) {
		if head, formulas, ok := strings.Cut(line, " : "); ok && line[0] != '#' {
			params := parseNodes(head)
			out[params[0].word] = schema{params[1:], parseNodes(formulas)}
		}
	}
	return out
}

func parseNodes(text string) []*node {
	open := [][]*node{nil} // lists that are not ended
	for _, w := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text)) {
		last := len(open) - 1
		switch w {
		case "(":
			open = append(open, nil)
		case ")":
			open[last-1] = append(open[last-1], &node{list: open[last]})
			open = open[:last]
		default:
			open[last] = append(open[last], &node{word: w})
		}
	}
	return open[0]
}

// axiom returns the instance of the schema called name with closed arguments.
func (s *store) axiom(name string, args []*Term) *Term {
	row, ok := axioms[name]
	need(ok, "no axiom %q", name)
	need(len(args) == len(row.params), "%s: %d arguments for %d parameters", name, len(args), len(row.params))
	// The table names types by terms that have them.
	env := map[string]*Term{"Z": s.int(0)} // its type is Z
	for i, p := range row.params {
		// A schema is about values; predicates enter only as parts of an operator that it names.
		need(p.list != nil || args[i].typ != s.prop, "%s: a predicate as argument", name)
		if p.list == nil {
			env[p.word] = args[i]
			continue
		}
		op, names := p.list[0].word, p.list[1:]
		need(args[i].op == op, "%s is about %s", name, op)
		env["it"] = args[i]
		for j, n := range names {
			env[n.word] = args[i].args[j]
		}
	}
	return s.eval(row.formulas[0], env)
}

// eval returns the term that n says where names have the given values.
func (s *store) eval(n *node, env map[string]*Term) *Term {
	if n.list == nil {
		if t := env[n.word]; t != nil {
			return t
		}
		if v, err := strconv.ParseInt(n.word, 10, 64); err == nil {
			return s.int(v)
		}
		return s.app(n.word)
	}
	// Binders and types are read here, as their parts are not terms; the rest are functions of
	// terms.
	op := n.list[0].word
	switch op {
	case "forall", "exists":
		return s.evalBinder(op, n.list[1].list, n.list[2], env)
	case "over":
		return s.binder(n.list[1].word, 0, env[n.list[2].word].decls, s.eval(n.list[3], env))
	case "any", "every":
		return s.spread(op, n.list[1].word, env["x"], env["it"].args)
	case "whole":
		return s.whole(evalType(n.list[1].word, env))
	case "nothing":
		return s.empty(evalType(n.list[1].word, env))
	}
	var args []*Term
	for _, a := range n.list[1:] {
		args = append(args, s.eval(a, env))
	}
	if build := builders[op]; build != nil {
		return build(s, args)
	}
	return s.app(op, args...)
}

// evalBinder returns op over the variables of list, name and type in turn.
func (s *store) evalBinder(op string, list []*node, body *node, env map[string]*Term) *Term {
	var types []*Type
	inner := map[string]*Term{}
	// A copy: the names of bound variables end with their body.
	for name, t := range env {
		inner[name] = t
	}
	for i := 1; i < len(list); i += 2 {
		types = append(types, evalType(list[i].word, env))
	}
	return s.quantify(op, types, func(vars []*Term) *Term {
		for i, v := range vars {
			inner[list[2*i].word] = v
		}
		return s.eval(body, inner)
	})
}

func evalType(word string, env map[string]*Term) *Type {
	if name, way, ok := strings.Cut(word, ":"); ok {
		return part(env[name].decls[0], way)
	}
	name, way, _ := strings.Cut(word, ".")
	return part(env[name].typ, way)
}

// builders are the functions of the table that are not operators.
var builders = map[string]func(s *store, args []*Term) *Term{
	"none":       func(s *store, a []*Term) *Term { return s.empty(a[0].typ) },
	"left":       func(s *store, a []*Term) *Term { return s.half(a[0], 0) },
	"right":      func(s *store, a []*Term) *Term { return s.half(a[0], 1) },
	"first":      func(s *store, a []*Term) *Term { return s.projection(0, a[0]) },
	"second":     func(s *store, a []*Term) *Term { return s.projection(1, a[0]) },
	"same":       func(s *store, a []*Term) *Term { return s.atom("id", s.relation(a[0].typ, a[0].typ)) },
	"at":         func(s *store, a []*Term) *Term { return s.at(a[0], a[1]) },
	"parted":     func(s *store, a []*Term) *Term { return s.partition(a[0].args[0], a[0].args[1:]) },
	"chain":      func(s *store, a []*Term) *Term { return s.chain(a[0], a[1]) },
	"overridden": func(s *store, a []*Term) *Term { return s.overridden(a[0], a[1].args) },
	"functional": func(s *store, a []*Term) *Term { return s.functional(a[0], a[1]) },
	"pattern":    func(s *store, a []*Term) *Term { return s.pattern(a[0], a[1]) },
}

// half returns a part of a pair: that of ↦, or prj1 or prj2 of it.
func (s *store) half(x *Term, i int) *Term {
	if x.op == "maplet" {
		return x.args[i]
	}
	return s.projection(i, x)
}

func (s *store) projection(i int, x *Term) *Term {
	need(x.typ.kind == '*', "not a pair")
	atom := s.atom([]string{"prj1", "prj2"}[i], s.relation(x.typ, part(x.typ, "ab"[i:i+1])))
	return s.app("apply", atom, x)
}

// at returns the body of ∀x·P with t for x.
func (s *store) at(f, t *Term) *Term {
	need(f.op == "forall" && len(f.decls) == 1 && f.decls[0] == t.typ, "a ∀ with one variable of the type is wanted")
	return s.instantiate(f.args[0], []*Term{t})
}

// spread returns x op a1 ∨ x op a2 ∨ …, or ∧ between them.
func (s *store) spread(how, op string, x *Term, args []*Term) *Term {
	var all []*Term
	for _, a := range args {
		all = append(all, s.app(op, x, a))
	}
	if how == "any" {
		return s.join("or", "false", all)
	}
	return s.join("and", "true", all)
}

// partition returns set = p1∪…∪pn ∧ pi∩pj=∅ for i<j.
func (s *store) partition(set *Term, parts []*Term) *Term {
	none := s.empty(set.typ)
	whole := none
	if len(parts) == 1 {
		whole = parts[0]
	} else if len(parts) > 1 {
		whole = s.app("union", parts...)
	}
	all := []*Term{s.app("eq", set, whole)}
	for i, p := range parts {
		for _, q := range parts[i+1:] {
			all = append(all, s.app("eq", s.app("inter", p, q), none))
		}
	}
	return s.join("and", "true", all)
}

// chain returns ∃y1…·x1↦y1∈r1 ∧ y1↦y2∈r2 ∧ … for x = x1↦x2 and r1;r2;….
func (s *store) chain(x, t *Term) *Term {
	relations := slices.Clone(t.args)
	if t.op == "bcomp" {
		slices.Reverse(relations)
	}
	var types []*Type
	for _, r := range relations[1:] {
		types = append(types, part(r.typ, "aa"))
	}
	return s.quantify("exists", types, func(between []*Term) *Term {
		var all []*Term
		stops := slices.Concat([]*Term{s.half(x, 0)}, between, []*Term{s.half(x, 1)})
		for i, r := range relations {
			all = append(all, s.app("in", s.app("maplet", stops[i], stops[i+1]), r))
		}
		return s.app("and", all...)
	})
}

// overridden returns x∈q ∨ (x∈r ∧ x1∉dom(q)), r what q, the last relation, overrides.
func (s *store) overridden(x *Term, relations []*Term) *Term {
	last := len(relations) - 1
	r, q := relations[0], relations[last]
	if last > 1 {
		r = s.app("override", relations[:last]...)
	}
	elsewhere := s.app("not", s.app("in", s.half(x, 0), s.app("dom", q)))
	return s.app("or", s.app("in", x, q), s.app("and", s.app("in", x, r), elsewhere))
}

// functional returns what x∈σ⇸τ means between whole types, and elsewhere what it means by that.
func (s *store) functional(x, t *Term) *Term {
	a, b := part(x.typ, "aa"), part(x.typ, "ab")
	if t.args[0] != s.whole(a) || t.args[1] != s.whole(b) {
		between := s.app("subseteq", x, s.app("product", t.args[0], t.args[1]))
		return s.app("and", between, s.app("in", x, s.app("pfun", s.whole(a), s.whole(b))))
	}
	return s.quantify("forall", []*Type{a, b, b}, func(v []*Term) *Term {
		both := s.app("and", s.app("in", s.app("maplet", v[0], v[1]), x), s.app("in", s.app("maplet", v[0], v[2]), x))
		return s.app("implies", both, s.app("eq", v[1], v[2]))
	})
}

// pattern returns P and equations of what is left, for x∈{z·P∣E} where E, taken apart along
// ↦, has each z as a part: z is the part of x there.
func (s *store) pattern(x, t *Term) *Term {
	n := len(t.decls)
	values := make([]*Term, n)
	var parts, places []*Term
	var walk func(x, e *Term)
	walk = func(x, e *Term) {
		switch {
		case e.op == "maplet":
			walk(s.half(x, 0), e.args[0])
			walk(s.half(x, 1), e.args[1])
		case e.op == "bound" && values[n-1-e.index] == nil:
			values[n-1-e.index] = x
		default:
			parts, places = append(parts, e), append(places, x)
		}
	}
	walk(x, t.args[1])
	need(!slices.Contains(values, nil), "the pattern does not determine all variables")
	all := []*Term{s.instantiate(t.args[0], values)}
	for i, e := range parts {
		all = append(all, s.app("eq", s.instantiate(e, values), places[i]))
	}
	return s.join("and", "true", all)
}
