package recheck_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/kernel"
	"github.com/gradine/gradine/prover/recheck"
)

// lemmas returns the certificates of the kernel's lemmas, unchecked.
func lemmas(t testing.TB) map[string][]byte {
	files, err := filepath.Glob("../kernel/lemmas/*.cert")
	if err != nil || len(files) == 0 {
		t.Fatal("no lemmas: ", err)
	}
	out := map[string][]byte{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(f), ".cert")] = text
	}
	return out
}

func TestLemmas(t *testing.T) {
	library := recheck.NewLibrary(lemmas(t))
	for _, name := range library.Lemmas() {
		if err := library.Lemma(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// both asks the kernel and the second checker about a certificate for s, and reports whether
// they accept it. They must agree, also on what it uses.
func both(t *testing.T, library *recheck.Library, s logic.Sequent, text string) bool {
	t.Helper()
	s = s.Bare()
	res, err := kernel.Result{}, error(nil)
	if proof, bad := kernel.Decode(s.Bank, []byte(text)); bad != nil {
		err = bad
	} else {
		res, err = kernel.Check(s, proof)
	}
	again, err2 := library.Check(append(cert.EncodeSequent(s, "x", "proved"), text...))
	if (err == nil) != (err2 == nil) {
		t.Errorf("the kernel says %v, the second checker %v, of\n%s%s", err, err2, cert.EncodeSequent(s, "x", "proved"), text)
		return false
	}
	if err != nil {
		return false
	}
	used := make([]bool, len(s.Hyps))
	for _, i := range append(res.Hyps, res.WDs...) {
		used[i] = true
	}
	for i, u := range used {
		if again.Hyps[i] != u || again.Vacuous != res.Vacuous() {
			t.Errorf("the checkers do not agree on what is used by\n%s", text)
			break
		}
	}
	return true
}

// words are words of certificates, to put into others.
func words() []string {
	out := []string{"Z", "B", "P", ":", "-1"}
	for op := logic.True; op < logic.NumOps; op++ {
		out = append(out, op.String())
	}
	for k := kernel.Hyp; k <= kernel.Rup; k++ {
		out = append(out, k.String())
	}
	for _, s := range kernel.Axioms() {
		out = append(out, s.Name)
	}
	return append(out, kernel.Lemmas()...)
}

// record is one sequent of the reference data.
type record struct {
	Types    map[string]string `json:"types"`
	Hyps     []string          `json:"hyps"`
	Selected []int             `json:"selected"`
	Goal     string            `json:"goal"`
}

var (
	changesSeed = flag.Uint64("recheck.seed", 3, "seed of the changes of certificates")
	searchSteps = flag.Int64("recheck.steps", 300_000, "budget of the search for one certificate")
)

// The checkers agree on certificates that the search finds for obligations that people wrote,
// and on many that are changed in a place or two. With GRADINE_SWEEP set, these are all
// obligations and 100,000 changes:
//
//	GRADINE_SWEEP=1 go test ./prover/recheck -run Certificates -v -timeout 1h -recheck.seed=7 -recheck.steps=20000000
func TestCertificates(t *testing.T) {
	mutants := corpus.Effort(30, 50, 25)
	library := recheck.NewLibrary(lemmas(t))
	extra := words()
	r := rand.New(rand.NewPCG(*changesSeed, 4))
	certificates, changed, accepted := 0, 0, 0
	for n, rec := range corpus.Lines[record](t, "rodin-dev.sequents.jsonl.gz", corpus.Effort(200, 120, 1)) {
		s, err := (&check.Reader{}).Sequent(rec.Types, rec.Hyps, rec.Selected, rec.Goal)
		if err != nil {
			continue
		}
		found := prover.Prove(s, prover.Options{Steps: *searchSteps})
		if found.Proof == nil {
			continue
		}
		text := string(cert.Encode(found.Sequent.Bank, found.Proof))
		if certificates++; certificates%500 == 0 {
			t.Logf("%d certificates, %d changed ones", certificates, changed)
		}
		if !both(t, library, found.Sequent, text) {
			t.Errorf("line %d: a certificate is refused", n)
		}
		for range mutants {
			mutant, _ := random.Certificate(r, text, extra...)
			changed++
			if both(t, library, found.Sequent, mutant) {
				accepted++
			}
		}
	}
	t.Logf("%d certificates; %d changed ones, of which %d still prove what they should", certificates, changed, accepted)
}

// The axioms of both checkers state the same clauses, whatever they are about: what the kernel
// makes of an axiom contradicts the negation of it in the second checker.
func TestAxioms(t *testing.T) {
	library := recheck.NewLibrary(lemmas(t))
	r := rand.New(rand.NewPCG(5, 6))
	for _, schema := range kernel.Axioms() {
		for range corpus.Effort(5, 12, 500) {
			b := logic.NewBank()
			args := cert.Sample(b, schema)
			by := map[logic.Term]logic.Term{}
			for _, id := range b.FreeIdents(args...) {
				if r.IntN(2) == 0 {
					by[id] = random.NewFormulas(b, r).Expr(b.Type(id), r.IntN(3))
				}
			}
			for i, a := range args {
				args[i] = b.Bare(b.Subst(a, by))
			}
			clauses, err := schema.Clauses(b, args...)
			if err != nil {
				t.Fatalf("%s: %v", schema.Name, err)
			}
			for k, c := range clauses {
				s := logic.Sequent{Bank: b, Goal: b.App(logic.False)}
				p := &kernel.Proof{}
				var from []int
				for i, l := range c {
					h := l.Atom()
					if !l.Negated() {
						h = b.Not(h)
					}
					s.Hyps = append(s.Hyps, h)
					from = append(from, p.Add(kernel.Step{Kind: kernel.Hyp, Index: i}))
				}
				from = append(from, p.Add(kernel.Step{Kind: kernel.Axiom, Name: schema.Name, Index: k, Terms: args}))
				p.Add(kernel.Step{Kind: kernel.Rup, From: from})
				if !both(t, library, s, string(cert.Encode(b, p))) {
					t.Fatalf("%s, clause %d: the checkers do not state the same", schema.Name, k)
				}
			}
		}
	}
}

// The second checker computes the condition D that the kernel computes, of random formulas.
func TestConditions(t *testing.T) {
	library := recheck.NewLibrary(lemmas(t))
	r := rand.New(rand.NewPCG(7, 8))
	for range corpus.Effort(300, 1000, 100_000) {
		b := logic.NewBank()
		f := random.NewFormulas(b, r)
		s := logic.Sequent{Bank: b, Goal: b.Bare(f.Pred(3))}
		s.Hyps = []logic.Term{b.Not(b.Bare(b.D(s.Goal))), b.Bare(f.Pred(3))}
		s.Hyps = append(s.Hyps, b.Not(b.Bare(b.D(s.Hyps[1]))))
		p := &kernel.Proof{}
		steps := []kernel.Step{{Kind: kernel.Hyp}, {Kind: kernel.WDGoal}}
		if r.IntN(2) == 0 {
			steps = []kernel.Step{{Kind: kernel.WD, Index: 1}, {Kind: kernel.Hyp, Index: 2}}
		}
		for _, step := range steps {
			p.Add(step)
		}
		p.Add(kernel.Step{Kind: kernel.Rup, From: []int{0, 1}})
		if !both(t, library, s, string(cert.Encode(b, p))) {
			t.Fatal("the checkers do not state the same condition")
		}
	}
}

// What is not a sequent, or not a proof, is refused.
func TestRefused(t *testing.T) {
	library := recheck.NewLibrary(map[string][]byte{"self": []byte("gradine certificate 1\nterms\nfalse\nsteps\nlemma self 0\nend\n")})
	head := "gradine sequent 1\nobligation \"x\"\nverdict proved\nterms\nfalse\ntrue\nint 1\nbound 0 Z\nle 3 2\n"
	tail := "gradine certificate 1\nterms\nfalse\nsteps\nlemma self 0\nend\n"
	for name, text := range map[string]string{
		"empty":          "",
		"no goal":        head + "sequent\nend\n" + tail,
		"two goals":      head + "sequent\ngoal 0\ngoal 0\nend\n" + tail,
		"number as goal": head + "sequent\ngoal 2\nend\n" + tail,
		"open goal":      head + "sequent\ngoal 4\nend\n" + tail,
		"no certificate": head + "sequent\ngoal 0\nend\n",
		"circular lemma": head + "sequent\ngoal 0\nend\n" + tail,
		"not proved":     head + "sequent\nhyp 1\ngoal 0\nend\n" + strings.Replace(tail, "lemma self 0", "hyp 0", 1),
	} {
		if _, err := library.Check([]byte(text)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if library.Lemma("self") == nil || library.Lemma("other") == nil {
		t.Error("a lemma that rests on itself, or that there is not, is accepted")
	}
	if !slices.Equal(library.Lemmas(), []string{"self"}) {
		t.Error("names of lemmas")
	}
}
