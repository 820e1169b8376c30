package verdict

import (
	"time"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/prover/kernel"
	"github.com/gradine/gradine/prover/refute"
)

// Result is an obligation and what became of it.
type Result struct {
	*po.Obligation
	Outcome
	Reach    *Reach       // of a refuted one, if it was looked for
	Shown    *Violation   // what it shows, lifted to the machine, if that is known already
	Expected *Expectation // that the verdict is this; nil if it should be proved, or is not what is expected
	Recorded *LockLine    // what proofs.lock says of it, which is not trusted; nil if nothing
}

// Expectation is a finding that is intended: an obligation, component/name, whose
// verdict is meant to be other than proved; or, with the verdict vacuous, an
// assumption that contradicts itself.
type Expectation struct {
	Project, Path string
	Verdict       Verdict
	Why           string
	At            diag.Span // where gradine.toml states it
}

// Verdict of an obligation.
type Verdict string

// The verdicts.
const (
	Proved  Verdict = "proved"  // the kernel accepted a certificate
	Vacuous Verdict = "vacuous" // likewise, and the certificate does not need the goal
	Refuted Verdict = "refuted" // the exact evaluator confirmed a counterexample
	Open    Verdict = "open"    // none of these within the budget
)

// Holds reports whether the kernel has accepted a certificate.
func (v Verdict) Holds() bool { return v == Proved || v == Vacuous }

// End says how a search for a proof ended in vain.
type End string

// The ends. An open verdict without one comes from no search for a proof, or from a defect of it.
const (
	Exhausted End = "exhausted" // nothing was left to try: more steps find no more
	Budget    End = "budget"    // the steps were spent: more of them may find a proof
)

// known reports whether x may stand in an answer that is open.
func (x End) known() bool { return x == "" || x == Exhausted || x == Budget }

// Outcome is what became of one sequent.
type Outcome struct {
	Verdict        Verdict
	End            End                    // of an open one
	Steps          int64                  // of the search that found the proof, or gave up
	Brief          int64                  // of an open one, after so many steps the search ended early; 0 if it did not
	Uncounted      bool                   // Steps is unknown: no holder of the reader's key has counted them
	Certificate    string                 // "sha256:…"; "" if there is none
	Used           []int                  // hypotheses the proof needs, ascending
	UsedWD         []int                  // hypotheses whose well-definedness the proof needs
	Committed      bool                   // by a committed certificate, or one that has to be committed: see discharge.RunToCommit
	Uncertified    int                    // proofs of the search that the kernel refused: defects
	Counterexample *refute.Counterexample // of a refuted sequent
	Rests          kernel.Result          // what the proof rests on; its hypotheses are numbered by the core
	Hints          string                 // what became of the hints for it, see HintsNeeded; "" if there are none
	Fault          string                 // why there is no verdict, if an error of this program is the reason
	Beside         []string               // errors of this program that have cost time, but not the verdict
	Elapsed        time.Duration

	proof *Certificate
	Print text.Fingerprint // of the sequent, where there is a lock; none after a fault
}

// About is the outcome as one of obligation p: a path of a program that is not possible is
// no dead event, so that what the path has to satisfy is proved.
func (o Outcome) About(p *po.Obligation) Outcome {
	if o.Verdict == Vacuous && p.Event != nil && p.Event.Path {
		o.Verdict = Proved
	}
	return o
}

// By says what a verdict of refuted rests on.
type By string

// What counterexamples rest on.
const (
	ByEvaluation  By = "evaluation"             // the evaluator decides all of it
	ByCertificate By = "evaluation+certificate" // the kernel accepted certificates for the rest
)

// By says what the verdict of a refuted sequent rests on; "" for others.
func (o *Outcome) By() By {
	switch x := o.Counterexample; {
	case x == nil:
		return ""
	case len(x.Claims) > 0:
		return ByCertificate
	}
	return ByEvaluation
}

// What becomes of the hints for an obligation.
const (
	HintsNeeded   = "needed"   // it is proved with them
	HintsUnneeded = "unneeded" // a short search proves it without
	HintsInVain   = "failed"   // they do not lead to a proof
)

// Expect notes in r the one of expected that states its verdict.
func (r *Result) Expect(expected []Expectation) {
	for i, e := range expected {
		if e.Project == r.Project && e.Path == r.Path() && e.Verdict == r.Verdict {
			r.Expected = &expected[i]
		}
	}
}

// Faults says what this program was at fault with, none of which a success may rest on: it
// has cost the verdict, or what else there is to say.
func (r Result) Faults() (out []string) {
	if r.Fault != "" {
		out = append(out, r.Fault)
	}
	out = append(out, r.Beside...)
	if r.Reach != nil && r.Reach.Fault != "" {
		out = append(out, "whether the machine gets into the state: "+r.Reach.Fault)
	}
	if r.Shown != nil && r.Shown.Fault != "" {
		out = append(out, "the counterexample: "+r.Shown.Fault)
	}
	return out
}

// LockLine is one obligation of a lock.
type LockLine struct {
	Obligation  string // component/name
	Fingerprint string // of the sequent, see ShortFingerprint
	Verdict     Verdict
	Steps       int64
	Used        []string // labels of the hypotheses that the proof needs, in their order
}

// Contradicts reports whether x claims a proof or a counterexample where a search
// with the default budget and the committed certificates gave another verdict.
func (x *LockLine) Contradicts(v Verdict) bool {
	switch x.Verdict {
	case Proved, Vacuous:
		return !v.Holds()
	case Refuted:
		return v != Refuted
	}
	return false
}
