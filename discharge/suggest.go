package discharge

import (
	"context"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/hinted"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/derive"
)

// Suggestion is what a search for hints came to.
type Suggestion struct {
	Outcome
	Lines   []string // the hints, as a file has them below the line of their block
	Minimal bool     // none of them can be left out
	Tried   int      // how many lists of hints were tried
}

// The budget of a search for hints, in steps: it has to end within a minute. What helps
// helps soon, so a trial is short.
const (
	suggestSteps = 60_000_000
	trialSteps   = 1_200_000
	factSteps    = 60_000
)

// Suggest looks for hints that lead to a proof of s, whose hypotheses have labels: for a way
// to begin, such as induction, a definition or a case, and then for facts about the terms of
// what is left. It tries ways with all facts that hold, and leaves out what the proof does
// without. The result depends on the sequent and the options alone, unless ctx ends.
func Suggest(ctx context.Context, s logic.Sequent, labels []string, opts Options) Suggestion {
	opts.OnlyRefute, opts.Replay, opts.RefuteSteps = false, false, 0
	x := &suggester{ctx: ctx, s: s, labels: labels, opts: opts, p: newProblem(s), left: suggestSteps}
	whole := x.plan(nil)
	if whole == nil {
		return Suggestion{Outcome: Outcome{Verdict: Open}}
	}
	if lines, ok := x.bySelection(whole); ok {
		if o, ok := x.try(lines); ok {
			return x.minimise(lines, o)
		}
	}
	ways := append([][]string{nil}, x.ways(whole)...)
	// Facts cost most, so every way has its chance without before one has it with them.
	for _, facts := range []bool{false, true} {
		for _, way := range ways {
			if x.left <= 0 || ctx.Err() != nil {
				break
			}
			lines := way
			if facts {
				lines = x.withFacts(way)
				if len(lines) == len(way) {
					continue
				}
			} else if len(way) == 0 {
				continue // that is the search without hints
			}
			if o, ok := x.try(lines); ok {
				return x.minimise(x.needed, o)
			}
		}
	}
	return Suggestion{Outcome: Outcome{Verdict: Open, Steps: suggestSteps - x.left}, Tried: x.tried}
}

type suggester struct {
	ctx    context.Context
	s      logic.Sequent
	labels []string
	opts   Options
	p      *problem
	left   int64 // steps
	tried  int
	needed []string // of the lines of the last proof, those that it uses
}

// plan makes the plan that lines describe, nil if they do not fit.
func (x *suggester) plan(lines []string) *hinted.Plan {
	var problems diag.List
	f := hints.Parse("", []byte("for x\n    "+strings.Join(lines, "\n    ")+"\n"), &problems)
	if problems.Len() > 0 || len(f.Blocks) != 1 {
		return nil
	}
	p, problem := hinted.Make(x.s, x.labels, f.Blocks[0].Hints)
	if problem != nil {
		return nil
	}
	return p
}

// try proves the sequent with the hints of lines.
func (x *suggester) try(lines []string) (Outcome, bool) {
	p := x.plan(lines)
	if p == nil {
		return Outcome{}, false
	}
	x.tried++
	opts := x.opts
	opts.Steps = min(trialSteps, x.left)
	o, ok := x.p.byParts(x.ctx, p.Root, opts)
	x.left -= o.Steps
	if ok {
		x.needed = x.used(p, lines)
	}
	return o, ok
}

// used returns the lines, one for each hint of p, that the proof found last needs.
func (x *suggester) used(p *hinted.Plan, lines []string) []string {
	idle := map[int]bool{}
	for _, h := range p.Unneeded() {
		idle[h.Span.Line-2] = true // behind the line of the block
	}
	var out []string
	for i, line := range lines {
		if !idle[i] {
			out = append(out, line)
		}
	}
	return out
}

// withFacts adds the facts and instances to lines that hold where they end.
func (x *suggester) withFacts(lines []string) []string {
	p := x.plan(lines)
	if p == nil {
		return lines
	}
	c := newCandidates(p.Last, x.labels)
	out := slices.Clone(lines)
	for _, line := range c.facts() {
		if x.left <= 0 || x.ctx.Err() != nil {
			return lines
		}
		more := append(slices.Clone(lines), line)
		p := x.plan(more)
		if p == nil || len(p.Facts) == 0 || !x.holds(p.Facts[len(p.Facts)-1].Node) {
			continue
		}
		out = append(out, line)
	}
	return append(out, c.instances()...)
}

// holds reports whether a fact has a short proof.
func (x *suggester) holds(n *derive.Node) bool {
	opts := x.opts
	opts.Steps = factSteps
	q, _ := n.Sequent()
	o, ok := newProblem(q).byParts(x.ctx, n, opts)
	x.left -= o.Steps
	return ok
}

// minimise leaves out lines that the proof does without, the last ones first, since those
// may rest on earlier ones.
func (x *suggester) minimise(lines []string, o Outcome) Suggestion {
	out := Suggestion{Outcome: o, Lines: lines, Minimal: true}
	for i := len(out.Lines) - 1; i >= 0; i-- {
		if len(out.Lines) == 1 {
			break
		}
		if x.left <= 0 || x.ctx.Err() != nil {
			out.Minimal = false
			break
		}
		fewer := slices.Delete(slices.Clone(out.Lines), i, i+1)
		if o, ok := x.try(fewer); ok {
			out.Outcome, out.Lines = o, x.needed
			i = min(i, len(out.Lines))
		}
	}
	out.Tried = x.tried
	// The layout is that of files.
	var problems diag.List
	f := hints.Parse("", []byte("for x\n    "+strings.Join(out.Lines, "\n    ")+"\n"), &problems)
	if problems.Len() == 0 {
		out.Lines = hints.Lines(f.Blocks[0].Hints)
	}
	return out
}

// maxWays bounds the ways to begin.
const maxWays = 14

// ways lists ways to begin: each is a list of hints.
func (x *suggester) ways(whole *hinted.Plan) [][]string {
	c := newCandidates(whole.Last.Intro(), x.labels)
	var out [][]string
	for _, line := range slices.Concat(c.inductions(), c.unfoldings(), c.selections(), c.cases()) {
		out = append(out, []string{line})
	}
	// A definition first, and then what the goal has become.
	for _, line := range c.unfoldings() {
		p := x.plan([]string{line})
		if p == nil {
			continue
		}
		d := newCandidates(p.Last, x.labels)
		for _, next := range slices.Concat(d.unfoldings(), d.inductions()) {
			out = append(out, []string{line, next})
		}
	}
	return out[:min(maxWays, len(out))]
}
