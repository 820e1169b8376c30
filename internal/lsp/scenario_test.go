package lsp

import (
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/lsp/protocol"
)

const walked = `context c
constants most
axioms
    @m most = 3
end

machine m
sees c
variables x
invariants
    @x x ∈ ℕ
    @top x ≤ most
events
    event INITIALISATION
        then
            @x x ≔ 0
    end

    event up
        any d
        where
            @d d ∈ 1‥most − x
        then
            @x x ≔ x + d
    end
end

machine fine
refines m
sees c
variables x
events
    event INITIALISATION extends INITIALISATION
    end

    event up extends up
    end
end
`

const ran = `scenario once of m // REQ-1
    with most = 3
    INITIALISATION
    up(d = 1) then x = d
    not up(d > most)
end

scenario never of fine
    impossible
    breaks top
    INITIALISATION
    ... 9
    up
end
`

// Scenarios are texts like models: names in them are explained, found, renamed with the model, and completed.
func TestScenarioTexts(t *testing.T) {
	c := begin(t, map[string]string{"m.eventb": walked, "m.scenario": ran}, Options{})
	c.open("m.eventb")
	c.open("m.scenario")
	c.settled("m.eventb")
	hover := func(what string, n int) string {
		var h protocol.Hover
		c.call("textDocument/hover", c.at("m.scenario", what, n), &h)
		return h.Contents.Value
	}
	for _, test := range []struct {
		at   string
		n    int
		want string
	}{
		{"of m ", 3, "machine m"},
		{"up(d = 1)", 0, "event up of m"},
		{"d = 1)", 0, "parameter d ⦂ ℤ"},
		{"x = d", 0, "variable x ⦂ ℤ"},
		{"most = 3", 0, "constant most ⦂ ℤ"},
		{"breaks top", 8, "invariant @top x ≤ most"},
		{"up\nend", 0, "event up of fine"},
	} {
		if got := hover(test.at, test.n); !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.at, got, test.want)
		}
	}
	renamed := func(what string, n int, now, want string) {
		t.Helper()
		var edit protocol.WorkspaceEdit
		c.call("textDocument/rename", renameParams{c.at("m.scenario", what, n), now}, &edit)
		for _, change := range edit.DocumentChanges {
			if change.TextDocument == nil || !strings.HasSuffix(change.TextDocument.URI, ".scenario") {
				continue
			}
			lines := strings.Split(ran, "\n")
			for _, e := range change.Edits {
				lines[e.Range.Start.Line] = e.NewText
			}
			if got := strings.Join(lines, "\n"); got != want {
				t.Errorf("%s to %s:\n%s", what, now, got)
			}
			return
		}
		t.Errorf("%s to %s: the scenarios do not change", what, now)
	}
	renamed("x = d", 0, "level", strings.Replace(ran, "x = d", "level = d", 1))
	renamed("up(d = 1)", 0, "can", strings.NewReplacer("up(d = 1)", "`can`(d = 1)", "up(d >", "`can`(d >").Replace(ran))
	renamed("d = 1)", 0, "by", strings.NewReplacer("(d = 1)", "(by = 1)", "x = d", "x = by", "(d >", "(by >").Replace(ran))
	renamed("most = 3", 0, "limit", strings.ReplaceAll(ran, "most", "limit"))
	renamed("breaks top", 8, "bound", strings.Replace(ran, "breaks top", "breaks bound", 1))
	renamed("of m ", 3, "counter", strings.Replace(ran, "of m ", "of counter ", 1))

	complete := func(text string) []string {
		c.openText("m.scenario", text)
		return c.offered("m.scenario")
	}
	for _, test := range []struct {
		text       string
		want, none []string
	}{
		{"", []string{"scenario"}, []string{"up"}},
		{"scenario s of ", []string{"m", "fine"}, []string{"up", "x"}},
		{"scenario s of m\n    ", []string{"up", "INITIALISATION", "check", "impossible"}, []string{"x"}},
		{"scenario s of m\n    not ", []string{"up"}, []string{"check"}},
		{"scenario s of m\n    breaks ", []string{"top"}, []string{"up"}},
		{"scenario s of m\n    up(", []string{"d", "x", "most"}, []string{"up"}},
		{"scenario s of m\n    up then ", []string{"x"}, []string{"up"}},
		{"scenario s of m\n    check x ", []string{"x", "most"}, []string{"d"}},
		{"scenario s of m\n    with ", []string{"most"}, []string{"x"}},
		{"scenario s of m\nend\n", []string{"scenario"}, []string{"up"}},
		{"scenario s of m\n    check x \\leq", []string{"≤"}, nil},
	} {
		got := complete(test.text)
		for _, w := range test.want {
			if !slices.Contains(got, w) {
				t.Errorf("%q: %q is not offered: %q", test.text, w, got)
			}
		}
		for _, w := range test.none {
			if slices.Contains(got, w) {
				t.Errorf("%q: %q is offered", test.text, w)
			}
		}
	}
	var edits []protocol.TextEdit
	c.openText("m.scenario", "scenario s of m\nINITIALISATION\nup( d=1 )\nend\n")
	c.call("textDocument/formatting", protocol.DocumentParams{TextDocument: c.document("m.scenario")}, &edits)
	if want := "scenario s of m\n    INITIALISATION\n    up(d = 1)\nend\n"; len(edits) != 1 || edits[0].NewText != want {
		t.Errorf("%+v", edits)
	}
}
