// Package rules defines the table of terms at which the kernel's axiom schemata and lemmas are
// instantiated, and parses it. The search does the matching.
package rules

import (
	"slices"
	"strings"
	"sync"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/internal/trigger"
	"github.com/gradine/gradine/prover/kernel"
)

// Rule is a row of the table as patterns over numbered slots.
type Rule struct {
	Schema     *kernel.Schema
	Triggers   []trigger.Trigger // one
	Slots      []int             // of the schema's parameters
	Needs      []logic.Op        // nothing matches where no relevant term has one of these
	Lean       bool              // only for proofs of lemmas
	Structural bool              // from a term to its parts
	Chained    bool              // likewise, of relations overridden or composed
	Asked      bool              // likewise, only where another structural rule asks
	Waits      bool              // of no use before it matters whether some set is finite
	Counts     bool              // it says how many elements sets have
	Compares   bool              // likewise, and then when little else is left: it would compare each count with all others
}

// row says when an axiom schema or a lemma of the library is instantiated: its
// patterns must be found among the relevant terms, where those that are predicates
// must be true, or false if a ¬ stands before them. Names in the patterns are the parameters of
// the schema; _ stands for anything. A lemma that
// states finiteness without a condition is held back until some set's finiteness matters.
type row struct {
	name string
	when string
	lean bool // only for proofs of lemmas: it leads away from other goals
}

