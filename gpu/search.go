package gpu

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
)

// maxSearches bounds how often a search begins again with what the last one has taught.
const maxSearches = 6

// searchSteps bounds what the search for the invariants of one kernel may cost in all.
const searchSteps = 20_000_000

// search looks for the invariants of one kernel.
type search struct {
	ctx  context.Context
	opts Options
	left int64 // steps
}

// newSearch remembers what it proves: most obligations of a round are those of the last one.
func newSearch(ctx context.Context, opts Options) *search {
	opts.Discharge.Known = &proofstore.Certificates{}
	return &search{ctx, opts, opts.most(searchSteps)}
}

// Machines are the machines of the kernels of a file with the invariants that were found,
// so that a proof of their obligations proves that the kernels are safe. Remarks
// say, by their codes, why there is no machine for something in the file, or what machines say nothing about.
func Machines(ctx context.Context, name string, src []byte, opts Options) (models []*encode.Model, remarks []Remark, err error) {
	return machines(ctx, name, opts, func() ([]*encode.Kernel, *encode.Problem) { return read(name, src, opts.Launch) })
}

// machines are those of the kernels that read reads.
func machines(ctx context.Context, name string, opts Options, read func() ([]*encode.Kernel, *encode.Problem)) (models []*encode.Model, remarks []Remark, err error) {
	var kernels []*encode.Kernel
	var problem *encode.Problem
	if why := contained(func() { kernels, problem = read() }); why != "" {
		problem = &encode.Problem{File: name, Line: 1, Col: 1, Construct: why}
	}
	if problem != nil {
		return nil, []Remark{{encode.NotUnderstood, problem}}, nil
	}
	for _, k := range kernels {
		k, why := loaded(k, opts)
		if why != "" {
			k.Problem = &encode.Problem{File: k.File, Line: k.Line, Col: k.Col, Construct: why}
		}
		here := encode.Problem{File: k.File, Line: k.Line, Col: k.Col}
		var found []*encode.Model
		code := encode.NotJudged
		// A kernel without a model has one reason, the first of these that holds.
		switch {
		case k.Problem != nil:
			here, code = *k.Problem, encode.NotUnderstood
		case k.Unchecked != "":
			here.Construct = k.Name + ": " + k.Unchecked
		case k.Run != nil:
			here.Construct = "a host program is executed, not proved: remove it from sources, and check it with `gradine kernel`"
		default:
			if why := contained(func() {
				found, problem, err = newSearch(ctx, opts).models(k)
			}); why != "" {
				here.Construct = why
			}
			switch {
			case ctx.Err() != nil:
				return nil, nil, context.Cause(ctx)
			case err != nil:
				here.Construct, err = err.Error(), nil
			case problem != nil:
				here, code = *problem, encode.NotUnderstood
			case says(found, noLaunch):
				here.Construct = k.Name + ": " + noLaunch
			case says(found, noThread):
				here.Construct = k.Name + ": " + noThread
			case waiting(found) != "":
				here.Construct = k.Name + ": " + waiting(found)
			}
		}
		if here.Construct != "" {
			remarks = append(remarks, Remark{code, &here})
			continue
		}
		models = append(models, found...)
		for _, less := range lessJudged(k, found) {
			remark := here
			remark.Construct = k.Name + ": " + less
			remarks = append(remarks, Remark{encode.LessJudged, &remark})
		}
	}
	return models, remarks, nil
}

// lessJudged says what of k its machines say nothing about, though all their obligations be proved.
func lessJudged(k *encode.Kernel, models []*encode.Model) []string {
	out := k.Skipped()
	if k.Narrowed != "" {
		out = append(out, k.Narrowed)
	}
	for _, m := range models {
		out = append(out, m.Unreached...)
	}
	return out
}

func says(models []*encode.Model, unreached string) bool {
	return slices.ContainsFunc(models, func(m *encode.Model) bool { return slices.Contains(m.Unreached, unreached) })
}

// neverEnds says of a loop that a verdict covers no code after it.
const neverEnds = "never terminates after its first round, so the code after it is not checked"

// keepsWaiting says of a loop without end that it is one of divergence, too.
const keepsWaiting = ", and threads at a barrier wait for those still in it"

// waiting is what is said of the first loop that keeps threads waiting at a barrier for ever; "" if none does.
func waiting(models []*encode.Model) string {
	for _, m := range models {
		for _, u := range m.Unreached {
			if strings.HasSuffix(u, keepsWaiting) {
				return u
			}
		}
	}
	return ""
}

// Remark says why no machine stands for something in a file, or why one says less than it seems to.
type Remark struct {
	Code string
	*encode.Problem
}

