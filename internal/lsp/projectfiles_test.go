package lsp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/lsp/protocol"
)

const hinting = `machine m
variables x y
invariants
    @x x ∈ ℕ
    @y y ∈ ℕ
    @top x ≤ 3
events
    event INITIALISATION
        then
            @x x ≔ 0
            @y y ≔ 0
    end

    event up
        where
            @low x < 3
        then
            @x x ≔ x + 1
    end
end
`

// labels lists what is offered at the end of a text.
func (c *client) offered(name string) (out []string) {
	c.t.Helper()
	var list protocol.CompletionList
	src := newSource(c.texts[name])
	c.call("textDocument/completion", protocol.PositionParams{TextDocument: c.document(name), Position: src.position(len(src.text))}, &list)
	for _, item := range list.Items {
		out = append(out, item.Label)
	}
	return out
}

// Hints and gradine.toml are texts like others: what is wrong with them is said of what
// is open, saved or not, names are completed in them, and words explained.
func TestProjectFiles(t *testing.T) {
	const toml = "[project.p]\nsources = [\"m.eventb\"]\n"
	c := begin(t, map[string]string{"m.eventb": hinting, "gradine.toml": toml}, Options{})
	c.open("m.eventb")
	c.settled("m.eventb")
	// A file of hints that is not saved belongs to the model of its name.
	c.openText("m.hints", "for m/up/top/INV\n    use lowest\n")
	c.wait("the label that is not there", func() bool { return len(c.shown["m.hints"].Diagnostics) == 1 })
	if m := c.messages("m.hints"); !strings.Contains(m[0], "use lowest ← ") {
		t.Errorf("%q", m)
	}
	for text, want := range map[string]string{
		"for m/up": "m/up/top/INV", "for m/up/top/INV\n    u": "use", "for m/up/top/INV\n    use l": "low", "for m/up/top/INV\n    have ": "x", "fo": "for",
		"for m/up/top/INV\n    have x \\l": "≤",
	} {
		c.change("m.hints", protocol.TextChange{Range: nil, Text: text})
		if got := c.offered("m.hints"); !slices.Contains(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
	c.change("m.hints", protocol.TextChange{Range: nil, Text: "for   m/up/top/INV\n  use low\n"})
	c.wait("no mistake", func() bool {
		return len(c.shown["m.hints"].Diagnostics) == 0 && c.shown["m.hints"].Version != nil && *c.shown["m.hints"].Version == c.versions["m.hints"]
	})
	for at, want := range map[string]string{"m/up/top/INV": "| m/up/top/INV | proved |", "low": "@low x<3"} {
		// With the hints there is another question, whose answer comes a little later.
		var shown *protocol.Hover
		corpus.Until(func() bool {
			c.call("textDocument/hover", c.at("m.hints", at, 1), &shown)
			return shown != nil && !strings.Contains(shown.Contents.Value, "…")
		})
		if shown == nil || !strings.Contains(shown.Contents.Value, want) {
			t.Errorf("%s: %+v", at, shown)
		}
	}
	var edits []protocol.TextEdit
	if c.call("textDocument/formatting", protocol.DocumentParams{TextDocument: c.document("m.hints")}, &edits); len(edits) != 1 || edits[0].NewText != "for m/up/top/INV\n    use low\n" {
		t.Errorf("%+v", edits)
	}

	c.open("gradine.toml")
	for text, want := range map[string]string{
		toml + "[": "machine.m", toml + "[machine.m]\ndead": "deadlock_free", toml + "[machine.m.bounds]\n": "y", toml + "[[expect]]\nproject = \"": "p",
		toml + "[[expect]]\npo = \"": "m/up/top/INV", toml + "[[expect]]\nverdict = \"": "refuted", toml + "[machine.m]\nenvironment = [\"": "up", toml + "[tune.t]\nmachine = \"": "m",
		toml + "[[machine.m.leads_to]]\n": "helpful",
	} {
		c.change("gradine.toml", protocol.TextChange{Range: nil, Text: toml})
		c.settled("m.eventb")
		c.change("gradine.toml", protocol.TextChange{Range: nil, Text: text})
		got := c.offered("gradine.toml")
		// Half a text names no projects: names of what is in them come back when it is whole.
		if strings.ContainsAny(want, "_[") || !strings.HasSuffix(text, "\"") && !strings.HasSuffix(text, "[") {
			if !slices.Contains(got, want) {
				t.Errorf("%q: %q", text, got)
			}
		}
	}
	c.change("gradine.toml", protocol.TextChange{Range: nil, Text: toml + "[machine.n]\ndeadlock_free = true\n"})
	c.wait("a machine that is not there", func() bool { return len(c.shown["gradine.toml"].Diagnostics) == 1 })
	if m := c.messages("gradine.toml"); !strings.HasPrefix(m[0], "[machine.n] ← ") {
		t.Errorf("%q", m)
	}
	var shown *protocol.Hover
	if c.call("textDocument/hover", c.at("gradine.toml", "deadlock_free", 3), &shown); shown == nil || !strings.Contains(shown.Contents.Value, "true or false") {
		t.Errorf("%+v", shown)
	}
	// What gradine.toml asks for is asked for before it is saved.
	c.change("gradine.toml", protocol.TextChange{Range: nil, Text: toml + "[machine.m]\ndeadlock_free = true\n"})
	c.wait("DLF", func() bool {
		return c.status["m.eventb"] != nil && slices.ContainsFunc(c.status["m.eventb"].Obligations, func(line proofLine) bool { return line.Name == "DLF" && line.Verdict != "" })
	})
	// A text that gradine.toml stops to list is a project of its own again, and one that it begins to
	// list is no more.
	if err := os.WriteFile(filepath.Join(c.dir, "n.eventb"), []byte("context n\naxioms\n    @a 1 = 2\nend\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c.open("n.eventb")
	c.settled("n.eventb")
	c.change("gradine.toml", protocol.TextChange{Range: nil, Text: strings.Replace(toml, "m.eventb\"", "m.eventb\", \"n.eventb\"", 1) + "[machine.m]\ndeadlock_free = true\n"})
	c.wait("n belongs to p", func() bool {
		status := c.status["n.eventb"]
		return status != nil && len(c.shown["gradine.toml"].Diagnostics) == 0
	})
	var refined []refinedComponent
	if c.call("gradine/refinements", protocol.DocumentParams{TextDocument: c.document("n.eventb")}, &refined); len(refined) != 2 {
		t.Errorf("%+v", refined)
	}
}
