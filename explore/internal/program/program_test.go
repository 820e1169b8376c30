package program_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/sample"
	"github.com/gradine/gradine/logic"
)

const counter = `machine counter
variables n s
invariants
  @type n ∈ ℕ
  @set s ⊆ 1‥3
  @free ∃k·k > n
events
  event INITIALISATION then @n n ≔ 0 @s s ≔ ∅ end
  event add any k where @k k ∈ 1‥2 @most n + k ≤ 3 then @n n ≔ n + k @s s ≔ s ∪ {n + k} end
  event guess then @n n :∈ {0, n} end
  event reset when @some s ≠ ∅ then @both n, s :∣ n' = card(s) ∧ s' ⊆ s ∧ s' ≠ s ∧ 1 ∉ s' end
end`

// An event visits each of its after-states with the parameters that lead there.
func TestSteps(t *testing.T) {
	p := sample.Program(t, counter)
	if got := fmt.Sprint(sample.Steps(p, p.Init, nil), p.Width, p.Unchecked); got != "[INITIALISATION() n=0 s=∅] 16 [free: no bound for k in ∃k·k > n; an upper bound such as k ≤ 9 would bound it]" {
		t.Error(got)
	}
	for _, c := range []struct{ state, event, want string }{
		{"n=0 s=∅", "add", "add(1) n=1 s={1}; add(2) n=2 s={2}"},
		{"n=2 s={2}", "add", "add(1) n=3 s={2, 3}"},
		{"n=3 s={2, 3}", "add", ""},
		{"n=0 s=∅", "reset", ""},
		{"n=3 s={2, 3}", "guess", "guess() n=0 s={2, 3}; guess() n=3 s={2, 3}"},
		{"n=3 s={1, 3}", "reset", "reset() n=2 s={3}; reset() n=2 s=∅"},
	} {
		steps := sample.Steps(p, sample.Event(t, p, c.event), sample.Find(t, p, c.state))
		if got := strings.Join(steps, "; "); got != c.want {
			t.Errorf("%s from %s: %q, want %q", c.event, c.state, got, c.want)
		}
	}
}

// A machine without initialisation begins anywhere; what the integers of it may be must be
// bounded.
func TestAnywhere(t *testing.T) {
	p := sample.Program(t, "machine any\nvariables b\ninvariants @b b ∈ BOOL\nevents\n  event flip then @b b ≔ bool(b = FALSE) end\nend")
	if got := strings.Join(sample.Steps(p, p.Init, nil), ";"); got != "INITIALISATION() b=FALSE;INITIALISATION() b=TRUE" {
		t.Error(got)
	}
}

const refined = `machine abs
variables n
invariants @n n ∈ 0‥4
events
  event INITIALISATION then @n n ≔ 0 end
  event inc any k where @k k ∈ 1‥2 @m n + k ≤ 4 then @n n ≔ n + k end
end

machine con refines abs
variables c
invariants @glue n = 2 ∗ c
events
  event INITIALISATION then @c c ≔ 0 end
  event inc refines inc when @m c < 3 with @k k = 2 then @c c ≔ c + 1 end
  event skip when @m c = 2 then @c c ≔ 1 end
end`

// A step of a refinement that no step of the abstract machine matches says so.
func TestMatching(t *testing.T) {
	p := sample.Program(t, refined)
	for _, c := range []struct{ state, event, want string }{
		{"n=0 c=0", "inc", "inc() n=2 c=1"},
		{"n=2 c=1", "inc", "inc() n=4 c=2"},
		{"n=4 c=2", "inc", "unmatched"},
		{"n=4 c=2", "skip", "skip() n=4 c=1"},
	} {
		steps := sample.Steps(p, sample.Event(t, p, c.event), sample.Find(t, p, c.state))
		if got := strings.Join(steps, "; "); got != c.want {
			t.Errorf("%s from %s: %q, want %q", c.event, c.state, got, c.want)
		}
	}
}

const clocked = `machine clocked
variables n total f s
invariants @n n ∈ 0‥3 @t total ∈ ℕ @s s ⊆ 1‥2 @f f ∈ s → ℕ
events
  event INITIALISATION then @n n ≔ 0 @t total ≔ 0 @s s ≔ ∅ @f f ≔ ∅ end
  event step when @m n < 3 then @n n ≔ n + 1 @t total ≔ total + n end
  event note any k where @k k ∈ 1‥2 @new k ∉ s then @s s ≔ s ∪ {k} @f f ≔ f {k ↦ n} end
  event look when @i 1 ∈ s @z f(1) = 0 then @n n ≔ 0 end
end`

// The cone of a goal keeps what can decide it: guards, and what is assigned to what is kept.
func TestCone(t *testing.T) {
	m, set := sample.Machine(t, strings.Replace(clocked, "f {k", "f\ue103{k", 1))
	bank := set.Bank
	by := map[string]logic.Term{}
	for _, v := range m.Variables {
		by[v.Name] = v.Term
	}
	for _, c := range []struct{ goal, keeps, forgets string }{
		{"", "n f s", "f at s"},
		{"total", "n total f s", "f at s"},
		{"f", "n f s", ""},
	} {
		var goals []logic.Term
		if c.goal != "" {
			goals = append(goals, bank.App(logic.Eq, by[c.goal], by[c.goal]))
		}
		cone := program.ConeOf(bank, m, goals)
		var kept, forgotten []string
		for _, v := range m.Variables {
			if cone.Keeps(v.Term) {
				kept = append(kept, v.Name)
			}
		}
		for _, x := range cone.Forgettable(bank, m, goals) {
			forgotten = append(forgotten, bank.Name(x.Function)+" at "+bank.Name(x.At))
		}
		if got := strings.Join(kept, " "); got != c.keeps {
			t.Errorf("%q keeps %q, want %q", c.goal, got, c.keeps)
		}
		if got := strings.Join(forgotten, ", "); got != c.forgets {
			t.Errorf("%q forgets %q, want %q", c.goal, got, c.forgets)
		}
	}
}

// What differs in one variable is hashed to what the difference of that variable says.
func TestHash(t *testing.T) {
	p := sample.Program(t, counter)
	f := p.Frame(context.Background())
	p.Unpack(f, sample.Find(t, p, "n=2 s={2}"))
	var before, after program.Hashed
	p.Hash(f, &before)
	f.Visit(p.Events[0].Fire, func(f *formula.Frame) bool {
		hash, changed := p.HashAfter(f, &before)
		state := p.Pack(nil, f)
		g := p.Frame(context.Background())
		p.Unpack(g, state)
		p.Hash(g, &after)
		p.SetAfter(g, p.Before(g))
		if whole, none := p.HashAfter(g, &after); changed != 3 || none != 0 || hash != whole {
			t.Errorf("%s: changed %b and %b, %x and %x", sample.State(p, state), changed, none, hash, whole)
		}
		return true
	})
}
