package check

import (
	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
)

// context checks a context whose extended contexts are checked.
func (c *checker) context(src *lang.Component) {
	k := c.component(src)
	out := &model.Context{Name: src.Name.Text, Origin: k.origin("", src.Name, src.Doc)}
	direct := k.targets(src.Extends, extends)
	in := k.include(src.Extends, direct, extends, nil, nil)
	out.Extends, out.Ancestors = in.direct, in.all
	// All names are declared before any axiom is read, as axioms may mention what is declared after them. Their types are
	// settled after the axioms, which infer them.
	k.declareAll(src.Sets, carrierSet)
	k.declareAll(src.Constants, constant)
	r := rule{scope: k.scope, visible: k.declared(k.scope), infer: inScope(k.scope)}
	out.Axioms = k.predicates(clause{
		predicates: src.Axioms, kind: axiomLabel, used: k.labels, rule: func(*lang.Predicate) rule { return r }, drop: k.inaccurate,
	})
	out.Sets = k.settle(k.scope, carrierSet)
	out.Constants = k.settle(k.scope, constant)
	out.Accurate = k.accurate
	out.Whole, out.Lost = k.whole(model.Component{Context: out})
	c.dev.Contexts = append(c.dev.Contexts, out)
	c.contexts[out.Name] = out
	k.flush()
}

const (
	extends pointer = iota
	sees
)

// targets returns the contexts that clauses name, nil for those that cannot be had.
func (k *component) targets(clauses []lang.Name, p pointer) []*model.Context {
	out := make([]*model.Context, len(clauses))
	for i, name := range clauses {
		at := k.at(name.Span)
		switch src := k.sources[source{lang.ContextKind, name.Text}]; {
		case name.Absent:
			k.found.contextNameUndef(at, p)
		case src == nil:
			k.found.contextNotFound(at, p, name.Text, k.sources[source{lang.MachineKind, name.Text}] != nil, diag.DidYouMean(name.Text, append(k.others(lang.ContextKind), "constants", "variables", "invariants", "axioms", "sets")))
			k.found.follows(k.again("context", name.Text) || k.lacks)
			k.lacks = true
		case src.NoConfiguration:
			k.found.contextWithoutConfiguration(at, p, name.Text)
		default:
			out[i] = k.contexts[name.Text]
		}
	}
	return out
}

// inclusion is what clauses bring in.
type inclusion struct {
	direct []*model.Context // by valid clauses
	all    []*model.Context // those with their ancestors, each once, in order of inclusion
}

// include brings the identifiers of the contexts targets into scope. A clause
// with a name conflict is dropped as a whole. present are contexts whose
// identifiers are in scope already; reserved are names that no context may
// declare.
func (k *component) include(clauses []lang.Name, targets []*model.Context, p pointer, present map[string]bool, reserved reservedNames) inclusion {
	bad := make([]bool, len(targets))
	top := make([]string, len(targets)) // name of the context, the first time
	first := map[string]int{}
	brought := make([][]*symbol, len(targets))
	seen := map[string]bool{}
	for name := range present {
		seen[name] = true
	}
	for i, t := range targets {
		if t == nil {
			k.inaccurate()
			continue
		}
		if _, twice := first[t.Name]; twice {
			k.found.contextRedundant(k.at(clauses[i].Span), p, t.Name)
		} else {
			top[i] = t.Name
			first[t.Name] = i
		}
		k.accurate = k.accurate && t.Accurate
		for _, c := range upward(t) {
			for _, x := range k.identsOf(c) {
				x.at, x.clause = k.at(clauses[i].Span), i+1
				if seen[c.Name] {
					brought[i] = append(brought[i], k.scope.find(x.name))
				} else if k.importSymbol(x, i, bad, reserved) {
					brought[i] = append(brought[i], x)
				}
			}
			seen[c.Name] = true
		}
	}
	return k.commit(clauses, targets, p, bad, top, first, brought)
}

// importSymbol declares the imported x of clause i. In a conflict it marks the clauses in bad.
func (k *component) importSymbol(x *symbol, i int, bad []bool, reserved reservedNames) bool {
	if rs := reserved[x.name]; len(rs) > 0 {
		for _, r := range rs {
			k.found.nameConflict(r, x.at)
			k.found.follows(true)
		}
		k.found.nameConflict(x, rs[0].at)
		bad[i] = true
		return false
	}
	old := k.scope.find(x.name)
	if k.declare(k.scope, x) {
		return true
	}
	bad[i] = true
	if old.clause > 0 {
		bad[old.clause-1] = true
	}
	return false
}

// commit settles what the good clauses bring in.
func (k *component) commit(clauses []lang.Name, targets []*model.Context, p pointer, bad []bool, top []string, first map[string]int, brought [][]*symbol) inclusion {
	var in inclusion
	have := map[string]bool{}
	redundant := make([]bool, len(targets))
	for i, t := range targets {
		if t == nil {
			continue
		}
		// An identifier is settled by the first clause that brings it; a conflict of any clause
		// makes what that clause brings faulty, for it is dropped as a whole.
		for _, x := range brought[i] {
			if x != nil && !x.settled {
				x.faulty = x.faulty || bad[i]
				x.settled = true
			}
		}
		if bad[i] {
			k.inaccurate()
			continue
		}
		in.direct = append(in.direct, t)
		up := upward(t)
		for n, c := range up {
			if !have[c.Name] {
				have[c.Name] = true
				in.all = append(in.all, c)
			}
			if j, named := first[c.Name]; named && j != i && n != len(up)-1 {
				redundant[j] = true
			}
		}
	}
	for i, r := range redundant {
		if r {
			k.found.contextRedundant(k.at(clauses[i].Span), p, top[i])
		}
	}
	return in
}

// upward returns the ancestors of c, and c.
func upward(c *model.Context) []*model.Context {
	return append(c.Ancestors[:len(c.Ancestors):len(c.Ancestors)], c)
}

// identsOf returns the own identifiers of c as symbols without a place.
func (k *component) identsOf(c *model.Context) []*symbol {
	var out []*symbol
	for _, s := range c.Sets {
		out = append(out, k.imported(s, carrierSet, c.Name))
	}
	for _, s := range c.Constants {
		out = append(out, k.imported(s, constant, c.Name))
	}
	return out
}

func (k *component) imported(i model.Ident, kind symbolKind, from string) *symbol {
	return &symbol{name: i.Name, kind: kind, typ: k.bank.Type(i.Term), from: from, origin: i.Origin}
}

// reservedNames are names with the symbols that reserve them.
type reservedNames map[string][]*symbol
