package prover_test

import (
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/kernel"
)

var (
	certificates     = flag.Int("certificates.n", 60, "number of proved sequents whose certificates are tried on false ones")
	certificatesEach = flag.Int("certificates.each", 30, "number of false sequents, changed proofs and changed texts for each")
	certificatesSeed = flag.Uint64("certificates.seed", 1, "seed of what is made")
)

// theorems makes sequents of which many can be proved: instances of schemata and lemmas, and
// sequents of the reference data, where it is there.
func theorems(t *testing.T) []func(r *rand.Rand) (logic.Sequent, bool) {
	out := []func(r *rand.Rand) (logic.Sequent, bool){
		func(r *rand.Rand) (logic.Sequent, bool) {
			return random.Theorem(logic.NewBank(), r), true
		},
		func(r *rand.Rand) (logic.Sequent, bool) {
			return read(t, &check.Reader{}, traps[r.IntN(len(traps))])
		},
		func(*rand.Rand) (logic.Sequent, bool) { // by what a hypothesis needs to have a value
			s, err := check.ReadSequent(map[string]string{"f": "ℙ(ℤ×ℤ)", "x": "ℤ", "y": "ℤ"}, []string{"f(x)=y"}, nil, "x∈dom(f)")
			return s, err == nil
		},
		func(*rand.Rand) (logic.Sequent, bool) { // by what the goal needs to have a value
			s, err := check.ReadSequent(map[string]string{"f": "ℙ(ℤ×ℤ)", "x": "ℤ", "y": "ℤ"}, nil, nil, "f(x)=y⇒x∈dom(f)")
			return s, err == nil
		},
	}
	t.Run("reference data", func(t *testing.T) {
		for _, file := range []string{"rodin-dev.sequents", "conformance/sequents"} {
			rs := readRecords(t, file+".jsonl.gz")
			out = append(out, func(r *rand.Rand) (logic.Sequent, bool) { return read(t, &check.Reader{}, rs[r.IntN(len(rs))]) })
		}
	})
	return out
}

// trial is a sequent with a proof, from which other sequents, proofs and certificates are made.
type trial struct {
	logic.Sequent
	proof *kernel.Proof
	r     *rand.Rand
	*counts
}

// counts say what became of trials.
type counts struct {
	onFalse                      int // false sequents on which the certificate was tried
	alike, alikeFalse, alikeKept int // sequent and proof changed alike: all, those made false, those accepted
	texts, textsKept             int // changed texts: all, those accepted
}

// refuted returns a random model that refutes s, or nil.
func refuted(r *rand.Rand, s logic.Sequent, tries int) *eval.Model {
	all := append(slices.Clone(s.Hyps), s.Goal)
	for range tries {
		if m := random.Model(s.Bank, r, all...); random.Refutes(s, m) {
			return m
		}
	}
	return nil
}

// accepts reports whether the certificate text proves s, and what it uses.
func accepts(s logic.Sequent, text string) (kernel.Result, bool) {
	s = s.Bare()
	p, err := kernel.Decode(s.Bank, []byte(text))
	if err != nil {
		return kernel.Result{}, false
	}
	res, err := kernel.Check(s, p)
	return res, err == nil
}

// tryFalse tries the certificate, as it is and changed, on changed sequents that are false.
func (c trial) tryFalse(t *testing.T, text string, extra []string) {
	f := changed(c.r, c.Sequent)
	m := refuted(c.r, f.Sequent, 10)
	if f.changes == nil || m == nil {
		return
	}
	c.onFalse++
	mutant, _ := random.Certificate(c.r, text, extra...)
	for _, text := range []string{text, mutant} {
		if _, ok := accepts(f.Sequent, text); ok {
			model, _ := m.MarshalJSON()
			t.Errorf("accepted, but refuted by %s\n%s\n%s", model, print(f.Sequent), text)
		}
	}
}

