package lsp

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/creachadair/jrpc2"

	"github.com/gradine/gradine/internal/lsp/protocol"
)

// filling is a machine with an obligation that an invariant closes: what is filled and
// what is free are all there is.
const filling = `context limits
constants capacity stroke
axioms
    @capacity capacity ∈ ℕ1
    @stroke stroke ∈ ℕ1
end

machine tank
sees limits
variables level free
invariants
    @level level ∈ 0 ‥ capacity
    @free free ∈ ℤ
events
    event INITIALISATION
        then
            @level level ≔ 0
            @free free ≔ capacity
    end

    event fill
        where
            @more stroke ≤ free
        then
            @level level ≔ level + stroke
            @free free ≔ free − stroke
    end
end
`

// actionAt returns the action of a title at a place.
func (c *client) actionAt(name, what, title string) *protocol.CodeAction {
	c.t.Helper()
	var actions []protocol.CodeAction
	c.call("textDocument/codeAction", c.lineOf(name, what), &actions)
	var titles []string
	for _, a := range actions {
		if a.Title == title {
			return &a
		}
		titles = append(titles, a.Title)
	}
	c.t.Fatalf("no action %q, but %q", title, titles)
	return nil
}

// sum is the invariant of filling, at its place; which side comes first is up to infer.
var sum = regexp.MustCompile("    @free free ∈ ℤ\n    @inferred1 (level \\+ free = capacity|capacity = level \\+ free)\nevents\n")

// An invariant that closes an obligation is inferred when its action is chosen, of the
// text that is open and not of the file.
func TestInvariantAction(t *testing.T) {
	const name = "tank.eventb"
	c := begin(t, map[string]string{name: "// not this\n"}, Options{})
	c.openText(name, filling)
	c.settled(name)
	action := c.actionAt(name, "event fill", "Add an invariant that closes fill/level/INV")
	if action.Edit != nil || action.Command != nil || action.Data == nil {
		t.Fatalf("before it is chosen: %+v", action)
	}
	var chosen protocol.CodeAction
	c.call("codeAction/resolve", action, &chosen)
	after := c.applied(chosen.Edit, name)
	if !sum.MatchString(after) {
		t.Fatalf("added:\n%s", after)
	}
	c.change(name, protocol.TextChange{Range: nil, Text: after})
	c.settled(name)
	if m := c.messages(name); len(m) > 0 {
		t.Errorf("with the invariant: %q", m)
	}
}

// An editor that does not resolve actions has a command, and is handed the edit.
func TestInvariantCommand(t *testing.T) {
	const name = "tank.eventb"
	handed := make(chan *protocol.WorkspaceEdit, 1)
	c := beginFiles(t, map[string]string{name: filling}, Options{}, map[string]any{}, func(_ context.Context, request *jrpc2.Request) (any, error) {
		var params struct{ Edit *protocol.WorkspaceEdit }
		if request.Method() == "workspace/applyEdit" && request.UnmarshalParams(&params) == nil {
			handed <- params.Edit
		}
		return map[string]bool{"applied": true}, nil
	})
	c.open(name)
	c.settled(name)
	action := c.actionAt(name, "event fill", "Add an invariant that closes fill/level/INV")
	if action.Command == nil {
		t.Fatalf("no command: %+v", action)
	}
	c.call("workspace/executeCommand", action.Command, nil)
	if after := c.applied(<-handed, name); !sum.MatchString(after) {
		t.Errorf("added:\n%s", after)
	}
}

// A search ends with the text that it was for, and when it is cancelled.
func TestSearchEnds(t *testing.T) {
	const name = "tank.eventb"
	c := begin(t, map[string]string{name: filling}, Options{})
	c.open(name)
	c.settled(name)
	action := c.actionAt(name, "event fill", "Add an invariant that closes fill/level/INV")
	answers := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	resolve := func() {
		answers <- c.rpc.CallResult(ctx, "codeAction/resolve", action, new(json.RawMessage))
	}
	go resolve()
	c.replace(name, "@more stroke ≤ free", "@more stroke ≤ free − 0")
	if err := <-answers; err != nil && !strings.Contains(err.Error(), "changed") {
		t.Errorf("after a change: %v", err)
	}
	go resolve()
	cancel()
	if err := <-answers; err == nil {
		t.Error("cancelled, and answered")
	}
	c.settled(name) // and the server goes on
}

