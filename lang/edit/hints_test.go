package edit_test

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/lang/edit"
)

// A layout of hints that says something else is refused, and so is a block that is read
// otherwise than it was meant.
func TestHints(t *testing.T) {
	const src = "// about m\nfor m/e/i/INV // one\n    have x > 0 /* two */\n        cases x = 1\n    use a b\n// last\n"
	for _, c := range []struct{ old, now string }{
		{"x > 0", "x ≥ 0"}, {"        cases", "    cases"}, {"use a b", "use a"}, {"m/e/i", "m/e/j"},
		{"// last", "// least"}, {" // one", ""}, {"/* two */", ""}, {"    use", "for m/x\n    use"}, {"have x", "have x +"},
	} {
		if edit.Layout("m.hints", []byte(src), []byte(strings.Replace(src, c.old, c.now, 1))) == nil {
			t.Errorf("%q is taken for %q", c.now, c.old)
		}
	}
	for _, now := range []string{src, strings.ReplaceAll(src, "\n", "\r\n"), strings.ReplaceAll(src, "\n", "\r"), strings.Replace(src, "x > 0", "x  >  0", 1)} {
		if err := edit.Layout("m.hints", []byte(src), []byte(now)); err != nil {
			t.Error(err)
		}
	}
	for _, before := range []string{src, "", "// alone", strings.ReplaceAll(src, "\n", "\r\n") + "\r\n", strings.ReplaceAll(src, "\n", "\r")} {
		after, err := edit.AppendHints("m.hints", []byte(before), "m/an event/i/INV", []string{"have x > 1", "    use a"})
		if err != nil || !strings.Contains(string(after), "for `m/an event/i/INV`") {
			t.Errorf("%v\n%q", err, after)
		}
	}
	for _, lines := range [][]string{{"have x >"}, {"for m/f/INV", "    use a"}, {"maybe x"}} {
		if after, err := edit.AppendHints("m.hints", []byte(src), "m/e/i/INV", lines); err == nil {
			t.Errorf("%q is written:\n%s", lines, after)
		}
	}
}
