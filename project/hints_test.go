package project_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/rules"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
)

// hintedProject writes the files of an archive and opens them.
func hintedProject(t *testing.T, archive string) *project.Project {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	projects, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return projects[0]
}

// The example of each rule of hints has one problem, which has its code, a place and a next
// step. What nothing needs is known once there are proofs.
func TestRulesOfHints(t *testing.T) {
	n := 0
	for _, r := range rules.All() {
		if r.Code < "GR0950" || r.Code > "GR0959" {
			continue
		}
		n++
		p := hintedProject(t, r.Example)
		found := p.Problems.Sorted()
		all, err := p.Obligations()
		if err != nil {
			t.Fatal(err)
		}
		results, err := p.Prove(context.Background(), all, discharge.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, p.UnneededHints(results)...)
		if len(found) != 1 || found[0].Code != r.Code || found[0].Severity != r.Severity || found[0].Help == "" || found[0].Span.Line == 0 {
			t.Errorf("%s: %v", r.Code, found)
		}
		for _, x := range results {
			if x.Verdict != verdict.Proved {
				t.Errorf("%s: %s is %s", r.Code, x.Path(), x.Verdict)
			}
		}
	}
	if n != 5 {
		t.Errorf("%d rules", n)
	}
}

// The example of each rule of scenarios has one problem, with the code of the rule.
func TestRulesOfScenarios(t *testing.T) {
	n := 0
	for _, r := range rules.All() {
		if r.Code < "GR0960" || r.Code > "GR0969" || r.Example == "" {
			continue
		}
		n++
		found := hintedProject(t, r.Example).Problems.Sorted()
		if len(found) != 1 || found[0].Code != r.Code || found[0].Severity != r.Severity || found[0].Help == "" || found[0].Span.Line == 0 {
			t.Errorf("%s: %v", r.Code, found)
		}
	}
	if n != 2 {
		t.Errorf("%d rules with an example", n)
	}
}

const powers = `-- p.eventb --
context powers
constants c p
axioms
    @base c ∈ ℕ
    @type p ∈ ℕ → ℕ
    @first p(0) = 1
    @next ∀n· n ∈ ℕ ⇒ p(n + 1) = c ∗ p(n)
    theorem @sum ∀i, j· i ∈ ℕ ∧ j ∈ ℕ ⇒ p(i + j) = p(i) ∗ p(j)
end
-- p.hints --
for powers/s*m/THM
    induct j
    have c ∗ p(i + j) = c ∗ (p(i) ∗ p(j))
    have p(i + j + 1) = c ∗ p(i + j)
    have p(i) ∗ p(j + 1) = p(i) ∗ (c ∗ p(j))
`

// A hint leads to a proof of the obligation itself, its facts are obligations next to it, and
// a lock has them.
func TestHintsProve(t *testing.T) {
	p := hintedProject(t, powers)
	all, err := p.Obligations()
	if err != nil {
		t.Fatal(err)
	}
	results, err := p.Prove(context.Background(), all, discharge.Options{Steps: 3_000_000}, nil)
	if err != nil {
		t.Fatal(err)
	}
	facts := 0
	for _, x := range results {
		if x.Verdict != verdict.Proved {
			t.Errorf("%s is %s", x.Path(), x.Verdict)
		}
		if x.PartOf() != nil {
			facts++
		} else if x.Name == "sum/THM" && (x.Hints != verdict.HintsNeeded || !x.Proves(x.Sequent())) {
			t.Errorf("%+v", x.Outcome)
		}
	}
	if facts != 6 {
		t.Errorf("%d facts", facts)
	}
	if list := p.UnneededHints(results); len(list) > 0 {
		t.Error(list)
	}
	if lock := string(proofstore.NewLock(results).Encode()); !strings.Contains(lock, "powers/sum/THM/have3\t") && !strings.Contains(lock, "powers/sum/THM/have3 ") {
		t.Errorf("the lock lacks have3:\n%s", lock)
	}
}

// An edit of the hints is a change that a trial tells of.
func TestTrialOfHints(t *testing.T) {
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(powers)).Files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	trial, err := project.NewTrial(dir)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "p.eventb"))
	if err != nil {
		t.Fatal(err)
	}
	if err := trial.Put("p.eventb", []byte(strings.Replace(string(text), "p(i) ∗ p(j)", "p(i) ∗ p(j) + 1", 1))); err != nil {
		t.Fatal(err)
	}
	reviews, _, err := trial.Review(context.Background(), discharge.Options{Steps: 200_000, RefuteSteps: 100_000})
	if err != nil {
		t.Fatal(err)
	}
	fates := map[string]string{}
	for _, o := range reviews[0].Obligations {
		fates[o.Obligation().Name] = string(o.Is.Verdict)
	}
	if v := fates["sum/THM"]; v != "refuted" && v != "open" {
		t.Errorf("%v", fates)
	}
	if v := fates["type/WD"]; v != "" {
		t.Errorf("what is not touched was asked: %v", fates)
	}
}