// A hint that closes an obligation goes into the file of hints, which may be a new one.
func TestHintAction(t *testing.T) {
	const name, hints = "sums.eventb", "sums.hints"
	for _, before := range []string{"", "// hints\n"} {
		files := map[string]string{name: sums, "gradine.toml": "[project.sums]\nsources = [\".\"]\nsteps = 200_000\n"}
		if before != "" {
			files[hints] = before
		}
		c := begin(t, files, Options{})
		c.open(name)
		c.settled(name)
		var chosen protocol.CodeAction
		c.call("codeAction/resolve", c.actionAt(name, "@all", "Add a hint that closes all/THM"), &chosen)
		made := chosen.Edit != nil && slices.ContainsFunc(chosen.Edit.DocumentChanges, func(e protocol.DocumentEdit) bool { return e.Kind == "create" && c.name(e.URI) == hints })
		if made != (before == "") {
			t.Errorf("makes a file: %v, where there was %q", made, before)
		}
		c.texts[hints] = before
		files[hints] = c.applied(chosen.Edit, hints)
		if !strings.HasPrefix(files[hints], before) || !strings.Contains(files[hints], "for sums/all/THM\n    ") {
			t.Fatalf("hints:\n%s", files[hints])
		}
		again := begin(t, files, Options{})
		again.open(name)
		again.settled(name)
		if m := again.messages(name); len(m) > 0 {
			t.Errorf("with the hint: %q", m)
		}
	}
}

// What no proof uses can be deleted, and what one uses cannot. What is deleted leaves
// every proof as it was.
func TestUnused(t *testing.T) {
	text := strings.Replace(filling, "    @free free ∈ ℤ\n", "    @free free ∈ ℤ\n    @sum level + free = capacity\n    @top free ≥ −9 ∨ level = 1\n", 1)
	text = strings.Replace(text, "            @more stroke ≤ free\n", "            @more stroke ≤ free\n            @idle level ≤ capacity + 7\n", 1)
	c := begin(t, map[string]string{"m.eventb": text}, Options{})
	c.open("m.eventb")
	c.settled("m.eventb")
	for _, test := range []struct {
		at, title string
		unused    bool
	}{
		{"@idle", "Delete guard idle, which no proof uses", true},
		{"@more", "Delete guard more, which no proof uses", false},
		{"@top", "Delete invariant top, which no proof uses", true},
		{"@free free ∈", "Delete invariant free, which no proof uses", true},
		{"@stroke", "Delete axiom stroke, which no proof uses", false},
	} {
		var actions []protocol.CodeAction
		c.call("textDocument/codeAction", c.lineOf("m.eventb", test.at), &actions)
		i := slices.IndexFunc(actions, func(a protocol.CodeAction) bool { return strings.HasPrefix(a.Title, "Delete ") })
		if (i >= 0) != test.unused || i >= 0 && actions[i].Title != test.title {
			t.Errorf("%s: %+v", test.at, actions)
			continue
		}
		if i < 0 {
			continue
		}
		after := c.applied(actions[i].Edit, "m.eventb")
		if strings.Contains(after, test.at) || strings.Count(after, "\n") != strings.Count(text, "\n")-1 {
			t.Errorf("%s leaves\n%s", test.title, after)
		}
		fresh := begin(t, map[string]string{"m.eventb": after}, Options{})
		fresh.open("m.eventb")
		fresh.settled("m.eventb")
		if m := fresh.messages("m.eventb"); len(m) > 0 {
			t.Errorf("%s costs %q", test.title, m)
		}
	}
}

// sums has an obligation that a search does not prove.
const sums = `context sums
constants c p
axioms
    @base c ∈ ℕ
    @type p ∈ ℕ → ℕ
    @first p(0) = 1
    @next ∀n· n ∈ ℕ ⇒ p(n + 1) = c ∗ p(n)
    theorem @all c ≥ 1 ⇒ (∀n· n ∈ ℕ ⇒ p(n) ≥ 1)
end
`
