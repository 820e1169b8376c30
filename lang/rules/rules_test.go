package rules

import (
	"regexp"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
)

func TestRules(t *testing.T) {
	last := ""
	for _, r := range All() {
		if !regexp.MustCompile(`^GR\d{4}$`).MatchString(r.Code) || r.Code <= last {
			t.Errorf("%s behind %s", r.Code, last)
		}
		last = r.Code
		if same, ok := Of(r.Code); !ok || same.Title != r.Title {
			t.Errorf("%s is not found", r.Code)
		}
		for _, code := range r.Also {
			if _, ok := Of(code); !ok {
				t.Errorf("%s: no rule %s", r.Code, code)
			}
		}
	}
	if id := RodinID("GR0100"); id != "org.eventb.core.TypesDoNotMatchError" {
		t.Errorf("GR0100 is %s", id)
	}
}

// TestSentences: an entry of the catalogue is read once. No sentence has more than 25 words.
func TestSentences(t *testing.T) {
	n := 0
	for _, r := range All() {
		for _, sentence := range regexp.MustCompile(`[.;:]\s+`).Split(r.Explanation+" "+r.Fix, -1) {
			n++
			if words := len(strings.Fields(sentence)); words > 25 {
				t.Errorf("%s: %d words: %s", r.Code, words, sentence)
			}
		}
	}
	if n < 400 {
		t.Errorf("only %d sentences found", n)
	}
}

func TestRead(t *testing.T) {
	r, err := read("GR0001", "title: A\nseverity: warning\nrodin: B\nalso: GR0002 GR0003\n\nC\nD.\n\nfix: E\nF.\n\n-- example.eventb --\ncontext C\nend\n")
	if err != nil || r.Title != "A" || r.Severity != diag.Warning || r.Rodin != "B" || len(r.Also) != 2 || r.Explanation != "C\nD." || r.Fix != "E\nF." || r.Example != "context C\nend\n" {
		t.Errorf("%+v, %v", r, err)
	}
	for _, text := range []string{"title: A\nseverity: odd\n\nB\n\nfix: C\n", "titel: A\n\nB\n\nfix: C\n", "title: A\nseverity: error\n\n", "title: A\nseverity: error\n\nB\n", ""} {
		if _, err := read("GR0001", text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
