// Package gpu decides whether GPU kernels are safe. It tries the candidate invariants of
// package encode, proves the obligations of the kernels' machines, and combines the answers
// into one verdict per kernel.
package gpu

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/po"
)

// Verdict of a kernel.
type Verdict string

// The verdicts.
const (
	Safe        Verdict = "safe"        // all checks proved, for all grids that are allowed
	Unsafe      Verdict = "unsafe"      // a check refuted, and its state reached from the launch
	Possible    Verdict = "possible"    // a check refuted in a state that the invariants allow
	Open        Verdict = "open"        // a check neither proved nor refuted
	Unsupported Verdict = "unsupported" // not understood
)

// Finding is what became of one check.
type Finding struct {
	Kind    string          `json:"kind"`
	Line    int             `json:"line"`
	Col     int             `json:"col"`
	Verdict verdict.Verdict `json:"verdict"`
	Why     string          `json:"why"`

	// Replayed says what a run of the kernel from its launch showed.
	Replayed string `json:"replayed,omitempty"`

	Accepted string `json:"accepted,omitempty"` // why the baseline accepts it

	// Counterexample says which threads fail the check, in the words of the source; the violation says it of the machine.
	Counterexample *encode.Scene      `json:"counterexample,omitempty"`
	Violation      *verdict.Violation `json:"-"`
}

// Report is what is known of one kernel.
type Report struct {
	File    string    `json:"file"`            // path of the file
	Kernel  string    `json:"kernel"`          // name of the kernel
	Verdict Verdict   `json:"verdict"`         // safe, unsafe, possible, open or unsupported
	Fault   string    `json:"error,omitempty"` // internal error of gradine, the reason for a missing verdict
	Checks  []Finding `json:"checks"`          // the checks, with their verdicts
	Assumed []string  `json:"assumed"`         // assumptions of the verdict
	Why     string    `json:"why,omitempty"`   // the cause of open or unsupported
	Line    int       `json:"line,omitempty"`  // line of the kernel, counted from 1
	Col     int       `json:"col,omitempty"`   // column of the kernel, counted from 1

	// Reader says how the kernel was read, if not as C, and Compiler which compiler had written what was read.
	Reader   string `json:"reader,omitempty"`   // the reader: c or llvm
	Compiler string `json:"compiler,omitempty"` // version of clang, if clang compiled the source
	// Other is a differing answer of the other reader, which does not stand.
	Other string `json:"other,omitempty"` // answer of the other reader, if it differs

	Accepted string `json:"accepted,omitempty"` // reason of the baseline, for a kernel without a failed check

	Digest string `json:"digest,omitempty"` // digest of what the kernel does, wherever it stands

	// Scope says of which launches the verdict speaks, where the file has some: Launches. All is the verdict about all others as well.
	Scope    Scope          `json:"scope,omitempty"`        // the launches that the verdict covers: file or all
	All      Verdict        `json:"all_launches,omitempty"` // the verdict for all allowed launches
	Launches []LaunchReport `json:"launches,omitempty"`     // launches in the file, with their verdicts

	beside    bool // it is no kernel: a host program, or a function that no kernel calls
	ordered   int  // runs that do not decide, see encode.OrderedByAtomics
	undecided bool // of a program: its run does not decide
}

// numberOfLine is a line that a reason names. It may move without a change of what the reason says.
var numberOfLine = regexp.MustCompile(`\blines? \d+(:\d+)?`)

// Material tells what a verdict is about from anything else: what the kernel does and what is checked of it, how the file launches
// it, and the verdict with its reasons. A finding is accepted for this alone.
func (r *Report) Material() string {
	parts := []string{r.Digest, string(r.Verdict), r.Why, string(r.Scope), string(r.All)}
	checks := func(all []Finding) {
		for _, f := range all {
			parts = append(parts, f.Kind, string(f.Verdict), f.Why)
		}
	}
	checks(r.Checks)
	for _, l := range r.Launches {
		parts = append(parts, l.Text, string(l.Verdict), l.Why)
		parts = append(parts, l.Assumed...)
		checks(l.Checks)
	}
	for i := range parts {
		parts[i] = numberOfLine.ReplaceAllString(parts[i], "line")
	}
	return fmt.Sprintf("%q", parts)
}

// OfKernels are the reports about kernels: without host programs whose run does not decide, and functions that no kernel
// calls. Where nothing else is said of what a program launches, its report stays.
func OfKernels(reports []Report) []Report {
	beside := func(r Report) bool { return r.beside && r.Verdict == Open }
	apart := slices.ContainsFunc(reports, func(r Report) bool { return !r.beside })
	return slices.DeleteFunc(slices.Clone(reports), func(r Report) bool { return beside(r) && (apart || !r.undecided) })
}