// table is that of the schemata that are instantiated by patterns.
var table = []row{
	// Finite sets.
	{"finite.insert", "¬finite(union(s,set(x)))", false},
	{"finite.insert", "finite(union(s,set(x)))", false},
	{"finite.subset", "¬finite(s), finite(t)", false},
	{"finite.union", "finite(union(s,t))", false},
	{"finite.union", "¬finite(union(s,t))", false},
	{"finite.dom", "dom(r), finite(r)", false},
	{"finite.dom", "¬finite(dom(r))", false},
	{"finite.ran", "ran(r), finite(r)", false},
	{"finite.ran", "¬finite(ran(r))", false},
	{"finite.converse", "¬finite(converse(r))", false},
	{"finite.converse", "finite(r), converse(r)", false},
	{"finite.converse.back", "finite(converse(r))", false},
	{"infinite.natural", "finite(natural())", false},
	{"infinite.natural", "subseteq(natural(),s)", false},
	{"infinite.natural1", "finite(natural1())", false},
	{"infinite.natural1", "subseteq(natural1(),s)", false},
	{"infinite.integer", "finite(integer())", false},
	{"infinite.integer", "subseteq(integer(),s)", false},
	{"finite.ran.override", "¬finite(ran(override(r,s)))", false},
	{"finite.ran.union", "¬finite(ran(union(r,s)))", false},
	{"finite.dom.union", "¬finite(dom(union(r,s)))", false},
	{"finite.image", "¬finite(image(f,a)), in(f,pfun(s,t))", false},
	{"finite.image.whole", "¬finite(image(f,a))", false},
	{"finite.image.parts", "¬finite(image(r,a)), finite(a)", false},
	{"finite.image.union", "¬finite(image(union(r,q),a))", false},
	{"finite.image.converse.union", "¬finite(image(converse(union(r,q)),a))", false},
	{"finite.image.override", "¬finite(image(override(r,q),a))", false},
	{"finite.image.converse.override", "¬finite(image(converse(override(r,q)),a))", false},
	{"finite.product", "¬finite(product(s,t))", false},
	{"finite.product", "product(s,t), finite(s), finite(t)", false},
	{"finite.upto", "upto(a,b)", false},
	{"finite.pow", "¬finite(pow(s))", false},
	{"finite.pow", "pow(s), finite(s)", false},
	{"finite.pow.elements", "finite(pow(s))", false},
	{"finite.product.left", "finite(product(s,t)), in(y,t)", false},
	{"finite.product.right", "finite(product(s,t)), in(x,s)", false},
	{"finite.bool", "¬finite(s)", false},
	{"finite.set1", "set(x)", false},
	{"finite.set2", "set(x,y)", false},
	{"finite.set3", "set(x,y,z)", false},
	{"finite.set4", "set(w,x,y,z)", false},
	{"finite.set5", "set(v,w,x,y,z)", false},
	{"finite.set6", "set(u,v,w,x,y,z)", false},
	{"finite.set7", "set(t,u,v,w,x,y,z)", false},
	{"finite.set8", "set(s,t,u,v,w,x,y,z)", false},
	{"eq.dom.insert", "dom(union(r,set(p)))", true},
	{"eq.ran.insert", "ran(union(r,set(p)))", true},
	{"eq.converse.insert", "converse(union(r,set(p)))", true},
	{"eq.union.insert", "union(s,union(t,set(x)))", true},
	{"eq.product.insert", "product(union(s,set(x)),t)", true},
	{"eq.product.single", "product(set(y),union(t,set(x)))", true},
	{"eq.upto.next", "upto(a,b)", true},
	{"finite.upto.step", "upto(a,c)", true},
	{"finite.pow.step", "in(u,pow(union(s,set(x))))", true},
	{"finite.union-of.step", "union-of(union(s,set(x)))", true},
	{"finite.image.parts.step", "image(r,union(a,set(x)))", true},
	{"finite.within", "¬finite(s), le(a,x), le(x,b)", true},
	{"apply.least.from", "in(x,s), apply(f,x)", true},
	{"apply.greatest.from", "in(x,s), le(apply(f,x),b)", true},
	{"card.collision", "apply(f,x), apply(f,y)", true},
	{"power.power.step", "power(power(a,m),n)", true},
	{"card.pow.next", "pow(union(s,set(x)))", true},
	{"finite.pow.insert", "pow(union(s,set(x)))", true},
	{"card.union.step", "union(s,union(t,set(x)))", true},
	{"card.upto.step", "upto(a,c)", true},
	{"card.function.step", "in(union(f,set(p)),pfun(s,t))", true},
	{"card.product.step", "product(union(s,set(x)),t)", true},
	{"eq.product.apart", "product(union(s,set(x)),t)", true},
	{"eq.upto.none", "upto(a,b)", true},
	{"eq.inter.insert", "inter(s,union(t,set(x)))", true},
	{"eq.inter.other", "inter(s,union(t,set(x)))", true},
	{"eq.absorb", "union(s,set(x)), in(x,s)", true},
	{"eq.remove", "card(s), in(x,s)", true},
	{"eq.trim", "subseteq(s,union(t,set(x)))", true},
	{"eq.function.trim", "in(f,pfun(s,t)), dom(f), union(u,set(x))", true},
	{"finite.product.single", "product(set(y),t)", false},
	{"eq.image", "¬finite(image(f,a))", true},
	// Total functions: that there are some, and under override.
	{"function.none", "eq(tfun(s,t),empty())", false},
	{"function.constant", "tfun(s,t), in(y,t)", true},
	// Sequences with one element more or less.
	{"sequence.extend", "¬in(union(f,set(maplet(c,y))),tfun(upto(a,c),t)), in(f,tfun(upto(a,b),t))", false},
	{"sequence.last", "¬in(domsub(set(c),f),tfun(upto(a,b),t)), in(f,tfun(upto(a,c),t))", false},
	{"sequence.first", "¬in(domsub(set(a),f),tfun(upto(b,c),t)), in(f,tfun(upto(a,c),t))", false},
	{"sequence.front", "¬in(domres(upto(a,b),f),tfun(upto(a,b),t)), in(f,tfun(upto(a,c),t))", false},
	{"eq.function.back", "domsub(set(x),union(f,set(maplet(x,y))))", false},
	// Composition.
	{"compose.function", "¬in(fcomp(p,q),pfun(a,d)), in(p,pfun(a,b)), in(q,pfun(c,d))", false},
	{"compose.injection", "¬in(converse(fcomp(p,q)),pfun(d,a)), in(converse(p),pfun(b,a)), in(converse(q),pfun(d,c))", false},
	{"compose.dom", "dom(fcomp(p,q))", false},
	{"compose.ran", "ran(fcomp(p,q))", false},
	{"apply.update", "apply(override(f,set(maplet(x,y))),z)", false},
	{"apply.update.other", "apply(override(f,set(maplet(x,y))),z), in(f,pfun(s,t))", false},
	{"apply.update.first", "apply(override(f,set(maplet(x,y),maplet(u,v))),z)", false},
	{"apply.update.second", "apply(override(f,set(maplet(x,y),maplet(u,v))),z)", false},
	{"apply.update.neither", "apply(override(f,set(maplet(x,y),maplet(u,v))),z), in(f,pfun(s,t))", false},
	{"apply.extend", "apply(union(f,set(maplet(x,y))),z)", false},
	{"apply.extend.other", "apply(union(f,set(maplet(x,y))),z)", false},
	{"apply.update.many", "apply(override(f,product(u,set(y))),z)", false},
	{"apply.update.many.other", "apply(override(f,product(u,set(y))),z), in(f,pfun(s,t))", false},
	{"apply.constant", "apply(product(s,set(y)),x)", false},
	// Parts of relations.
	{"dom.union", "¬in(x,dom(union(r,s)))", false},
	{"dom.override", "¬in(x,dom(override(r,s)))", false},
	{"ran.union", "¬in(y,ran(union(r,s)))", false},
	{"dom.restrict", "¬in(x,dom(domres(s,r)))", false},
	{"dom.subtract", "¬in(x,dom(domsub(s,r)))", false},
	{"dom.diff", "¬in(x,dom(diff(r,s)))", false},
	{"ran.diff", "¬in(y,ran(diff(r,s)))", false},
	{"image.union", "¬in(y,image(union(r,s),a))", false},
	// Cardinality.
	{"card.natural", "card(s)", false},
	{"card.zero", "card(s)", false},
	{"card.single", "card(set(x))", false},
	{"card.pair", "card(set(x,y))", false},
	{"card.two", "¬eq(s,set(x,y)), card(s)", false},
	{"card.two", "¬eq(set(x,y),s), card(s)", false},
	{"card.three", "card(set(x,y,z))", false},
	{"card.four", "card(set(w,x,y,z))", false},
	{"card.five", "card(set(v,w,x,y,z))", false},
	{"card.six", "card(set(u,v,w,x,y,z))", false},
	{"card.seven", "card(set(t,u,v,w,x,y,z))", false},
	{"card.eight", "card(set(s,t,u,v,w,x,y,z))", false},
	{"eq.singles.three", "union(set(x),set(y),set(z)), card(_)", false},
	{"eq.singles.four", "union(set(w),set(x),set(y),set(z)), card(_)", false},
	{"eq.singles.five", "union(set(v),set(w),set(x),set(y),set(z)), card(_)", false},
	{"eq.singles.six", "union(set(u),set(v),set(w),set(x),set(y),set(z)), card(_)", false},
	{"eq.singles.seven", "union(set(t),set(u),set(v),set(w),set(x),set(y),set(z)), card(_)", false},
	{"eq.singles.eight", "union(set(s),set(t),set(u),set(v),set(w),set(x),set(y),set(z)), card(_)", false},
	{"card.remove", "card(diff(s,set(x)))", false},
	{"card.remove", "card(s), in(x,s)", true},
	{"card.less", "card(s), card(t), in(x,s), ¬in(x,t)", false},
	{"card.one", "card(s), in(x,s), in(y,s)", false},
	{"card.positive", "card(s), in(x,s)", false},
	{"card.apart", "card(s)", false},
	{"card.subset", "card(s), card(t)", false},
	{"card.subset.strict", "card(s), card(t), in(x,t)", false},
	{"card.insert", "card(union(s,set(x)))", false},
	{"card.union", "card(union(s,t))", false},
	{"card.meet", "eq(inter(s,t),empty()), card(s), card(t), card(u), subseteq(s,u)", false},
	{"card.meet", "eq(empty(),inter(s,t)), card(s), card(t), card(u), subseteq(s,u)", false},
	{"card.union.most", "card(union(s,t))", false},
	{"card.union.three", "card(union(s,t,u))", false},
	{"card.union.four", "card(union(s,t,u,v))", false},
	{"card.pow", "card(pow(s))", false},
	{"card.injection", "card(ran(f)), in(f,pinj(s,t))", false},
	{"card.diff", "card(diff(s,t))", false},
	{"card.upto", "card(upto(a,b))", false},
	{"card.upto", "subseteq(s,upto(a,b)), card(s)", false},
	{"card.function", "card(f), in(f,pfun(s,t))", false},
	{"card.converse", "card(converse(r))", false},
	{"card.product", "card(product(s,t))", false},
	{"card.relation", "card(r), subseteq(r,product(s,t)), times(_,_)", false},
	{"card.dom", "card(dom(r))", false},
	{"card.ran", "card(ran(r))", false},
	{"card.equal", "subseteq(s,t), card(s), card(t)", false},
	{"card.ran.update", "card(ran(override(f,set(maplet(x,y)))))", false},
	{"card.ran.extend", "card(ran(union(f,set(maplet(x,y)))))", false},
	{"card.dom.extend", "card(dom(union(f,set(maplet(x,y)))))", false},
	{"card.meet.pair", "card(inter(s,set(x,y)))", false},
	{"card.meet.pair", "card(inter(set(x,y),s))", false},
	// Positions in tiles.
	{"index.unique", "plus(times(i,n),j), plus(times(k,n),l)", false},
	{"mod.turn", "mod(plus(a,b),b)", false},
	{"mod.sum", "mod(plus(a,b),n), mod(a,n), mod(b,n)", false},
	{"mod.step", "mod(plus(a,b),n), mod(a,n)", false},
	{"mod.step", "mod(plus(b,a),n), mod(a,n)", false},
	{"mod.difference", "mod(minus(a,b),n), mod(a,n), mod(b,n)", false},
	{"mod.double", "mod(a,times(_,n)), mod(a,n)", false},
	{"mod.double", "mod(a,times(n,_)), mod(a,n)", false},
	// Powers.
	{"power.product", "power(times(a,b),n)", false},
	{"power.power", "power(power(a,m),n)", false},
	// Minimum and maximum.
	{"max.member", "max(s), in(x,s)", false},
	{"max.greatest", "max(s), in(x,s)", false},
	{"max.finite", "max(s), finite(s), in(x,s)", false},
	{"min.member", "min(s), in(x,s)", false},
	{"min.least", "min(s), in(x,s)", false},
	{"min.finite", "min(s), finite(s), in(x,s)", false},
	// Sets and counts compared by functions.
	{"finite.compose", "¬finite(fcomp(p,q))", false},
	{"finite.injective", "in(converse(f),pfun(t,s)), finite(t)", false},
	{"finite.union-of", "¬finite(union-of(s))", false},
	{"finite.diff", "finite(diff(s,t)), finite(t)", false},
	{"card.bijection", "card(ran(f)), in(f,pinj(s,t))", false},
	{"card.bijection", "card(dom(f)), in(f,pinj(s,t))", false},
	{"card.bijective", "in(f,tbij(s,t)), card(s)", false},
	{"card.bijective", "in(f,tbij(s,t)), card(t)", false},
	{"card.sides", "card(ran(f)), in(converse(f),pfun(t,s))", false},
	{"card.sides", "card(dom(f)), in(converse(f),pfun(t,s))", false},
	{"card.preimages", "card(image(converse(f),set(x))), card(image(converse(f),set(y)))", false},
	{"bijection.extend", "in(f,tbij(upto(1,n),s)), union(s,set(x))", true},
	{"card.image", "card(image(f,a)), card(a)", false},
	{"card.image.injection", "card(image(f,a)), card(a)", false},
	{"pigeons", "in(f,tfun(s,t)), card(t)", false},
	{"injection.onto", "in(f,tinj(s,s)), finite(s)", false},
	{"surjection.injective", "in(f,tsur(s,s)), finite(s)", false},
	{"card.onto", "in(f,tinj(s,t)), card(s), card(t)", false},
	{"card.injective", "in(f,tsur(s,t)), card(s), card(t)", false},
	{"card.injective", "card(dom(f)), card(ran(f))", false},
	{"card.function.remove", "card(domsub(set(x),f))", false},
	{"card.function.update", "card(override(f,set(maplet(x,y))))", false},
}

