package verdict_test

import (
	"fmt"
	"testing"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/prover"
)

// What strangers claim of a ≥ b from a = b, or from nothing, comes to a verdict only where kernel or
// evaluator grants it.
func TestAccept(t *testing.T) {
	for name, test := range map[string]struct {
		hyps []string
		goal string
		a    answer.Answer
		sign bool
		want string
	}{
		"open, signed":             {nil, "a≥b", answer.Answer{Verdict: "open", Steps: 7}, true, "open, 7 steps"},
		"open, unsigned":           {nil, "a≥b", answer.Answer{Verdict: "open", Steps: 7}, false, string(answer.Unsigned)},
		"refuted":                  {nil, "a≥b", answer.Answer{Verdict: "refuted", Counterexample: []byte(`{"carriers":{},"values":{"a":0,"b":1}}`)}, false, "refuted by evaluation, uncounted"},
		"refuted, but true there":  {nil, "a≥b", answer.Answer{Verdict: "refuted", Counterexample: []byte(`{"carriers":{},"values":{"a":1,"b":1}}`)}, true, string(answer.False)},
		"refuted, but not assumed": {[]string{"a=b"}, "a≥b", answer.Answer{Verdict: "refuted", Counterexample: []byte(`{"carriers":{},"values":{"a":0,"b":1}}`)}, true, string(answer.False)},
		"proved by nothing":        {nil, "a≥b", answer.Answer{Verdict: "proved"}, true, string(answer.False)},
		"proved by half a text":    {[]string{"a≥b"}, "a≥b", answer.Answer{Verdict: "proved", Certificate: []byte("gradine certificate 1\nterms\n")}, true, string(answer.False)},
		"no verdict":               {nil, "a≥b", answer.Answer{Verdict: "true"}, true, string(answer.False)},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := check.ReadSequent(map[string]string{"a": "ℤ", "b": "ℤ"}, test.hyps, nil, test.goal)
			if err != nil {
				t.Fatal(err)
			}
			key := answer.ProcessKey()
			if test.sign {
				test.a.Sign(key)
			}
			o, why := verdict.NewProblem(s).Accept(s, answer.Digest{}, &test.a, key)
			got := string(why)
			if why == "" {
				got = shown(o)
			}
			if got != test.want {
				t.Errorf("%s; want %s", got, test.want)
			}
			if _, why := verdict.NewProblem(s).Accept(s, answer.Digest{1}, &test.a, key); why != answer.False {
				t.Error("an answer to another question is accepted")
			}
		})
	}
}

func shown(o verdict.Outcome) string {
	parts := string(o.Verdict)
	if by := o.By(); by != "" {
		parts += " by " + string(by)
	}
	if o.Uncounted {
		return parts + ", uncounted"
	}
	return fmt.Sprintf("%s, %d steps", parts, o.Steps)
}

// A proof that is found is one again after it has been written and read, and of any sequent with its
// goal and core; it is none where the core lacks a hypothesis, or the goal is another.
func TestReplay(t *testing.T) {
	read := func(goal string, hyps ...string) *verdict.Problem {
		s, err := check.ReadSequent(map[string]string{"a": "ℤ", "b": "ℤ"}, hyps, nil, goal)
		if err != nil {
			t.Fatal(err)
		}
		return verdict.NewProblem(s)
	}
	p := read("a≥b", "b>0", "a=b")
	r := prover.Prove(p.Sequent, prover.Options{Steps: 10_000})
	if r.Proof == nil {
		t.Fatal("nothing is found")
	}
	found := p.Certify(r.Sequent.Bank, r.Proof, r.Checked, 7)
	a, ok := found.Answer(answer.Digest{})
	if !ok {
		t.Fatal("an answer that cannot be written")
	}
	for name, test := range map[string]struct {
		p    *verdict.Problem
		want string
	}{
		"itself":             {p, "proved, uncounted [1]"},
		"core alone":         {read("a≥b", "a=b"), "proved, uncounted [0]"},
		"without hypotheses": {read("a≥b"), "false []"},
		"another hypothesis": {read("a≥b", "b=a"), "false []"},
		"another goal":       {read("b≥a+1", "a=b"), "false []"},
	} {
		o, why := test.p.Accept(test.p.Sequent, answer.Digest{}, a, answer.ProcessKey())
		got := string(why)
		if why == "" {
			got = shown(o)
		}
		if got = fmt.Sprint(got, " ", o.Used); got != test.want {
			t.Errorf("%s: %s; want %s", name, got, test.want)
		}
	}
	if o := read("b≥a+1", "b>0", "a=b").Certify(r.Sequent.Bank, r.Proof, r.Checked, 7); o.Verdict != verdict.Open || o.Uncertified != 1 {
		t.Errorf("a proof of another goal is %s", o.Verdict)
	}
}
