package discharge_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/logic"
)

func key(t *testing.T, secret string) *answer.Key {
	t.Helper()
	k, err := answer.NewKey(strings.Repeat(secret, answer.MinKey))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// stored reads the answers of a store, by file.
func stored(t *testing.T, dir string) map[string]*answer.Answer {
	t.Helper()
	out := map[string]*answer.Answer{}
	for name, data := range files(t, dir) {
		_, line, _ := strings.Cut(data, "\n")
		a, err := answer.Decode([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = a
	}
	return out
}

// store writes an answer to a file as a store does, with the right checksum.
func store(t *testing.T, name string, a *answer.Answer) {
	t.Helper()
	line, err := a.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, fmt.Appendf(nil, "gradine answer 2 %x\n%s", sha256.Sum256(line), line), 0o600); err != nil {
		t.Fatal(err)
	}
}

// attacked are sequents with every verdict: the second contradicts itself, the last is open.
func attacked(t *testing.T) []logic.Sequent {
	return append(sequents(t),
		read(t, map[string]string{"n": "ℤ"}, "⊥", "n > 1", "n < 1"),
		read(t, map[string]string{"f": "ℤ↔ℤ", "g": "ℤ↔ℤ"}, "f;g = g;f", "f ∈ ℤ ⤖ ℤ", "g ∈ ℤ ⤖ ℤ", "∀x·x ∈ ℤ ⇒ f(g(x)) = g(f(x)) + f(x) − f(x)"))
}

// TestStrangers attacks a store: whatever others put into it, the answers are those without a
// store, steps included.
func TestStrangers(t *testing.T) {
	opts := discharge.Options{Steps: 5000}
	list := attacked(t)
	want := outcomes(t, list, opts)
	if !strings.HasPrefix(want[4], "open") || !strings.HasPrefix(want[3], "vacuous") {
		t.Fatal(want)
	}
	mine, theirs := key(t, "a"), key(t, "b")
	open := &answer.Answer{Verdict: "open", Steps: 7}
	for name, attack := range map[string]func(file string, a *answer.Answer, all map[string]*answer.Answer){
		"open without a digest": func(file string, a *answer.Answer, _ map[string]*answer.Answer) {
			x := *open
			x.Question = a.Question
			store(t, file, &x)
		},
		"open with the digest of the proof": func(file string, a *answer.Answer, _ map[string]*answer.Answer) {
			x := *open
			x.Question, x.MAC = a.Question, a.MAC
			store(t, file, &x)
		},
		"open under the key of another user": func(file string, a *answer.Answer, _ map[string]*answer.Answer) {
			x := *open
			x.Question = a.Question
			x.Sign(theirs)
			store(t, file, &x)
		},
		"open of another question": func(file string, a *answer.Answer, all map[string]*answer.Answer) {
			for _, x := range all {
				if x.Verdict == "open" {
					store(t, file, x)
				}
			}
		},
		"open of another question, renamed": func(file string, a *answer.Answer, all map[string]*answer.Answer) {
			for _, x := range all {
				if x.Verdict == "open" {
					renamed := *x
					renamed.Question = a.Question
					store(t, file, &renamed)
				}
			}
		},
		"other steps": func(file string, a *answer.Answer, _ map[string]*answer.Answer) {
			a.Steps++
			store(t, file, a)
		},
		"other end": func(file string, a *answer.Answer, _ map[string]*answer.Answer) {
			a.End = map[string]string{"budget": "exhausted", "exhausted": "budget"}[a.End]
			store(t, file, a)
		},
		"an end that there is not": func(file string, a *answer.Answer, _ map[string]*answer.Answer) {
			a.End = "certain"
			a.Sign(mine)
			store(t, file, a)
		},
		"other verdict": func(file string, a *answer.Answer, _ map[string]*answer.Answer) {
			a.Verdict = map[string]string{"proved": "vacuous", "vacuous": "proved", "refuted": "proved", "open": "proved"}[a.Verdict]
			store(t, file, a)
		},
		"everything under the key of another user": func(file string, a *answer.Answer, _ map[string]*answer.Answer) {
			a.Sign(theirs)
			store(t, file, a)
		},
		"cut": func(file string, a *answer.Answer, _ map[string]*answer.Answer) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, data[:len(data)-1], 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"a certificate cut": func(file string, a *answer.Answer, _ map[string]*answer.Answer) {
			a.Certificate = a.Certificate[:len(a.Certificate)/2]
			a.Counterexample = nil
			store(t, file, a)
		},
	} {
		dir := t.TempDir()
		mineOpts := opts
		mineOpts.Store = proofstore.OpenStore(dir).WithKey(mine)
		outcomes(t, list, mineOpts)
		all := stored(t, dir)
		if len(all) != len(list) {
			t.Fatalf("%d answers", len(all))
		}
		for file, a := range all {
			if !a.Signed(mine) || a.Signed(theirs) || a.Signed(nil) {
				t.Fatalf("%s: not signed for its owner alone", a.Verdict)
			}
			copied := *a
			attack(file, &copied, all)
		}
		if d := cmp.Diff(want, outcomes(t, list, mineOpts)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestForeign takes what can be checked from a store of others: verdicts, certificates and
// counterexamples are the same, steps are unknown, and what is open is searched again.
func TestForeign(t *testing.T) {
	opts := discharge.Options{Steps: 5000}
	list := attacked(t)
	want := run(t, list, opts)
	dir := t.TempDir()
	theirs := opts
	theirs.Store = proofstore.OpenStore(dir).WithKey(key(t, "b"))
	run(t, list, theirs)
	for _, a := range stored(t, dir) {
		if a.Verdict == "open" {
			forged := *a
			forged.Steps = 1
			store(t, filepath.Join(dir, a.Question.String()[:2], a.Question.String()+".answer"), &forged)
		}
	}
	mine := opts
	mine.Store, mine.Foreign = proofstore.OpenStore(dir).WithKey(key(t, "a")), true
	for range 2 {
		for i, o := range run(t, list, mine) {
			w := want[i]
			if o.Verdict != w.Verdict || o.Certificate != w.Certificate || !slices.Equal(o.Used, w.Used) {
				t.Errorf("%d: %s %s, want %s %s", i, o.Verdict, o.Certificate, w.Verdict, w.Certificate)
			}
			if open := w.Verdict == verdict.Open; o.Uncounted == open || open && o.Steps != w.Steps || !open && o.Steps != 0 {
				t.Errorf("%d: %s in %d steps, uncounted %t; a search takes %d", i, o.Verdict, o.Steps, o.Uncounted, w.Steps)
			}
		}
	}
}

// TestAnswerBytes: every bit of a signed answer is under its digest, and no changed line decodes
// to a signed answer.
func TestAnswerBytes(t *testing.T) {
	dir := t.TempDir()
	k := key(t, "a")
	run(t, attacked(t), discharge.Options{Steps: 5000, Store: proofstore.OpenStore(dir).WithKey(k)})
	all := stored(t, dir)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		line, err := all[name].Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := answer.Decode(line)
		if err != nil || !again.Signed(k) {
			t.Fatalf("%v: not signed when read again", err)
		}
		for i := range line {
			spoilt := slices.Clone(line)
			spoilt[i] ^= 1
			a, err := answer.Decode(spoilt)
			if err != nil || !a.Signed(k) {
				continue
			}
			if x, err := a.Encode(); err != nil || !bytes.Equal(x, line) {
				t.Errorf("byte %d changed, and still signed: %s", i, spoilt)
			}
		}
	}
}