// structural is the table of what operations keep of what is known of their arguments: types, domains, ranges, finiteness, how many
// elements there are. What is asked of a term is asked of its parts at once, from the outside to the
// inside, before it is asked what it means for elements.
var structural = []row{
	{"update.dom", "dom(override(f,set(maplet(x,y))))", false},
	{"update.relation", "¬in(override(f,set(maplet(x,y))),rel(s,t))", false},
	{"update.partial", "¬in(override(f,set(maplet(x,y))),pfun(s,t))", false},
	{"update.ran", "¬subseteq(ran(override(f,set(maplet(x,y)))),t)", false},
	{"update.image", "¬subseteq(image(override(f,set(maplet(x,y))),a),t)", false},
	{"subtract.partial", "¬in(domsub(a,f),pfun(s,t))", false},
	{"compose.partial.injection", "¬in(fcomp(p,q),pinj(a,d)), in(q,pinj(b,d))", false},
	{"compose.total", "¬in(fcomp(p,q),tfun(a,d)), in(q,tfun(b,d))", false},
	{"compose.total.injection", "¬in(fcomp(p,q),tinj(a,d)), in(q,tinj(b,d))", false},
	{"compose.total.surjection", "¬in(fcomp(p,q),tsur(a,d)), in(q,tsur(b,d))", false},
	{"compose.bijection", "¬in(fcomp(p,q),tbij(a,d)), in(q,tbij(b,d))", false},
	{"function.update", "¬in(override(f,set(maplet(x,y))),tfun(s,t))", false},
	{"function.update.many", "¬in(override(f,product(u,set(y))),tfun(s,t))", false},
	{"finite.override", "¬finite(override(r,s))", false},
}

