package project_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
)

// modulus is how many values each of the two variables of a random machine has.
const modulus = 3

// valued is a state: the values of x and y. n is that of the identifier of the claim, p that of
// the parameter of an event.
type valued struct{ x, y, n, p int }

// formula is a text and what it means.
type formula[T any] struct {
	text string
	of   func(valued) T
}

// step is an event: it happens where its guard holds. It may have a parameter p of 0‥2, and a
// second value that x may get instead.
type step struct {
	guard    formula[bool]
	x, y     formula[int]
	any      bool
	or       *formula[int]
	abstract string // what it refines in a machine that is refined, if anything
}

// after returns the states behind p.
func (s step) after(p valued) (out []valued) {
	for k := range modulus {
		p.p = k
		if !s.guard.of(p) || k > 0 && !s.any {
			continue
		}
		for _, x := range []*formula[int]{&s.x, s.or} {
			if x != nil {
				out = append(out, valued{x.of(p), s.y.of(p), p.n, 0})
			}
		}
	}
	return out
}

// enabled is the guard of the event as a predicate of the state.
func (s step) enabled() formula[bool] {
	if !s.any {
		return s.guard
	}
	return formula[bool]{"∃p·p ∈ 0‥2 ∧ " + s.guard.text, func(v valued) bool { return len(s.after(v)) > 0 }}
}

func term(r *rand.Rand) formula[int] {
	k := r.IntN(modulus)
	return []formula[int]{
		{"x", func(p valued) int { return p.x }},
		{"y", func(p valued) int { return p.y }},
		{fmt.Sprint(k), func(valued) int { return k }},
		{"(x+1) mod 3", func(p valued) int { return (p.x + 1) % modulus }},
		{"(y+1) mod 3", func(p valued) int { return (p.y + 1) % modulus }},
		{"2−x", func(p valued) int { return 2 - p.x }},
	}[r.IntN(6)]
}

// termWith is a term of an event, now and then its parameter.
func termWith(r *rand.Rand, parameter bool) formula[int] {
	if parameter && r.IntN(2) == 0 {
		return formula[int]{"p", func(v valued) int { return v.p }}
	}
	return term(r)
}

// randomSteps makes the events of a machine: plain ones, or with parameters and choices, or
// those of a refinement, where some are new.
func randomSteps(r *rand.Rand) (out []step) {
	plain, refined := r.IntN(3) == 0, r.IntN(2) == 0
	for range 1 + r.IntN(3) {
		s := step{guard: condition(r, "", false), x: term(r), y: term(r)}
		if s.any = !plain && r.IntN(2) == 0; s.any {
			s.guard = condition(r, "p", false)
			s.x, s.y = termWith(r, true), termWith(r, true)
		}
		if !plain && r.IntN(3) == 0 {
			or := termWith(r, s.any)
			s.or = &or
		}
		if refined {
			if s.abstract = []string{"any_u", "any_u", "chosen_u", "any_u also", ""}[r.IntN(5)]; s.abstract == "" {
				s.x, s.or = formula[int]{"x", func(p valued) int { return p.x }}, nil
			}
		}
		out = append(out, s)
	}
	return out
}

// condition compares two terms, of which one may be the identifier of the claim or the
// parameter of the event.
func condition(r *rand.Rand, parameter string, withN bool) formula[bool] {
	a, b := term(r), termWith(r, parameter != "")
	if withN && r.IntN(3) == 0 {
		b = formula[int]{"n", func(p valued) int { return p.n }}
	}
	return []formula[bool]{
		{a.text + " < " + b.text, func(p valued) bool { return a.of(p) < b.of(p) }},
		{a.text + " = " + b.text, func(p valued) bool { return a.of(p) == b.of(p) }},
		{a.text + " ≠ " + b.text, func(p valued) bool { return a.of(p) != b.of(p) }},
		{"⊤", func(valued) bool { return true }},
	}[r.IntN(4)]
}

// claim is one about a random machine: events by number are fair weakly or strongly.
type claim struct {
	from, to     formula[bool]
	by           string
	helpful      []int
	weak, strong []int
	through      []string
}

