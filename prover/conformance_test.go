package prover_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover"
)

// rewrites is the file of them in the reference data.
const rewrites = "conformance/rewrite.jsonl.gz"

// rewriting is one rewrite of Rodin's simplifiers.
type rewriting struct {
	Env     map[string]string `json:"env"`
	In, Out string
	Test    string `json:"test"`
}

// statement returns in ⇔ out, or in = out, as a sequent, and as text.
func (r rewriting) statement(reader *check.Reader) (s logic.Sequent, goal string, err error) {
	for _, op := range []string{"⇔", "="} {
		goal = "(" + r.In + ")" + op + "(" + r.Out + ")"
		if s, err = reader.Sequent(r.Env, nil, nil, goal); err == nil {
			return s, goal, nil
		}
	}
	return s, goal, err
}

// outcome collects what became of the statements of a corpus.
type outcome struct {
	proved, tried int
	open          []string
}

func (o *outcome) prove(t *testing.T, name string, s logic.Sequent) prover.Verdict {
	o.tried++
	res := prover.Prove(s, prover.Options{})
	if res.Uncertified > 0 {
		t.Errorf("%s: the kernel refused a proof: %v", name, res.Refusal)
	}
	if res.Verdict == prover.Open {
		o.open = append(o.open, name)
	} else {
		o.proved++
	}
	return res.Verdict
}

// report demands that all statements are proved: a share of them would hide which ones a change loses.
func (o *outcome) report(t *testing.T) {
	t.Logf("proved %d of %d", o.proved, o.tried)
	if len(o.open) > 0 {
		t.Errorf("open:\n%s", strings.Join(o.open, "\n"))
	}
}

// TestRewrites proves that each rewrite of Rodin's simplifiers keeps the meaning of
// the formula, where that is well-defined. Rewrites whose text is not of the
// present language, or gives no types, are listed.
func TestRewrites(t *testing.T) {
	reader := &check.Reader{}
	var o outcome
	for i, r := range corpus.Lines[rewriting](t, rewrites, corpus.Effort(20, 1, 1)) {
		s, goal, err := r.statement(reader)
		if err != nil {
			t.Logf("not read: %d %s: %v", i, r.Test, err)
			continue
		}
		o.prove(t, fmt.Sprintf("%d %s: %s", i, r.Test, goal), s)
	}
	o.report(t)
}

// TestConformance proves the theorems among the sequents of Rodin's own tests, and
// no other.
func TestConformance(t *testing.T) {
	reader := &check.Reader{}
	var o outcome
	for i, r := range readRecords(t, "conformance/sequents.jsonl.gz") {
		theorem := r.Expect == "provable"
		if theorem && i%corpus.Effort(20, 1, 1) != 0 {
			continue
		}
		s, ok := read(t, reader, r)
		if !ok {
			continue
		}
		if theorem {
			o.prove(t, r.name()+": "+r.Goal, s)
		} else if v := prover.Prove(s, prover.Options{}).Verdict; v != prover.Open {
			t.Errorf("%s: %v, but no theorem", r.name(), v)
		}
	}
	o.report(t)
}
