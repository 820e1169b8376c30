package cli

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/question"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/derive"
)

// readSequents reads a file of sequents, - being the standard input. It says which keys
// nobody reads, once: a misspelt "hyps" must not pass for a sequent without hypotheses.
func (r *run) readSequents(name string) ([]question.Sequent, error) {
	list, unread, err := question.ReadFile(name, r.in)
	if err != nil {
		return nil, modelError{err}
	}
	if len(unread) > 0 {
		fmt.Fprintf(r.err, "gradine: %s: these keys are not read: %s\n", name, strings.Join(unread, ", "))
	}
	return list, nil
}

func (r *run) proveSequents(asked flags.Prove) error {
	questions, err := r.readSequents(asked.Sequents)
	if err != nil {
		return err
	}
	sequents, err := question.Formulas(questions)
	if err != nil {
		return modelErrorf("%s: %w", asked.Sequents, err)
	}
	if asked.Suggest {
		return r.suggestSequents(asked, questions, sequents)
	}
	plans, err := r.hintsFor(asked.Hints, questions, sequents)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(r.out)
	defer buffered.Flush()
	out := report.NewVerdicts(buffered)
	counts := map[verdict.Verdict]int{}
	// The store keeps what projects ask for again; a lone sequent is searched each time.
	asked.NoStore = true
	opts, err := asked.Options()
	if err != nil {
		return err
	}
	if asked.Steps > 0 && !asked.Refute {
		// Who asks for short searches wants no longer ones for counterexamples, and these only of what
		// about as many steps do not prove.
		opts.RefuteSteps = int(min(int64(opts.RefuteSteps), asked.Steps))
		opts.Short = max(asked.Steps/20, int64(opts.RefuteSteps))
	}
	opts.Foreign = true
	endQueue, err := r.openQueue(asked, &opts)
	if err != nil {
		return err
	}
	defer endQueue()
	tasks := question.Tasks(questions, sequents, plans)
	defer question.BoundMemory()()
	opts.Hints = func(i int) *derive.Node { return tasks[i].Hints }
	get := func(i int) logic.Sequent { return tasks[i].Sequent }
	discharge.Run(r.ctx, len(tasks), get, opts, func(i int, outcome verdict.Outcome) {
		counts[outcome.Verdict]++
		if outcome.Fault != "" {
			r.fail(exitInternal)
		}
		if outcome.Verdict != verdict.Vacuous { // of a lone sequent, a contradiction is a proof
			r.judge(outcome.Verdict)
		}
		if r.format == "jsonl" {
			v := report.VerdictOfSequent(outcome, asked.Timing)
			q := tasks[i].Of
			v.ID, v.Project, v.Component, v.Name, v.Accurate = q.Path(), q.Project, q.Component, q.Name, true
			if fact := tasks[i].Fact; fact != "" {
				v.ID, v.Name = fmt.Sprint(q.Path())+"/"+fact, q.Name+"/"+fact
			}
			if x := outcome.Counterexample; x != nil {
				v.Countermodel = x.Model
			}
			for _, h := range outcome.Used {
				v.Used = append(v.Used, tasks[i].Labels[h])
			}
			err = errors.Join(err, out.Put(v))
		}
	})
	if r.format == "text" {
		fmt.Fprintf(buffered, "%s: %d proved, %d vacuous, %d refuted, %d open\n",
			report.Count(len(tasks), "sequent"), counts[verdict.Proved], counts[verdict.Vacuous], counts[verdict.Refuted], counts[verdict.Open])
	}
	return err
}