// randomClaim makes a claim, often one that looks like those that hold.
func randomClaim(r *rand.Rand, steps []step) claim {
	out := claim{from: condition(r, "", true), to: condition(r, "", true)}
	for k := range steps {
		switch r.IntN(5) {
		case 0, 1:
			out.weak = append(out.weak, k)
		case 2, 3:
			out.strong = append(out.strong, k)
		default:
			continue
		}
		if len(out.helpful) == 0 || r.IntN(2) == 0 {
			out.helpful = append(out.helpful, k)
		}
	}
	out.by = []string{"", "2−x", "x", "y+1", "4−x−y", "(3−x)∗3+y", "x ‥ 2", "{y,3}"}[r.IntN(8)]
	return out
}

// randomClaims makes one claim, or one or two and another one through them.
func randomClaims(r *rand.Rand, steps []step) []claim {
	out := []claim{randomClaim(r, steps)}
	if r.IntN(3) > 0 {
		return out
	}
	if r.IntN(2) == 0 {
		out = append(out, randomClaim(r, steps))
	}
	last := randomClaim(r, steps)
	if r.IntN(2) == 0 {
		last.from, last.to, last.helpful = out[0].from, out[len(out)-1].to, nil
	}
	if len(last.helpful) == 0 {
		last.by = ""
	} else if r.IntN(4) > 0 {
		out[len(out)-1].to = steps[last.helpful[0]].enabled()
		out[0].from = last.from
	}
	for i, part := range out {
		last.through = append(last.through, fmt.Sprintf("c%d", i))
		for _, k := range part.strong {
			if !slices.Contains(last.strong, k) {
				last.strong = append(last.strong, k)
			}
		}
		for _, k := range part.weak {
			if !slices.Contains(last.weak, k) {
				last.weak = append(last.weak, k)
			}
		}
	}
	return append(out, last)
}

// TestLeadsTo proves random claims about random machines. What is proved holds in the
// graph of their states, where each run is looked at that is fair.
func TestLeadsTo(t *testing.T) {
	proved := map[string]int{}
	for seed := range corpus.Seeds(40, 110, 4_000) {
		r := rand.New(rand.NewPCG(uint64(seed), 31))
		steps := randomSteps(r)
		claims := randomClaims(r, steps)
		p := hintedProject(t, claimed(steps, claims))
		all, err := p.Obligations()
		if !p.Dev.Machine("m").Whole {
			t.Fatalf("%v\n%s", p.Problems.Sorted(), claimed(steps, claims))
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, claimed(steps, claims))
		}
		if !proves(slices.DeleteFunc(all, func(o *po.Obligation) bool { return o.Kind == po.WD })) {
			continue
		}
		last := claims[len(claims)-1]
		proved[fmt.Sprintf("variant %t, fair %t", last.by != "", len(last.weak) > 0)]++
		for _, s := range steps {
			for kind, is := range map[string]bool{"parameter": s.any, "choice": s.or != nil, "refined": s.abstract != "", "merged": s.abstract == "any_u also"} {
				if is {
					proved[kind]++
				}
			}
		}
		switch {
		case len(last.through) > 0 && len(last.helpful) > 0:
			proved["through, to helpful events"]++
		case len(last.through) > 0:
			proved["through"]++
		case len(last.strong) > 0:
			proved["strong"]++
		}
		for n := range modulus {
			for i, c := range claims {
				if stays := c.avoided(steps, n); stays != "" {
					t.Fatalf("seed %d, n = %d: all is proved, but of c%d %s\n%s", seed, n, i, stays, claimed(steps, claims))
				}
			}
		}
	}
	t.Logf("claims proved: %v", proved)
	for _, kind := range []string{"variant true, fair true", "variant false, fair false", "strong", "through", "through, to helpful events", "parameter", "choice", "refined", "merged"} {
		if proved[kind] == 0 && !testing.Short() {
			t.Errorf("no claim of kind %q is proved", kind)
		}
	}
}

