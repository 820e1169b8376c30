package search_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/internal/search"
	"github.com/gradine/gradine/prover/kernel"
)

var types = map[string]string{
	"x": "S", "y": "S", "z": "S", "s": "ℙ(S)", "t": "ℙ(S)", "u": "ℙ(S)", "v": "T", "f": "ℙ(S×T)", "g": "ℙ(S×S)", "h": "ℙ(S×ℤ)", "m": "ℤ", "n": "ℤ", "k": "ℤ",
	"i": "ℙ(ℤ)", "p": "BOOL", "q": "BOOL", "w": "S×T", "c": "ℙ(ℙ(S))", "v0": "ℙ(T)", "r0": "ℙ(T×ℙ(ℙ(T×ℤ)))", "w0": "ℤ×ℤ", "g0": "ℙ(S×ℙ(S))", "e": "ℙ(ℤ×ℤ)",
}

// sequent reads "H, H ⊢ G"; hypotheses are parted by semicolons.
func sequent(t testing.TB, text string) logic.Sequent {
	t.Helper()
	left, goal, _ := strings.Cut(text, "⊢")
	var hyps []string
	for h := range strings.SplitSeq(left, ";;") {
		if h = strings.TrimSpace(h); h != "" {
			hyps = append(hyps, h)
		}
	}
	s, err := check.ReadSequent(types, hyps, nil, strings.TrimSpace(goal))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s.Bare()
}

func all(s logic.Sequent) (out []int) {
	for i := range s.Hyps {
		out = append(out, i)
	}
	return out
}

// refute runs one attempt with all hypotheses, and checks what comes of it: a proof that the kernel
// accepts, or none.
func refute(t testing.TB, s logic.Sequent, opts search.Options) (search.Outcome, kernel.Result) {
	t.Helper()
	if opts.Hyps == nil {
		opts.Hyps = all(s)
	}
	out := search.Refute(s, opts)
	if out.Proof == nil {
		return out, kernel.Result{}
	}
	res, err := kernel.Check(s, out.Proof)
	if err != nil {
		t.Fatalf("a proof that is none: %v", err)
	}
	return out, res
}

// steps is enough for what is small.
const steps = 300_000