// Options say how hard to try.
type Options struct {
	Discharge discharge.Options
	Launch    encode.Options
	Debug     func(format string, args ...any)

	AllLaunches  bool // a verdict about the launches in a file is not enough
	AnyDimension bool // kernels that ask for ids in x alone are launched in all dimensions

	pot *int64 // steps that several judgements have together, nil where each has its own

	// Tests leave something out to measure what it is worth, and watch what is searched.
	without  encode.Rules
	rolled   bool // no loop is unrolled
	onlySafe bool // of what is not safe, nothing else is asked: no counterexample, no run, no explanation
	searched func(k *encode.Kernel, s encode.Scope, found encode.Tally)
}

// Budgets in steps: candidates are many and cheap, checks are few.
const (
	candidateSteps = 80_000
	fitSteps       = 300_000 // of a claim that nothing wraps
	checkSteps     = 1_500_000
	laterSteps     = 300_000 // of a check behind one that is not proved
	refuteSteps    = 400_000
	kernelSteps    = 20_000_000 // of all checks of one kernel
)

// most is as many steps as are left of n.
func (o Options) most(n int64) int64 {
	if o.pot == nil {
		return n
	}
	return max(0, min(n, *o.pot))
}

// File judges the kernels of a file. A panic is a defect of this program: it costs the
// answer about one kernel, or about the file if it comes while the file is read.
func File(ctx context.Context, name string, src []byte, opts Options) []Report {
	var out []Report
	for _, r := range all(ctx, name, opts, func() ([]*encode.Kernel, *encode.Problem) { return read(name, src, opts.Launch) }) {
		out = append(out, r)
		if r.undecided {
			out = append(out, alone(ctx, name, src, opts)...)
		}
	}
	return out
}

// all judges the kernels that read reads.
func all(ctx context.Context, name string, opts Options, read func() ([]*encode.Kernel, *encode.Problem)) []Report {
	var kernels []*encode.Kernel
	var problem *encode.Problem
	if why := contained(func() { kernels, problem = read() }); why != "" {
		report := undecided(&encode.Kernel{File: name}, nil, why)
		report.Fault = why
		return []Report{report}
	}
	if problem != nil {
		return []Report{unsupported(name, "", problem)}
	}
	var out []Report
	for _, k := range kernels {
		var report Report
		k, why := loaded(k, opts)
		if why == "" {
			why = contained(func() { report = judge(ctx, k, opts); report.explain(ctx, k, opts) })
		}
		if why != "" {
			report = undecided(k, k.Assumed, why)
			report.Fault = why
		}
		report.locate(k)
		report.Reader, report.Compiler, report.Digest = k.Reader(), k.Compiler(), k.Digest()
		report.beside = k.Run != nil || k.Unchecked != "" && k.Aside
		report.undecided = k.Run != nil && report.Verdict == Open
		out = append(out, report)
	}
	return out
}

// loaded is k as it is judged, or what that panicked with.
func loaded(k *encode.Kernel, opts Options) (out *encode.Kernel, why string) {
	out = k
	why = contained(func() {
		if out = k.Loaded(); !opts.AnyDimension {
			out = out.Linear()
		}
	})
	return out, why
}

// read reads the kernels of a file in its language.
func read(name string, src []byte, opts encode.Options) ([]*encode.Kernel, *encode.Problem) {
	if filepath.Ext(name) == ".ll" {
		return encode.ReadModule(name, src, opts, encode.Options{})
	}
	return encode.Read(name, src, opts)
}

// alone judges the kernels of a program whose run does not decide, for all launches; none if nothing can be said of them apart from it.
func alone(ctx context.Context, name string, src []byte, opts Options) []Report {
	var kernels []*encode.Kernel
	var problem *encode.Problem
	if why := contained(func() { kernels, problem = encode.Alone(name, src, opts.Launch) }); why != "" || problem != nil {
		return nil
	}
	return all(ctx, name, opts, func() ([]*encode.Kernel, *encode.Problem) { return kernels, nil })
}

// contained runs f and says what it panicked with, if it did.
func contained(f func()) (why string) {
	if fault := seam.Contain(context.Background(), seam.Kernel, "", func(context.Context) { f() }); fault != nil {
		return "internal error: " + fault.Error()
	}
	return ""
}