// TestClaimsExplored explores machines with random claims: the first that some fair run
// violates is found, and no other.
func TestClaimsExplored(t *testing.T) {
	kept, violated, idle := 0, 0, 0
	for seed := range corpus.Seeds(40, 100, 4_000) {
		r := rand.New(rand.NewPCG(uint64(seed), 32))
		steps := randomSteps(r)
		claims := []claim{randomClaim(r, steps), randomClaim(r, steps)}
		wrong := -1
		for i, c := range claims {
			for n := range modulus {
				if wrong < 0 && c.avoided(steps, n) != "" {
					wrong = i
				}
			}
		}
		p := hintedProject(t, claimed(steps, claims))
		machine := p.Dev.Machine("m")
		s := p.Scope(machine)
		setup, err := p.Setup(machine, s, project.Overrides{})
		if err != nil {
			t.Fatal(err)
		}
		instances, _, err := explore.Solve(context.Background(), p.Dev, machine, setup, 1)
		if err != nil {
			t.Fatal(err)
		}
		opt := explore.Options{NoDeadlock: true}
		if opt.Claims, err = p.Claims(machine, s); err != nil {
			t.Fatal(err)
		}
		found, err := explore.Run(context.Background(), machine, instances[0], opt)
		if err != nil {
			t.Fatal(err)
		}
		all := len(claims)
		if wrong < 0 {
			kept++
		} else {
			violated++
			all = wrong
		}
		// Every state is reached here, so that a claim is idle if none has its from and not its to.
		var want []string
		for i, c := range claims[:all] {
			if !c.begins() {
				want = append(want, fmt.Sprintf("leads_to c%d", i))
			}
		}
		if !slices.Equal(found.Idle, want) {
			t.Fatalf("seed %d: %v are idle, want %v\n%s", seed, found.Idle, want, claimed(steps, claims))
		}
		idle += len(want)
		if len(found.Claims)+len(want) != all || (wrong >= 0) != (len(found.Findings) == 1 && found.Findings[0].Label == fmt.Sprintf("leads_to c%d", wrong)) {
			t.Fatalf("seed %d: %v are kept, found %+v; c%d is the first that is violated\n%s", seed, found.Claims, found.Findings, wrong, claimed(steps, claims))
		}
	}
	t.Logf("%d kept, %d violated, %d idle", kept, violated, idle)
	if kept == 0 || violated == 0 || idle == 0 {
		t.Error("none is kept, none is violated, or none is idle")
	}
}

// begins reports whether some state has from and not to.
func (c claim) begins() bool {
	for i := range modulus * modulus * modulus {
		if v := (valued{x: i % modulus, y: i / modulus % modulus, n: i / modulus / modulus}); c.from.of(v) && !c.to.of(v) {
			return true
		}
	}
	return false
}

func name(k int) string { return "abc"[k : k+1] }

func claimed(steps []step, claims []claim) string {
	var out strings.Builder
	out.WriteString("-- m.eventb --\n")
	refined := slices.ContainsFunc(steps, func(s step) bool { return s.abstract != "" })
	// u stands for y in the refined machine, where it may get any value.
	glue := []string{"u = y", "u = 2−y"}[len(steps)%2]
	if slices.ContainsFunc(steps, func(s step) bool { return s.abstract == "" }) {
		glue = "⊤" // a new event must leave u alone
	}
	witness := map[string]string{"u = y": "y'", "u = 2−y": "2−y'", "⊤": "0"}[glue]
	if refined {
		const begins = "machine a\nvariables x u\ninvariants\n    @x x ∈ 0‥2\n    @u u ∈ 0‥2\nevents\n    event INITIALISATION\n    then\n        @x x :∈ 0‥2\n        @u u :∈ 0‥2\n    end\n"
		out.WriteString(begins)
		for _, name := range []string{"any_u", "also"} {
			fmt.Fprintf(&out, "    event %s\n    then\n        @x x :∈ 0‥2\n        @u u :∈ 0‥2\n    end\n", name)
		}
		out.WriteString("    event chosen_u\n    any q\n    where\n        @q q ∈ 0‥2\n    then\n        @x x :∈ 0‥2\n        @u u ≔ q\n    end\nend\n")
		fmt.Fprintf(&out, "machine m\nrefines a\nvariables x y\ninvariants\n    @y y ∈ 0‥2\n    @glue %s\nevents\n    event INITIALISATION\n    with\n        @u' u' = %s\n    then\n        @x x :∈ 0‥2\n        @y y :∈ 0‥2\n    end\n", glue, witness)
	} else {
		out.WriteString("machine m\nvariables x y\ninvariants\n    @x x ∈ 0‥2\n    @y y ∈ 0‥2\nevents\n    event INITIALISATION\n    then\n        @x x :∈ 0‥2\n        @y y :∈ 0‥2\n    end\n")
	}
	for k, s := range steps {
		fmt.Fprintf(&out, "    event %s\n", name(k))
		if s.abstract != "" {
			fmt.Fprintf(&out, "    refines %s\n", s.abstract)
		}
		if s.any {
			out.WriteString("    any p\n")
		}
		out.WriteString("    where\n")
		if s.any {
			out.WriteString("        @p p ∈ 0‥2\n")
		}
		fmt.Fprintf(&out, "        @g %s\n", s.guard.text)
		switch s.abstract {
		case "":
		case "chosen_u":
			fmt.Fprintf(&out, "    with\n        @q q = %s\n", witness)
		default:
			fmt.Fprintf(&out, "    with\n        @u' u' = %s\n", witness)
		}
		fmt.Fprintf(&out, "    then\n        @y y ≔ %s\n", s.y.text)
		switch {
		case s.or != nil:
			fmt.Fprintf(&out, "        @x x :∈ {%s, %s}\n", s.x.text, s.or.text)
		case s.abstract != "" || !refined:
			fmt.Fprintf(&out, "        @x x ≔ %s\n", s.x.text)
		}
		out.WriteString("    end\n")
	}
	out.WriteString("end\n-- gradine.toml --\n[project.p]\nsources = [\".\"]\n")
	list := func(key string, names []string) {
		fmt.Fprintf(&out, "%s = [%s]\n", key, strings.Join(names, ", "))
	}
	quoted := func(events []int) (names []string) {
		for _, k := range events {
			names = append(names, fmt.Sprintf("%q", name(k)))
		}
		return names
	}
	for i, c := range claims {
		fmt.Fprintf(&out, "[[machine.m.leads_to]]\nname = \"c%d\"\nany = \"n ∈ 0‥2\"\nfrom = \"%s\"\nto = \"%s\"\nvariant = \"%s\"\n", i, c.from.text, c.to.text, c.by)
		list("helpful", quoted(c.helpful))
		list("fair", quoted(c.weak))
		list("strongly_fair", quoted(c.strong))
		var through []string
		for _, part := range c.through {
			through = append(through, fmt.Sprintf("%q", part))
		}
		list("through", through)
	}
	return out.String()
}

