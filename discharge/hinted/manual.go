package hinted

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/derive"
)

// The bounds on the hints for one proof: what is longer says nothing to its readers.
const (
	maxManual      = 400 // lines
	maxManualDepth = 24  // hints below hints
)

// Manual returns hints, as a file has them below the line of a block, that say what people
// did in a proof of Rodin: cuts, cases, instances, witnesses, a choice of hypotheses. A branch
// of the proof with such steps, which no hint of ours leads to, becomes a fact of its own.
// Lost is the number of such steps that have no hint here: their formulas mention what a
// search of Rodin has named, or they are too many.
func Manual(s logic.Sequent, labels []string, proof rodin.Proof) (lines []string, lost int) {
	plan := derive.New(s, labels)
	plan.GrantGoal()
	c := &carrier{bank: plan.Bank, given: plan.Given, names: map[string]logic.Term{}}
	n := plan.Root.Intro()
	var list []*carried
	if only := c.selection(n, proof); only != "" {
		list = append(list, &carried{text: only})
	}
	list = append(list, c.walk(n, proof.Root, 1)...)
	list = trimmed(list)
	// Hints that do not fit are an error of ours, or come of formulas that the text of hints
	// cannot have. The longest part that fits is kept.
	for len(list) > 0 {
		lines = flat(nil, list, "")
		if fits(s, labels, lines) {
			break
		}
		list, lines = list[:len(list)-1], nil
		c.lost++
	}
	return lines, c.lost
}

// fits reports whether lines are hints for s.
func fits(s logic.Sequent, labels, lines []string) bool {
	var problems diag.List
	f := hints.Parse("", []byte("for x\n    "+strings.Join(lines, "\n    ")+"\n"), &problems)
	if problems.Len() > 0 || len(f.Blocks) != 1 {
		return false
	}
	_, problem := Make(s, labels, f.Blocks[0].Hints)
	return problem == nil
}

// carrier carries the steps of one proof over to a plan, step by step, so that labels and
// names are those that the hints have there.
type carrier struct {
	bank   *logic.Bank
	given  int
	reader check.Reader
	names  map[string]logic.Term // what identifiers that Rodin introduced are here
	lines  int
	lost   int
}

// carried is a hint with those below it.
type carried struct {
	text  string
	names []string // that a witness gives to what exists
	below []*carried
}

// flat lists hints as lines.
func flat(out []string, list []*carried, indent string) []string {
	for _, h := range list {
		out = append(out, indent+h.text)
		out = flat(out, h.below, indent+"    ")
	}
	return out
}

// trimmed leaves out hints at the end of list that only give names, because no later hint mentions these names.
func trimmed(list []*carried) []*carried {
	for len(list) > 0 && len(list[len(list)-1].names) > 0 {
		list = list[:len(list)-1]
	}
	return list
}

// selection is the hint that chooses the hypotheses that a proof needs, if somebody has
// chosen hypotheses there; "" if not, or if none has a label.
func (c *carrier) selection(n *derive.Node, proof rodin.Proof) string {
	chosen := false
	proof.Steps(func(s *rodin.Step) {
		chosen = chosen || s.Reasoner == "mngHyp" && slices.ContainsFunc(s.Branches, func(b rodin.Branch) bool { return b.Selects })
	})
	if !chosen {
		return ""
	}
	var labels []string
	for _, h := range proof.Hyps {
		if at := c.hypothesis(n, h); at >= 0 && at < c.given && !slices.Contains(labels, hints.Label(n.Hyps[at].Label)) {
			labels = append(labels, hints.Label(n.Hyps[at].Label))
		}
	}
	if len(labels) == 0 {
		return ""
	}
	return "use " + strings.Join(labels, " ")
}

// add makes a hint of a line.
func (c *carrier) add(line string) *carried {
	c.lines++
	return &carried{text: line}
}

// walk returns the hints for n that say what step s and those behind it did.
func (c *carrier) walk(n *derive.Node, s *rodin.Step, depth int) []*carried {
	var out []*carried
	for s != nil {
		if c.lines > maxManual || depth > maxManualDepth {
			c.lost++
			return out
		}
		here, next, then := c.step(n, s, depth)
		out = append(out, here...)
		n, s = next.Intro(), then
	}
	return out
}