// TestMeans proves sequents that need one thing each, and shows that the proof uses it: a kind of step, an
// axiom or a lemma.
func TestMeans(t *testing.T) {
	for _, c := range []struct {
		sequent string
		uses    string
		opts    search.Options
	}{
		{"p=TRUE ∧ q=TRUE ⊢ q=TRUE", "prop", search.Options{}},
		{"p=TRUE ∨ q=TRUE ;; ¬q=TRUE ⊢ p=TRUE", "prop", search.Options{}},
		{"p=TRUE ⇔ q=TRUE ;; q=TRUE ⊢ p=TRUE", "prop", search.Options{}},
		{"bool(x∈s)=TRUE ⊢ x∈s", "euf", search.Options{}},
		{"p≠TRUE ⊢ p=FALSE", "bool", search.Options{}},
		{"p≠q ;; p=TRUE ⊢ q=FALSE", "bool", search.Options{}},
		{"∀a·a∈s⇒a∈t ;; x∈s ⊢ x∈t", "inst", search.Options{}},
		{"∃a·a∈s ;; s⊆t ⊢ ∃a·a∈t", "choose", search.Options{}},
		{"x=y ;; g(x)=z ⊢ g(y)=z", "euf", search.Options{}},
		{"x↦y=z↦x ⊢ y=z", "euf", search.Options{}},
		{"m<n ;; n<k ⊢ m+1<k", "lin", search.Options{}},
		{"2∗m=2∗n+1 ⊢ ⊥", "lin", search.Options{}},
		{"m∗n=k ⊢ n∗m=k", "lin", search.Options{}},
		{"g(x)=y ⊢ x∈dom(g)", "wd", search.Options{WDs: true}},
		{"⊢ g(x)=y ⇒ g∈S⇸S", "wdgoal", search.Options{WDs: true}},
		// Integers.
		{"m≤n ;; n≤m ;; h∼[{m}]=s ⊢ h∼[{n}]=s", "le.antisymmetric", search.Options{}},
		{"m∈2‥n ⊢ 2≤n", "mem.upto", search.Options{}},
		{"0≤m ⊢ m÷2∗2≤m", "div.pos.pos", search.Options{}},
		{"m<0 ⊢ m≤m÷2∗2", "div.neg.pos", search.Options{}},
		{"0≤m ⊢ m÷(−2)∗(−2)≤m", "div.pos.neg", search.Options{}},
		{"m<0 ⊢ m≤m÷(−2)∗(−2)", "div.neg.neg", search.Options{}},
		{"0≤m ⊢ m mod 3≤2", "mod", search.Options{}},
		{"0≤m ;; 0≤n ⊢ 0≤m∗n", "times.sign", search.Options{}},
		// Sets.
		{"s⊆t ;; t⊆s ⊢ s=t", "set.eq", search.Options{}},
		{"s⊂t ⊢ s≠t", "subset", search.Options{}},
		{"partition(s,t,u) ;; x∈t ⊢ x∉u", "partition", search.Options{}},
		{"x∈s∪t ;; x∉s ⊢ x∈t", "mem.union", search.Options{}},
		{"x∈s∩t ⊢ x∈t", "mem.inter", search.Options{}},
		{"x∈s∖t ⊢ x∉t", "mem.diff", search.Options{}},
		{"x∈{y,z} ;; x≠y ⊢ x=z", "mem.set", search.Options{}},
		{"s∈ℙ(t) ⊢ s⊆t", "mem.pow", search.Options{}},
		{"s∈ℙ1(t) ⊢ s≠∅", "mem.pow1", search.Options{}},
		{"x∈s ;; s∈c ⊢ x∈union(c)", "mem.union-of", search.Options{}},
		{"x∈inter(c) ;; s∈c ⊢ x∈s", "mem.inter-of", search.Options{}},
		{"x∈s ⊢ x∈(⋃a·a∈s∣{a})", "mem.union-over", search.Options{}},
		{"x∈(⋂a·a∈s∣t∪{a}) ;; y∈s ;; x≠y ⊢ x∈t", "mem.inter-over", search.Options{}},
		{"x∈{a·a∈s∩t∣a} ⊢ x∈t", "mem.pattern", search.Options{}},
		{"m∈{a·a∈i∣a+1} ⊢ m−1∈i", "mem.comprehension", search.Options{}},
		{"s=∅ ;; x∈s ⊢ ⊥", "mem.empty", search.Options{}},
		// Relations.
		{"x↦v∈f ⊢ x∈dom(f)", "mem.dom", search.Options{}},
		{"x↦v∈f ⊢ v∈ran(f)", "mem.ran", search.Options{}},
		{"x↦v∈f ;; x∈s ⊢ v∈f[s]", "mem.image", search.Options{}},
		{"x↦v∈f ⊢ v↦x∈f∼", "mem.converse", search.Options{}},
		{"w∈s×{v} ⊢ prj2(w)=v", "pair", search.Options{}},
		{"x↦v∈s◁f ⊢ x∈s", "mem.domres", search.Options{}},
		{"x↦v∈s⩤f ⊢ x∉s", "mem.domsub", search.Options{}},
		{"x↦v∈f▷{v} ⊢ x↦v∈f", "mem.ranres", search.Options{}},
		{"x↦v∈f⩥{v} ⊢ ⊥", "mem.ransub", search.Options{}},
		{"x↦y∈g ;; y↦v∈f ⊢ x↦v∈g;f", "mem.fcomp", search.Options{}},
		{"x↦y∈g ;; y↦v∈f ⊢ x↦v∈f∘g", "mem.bcomp", search.Options{}},
		{"x↦v∈f ⊢ x↦v∈{y↦v}\ue103f", "mem.override", search.Options{}},
		{"f∈s⇸T ;; x↦v∈f ⊢ x∈s", "mem.pfun", search.Options{}},
		{"f∈s→T ;; x∈s ⊢ x∈dom(f)", "mem.tfun", search.Options{}},
		{"f∈s⤔T ;; x↦v∈f ;; y↦v∈f ⊢ x=y", "mem.pinj", search.Options{}},
		{"f∈s↠T ⊢ v∈ran(f)", "mem.tsur", search.Options{}},
		{"f∈s⤖T ⊢ v∈ran(f)", "mem.tbij", search.Options{}},
		{"f∈s↔T ;; x↦v∈f ⊢ x∈s", "mem.rel", search.Options{}},
		{"x∈dom(f) ⊢ x↦f(x)∈f", "apply.dom", search.Options{}},
		{"f∈S⇸T ;; x↦v∈f ⊢ f(x)=v", "apply.unique", search.Options{}},
		{"⊢ (g\ue103{x↦y})(x)=y", "apply.update", search.Options{}},
		// Finite sets, counting, bounds.
		{"⊢ finite((∅⦂ℙ(S)))", "finite.empty", search.Options{}},
		{"finite(s) ⊢ finite(s∪{x})", "finite.insert", search.Options{}},
		{"finite(t) ;; s⊆t ⊢ finite(s)", "finite.subset", search.Options{}},
		{"finite(ℕ) ⊢ ⊥", "infinite.natural", search.Options{}},
		{"finite(s) ;; x∉s ⊢ card(s∪{x})=card(s)+1", "card.insert", search.Options{}},
		{"finite(t) ;; s⊆t ⊢ card(s)≤card(t)", "card.subset", search.Options{}},
		{"m∈i ;; ∀a·a∈i⇒0≤a ⊢ min(i)≤m", "min.least", search.Options{}},
		{"m∈i ;; ∀a·a∈i⇒a≤n ⊢ max(i)∈i", "max.member", search.Options{Direction: search.Direction{Enumerate: true}}},
		{"0≤n ⊢ 2^(n+1)=2∗2^n", "power.next", search.Options{}},
		// Last resorts.
		{"⊢ ∃a·a∈ℤ ∧ a+m=n", "inst", search.Options{Direction: search.Direction{Solve: true}}},
		{"∀a,b·a∈s∧b∈t⇒a=b ;; x∈s ;; y∈t ;; z∈t ⊢ y=z", "inst", search.Options{Direction: search.Direction{Enumerate: true}}},
	} {
		c.opts.Steps, c.opts.Gens = steps, 4
		s := sequent(t, c.sequent)
		out, _ := refute(t, s, c.opts)
		if out.Proof == nil {
			t.Errorf("%s: no proof (saturated %v, %+v)", c.sequent, out.Saturated, out.Counters)
			continue
		}
		uses := map[string]bool{}
		for _, step := range out.Proof.Steps {
			uses[step.Kind.String()], uses[step.Name] = true, true
		}
		if !uses[c.uses] {
			t.Errorf("%s: the proof does not use %s, but %v", c.sequent, c.uses, uses)
		}
	}
}

