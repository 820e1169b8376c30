package report

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/kernel"
)

// WhenOpen is the page that says what to do about an obligation that stays open.
const WhenOpen = "docs/when-open.md"

// WhyCommand is the command that explains an obligation of the project in the current folder.
const WhyCommand = "gradine report why"

// open says of an open obligation which part of its goal is left and in which
// case, what was tried, and what would help.
func open(w io.Writer, style Style, r verdict.Result, x *Search) {
	left := parts(w, style, x.Parts)
	attempts(w, style, x.Tried)
	looked(w, style, r, x.Tried)
	unexcluded(w, style, r, x.Tried)
	if label := r.Unlisted(); label != "" {
		fmt.Fprintf(w, "  no counterexample search: %s ranges over an infinite set; only constant functions, tables and the identity were tried\n", label)
	}
	fmt.Fprintln(w, "  "+advice(r, x, left))
	asHint(w, style, r, x.Parts)
	fmt.Fprintf(w, "  More ways, with examples: %s\n", WhenOpen)
}

// asHint writes what is left as a hint, to be gone on with below it: the cases that are
// settled first, then the part itself, unless that is the whole goal.
func asHint(w io.Writer, style Style, r verdict.Result, list []explain.Part) {
	i := slices.IndexFunc(list, func(p explain.Part) bool { return !p.Proved })
	if i < 0 {
		return
	}
	p := list[i]
	var lines []string
	for _, c := range p.Cases {
		if c.Proved {
			lines = append(lines, "cases "+text.Readable(p.Bank, c.Holds))
		}
	}
	s := r.Sequent()
	if part := text.Readable(p.Bank, p.Goal); part != text.Readable(s.Bank, s.Goal) {
		lines = append(lines, "have "+part)
	}
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(w, "  %s\n    for %s\n", style.Dim("as a proof hint to extend (docs/hints.md); gradine prove --suggest searches for hints:"), r.Path())
	for _, line := range lines {
		if strings.ContainsAny(line, "\n") || len([]rune(line)) > maxFormula {
			line = line[:strings.Index(line, " ")] + " …"
		}
		fmt.Fprintf(w, "        %s\n", line)
	}
}

// parts lists the parts of the goal that are left, and returns how many.
func parts(out io.Writer, style Style, list []explain.Part) int {
	left := 0
	for _, p := range list {
		if !p.Proved {
			left++
		}
	}
	switch {
	case len(list) <= 1 && (left == 0 || list[0].Cases == nil && list[0].Assuming == nil):
		return left
	case left == 0:
		fmt.Fprintf(out, "  %s\n", style.Dim(fmt.Sprintf("the goal has %d parts, and each has a proof", len(list))))
		return 0
	case len(list) == 1:
		fmt.Fprintf(out, "  %s\n", style.Dim("left:"))
	default:
		fmt.Fprintf(out, "  %s\n", style.Dim(fmt.Sprintf("the goal has %d parts; %d proved, %d open:", len(list), len(list)-left, left)))
	}
	for _, p := range list {
		if p.Proved {
			continue
		}
		fmt.Fprintf(out, "    ⊢ %s\n", shortText(p.Bank, p.Goal))
		ids := p.Bank.FreeIdents(p.Goal)
		for _, a := range p.Assuming {
			if !slices.ContainsFunc(p.Bank.FreeIdents(a), func(x logic.Term) bool { return slices.Contains(ids, x) }) {
				continue // an earlier part, about something else
			}
			fmt.Fprintf(out, "      where %s\n", shortText(p.Bank, a))
		}
		for _, c := range p.Cases {
			verdict := "left"
			if c.Proved {
				verdict = "proved"
			}
			fmt.Fprintf(out, "      case %s: %s\n", shortText(p.Bank, c.Holds), verdict)
		}
	}
	return left
}

