package discharge

import (
	"time"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/prover/derive"
	"github.com/gradine/gradine/prover/kernel"
	"github.com/gradine/gradine/prover/refute"
)

// Result is an obligation and what became of it.
type Result struct {
	*po.Obligation
	Outcome
	Reach    *Reach       // of a refuted one, if it was looked for
	Shown    *Violation   // what Lift returns of it, if that is known already
	Expected *Expectation // that the verdict is this; nil if it should be proved, or is not what is expected
	Recorded *LockLine    // what proofs.lock says of it, which nobody believes; nil if nothing
}

// Expectation is a finding that is intended: an obligation, component/name, whose
// verdict is meant to be other than proved; or, with the verdict vacuous, an
// assumption that contradicts itself, see Contradiction.Path.
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

// Options say how hard to try. The zero value proves with the default budget on
// all cores and stores nothing.
type Options struct {
	Steps   int64 // budget of a search; 0 for the prover's default
	Workers int   // 0 for all cores; has no influence on the result
	Store   *Store
	// Sources are asked for answers that the store does not have.
	Sources []Source
	// Found, if not nil, is told the answer to every question that was asked and answered. It is
	// called by several goroutines.
	Found func(*answer.Answer)
	// Key is that of the reader, nil for that of the store.
	Key *answer.Key
	// Foreign takes proofs and counterexamples from the store that no holder of its key has
	// found. They are checked, but other ones may exist, and their steps are unknown: see
	// Outcome.Uncounted. Answers that are only part of another answer are never taken so.
	Foreign bool
	// Committed are certificates that count before any search.
	Committed *Certificates
	// Known are certificates of any sequents that count before any search, too: those of an
	// earlier round, whose sequents had more hypotheses, or fewer.
	Known  *Certificates
	Replay bool  // check committed certificates, search nothing
	Lock   *Lock // what is recorded of the obligations, see Lock.Recorded; nothing rests on it
	// Unrecorded: nobody asks what is recorded of the obligations, so that it is not looked up.
	Unrecorded bool
	// RefuteSteps is the budget of a search for a counterexample; 0 for none.
	RefuteSteps int
	// Short is what a search spends before it looks for a counterexample; 0 for a twentieth of Steps.
	Short      int64
	OnlyRefute bool // look for counterexamples, prove nothing
	// Faulted, if not nil, is told of each fault: who asks for verdicts may pass it over.
	Faulted func(why string)
	// Hints, if not nil, returns the node of a plan that sequent i is, nil if nobody has
	// hints for it.
	Hints func(i int) *derive.Node

	beside *[]string // see Outcome.Beside
}

// tell tells of the faults of an outcome, and what it is about.
func (o Options) tell(about string, outcome Outcome) {
	if o.Faulted == nil {
		return
	}
	for _, why := range append(outcome.Beside, outcome.Fault) {
		if why != "" {
			o.Faulted(about + why)
		}
	}
}

// lose notes what an error of this program has cost beside the verdict.
func (o Options) lose(what string) {
	if o.beside != nil {
		*o.beside = append(*o.beside, what)
	}
}

// Source is where answers come from besides the store: shards, or a cache that others fill. It is
// not trusted: every answer is checked. Its methods may be called by several goroutines.
type Source interface {
	// Answers returns the answers to question q that are here by now. It may wait for them.
	Answers(q answer.Question) []*answer.Answer
	// Arrival returns a channel that is closed when there are more of them, nil if there will be none.
	Arrival(q answer.Question) <-chan struct{}
	// Refused is told of an answer that does not count, and why.
	Refused(a *answer.Answer, why answer.Refusal)
}

// key is that of the reader. Without one only answers of this process are trusted unchecked.
func (o Options) key() *answer.Key {
	switch {
	case o.Key != nil:
		return o.Key
	case o.Store != nil:
		return o.Store.key
	}
	return answer.ProcessKey()
}

func (o Options) found(a *answer.Answer) {
	if o.Found != nil {
		o.Found(a)
	}
}

// Outcome is what became of one sequent.
type Outcome struct {
	Verdict        Verdict
	Steps          int64                  // of the search that found the proof, or gave up
	Uncounted      bool                   // Steps is unknown: no holder of the reader's key has counted them
	Certificate    string                 // "sha256:…"; "" if there is none
	Used           []int                  // hypotheses the proof needs, ascending
	UsedWD         []int                  // hypotheses whose well-definedness the proof needs
	Committed      bool                   // by a committed certificate, or one that has to be committed: see RunToCommit
	Uncertified    int                    // proofs of the search that the kernel refused: defects
	Counterexample *refute.Counterexample // of a refuted sequent
	Rests          kernel.Result          // what the proof rests on; its hypotheses are numbered by the core
	Hints          string                 // what became of the hints for it, see HintsNeeded; "" if there are none
	Fault          string                 // why there is no verdict, if an error of this program is the reason
	Beside         []string               // errors of this program that have cost time, but not the verdict
	Elapsed        time.Duration

	proof *certificate
	print text.Fingerprint // of the sequent, where there is a lock; none after a fault
}

// About is the outcome as one of obligation p: a path of a program that is not possible is
// no dead event, so that what the path has to satisfy is proved.
func (o Outcome) About(p *po.Obligation) Outcome {
	if o.Verdict == Vacuous && p.Event != nil && p.Event.Path {
		o.Verdict = Proved
	}
	return o
}

// LockLine is one obligation of a lock.
type LockLine struct {
	Obligation  string // component/name
	Fingerprint string // of the sequent, see ShortFingerprint
	Verdict     Verdict
	Steps       int64
	Used        []string // labels of the hypotheses that the proof needs, in their order
}
