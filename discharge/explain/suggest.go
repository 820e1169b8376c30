package explain

import (
	"context"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/hinted"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/derive"
)

// Suggestion is what a search for hints came to.
type Suggestion struct {
	verdict.Outcome
	Lines   []string // the hints, as a file has them below the line of their block
	Minimal bool     // none of them can be left out
	Tried   int      // how many lists of hints were tried
}

// The budget of a search for hints, in steps: it has to end within a minute of processor
// time. What helps helps soon, so a trial is short.
const (
	suggestSteps = 90_000_000
	trialSteps   = 1_500_000
	narrowSteps  = 500_000    // with few hypotheses
	factSteps    = 75_000     // for one fact
	factsSteps   = 12_000_000 // for all facts at one place
	premiseSteps = 150_000    // for one premise of an instance
	planSteps    = 3_000      // what making a plan costs

	// What a fact is about has to lie where functions are defined, and so on: that decides most
	// facts about values.
	subjectShare = 4
)

// How many hypotheses are chosen.
var (
	allSizes  = []int{3, 5, 8, 12, 18, 26}
	fewSizes  = []int{4, 10, 20}
	factSizes = []int{3, 9}
)

// Suggest looks for hints that lead to a proof of s, whose hypotheses have labels: for few
// hypotheses, for a way to begin, such as induction, a definition or a case, and for facts
// about the terms of what is left. What succeeds is left with what the proof needs. The
// result depends on the sequent and the options alone, unless ctx ends.
func Suggest(ctx context.Context, s logic.Sequent, labels []string, opts discharge.Options) Suggestion {
	opts.OnlyRefute, opts.Replay, opts.RefuteSteps, opts.Store = false, false, 0, nil
	x := &suggester{ctx: ctx, s: s, labels: labels, opts: opts, left: suggestSteps}
	whole := x.plan(nil)
	if whole == nil {
		return Suggestion{Outcome: verdict.Outcome{Verdict: verdict.Open}}
	}
	// Most of what helps shows with small budgets, and what is tried then need not be tried again.
	for _, x.scale = range []int64{1, 4, 16} {
		if !x.over() && x.search(newCandidates(whole.Last.Intro(), labels)) {
			return x.best()
		}
	}
	return Suggestion{Outcome: verdict.Outcome{Verdict: verdict.Open, Steps: suggestSteps - x.left}, Tried: x.tried}
}

// search looks for hints, and reports whether it has found some.
func (x *suggester) search(begin *candidates) bool {
	// What costs little comes first: few hypotheses, and ways to begin without more. Facts cost
	// most, so every way has its chance without before one has it with them.
	if x.selected(nil) {
		return true
	}
	starts := x.starts(begin)
	for _, lines := range append(starts, begin.witnesses()...) {
		if x.trial(lines) || x.narrowed(lines, fewSizes...) {
			return true
		}
	}
	for _, lines := range append([][]string{nil}, starts...) {
		if x.byInstance(lines) {
			return true
		}
	}
	if x.withFacts(nil) || x.byCases(begin.cases()) {
		return true
	}
	for _, lines := range append(starts, x.longer(starts)...) {
		if x.withFacts(lines) {
			return true
		}
	}
	return false
}

// starts are ways to begin that change the goal: definitions and inductions.
func (*suggester) starts(c *candidates) (out [][]string) {
	for _, line := range append(c.unfoldings(), c.inductions()...) {
		out = append(out, []string{line})
	}
	return out[:min(maxStarts, len(out))]
}

// longer adds what the goal suggests that definitions have made to these.
func (x *suggester) longer(starts [][]string) (out [][]string) {
	for _, lines := range starts {
		p := x.plan(lines)
		if p == nil || !strings.HasPrefix(lines[0], "unfold") {
			continue // behind an induction nothing new begins
		}
		for _, more := range x.starts(newCandidates(p.Last, x.labels)) {
			out = append(out, slices.Concat(lines, more))
		}
	}
	return out
}

type suggester struct {
	ctx    context.Context
	s      logic.Sequent
	labels []string
	opts   discharge.Options
	trials discharge.Trials // so far
	left   int64            // steps
	scale  int64            // by which budgets are larger than in the first round
	tried  int
	found  []string // the last list of hints that led to a proof, as far as that needs it
	budget int64    // with which it was found
}

// chooser chooses hypotheses for a node.
func (x *suggester) chooser(n *derive.Node) *chooser {
	return newChooser(n, len(x.labels), func() bool { return x.ctx.Err() != nil })
}

// over reports whether the search has to end.
func (x *suggester) over() bool { return x.left <= 0 || x.ctx.Err() != nil }