// TestFalse looks at sequents with counterexamples: no proof, and where nothing is left to try, the search
// says so, and its last literals contain the negated goal.
func TestFalse(t *testing.T) {
	for _, text := range []string{
		"p=TRUE ∨ q=TRUE ⊢ p=TRUE", "x∈s∪t ⊢ x∈t", "s⊆t ⊢ t⊆s", "m≤n ⊢ m<n", "∃a·a∈s ⊢ x∈s", "f∈S⇸T ⊢ x∈dom(f)", "⊢ m÷2∗2=m", "⊢ (−7)÷2=−4", "0≤m ⊢ m mod 2=0",
	} {
		s := sequent(t, text)
		out, _ := refute(t, s, search.Options{Steps: steps, WDs: true, Direction: search.Direction{Start: 1, Gens: 2}})
		if out.Proof != nil {
			t.Errorf("%s: proved", text)
			continue
		}
		if !out.Saturated {
			t.Errorf("%s: not done after %d steps", text, out.Steps)
		}
		if l := kernel.LitOf(s.Bank, s.Goal).Not(); !slices.Contains(out.Model, l) {
			t.Errorf("%s: the goal does not fail in the end", text)
		}
	}
}

// TestDirections looks at what the options allow a proof to use.
func TestDirections(t *testing.T) {
	const text = "m<n ;; n<m ;; m<k ⊢ 0≤card(s)"
	s := sequent(t, text)
	for _, c := range []struct {
		name  string
		opts  search.Options
		found bool
	}{
		{"all", search.Options{}, true},
		{"no goal", search.Options{NoGoal: true}, true},
		{"two hypotheses", search.Options{Hyps: []int{1, 0}, NoGoal: true}, true},
		{"one hypothesis", search.Options{Hyps: []int{1}, NoGoal: true}, false},
		{"goal alone, with its D", search.Options{Hyps: []int{}, WDs: true}, true},
		{"goal alone, without", search.Options{Hyps: []int{}}, false},
		{"goal alone, no lemmas", search.Options{Hyps: []int{}, WDs: true, Only: map[string]bool{}}, false},
	} {
		c.opts.Steps, c.opts.Gens = steps, 2
		opts := c.opts
		out, res := refute(t, s, opts)
		if (out.Proof != nil) != c.found {
			t.Errorf("%s: proof found: %v", c.name, !c.found)
			continue
		}
		if opts.NoGoal && res.Goal || !opts.WDs && (res.WDGoal || len(res.WDs) > 0) {
			t.Errorf("%s: uses more than it may: %+v", c.name, res)
		}
		for _, h := range res.Hyps {
			if opts.Hyps != nil && !slices.Contains(opts.Hyps, h) {
				t.Errorf("%s: uses hypothesis %d", c.name, h)
			}
		}
	}
}

