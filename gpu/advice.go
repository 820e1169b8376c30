package gpu

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/logic"
)

// Advice is what is found out about a kernel in addition to its verdict.
type Advice struct {
	File    string  `json:"file"`    // path of the file
	Kernel  string  `json:"kernel"`  // name of the kernel; empty if the file is not understood
	Line    int     `json:"line"`    // line of the kernel or of the barrier, counted from 1
	Col     int     `json:"col"`     // column, counted from 1
	Verdict Verdict `json:"verdict"` // what this rests on, such as safe or unsupported
	What    string  `json:"what"`    // needed, not needed or missing; holds; counted; not found
	Text    string  `json:"text"`    // the same in words, or why there is no answer

	Assuming string `json:"assuming,omitempty"` // what the proof behind it assumes of runs, such as no signed overflow

	Steps     string            `json:"steps,omitempty"`     // steps of the program, with a barrier after each: a formula
	Intervals []encode.Interval `json:"intervals,omitempty"` // what a thread accesses between two barriers

	Block *Block `json:"block,omitempty"` // what a block of one launch does
}

// mostConditions bounds how many conditions are joined, in addition to those on dimensions.
const mostConditions = 3

// mostJudgements bounds how many variants of one kernel are judged, conditionSteps what they cost together.
const (
	mostJudgements = 40
	conditionSteps = 40_000_000
)

// each hands the kernels of a source to look, or says why they are not understood.
func each(ctx context.Context, s Source, opts Options, look func(*encode.Kernel) []Advice) (out []Advice) {
	var kernels []*encode.Kernel
	var problem *encode.Problem
	if why := contained(func() { kernels, problem = s.kernels(opts.Launch) }); why != "" {
		problem = &encode.Problem{File: s.Name, Line: 1, Col: 1, Construct: why}
	}
	if problem != nil {
		return []Advice{{File: problem.File, Line: problem.Line, Col: problem.Col, Verdict: Unsupported, What: "not found", Text: problem.Construct}}
	}
	for _, k := range kernels {
		if ctx.Err() != nil {
			return out
		}
		nothing := Advice{File: k.File, Kernel: k.Name, Line: k.Line, Col: k.Col, Verdict: Open, What: "not found"}
		why := contained(func() { k = k.Loaded() })
		switch {
		case why != "":
			nothing.Text = why
		case k.Problem != nil:
			p := k.Shown(k.Problem)
			nothing.Verdict, nothing.File, nothing.Line, nothing.Col, nothing.Text = Unsupported, p.File, p.Line, p.Col, p.Construct
		case k.Run != nil:
			nothing.Text = "the host program determines how its kernels are launched"
		case k.Unchecked != "":
			nothing.Text = k.Unchecked
		default:
			var found []Advice
			why := contained(func() { found = look(k) })
			switch {
			case why != "":
				nothing.Text = why
			case ctx.Err() != nil: // what was not tried says nothing
				nothing.Text = "the search stopped early: " + context.Cause(ctx).Error()
			default:
				out = append(out, found...)
				continue
			}
		}
		out = append(out, nothing)
	}
	return out
}

// Conditions looks for conditions of a launch under which the kernels of a file are safe:
// none of them can be left out without losing the proof, though others may do as well.
func Conditions(ctx context.Context, s Source, opts Options) []Advice {
	return each(ctx, s, opts, func(k *encode.Kernel) []Advice {
		c := &conditions{ctx: ctx, opts: opts, kernel: k}
		pot := int64(conditionSteps)
		c.opts.pot = &pot
		c.flat, c.others = k.Conditions()
		out := Advice{File: k.File, Kernel: k.Name, Line: k.Line, Col: k.Col, Verdict: Open, What: "not found"}
		found, ok := c.find()
		if !ok {
			out.Verdict = c.first.Verdict
			out.Text = fmt.Sprintf("no conditions found in %d trials; state known facts about parameters with __requires", c.tried)
			return []Advice{out}
		}
		var parts []string
		for _, one := range found {
			parts = append(parts, one.Host)
		}
		out.Verdict, out.What, out.Text, out.Assuming = Safe, "holds", "true", assuming(c.safe)
		if len(parts) > 0 {
			out.Text = strings.Join(parts, " && ")
		}
		return []Advice{out}
	})
}