// undecided is a report without a verdict.
func undecided(k *encode.Kernel, assumed []string, why string) Report {
	return Report{File: k.File, Kernel: k.Name, Verdict: Open, Checks: []Finding{}, Assumed: append([]string{}, assumed...), Why: why, Line: k.Line, Col: k.Col}
}

// locate says of what stands in an included file where that is: its line is that of the #include.
func (r *Report) locate(k *encode.Kernel) {
	for i := range r.Checks {
		f := &r.Checks[i]
		if in := k.Included(f.Line, f.Col); in != "" {
			f.Col, f.Why = 1, in+": "+f.Why
		}
	}
	if k.Included(r.Line, r.Col) != "" {
		r.Col = 1
	}
}

func unsupported(file, kernel string, p *encode.Problem) Report {
	if p.File != "" {
		file = p.File
	}
	return Report{File: file, Kernel: kernel, Verdict: Unsupported, Checks: []Finding{}, Assumed: []string{}, Why: p.Construct, Line: p.Line, Col: p.Col}
}

// judge decides on k for all values, and, where that leaves k undecided, for those with which no signed number overflows:
// what C does behind an overflow is undefined.
func judge(ctx context.Context, k *encode.Kernel, opts Options) Report {
	r := anyForm(ctx, k, opts)
	if !r.settleable() || k.Problem != nil || k.Unchecked != "" || k.Run != nil || ctx.Err() != nil {
		return r
	}
	defined := k.Exact(false)
	if defined == nil {
		return r
	}
	without := anyForm(ctx, defined, opts)
	if without.Verdict == Unsupported || ctx.Err() != nil {
		return r
	}
	if without.Verdict == Safe {
		if why := k.Overflows(); why != "" {
			without.Verdict, without.Why = Possible, "in the launch itself, signed arithmetic overflows: "+why
			return without
		}
		without.Why = strings.Join(slices.DeleteFunc([]string{noOverflow, without.Why}, func(s string) bool { return s == "" }), "; ")
	}
	return without
}

// anyForm decides on k, and, where that leaves it undecided, on k with its loops unrolled: both forms do the same, and one that is safe is enough.
func anyForm(ctx context.Context, k *encode.Kernel, opts Options) Report {
	r := decide(ctx, k, opts)
	if !r.settleable() || k.Problem != nil || k.Unchecked != "" || k.Run != nil || ctx.Err() != nil {
		return r
	}
	unrolled := k.Unrolled()
	if unrolled == nil || opts.rolled || slices.ContainsFunc(r.Assumed, func(said string) bool { return strings.HasSuffix(said, keepsWaiting) }) {
		return r
	}
	u := decide(ctx, unrolled, opts)
	if u.Verdict != Safe {
		return r
	}
	for _, said := range r.Assumed {
		if strings.Contains(said, neverEnds) && !slices.Contains(u.Assumed, said) { // known of one form, true of both
			u.Assumed = append(u.Assumed, said)
		}
	}
	return u
}

// settleable reports whether another proof may still decide.
func (r *Report) settleable() bool { return r.Verdict == Possible || r.Verdict == Open }

// noTurn is said of a kernel that is safe where no atomic counter comes round.
const noTurn = "assuming no atomic counter wraps"

// noOverflow is said of a kernel that is safe where no signed number overflows.
const noOverflow = "assuming no signed overflow"

