package lang

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gradine/gradine/lang/internal/scan"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/notation"
)

// foreignSpellings are spellings of other languages with what to write instead.
// They matter only where a formula has failed already, at such a spelling.
var foreignSpellings = []struct{ text, help string }{
	{"<==>", "equivalence is ⇔ (<=>)"},
	{"===", "equality is =, equivalence ⇔ (<=>)"},
	{"!==", "inequality is ≠ (/=)"},
	{"==>", "implication is ⇒ (=>)"},
	{"<==", "⇐ is not in the language: write the implication the other way round, with ⇒ (=>)"},
	{"!=", "inequality is ≠ (/=)"},
	{"<>", "inequality is ≠ (/=)"},
	{"==", "equality is ="},
	{"=<", "less or equal is ≤ (<=)"},
	{"&&", "conjunction is ∧ (&)"},
	{"->", "a total function is → (-->), a pair ↦ (|->), an implication ⇒ (=>)"},
	{"<-", "an assignment is ≔ (:=)"},
	{"++", "write x ≔ x + 1"},
	{"+=", "write x ≔ x + …"},
	{"-=", "write x ≔ x − …"},
	{":=", "equality is =; ≔ (:=) assigns, in actions only"},
	{"≔", "equality is =; ≔ (:=) assigns, in actions only"},
	{"\\in", "membership is ∈ (:)"},
	{"\\notin", "non-membership is ∉ (/:)"},
	{"\\cup", "union is ∪ (\\/)"},
	{"\\cap", "intersection is ∩ (/\\)"},
	{"\\subseteq", "inclusion is ⊆ (<:)"},
	{"\\land", "conjunction is ∧ (&)"},
	{"\\lor", "disjunction is ∨ (or)"},
	{"\\lnot", "negation is ¬ (not)"},
	{"\\neg", "negation is ¬ (not)"},
	{"\\A", "for all is ∀ (!): ∀x·x ∈ S ⇒ …"},
	{"\\E", "there exists is ∃ (#): ∃x·x ∈ S ∧ …"},
	{"in", "membership is ∈ (:)"},
	{"notin", "non-membership is ∉ (/:)"},
	{"and", "conjunction is ∧ (&)"},
	{"AND", "conjunction is ∧ (&)"},
	{"OR", "disjunction is ∨ (or)"},
	{"NOT", "negation is ¬ (not)"},
	{"implies", "implication is ⇒ (=>)"},
	{"iff", "equivalence is ⇔ (<=>)"},
	{"forall", "for all is ∀ (!): ∀x·x ∈ S ⇒ …"},
	{"exists", "there exists is ∃ (#): ∃x·x ∈ S ∧ …"},
	{"subset", "inclusion is ⊆ (<:), strict inclusion ⊂ (<<:)"},
	{"subseteq", "inclusion is ⊆ (<:)"},
	{"union", "the union of two sets is ∪ (\\/); union(A) joins the elements of a set of sets"},
	{"inter", "the intersection of two sets is ∩ (/\\); inter(A) intersects the elements of a set of sets"},
	{"div", "division is ÷ (/)"},
	{"...", "an interval is ‥ (..)"},
	{"%", "the remainder is mod; % is λ"},
	{"!", "negation is ¬ (not); ! is ∀"},
	{"~", "negation is ¬ (not); ~ is the converse of a relation"},
	{"if", "Event-B has no if in formulas: write two implications, or two events"},
	{"IF", "Event-B has no if in formulas: write two implications, or two events"},
	{"LET", "Event-B has no let in formulas: write ∃x·x = E ∧ …"},
	{";", "no separator is needed; ; is the composition of relations"},
}