// asked is a table of further structural rules, which apply only where the structure above asks. Elsewhere they would state each fact
// of their kind twice.
var asked = []row{
	{"type.dom", "¬subseteq(dom(r),a), in(r,pfun(s,t))", false},
	{"type.dom", "¬subseteq(dom(r),a), in(r,rel(s,t))", false},
	{"type.dom", "¬subseteq(dom(r),a), subseteq(r,product(s,t))", false},
	{"type.ran", "¬subseteq(ran(r),b), in(r,pfun(s,t))", false},
	{"type.ran", "¬subseteq(ran(r),b), in(r,rel(s,t))", false},
	{"type.ran", "¬subseteq(ran(r),b), subseteq(r,product(s,t))", false},
	{"type.image", "¬subseteq(image(r,a),b), in(r,pfun(s,t))", false},
	{"type.image", "¬subseteq(image(r,a),b), in(r,rel(s,t))", false},
	{"type.image", "¬subseteq(image(r,a),b), subseteq(r,product(s,t))", false},
}

// All returns the rules whose schemata exist.
var All = sync.OnceValue(func() []Rule {
	var out []Rule
	for _, r := range table {
		if c, ok := compile(r); ok {
			out = append(out, c)
		}
	}
	for i, r := range slices.Concat(structural, asked) {
		if c, ok := compile(r); ok {
			c.Structural, c.Asked = true, i >= len(structural)
			c.Chained = strings.Contains(r.when, "override(") || strings.Contains(r.when, "fcomp(")
			out = append(out, c)
		}
	}
	return out
})

