package latex_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/report/latex"
	"github.com/gradine/gradine/logic/notation"
	"github.com/gradine/gradine/project"
)

// A document of LaTeX has balanced braces and dollars, and no character that its fonts
// lack; what a model says is not a command.
func TestLaTeX(t *testing.T) {
	listings := []project.Listing{{Kind: "machine", Component: "a_b", Lines: []project.Line{
		{Keyword: "machine", Name: "a_b", Comment: "costs 5% of $10 & more\n{\\input{x}} → ☃"},
		{Depth: 1, Label: "inv_1", Theorem: true, Formula: []string{"∀x·x ∈ ℕ1 ∧ f ∈ A ⇸ ℙ(B) ⇒", "  (f <+ {x ↦ BOOL})∼[dom(g)] ⊆ 0 ‥ card(s) ∧ a' = b ÷ 2 ∧ T_ev <<->> x"}},
		{Keyword: "convergent event", Name: "go", Depth: 1},
		{Depth: 2, Label: "act", Formula: []string{"x :∣ x' > x", "y :∈ S ∖ T"}, Comment: "é"},
	}}}
	var out bytes.Buffer
	if err := latex.Write(&out, "a_b", "", listings); err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(out.String(), "\\begin{document}")
	bare := strings.NewReplacer(`\\{`, "", `\\}`, "", `\{`, "", `\}`, "", `\$`, "").Replace(body)
	if strings.Count(bare, "{") != strings.Count(bare, "}") || strings.Count(bare, "$")%2 != 0 {
		t.Errorf("braces or dollars are not balanced:\n%s", body)
	}
	for _, r := range body {
		if r > 0x17f {
			t.Errorf("character %c", r)
		}
	}
	for _, want := range []string{`\mathbb{N}_1`, `\pfun`, `\mathrm{card}`, `\mathit{T\_ev}`, `\ovl`, `\bcmsuch`, `5\% of \$10 \& more`, `\textbackslash{}input`, `[U+2603]`, `\kw{CONVERGENT EVENT} \textit{go}`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in\n%s", want, body)
		}
	}
}

// TestOperatorsHaveSymbols: no operator is printed as its code point, or as text.
func TestOperatorsHaveSymbols(t *testing.T) {
	for _, e := range notation.All() {
		for _, spelling := range []string{e.Unicode, e.Readable()} {
			var out bytes.Buffer
			listings := []project.Listing{{Kind: "context", Component: "c", Lines: []project.Line{{Label: "l", Formula: []string{"(" + spelling + ")"}}}}}
			if err := latex.Write(&out, "c", "", listings); err != nil {
				t.Fatal(err)
			}
			_, body, _ := strings.Cut(out.String(), "\\begin{document}")
			if strings.Contains(body, "[U+") || strings.Contains(body, `\text{`) {
				t.Errorf("%s has no symbol: add one to latexSymbols in internal/report/latex/latex.go\n%s", spelling, body)
			}
		}
	}
}