// foreignLanguages tell texts of other languages, which matters only where a text has no
// structure of Event-B.
var foreignLanguages = []struct {
	name string
	sign *regexp.Regexp
}{
	{"TLA+", regexp.MustCompile(`(?m)^-{4,} *MODULE\b`)},
	{"classical B", regexp.MustCompile(`(?m)^\s*(OPERATIONS|PROPERTIES|(ABSTRACT|CONCRETE)_(VARIABLES|CONSTANTS)|IMPLEMENTATION|REFINEMENT)\b`)},
	{"Alloy", regexp.MustCompile(`(?m)^\s*((one|lone|some|abstract) )*sig \w+.*\{`)},
	{"Promela", regexp.MustCompile(`(?m)^\s*(active +)?proctype\b`)},
}

// foreignLanguage is the help with a text that is one of another language, or "".
func foreignLanguage(text string) string {
	for _, l := range foreignLanguages {
		if l.sign.MatchString(text) {
			return "this looks like " + l.name + "; gradine reads Event-B, in contexts and machines: docs/language.md"
		}
	}
	return ""
}

// noStrings is the help where people write a text.
const noStrings = "Event-B has no strings: write the name of a constant, one for each text, such as red of partition(COLOUR, {red}, {green}); text between \"quotes\" is a comment"

// foreignAt explains the token that a formula failed at, or the one before it, if
// it looks like an operator of another language.
func (g *grouper) foreignAt(t scan.Token) string {
	i := slices.Index(g.tokens, t)
	if i < 0 {
		return ""
	}
	for _, s := range foreignSpellings {
		for first := max(0, i-2); first <= i; first++ {
			end := g.tokens[first].From + len(s.text)
			if !strings.HasPrefix(g.src[g.tokens[first].From:], s.text) {
				continue
			}
			// The spelling is made of whole tokens and touches the failing one.
			if last := slices.IndexFunc(g.tokens, func(u scan.Token) bool { return u.To == end }); last >= i-1 && last <= i+1 && (last >= i || isWord(s.text)) {
				return s.help
			}
		}
	}
	return ""
}

func isWord(text string) bool { return scan.IsNameStart(rune(text[len(text)-1])) }

// connectives tells which operators of sets stand where people mean connectives.
var connectives = map[logic.Op]struct{ sign, help string }{
	logic.Inter: {"∧", "∧ (&) joins predicates; ∩ (/\\) is the intersection of sets"},
	logic.Union: {"∨", "∨ (or) joins predicates; ∪ (\\/) is the union of sets"},
	logic.PProd: {"∨", "∨ (or) joins predicates; ∥ (||) is the parallel product of relations"},
}

// isRelational reports whether op compares expressions.
func isRelational(op logic.Op) bool {
	return op < notation.NumOps && op != logic.Invalid && notation.Of(op).Group == notation.Relational
}

// chained explains two relations in a row, of which the first has mid on its right
// and the second, token t, has it on its left; rest ends with the operand behind
// t. One relation cannot be an operand of the other, so what is meant is either
// a connective in mid, or a chain.
func (g *grouper) chained(mid part, t scan.Token, rest int) string {
	whole := func(from int, op logic.Op, left, right *Formula) string {
		return fmt.Sprintf("%s: write %s %s %s", connectives[op].help, g.excerpt(from, left.Span.To), connectives[op].sign, g.excerpt(right.Span.From, rest))
	}
	if _, ok := connectives[mid.head]; ok && !mid.closed && len(mid.f.Args) == 2 {
		return whole(g.left, mid.head, mid.f.Args[0], mid.f.Args[1])
	}
	return fmt.Sprintf("write %s ∧ %s", g.excerpt(g.left, mid.to), g.excerpt(mid.from, rest))
}

// colonLabel is what stands in front of a formula without label as other languages write labels,
// with a colon at its end: inv1: x > 0. Where the formula is one of Event-B, the colon is ∈.
func (g *grouper) colonLabel() string {
	if g.labelled || len(g.tokens) < 4 {
		return ""
	}
	label, colon := g.tokens[0], g.tokens[1]
	if label.Kind != scan.Name || g.text(colon) != ":" || label.To != colon.From || colon.To == g.tokens[2].From {
		return ""
	}
	return g.text(label)
}