// strategyText says in words which hypotheses an attempt had, and how it went on.
func strategyText(a prover.Attempt) string {
	// The words are about hypotheses, as they read behind the number of steps in the list of attempts.
	name, number, _ := strings.Cut(a.Strategy, " ")
	switch name {
	case "selected":
		return "the guards, and the local hypotheses"
	case "lasso":
		return "selected hypotheses, and those that share an identifier"
	case "solve":
		return "selected hypotheses, with equations solved by values"
	case "goal":
		return "hypotheses that share an identifier with the goal"
	case "relevant":
		return "the " + number + " most relevant hypotheses"
	case "triggered":
		return "hypotheses reached from the rarest identifiers of the goal"
	case "plain":
		return "selected hypotheses, and related ones without quantifiers"
	case "enclosed":
		return "selected hypotheses, and those with no other identifiers"
	case "instance":
		return "instances of hypotheses that conclude the goal"
	case "comprehension":
		return "hypotheses about all sets, instantiated with the sets in the goal"
	case "witness":
		return "sets and functions built from the properties in the goal"
	case "recursion":
		return "recursive functions, unfolded from n to n−1"
	case "recent":
		return "the last " + number + " hypotheses about identifiers of the goal"
	case "typed":
		return "identifiers of the goal or its nearest hypotheses, with their types and values"
	case "founded":
		return "the first two hypotheses about each related identifier"
	case "defined":
		return "nearest hypotheses, with definitions computed"
	case "part":
		return "a fourth of the 32 most relevant hypotheses"
	case "unfolded":
		return "what defines the relations in the goal, then the goal"
	case "calculated":
		return "definitions of the terms in the goal, then the goal"
	case "conjuncts":
		return "the parts of the goal one by one"
	case "contradiction":
		return "inconsistency of the hypotheses, without the goal"
	case "all":
		return "all hypotheses"
	case "induction", "complete":
		return "induction"
	case "founding":
		return "the first " + number + " hypotheses about each related identifier, and the selected ones"
	case "described":
		return "identifiers of the goal, with their types and definitions"
	case "explained":
		return "the definition of the subject of the goal, and the types of its parts"
	case "alike":
		return "the difference between two sides of an equation"
	case "addends":
		return "the addends in which two sums differ"
	case "cases":
		return "the cases of a definition one by one"
	case "ordered":
		return "two numbers: neither is smaller, then the goal with both equal"
	case "shaped":
		return "the functions of a set that hypotheses define, then the goal"
	case "fixed":
		return "identifiers for the variables of the goal"
	case "comparing":
		return "selected hypotheses, and comparisons of numbers about their identifiers"
	case "valuing":
		return "hypotheses about the values of applied functions"
	}
	return a.Strategy
}

