package kernel_test

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/kernel"
)

// proved returns sequents with proofs. With their first hypothesis alone, all of
// them are false.
func proved(t testing.TB) (seqs []logic.Sequent, proofs []*kernel.Proof) {
	b := logic.NewBank()
	n := b.Free("n", logic.IntType)
	h := b.App(logic.Le, b.Int64(2), n)
	x := b.Bound(0, logic.IntType)
	le := func(x, y logic.Term) logic.Term { return b.App(logic.Le, x, y) }
	goal := b.Quant(logic.Exists, []logic.Type{logic.IntType}, nil, b.And(le(x, n), le(b.Int64(4), b.App(logic.Plus, x, n))))
	s := logic.Sequent{Bank: b, Hyps: []logic.Term{b.App(logic.Lt, n, b.Int64(9)), h}, Goal: goal}
	p := &kernel.Proof{}
	refl, sum := le(n, n), le(b.Int64(4), b.App(logic.Plus, n, n))
	lin := func(coef int64, c ...kernel.Lit) kernel.Step {
		return kernel.Step{Kind: kernel.Lin, Clause: c, Coef: []*big.Int{big.NewInt(coef), big.NewInt(1)}[2-len(c):]}
	}
	p.Add(kernel.Step{Kind: kernel.Rup, From: []int{
		p.Add(kernel.Step{Kind: kernel.Hyp, Index: 1}),
		p.Add(kernel.Step{Kind: kernel.NegGoal}),
		p.Add(kernel.Step{Kind: kernel.Inst, Terms: []logic.Term{goal, n}}),
		p.Add(lin(1, kernel.Pos(refl))),
		p.Add(lin(2, kernel.Neg(h), kernel.Pos(sum))),
		p.Add(kernel.Step{Kind: kernel.Prop, Index: 2, Terms: []logic.Term{b.And(refl, sum)}}),
	}})
	seqs, proofs = append(seqs, s), append(proofs, p)

	b = logic.NewBank()
	a := b.GivenType("A")
	e, f := b.Free("e", a), b.Free("f", a)
	u, v := b.Free("u", b.PowType(a)), b.Free("v", b.PowType(a))
	union := b.App(logic.Union, u, v)
	in := func(x, s logic.Term) logic.Term { return b.App(logic.In, x, s) }
	s = logic.Sequent{Bank: b, Hyps: []logic.Term{in(e, union), b.App(logic.Eq, e, f), b.App(logic.NotIn, f, u)}, Goal: in(f, v)}
	p = &kernel.Proof{}
	var from []int
	for i := range s.Hyps {
		from = append(from, p.Add(kernel.Step{Kind: kernel.Hyp, Index: i}))
	}
	from = append(from, p.Add(kernel.Step{Kind: kernel.NegGoal}),
		p.Add(kernel.Step{Kind: kernel.Euf, Clause: kernel.Clause{kernel.LitOf(b, s.Hyps[1]).Not(), kernel.Neg(s.Hyps[0]), kernel.Pos(in(f, union))}}),
		p.Add(kernel.Step{Kind: kernel.Axiom, Name: "mem.union", Terms: []logic.Term{f, union}}))
	p.Add(kernel.Step{Kind: kernel.Rup, From: from})
	seqs, proofs = append(seqs, s), append(proofs, p)
	for _, f := range []func() (logic.Sequent, []kernel.Step){substitution, choice, definedness, definedGoal, power} {
		s, steps := f()
		p := &kernel.Proof{Steps: steps}
		rup := kernel.Step{Kind: kernel.Rup}
		for i := range steps {
			rup.From = append(rup.From, i)
		}
		p.Add(rup)
		seqs, proofs = append(seqs, s), append(proofs, p)
	}
	for i := range seqs {
		if _, err := kernel.Check(seqs[i], proofs[i]); err != nil {
			t.Fatalf("proof %d: %v", i, err)
		}
	}
	return seqs, proofs
}

// substitution proves ∃z·z≠f from e=f and ∃z·z≠e.
func substitution() (logic.Sequent, []kernel.Step) {
	b := logic.NewBank()
	a := b.GivenType("A")
	e, f := b.Free("e", a), b.Free("f", a)
	apart := func(x logic.Term) logic.Term {
		return b.Quant(logic.Exists, []logic.Type{a}, nil, b.App(logic.Neq, b.Bound(0, a), x))
	}
	context := b.Quant(logic.Forall, []logic.Type{a}, nil, apart(b.Bound(1, a)))
	return logic.Sequent{Bank: b, Hyps: []logic.Term{b.App(logic.Eq, e, f), apart(e)}, Goal: apart(f)}, []kernel.Step{
		{Kind: kernel.Hyp}, {Kind: kernel.Hyp, Index: 1}, {Kind: kernel.NegGoal},
		{Kind: kernel.Subst, Terms: []logic.Term{context, e, f}},
	}
}

