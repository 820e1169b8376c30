package scan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/notation"
)

// written lists tokens as text: their class, and what they say.
func written(src string, tokens []Token) string {
	names := []string{End: "end", Name: "name", Number: "number", PredVar: "predicate", Comment: "comment", Unknown: "unknown"}
	var out []string
	for _, tok := range tokens {
		text := src[tok.From:tok.To]
		switch tok.Kind {
		case End:
			continue
		case Sign:
			if tok.Sign >= LeftParen {
				out = append(out, text)
				continue
			}
			out = append(out, notation.Of(tok.Sign).Unicode)
		case Name:
			out = append(out, "name("+Unquote(text)+")")
		default:
			out = append(out, fmt.Sprintf("%s(%s)", names[tok.Kind], text))
		}
	}
	return strings.Join(out, " ")
}

// TestAll cuts texts of both dialects into tokens.
func TestAll(t *testing.T) {
	for _, c := range []struct {
		src     string
		dialect Dialect
		want    string
	}{
		{"x∈A", Text, "name(x) ∈ name(A)"},
		{"x:A", Text, "name(x) ∈ name(A)"},
		{"x:A", Stored, "name(x) unknown(:) name(A)"},
		{"not p or q", Text, "¬ name(p) ∨ name(q)"},
		{"not p or q", Stored, "name(not) name(p) name(or) name(q)"},
		{"a<->b<<->c", Text, "name(a) ↔ name(b) \ue100 name(c)"}, // the longest spelling wins
		{"x'=x+1", Text, "name(x') = name(x) + number(1)"},
		{"x''", Text, "name(x') unknown(')"},
		{"`my name`'≔`a``b`", Text, "name(my name') ≔ name(a`b)"},
		{"`open", Text, "unknown(`) name(open)"},
		{"x // y\nz /* w\n */ v", Text, "name(x) comment(// y) name(z) comment(/* w\n */) name(v)"},
		{"x /* never closed", Text, "name(x) comment(/* never closed)"},
		{"x // y", Stored, "name(x) unknown(/) unknown(/) name(y)"},
		{`"camille" x`, Text, `comment("camille") name(x)`},
		{"\"two\nlines\"", Text, "unknown(\") name(two) name(lines) unknown(\")"},
		{"$P ∧ $1", Text, "predicate($P) ∧ unknown($) number(1)"},
		{"λx·x∈ℤ∣x", Text, "λ name(x) · name(x) ∈ ℤ ∣ name(x)"},
		{"12ab", Text, "number(12) name(ab)"},
		{"a\u00a0b", Text, "name(a) name(b)"}, // a blank of another kind
		{"dom(r)", Text, "dom ( name(r) )"},
		{"domain", Text, "name(domain)"},
		{"\xff", Text, "unknown(\xff)"},
		{"", Text, ""},
	} {
		tokens := All(c.src, c.dialect)
		if got := written(c.src, tokens); got != c.want {
			t.Errorf("%q: %s, want %s", c.src, got, c.want)
		}
		at := 0
		for _, tok := range tokens {
			if tok.From < at || tok.To < tok.From || tok.To > len(c.src) {
				t.Errorf("%q: token %+v behind byte %d", c.src, tok, at)
			}
			at = tok.To
		}
		for _, tok := range Words(c.src, c.dialect) {
			if tok.Kind == Comment {
				t.Errorf("%q: a comment among the words", c.src)
			}
		}
	}
}

// TestWord knows the operators that are words, and no names.
func TestWord(t *testing.T) {
	for text, want := range map[string]logic.Op{"or": logic.Or, "not": logic.Not, "NAT": logic.Natural, "mod": logic.Mod, "x": 0, "": 0} {
		if op, ok := Word(text); op != want || ok != (want != 0) {
			t.Errorf("%q: operator %d, %v", text, op, ok)
		}
	}
}

// TestQuoted reads quoted names: a doubled quote stands for one, and an open one is none.
func TestQuoted(t *testing.T) {
	for src, want := range map[string]int{"`a`b": 3, "`a``b`": 6, "``": 2, "`a": 0, "`a``": 0} {
		if to := QuotedEnd(src, 0); to != want {
			t.Errorf("%s ends at %d, want %d", src, to, want)
		}
	}
}
