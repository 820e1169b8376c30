// Package hinted prepares the proof hints of a sequent: it type-checks their formulas and
// builds the proof plan that they describe. Errors in hints are diagnostics with a code.
package hinted

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/derive"
)

// The codes of diagnostics other than those of formulas.
const (
	unknownCode = "GR0952" // a name
	unfitCode   = "GR0953" // a hint that the sequent does not suit
)

// Plan is a sequent that hints take apart.
type Plan struct {
	*derive.Plan
	Facts []Fact       // each is an obligation of its own
	Last  *derive.Node // what is left when all hints have done their part

	Top   []*hints.Hint // the hints, without those below others
	rules []applied
}

// applied is a hint and the node where it was applied.
type applied struct {
	hint *hints.Hint
	node *derive.Node
}

// Unneeded returns the hints that the proof does not need which was found last.
func (p *Plan) Unneeded() []*hints.Hint {
	var out []*hints.Hint
	for _, a := range p.rules {
		if !a.node.Needed {
			out = append(out, a.hint)
		}
	}
	return out
}

// Fact is one that a hint adds.
type Fact struct {
	Name string // have1; have1/have2 of the second fact that is for the first one
	Node *derive.Node
	Hint *hints.Hint
}

// Make makes the plan of hints for s, whose hypotheses have labels. The problem is nil if
// the hints fit.
func Make(s logic.Sequent, labels []string, list []*hints.Hint) (*Plan, *diag.Diagnostic) {
	p := &Plan{Plan: derive.New(s, labels), Top: list}
	p.GrantGoal()
	m := &maker{plan: p}
	p.Last = m.apply(p.Root, list, "")
	if m.problem != nil {
		return nil, m.problem
	}
	return p, nil
}

// maker follows hints through a plan until one does not fit.
type maker struct {
	plan    *Plan
	cut     *derive.Node // of the last fact
	problem *diag.Diagnostic
}

func (m *maker) refuse(code string, at diag.Span, help, format string, args ...any) {
	if m.problem == nil {
		m.problem = &diag.Diagnostic{Code: code, Span: at, Message: fmt.Sprintf(format, args...), Help: help}
	}
}

// apply applies hints to n, one after the other; prefix is the name of the fact that n is to
// prove, with a slash, or "". It returns the node to go on with, nil if a hint does not fit.
func (m *maker) apply(n *derive.Node, list []*hints.Hint, prefix string) *derive.Node {
	if len(list) == 0 {
		return n
	}
	n = n.Intro()
	for _, h := range list {
		at := n
		if n = m.hint(n, h, prefix); n == nil {
			return nil
		}
		switch h.Kind {
		case hints.Have:
			at = m.cut
			fallthrough
		case hints.Inst, hints.Witness:
			m.plan.rules = append(m.plan.rules, applied{h, at})
		}
		n = n.Intro()
	}
	return n
}

// hint applies one hint and returns the node to go on with, nil if it does not fit.
func (m *maker) hint(n *derive.Node, h *hints.Hint, prefix string) *derive.Node {
	var err error
	switch h.Kind {
	case hints.Have, hints.Cases:
		fact, ok := m.term(n, func(b *logic.Bank, env check.Env) (logic.Term, []check.Typing, []diag.Diagnostic) {
			return check.Formula(b, env, h.Fact)
		}, h.Span)
		if !ok {
			return nil
		}
		if h.Kind == hints.Cases {
			holds, rest := n.Cases(fact)
			m.apply(holds, h.Below, prefix)
			return rest
		}
		return m.have(n, h, fact, prefix)
	case hints.Inst:
		at, ok := m.labelled(n, h.Label)
		if !ok {
			return nil
		}
		nums, vals, ok := m.values(n, h, n.Hyps[at].Term)
		if !ok {
			return nil
		}
		n, err = n.Inst(at, nums, vals)
		if err != nil {
			m.refuse(unfitCode, h.Label.Span, "inst needs a hypothesis ∀x·P", "%s: %v", h.Label.Text, err)
		}
		return n
	case hints.Witness:
		return m.witness(n, h)
	case hints.Use:
		return m.use(n, h)
	case hints.Unfold:
		// One after the other: a definition may speak of identifiers that a later word unfolds.
		for _, w := range h.Words {
			x, ok := m.identifier(n, w)
			if !ok {
				return nil
			}
			if n, err = n.Unfold(x); err != nil {
				m.refuse(unfitCode, w.Span, "unfold replaces an identifier of the goal by E of a hypothesis "+w.Text+" = E", "%s: %v", w.Text, err)
				return nil
			}
			n = n.Intro()
		}
		return n
	}
	x, ok := m.identifier(n, h.Words[0])
	if !ok {
		return nil
	}
	base, step, _, err := n.Induct(x)
	if err != nil {
		m.refuse(unfitCode, h.Words[0].Span, "induct needs a number or a finite set", "%s: %v", h.Words[0].Text, err)
		return nil
	}
	m.apply(base, h.Below, prefix)
	return step
}

// have adds a fact, and that it is well-defined.
func (m *maker) have(n *derive.Node, h *hints.Hint, fact logic.Term, prefix string) *derive.Node {
	number := 1
	for _, f := range m.plan.Facts {
		if rest, ok := strings.CutPrefix(f.Name, prefix+"have"); ok && rest == strconv.Itoa(number) {
			number++
		}
	}
	name := prefix + "have" + strconv.Itoa(number)
	wd, proof, rest := n.Have(fact)
	at := n
	if wd != nil {
		at = n.Parts[1] // the fact comes behind its being well-defined
	}
	if wd != nil {
		m.plan.Facts = append(m.plan.Facts, Fact{name + "/WD", wd, h})
		// The hypotheses that the fact needs are those that give it a value.
		chosen := slices.IndexFunc(h.Below, func(below *hints.Hint) bool { return below.Kind != hints.Use })
		if chosen < 0 {
			chosen = len(h.Below)
		}
		m.apply(wd, h.Below[:chosen], name+"/")
	}
	m.plan.Facts = append(m.plan.Facts, Fact{name, proof, h})
	m.apply(proof, h.Below, name+"/")
	m.cut = at
	return rest
}

