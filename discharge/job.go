package discharge

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/derive"
	"github.com/gradine/gradine/prover/kernel"
)

// job returns all that a search for p depends on. The canonical text of its sequent is that of a
// certificate with one step, whose terms are the hypotheses and the goal: what reads
// certificates of strangers reads it.
func (p *task) job(opts Options) *answer.Job {
	s := p.Bare()
	step := kernel.Step{Kind: kernel.Prop, Terms: append(slices.Clone(s.Hyps), s.Goal)}
	j := &answer.Job{
		Search: SearchVersion(), Steps: opts.Steps, Short: opts.short(), Refute: opts.RefuteSteps, OnlyRefute: opts.OnlyRefute,
		Selected: p.Selected, Sequent: string(cert.Encode(s.Bank, &kernel.Proof{Steps: []kernel.Step{step}})),
	}
	if p.part != nil {
		j.Granted = &p.part.Granted
	}
	return j
}

// errGuesses says why a question with guesses is not sent to another process: without the guesses, it would find nothing.
var errGuesses = errors.New("guesses do not travel")

// asked is the question that p is, for sources of answers.
func (p *task) asked(q answer.Digest, opts Options) answer.Question {
	return answer.Question{Digest: q, Steps: opts.Steps, Job: func() (*answer.Job, error) {
		if opts.guesses != nil {
			return nil, errGuesses
		}
		return p.job(opts), nil
	}}
}

// Do answers the question of a job: the answer is that of everybody who asks it. It is signed
// with key. An error says what is wrong with the job, or that ctx ended.
func Do(ctx context.Context, j *answer.Job, key *answer.Key) (*answer.Answer, error) {
	if j.Search != SearchVersion() {
		return nil, fmt.Errorf("a job for version %.40q of the search; this is version %s", j.Search, SearchVersion())
	}
	if j.Steps < 1 || j.Short < 1 || j.Refute < 0 {
		return nil, errors.New("a job without a budget")
	}
	// The job comes from somebody unknown, so each part is checked before it reaches code that expects it to be sound.
	bank := logic.NewBank()
	read, err := kernel.Decode(bank, []byte(j.Sequent))
	if err != nil {
		return nil, err
	}
	if len(read.Steps) != 1 || len(read.Steps[0].Terms) == 0 {
		return nil, errors.New("a job without a sequent")
	}
	terms := read.Steps[0].Terms
	s := logic.Sequent{Bank: bank, Hyps: terms[:len(terms)-1], Selected: j.Selected, Goal: terms[len(terms)-1]}
	for _, t := range terms {
		if !bank.Op(t).IsPredicate() || bank.Depth(t) != 0 {
			return nil, errors.New("a job with a term that is no closed predicate")
		}
	}
	for _, i := range j.Selected {
		if i < 0 || i >= len(s.Hyps) {
			return nil, errors.New("a job that selects a hypothesis that there is not")
		}
	}
	opts := Options{Steps: j.Steps, Short: j.Short, RefuteSteps: j.Refute, OnlyRefute: j.OnlyRefute}
	p := newTask(s)
	if j.Granted != nil {
		if *j.Granted < 0 || *j.Granted > len(s.Hyps) {
			return nil, errors.New("a job that grants hypotheses that there are not")
		}
		p.part = &derive.Question{Sequent: s, Granted: *j.Granted}
	}
	o := p.search(ctx, s, opts)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// Workers send no answer whose proof their own kernel refuses: the search would be at fault, not the sequent.
	if o.Uncertified > 0 {
		return nil, errors.New("the kernel refuses a proof of the search: a defect of this program")
	}
	a, ok := o.Answer(p.question(opts))
	if !ok {
		return nil, errors.New("a counterexample that cannot be written")
	}
	a.Sign(key)
	return a, nil
}