// attempts sums up what was tried, by kind of attempt.
func attempts(out io.Writer, style Style, p *prover.Result) {
	type row struct {
		text      string
		hyps      int
		steps     int64
		saturated bool
	}
	// Attempts of one kind stand in one row: only the sum of their work tells a reader
	// something.
	var rows []row
	for _, a := range p.Tried {
		text := strategyText(a)
		i := slices.IndexFunc(rows, func(r row) bool { return r.text == text })
		if i < 0 {
			i = len(rows)
			rows = append(rows, row{text: text, saturated: true})
		}
		rows[i].hyps = max(rows[i].hyps, len(a.Hyps))
		rows[i].steps += int64(a.Steps)
		rows[i].saturated = rows[i].saturated && a.Saturated
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(out, "  %s\n", style.Dim(fmt.Sprintf("tried these hypotheses in %d steps:", p.Steps)))
	for _, r := range rows {
		end := "out of budget"
		if r.saturated || p.Exhausted {
			end = "nothing left to try"
		}
		fmt.Fprintf(out, "    %4d  %-58s  %s\n", r.hyps, r.text, end)
	}
}

// maxFacts is how many facts of a situation are shown.
const maxFacts = 6

// unexcluded shows facts about identifiers of the goal that held together when the
// last attempt ended. What the search itself introduced is left out.
func unexcluded(out io.Writer, style Style, result verdict.Result, p *prover.Result) {
	bank := p.Sequent.Bank
	// Some attempts leave the goal out, or take it apart: what they end with is not a situation
	// in which it is false.
	last := -1
	for i, attempt := range p.Tried {
		if slices.Contains(attempt.Model, kernel.LitOf(bank, p.Sequent.Goal).Not()) || last < 0 && len(attempt.Model) > 0 {
			last = i
		}
	}
	if last < 0 {
		return
	}
	goal := bank.FreeIdents(p.Sequent.Goal)
	shown := 0
	for _, literal := range p.Tried[last].Model {
		atom := literal.Atom()
		if slices.Contains(p.Sequent.Hyps, atom) {
			continue // the reader knows these
		}
		t := shortText(bank, atom)
		ids := bank.FreeIdents(atom)
		if shown == maxFacts || strings.HasSuffix(t, "…") || introduced(bank, atom) || len(ids) == 0 || slices.ContainsFunc(ids, func(term logic.Term) bool { return !slices.Contains(goal, term) }) {
			continue
		}
		if shown++; shown == 1 {
			fmt.Fprintf(out, "  %s\n", style.Dim("a case that no hypothesis excludes:"))
		}
		if literal.Negated() {
			t = "¬(" + t + ")"
		}
		fmt.Fprintf(out, "    %s\n", t)
	}
}

// introduced reports whether t has a value chosen by the search in it.
func introduced(b *logic.Bank, t logic.Term) bool {
	return b.Op(t) == logic.Eps || slices.ContainsFunc(b.Args(t), func(a logic.Term) bool { return introduced(b, a) })
}

// advice says what would help, the most promising way first.
func advice(result verdict.Result, x *Search, left int) string {
	switch {
	case len(x.Parts) > 1 && left == 0:
		return "Try: state the parts of the goal as separate theorems before this obligation."
	case x.Tried.Exhausted:
		return "Try: add a hypothesis, such as an invariant or a theorem. Every strategy ended within its budget."
	case len(x.Parts) > left && left > 0:
		return "Try: state the open part as a theorem before this obligation."
	case slices.ContainsFunc(x.Parts, func(p explain.Part) bool { return p.Cases != nil }):
		return "Try: state the open case as a theorem before this obligation."
	case len(result.Sequent().Hyps) > 40:
		return "Try: add an intermediate theorem before this obligation, or a larger budget (--steps)."
	}
	return "Try: a larger budget (--steps), or an intermediate theorem."
}

// next prints what to do about unproved obligations.
func next(out io.Writer, style Style, results []verdict.Result, why string) {
	for _, step := range NextSteps(results, why) {
		fmt.Fprintf(out, "%s %s\n", style.Dim("next:"), step)
	}
}

// NextSteps says what to do about unproved obligations: at most one step for those that are refuted, one for those that
// are open, and one for those of GPU kernels. why is the command that explains an obligation.
func NextSteps(results []verdict.Result, why string) (steps []string) {
	var models []verdict.Result
	kernel := ""
	for _, r := range results {
		switch {
		case r.Event == nil || !r.Event.Path:
			models = append(models, r)
		case kernel == "" && unproved(r):
			kernel = r.Event.Origin.Span.File
		}
	}
	for _, asked := range []verdict.Verdict{verdict.Refuted, verdict.Open} {
		i := slices.IndexFunc(models, func(r verdict.Result) bool { return r.Verdict == asked && unproved(r) })
		switch {
		case i < 0:
		case asked == verdict.Refuted:
			steps = append(steps, afterRefutation(models))
		default:
			steps = append(steps, fmt.Sprintf("%s '%s/%s' shows what is left to prove; %s lists remedies", why, models[i].Project, models[i].Path(), WhenOpen))
		}
	}
	if kernel != "" {
		steps = append(steps, fmt.Sprintf("gradine kernel %s shows failing runs, and what the proofs lack (docs/counterexamples.md)", kernel))
	}
	return steps
}

// unproved reports whether r is refuted or open, and this is not expected.
func unproved(r verdict.Result) bool {
	return (r.Verdict == verdict.Refuted || r.Verdict == verdict.Open) && r.Expected == nil && r.Accurate
}

// afterRefutation says how to correct a model. No invariant excludes a counterexample that a run reaches.
func afterRefutation(results []verdict.Result) string {
	excludable := func(r verdict.Result) bool {
		return r.Verdict == verdict.Refuted && r.Expected == nil && (r.Reach == nil || r.Reach.Verdict != verdict.Reached)
	}
	if !slices.ContainsFunc(results, excludable) {
		return fmt.Sprintf("correct the event or the invariant, because the machine reaches the counterexample (%s)", WhenOpen)
	}
	search := ""
	weak := func(r verdict.Result) bool {
		return r.Reach != nil && (r.Reach.Verdict == verdict.Unreachable || r.Reach.Verdict == verdict.NotFound)
	}
	if i := slices.IndexFunc(results, weak); i >= 0 {
		search = fmt.Sprintf(" (try gradine infer %s)", results[i].Component)
	}
	return fmt.Sprintf("correct the event, or add the invariant that excludes the counterexample%s (%s)", search, WhenOpen)
}

// Search is what became of the search for a proof of an open obligation.
type Search struct {
	Tried *prover.Result
	Parts []explain.Part // of the goal
}

// maxFormula is the length, in characters, beyond which a formula of a proof is cut.
const maxFormula = 90

func shortText(b *logic.Bank, t logic.Term) string {
	s := []rune(text.Options{Untyped: true, Spaced: true}.Term(b, t))
	if len(s) > maxFormula {
		s = append(s[:maxFormula-1:maxFormula-1], '…')
	}
	return string(s)
}

// maxLooked is how many hypotheses are named that looked relevant.
const maxLooked = 8

// looked names the hypotheses that the attempts took first for relevant to the goal.
func looked(w io.Writer, style Style, r verdict.Result, p *prover.Result) {
	i := slices.IndexFunc(p.Tried, func(a prover.Attempt) bool { return strings.HasPrefix(a.Strategy, "relevant") })
	if i < 0 || len(p.Tried[i].Hyps) == 0 {
		return
	}
	fmt.Fprintf(w, "  %s\n", style.Dim("by relevance:"))
	s := r.Sequent()
	for _, h := range p.Tried[i].Hyps[:min(maxLooked, len(p.Tried[i].Hyps))] {
		fmt.Fprintf(w, "    %s: %s\n", r.HypothesisLabel(h), shortText(s.Bank, s.Hyps[h]))
	}
}

// SearchAgain looks for a proof of what is open, to tell what is tried and what is left.
func SearchAgain(ctx context.Context, s logic.Sequent, steps int64) *Search {
	stop := func() bool { return ctx.Err() != nil }
	tried := prover.Prove(s, prover.Options{Steps: steps, Stop: stop})
	return &Search{Tried: &tried, Parts: explain.Parts(s, steps, stop)}
}
