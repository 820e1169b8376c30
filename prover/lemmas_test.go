package prover_test

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/internal/search"
	"github.com/gradine/gradine/prover/kernel"
)

var updateLemmas = flag.Bool("update-lemmas", false, "prove the lemmas of testdata/lemmas.txt and write their certificates; repeat until nothing changes, as lemmas use others")

// lemmaSource is one entry of testdata/lemmas.txt.
type lemmaSource struct {
	name, statement string
	types           map[string]string
	hints           []string
}

func readLemmas(t *testing.T) []lemmaSource {
	data, err := os.ReadFile("testdata/lemmas.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []lemmaSource
	// The file has no private characters; formulas are read in Rodin's notation.
	for _, line := range strings.Split(strings.ReplaceAll(string(data), "<+", "\ue103"), "\n") {
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case !strings.HasPrefix(line, " "):
			f := strings.Fields(line)
			l := lemmaSource{name: f[0], types: map[string]string{}}
			for _, p := range f[1:] {
				name, typ, _ := strings.Cut(p, ":")
				l.types[name] = typ
			}
			out = append(out, l)
		case out[len(out)-1].statement == "":
			out[len(out)-1].statement = strings.TrimSpace(line)
		default:
			out[len(out)-1].hints = append(out[len(out)-1].hints, strings.TrimSpace(line))
		}
	}
	return out
}

// prove proves the lemma again, and returns its certificate.
func (l lemmaSource) prove(t *testing.T, only map[string]bool) ([]byte, bool) {
	r := &check.Reader{}
	b := logic.NewBank()
	env, err := r.Env(b, l.types)
	if err != nil {
		t.Fatalf("%s: %v", l.name, err)
	}
	term := func(text string) logic.Term {
		u, err := r.Predicate(b, env, text)
		if err != nil {
			u, err2 := r.Predicate(b, env, "("+text+")=("+text+")")
			if err2 != nil {
				t.Fatalf("%s: %v", l.name, err)
			}
			return b.Bare(b.Arg(u, 0))
		}
		return b.Bare(u)
	}
	s := logic.Sequent{Bank: b, Goal: term(l.statement)}
	opts := search.Options{Only: only, Direction: search.Direction{Enumerate: true, Start: 1}}
	for _, h := range l.hints {
		name, args, _ := strings.Cut(h, " ")
		if name == "using" {
			opts.Only = map[string]bool{}
			for _, l := range strings.Fields(args) {
				opts.Only[l] = only[l]
			}
			continue
		}
		step := kernel.Step{Kind: kernel.Axiom, Name: name}
		for _, a := range strings.FieldsFunc(args, func(r rune) bool { return r == ';' }) {
			step.Terms = append(step.Terms, term(strings.TrimSpace(a)))
		}
		schema := kernel.Lookup(name)
		if schema == nil {
			l, err := kernel.FindLemma(name)
			if err != nil {
				t.Logf("hint: %v", err)
				continue
			}
			schema, step.Kind = &l.Schema, kernel.Lemma
		}
		cs, err := schema.Clauses(b, step.Terms...)
		if err != nil {
			t.Fatalf("%s: hint: %v", l.name, err)
		}
		for i := range cs {
			step.Index = i
			opts.Axioms = append(opts.Axioms, step)
		}
	}
	var out search.Outcome
	for opts.Gens = 0; opts.Gens < 5 && out.Proof == nil; opts.Gens++ {
		opts.Steps = 500_000
		out = search.Refute(s, opts)
	}
	if out.Proof == nil {
		t.Logf("%s: no proof (saturated %v, %+v)\n%s", l.name, out.Saturated, out.Counters, literals(b, out.Model))
		return nil, false
	}
	if _, err := kernel.Check(s, out.Proof); err != nil {
		t.Errorf("%s: %v", l.name, err)
		return nil, false
	}
	return cert.EncodeLemma(b, s.Goal, out.Proof), true
}

// TestLemmas checks that the library consists of the lemmas of the source, each
// with a certificate that the kernel accepts.
func TestLemmas(t *testing.T) {
	known := map[string]bool{}
	for _, l := range readLemmas(t) {
		earlier := maps.Clone(known)
		known[l.name] = true
		file := filepath.Join("kernel", "lemmas", l.name+".cert")
		if *updateLemmas {
			if _, err := kernel.FindLemma(l.name); err == nil {
				continue
			}
			if text, ok := l.prove(t, earlier); ok {
				t.Logf("%s: proved, %d bytes", l.name, len(text))
				if err := os.WriteFile(file, text, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			continue
		}
		if _, err := kernel.FindLemma(l.name); err != nil {
			t.Errorf("%s: %v", l.name, err)
		}
	}
	for _, name := range kernel.Lemmas() {
		if !known[name] {
			t.Errorf("lemma %s has no source", name)
		}
	}
}