// decide decides on k by what it takes for granted itself.
func decide(ctx context.Context, k *encode.Kernel, opts Options) Report {
	if k.Problem != nil {
		return unsupported(k.File, k.Name, k.Shown(k.Problem))
	}
	if k.Unchecked != "" {
		return undecided(k, nil, k.Unchecked)
	}
	if k.Run != nil {
		return program(ctx, k, opts)
	}
	r := Report{File: k.File, Kernel: k.Name, Checks: []Finding{}, Assumed: append([]string{}, k.Assumed...), Line: k.Line, Col: k.Col}
	search := newSearch(ctx, opts)
	before := search.left
	models, problem, err := search.models(k)
	if opts.pot != nil {
		*opts.pot -= before - search.left
	}
	if problem != nil {
		return unsupported(k.File, k.Name, k.Shown(problem))
	}
	rest := ""
	left := opts.most(kernelSteps)
	checks := left
	for _, m := range models {
		r.Assumed = append(r.Assumed, m.Unreached...)
		var results []verdict.Result
		if err == nil {
			results, err = proveWithin(ctx, m, &left, search.opts)
		}
		if why := r.take(k, m, results, opts); why != "" && rest == "" {
			rest = why
		}
	}
	switch {
	case ctx.Err() != nil:
		return undecided(k, r.Assumed, "the search stopped early: "+context.Cause(ctx).Error())
	case err != nil:
		return undecided(k, r.Assumed, err.Error())
	}
	if opts.pot != nil {
		*opts.pot -= checks - left
	}
	r.sum(rest)
	if left <= 0 && r.Verdict == Open {
		r.Why = fmt.Sprintf("the budget of %d steps for one kernel is exhausted", int64(kernelSteps))
	}
	switch {
	case r.Verdict != Safe:
	case slices.Contains(r.Assumed, noLaunch):
		r.Verdict, r.Why = Open, noLaunch
	case slices.Contains(r.Assumed, noThread):
		r.Why = noThread
	case waiting(models) != "":
		r.Verdict, r.Why = Open, waiting(models)
	default:
		r.Why = strings.Join(lessJudged(k, models), "; ")
		if slices.Contains(r.Assumed, ir.CountersAssumed) {
			r.Why = joined(noTurn, r.Why)
		}
	}
	// Runs know nothing of axioms, nor of threads in step: what they show might not be possible.
	if r.Verdict != Safe && !k.Restrained() && !opts.onlySafe {
		r.replay(k)
	}
	return r
}

// explain says of a kernel what else would make it safe, where its verdict gives no reason.
func (r *Report) explain(ctx context.Context, k *encode.Kernel, opts Options) {
	if opts.onlySafe || k.Problem != nil || k.Run != nil || k.Unchecked != "" {
		return // it has no machine
	}
	if r.Why == "" {
		r.inFewer(ctx, k, opts)
	}
	if r.Why == "" {
		r.exact(ctx, k, opts)
	}
	if r.Why == "" && len(r.Checks) > 0 {
		r.Why = instead[r.Verdict]
	}
}

// instead says what can be done about a kernel of which nothing better is known.
var instead = map[Verdict]string{
	Possible: "the invariants allow the counterexample, but no run confirmed it; exclude it with __invariant in a loop or __requires on parameters, or try --bounded",
	Open:     "some checks are neither proved nor refuted; try sizes (--local-size, --num-groups), __requires on parameters, an __invariant in a loop, or --bounded",
}

// inFewer says what becomes of a kernel if it is launched in those dimensions alone for whose ids it asks, where threads
// that differ in others fail.
func (r *Report) inFewer(ctx context.Context, k *encode.Kernel, opts Options) {
	unasked := k.Unasked()
	if !r.sameIn(unasked) {
		return
	}
	flat := judge(ctx, k.Flat(unasked), opts)
	then := "it is " + string(flat.Verdict)
	for _, f := range flat.Checks {
		if !f.Verdict.Holds() {
			then += fmt.Sprintf(": %s in line %d: %s", f.Kind, f.Line, f.Why)
			break
		}
	}
	r.Why = fmt.Sprintf("it uses no ids in %s, so threads that differ only there do the same work; launched in fewer dimensions (--local-size %s --num-groups %[2]s) %s",
		strings.Join(unasked, " and "), launchIn(unasked), then)
}

// exact says of a kernel that may race whether it takes numbers that wrap: the author knows that none gets that large.
func (r *Report) exact(ctx context.Context, k *encode.Kernel, opts Options) {
	races := slices.ContainsFunc(r.Checks, func(f Finding) bool { return !f.Verdict.Holds() && strings.HasPrefix(f.Kind, "race") })
	if !races || ctx.Err() != nil {
		return
	}
	if without := k.Exact(true); without != nil && decide(ctx, without, opts).Verdict == Safe {
		r.Why = "it is safe unless an integer wraps or a conversion changes its value; --conditions may find a condition that prevents this"
	}
}

// launchIn is any size in the dimensions that a kernel asks for, as flags say it.
func launchIn(unasked []string) string {
	var sizes []string
	for _, c := range []string{"x", "y", "z"} {
		size := "*"
		if slices.Contains(unasked, c) {
			size = "1"
		}
		sizes = append(sizes, size)
	}
	return "'" + strings.Join(sizes, ",") + "'"
}

// sameIn reports whether a counterexample is about threads that differ in these dimensions
// alone.
func (r *Report) sameIn(dimensions []string) bool {
	return slices.ContainsFunc(r.Checks, func(f Finding) bool {
		if f.Violation == nil || len(dimensions) == 0 {
			return false
		}
		values := constants(f.Violation)
		for _, c := range []string{"x", "y", "z"} {
			if !slices.Contains(dimensions, c) && (values["lid"+c+"_1"] != values["lid"+c+"_2"] || values["gid"+c+"_1"] != values["gid"+c+"_2"]) {
				return false
			}
		}
		return true
	})
}