// models are the machines of k, with the invariants and relations that hold.
func (x *search) models(k *encode.Kernel) (models []*encode.Model, problem *encode.Problem, err error) {
	var last *encode.Search
	for _, scope := range k.Scopes() {
		last, problem, err = x.settle(k, scope, last)
		if problem != nil || err != nil {
			return nil, problem, err
		}
		m, err := x.proved(last)
		if err != nil {
			return nil, nil, err
		}
		if x.opts.searched != nil {
			x.opts.searched(k, scope, last.Tally())
		}
		if scope == encode.Group {
			if m.Unreached, err = x.unreached(last); err != nil {
				return nil, nil, err
			}
			x.assumedAway(k, m.Unreached)
		}
		if !says(append(models, m), noLaunch) && !says(append(models, m), noThread) {
			if err := x.lonely(last, m); err != nil {
				return nil, nil, err
			}
		}
		models = append(models, m)
	}
	return models, nil, nil
}

// noLaunch says that all checks hold of nothing.
const noLaunch = "no launch satisfies the preconditions, so the verdict covers no launch"

// noThread says that what the author assumes himself leaves nothing to be checked.
const noThread = "no launch satisfies the assumptions (__assume, __axiom), so the verdict covers no launch"

// assumedAway replaces noLaunch where a launch does satisfy the preconditions, and what the
// author also assumes excludes it: a contradiction in what callers owe is a mistake of
// the kernel, while __assume(false) was written to mean just that.
func (x *search) assumedAway(k *encode.Kernel, unreached []string) {
	i := slices.Index(unreached, noLaunch)
	if i < 0 {
		return
	}
	owed := k.Unassumed()
	if owed == nil {
		return
	}
	s, problem, err := x.settle(owed, encode.Group, nil)
	if problem != nil || err != nil {
		return
	}
	if rest, err := x.unreached(s); err == nil && !slices.Contains(rest, noLaunch) {
		unreached[i] = noThread
	}
}

// lonely notes that no two threads that differ satisfy what the author requires of each: that
// they do not race says nothing then.
func (x *search) lonely(s *encode.Search, m *encode.Model) error {
	exits := s.Exits()
	if exits == nil {
		return nil
	}
	results, _, err := x.try(exits, func(o *po.Obligation) bool { return claims(exits, o, encode.Lonely) })
	for _, r := range results {
		if r.Kind == po.THM && r.Verdict.Holds() {
			m.Unreached = append(m.Unreached, s.NoPair())
		}
	}
	return err
}

// unreached says in words which ways into the kernel or out of a loop what holds leaves
// closed: a verdict about what lies behind them says nothing.
func (x *search) unreached(s *encode.Search) (out []string, err error) {
	m := s.Exits()
	if m == nil {
		return nil, nil
	}
	// What a verdict does not cover is said even where the search has used up its steps.
	results, err := prove(x.ctx, m, candidateSteps, x.opts, func(o *po.Obligation) bool {
		return o.Kind == po.THM && claims(m, o, encode.Leaving)
	})
	// A loop may be left, and the kernel entered, in several ways: one that is open is enough. Of what no way leads out by the
	// values alone, nothing is claimed.
	open := map[encode.Exit]bool{}
	for _, r := range results {
		e := claimOf(m, r.Obligation).Exit
		open[e] = open[e] || !r.Verdict.Holds()
	}
	if !open[encode.Exit{Entry: true}] {
		out = append(out, noLaunch)
	}
	for loop := range s.NumLoops() {
		if open[encode.Exit{Loop: loop}] && !s.Endless(loop) {
			continue
		}
		said := fmt.Sprintf("the loop in line %d %s", s.LineOf(loop), neverEnds)
		if s.Spinning(loop) {
			said += keepsWaiting
		}
		out = append(out, said)
	}
	slices.Sort(out)
	return slices.Compact(out), err
}

// try proves obligations of a model on which candidates depend. Where the steps of
// the search are used up, it reports false: then nothing that is guessed may stay.
func (x *search) try(m *encode.Model, wanted func(*po.Obligation) bool) ([]verdict.Result, bool, error) {
	if x.left <= 0 {
		return nil, false, nil
	}
	results, err := prove(x.ctx, m, candidateSteps, x.opts, wanted)
	for _, r := range results {
		if !r.Committed {
			x.left -= r.Steps
		}
	}
	return results, true, err
}

func (x *search) say(format string, args ...any) {
	if x.opts.Debug != nil {
		x.opts.Debug(format, args...)
	}
}

