package wd_test

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/logic/wd"
)

type wdCase struct {
	Kind, In, WD string
	Env          map[string]string
}

// lemma returns the text of the well-definedness lemma of c.
func (c wdCase) lemma(t *testing.T) string {
	b := logic.NewBank()
	env, err := new(check.Reader).Env(b, c.Env)
	if err != nil {
		t.Fatal(err)
	}
	if c.Kind == "Assignment" {
		a, problems := lang.ParseAssignment(c.In, lang.Stored)
		if len(problems) > 0 {
			t.Fatalf("%s: %v", c.In, problems)
		}
		act, _, found := check.Assignment(b, env, a)
		if len(found) > 0 {
			t.Fatal(found)
		}
		var after []logic.Term
		if act.Kind == model.BecomesSuch {
			for _, v := range act.Left {
				after = append(after, b.Free(b.Name(v)+"'", b.Type(v)))
			}
		}
		return text.Term(b, wd.Assignment(b, after, act.Right...))
	}
	parse := lang.ParsePredicate
	if c.Kind == "Expression" {
		parse = lang.ParseExpression
	}
	f, problems := parse(c.In, lang.Stored)
	if len(problems) > 0 {
		t.Fatalf("%s: %v", c.In, problems)
	}
	u, _, found := check.Formula(b, env, f)
	if len(found) > 0 {
		t.Fatal(found)
	}
	return text.Term(b, wd.Lemma(b, u))
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// foreign are cases that are no Event-B.
var foreign = map[string]string{"[[1]]": "a list of a datatype, which the Theory plug-in would declare"}

// TestCorpus compares with the lemmas that Rodin gives.
func TestCorpus(t *testing.T) {
	n := 0
	for _, c := range corpus.Lines[wdCase](t, "conformance/wd.jsonl.gz", 1) {
		n++
		if why := foreign[c.In]; why != "" {
			t.Logf("%s: %s", c.In, why)
			continue
		}
		if got := c.lemma(t); squeeze(got) != squeeze(c.WD) {
			t.Errorf("lemma of %s is\n     %s\nwant %s", c.In, got, c.WD)
		}
	}
	if n < 100 {
		t.Errorf("only %d cases", n)
	}
}
