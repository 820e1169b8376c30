package lang

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/internal/scan"
)

type corpusCase struct {
	Kind, In, Out string
	Env           map[string]string
	Problems      []struct {
		Code  string
		Error bool
	}
}

// paren reads c.In as its kind says and prints it.
func (c *corpusCase) paren(d scan.Dialect) (string, []Problem) {
	var f *Formula
	var problems []Problem
	switch c.Kind {
	case "Predicate":
		f, problems = ParsePredicate(c.In, d)
	case "Expression":
		f, problems = ParseExpression(c.In, d)
	case "Type":
		if f, problems = ParseType(c.In, d); problems == nil {
			return TypeText(f), nil
		}
	case "Assignment":
		a, problems := ParseAssignment(c.In, d)
		if problems == nil {
			return a.FullyParenthesised(), nil
		}
		return "", problems
	}
	if problems == nil {
		return FullyParenthesised(f), nil
	}
	return "", problems
}

// oldLanguage tells why Rodin's answer is that of its first mathematical
// language, which the version read here replaced, or "".
func oldLanguage(c *corpusCase) string {
	words := func(text string) bool { return regexp.MustCompile(`\bpartition\b[^(]`).MatchString(text) }
	switch {
	case regexp.MustCompile(`(^|[^\pL\d_])(id|prj1|prj2)\(`).MatchString(c.Out):
		return "id, prj1 and prj2 were functions of one argument"
	case words(c.In) || strings.Contains(c.Out, "(partition)"):
		return "partition was not a reserved word"
	case regexp.MustCompile(`([↔\x{e100}-\x{e102}⇸→⤔↣⤀↠⤖])[^()]*([↔\x{e100}-\x{e102}⇸→⤔↣⤀↠⤖])`).MatchString(c.In):
		return "arrows could be chained"
	}
	return ""
}

func TestCorpusParses(t *testing.T) {
	cases := corpus.All[corpusCase](t, "conformance/parse.jsonl.gz")
	start := time.Now()
	bad, old := 0, map[string]int{}
	for _, c := range cases {
		got, problems := c.paren(scan.Stored)
		if got == c.Out {
			continue
		}
		if why := oldLanguage(&c); why != "" {
			old[why]++
			continue
		}
		bad++
		t.Errorf("%s %q:\n got %q\nwant %q\n%v", c.Kind, c.In, got, c.Out, problems)
	}
	t.Logf("%d formulas in %v; %d differ; of the old language %v", len(cases), time.Since(start), bad, old)
}

// typeProblems are Rodin's problems with formulas that are well formed: they
// concern types, and are found by package check.
var typeProblems = []string{
	"Variable has an unknown type",
	"Types do not match",
	"Type: %1$s does not match type: %2$s",
	"Arithmetic multiplication applied to a set expression",
	"Arithmetic subtraction applied to a set expression",
	"Name %1$s is used both as a given type and as a free identifier with type %2$s",
}

func TestCorpusRejects(t *testing.T) {
	rejected, typed := 0, 0
	for _, c := range corpus.All[corpusCase](t, "conformance/reject.jsonl.gz") {
		got, problems := c.paren(scan.Stored)
		switch byType := slices.Contains(typeProblems, c.Problems[0].Code); {
		case byType && problems != nil:
			t.Errorf("%s %q is well formed, but: %v", c.Kind, c.In, problems)
		case byType:
			typed++
		case problems == nil:
			t.Errorf("%s %q accepted as %s; Rodin: %s", c.Kind, c.In, got, c.Problems[0].Code)
		default:
			rejected++
		}
	}
	t.Logf("%d rejected, %d left to the type checker", rejected, typed)
}