// settle searches until the candidates that are left prove each other.
func (x *search) settle(k *encode.Kernel, scope encode.Scope, before *encode.Search) (*encode.Search, *encode.Problem, error) {
	for try := 0; ; try++ {
		s, problem := k.SearchWithout(scope, x.opts.without)
		if problem != nil {
			return nil, problem, nil
		}
		if before != nil && s.Follow(before) {
			return s, nil, nil
		}
		again, err := x.reduce(k, s, try < maxSearches)
		if err != nil {
			return nil, nil, err
		}
		// What holds may narrow the ranges of variables, and so what can be guessed.
		if try < maxSearches && x.left > 0 && s.Sharpen() {
			again = true
		}
		if !again {
			return s, nil, nil
		}
	}
}

// reduce drops candidates until those that are left prove each other. It reports whether
// a term that was taken not to wrap may do so, which the next search counts with, if
// there may be one.
func (x *search) reduce(k *encode.Kernel, s *encode.Search, more bool) (wraps bool, err error) {
	for {
		m := s.Alone()
		results, ok, err := x.try(m, func(*po.Obligation) bool { return true })
		if err != nil {
			return false, err
		}
		if !ok {
			s.Renounce()
			return false, nil
		}
		// A term is taken to wrap only where no candidate has fallen: what bounds it may be one
		// that is proved in the next round.
		lost := 0
		var unfit []verdict.Result
		for _, res := range results {
			if res.Verdict.Holds() {
				continue
			}
			switch {
			case claims(m, res.Obligation, encode.Candidate):
				id := claimOf(m, res.Obligation).Guess
				lost++
				rule, text := s.Describe(id)
				x.say("drop %s %s (%s)\n", rule, text, res.Path())
				s.Drop(id)
			case claims(m, res.Obligation, encode.Fitting):
				unfit = append(unfit, res)
			}
		}
		if lost > 0 {
			continue
		}
		if more {
			wraps = x.wrap(k, m, unfit)
		}
		return wraps, x.ctx.Err()
	}
}

// wrap tries claims that nothing wraps once more, with more steps: they are few, and
// everything else rests on them. It notes the terms that may wrap after all, if any.
func (x *search) wrap(k *encode.Kernel, m *encode.Model, unfit []verdict.Result) (wraps bool) {
	o := x.opts.Discharge
	o.Steps = fitSteps
	claims := make([]*po.Obligation, len(unfit))
	for i, res := range unfit {
		claims[i] = res.Obligation
	}
	for _, res := range run(x.ctx, claims, o, x.opts.Debug) {
		x.left -= res.Steps
		if !res.Verdict.Holds() {
			term := claimOf(m, res.Obligation).Term
			k.Wraps(term)
			x.say("wraps %s\n", term)
			wraps = true
		}
	}
	return wraps
}

// pair is the model of two threads, with the relations between them that hold.
func (x *search) pair(s *encode.Search) (*encode.Model, error) {
	for {
		m := s.Pair()
		guessed := func(o *po.Obligation) bool {
			return o.Kind == po.INV && claims(m, o, encode.Relation, encode.Equal)
		}
		if !m.Guesses(encode.Relation, encode.Equal) {
			return m, nil
		}
		tried, ok, err := x.try(m, guessed)
		if err != nil {
			return nil, err
		}
		if !ok {
			s.Renounce()
			continue
		}
		// Relations that fail are dropped, and the rest is tried again: they may have rested on each other.
		lost := 0
		for _, res := range tried {
			if res.Verdict.Holds() {
				continue
			}
			if c := claimOf(m, res.Obligation); c.Kind == encode.Relation {
				s.Unrelate(c.Guess)
				x.say("drop %s (%s)\n", s.DescribeRelation(c.Guess), res.Path())
			} else {
				s.Differ(c.Guess)
				x.say("differs %s\n", res.Path())
			}
			lost++
		}
		if lost == 0 {
			return m, nil
		}
	}
}

// proved is the model of two threads without hints that are not proved, and without candidates that one thread
// proves, and two do not: without them a check may be proved all the same.
func (x *search) proved(s *encode.Search) (*encode.Model, error) {
	m, err := x.pair(s)
	for err == nil && x.left > 0 {
		unproved, lost := map[*encode.Claim]bool{}, false
		var results []verdict.Result
		results, err = prove(x.ctx, m, checkSteps, x.opts, func(o *po.Obligation) bool {
			return o.Kind == po.INV && claims(m, o, encode.Candidate) || claims(m, o, encode.Hint)
		})
		for _, r := range results {
			if !r.Committed {
				x.left -= r.Steps
			}
			if r.Verdict.Holds() {
				// Candidates that fail are dropped before hints are, because hints may rest on them.
				continue
			}
			x.say("drop %s\n", r.Path())
			if c := claimOf(m, r.Obligation); c.Kind == encode.Candidate {
				s.Drop(c.Guess)
				lost = true
			} else {
				unproved[c] = true
			}
		}
		switch {
		case err != nil:
		case lost:
			m, err = x.pair(s)
		case len(unproved) > 0:
			m = m.Without(unproved)
		default:
			return m, nil
		}
	}
	return m, err
}