// step returns the hints of one step, and where the proof goes on. Branches that show that
// what people wrote is well-defined come first in Rodin's proofs, and need no hints here.
func (c *carrier) step(n *derive.Node, s *rodin.Step, depth int) (list []*carried, next *derive.Node, then *rodin.Step) {
	branches := s.Branches
	last := len(branches) - 1
	switch s.Reasoner {
	case "cut":
		if last == 2 && len(s.Preds) == 1 {
			if fact, ok := c.predicate(n, s.Preds[0]); ok {
				h, rest := c.have(n, fact, branches[1].Next, depth)
				return []*carried{h}, rest, branches[2].Next
			}
		}
	case "doCase":
		if last == 2 {
			return c.cases(n, branches[1:], depth)
		}
	case "disjE":
		if last > 0 {
			return c.cases(n, branches, depth)
		}
	case "contr", "contrL1":
		if last == 0 && c.bank.Op(n.Goal) != logic.False {
			h := c.add("cases " + c.text(n.Goal))
			_, rest := n.Cases(n.Goal)
			return []*carried{h}, rest, branches[0].Next
		}
	case "allD", "allmpD", "allmtD":
		if last > 0 {
			return c.instance(n, s, depth)
		}
	case "exI":
		if last == 1 && c.bank.Op(n.Goal) == logic.Exists {
			if nums, vals, text := c.values(n, n.Goal, s.Exprs); len(nums) > 0 {
				if m, err := n.Witness(nums, vals); err == nil {
					return []*carried{c.add("witness " + text)}, m, branches[1].Next
				}
			}
		}
	case "ae":
		// A name for an expression: hints say the expression itself.
		if last == 1 && len(s.Exprs) == 1 && len(branches[1].New) == 1 {
			if e, ok := c.expression(n, s.Exprs[0], logic.NoType); ok {
				c.names[branches[1].New[0]] = e
				return nil, n, branches[1].Next
			}
		}
	default:
		return c.other(n, s, depth)
	}
	c.lost++
	return c.other(n, s, depth)
}

// have adds a fact, with the hints of its proof.
func (c *carrier) have(n *derive.Node, fact logic.Term, proof *rodin.Step, depth int) (*carried, *derive.Node) {
	h := c.add("have " + c.text(fact))
	_, shown, rest := n.Have(fact)
	h.below = c.below(shown, proof, depth)
	return h, rest
}

// below returns the hints for a branch: what it names is nothing to others.
func (c *carrier) below(n *derive.Node, s *rodin.Step, depth int) []*carried {
	names := maps.Clone(c.names)
	list := trimmed(c.walk(n.Intro(), s, depth+1))
	c.names = names
	return list
}

// cases distinguishes between branches, each of which has hypotheses of its own.
func (c *carrier) cases(n *derive.Node, branches []rodin.Branch, depth int) (list []*carried, next *derive.Node, then *rodin.Step) {
	for _, branch := range branches[:len(branches)-1] {
		var conditions []logic.Term
		for _, text := range branch.Hyps {
			if t, ok := c.predicate(n, text); ok {
				conditions = append(conditions, t)
			}
		}
		if len(conditions) == 0 || len(conditions) < len(branch.Hyps) {
			c.lost++
			continue
		}
		condition := c.bank.And(conditions...)
		h := c.add("cases " + c.text(condition))
		holds, rest := n.Cases(condition)
		h.below = c.below(holds, branch.Next, depth)
		list, n = append(list, h), rest.Intro()
	}
	return list, n, branches[len(branches)-1].Next
}