// witness gives values to the variables of the goal, or names those of a hypothesis.
func (m *maker) witness(n *derive.Node, h *hints.Hint) *derive.Node {
	// Without a label the witness is for the goal: a person gives it, a hypothesis has its own.
	if h.Label.Text == "" {
		if n.Bank().Op(n.Goal) != logic.Exists {
			m.refuse(unfitCode, h.Span, "witness x ≔ E needs a goal ∃x·P", "the goal is not of the form ∃x·P")
			return nil
		}
		nums, vals, ok := m.values(n, h, n.Goal)
		if !ok {
			return nil
		}
		next, err := n.Witness(nums, vals)
		if err != nil {
			m.refuse(unfitCode, h.Span, "", "%v", err)
		}
		return next
	}
	at, ok := m.labelled(n, h.Label)
	if !ok {
		return nil
	}
	var names []string
	for _, w := range h.Words {
		names = append(names, w.Text)
	}
	next, err := n.Obtain(at, names)
	if err != nil {
		m.refuse(unfitCode, h.Label.Span, "witness LABEL x … needs a hypothesis ∃x·P, and a new name for each variable", "%s: %v", h.Label.Text, err)
	}
	return next
}

// use restricts the hypotheses that a search has at first.
func (m *maker) use(n *derive.Node, h *hints.Hint) *derive.Node {
	only := []int{}
	for _, w := range h.Words {
		at, ok := m.labelled(n, w)
		if !ok {
			return nil
		}
		only = append(only, at)
	}
	n.Use(only)
	return n
}

// term types a formula at n.
func (m *maker) term(n *derive.Node, read func(*logic.Bank, check.Env) (logic.Term, []check.Typing, []diag.Diagnostic), at diag.Span) (logic.Term, bool) {
	b := n.Bank()
	t, inferred, found := read(b, environment(n))
	if len(found) > 0 {
		if m.problem == nil {
			m.problem = &found[0]
		}
		return 0, false
	}
	if len(inferred) > 0 {
		m.unknown(n, inferred[0].Name, at)
		return 0, false
	}
	return t, true
}

func (m *maker) unknown(n *derive.Node, name string, at diag.Span) {
	names := slices.Sorted(maps.Keys(n.Identifiers()))
	help := "use an identifier of the hypotheses or of the goal"
	if near := diag.Nearest(name, names); near != "" {
		help = "did you mean " + near + "?"
	}
	m.refuse(unknownCode, at, help, "the obligation has no identifier %s", name)
}

// environment has the types of the identifiers at n, and of carrier sets.
func environment(n *derive.Node) check.Env {
	b := n.Bank()
	env := check.Env{}
	for _, t := range n.CarrierSets() {
		env[b.GivenName(t)] = b.PowType(t)
	}
	for name, x := range n.Identifiers() {
		env[name] = b.Type(x)
	}
	return env
}

// identifier finds an identifier by name.
func (m *maker) identifier(n *derive.Node, w hints.Word) (logic.Term, bool) {
	x := n.Identifiers()[w.Text]
	if x == 0 {
		m.unknown(n, w.Text, w.Span)
	}
	return x, x != 0
}

// labelled finds a hypothesis by label: of several the last one, which is the nearest.
func (m *maker) labelled(n *derive.Node, w hints.Word) (int, bool) {
	at := n.Labelled(w.Text)
	if at < 0 {
		var labels []string
		for _, h := range n.Hyps {
			labels = append(labels, h.Label)
		}
		help := "use the label of a hypothesis, or have1, case1, inst1, witness1, induct1 for a fact of a hint, or premise1 for a premise of the goal"
		if near := diag.Nearest(w.Text, labels); near != "" {
			help = "did you mean " + near + "?"
		}
		m.refuse(unknownCode, w.Span, help, "no hypothesis has the label %s", w.Text)
	}
	return at, at >= 0
}

// values reads values for the variables of quantifier q.
func (m *maker) values(n *derive.Node, h *hints.Hint, q logic.Term) (nums []int, vals []logic.Term, ok bool) {
	b := n.Bank()
	if b.Op(q) != logic.Forall && b.Op(q) != logic.Exists {
		m.refuse(unfitCode, h.Span, "inst gives values to the variables of a hypothesis ∀x·P", "%s is not of the form ∀x·P", h.Label.Text)
		return nil, nil, false
	}
	hint, _ := b.Hint(q)
	for _, v := range h.Values {
		i := slices.Index(hint.Names, v.Name.Text)
		switch {
		case i < 0:
			m.refuse(unknownCode, v.Name.Span, "use one of its variables: "+strings.Join(hint.Names, ", "), "the quantifier has no variable %s", v.Name.Text)
			return nil, nil, false
		case slices.Contains(nums, i):
			m.refuse(unfitCode, v.Name.Span, "delete one of the values", "%s has two values", v.Name.Text)
			return nil, nil, false
		}
		t, ok := m.term(n, func(b *logic.Bank, env check.Env) (logic.Term, []check.Typing, []diag.Diagnostic) {
			return check.Expression(b, env, v.Expr, b.Decls(q)[i])
		}, v.Name.Span)
		if !ok {
			return nil, nil, false
		}
		nums, vals = append(nums, i), append(vals, t)
	}
	return nums, vals, true
}
