package discharge

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/kernel"
	"github.com/gradine/gradine/prover/refute"
)

// problem is one sequent, bare, with its fingerprints.
type problem struct {
	logic.Sequent
	goal text.Fingerprint
	hyps map[text.Fingerprint]int // the first index of each hypothesis
	fps  []text.Fingerprint       // by index
	all  text.Fingerprint
}

func newProblem(s logic.Sequent) *problem {
	p := &problem{Sequent: s.Bare(), hyps: map[text.Fingerprint]int{}}
	f := text.NewFingerprinter(p.Bank)
	p.goal = f.Term(p.Goal)
	for i, h := range p.Hyps {
		d := f.Term(h)
		p.fps = append(p.fps, d)
		if _, ok := p.hyps[d]; !ok {
			p.hyps[d] = i
		}
	}
	p.all = f.Sequent(p.Sequent)
	return p
}

// discharge finds the verdict of one sequent: from the store, or by search. A
// short search for a proof comes first, then one for a countermodel, then the
// long search for a proof.
func discharge(ctx context.Context, s logic.Sequent, opts Options) Outcome {
	p := newProblem(s)
	if opts.Store != nil && !opts.OnlyRefute {
		for _, e := range opts.Store.proofs(p.goal, true) {
			if o, ok := p.replay(e); ok {
				o.Stored = true
				return o
			}
		}
	}
	settings := fmt.Sprintf("steps %d countermodels %d %t program %s", opts.Steps, opts.RefuteSteps, opts.OnlyRefute, programHash())
	if opts.Store != nil {
		note, fresh := opts.Store.note(p.all, settings)
		if o, ok := p.decodeNote(s, note); ok && (fresh || o.Verdict == Refuted) {
			return o
		}
	}
	if opts.Replay {
		return Outcome{Verdict: Open}
	}
	o := p.search(ctx, s, opts)
	if ctx.Err() != nil {
		return o // what an interrupted search did not find says nothing
	}
	if (o.Verdict == Open || o.Verdict == Refuted) && o.Uncertified == 0 && opts.Store != nil {
		// A store that cannot be written costs time later, nothing else.
		_ = opts.Store.putNote(p.all, settings, encodeNote(o))
	}
	return o
}

// simplifySteps bounds what is spent to make a counterexample simpler.
const simplifySteps = 100_000

// quickShare is the part of the budget that the short search may spend.
const quickShare = 20

func (p *problem) search(ctx context.Context, s logic.Sequent, opts Options) Outcome {
	steps := opts.Steps
	if steps == 0 {
		steps = prover.DefaultSteps
	}
	var o Outcome
	if !opts.OnlyRefute {
		if o = p.prove(ctx, steps/quickShare, opts); o.Verdict != Open {
			return o
		}
	}
	x, spent := refute.FindUntil(s, opts.RefuteSteps, func() bool { return ctx.Err() != nil })
	o.Steps += int64(spent)
	if x != nil {
		x = refute.Simplify(s, x, simplifySteps)
		return Outcome{Verdict: Refuted, Steps: o.Steps, Counterexample: x, Uncertified: o.Uncertified}
	}
	if opts.OnlyRefute {
		o.Verdict = Open
		return o
	}
	long := p.prove(ctx, steps, opts)
	long.Uncertified += o.Uncertified
	if long.Verdict == Open {
		long.Steps += o.Steps
	}
	return long
}

// replay checks a stored proof: its core must be among the hypotheses, and the
// kernel must accept it.
func (p *problem) replay(e entry) (Outcome, bool) {
	core := logic.Sequent{Bank: p.Bank, Goal: p.Goal}
	var index []int
	for _, d := range e.hyps {
		i, ok := p.hyps[d]
		if !ok {
			return Outcome{}, false
		}
		index = append(index, i)
		core.Hyps = append(core.Hyps, p.Hyps[i])
	}
	proof, err := kernel.Decode(p.Bank, e.cert)
	if err != nil {
		return Outcome{}, false
	}
	res, err := kernel.Check(core, proof)
	if err != nil {
		return Outcome{}, false
	}
	o := Outcome{Verdict: Proved, Steps: e.steps, Certificate: e.name(), Rests: res}
	if res.Vacuous() {
		o.Verdict = Vacuous
	}
	for _, i := range res.Hyps {
		o.Used = append(o.Used, index[i])
	}
	for _, i := range res.WDs {
		o.UsedWD = append(o.UsedWD, index[i])
	}
	slices.Sort(o.Used)
	slices.Sort(o.UsedWD)
	return o, true
}