// proves tries the obligations of a claim one by one, until one is not proved.
func proves(all []*po.Obligation) bool {
	for _, o := range all {
		holds := false
		discharge.Run(context.Background(), 1, func(int) logic.Sequent { return o.Sequent() }, discharge.Options{Steps: 100_000, RefuteSteps: 20_000}, func(_ int, x verdict.Outcome) { holds = x.Verdict.Holds() })
		if !holds {
			return false
		}
	}
	return true
}

// avoided looks for a run that never reaches to after a state with from: one that stops, or
// one that goes round for ever and is fair. Every state is reached, by the initialisation.
func (c claim) avoided(steps []step, n int) string {
	var states []valued // those without to
	for i := range modulus * modulus {
		if p := (valued{i / modulus, i % modulus, n, 0}); !c.to.of(p) {
			states = append(states, p)
		}
	}
	for _, p := range states {
		if !c.from.of(p) {
			continue
		}
		reached := reach(steps, states, p)
		for _, q := range reached {
			if !slices.ContainsFunc(steps, func(s step) bool { return len(s.after(q)) > 0 }) {
				return fmt.Sprintf("the run from %v stops at %v", p, q)
			}
		}
		// What a run visits again and again is any set of states that lead to each other in it.
		for set := 1; set < 1<<len(reached); set++ {
			var within []valued
			for i, q := range reached {
				if set>>i&1 == 1 {
					within = append(within, q)
				}
			}
			if c.goesRound(steps, within) {
				return fmt.Sprintf("a fair run from %v goes round through %v", p, within)
			}
		}
	}
	return ""
}

// reach returns the states that lead out of p within a set.
func reach(steps []step, within []valued, p valued) []valued {
	out := []valued{p}
	for i := 0; i < len(out); i++ {
		for _, s := range steps {
			for _, q := range s.after(out[i]) {
				if slices.Contains(within, q) && !slices.Contains(out, q) {
					out = append(out, q)
				}
			}
		}
	}
	return out
}

// goesRound reports whether a fair run visits exactly the states of a set again and again, and
// does all that leads from one of these to another.
func (c claim) goesRound(steps []step, within []valued) bool {
	for _, p := range within {
		if len(reach(steps, within, p)) < len(within) {
			return false
		}
	}
	moves := false
	for k, s := range steps {
		enabled, happens := 0, false
		for _, q := range within {
			if next := s.after(q); len(next) > 0 {
				enabled++
				happens = happens || slices.ContainsFunc(next, func(p valued) bool { return slices.Contains(within, p) })
			}
		}
		moves = moves || happens
		if !happens && (slices.Contains(c.weak, k) && enabled == len(within) || slices.Contains(c.strong, k) && enabled > 0) {
			return false
		}
	}
	return moves
}

