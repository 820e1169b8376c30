package lang

import (
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/rules"
)

// codes lists the codes of the diagnostics of src.
func codes(src string) []string {
	var diags diag.List
	Parse("test.eventb", []byte(src), &diags)
	var list []string
	for _, d := range diags.Sorted() {
		list = append(list, d.Code)
	}
	return list
}

func TestRulesHaveExamples(t *testing.T) {
	large := map[string]string{
		codeTooLong: strings.Repeat(" ", maxSource+1),
		codeNesting: "context C axioms @a " + strings.Repeat("(", 10000) + "1" + strings.Repeat(")", 10000) + " = 1 end",
	}
	n := 0
	for _, r := range rules.All() {
		if r.Code >= "GR0100" {
			break
		}
		n++
		example := r.Example
		if example == "" {
			example = large[r.Code]
		}
		if r.Code == codeTooMany || r.Code == FaultCode {
			continue // see TestManyErrors, and the tests of faults of the command line
		}
		if got := codes(example); !slices.Equal(got, []string{r.Code}) {
			t.Errorf("example of %s (%s) has %v", r.Code, r.Title, got)
		}
	}
	if n < 20 {
		t.Errorf("only %d rules of the reader", n)
	}
}

func TestManyErrors(t *testing.T) {
	src := "context C axioms\n" + strings.Repeat("@a 1 = \n", 1000) + "end"
	got := codes(src)
	if len(got) != maxErrors+1 || got[0] != codeEnd || got[maxErrors] != codeTooMany {
		t.Errorf("%d diagnostics, %v … %v", len(got), got[0], got[len(got)-1])
	}
}

// TestErrors reads broken files. Behind ### stand the code and a piece of the
// message or hint of each diagnostic that begins on the line.
func TestErrors(t *testing.T) {
	src := read(t, "errors.eventb")
	var diags diag.List
	Parse("errors.eventb", []byte(src), &diags)
	byLine := map[int][]diag.Diagnostic{}
	for _, d := range diags.Sorted() {
		byLine[d.Span.Line] = append(byLine[d.Span.Line], d)
	}
	for i, line := range strings.Split(src, "\n") {
		var wants []string
		if _, want, ok := strings.Cut(line, "//###"); ok {
			wants = strings.Split(want, ";;")
		}
		got := byLine[i+1]
		if len(got) != len(wants) {
			t.Errorf("line %d: %d diagnostics %v, want %d", i+1, len(got), got, len(wants))
			continue
		}
		for j, want := range wants {
			code, text, _ := strings.Cut(strings.TrimSpace(want), " ")
			if d := got[j]; d.Code != code || !strings.Contains(d.Message+" / "+d.Help, text) {
				t.Errorf("line %d: got %v (%s), want %s", i+1, d, d.Help, want)
			}
		}
	}
}

// TestHostile reads inputs that are made to take time or memory.
func TestHostile(t *testing.T) {
	n := corpus.Effort(5_000, 20_000, 200_000)
	machine := func(formula string) string { return "machine M invariants @i " + formula + " end" }
	for _, c := range []struct {
		what, src string
		max       int // diagnostics
	}{
		{"10 MB line", strings.Repeat("x∧", 2_500_000), 1},
		{"unclosed parentheses", machine(strings.Repeat("(", n)), 1},
		{"closed parentheses", machine(strings.Repeat(")", n)), 1},
		{"braces", machine(strings.Repeat("{", n)), 1},
		{"negations", machine(strings.Repeat("¬", n) + "⊤"), 1},
		{"quantifiers", machine(strings.Repeat("∀x·", n) + "⊤"), 1},
		{"differences", machine("1 = " + strings.Repeat("1−", n) + "1"), 1},
		{"conversions", machine("r" + strings.Repeat("∼", n) + " = r"), 1},
		{"applications", machine("f" + strings.Repeat("(x)", n) + " = 1"), 1},
		{"one long sum", machine("1 = " + strings.Repeat("1+", n) + "1"), 0},
		{"one long set", machine("1 ∈ {" + strings.Repeat("1,", n) + "1}"), 0},
		{"incompatible operators", machine(strings.Repeat("a∪b∩", n) + "c = d"), 1},
		{"implicit sets", machine("1 ∈ " + strings.Repeat("{x∣x=1}∪", n/4) + "S"), 0},
		{"labels", machine(strings.Repeat("@a ", n)), maxErrors + 1},
		{"backquotes", machine(strings.Repeat("`", n+1)), maxErrors + 1},
		{"comments", strings.Repeat("/* ", n), 1},
		{"names", "machine M variables " + strings.Repeat("x ", n) + " end", 0},
		{"words", strings.Repeat("end ", n), 1},
		{"unknown", machine(strings.Repeat("⟶", n)), 1},
	} {
		var got []string
		bytes := corpus.Allocated(func() { got = codes(c.src) })
		if len(got) > c.max || c.max > 0 && len(got) == 0 {
			t.Errorf("%s: %d diagnostics", c.what, len(got))
		}
		// Work grows with the text: about 800 bytes are allocated for each of its own.
		if each := bytes / int64(len(c.src)); each > 2000 {
			t.Errorf("%s: %d bytes are allocated for each of the text", c.what, each)
		}
	}
}