// instance gives values to the variables of a hypothesis. Where Rodin's simplifiers have made
// the hypothesis, it is a fact before.
func (c *carrier) instance(n *derive.Node, s *rodin.Step, depth int) (list []*carried, next *derive.Node, then *rodin.Step) {
	branches := s.Branches
	last := branches[len(branches)-1].Next
	text := slices.Concat(s.Preds, s.Hyps, []string{""})[0]
	at := c.hypothesis(n, text)
	if at < 0 {
		fact, ok := c.predicate(n, text)
		if !ok || c.bank.Op(fact) != logic.Forall {
			c.lost++
			return nil, n, last
		}
		h, rest := c.have(n, fact, nil, depth)
		list, n = append(list, h), rest.Intro()
		at = len(n.Hyps) - 1
	}
	nums, vals, values := c.values(n, n.Hyps[at].Term, s.Exprs)
	m, err := n.Inst(at, nums, vals)
	if len(nums) == 0 || err != nil {
		c.lost++
		return nil, n, last
	}
	list, n = append(list, c.add("inst "+hints.Label(n.Hyps[at].Label)+" "+values)), m.Intro()
	// Of allmpD and allmtD, what the instance needs is shown first.
	more, n := c.facts(n, branches[1:len(branches)-1], depth)
	return append(list, more...), n, last
}

// facts adds a fact for each branch of a Rodin proof that has hints: its goal under the hypotheses that the branch adds, which
// is stated and proved with the hints of the branch, and then a hypothesis of what follows. A branch whose formulas
// cannot be read here is lost.
func (c *carrier) facts(n *derive.Node, branches []rodin.Branch, depth int) ([]*carried, *derive.Node) {
	var list []*carried
	for _, branch := range branches {
		if !hasHints(branch.Next) {
			continue
		}
		fact, ok := n.Goal, true
		if branch.Goal != "" {
			fact, ok = c.predicate(n, branch.Goal)
		}
		for _, text := range slices.Backward(branch.Hyps) {
			premise, fits := c.predicate(n, text)
			if ok = ok && fits; ok {
				fact = c.bank.App(logic.Implies, premise, fact)
			}
		}
		if !ok || c.bank.Op(fact) == logic.True {
			c.lost++
			continue
		}
		h, rest := c.have(n, fact, branch.Next, depth)
		if len(h.below) == 0 {
			c.lines-- // nothing of the branch has become a hint
			continue
		}
		list, n = append(list, h), rest.Intro()
	}
	return list, n
}

// handmade are the reasoners whose inputs people choose.
var handmade = []string{"cut", "doCase", "disjE", "allD", "allmpD", "allmtD", "exI"}

// hasHints reports whether people have chosen something in step s or behind it.
func hasHints(s *rodin.Step) bool {
	found := false
	rodin.Proof{Root: s}.Steps(func(s *rodin.Step) { found = found || slices.Contains(handmade, s.Reasoner) })
	return found
}

// other follows a step that is not a hint: what it names gets a name here.
func (c *carrier) other(n *derive.Node, s *rodin.Step, depth int) (list []*carried, next *derive.Node, then *rodin.Step) {
	if len(s.Branches) == 0 {
		return nil, n, nil
	}
	last := len(s.Branches) - 1
	if last > 0 {
		keeps := s.Branches[last].Goal == "" // and so the branch goes on with what n is to show
		if !keeps {
			last++
		}
		list, n = c.facts(n, s.Branches[:last], depth)
		if !keeps {
			return list, n, nil
		}
	}
	branch := s.Branches[last]
	for _, x := range branch.Inferred {
		if len(x.New) > 0 && len(x.From) > 0 {
			list, n = c.obtain(n, list, x.From[0], x.New)
		}
	}
	if len(branch.New) > 0 {
		if len(s.Hyps) > 0 && c.hypothesis(n, s.Hyps[0]) >= 0 {
			list, n = c.obtain(n, list, s.Hyps[0], branch.New)
		} else {
			c.choose(n, branch.New)
		}
	}
	return list, n, branch.Next
}

// choose says which variables of the goal the identifiers are that Rodin chose for these:
// those of the same name, and others in their order.
func (c *carrier) choose(n *derive.Node, names []string) {
	taken := map[logic.Term]bool{}
	for _, t := range c.names {
		taken[t] = true
	}
	for _, name := range names {
		var found logic.Term
		for _, x := range n.Local() {
			if !taken[x] && (found == 0 || c.bank.Name(x) == name && c.bank.Name(found) != name) {
				found = x
			}
		}
		if found != 0 {
			c.names[name], taken[found] = found, true
		}
	}
}