// What is known of the identifiers of a claim holds for good, so that it names no variable: one
// might make it false on the way, and nothing be claimed of the state that is left.
func TestLeadsToOfVariables(t *testing.T) {
	p := hintedProject(t, `-- m.eventb --
machine m
variables x y
invariants
    @x x ∈ 0‥1
    @y y ∈ 0‥1
events
    event INITIALISATION
    then
        @x x ≔ 0
        @y y ≔ 0
    end
    event a
    where
        @g x = 0
    then
        @x x ≔ 1
    end
end
-- gradine.toml --
[project.p]
sources = ["."]
[[machine.m.leads_to]]
name = "wrong"
any = "n ∈ 0‥5 ∧ x = 0"
from = "y = 0"
to = "y = 1"
variant = "1 − x"
`)
	if _, err := p.Obligations(); err == nil || !strings.Contains(err.Error(), "variable x") {
		t.Errorf("the claim is taken: %v", err)
	}
}

// What a claim needs its fairness and its parts for: each is proved, and is not where the one
// thing that it rests on is taken away.
func TestLeadsToRests(t *testing.T) {
	// A door opens and closes, again and again; somebody goes through it while it is open.
	const door = `-- m.eventb --
machine m
variables open left
invariants
    @open open ∈ BOOL
    @left left ∈ 0‥3
events
    event INITIALISATION
    then
        @open open ≔ FALSE
        @left left ≔ 3
    end
    event opens
    where
        @g open = FALSE
    then
        @open open ≔ TRUE
    end
    event closes
    where
        @g open = TRUE
    then
        @open open ≔ FALSE
    end
    event passes
    where
        @g open = TRUE
        @h left > 0
    then
        @left left ≔ left − 1
    end
end
-- gradine.toml --
[project.p]
sources = ["."]
`
	const opens = `[[machine.m.leads_to]]
name = "opens"
from = "open = FALSE"
to = "open = TRUE"
helpful = ["opens"]
fair = ["opens"]
`
	const closes = `[[machine.m.leads_to]]
name = "closes"
from = "open = TRUE"
to = "open = FALSE"
helpful = ["closes"]
fair = ["closes"]
`
	const empty = `[[machine.m.leads_to]]
name = "empty"
from = "⊤"
to = "left = 0"
variant = "left"
helpful = ["passes"]
`
	const around = `[[machine.m.leads_to]]
name = "around"
from = "open = FALSE"
to = "left = 0"
fair = ["opens", "closes"]
through = `
	for _, c := range []struct {
		claims string
		proved bool
		wrong  string
	}{
		{opens + empty + `strongly_fair = ["passes"]
fair = ["opens"]
through = ["opens"]
`, true, ""},
		{opens + empty + `fair = ["passes", "opens"]
through = ["opens"]
`, false, ""}, // the door closes
		{empty + `strongly_fair = ["passes"]
`, false, ""}, // nobody opens it
		{opens + empty + `strongly_fair = ["passes"]
through = ["opens"]
`, false, "assumes that event opens is fair"},
		{empty + `strongly_fair = ["passes"]
through = ["opens"]
` + opens, false, "no earlier property is named opens"},
		{opens + closes + around + `["opens", "closes"]
`, false, ""}, // from one to the other for ever
		{opens + closes + `[[machine.m.leads_to]]
name = "again"
from = "left = 3"
to = "open = TRUE"
fair = ["opens", "closes"]
through = ["closes", "opens"]
`, true, ""},
	} {
		all, err := hintedProject(t, door+c.claims).Obligations()
		switch {
		case c.wrong != "":
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%v instead of %q\n%s", err, c.wrong, c.claims)
			}
		case err != nil:
			t.Errorf("%v\n%s", err, c.claims)
		case proves(slices.DeleteFunc(all, func(o *po.Obligation) bool { return o.Kind != po.LTO })) != c.proved:
			t.Errorf("proved %t, expected %t\n%s", !c.proved, c.proved, c.claims)
		}
	}
}
