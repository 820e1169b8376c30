package search

import (
	"strings"
	"sync"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/sat"
	"github.com/gradine/gradine/prover/kernel"
)

// rule says when an axiom schema or a lemma of the library is instantiated: its
// patterns must be found among the relevant terms, where those that are predicates
// must be true, or false if a ¬ stands before them. Names in the patterns are the parameters of
// the schema; _ stands for anything.
type rule struct {
	name string
	when string
}

// rules is the table of schemata that are instantiated by patterns.
var rules = []rule{
	// Finite sets.
	{"finite.subset", "¬finite(s), finite(t)"},
	{"finite.union", "finite(union(s,t))"},
	{"finite.union", "¬finite(union(s,t))"},
	{"finite.dom", "dom(r), finite(r)"},
	{"finite.dom", "¬finite(dom(r))"},
	{"finite.ran", "ran(r), finite(r)"},
	{"finite.ran", "¬finite(ran(r))"},
	{"finite.converse", "¬finite(converse(r))"},
	{"finite.converse", "finite(r), converse(r)"},
	{"finite.function", "¬finite(f), in(f,pfun(s,t))"},
	{"finite.image", "¬finite(image(f,a)), in(f,pfun(s,t))"},
	{"finite.product", "¬finite(product(s,t))"},
	{"finite.product", "product(s,t), finite(s), finite(t)"},
	{"finite.upto", "upto(a,b)"},
	{"finite.single", "set(x)"},
	// Cardinality.
	{"size.nonneg", "card(s)"},
	{"size.zero", "card(s)"},
	{"size.single", "card(set(x))"},
	{"size.remove", "card(s), in(x,s)"},
	{"size.one", "card(s), in(x,s), in(y,s)"},
	{"size.mono", "card(s), card(t)"},
	{"size.equal", "card(s), card(t)"},
	{"card.insert", "card(union(s,set(x)))"},
	{"size.union", "card(union(s,t))"},
	{"size.diff", "card(diff(s,t))"},
	{"size.upto", "card(upto(a,b))"},
	{"size.function", "card(f), in(f,pfun(s,t))"},
	// Minimum and maximum.
	{"max.defined", "max(s)"},
	{"max.finite", "max(s)"},
	{"max.single", "max(set(x))"},
	{"min.defined", "min(s)"},
	{"min.finite", "min(s)"},
	{"min.single", "min(set(x))"},
}

// compiled is a rule as patterns over numbered slots.
type compiled struct {
	schema *kernel.Schema
	pats   []rpat
	slots  []int // of the schema's parameters
}

// rpat is a pattern: a slot if op is 0.
type rpat struct {
	op   logic.Op
	slot int
	args []rpat
	neg  bool
}

// compiledRules returns the rules whose schemata exist.
var compiledRules = sync.OnceValue(func() []compiled {
	var out []compiled
	for _, r := range rules {
		if c, ok := compileRule(r); ok {
			out = append(out, c)
		}
	}
	return out
})

var opByName = sync.OnceValue(func() map[string]logic.Op {
	m := map[string]logic.Op{}
	for op := logic.Op(1); op < logic.NumOps; op++ {
		m[kernel.OpName(op)] = op
	}
	return m
})

func compileRule(r rule) (compiled, bool) {
	var c compiled
	var params []string
	if c.schema = kernel.Lookup(r.name); c.schema != nil {
		for _, f := range strings.Fields(c.schema.Params) {
			name, _, _ := strings.Cut(f, ":")
			params = append(params, name)
		}
	} else if l, err := kernel.FindLemma(r.name); err == nil {
		c.schema = &l.Schema
		for _, t := range l.Free {
			params = append(params, l.Bank.Name(t))
		}
	} else {
		return c, false
	}
	p := ruleParser{text: r.when, slots: map[string]int{}}
	for {
		c.pats = append(c.pats, p.pattern())
		if !p.accept(",") {
			break
		}
	}
	for _, name := range params {
		slot, ok := p.slots[name]
		if !ok {
			panic("search: rule " + r.name + " does not bind " + name)
		}
		c.slots = append(c.slots, slot)
	}
	return c, true
}

// ruleParser reads the patterns of a rule.
type ruleParser struct {
	text  string
	slots map[string]int
	wild  int
}

func (p *ruleParser) accept(s string) bool {
	p.text = strings.TrimSpace(p.text)
	if strings.HasPrefix(p.text, s) {
		p.text = p.text[len(s):]
		return true
	}
	return false
}

func (p *ruleParser) pattern() rpat {
	neg := p.accept("¬")
	p.text = strings.TrimSpace(p.text)
	end := strings.IndexAny(p.text, "(), ")
	if end < 0 {
		end = len(p.text)
	}
	name := p.text[:end]
	p.text = p.text[end:]
	if !p.accept("(") {
		if name == "_" {
			p.wild++
			name += strings.Repeat("'", p.wild)
		}
		if _, ok := p.slots[name]; !ok {
			p.slots[name] = len(p.slots)
		}
		return rpat{slot: p.slots[name]}
	}
	op, ok := opByName()[name]
	if !ok {
		panic("search: no operator " + name)
	}
	r := rpat{op: op, neg: neg}
	for !p.accept(")") {
		r.args = append(r.args, p.pattern())
		p.accept(",")
	}
	return r
}

func (r rpat) node() pnode {
	if r.op == 0 {
		return pnode{kind: pSlot, slot: r.slot}
	}
	n := pnode{kind: pApp, op: r.op}
	for _, a := range r.args {
		n.args = append(n.args, a.node())
	}
	return n
}

// addRules makes the rules sources of instances, as quantifiers are.
func (e *engine) addRules() {
	top := e.litOf(e.b.App(logic.True))
	e.connective(top, e.b.App(logic.True))
	for i, c := range compiledRules() {
		t := trigger{}
		for _, p := range c.pats {
			sign := 1
			if p.neg {
				sign = -1
			}
			t.pats = append(t.pats, pattern{root: p.node(), lit: p.op.IsPredicate(), sign: sign})
		}
		q := &quant{id: len(e.quants), lit: top, rule: &compiledRules()[i], triggers: []trigger{t}}
		e.quants = append(e.quants, q)
		e.index(q)
	}
}

// applyRule adds the instance of q's schema.
func (e *engine) applyRule(q *quant, slots []logic.Term) {
	args := make([]logic.Term, len(q.rule.slots))
	for i, s := range q.rule.slots {
		if args[i] = slots[s]; args[i] == 0 {
			return
		}
	}
	cs, err := q.rule.schema.Clauses(e.b, args...)
	if err != nil {
		return
	}
	kind := kernel.Axiom
	if q.rule.schema.Lemma() {
		kind = kernel.Lemma
	}
	for i, c := range cs {
		if id := e.add(c, kernel.Step{Kind: kind, Name: q.rule.schema.Name, Index: i, Terms: args}); id != sat.NoID {
			e.decideLater(id)
		}
	}
}
