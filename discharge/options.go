package discharge

import (
	"context"
	"time"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/prover/derive"
	"github.com/gradine/gradine/prover/refute"
)

// Options say how hard to try. The zero value proves with the default budget on
// all cores and stores nothing.
type Options struct {
	Steps   int64 // budget of a search; 0 for the prover's default
	Workers int   // 0 for all cores; has no influence on the result
	Store   *proofstore.Store
	// Sources are asked for answers that the store does not have.
	Sources []Source
	// Ahead is the number of questions that may wait for Sources while others are searched here:
	// for sources that let others search. It does not influence the result.
	Ahead int
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
	Committed *proofstore.Certificates
	// Known are certificates of any sequents that count before any search, too: those of an
	// earlier round, whose sequents had more hypotheses, or fewer.
	Known  *proofstore.Certificates
	Replay bool             // check committed certificates, search nothing
	Lock   *proofstore.Lock // what is recorded of the obligations, see Lock.Recorded; nothing rests on it
	// Unrecorded: what is recorded of the obligations is not looked up.
	Unrecorded bool
	// RefuteSteps is the budget of a search for a counterexample; 0 for none.
	RefuteSteps int
	// Short is what a search spends before it looks for a counterexample; 0 for a twentieth of Steps.
	Short      int64
	OnlyRefute bool // look for counterexamples, prove nothing
	// Within, if not nil, ends searches early. What a search of Steps would have found by then is
	// found: the answers of either are those of the other.
	Within *Within
	// Purse, if not nil, is shared by the searches of a run, and of the runs that have it one after the other: each has some
	// thousand steps first, and then its share of what is left, if that is less than Steps. See Outcome.Brief.
	Purse *Purse
	// Faulted, if not nil, is told of each fault: who asks for verdicts may pass it over.
	Faulted func(why string)
	// Guesses, if not nil, returns the guesses for sequent i, nil if there are none.
	Guesses func(i int) *Guesses
	// Hints, if not nil, returns the node of a plan that sequent i is, nil if no plan has
	// hints for it.
	Hints func(i int) *derive.Node

	guesses *Guesses  // of one sequent
	beside  *[]string // see Outcome.Beside
	slots   *slots    // of a run that looks ahead
	waited  *time.Duration
	asked   *answer.Digest // question of the search that this one is the beginning of, whose proofs are those of that one
}

// Guesses are models that may be counterexamples to one sequent. They are asked for once a short search has found none, and
// count if evaluator and kernel confirm them.
type Guesses struct {
	// On is the digest of everything that they follow from: it is part of the question, as the answer depends on them.
	On answer.Digest
	// Models returns them. Guesses with the same digest are the same, unless ctx has ended.
	Models func(ctx context.Context) []Guess
}

// Guess is a model that may be a counterexample, with certificates of the conditions that are not evaluated.
type Guess struct {
	Model  *eval.Model
	Claims []refute.Claim
}

// Within is where searches end.
type Within struct {
	Steps  int64 // for a proof
	Refute int   // for a counterexample, once these are spent; 0 for none
}

// Tell tells of the faults of an outcome, and what it is about.
func (o Options) Tell(about string, outcome verdict.Outcome) {
	if o.Faulted == nil {
		return
	}
	for _, why := range append(outcome.Beside, outcome.Fault) {
		if why != "" {
			o.Faulted(about + why)
		}
	}
}

// lose notes what an error of this program has cost in addition to the verdict.
func (o Options) lose(what string) {
	if o.beside != nil {
		*o.beside = append(*o.beside, what)
	}
}

// Source is where answers come from in addition to the proof cache: shards, or a cache that others fill. It is
// not trusted: every answer is checked. Its methods may be called by several goroutines.
type Source interface {
	// Answers returns the answers to question q that are here by now. It may wait for them.
	Answers(q answer.Question) []*answer.Answer
	// Arrival returns a channel that is closed when there are more of them, nil if there will be none.
	Arrival(q answer.Question) <-chan struct{}
	// Searching is told that the search for q begins here.
	Searching(q answer.Digest)
	// Refused is told of an answer that does not count, and why.
	Refused(a *answer.Answer, why answer.Refusal)
}

// key is that of the reader. Without one only answers of this process are trusted unchecked.
func (o Options) key() *answer.Key {
	switch {
	case o.Key != nil:
		return o.Key
	case o.Store != nil:
		return o.Store.Key()
	}
	return answer.ProcessKey()
}

func (o Options) found(a *answer.Answer) {
	if o.Found != nil {
		o.Found(a)
	}
}