// obtain names what a hypothesis ∃x·P says exists.
func (c *carrier) obtain(n *derive.Node, list []*carried, text string, names []string) ([]*carried, *derive.Node) {
	at := c.hypothesis(n, text)
	if at < 0 || c.bank.Op(n.Hyps[at].Term) != logic.Exists {
		return list, n
	}
	taken := n.Identifiers()
	var ours []string
	for _, name := range names {
		free := name
		for k := 1; taken[free] != 0; k++ {
			free = name + strconv.Itoa(k)
		}
		ours = append(ours, free)
		taken[free] = logic.Term(1)
	}
	label := n.Hyps[at].Label
	m, err := n.Obtain(at, ours)
	if err != nil {
		return list, n
	}
	for i, x := range m.Local()[len(m.Local())-len(names):] {
		c.names[names[i]] = x
	}
	h := c.add("witness " + hints.Label(label) + " " + hints.Label(ours[0]))
	for _, name := range ours[1:] {
		h.text += " " + hints.Label(name)
	}
	h.names = ours
	return append(list, h), m.Intro()
}

// text is a term as hints have it.
func (c *carrier) text(t logic.Term) string { return text.Options{Spaced: true}.Term(c.bank, t) }

// environment has the types of identifiers at n by the names that Rodin has for them.
func (c *carrier) environment(n *derive.Node) (check.Env, map[logic.Term]logic.Term) {
	env := environment(n)
	by := map[logic.Term]logic.Term{}
	for name, t := range c.names {
		env[name] = c.bank.Type(t)
		by[c.bank.Free(name, env[name])] = t
	}
	return env, by
}

// predicate reads a predicate of Rodin at n.
func (c *carrier) predicate(n *derive.Node, text string) (logic.Term, bool) {
	env, by := c.environment(n)
	t, err := c.reader.Predicate(c.bank, env, text)
	if err != nil {
		return 0, false
	}
	return c.bank.Subst(t, by), true
}

// expression reads an expression of Rodin at n, which is of a type if that is given.
func (c *carrier) expression(n *derive.Node, text string, typ logic.Type) (logic.Term, bool) {
	f, wrong := lang.ParseExpression(text, lang.Stored)
	if len(wrong) > 0 {
		return 0, false
	}
	env, by := c.environment(n)
	var t logic.Term
	var unknown []check.Typing
	var problems []diag.Diagnostic
	if typ == logic.NoType {
		t, unknown, problems = check.Formula(c.bank, env, f)
	} else {
		t, unknown, problems = check.Expression(c.bank, env, f, typ)
	}
	if len(unknown)+len(problems) > 0 {
		return 0, false
	}
	return c.bank.Subst(t, by), true
}

// values reads values for the variables of quantifier q, in their order; what has none is "".
func (c *carrier) values(n *derive.Node, q logic.Term, exprs []string) (nums []int, vals []logic.Term, text string) {
	hint, _ := c.bank.Hint(q)
	if !c.bank.Op(q).IsBinder() {
		return nil, nil, ""
	}
	for i, typ := range c.bank.Decls(q) {
		if i >= len(exprs) || i >= len(hint.Names) || exprs[i] == "" {
			continue
		}
		t, ok := c.expression(n, exprs[i], typ)
		if !ok {
			return nil, nil, ""
		}
		if nums, vals = append(nums, i), append(vals, t); len(nums) > 1 {
			text += ", "
		}
		text += hints.Identifier(hint.Names[i]) + " ≔ " + c.text(t)
	}
	return nums, vals, text
}

// hypothesis finds a hypothesis of n that a label names, -1 if there is none.
func (c *carrier) hypothesis(n *derive.Node, text string) int {
	t, ok := c.predicate(n, text)
	if !ok {
		return -1
	}
	t = c.bank.Bare(t)
	for i, h := range slices.Backward(n.Hyps) {
		if c.bank.Bare(h.Term) == t && n.Labelled(h.Label) == i {
			return i
		}
	}
	return -1
}
