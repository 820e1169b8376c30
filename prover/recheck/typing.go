package recheck

import (
	_ "embed"
	"strings"
)

// rules has the typing rules by operator.
var rules = parseRules(ruleTable)

//go:embed rules.txt
var ruleTable string

// atoms are the operators without arguments that have many types.
var atoms = map[string]string{"empty": "Pa", "id": "P*aa", "prj1": "P**aba", "prj2": "P**abb"}

// associative operators take two arguments or more, as if applied from left to right.
var associative = words("and or union inter bcomp fcomp override plus times")

// binders are the operators with bound variables.
var binders = words("forall exists comprehension union-over inter-over choose")

func words(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(list) {
		out[w] = true
	}
	return out
}

func parseRules(table string) map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(table) {
		rule, ops, ok := strings.Cut(line, ":")
		for _, op := range strings.Fields(ops) {
			if ok && line[0] != '#' {
				out[op] = strings.Fields(rule)
			}
		}
	}
	return out
}

// result returns the type of op applied to args.
func (s *store) result(op string, args []*Term) *Type {
	var types []*Type
	for _, a := range args {
		types = append(types, a.typ)
	}
	// partition and set take any number of arguments, at least one, of one type.
	for len(types) > 1 && (op == "partition" || op == "set") {
		need(types[0] == types[1], "%s of several types", op)
		types = types[1:]
	}
	rule := rules[op]
	need(rule != nil, "no operator %q", op)
	n := len(rule) - 1
	for associative[op] && len(types) > n {
		types = append([]*Type{s.applied(op, rule, types[:n])}, types[n:]...)
	}
	return s.applied(op, rule, types)
}

// applied returns the type of the result of a rule for arguments of the given types.
func (s *store) applied(op string, rule []string, types []*Type) *Type {
	n := len(rule) - 1
	need(len(types) == n, "%s: %d arguments instead of %d", op, len(types), n)
	letters := map[byte]*Type{}
	for i, t := range types {
		rest, ok := match(rule[i], t, letters)
		need(ok && rest == "", "%s: argument %d has another type", op, i)
	}
	t, _ := s.typed(rule[n], letters)
	return t
}

// fits reports whether t is an instance of a pattern.
func fits(pattern string, t *Type) bool {
	_, ok := match(pattern, t, map[byte]*Type{})
	return ok
}

// match reports whether t is an instance of the pattern that rule begins with, and returns
// what stands after it.
func match(rule string, t *Type, letters map[byte]*Type) (string, bool) {
	kind, rest := rule[0], rule[1:]
	if 'a' <= kind && kind <= 'd' {
		if letters[kind] == nil {
			letters[kind] = t
		}
		return rest, letters[kind] == t && t.kind != 'o'
	}
	ok := t.kind == kind
	for _, p := range []*Type{t.a, t.b} {
		if ok && p != nil {
			rest, ok = match(rest, p, letters)
		}
	}
	return rest, ok
}

// typed returns the type that the pattern at the beginning of rule is.
func (s *store) typed(rule string, letters map[byte]*Type) (*Type, string) {
	kind, rest := rule[0], rule[1:]
	if 'a' <= kind && kind <= 'd' {
		return letters[kind], rest
	}
	var a, b *Type
	if kind == 'P' || kind == '*' {
		a, rest = s.typed(rest, letters)
	}
	if kind == '*' {
		b, rest = s.typed(rest, letters)
	}
	return s.typ(kind, "", a, b), rest
}