// pigeons says that k+1 pigeons do not fit into k holes, which takes many conflicts.
func pigeons(k int) logic.Sequent {
	b := logic.NewBank()
	s := logic.Sequent{Bank: b, Goal: b.App(logic.False)}
	in := func(i, j int) logic.Term {
		return b.App(logic.In, b.Free(string(rune('a'+i)), b.GivenType("S")), b.Free(string(rune('A'+j)), b.PowType(b.GivenType("S"))))
	}
	for i := range k + 1 {
		var some []logic.Term
		for j := range k {
			some = append(some, in(i, j))
			for l := range i {
				s.Hyps = append(s.Hyps, b.Not(b.And(in(i, j), in(l, j))))
			}
		}
		s.Hyps = append(s.Hyps, b.Or(some...))
	}
	return s
}

// TestBudget spends different budgets on one sequent: an attempt ends soon after its budget is spent, and
// one that is enough gives the same proof as any greater one.
func TestBudget(t *testing.T) {
	full, _ := refute(t, pigeons(5), search.Options{})
	if full.Proof == nil || full.Conflicts < 20 {
		t.Fatalf("%+v", full.Counters)
	}
	for share := int64(1); share <= 12; share++ {
		budget := full.Steps * share / 8
		out, _ := refute(t, pigeons(5), search.Options{Steps: budget, Direction: search.Direction{Start: 1}})
		switch {
		case budget > full.Steps && out.Proof == nil:
			t.Errorf("no proof with %d steps, where %d are enough", budget, full.Steps)
		case budget < full.Steps*7/8 && out.Proof != nil:
			t.Errorf("a proof with %d steps, where %d were needed", budget, full.Steps)
		case out.Proof != nil && !cmp.Equal(out.Counters, full.Counters):
			t.Errorf("budget %d: %+v, with no budget: %+v", budget, out.Counters, full.Counters)
		case out.Proof == nil && out.Saturated:
			t.Errorf("saturated, at %d of %d steps", budget, full.Steps)
		}
		if out.Steps > budget+full.Steps/4 {
			t.Errorf("%d steps with a budget of %d", out.Steps, budget)
		}
	}
}

// TestChance tries sequents by chance: every proof is one, none is found for what a model refutes, and
// each attempt is the same again, on however many cores.
func TestChance(t *testing.T) {
	n := 400
	if testing.Short() {
		n = 100
	}
	proofs := 0
	for seed := range uint64(n) {
		make := func() (s logic.Sequent, refuted bool) {
			r := rand.New(rand.NewPCG(seed, 1))
			switch seed % 3 {
			case 0:
				s, _ = random.Refuted(r, 2)
				return s, true
			case 1:
				return random.Filled(random.Theorem(logic.NewBank(), r), r), false
			}
			return random.NewFormulas(logic.NewBank(), r).Sequent(2, 2), false
		}
		attempt := func() (search.Outcome, string) {
			s, refuted := make()
			s = s.Bare()
			out, _ := refute(t, s, search.Options{Steps: steps / 10, WDs: true, Direction: search.Direction{Start: 1, Gens: 3, Enumerate: seed%2 == 0, Solve: seed%5 == 0}})
			if out.Proof == nil {
				return out, ""
			}
			if refuted {
				t.Errorf("seed %d is refuted, but proved", seed)
			}
			return out, string(cert.Encode(s.Bank, out.Proof))
		}
		out, text := attempt()
		was := runtime.GOMAXPROCS(1 + int(seed%2))
		again, same := attempt()
		runtime.GOMAXPROCS(was)
		if text != same || out.Counters != again.Counters || !slices.Equal(out.Model, again.Model) {
			t.Errorf("seed %d: %+v, then %+v", seed, out.Counters, again.Counters)
		}
		if text != "" {
			proofs++
		}
	}
	t.Logf("%d of %d proved", proofs, n)
	if proofs == 0 {
		t.Error("no proof")
	}
}

// TestArity matches a pattern against a term of the same operator with fewer arguments.
func TestArity(t *testing.T) {
	s := sequent(t, "∀a⦂ℙ(ℤ)·((∀b⦂BOOL·partition(v0,T))⇒T×ℙ(ℙ(T×ℤ))=r0)⇒partition(a∪(∅⦂ℙ(ℤ))∪i,ℕ∩i∩i,a,a∪a) ;; partition((prj2⦂ℙ(ℤ×ℤ×ℤ))(w0)‥8÷2) "+
		"⊢ ∃a⦂BOOL×T,b⦂ℙ(S×S)·(prj2⦂ℙ(S×ℤ×ℤ))(x↦−1)=card(∅⦂ℙ(ℤ)) ∧ b∈g0(x)↣s∩S")
	refute(t, s, search.Options{Steps: steps, WDs: true, Direction: search.Direction{Gens: 4, Enumerate: true}})
}
