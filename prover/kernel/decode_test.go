package kernel_test

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

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
	for i := range seqs {
		if _, err := kernel.Check(seqs[i], proofs[i]); err != nil {
			t.Fatal(err)
		}
	}
	return seqs, proofs
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

// A mutated certificate is accepted only if what it claims to use suffices: the
// sequent, restricted to the hypotheses used, has no counterexample.
func TestMutatedCertificates(t *testing.T) {
	n := 20000
	if testing.Short() {
		n = 2000
	}
	r := rand.New(rand.NewPCG(7, 8))
	seqs, proofs := proved(t)
	accepted := 0
	for i, s := range seqs {
		text := string(cert.Encode(s.Bank, proofs[i]))
		for range n {
			mutant := mutate(r, text)
			res, err := recheck(s, mutant)
			if err != nil || mutant == text {
				continue
			}
			accepted++
			var ps []logic.Term
			for _, h := range res.Hyps {
				ps = append(ps, s.Hyps[h])
			}
			goal := s.Goal
			if !res.Goal {
				goal = s.Bank.App(logic.False)
			}
			valid(t, mutant, s.Bank, s.Bank.App(logic.Implies, s.Bank.And(ps...), goal), 200)
		}
	}
	t.Logf("%d mutants accepted", accepted)
}

// mutate changes one or two words or lines of text.
func mutate(r *rand.Rand, text string) string {
	lines := strings.Split(text, "\n")
	for range 1 + r.IntN(2) {
		i := r.IntN(len(lines))
		switch r.IntN(8) {
		case 0:
			lines = append(lines[:i], lines[min(i+1, len(lines)):]...)
			if len(lines) == 0 {
				return ""
			}
		case 1:
			lines[i] = lines[r.IntN(len(lines))]
		default:
			words := strings.Split(lines[i], " ")
			k := r.IntN(len(words))
			if digits := strings.TrimLeft(words[k], "+-"); digits != "" && strings.Trim(digits, "0123456789") == "" {
				words[k] = words[k][:len(words[k])-len(digits)] + []string{"0", "1", "2", "3", "4", "7", "-1", "99999999999999999999"}[r.IntN(8)]
			} else {
				words[k] = []string{"Z", "P", ":", "le", "lt", "in", "union", "inter", "hyp", "goal", "rup", "+1", "-1", "", "exists", "forall"}[r.IntN(16)]
			}
			if strings.HasPrefix(words[k], "+") && r.IntN(3) == 0 {
				words[k] = "-" + words[k][1:]
			}
			lines[i] = strings.Join(words, " ")
		}
	}
	return strings.Join(lines, "\n")
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