// choice proves ∃x·x∈u from ∃x·x∈u∩v.
func choice() (logic.Sequent, []kernel.Step) {
	b := logic.NewBank()
	a := b.GivenType("A")
	u, v := b.Free("u", b.PowType(a)), b.Free("v", b.PowType(a))
	both := b.App(logic.Inter, u, v)
	some := func(s logic.Term) logic.Term {
		return b.Quant(logic.Exists, []logic.Type{a}, nil, b.App(logic.In, b.Bound(0, a), s))
	}
	w := kernel.Witnesses(b, some(both))[0]
	return logic.Sequent{Bank: b, Hyps: []logic.Term{b.App(logic.SubsetEq, u, v), some(both)}, Goal: some(u)}, []kernel.Step{
		{Kind: kernel.Hyp, Index: 1}, {Kind: kernel.NegGoal}, {Kind: kernel.Choose, Terms: []logic.Term{some(both)}},
		{Kind: kernel.Axiom, Name: "mem.inter", Index: 0, Terms: []logic.Term{w, both}},
		{Kind: kernel.Inst, Terms: []logic.Term{some(u), w}},
	}
}

// definedness proves e∈dom(f) from f(e)=e, by D of that.
func definedness() (logic.Sequent, []kernel.Step) {
	b := logic.NewBank()
	a := b.GivenType("A")
	e, f := b.Free("e", a), b.Free("f", b.RelType(a, a))
	h := b.App(logic.Eq, b.App(logic.Apply, f, e), e)
	s := logic.Sequent{Bank: b, Hyps: []logic.Term{b.App(logic.Neq, f, b.Atom(logic.Id, b.Type(f))), h}, Goal: b.App(logic.In, e, b.App(logic.Dom, f))}
	return s, definition(s, kernel.Step{Kind: kernel.WD, Index: 1}, h, kernel.Step{Kind: kernel.NegGoal})
}

// definedGoal proves e↦f(e)∈g from f=g, by its D.
func definedGoal() (logic.Sequent, []kernel.Step) {
	b := logic.NewBank()
	a := b.GivenType("A")
	e, f, g := b.Free("e", a), b.Free("f", b.RelType(a, a)), b.Free("g", b.RelType(a, a))
	pair := b.App(logic.Maplet, e, b.App(logic.Apply, f, e))
	in := func(r logic.Term) logic.Term { return b.App(logic.In, pair, r) }
	s := logic.Sequent{Bank: b, Hyps: []logic.Term{in(f), b.App(logic.Eq, f, g)}, Goal: in(g)}
	return s, definition(s, kernel.Step{Kind: kernel.WDGoal}, s.Goal,
		kernel.Step{Kind: kernel.Hyp, Index: 1}, kernel.Step{Kind: kernel.NegGoal},
		kernel.Step{Kind: kernel.Axiom, Name: "apply.dom", Terms: []logic.Term{f, e}},
		kernel.Step{Kind: kernel.Euf, Clause: kernel.Clause{kernel.Neg(s.Hyps[1]), kernel.Neg(in(f)), kernel.Pos(in(g))}})
}

// definition returns a step that states D of t, the step that takes its first part, and rest.
func definition(s logic.Sequent, wd kernel.Step, t logic.Term, rest ...kernel.Step) []kernel.Step {
	d := s.Bank.Bare(s.Bank.D(t))
	return append([]kernel.Step{wd, {Kind: kernel.Prop, Terms: []logic.Term{d}}}, rest...)
}

// power proves 1≤a^n from 0≤n and 1≤a, by a lemma.
func power() (logic.Sequent, []kernel.Step) {
	b := logic.NewBank()
	a, n := b.Free("a", logic.IntType), b.Free("n", logic.IntType)
	le := func(x int64, y logic.Term) logic.Term { return b.App(logic.Le, b.Int64(x), y) }
	return logic.Sequent{Bank: b, Hyps: []logic.Term{le(0, n), le(1, a)}, Goal: le(1, b.App(logic.Exp, a, n))}, []kernel.Step{
		{Kind: kernel.Hyp}, {Kind: kernel.Hyp, Index: 1}, {Kind: kernel.NegGoal},
		{Kind: kernel.Lemma, Name: "power.above", Terms: []logic.Term{a, n}},
	}
}

// recheck decodes text into a fresh copy of s and checks it.
func recheck(s logic.Sequent, text string) (kernel.Result, error) {
	s = s.Bare()
	p, err := kernel.Decode(s.Bank, []byte(text))
	if err != nil {
		return kernel.Result{}, err
	}
	return kernel.Check(s, p)
}

