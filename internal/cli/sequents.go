package cli

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/question"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/memory"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/prover/derive"
)

// asking is a file of sequents that is read while they are proved.
type asking struct {
	name  string
	file  *question.File
	hints *question.Hints // nil if there are none
	tasks int
	err   error // why the file ends where it does
}

// openSequents opens a file of sequents, - being the standard input, and hints for them.
func (r *run) openSequents(name, hints string) (*asking, error) {
	a := &asking{name: name}
	if hints != "" {
		data, err := project.ReadText(r.path(hints))
		if err != nil {
			return nil, modelError{err}
		}
		a.hints = question.ReadHints(hints, data)
	}
	at := name
	if name != "-" {
		at = r.path(name)
	}
	var err error
	if a.file, err = question.Open(at, r.in); err != nil {
		return nil, modelError{err}
	}
	return a, nil
}

// all yields what the file asks. Nothing of it is kept.
func (a *asking) all(yield func(question.Task) bool) {
	for batch := range a.file.Batches() {
		for task := range batch.Tasks(a.hints) {
			a.tasks++
			if !yield(task) {
				return
			}
		}
		a.err = batch.Err
	}
}

// closeSequents says what was wrong with the file and the hints. It says which keys
// are not read, once: a misspelt "hyps" must not pass for a sequent without hypotheses.
func (r *run) closeSequents(a *asking) error {
	a.file.Close()
	if unread := a.file.Unread(); len(unread) > 0 {
		fmt.Fprintf(r.err, "gradine: %s: unknown keys are ignored: %s\n", a.name, strings.Join(unread, ", "))
	}
	if a.err != nil {
		return modelErrorf("%s: %w", a.name, a.err)
	}
	if a.hints != nil {
		r.sayHints(a.hints)
	}
	return nil
}

// sayHints says what is wrong with hints, once all that they may be for was read.
func (r *run) sayHints(h *question.Hints) {
	problems := h.Problems()
	if problems.Len() > 0 {
		report.Problems(r.err, report.Style{}, rodinIDs(problems.Sorted()), func(string) []byte { return h.Source })
	}
	if problems.HasErrors() {
		r.fail(exitModel)
	}
}

// proveSequents proves the sequents of a file, one after the other, and prints each verdict when it is found.
func (r *run) proveSequents(asked flags.Prove) (err error) {
	// The store keeps what projects ask for again; a lone sequent is searched each time.
	asked.NoStore = true
	opts, err := asked.Options()
	if err != nil {
		return err
	}
	a, err := r.openSequents(asked.Sequents, asked.Hints)
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, r.closeSequents(a)) }()
	if asked.Suggest {
		return r.suggestSequents(a, opts)
	}
	if asked.Steps > 0 && !asked.Refute {
		// Who asks for short searches wants no longer ones for counterexamples, and these only of what
		// about as many steps do not prove.
		opts.RefuteSteps = int(min(int64(opts.RefuteSteps), asked.Steps))
		opts.Short = max(asked.Steps/20, int64(opts.RefuteSteps))
	}
	opts.Foreign = true
	mine, endShare, err := r.shareSequents(a, asked, &opts)
	if err != nil {
		return err
	}
	defer func() {
		if err == nil {
			endShare()
		}
	}()
	endQueue, err := r.openQueue(asked, &opts)
	if err != nil {
		return err
	}
	defer endQueue()
	defer memory.Bound()()
	buffered := bufio.NewWriter(r.out)
	defer buffered.Flush()
	out := report.NewVerdicts(buffered)
	counts := map[verdict.Verdict]int{}
	proveTasks(r.ctx, mine, opts, asked.Timing, func(v report.Verdict) {
		counts[v.Verdict]++
		if v.Fault != "" {
			r.fail(exitInternal)
		}
		if v.Verdict != verdict.Vacuous { // of a lone sequent, a contradiction is a proof
			r.judge(v.Verdict)
		}
		if r.format == "jsonl" {
			err = errors.Join(err, out.Put(v))
		}
	})
	if r.format == "text" && a.err == nil {
		fmt.Fprintf(buffered, "%s: %d proved, %d vacuous, %d refuted, %d open\n",
			report.Count(a.tasks, "sequent"), counts[verdict.Proved], counts[verdict.Vacuous], counts[verdict.Refuted], counts[verdict.Open])
	}
	return err
}

