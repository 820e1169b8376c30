package lang

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/lang/internal/scan"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/notation"
)

// strength lists the infix operators from the loosest to the tightest, as the
// language reference has them; those of one line bind alike.
const strength = `⇒ ⇔
∧ ∨
= ≠ < ≤ > ≥ ∈ ∉ ⊂ ⊄ ⊆ ⊈
↦
↔ ` + "\ue100 \ue101 \ue102" + ` ⇸ → ⤔ ↣ ⤀ ↠ ⤖
∪ ∩ ∖ × ⊗ ∥ ∘ ; ` + "\ue103" + ` ◁ ⩤ ▷ ⩥
‥
+ −
∗ ÷ mod
^`

// followers lists, for each operator, those that may follow it without
// parentheses at the same strength.
var followers = map[string]string{
	"∧": "∧", "∨": "∨", "↦": "↦",
	"∪": "∪", "∩": "∩ ∖ ▷ ⩥", "×": "×", "∘": "∘", ";": "; ▷ ⩥", "\ue103": "\ue103",
	"◁": "∩ ∖ ; ⊗ ▷ ⩥", "⩤": "∩ ∖ ; ⊗ ▷ ⩥",
	"+": "+ −", "−": "+ −", "∗": "∗ ÷ mod", "÷": "∗ ÷ mod", "mod": "∗ ÷ mod",
}

const flat = "∧ ∨ ∪ ∩ ∘ ; \ue103 + ∗" // repeated, one node of many operands

func has(list, word string) bool {
	for _, w := range strings.Fields(list) {
		if w == word {
			return true
		}
	}
	return false
}

// TestAllPairs reads a l b r c for every two infix operators l and r that some
// grouping gives the right sorts.
func TestAllPairs(t *testing.T) {
	level := map[string]int{}
	var all []string
	for i, line := range strings.Split(strength, "\n") {
		for _, op := range strings.Fields(line) {
			level[op] = i
			all = append(all, op)
		}
	}
	for _, e := range notation.All() {
		if _, ok := level[e.Unicode]; e.Shape == notation.Infix && e.Op != notation.OfType && !ok {
			t.Errorf("%s is missing in this test", e.Unicode)
		}
	}
	sort := func(op string) int { return min(level[op], 3) } // 0, 1 connectives; 2 relations; 3 expressions
	for _, l := range all {
		for _, r := range all {
			if min(sort(l), sort(r)) < 2 && max(sort(l), sort(r)) == 3 {
				continue // P ∧ E ∪ F has no reading
			}
			operand := func(ops ...string) string {
				for _, op := range ops {
					if sort(op) >= 2 {
						return "x"
					}
				}
				return "⊤"
			}
			a, b, c := operand(l), operand(l, r), operand(r)
			text := fmt.Sprintf("%s %s %s %s %s", a, l, b, r, c)
			want, isPred := "", min(sort(l), sort(r)) < 3
			left := func() string { return paren2(paren2(a, l, b), r, c) }
			switch {
			case level[l] > level[r]:
				want = left()
			case level[l] < level[r]:
				want = paren2(a, l, paren2(b, r, c))
			case l == r && has(flat, l):
				want = fmt.Sprintf("(%s)%s(%s)%s(%s)", a, l, b, r, c)
			case has(followers[l], r):
				want = left()
			}
			parse := ParseExpression
			if isPred {
				parse = ParsePredicate
			}
			f, problems := parse(text, scan.Stored)
			switch {
			case want == "" && (len(problems) != 1 || problems[0].Code != codeParens):
				t.Errorf("%s: %v, want missing parentheses", text, problems)
			case want != "" && problems != nil:
				t.Errorf("%s: %v", text, problems)
			case want != "":
				if got := FullyParenthesised(f); got != want {
					t.Errorf("%s reads as %s, want %s", text, got, want)
				}
			}
		}
	}
}

// paren2 is (a) op (b), spaced as canonical text is.
func paren2(a, op, b string) string {
	if e := entryOf(op); e.Spaced {
		op = " " + op + " "
	}
	return "(" + a + ")" + op + "(" + b + ")"
}

func entryOf(spelling string) *notation.Entry {
	for _, e := range notation.All() {
		if e.Unicode == spelling && e.Op != logic.Neg {
			return e
		}
	}
	panic("no operator " + spelling)
}

// TestParenthesesWhereRodinWantsThem lists cases other than pairs of infix operators.
func TestParenthesesWhereRodinWantsThem(t *testing.T) {
	for text, want := range map[string]string{
		"⊤ ∧ ∀x·x=1":     "",
		"(⊤ ∧ ∀x·x=1)":   "(⊤)∧(∀x·(x)=(1))",
		"⊤ ⇒ ∃x·x=1":     "",
		"¬∀x·x=1":        "",
		"¬¬⊤":            "¬(¬(⊤))",
		"¬x=y":           "¬((x)=(y))",
		"f=λx·⊤∣x":       "",
		"a+−b = c":       "",
		"a+−1 = c":       "((a)+(−1))=(c)",
		"a+− 1 = c":      "",
		"−a∗b = c":       "(−((a)∗(b)))=(c)",
		"−a+b = c":       "((−(a))+(b))=(c)",
		"−1∗a = c":       "(−((1)∗(a)))=(c)",
		"−x^2 = c":       "(−((x) ^ (2)))=(c)",
		"−−a = c":        "",
		"−(1) = c":       "(−(1))=(c)",
		"f(x)(y) = c":    "(((f)(x))(y))=(c)",
		"r[S][T] = c":    "(((r)[S])[T])=(c)",
		"f(x)∼ = c":      "(((f)(x))∼)=(c)",
		"r∼∼ = c":        "(((r)∼)∼)=(c)",
		"∀x·∃y·x=y ∧ ⊤":  "∀x·∃y·((x)=(y))∧(⊤)",
		"{x+a∣x=a} = c":  "({(x)+(a) ∣ (x)=(a)})=(c)",
		"∅⦂ℙ(S) = c":     "(∅)=(c)",
		"c = ∅⦂ℙ(S)":     "(c)=(∅)",
		"c ∪ ∅⦂ℙ(S) = c": "",
		"{x∣⊤} ⊆ {} ∨ ⊤": "(({x ∣ ⊤})⊆({}))∨(⊤)",
		"(c)(x) = 007":   "((c)(x))=(7)",
	} {
		f, problems := ParsePredicate(text, scan.Stored)
		if got := ""; want == "" && problems == nil || want != "" && problems != nil {
			t.Errorf("%s: %v", text, problems)
		} else if f != nil {
			if got = FullyParenthesised(f); got != want {
				t.Errorf("%s reads as %s, want %s", text, got, want)
			}
		}
	}
}
