package text_test

import (
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

type formula struct {
	Kind, In string
	Env      map[string]string
}

// TestRoundTrip reads every variant of the text of the reference formulas again.
func TestRoundTrip(t *testing.T) {
	n := 0
	for _, d := range corpus.Lines[formula](t, "conformance/type.jsonl.gz", corpus.Effort(10, 1, 1)) {
		if d.Kind != "Predicate" && d.Kind != "Expression" {
			continue
		}
		parse := lang.ParsePredicate
		if d.Kind == "Expression" {
			parse = lang.ParseExpression
		}
		b := logic.NewBank()
		env, err := new(check.Reader).Env(b, d.Env)
		if err != nil {
			continue
		}
		read := func(s string, dialect lang.Dialect) (logic.Term, bool) {
			f, problems := parse(s, dialect)
			if len(problems) > 0 {
				return 0, false
			}
			u, inferred, found := check.Formula(b, env, f)
			for _, x := range inferred {
				env[x.Name] = x.Type
			}
			return u, len(found) == 0
		}
		u, ok := read(d.In, lang.Stored)
		if !ok {
			continue
		}
		n++
		for _, o := range []text.Options{{}, {Spaced: true}, {Width: 30}, {ASCII: true}} {
			dialect := lang.Stored
			if o.ASCII || o.Spaced {
				dialect = lang.Text
			}
			s := o.Term(b, u)
			if v, ok := read(s, dialect); !ok || b.Bare(v) != b.Bare(u) {
				t.Errorf("%+v: %s is not read again", o, s)
			}
		}
	}
	if n < 500 {
		t.Errorf("only %d formulas", n)
	}
}