// Counts says of the kernels of a file how often a thread accesses memory between barriers:
// in all, and of each interval.
func Counts(ctx context.Context, s Source, opts Options) []Advice {
	return each(ctx, s, opts, func(k *encode.Kernel) []Advice {
		out := Advice{File: k.File, Kernel: k.Name, Line: k.Line, Col: k.Col, Verdict: Safe, What: "counted"}
		steps, intervals, why := k.Counts()
		if why != "" {
			out.Verdict, out.What, out.Text = Open, "not found", "accesses cannot be counted: "+why
			return []Advice{out}
		}
		out.Text, out.Steps, out.Intervals = "steps "+steps, steps, intervals
		return []Advice{out}
	})
}

// conditions is a search for conditions.
type conditions struct {
	ctx          context.Context
	opts         Options
	kernel       *encode.Kernel
	flat, others []encode.Condition
	first        Report // without conditions
	safe         Report // the last one that is safe
	tried        int
}

func (s *conditions) judge(under []encode.Condition) Report {
	s.tried++
	k := s.kernel.Under(under)
	r := judge(s.ctx, k, s.opts)
	if r.Verdict == Safe && len(under) > 0 && !s.possible(k) {
		r.Verdict = Open // of no launch at all, everything is proved
	}
	if s.tried == 1 {
		s.first = r
	}
	if r.Verdict == Safe {
		s.safe = r
	}
	return r
}

// assuming is what the proof of a report that is safe assumes of runs; "" for nothing.
func assuming(r Report) string {
	if strings.Contains(r.Why, noOverflow) {
		return strings.TrimPrefix(noOverflow, "assuming ")
	}
	return ""
}

// possible reports whether there is a launch of k: values were found for all that its
// machines take for granted.
func (s *conditions) possible(k *encode.Kernel) bool {
	for _, scope := range k.Scopes() {
		search, problem := k.Search(scope)
		if problem != nil {
			return false
		}
		dev, err := development(search.Alone())
		if err != nil {
			return false
		}
		found := true
		launches := slices.DeleteFunc(judgement.Assumptions(judgement.Premises{Dev: dev}), func(a judgement.Assumption) bool { return a.Of.Context == nil })
		o := s.opts.Discharge
		o.OnlyRefute, o.RefuteSteps = true, refuteSteps
		discharge.Run(s.ctx, len(launches), func(i int) logic.Sequent { return launches[i].Sequent }, o, func(_ int, outcome verdict.Outcome) {
			found = found && outcome.Verdict == verdict.Refuted
		})
		if !found || s.ctx.Err() != nil {
			return false
		}
	}
	return true
}

// find adds conditions that counterexamples violate until the kernel is safe, then leaves
// out what is not needed.
func (s *conditions) find() ([]encode.Condition, bool) {
	r := s.judge(nil)
	found, ok := []encode.Condition(nil), r.Verdict == Safe
	if !ok {
		// Most kernels are meant for one dimension: this is tried first, and at once.
		if found, ok = s.extend(s.flat, mostConditions); !ok {
			return nil, false
		}
	}
	*s.opts.pot = conditionSteps // that one is needed is no matter of what was spent before
	for i := 0; i < len(found); {
		fewer := slices.Delete(slices.Clone(found), i, i+1)
		if s.judge(fewer).Verdict == Safe {
			found = fewer
			continue
		}
		i++
	}
	return found, true
}

// extend adds up to depth conditions to some.
func (s *conditions) extend(some []encode.Condition, depth int) ([]encode.Condition, bool) {
	if s.tried >= mostJudgements || *s.opts.pot <= 0 || s.ctx.Err() != nil {
		return nil, false
	}
	r := s.judge(some)
	if r.Verdict == Safe {
		return some, true
	}
	if depth == 0 || r.Verdict == Unsupported {
		return nil, false
	}
	values := map[string]int64{}
	for _, f := range r.Checks {
		if f.Violation != nil {
			values = constants(f.Violation)
			break
		}
	}
	local, groups := s.kernel.Launch()
	for d := range 3 {
		c := "xyz"[d : d+1]
		for name, n := range map[string]int64{"lsz" + c: local[d], "ngr" + c: groups[d]} {
			if _, ok := values[name]; !ok {
				values[name] = max(1, n)
			}
		}
	}
	for _, c := range s.others {
		// What holds in the counterexample does not exclude it; room is tried by itself, at the outset.
		if c.Room && depth < mostConditions || !c.Room && len(r.Checks) > 0 && c.Holds(values) {
			continue
		}
		deeper := depth - 1
		if c.Room {
			deeper = 0
		}
		if found, ok := s.extend(append(slices.Clip(some), c), deeper); ok {
			return found, true
		}
	}
	return nil, false
}