// waits reports whether r is of no use before it matters whether some set is finite: it would give each set its lemma, or look
// for a count in addition to each membership, inclusion or equation.
func waits(r row) bool {
	sized, counted := strings.Contains(r.when, "finite("), strings.Contains(r.when, "card(")
	return strings.HasPrefix(r.name, "finite.") && !sized || sized && strings.Contains(r.when, "in(") || counted && strings.Contains(r.when, ", ")
}

// compares reports whether r compares counts, or takes unions apart into all that their parts have in common.
func compares(r row) bool {
	return strings.Count(r.when, "card(") > 1 || strings.HasPrefix(r.name, "card.union") && r.name != "card.union.apart"
}

// compile makes a rule of a row; false if the row has neither an axiom nor a lemma yet.
func compile(r row) (Rule, bool) {
	c := Rule{Lean: r.lean, Waits: waits(r), Counts: strings.Contains(r.when, "card("), Compares: compares(r)}
	var params []string
	// A rule without schema or lemma is left out: lemmas have no certificate yet while their own
	// proofs are made.
	if c.Schema = kernel.Lookup(r.name); c.Schema != nil {
		for _, f := range strings.Fields(c.Schema.Params) {
			name, _, _ := strings.Cut(f, ":")
			params = append(params, name)
		}
	} else if l, err := kernel.FindLemma(r.name); err == nil {
		c.Schema = &l.Schema
		for _, term := range l.Free {
			params = append(params, l.Bank.Name(term))
		}
	} else {
		return c, false
	}
	p := parser{text: r.when, slots: map[string]int{}}
	t := trigger.Trigger{}
	for {
		read, sign := p.read(), 1
		if read.neg {
			sign = -1
		}
		t.Patterns = append(t.Patterns, trigger.Pattern{Root: read.node(), Lit: read.op.IsPredicate(), Sign: sign})
		if !p.accept(",") {
			break
		}
	}
	c.Triggers = []trigger.Trigger{t}
	for _, p := range t.Patterns {
		c.need(p.Root, !p.Lit)
	}
	for _, name := range params {
		slot, ok := p.slots[name]
		if !ok {
			panic("rules: rule " + r.name + " does not bind " + name)
		}
		c.Slots = append(c.Slots, slot)
	}
	return c, true
}