// program judges a host program. Its run decides where it is complete: threads whose
// accesses do not conflict in one order do the same in every order, and what is not
// known of the inputs has had no influence on the way. Otherwise its launches are
// judged as kernels.
func program(ctx context.Context, k *encode.Kernel, opts Options) Report {
	r := Report{File: k.File, Kernel: k.Name, Verdict: Safe, Checks: []Finding{}, Assumed: append([]string{}, k.Assumed...), Line: k.Line, Col: k.Col}
	run := k.Run
	switch {
	case run.Fault != nil:
		f := run.Fault
		r.Verdict = Unsafe
		r.Checks = []Finding{{Kind: f.Kind, Line: f.Line, Col: f.Col, Verdict: verdict.Refuted, Why: f.Why}}
	case run.Why == "":
		for _, c := range run.Kernels {
			if c.Problem != nil { // a kernel that is not understood is not safe by one run
				return unsupported(k.File, c.Name, k.Shown(c.Problem))
			}
		}
		for _, c := range run.Wider {
			if l := judge(ctx, c, opts); l.Verdict != Safe {
				l.Why = "safe as launched, with one group; not safe with several"
				return l
			}
		}
		r.Assumed = append(r.Assumed, "the program was executed, not proved: it is safe as it launches its kernels, for all inputs without NaN")
	default:
		r.Verdict, r.Why = Open, "undecided by the run: "+run.Why
		for _, c := range run.Kernels {
			l := judge(ctx, c, opts)
			r.Checks = append(r.Checks, l.Checks...)
			r.Assumed = append(r.Assumed, l.Assumed...)
			if l.Verdict == Possible || l.Verdict == Unsafe { // for some contents of its arrays
				r.Verdict, r.Why = Possible, ""
			}
		}
	}
	return r
}

// take adds what became of the checks of a model; it says which other obligation is
// not proved, if any.
func (r *Report) take(k *encode.Kernel, m *encode.Model, results []verdict.Result, opts Options) (rest string) {
	for _, res := range results {
		c := claimOf(m, res.Obligation)
		if opts.Debug != nil && !res.Verdict.Holds() {
			opts.Debug("%s %s %v %+v\n", res.Path(), res.Verdict, c, explain.Lift(res))
		}
		if c == nil || c.Kind != encode.Checked || res.Kind != po.THM && res.Kind != po.INV {
			if !res.Verdict.Holds() && rest == "" {
				rest = res.Path()
			}
			continue
		}
		v := res.Verdict
		if v.Holds() {
			v = verdict.Proved
		}
		f := Finding{Kind: c.Check.Kind, Line: c.Line, Col: c.Col, Verdict: v, Why: c.Why, Violation: explain.Lift(res)}
		if f.Violation != nil {
			f.Counterexample = k.Scene(values(f.Violation.Constants), values(f.Violation.Before))
		}
		r.add(f)
	}
	return rest
}

// values are bindings by name.
func values(bindings []verdict.Binding) map[string]string {
	out := map[string]string{}
	for _, b := range bindings {
		out[b.Name] = b.Value
	}
	return out
}

// rank orders verdicts, worst last.
var rank = map[verdict.Verdict]int{verdict.Proved: 0, verdict.Open: 1, verdict.Refuted: 2}

// add merges findings about one check: the worst one stands.
func (r *Report) add(f Finding) {
	for i, g := range r.Checks {
		if g.Kind == f.Kind && g.Line == f.Line && g.Col == f.Col {
			if rank[f.Verdict] > rank[g.Verdict] {
				r.Checks[i] = f
			}
			return
		}
	}
	r.Checks = append(r.Checks, f)
}

// sum makes the verdict of a kernel of those of its checks. rest names an obligation that is not proved.
func (r *Report) sum(rest string) {
	slices.SortStableFunc(r.Checks, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col), cmp.Compare(a.Kind, b.Kind))
	})
	r.Verdict = Safe
	if rest != "" {
		r.Verdict, r.Why = Open, "obligation "+rest+" is not proved"
	}
	for _, f := range r.Checks {
		switch f.Verdict {
		case verdict.Refuted:
			r.Verdict, r.Why = Possible, ""
			return
		case verdict.Open: // that stands below its line, and says more than the other obligation
			r.Verdict, r.Why = Open, ""
		}
	}
}