// Barriers says which barriers of kernels are needed, and where one is missing: a kernel
// that is not safe may be so with one more.
func Barriers(ctx context.Context, s Source, opts Options) []Advice {
	return each(ctx, s, opts, func(k *encode.Kernel) []Advice {
		if k.Reader() != "" {
			return []Advice{{File: k.File, Kernel: k.Name, Line: k.Line, Col: k.Col, Verdict: Unsupported, What: "not found", Text: "barriers can be proposed only for C; run this on the source of the module"}}
		}
		r := judge(ctx, k, opts)
		advice := func(at encode.Place, verdict Verdict, what, text string) Advice {
			return Advice{File: k.File, Kernel: k.Name, Line: at.Line, Col: at.Col, Verdict: verdict, What: what, Text: text}
		}
		if r.Verdict == Safe {
			return needed(ctx, k, opts, advice)
		}
		return missing(ctx, k, r, opts, advice)
	})
}

// needed leaves out one barrier after the other, and says of each whether the kernel needs it.
func needed(ctx context.Context, k *encode.Kernel, opts Options, advice func(encode.Place, Verdict, string, string) Advice) (out []Advice) {
	for _, at := range k.Barriers() {
		switch r := judge(ctx, k.Without(at), opts); r.Verdict {
		case Safe:
			a := advice(at, Safe, "not needed", "the kernel is also safe without this barrier")
			a.Assuming = assuming(r)
			out = append(out, a)
		case Unsafe:
			out = append(out, advice(at, Safe, "needed", "the kernel is unsafe without this barrier"+firstFault(r)))
		default:
			out = append(out, advice(at, Safe, "needed", "no proof without this barrier"+firstFault(r)))
		}
	}
	if len(out) == 0 {
		out = []Advice{advice(encode.Place{Line: k.Line, Col: k.Col}, Safe, "needed", "the kernel is safe without a barrier")}
	}
	return out
}

func firstFault(r Report) string {
	for _, f := range r.Checks {
		if !f.Verdict.Holds() {
			return fmt.Sprintf(": %s in line %d", f.Kind, f.Line)
		}
	}
	return ""
}

// missing tries a barrier before each statement, those nearest above a race first.
func missing(ctx context.Context, k *encode.Kernel, r Report, opts Options, advice func(encode.Place, Verdict, string, string) Advice) []Advice {
	here := encode.Place{Line: k.Line, Col: k.Col}
	race := 0
	for _, f := range r.Checks {
		if !f.Verdict.Holds() && strings.HasPrefix(f.Kind, "race") {
			race = max(race, f.Line)
		}
	}
	if race == 0 {
		return []Advice{advice(here, r.Verdict, "not found", "the kernel is "+string(r.Verdict)+", but not because of a race, so no barrier helps"+firstFault(r))}
	}
	gaps := k.Gaps()
	// Barriers shortly before the race help most often. Those behind it are tried last.
	slices.SortStableFunc(gaps, func(a, b encode.Place) int {
		far := func(p encode.Place) int {
			if p.Line > race {
				return 1_000_000 + p.Line - race
			}
			return race - p.Line
		}
		return far(a) - far(b)
	})
	for i, at := range gaps {
		if i == mostJudgements || ctx.Err() != nil {
			break
		}
		// Each attempt is a whole proof of the kernel with this barrier, so their number is bounded.
		if with := judge(ctx, k.WithBarrier(at), opts); with.Verdict == Safe {
			a := advice(at, r.Verdict, "missing", "with a barrier before this statement the kernel is safe"+strings.Replace(firstFault(r), ":", "; without it:", 1))
			a.Assuming = assuming(with)
			return []Advice{a}
		}
	}
	return []Advice{advice(here, r.Verdict, "not found", "no single barrier makes the kernel safe"+firstFault(r))}
}