// tryAlike makes the same change everywhere in sequent and proof.
func (c trial) tryAlike(t *testing.T) {
	change, from, to := random.Everywhere(c.Bank, c.r, append(slices.Clone(c.Hyps), c.Goal)...)
	if from == 0 {
		return
	}
	s := logic.Sequent{Bank: c.Bank, Goal: change(c.Goal)}
	for _, h := range c.Hyps {
		s.Hyps = append(s.Hyps, change(h))
	}
	var p kernel.Proof
	for _, step := range c.proof.Steps {
		step.Terms, step.Clause = slices.Clone(step.Terms), slices.Clone(step.Clause)
		for i, u := range step.Terms {
			step.Terms[i] = change(u)
		}
		for i, l := range step.Clause {
			if step.Clause[i] = kernel.Pos(change(l.Atom())); l.Negated() {
				step.Clause[i] = kernel.Neg(change(l.Atom()))
			}
		}
		name := strings.ReplaceAll(step.Name, c.Bank.Op(from).String(), c.Bank.Op(to).String())
		if kernel.Lookup(name) != nil {
			step.Name = name
		}
		p.Add(step)
	}
	c.alike++
	_, err := kernel.Check(s, &p)
	if err == nil {
		c.alikeKept++
	}
	if m := refuted(c.r, s, 10); m != nil {
		c.alikeFalse++
		if err == nil {
			model, _ := m.MarshalJSON()
			t.Errorf("accepted, but refuted by %s\n%s\n%s", model, print(s), cert.Encode(c.Bank, &p))
		}
	}
}

// tryText tries the changed certificate on the sequent itself: what it is then said to use must suffice.
func (c trial) tryText(t *testing.T, text string, extra []string) {
	mutant, _ := random.Certificate(c.r, text, extra...)
	c.texts++
	res, ok := accepts(c.Sequent, mutant)
	if !ok || mutant == text {
		return
	}
	c.textsKept++
	b := c.Bank
	s := logic.Sequent{Bank: b, Goal: b.App(logic.False)}
	if res.Goal {
		s.Goal = c.Goal
	}
	for _, i := range res.Hyps {
		s.Hyps = append(s.Hyps, c.Hyps[i])
	}
	for _, i := range res.WDs {
		s.Hyps = append(s.Hyps, b.Bare(b.D(c.Hyps[i])))
	}
	if res.WDGoal {
		s.Hyps = append(s.Hyps, b.Bare(b.D(c.Goal)))
	}
	if m := refuted(c.r, s, 20); m != nil {
		model, _ := m.MarshalJSON()
		t.Errorf("accepted, but what it uses is refuted by %s\n%s\n%s", model, print(s), mutant)
	}
}

// TestCertificatesOfOthers tries the certificates that the search writes on sequents for which they were
// not made, and changed certificates on these and their own: the kernel accepts none for a
// false sequent.
func TestCertificatesOfOthers(t *testing.T) {
	var extra []string
	for _, s := range kernel.Axioms() {
		extra = append(extra, s.Name)
	}
	extra = append(extra, kernel.Lemmas()...)
	var all counts
	kinds := map[string]int{}
	sources := theorems(t)
	wanted, each := *certificates, *certificatesEach
	wanted, each = corpus.Effort(min(wanted, 40), wanted, max(wanted, 120)), corpus.Effort(min(each, 15), each, max(each, 40))
	proofs := 0
	for i := 0; proofs < wanted; i++ {
		r := rand.New(rand.NewPCG(*certificatesSeed, uint64(i)))
		s, ok := sources[i%len(sources)](r)
		if !ok {
			continue
		}
		res := prover.Prove(s, prover.Options{Steps: 100_000})
		if res.Verdict == prover.Open {
			continue
		}
		proofs++
		for _, step := range res.Proof.Steps {
			kinds[step.Kind.String()]++
		}
		c := trial{Sequent: res.Sequent, proof: res.Proof, r: r, counts: &all}
		text := string(cert.Encode(c.Bank, c.proof))
		for range each {
			c.tryFalse(t, text, extra)
			c.tryAlike(t)
			c.tryText(t, text, extra)
		}
	}
	t.Logf("%d proofs; tried on %d false sequents; changed along with the sequent: %d, %d of them false, %d accepted; changed text: %d, %d accepted",
		proofs, all.onFalse, all.alike, all.alikeFalse, all.alikeKept, all.texts, all.textsKept)
	t.Logf("steps: %v", kinds)
	for k := kernel.Hyp; k <= kernel.Rup; k++ {
		if kinds[k.String()] == 0 && k != kernel.Subst {
			t.Errorf("no proof has a step %v", k)
		}
	}
	if all.onFalse == 0 || all.alikeFalse == 0 || all.alikeKept == 0 {
		t.Error("some kind of trial never happened")
	}
}
