package projectfiles

import (
	"slices"
	"strings"
	"testing"
)

func TestInConfig(t *testing.T) {
	for _, test := range []struct {
		text, table, key string
		header, quoted   bool
		word             string
	}{
		{"¦", "", "", false, false, ""},
		{"[mach¦", "", "", true, false, "mach"},
		{"[project.p]\nsour¦ces = [\"a\"]", "project p", "", false, false, "sour"},
		{"[project.p]\nsources = [\"a¦\"]", "project p", "sources", false, true, "a"},
		{"[project.p]\nsources = [\n  \"a\",\n  \"b¦", "project p", "sources", false, true, "b"},
		{"[project.p]\nsources = [\n  \"a\",\n]\nst¦", "project p", "", false, false, "st"},
		{"[machine.\"a b\".bounds]\nx¦ = [0, 1]", "machine a b bounds", "", false, false, "x"},
		{"[[expect]]\npo = \"m/e/¦\"", "expect", "po", false, true, "m/e/"},
		{"[[expect]]\npo = \"m/e/i/INV\"\nverdict = ¦", "expect", "verdict", false, false, ""},
		{"[tune.t]\n\n¦", "tune t", "", false, false, ""},
	} {
		at := strings.Index(test.text, "¦")
		text := strings.Replace(test.text, "¦", "", 1)
		got := InConfig(text, at)
		if strings.Join(got.Table, " ") != test.table || got.Key != test.key || got.Header != test.header || got.Quoted != test.quoted || text[got.From:at] != test.word {
			t.Errorf("%q: %+v %q", test.text, got, text[got.From:at])
		}
	}
}

func TestInHints(t *testing.T) {
	for _, test := range [][3]string{
		{"¦", "", ""}, {"fo¦", "", "fo"}, {"for m/e/¦", "for", "m/e/"}, {"for a\n    us¦", "", "us"}, {"for a\n    use lo¦w", "use", "lo"}, {"for a\n    have x ∈ S¦", "have", "S"}, {"for a\n    inst h x ≔¦", "inst", ""},
	} {
		at := strings.Index(test[0], "¦")
		text := strings.Replace(test[0], "¦", "", 1)
		if got := InHints(text, at); got.Word != test[1] || got.Text != test[2] || text[got.From:at] != test[2] {
			t.Errorf("%q: %+v", test[0], got)
		}
	}
	// Whatever stands there, the answer is a place in the text.
	pieces := []string{"[", "]", "[[", "\n", "=", "\"", "a", ".", "é", "𝔹", ",", " ", "for ", "≔", "\r\n", "{", "#"}
	for i := range 4000 {
		var text strings.Builder
		for n := i; n > 0; n /= len(pieces) {
			text.WriteString(pieces[n%len(pieces)])
		}
		ends := []int{text.Len()}
		for at := range text.String() {
			ends = append(ends, at)
		}
		slices.Sort(ends)
		for _, at := range ends {
			if from := InConfig(text.String(), at).From; from < 0 || from > at {
				t.Fatalf("%q at %d: from %d", text.String(), at, from)
			}
			if from := InHints(text.String(), at).From; from < 0 || from > at {
				t.Fatalf("%q at %d: from %d", text.String(), at, from)
			}
		}
	}
}