// claim returns what an accepted proof says to have shown: the conclusion from the hypotheses
// and conditions that it used.
func claim(s logic.Sequent, res kernel.Result) logic.Term {
	b := s.Bank
	var ps []logic.Term
	for _, i := range res.Hyps {
		ps = append(ps, s.Hyps[i])
	}
	for _, i := range res.WDs {
		ps = append(ps, b.Bare(b.D(s.Hyps[i])))
	}
	if res.WDGoal {
		ps = append(ps, b.Bare(b.D(s.Goal)))
	}
	goal := s.Goal
	if !res.Goal {
		goal = b.App(logic.False)
	}
	return b.App(logic.Implies, b.And(ps...), goal)
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

// A mutated certificate is accepted only if what it claims to use suffices: the claim has no
// counterexample. It is not accepted for the sequent with its first hypothesis alone, which is
// false. All kinds of steps are mutated.
func TestMutatedCertificates(t *testing.T) {
	n := corpus.Effort(1000, 4000, 20000)
	r := rand.New(rand.NewPCG(7, 8))
	seqs, proofs := proved(t)
	extra := words()
	accepted, mutated := 0, map[string]int{}
	for i, s := range seqs {
		text := string(cert.Encode(s.Bank, proofs[i]))
		weak := s
		weak.Hyps = s.Hyps[:1]
		for range n {
			mutant, kinds := random.Certificate(r, text, extra...)
			for _, k := range kinds {
				mutated[k]++
			}
			if _, err := recheck(weak, mutant); err == nil {
				t.Errorf("a false sequent is proved by\n%s", mutant)
			}
			res, err := recheck(s, mutant)
			if err != nil || mutant == text {
				continue
			}
			accepted++
			valid(t, mutant, s.Bank, claim(s, res), 200)
		}
	}
	t.Logf("%d mutants accepted", accepted)
	for k := kernel.Hyp; k <= kernel.Rup; k++ {
		t.Logf("%v: %d changed", k, mutated[k.String()])
		if mutated[k.String()] == 0 {
			t.Errorf("no step %v was changed", k)
		}
	}
}

func TestHostileCertificates(t *testing.T) {
	seqs, _ := proved(t)
	head := kernel.Header + "\n"
	doubling := func(first, op string, n int) string {
		var s strings.Builder
		s.WriteString(first + "\n")
		for i := range n {
			s.WriteString(op + " " + strings.Repeat(itoa(i)+" ", 2)[:2*len(itoa(i))+1] + "\n")
		}
		return s.String()
	}
	for name, text := range map[string]string{
		"empty":                "",
		"no end":               head + "terms\nsteps\n",
		"nothing":              head + "terms\nsteps\nend\n",
		"truncated":            head + "terms\nfre",
		"after the end":        head + "terms\nsteps\nend\n\n",
		"forward":              head + "terms\nnot 0\nsteps\nend\n",
		"step forward":         head + "terms\nsteps\nrup : 0\nend\n",
		"self":                 head + "terms\nsteps\ngoal\nrup : 1\nend\n",
		"ill-typed":            head + "terms\nint 1\nnot 0\nsteps\nend\n",
		"long type":            head + "terms\nfree \"x\" " + strings.Repeat("P ", 100000) + "Z\nsteps\nend\n",
		"wide type":            head + "terms\nfree \"x\" Z\n" + doubling("free \"y\" Z", "maplet", 40) + "steps\nend\n",
		"deep term":            head + "terms\ntrue\n" + chain("not", 100000) + "steps\nend\n",
		"dangling":             head + "terms\nbound 0 Z\nle 0 0\nsteps\neuf +1\nend\n",
		"huge index":           head + "terms\nbound 99999999 Z\nsteps\nend\n",
		"huge number":          head + "terms\nint " + strings.Repeat("9", 100000) + "\nsteps\nend\n",
		"huge power":           head + "terms\nint 2\nint 999999999999\npower 0 1\nint 0\neq 2 3\nsteps\nlin +4 : 1\nend\n",
		"tower":                head + "terms\n" + doubling("int 9", "times", 60) + "eq 60 60\nsteps\nlin +61 : 1\nend\n",
		"polynomial":           head + "terms\nfree \"x\" Z\nfree \"y\" Z\nplus 0 1\n" + squares(2, 40) + "eq 42 0\nsteps\nlin +43 : 1\nend\n",
		"hint of type":         head + "terms\nfree \"x\" B\nforall B : 0\nsteps\nend\n",
		"variable of no type":  head + "terms\nforall : 0\nsteps\nend\n",
		"unknown axiom":        head + "terms\nsteps\naxiom mem.nothing 0\nend\n",
		"unknown lemma":        head + "terms\nsteps\nlemma nothing 0\nend\n",
		"axiom with predicate": head + "terms\ntrue\nsteps\naxiom type 0 0\nend\n",
		"axiom without clause": head + "terms\nint 1\nsteps\naxiom type 7 0\nend\n",
		"missing operands":     head + "terms\nsteps\nsubst\nend\n",
		"no quantifier":        head + "terms\nsteps\ninst\nend\n",
		"quantifier alone":     head + "terms\ntrue\nforall Z : 0\nsteps\ninst 1\nend\n",
		"operands to spare":    head + "terms\ntrue\nsteps\nprop 0 0 0\nend\n",
		"goal with a term":     head + "terms\ntrue\nsteps\ngoal 0\nend\n",
		"hypothesis":           head + "terms\nsteps\nhyp 99\nend\n",
		"negative":             head + "terms\nsteps\nhyp -1\nend\n",
		"other number":         head + "terms\nsteps\nhyp 01\nend\n",
		"no multiplier":        head + "terms\nint 1\nle 0 0\nsteps\nlin +1 :\nend\n",
	} {
		if res, err := recheck(seqs[0], text); err == nil {
			t.Errorf("%s: accepted, %+v", name, res)
		}
	}
}

func itoa(i int) string { return big.NewInt(int64(i)).String() }

func chain(op string, n int) string {
	var s strings.Builder
	for i := range n {
		s.WriteString(op + " " + itoa(i) + "\n")
	}
	return s.String()
}

func squares(from, n int) string {
	var s strings.Builder
	for i := range n {
		s.WriteString("times " + itoa(from+i) + " " + itoa(from+i) + "\n")
	}
	return s.String()
}

// A proof whose terms are not closed, not bare, or of another bank.
func TestProofsInMemory(t *testing.T) {
	b := logic.NewBank()
	g := b.App(logic.False)
	s := logic.Sequent{Bank: b, Goal: g}
	dangling := b.App(logic.Le, b.Bound(0, logic.IntType), b.Int64(0))
	hinted := b.Quant(logic.Forall, []logic.Type{logic.IntType}, &logic.Hint{Names: []string{"x"}}, dangling)
	f := b.Bare(hinted)
	for name, step := range map[string]kernel.Step{
		"dangling value": {Kind: kernel.Inst, Terms: []logic.Term{f, b.Bound(0, logic.IntType)}},
		"dangling":       {Kind: kernel.Euf, Clause: kernel.Clause{kernel.Pos(dangling), kernel.Neg(dangling)}},
		"hints":          {Kind: kernel.Euf, Clause: kernel.Clause{kernel.Pos(hinted), kernel.Neg(hinted)}},
		"no term":        {Kind: kernel.Euf, Clause: kernel.Clause{kernel.Pos(0), kernel.Neg(0)}},
		"beyond":         {Kind: kernel.Euf, Clause: kernel.Clause{kernel.Pos(1 << 20), kernel.Neg(1 << 20)}},
		"no predicate":   {Kind: kernel.Euf, Clause: kernel.Clause{kernel.Pos(b.Int64(0)), kernel.Neg(b.Int64(0))}},
		"no quantifier":  {Kind: kernel.Inst, Terms: []logic.Term{g, b.Int64(0)}},
		"other type":     {Kind: kernel.Inst, Terms: []logic.Term{f, b.App(logic.TrueE)}},
		"no kind":        {Kind: 200},
	} {
		if _, err := kernel.ClauseOf(s, step); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	s.Goal = dangling
	if _, err := kernel.Check(s, &kernel.Proof{}); err == nil {
		t.Error("dangling goal accepted")
	}
}

func FuzzDecode(f *testing.F) {
	seqs, proofs := proved(f)
	for i, s := range seqs {
		f.Add(i, string(cert.Encode(s.Bank, proofs[i])))
	}
	f.Fuzz(func(t *testing.T, i int, text string) {
		if i < 0 || i >= len(seqs) {
			return
		}
		s := seqs[i].Bare()
		p, err := kernel.Decode(s.Bank, []byte(text))
		if err != nil {
			return
		}
		again, err := kernel.Decode(s.Bank, cert.Encode(s.Bank, p))
		if err != nil {
			t.Fatalf("what was read cannot be read again: %v", err)
		}
		_, err1 := kernel.Check(s, p)
		_, err2 := kernel.Check(s, again)
		if (err1 == nil) != (err2 == nil) {
			t.Errorf("%v, but read again: %v", err1, err2)
		}
	})
}

// No certificate proves these.
func FuzzCheck(f *testing.F) {
	seqs, proofs := proved(f)
	for i, s := range seqs {
		f.Add(i, string(cert.Encode(s.Bank, proofs[i])))
	}
	f.Fuzz(func(t *testing.T, i int, text string) {
		if i < 0 || i >= len(seqs) {
			return
		}
		s := seqs[i]
		s.Hyps = s.Hyps[:1] // the rest is needed
		if _, err := recheck(s, text); err == nil {
			t.Errorf("a false sequent is proved by\n%s", text)
		}
	})
}