// prove finds the verdicts of obligations of a model: of those that are wanted, without
// a look for counterexamples.
func prove(ctx context.Context, m *encode.Model, steps int64, opts Options, wanted func(*po.Obligation) bool) ([]verdict.Result, error) {
	all, err := obligations(m, opts)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(o *po.Obligation) bool { return !wanted(o) })
	o := opts.Discharge
	o.Steps = steps
	return run(ctx, all, o, opts.Debug), ctx.Err()
}

// proveWithin finds the verdicts of all obligations of a model, and counterexamples, as
// long as steps are left: what comes after them is open.
func proveWithin(ctx context.Context, m *encode.Model, left *int64, opts Options) ([]verdict.Result, error) {
	const together = 16 // of which the costs are known before more are begun
	// Chunks are cut by number alone, so that what is left open does not depend on workers.
	all, err := obligations(m, opts)
	if err != nil {
		return nil, err
	}
	var out []verdict.Result
	failed := false
	for some := range slices.Chunk(all, together) {
		o := opts.Discharge
		if o.Steps = min(checkSteps, *left); !opts.onlySafe {
			o.RefuteSteps = refuteSteps
		}
		if failed { // what the others take decides nothing any more
			o.Steps = min(laterSteps, *left)
		}
		if *left <= 0 || failed && opts.onlySafe {
			for _, p := range some {
				out = append(out, verdict.Result{Obligation: p, Outcome: verdict.Outcome{Verdict: verdict.Open}})
			}
			continue
		}
		for _, r := range run(ctx, some, o, opts.Debug) {
			if !r.Committed {
				*left -= r.Steps
			}
			failed = failed || !r.Verdict.Holds()
			out = append(out, r)
		}
	}
	return out, ctx.Err()
}

// claimOf is what an obligation of a model is about, nil if it is about what the kernel does.
func claimOf(m *encode.Model, o *po.Obligation) *encode.Claim {
	if o.Predicate == nil {
		return nil
	}
	return m.Claim(o.Predicate.Label)
}

// claims reports whether an obligation is about a claim of one of some kinds.
func claims(m *encode.Model, o *po.Obligation, kinds ...encode.ClaimKind) bool {
	c := claimOf(m, o)
	return c != nil && slices.Contains(kinds, c.Kind)
}

// obligations are those of a model.
func obligations(m *encode.Model, opts Options) ([]*po.Obligation, error) {
	if opts.Debug != nil {
		opts.Debug("%s\n", m.Text())
	}
	dev, err := development(m)
	if err != nil {
		return nil, err
	}
	return po.All(dev, nil)
}

func run(ctx context.Context, asked []*po.Obligation, o discharge.Options, debug func(string, ...any)) []verdict.Result {
	results := make([]verdict.Result, 0, len(asked))
	start := time.Now()
	discharge.Run(ctx, len(asked), func(i int) logic.Sequent { return relevant(asked[i].Sequent()) }, o, func(i int, out verdict.Outcome) {
		results = append(results, verdict.Result{Obligation: asked[i], Outcome: out})
		if debug != nil && out.Elapsed > 100*time.Millisecond {
			debug("slow %s %s %v %d steps\n", asked[i].Path(), out.Verdict, out.Elapsed, out.Steps)
		}
	})
	if o.Known != nil {
		for _, r := range results {
			o.Known.Remember(r.Outcome)
		}
	}
	if debug != nil {
		debug("%d obligations in %v\n", len(results), time.Since(start))
	}
	return results
}

// development checks a model as any other text.
func development(m *encode.Model) (*model.Development, error) {
	if m.TooDeep() {
		return nil, fmt.Errorf("a condition or index of %s is nested more than %d levels deep; split it", m.Kernel, lang.MaxNesting)
	}
	var diags diag.List
	dev := check.Development(m.Name, []*lang.File{m.Tree(nil)}, &diags)
	if diags.HasErrors() {
		d := diags.Sorted()[0]
		return nil, fmt.Errorf("internal error: the model of %s is wrong: %s (%s)", m.Name, d.Message, d.Element)
	}
	return dev, nil
}