// block is the text of a block with hints. A line may be followed by others, for what it adds.
func block(lines []string) []byte {
	var out strings.Builder
	out.WriteString("for x\n")
	for _, line := range lines {
		out.WriteString("    " + strings.ReplaceAll(line, "\n", "\n        ") + "\n")
	}
	return []byte(out.String())
}

// plan makes the plan that lines describe, nil if they do not fit.
func (x *suggester) plan(lines []string) *hinted.Plan {
	x.left -= planSteps
	var problems diag.List
	f := hints.Parse("", block(lines), &problems)
	if problems.Len() > 0 || len(f.Blocks) != 1 {
		return nil
	}
	p, problem := hinted.Make(x.s, x.labels, f.Blocks[0].Hints)
	if problem != nil {
		return nil
	}
	return p
}

// try proves the sequent with the hints of lines; narrow is with the hypotheses alone that
// they choose.
func (x *suggester) try(lines []string, narrow bool, steps int64) (verdict.Outcome, bool) {
	p := x.plan(lines)
	if p == nil || x.over() {
		return verdict.Outcome{}, false
	}
	x.tried++
	opts := x.opts
	opts.Steps = min(steps*x.scale, x.left)
	o, ok := x.trials.Prove(x.ctx, x.s, p.Root, narrow, opts)
	x.left -= p.Root.Spent()
	if ok {
		x.found, x.budget = used(p, lines), steps
	}
	return o, ok
}

// trial is try with all hypotheses.
func (x *suggester) trial(lines []string) bool {
	_, ok := x.try(lines, false, trialSteps)
	return ok
}

// used returns what the proof needs of lines that led to it by plan p.
func used(p *hinted.Plan, lines []string) []string {
	idle := map[int]bool{}
	for _, h := range p.Unneeded() {
		idle[h.Span.Line] = true
	}
	var out []string
	at := 2 // behind the line of the block
	for _, line := range lines {
		if !idle[at] {
			out = append(out, line)
		}
		at += 1 + strings.Count(line, "\n")
	}
	return out
}

// best is the suggestion that the hints found last are, without what the proof does without:
// lines, the last ones first, since those may rest on earlier ones; and hypotheses.
func (x *suggester) best() Suggestion {
	lines, minimal, steps := x.found, true, x.budget
	for i := len(lines) - 1; i >= 0 && len(lines) > 1; i-- {
		if minimal = !x.over(); !minimal {
			break
		}
		// First the line, then what stands below it.
		shorter := [][]string{slices.Delete(slices.Clone(lines), i, i+1)}
		if head, _, below := strings.Cut(lines[i], "\n"); below {
			shorter = append(shorter, slices.Replace(slices.Clone(lines), i, i+1, head))
		}
		for _, fewer := range shorter {
			if _, ok := x.try(fewer, true, steps); ok {
				lines = x.found
				i = min(i, len(lines))
				break
			}
		}
	}
	lines = x.fewest(lines, steps)
	// Hints that are written down are tried with the usual budget, and with the other
	// hypotheses as well.
	x.left, x.scale = prover.DefaultSteps, 1
	o, ok := x.try(lines, false, prover.DefaultSteps)
	if !ok {
		return Suggestion{Outcome: verdict.Outcome{Verdict: verdict.Open, Steps: suggestSteps}, Tried: x.tried}
	}
	// The layout is that of files.
	var problems diag.List
	if f := hints.Parse("", block(lines), &problems); problems.Len() == 0 {
		lines = hints.Lines(f.Blocks[0].Hints)
	}
	return Suggestion{Outcome: o, Lines: lines, Minimal: minimal, Tried: x.tried}
}

// selected looks for few hypotheses with which the search succeeds after lines: what misses
// the point costs it most.
func (x *suggester) selected(lines []string) bool {
	p := x.plan(lines)
	if p == nil {
		return false
	}
	if x.narrowed(lines, allSizes...) {
		return true
	}
	c := x.chooser(p.Last.Intro())
	for _, list := range c.byModels(&x.left) {
		if x.chosen(lines, c, list) {
			return true
		}
	}
	return false
}

// narrowed tries lines with few hypotheses.
func (x *suggester) narrowed(lines []string, sizes ...int) bool {
	p := x.plan(lines)
	if p == nil {
		return false
	}
	c := x.chooser(p.Last.Intro())
	for _, list := range c.byRelevance(sizes...) {
		if x.over() {
			return false
		}
		if x.chosen(lines, c, list) {
			return true
		}
	}
	return false
}

// chosen tries lines with hypotheses of the node of c alone.
func (x *suggester) chosen(lines []string, c *chooser, list []int) bool {
	_, ok := x.try(append(slices.Clone(lines), c.use(list)), true, narrowSteps)
	return ok
}

