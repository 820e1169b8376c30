package lang

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gradine/gradine/lang/internal/scan"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/notation"
)

var update = flag.Bool("update", false, "rewrite golden files and generated parts of documents")

const languageDoc = "../docs/language.md"

// groupNames names the groups of operators for people.
var groupNames = []string{
	notation.QuantPred: "quantifiers", notation.InfixPred: "implications", notation.LogicPred: "conjunction, disjunction",
	notation.NotPred: "negation", notation.AtomPred: "atomic predicates", notation.Quantification: "binders of expressions",
	notation.Relational: "relations", notation.Pair: "pairs", notation.Typed: "types", notation.Arrow: "arrows",
	notation.SetOp: "sets and relations", notation.Interval: "interval", notation.Sum: "sums", notation.Product: "products",
	notation.Power: "power", notation.Functional: "application, image", notation.Conversion: "converse",
	notation.ClosedCall: "calls", notation.BoolCall: "truth value", notation.BraceSet: "sets in braces", notation.AtomExpr: "atoms",
}

// operatorTable is the table of operators in Markdown.
func operatorTable() string {
	var b strings.Builder
	for g := notation.QuantPred; g <= notation.AtomExpr; g++ {
		var words []string
		for _, e := range notation.All() {
			if e.Group == g && (e.Unicode != "" && e.Group != notation.Sum || e.Shape == notation.Infix) {
				words = append(words, spelled(e))
			}
		}
		switch g {
		case notation.Functional:
			words = []string{"`f(x)`", "`r[S]`"}
		case notation.BraceSet:
			words = []string{"`{a, b}`", "`{x·P ∣ E}`", "`{E ∣ P}`"}
		case notation.AtomExpr:
			words = append(words, "names, literals")
		}
		fmt.Fprintf(&b, "| %s | %s |\n", groupNames[g], strings.Join(words, ", "))
	}
	return b.String()
}

// spelled shows the spellings of e: Unicode, then ASCII.
func spelled(e *notation.Entry) string {
	words := slices.Clone(e.ASCII)
	if !strings.ContainsAny(e.Unicode, "\ue100\ue101\ue102\ue103") {
		words = append([]string{e.Unicode}, words...)
	}
	for i, w := range words {
		words[i] = "`" + strings.ReplaceAll(w, "|", `\|`) + "`"
	}
	return strings.Join(words, " ")
}

// neighbourTable is the table of compatible operators in Markdown.
func neighbourTable() string {
	var b strings.Builder
	for _, e := range notation.All() {
		if e.Shape != notation.Infix || len(e.Before) == 0 {
			continue
		}
		var next []string
		for _, op := range e.Before {
			if f := notation.Of(op); f.Shape == notation.Infix {
				next = append(next, "`"+spell(op)+"`")
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", spell(e.Op), strings.Join(next, " "))
	}
	return b.String()
}

// reservedTable lists the words that cannot be names of what formulas speak of.
func reservedTable() string {
	var plain, ascii []string
	for _, w := range notation.Reserved {
		plain = append(plain, "`"+w+"`")
	}
	for _, w := range notation.ReservedASCII {
		ascii = append(ascii, "`"+w+"`")
	}
	return fmt.Sprintf("| %s | they are operators and constants, in Rodin too |\n| %s | they spell operators in ASCII |\n", strings.Join(plain, " "), strings.Join(ascii, " "))
}

// foreignTable lists the spellings of other languages, those with the same answer in one row.
func foreignTable() string {
	var answers []string
	spelled := map[string][]string{}
	for _, s := range foreignSpellings {
		if spelled[s.help] == nil {
			answers = append(answers, s.help)
		}
		spelled[s.help] = append(spelled[s.help], "`"+s.text+"`")
	}
	var b strings.Builder
	for _, answer := range answers {
		b.WriteString(strings.ReplaceAll(fmt.Sprintf("| %s | %s", strings.Join(spelled[answer], " "), answer), "|->", `\|->`) + " |\n")
	}
	for _, op := range []logic.Op{logic.Inter, logic.Union, logic.PProd} {
		fmt.Fprintf(&b, "| `%s` between predicates | %s |\n", strings.ReplaceAll(notation.Of(op).PreferredASCII(), "|", `\|`), strings.ReplaceAll(connectives[op].help, "||", `\|\|`))
	}
	return b.String()
}

func TestLanguageDocTables(t *testing.T) {
	data, err := os.ReadFile(languageDoc)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for name, table := range map[string]string{"operators": operatorTable(), "neighbours": neighbourTable(), "reserved": reservedTable(), "foreign": foreignTable()} {
		part := regexp.MustCompile(`(?s)(<!-- ` + name + ` -->\n\|[^\n]*\n\|[-|]*\n)(.*?)(<!-- end -->)`)
		m := part.FindStringSubmatchIndex(text)
		if m == nil {
			t.Fatalf("no table %s", name)
		}
		if got := text[m[4]:m[5]]; got != table && !*update {
			t.Errorf("table %s is out of date (run the test with -update):\n%s", name, cmp.Diff(table, got))
		}
		text = text[:m[4]] + table + text[m[5]:]
	}
	if *update {
		if err := os.WriteFile(languageDoc, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLanguageDocExamples(t *testing.T) {
	data, err := os.ReadFile(languageDoc)
	if err != nil {
		t.Fatal(err)
	}
	files := regexp.MustCompile("(?s)```eventb\n(.*?)```").FindAllStringSubmatch(string(data), -1)
	for _, m := range files {
		checkFormat(t, mustParse(t, m[1]), sameWithoutDocs)
	}
	rows := regexp.MustCompile("(?m)^\\| `(.*)` \\| (`(.*)`|error: (GR\\d+)) \\|$").FindAllStringSubmatch(string(data), -1)
	read := 0
	for _, m := range rows {
		text, want, code := strings.ReplaceAll(m[1], `\|`, "|"), m[3], m[4]
		if strings.HasPrefix(text, "|") || isOperator(text) {
			continue
		}
		read++
		f, problems := ParsePredicate(text, scan.Text)
		switch {
		case code != "" && (len(problems) != 1 || problems[0].Code != code):
			t.Errorf("%s: %v, want %s", text, problems, code)
		case code == "" && problems != nil:
			t.Errorf("%s: %v", text, problems)
		case code == "" && FullyParenthesised(f) != want:
			t.Errorf("%s is read as %s", text, FullyParenthesised(f))
		}
	}
	if len(files) < 3 || read < 15 {
		t.Errorf("only %d files and %d formulas found", len(files), read)
	}
}

// isOperator reports whether text is one operator, of the table of neighbours.
func isOperator(text string) bool {
	tokens := scan.All(text, scan.Text)
	return len(tokens) == 2 && tokens[0].Kind == scan.Sign
}