// prove runs the prover. What it finds counts once the kernel has accepted the
// text of its certificate, against the hypotheses that it uses alone.
func (p *problem) prove(ctx context.Context, steps int64, opts Options) Outcome {
	r := prover.Prove(p.Sequent, prover.Options{Steps: steps, Stop: func() bool { return ctx.Err() != nil }})
	if r.Proof == nil {
		return Outcome{Verdict: Open, Steps: r.Steps, Uncertified: r.Uncertified}
	}
	used := slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(r.Checked.Hyps), r.Checked.WDs...))))
	e := entry{steps: r.Steps}
	for _, i := range used {
		e.hyps = append(e.hyps, p.fps[i])
	}
	e.cert = cert.Encode(r.Sequent.Bank, onlyUsed(r.Proof, used))
	o, ok := p.replay(e)
	if !ok {
		return Outcome{Verdict: Open, Steps: r.Steps, Uncertified: 1}
	}
	if opts.Store != nil {
		_ = opts.Store.putProof(p.goal, e, true) // see putNote
	}
	return o
}

// onlyUsed returns the part of a proof that leads to its end, with hypotheses
// numbered by their place in used.
func onlyUsed(p *kernel.Proof, used []int) *kernel.Proof {
	needed := make([]bool, len(p.Steps))
	needed[len(needed)-1] = true
	for i := len(p.Steps) - 1; i >= 0; i-- {
		if needed[i] {
			for _, j := range p.Steps[i].From {
				needed[j] = true
			}
		}
	}
	out := &kernel.Proof{}
	number := make([]int, len(p.Steps))
	for i, s := range p.Steps {
		if !needed[i] {
			continue
		}
		if s.Kind == kernel.Hyp || s.Kind == kernel.WD {
			at, ok := slices.BinarySearch(used, s.Index)
			if !ok {
				panic("discharge: proof uses a hypothesis that the kernel did not see")
			}
			s.Index = at
		}
		s.From = slices.Clone(s.From)
		for k, j := range s.From {
			s.From[k] = number[j]
		}
		number[i] = out.Add(s)
	}
	return out
}

// programHash identifies this program: what it searched in vain, the same
// program need not search again.
var programHash = sync.OnceValue(func() string {
	name, err := os.Executable()
	if err != nil {
		return "unknown"
	}
	f, err := os.Open(name)
	if err != nil {
		return "unknown"
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "unknown"
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:12])
})

// A note is what a search found that proved nothing: the steps, and a
// countermodel if there is one.
func encodeNote(o Outcome) []byte {
	out := fmt.Appendf(nil, "%s %d\n", o.Verdict, o.Steps)
	if o.Verdict == Refuted {
		model, err := o.Counterexample.Model.MarshalJSON()
		if err != nil {
			return fmt.Appendf(nil, "open %d\n", o.Steps) // never taken for an answer: see decodeNote
		}
		out = append(out, model...)
	}
	return out
}

func (p *problem) decodeNote(original logic.Sequent, data []byte) (Outcome, bool) {
	head, body, _ := bytes.Cut(data, []byte("\n"))
	o := Outcome{Stored: true}
	var verdict string
	if n, err := fmt.Sscanf(string(head), "%s %d", &verdict, &o.Steps); err != nil || n != 2 {
		return o, false
	}
	o.Verdict = Verdict(verdict)
	switch o.Verdict {
	case Open:
		return o, true
	case Refuted:
		ok := p.confirm(original, body, &o)
		return o, ok
	}
	return o, false
}

// confirm reads a stored countermodel and evaluates the sequent in it. What is false
// in it is a part of the original, as its author wrote it.
func (p *problem) confirm(original logic.Sequent, data []byte, o *Outcome) bool {
	ids := p.Bank.FreeIdents(append(slices.Clone(p.Hyps), p.Goal)...)
	m, err := eval.ReadModel(p.Bank, ids, data)
	if err != nil {
		return false
	}
	o.Counterexample = refute.Confirm(original, m)
	return o.Counterexample != nil
}