// fewest leaves out hypotheses of the line that chooses some.
func (x *suggester) fewest(lines []string, steps int64) []string {
	at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "use ") })
	if at < 0 {
		return lines
	}
	words := strings.Fields(lines[at])
	for i := len(words) - 1; i > 0 && len(words) > 2 && !x.over(); i-- {
		fewer := slices.Replace(slices.Clone(lines), at, at+1, strings.Join(slices.Delete(slices.Clone(words), i, i+1), " "))
		if _, ok := x.try(fewer, true, steps); ok && len(x.found) == len(lines) {
			lines, words = fewer, strings.Fields(fewer[at])
		}
	}
	return lines
}

// withFacts tries lines with the facts that hold behind them, and few other hypotheses.
func (x *suggester) withFacts(lines []string) bool {
	longer := x.facts(lines)
	p := x.plan(longer)
	if p == nil || x.over() {
		return false
	}
	if len(longer) > len(lines) && x.trial(longer) {
		return true
	}
	// All facts come with few hypotheses: each has its reason in the goal.
	c := x.chooser(p.Last)
	for _, list := range c.byRelevance(allSizes...) {
		if x.over() {
			return false
		}
		if len(longer) > len(lines) && x.chosen(longer, c, list) {
			return true
		}
	}
	for _, y := range newCandidates(p.Last, x.labels).instances() {
		longer = append(longer, y.line)
	}
	return x.trial(longer)
}

// maxStarts bounds the ways to begin that are tried.
const maxStarts = 6

// rounds is how often facts are looked for, the later ones about the terms of the earlier.
const rounds = 2

// facts adds the facts to lines that hold where these end.
func (x *suggester) facts(lines []string) []string {
	stop := x.left - factsSteps*x.scale
	tried := map[string]bool{}
	for range rounds {
		p := x.plan(lines)
		if p == nil {
			break
		}
		for _, line := range newCandidates(p.Last.Intro(), x.labels).facts() {
			if x.left < stop || x.over() {
				return lines
			}
			if tried[line] {
				continue
			}
			tried[line] = true
			if line, ok := x.fact(lines, line, factSteps, factSizes...); ok {
				lines = append(slices.Clone(lines), line)
			}
		}
	}
	return lines
}

// fact looks for a short proof of the fact that line adds behind lines, and of what gives it
// a value; with hypotheses for both, if they need them to be chosen.
func (x *suggester) fact(lines []string, line string, steps int64, sizes ...int) (string, bool) {
	p := x.plan(append(slices.Clone(lines), line))
	if p == nil || len(p.Facts) == 0 {
		return "", false
	}
	c := x.chooser(p.Facts[len(p.Facts)-1].Node.Intro())
	for i, list := range c.byRelevance(sizes...) {
		if x.over() {
			return "", false
		}
		budget := steps
		if i == 0 {
			budget *= subjectShare
		}
		below := line + "\n" + c.use(list)
		if x.holds(append(slices.Clone(lines), below), true, budget) {
			return below, true
		}
	}
	return line, x.holds(append(slices.Clone(lines), line), false, steps)
}

// holds reports whether the fact of the last line has a short proof, and means anything.
func (x *suggester) holds(lines []string, narrow bool, steps int64) bool {
	p := x.plan(lines)
	if p == nil {
		return false
	}
	opts := x.opts
	opts.Steps = min(steps*x.scale, max(x.left, 1))
	last := p.Facts[len(p.Facts)-1].Hint
	for _, f := range p.Facts {
		if f.Hint != last {
			continue
		}
		s, _ := f.Node.Sequent()
		_, ok := x.trials.Prove(x.ctx, s, f.Node, narrow, opts)
		x.left -= f.Node.Spent()
		if !ok {
			return false
		}
	}
	return true
}

// byInstance tries instances behind lines, each with the premises that have a proof of their
// own.
func (x *suggester) byInstance(lines []string) bool {
	p := x.plan(lines)
	if p == nil {
		return false
	}
	for _, y := range newCandidates(p.Last.Intro(), x.labels).instances() {
		longer := slices.Clone(lines)
		for _, premise := range y.premises {
			if line, ok := x.fact(longer, premise, premiseSteps, allSizes...); ok {
				longer = append(longer, line)
			}
		}
		if x.over() {
			return false
		}
		if longer = append(longer, y.line); x.narrowed(longer, fewSizes...) {
			return true
		}
	}
	return false
}

// byCases tries distinctions, each with few hypotheses.
func (x *suggester) byCases(cases []string) bool {
	p := x.plan(nil)
	c := x.chooser(p.Last.Intro())
	lists := c.byRelevance(fewSizes...)
	for _, line := range cases {
		if x.trial([]string{line}) {
			return true
		}
		for _, list := range lists {
			if _, ok := x.try([]string{c.use(list), line}, true, narrowSteps); ok {
				return true
			}
		}
	}
	return false
}