// need notes the operators of a pattern, of its root only if that has to be relevant.
func (c *Rule) need(p trigger.Node, root bool) {
	if p.Kind != trigger.App {
		return
	}
	if root && !slices.Contains(c.Needs, p.Op) {
		c.Needs = append(c.Needs, p.Op)
	}
	for _, a := range p.Args {
		c.need(a, true)
	}
}

// parser reads the patterns of a rule.
type parser struct {
	text  string
	slots map[string]int
	wild  int
}

func (p *parser) accept(s string) bool {
	p.text = strings.TrimSpace(p.text)
	if strings.HasPrefix(p.text, s) {
		p.text = p.text[len(s):]
		return true
	}
	return false
}

// read reads a pattern.
func (p *parser) read() pattern {
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
			// Each _ is a variable of its own; a prime keeps its name from all others.
			p.wild++
			name += strings.Repeat("'", p.wild)
		}
		if _, ok := p.slots[name]; !ok {
			p.slots[name] = len(p.slots)
		}
		return pattern{slot: p.slots[name]}
	}
	op := logic.OpNamed(name)
	if op == logic.Invalid {
		panic("rules: no operator " + name)
	}
	r := pattern{op: op, neg: neg}
	for !p.accept(")") {
		r.args = append(r.args, p.read())
		p.accept(",")
	}
	return r
}

func (r pattern) node() trigger.Node {
	if r.op == 0 {
		return trigger.Node{Kind: trigger.Slot, Slot: r.slot}
	}
	n := trigger.Node{Kind: trigger.App, Op: r.op}
	for _, a := range r.args {
		n.Args = append(n.Args, a.node())
	}
	return n
}

// pattern is a pattern: a slot if op is 0.
type pattern struct {
	op   logic.Op
	slot int
	args []pattern
	neg  bool
}