// Hints that a rename has left behind are followed: the review says what to write.
func TestHintsAreFollowed(t *testing.T) {
	tree := func(archive string) fstest.MapFS {
		out := fstest.MapFS{}
		for _, f := range txtar.Parse([]byte(archive)).Files {
			out["m/"+f.Name] = &fstest.MapFile{Data: f.Data}
		}
		return out
	}
	was, err := project.ReadRevision(tree(powers), ".")
	if err != nil {
		t.Fatal(err)
	}
	is, err := project.ReadRevision(tree(strings.Replace(strings.Replace(powers, "@sum", "@total", 1), "powers/s*m", "powers/sum", 1)), ".")
	if err != nil {
		t.Fatal(err)
	}
	reviews, _, err := project.Review(context.Background(), was, is, discharge.Options{Steps: 3_000_000})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range reviews[0].Problems {
		if p.Code == "GR0951" && strings.Contains(p.Message, "write powers/total/THM") {
			return
		}
	}
	t.Errorf("%+v", reviews[0].Problems)
}

// A proof that a rename has cost is tried with the hints of before, under the names of now. With
// ten times the steps, the theorem would be proved without them.
func TestHintsOfBefore(t *testing.T) {
	tree := func(archive string) fstest.MapFS {
		out := fstest.MapFS{}
		for _, f := range txtar.Parse([]byte(archive)).Files {
			out["m/"+f.Name] = &fstest.MapFile{Data: f.Data}
		}
		return out
	}
	model, hints, _ := strings.Cut(powers, "-- p.hints --")
	// A constant, a bound variable and a label have other names; the hints do not know.
	renamed := strings.NewReplacer("c ∗", "base ∗", "constants c", "constants base", "c ∈", "base ∈", "∀i, j· i ∈ ℕ ∧ j ∈ ℕ ⇒ p(i + j) = p(i) ∗ p(j)", "∀i, k· i ∈ ℕ ∧ k ∈ ℕ ⇒ p(i + k) = p(i) ∗ p(k)", "@sum", "@total").Replace(model)
	was, err := project.ReadRevision(tree(powers), ".")
	if err != nil {
		t.Fatal(err)
	}
	is, err := project.ReadRevision(tree(renamed+"-- p.hints --"+hints), ".")
	if err != nil {
		t.Fatal(err)
	}
	reviews, _, err := project.Review(context.Background(), was, is, discharge.Options{Steps: 300_000})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range reviews[0].Obligations {
		if o.New == nil || o.New.Name != "total/THM" {
			continue
		}
		if o.Repair == nil {
			t.Fatalf("%s, %s: no hints of before", o.Fate, o.Is.Verdict)
		}
		want := "induct k; have base ∗ p(i + k) = base ∗ (p(i) ∗ p(k)); have p(i + k + 1) = base ∗ p(i + k); have p(i) ∗ p(k + 1) = p(i) ∗ (base ∗ p(k))"
		if got := strings.Join(o.Repair.Lines, "; "); got != want || o.Fate != "proof lost" {
			t.Errorf("%s: %s", o.Fate, got)
		}
		return
	}
	t.Error("the theorem is gone")
}

// A fact of a hint that is false is shown in the states of the event that it is about: these
// stand in another bank than the fact, whatever else is in both.
func TestWrongHint(t *testing.T) {
	for _, seen := range []string{"0‥9", "1‥k", "ℕ ∩ 0‥k"} {
		p := hintedProject(t, fmt.Sprintf(`-- m.eventb --
context c
constants k far
axioms
    @k k ∈ 7‥9
    @far far ∈ 0‥k → {k + 1, 100}
end
machine m
sees c
variables x y
invariants
    @x x ∈ 0‥k + 1
    @y y = far(0)
events
    event INITIALISATION
    then
        @x x ≔ 0
        @y y ≔ far(0)
    end
    event up
    any p
    where
        @p p ∈ %s
        @g x + p ≤ k
    then
        @x x ≔ x + 1
    end
end
-- m.hints --
for m/up/x/INV
    have x = 3 ∧ (∀z· z ∈ 0‥5 ⇒ z + x = 2)
`, seen))
		all, err := p.Obligations()
		if err != nil {
			t.Fatal(err)
		}
		facts := 0
		for _, o := range all {
			results, err := p.Prove(context.Background(), []*po.Obligation{o}, discharge.Options{Steps: 200_000, RefuteSteps: 200_000}, nil)
			if err != nil {
				t.Fatal(err)
			}
			v := explain.Lift(results[0])
			if v == nil {
				continue
			}
			facts++
			x := func(of []verdict.Binding) int {
				i := slices.IndexFunc(of, func(b verdict.Binding) bool { return b.Name == "x" })
				n, _ := strconv.Atoi(of[i].Value)
				return n
			}
			if !strings.HasPrefix(o.Name, "up/x/INV/have1") || x(v.After) != x(v.Before)+1 || len(v.Params) != 1 {
				t.Errorf("%s: %+v", o.Name, v)
			}
		}
		if facts != 1 {
			t.Errorf("%d facts are refuted", facts)
		}
	}
}