// shareSequents returns the tasks of a that this run does: all of them, or those of one shard, by the fingerprints of their
// sequents. The function it returns ends the work, as that of share does.
func (r *run) shareSequents(a *asking, asked flags.Prove, opts *discharge.Options) (mine iter.Seq[question.Task], end func(), err error) {
	if asked.Shard == "" && asked.From == "" {
		return a.all, func() {}, nil
	}
	// The digest of the file is part of the name of the work, so that shards of different files never meet.
	if a.name == "-" {
		return nil, nil, flags.Usagef("--shard and --from need the sequents in a file: a shard says of which file it is")
	}
	work := sha256.New()
	fmt.Fprintf(work, "sequents steps %d short %d refute %d %t\n", opts.Steps, opts.Short, opts.RefuteSteps, opts.OnlyRefute)
	for _, name := range []string{a.name, asked.Hints} {
		if name == "" {
			continue
		}
		if err := digestFile(work, r.path(name)); err != nil {
			return nil, nil, modelError{err}
		}
	}
	s, err := r.share(asked, work.Sum(nil), opts)
	if err != nil {
		return nil, nil, err
	}
	own := 0
	var prints text.BankFingerprinter
	mine = func(yield func(question.Task) bool) {
		for t := range a.all {
			if !s.part.Has(prints.Sequent(t.Sequent)) {
				continue
			}
			own++
			if !yield(t) {
				return
			}
		}
	}
	return mine, func() {
		s.end(fmt.Sprintf("%s of %d", report.Count(own, "sequent"), a.tasks), "gradine prove --sequents FILE")
	}, nil
}

// digestFile adds the bytes of a file, and where they end.
func digestFile(to hash.Hash, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	n, err := io.Copy(to, f)
	fmt.Fprintf(to, "\n%d\n", n)
	return err
}

// proveTasks hands what is told of each task to done, in their order.
func proveTasks(ctx context.Context, tasks iter.Seq[question.Task], opts discharge.Options, timing bool, done func(report.Verdict)) {
	get := func(t question.Task) (logic.Sequent, *derive.Node) { return t.Sequent, t.Hints }
	tell := func(t question.Task, o verdict.Outcome) report.Verdict { return verdictOf(t, o, timing) }
	discharge.Stream(ctx, tasks, get, opts, tell, done)
}

// verdictOf is what is told of a task.
func verdictOf(t question.Task, o verdict.Outcome, timing bool) report.Verdict {
	v := report.VerdictOfSequent(o, timing)
	v.ID, v.Project, v.Component, v.Name, v.Accurate = t.Of.Path(), t.Of.Project, t.Of.Component, t.Of.Name, true
	if t.Fact != "" {
		v.ID, v.Name = fmt.Sprint(t.Of.Path())+"/"+t.Fact, t.Of.Name+"/"+t.Fact
	}
	if o.Counterexample != nil {
		v.Countermodel = o.Counterexample.Model
	}
	for _, h := range o.Used {
		v.Used = append(v.Used, t.Labels[h])
	}
	return v
}

// suggestSequents looks for hints for sequents, several at a time.
func (r *run) suggestSequents(a *asking, opts discharge.Options) (err error) {
	out := report.NewSuggestions(r.out)
	question.Suggest(r.ctx, a.all, opts, func(q *question.Sequent, found explain.Suggestion) {
		r.judge(found.Verdict)
		if r.format == "jsonl" {
			out.Put(q.Path(), q.Project, q.Component, q.Name, found)
		} else {
			err = cmp.Or(err, r.showHints(fmt.Sprint(q.Path()), a.name+".hints", nil, found))
		}
	})
	return cmp.Or(err, out.Err())
}
