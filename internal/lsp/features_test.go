package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/logic/notation"
	"github.com/gradine/gradine/project"
)

const file = "counter.eventb"

func opened(t *testing.T) *client {
	c := begin(t, map[string]string{file: counter}, Options{})
	c.open(file)
	return c
}

// applied is the text of a file after the edits to it.
func (c *client) applied(edit *protocol.WorkspaceEdit, name string) string {
	c.t.Helper()
	text, ok := c.texts[name]
	if !ok {
		data, err := os.ReadFile(filepath.Join(c.dir, name))
		if err != nil {
			c.t.Fatal(err)
		}
		text = string(data)
	}
	if edit == nil {
		c.t.Error("no edit")
		return text
	}
	for _, doc := range edit.DocumentChanges {
		if doc.TextDocument != nil && c.name(doc.TextDocument.URI) == name {
			text = edited(text, doc.Edits)
		}
	}
	return text
}

func edited(text string, edits []protocol.TextEdit) string {
	src := newSource(text)
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b protocol.TextEdit) int { return src.offset(b.Range.Start) - src.offset(a.Range.Start) })
	for _, e := range edits {
		text = text[:src.offset(e.Range.Start)] + e.NewText + text[src.offset(e.Range.End):]
	}
	return text
}

func TestHover(t *testing.T) {
	c := opened(t)
	c.settled(file)
	for _, test := range []struct{ at, want string }{
		{"n > 0", "variable n ⦂ ℤ  // of counter"},
		{"most ∈", "constant most ⦂ ℤ  // of limits"},
		{"@limit", "| bounded/up/limit/INV | proved |"},
		{"event down extends", "event down of bounded"},
		{"∈ ℕ1", "in ASCII `:`"},
		{"machine counter", "A counter that may go up and down."},
	} {
		var h *protocol.Hover
		at := c.at(file, test.at, 0)
		if strings.HasPrefix(test.at, "event ") || strings.HasPrefix(test.at, "machine ") {
			at = c.at(file, test.at, strings.Index(test.at, " ")+1)
		}
		c.call("textDocument/hover", at, &h)
		if h == nil || !strings.Contains(h.Contents.Value, test.want) {
			t.Errorf("%s: %+v", test.at, h)
		}
	}
	c.replace(file, "n < most", "n ≤ most")
	c.settled(file)
	var h *protocol.Hover
	c.call("textDocument/hover", c.at(file, "event up extends", 6), &h)
	if h == nil || !strings.Contains(h.Contents.Value, "| n | 2 | 3 |") {
		t.Errorf("a counterexample: %+v", h)
	}
}

// An operator that is a word needs more than its name.
func TestWordHover(t *testing.T) {
	for _, e := range notation.All() {
		if e.Readable() == "" || strings.ContainsFunc(e.Readable(), func(r rune) bool { return !isLetter(r) && (r < '0' || r > '9') }) {
			continue
		}
		text := e.Readable()
		h := operatorHover(newSource(text), 0)
		if h != nil && strings.HasSuffix(h.Contents.Value, ": "+e.Readable()) {
			t.Errorf("%s: %q", text, h.Contents.Value)
		}
	}
}

// The names and operators of a variant that has no label are those of its formula.
func TestVariantWithoutLabel(t *testing.T) {
	c := begin(t, map[string]string{"m.eventb": "machine m\nvariables x\ninvariants\n    @x x ∈ ℕ\nvariant\n    2 ∗ x\nevents\n    event INITIALISATION\n        then\n            @x x ≔ 0\n    end\nend\n"}, Options{})
	c.open("m.eventb")
	for offset, want := range map[int]string{2: "in ASCII `*`", 2 + len("∗ "): "variable x ⦂ ℤ"} {
		var h *protocol.Hover
		if c.call("textDocument/hover", c.at("m.eventb", "2 ∗ x", offset), &h); h == nil || !strings.Contains(h.Contents.Value, want) {
			t.Errorf("at %d: %+v, want %s", offset, h, want)
		}
	}
}

// Who says exit and leaves the line open is left, and so is whom an interrupt ends.
func TestExit(t *testing.T) {
	for _, byContext := range []bool{false, true} {
		in, editor := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- Serve(ctx, in, nowhere{io.Discard}, Options{}) }()
		say := func(message string) { fmt.Fprintf(editor, "Content-Length: %d\r\n\r\n%s", len(message), message) }
		say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
		if byContext {
			cancel()
		} else {
			say(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`)
			say(`{"jsonrpc":"2.0","method":"exit"}`)
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(corpus.Fuse):
			t.Errorf("the server does not end (interrupted: %v)", byContext)
		}
		// An editor that goes on after exit is not heard. That this is not a fault shows in
		// that the test goes on.
		go func() {
			for range 10 {
				say(`{"jsonrpc":"2.0","method":"$/setTrace","params":{}}`)
			}
		}()
		time.Sleep(20 * time.Millisecond)
		cancel()
		_ = editor.Close()
	}
}

// nowhere is an end that stays open.
type nowhere struct{ io.Writer }

func (nowhere) Close() error { return nil }

func TestDefinitionAndReferences(t *testing.T) {
	c := opened(t)
	for _, test := range []struct {
		at     string
		n      int
		define string
		uses   int
	}{
		{"n < most", 0, "variables n", 11},
		{"n < most", 4, "constants most", 4},
		{"counter\nsees", 1, "machine counter", 2},
		{"extends up", 9, "event up", 2},
		{"sees limits", 6, "context limits", 2},
	} {
		var at *protocol.Location
		c.call("textDocument/definition", c.at(file, test.at, test.n), &at)
		if at == nil || lineText(counter, at.Range.Start.Line) != test.define {
			t.Errorf("%s is defined at %+v", test.at, at)
		}
		var all []protocol.Location
		params := referenceParams{PositionParams: c.at(file, test.at, test.n)}
		params.Context.IncludeDeclaration = true
		c.call("textDocument/references", params, &all)
		if len(all) != test.uses {
			t.Errorf("%s has %d references, want %d: %+v", test.at, len(all), test.uses, all)
		}
	}
}

func TestSymbols(t *testing.T) {
	c := opened(t)
	var all []protocol.DocumentSymbol
	c.call("textDocument/documentSymbol", protocol.DocumentParams{TextDocument: c.document(file)}, &all)
	if len(all) != 3 || all[1].Name != "counter" || len(all[1].Children) != 5 || all[1].Children[4].Name != "down" || len(all[1].Children[4].Children) != 2 {
		t.Errorf("symbols: %+v", all)
	}
	var found []protocol.WorkspaceSymbol
	c.call("workspace/symbol", map[string]string{"query": "dow"}, &found)
	if len(found) != 2 || found[0].ContainerName != "counter" || found[1].ContainerName != "bounded" {
		t.Errorf("symbols of the workspace: %+v", found)
	}
}

func TestRefinementTree(t *testing.T) {
	c := opened(t)
	var items []protocol.CallItem
	c.call("textDocument/prepareCallHierarchy", c.at(file, "event down", 7), &items)
	if len(items) != 1 || items[0].Detail != "counter" {
		t.Fatalf("items: %+v", items)
	}
	var by []incomingCall
	c.call("callHierarchy/incomingCalls", hierarchyParams{items[0]}, &by)
	if len(by) != 1 || by[0].From.Detail != "bounded" {
		t.Fatalf("refined by %+v", by)
	}
	var up []outgoingCall
	c.call("callHierarchy/outgoingCalls", hierarchyParams{by[0].From}, &up)
	if len(up) != 1 || up[0].To.Detail != "counter" {
		t.Errorf("refines %+v", up)
	}
}

// The tree of a project has its components, each behind what it builds on, with what is
// known of them.
func TestRefinements(t *testing.T) {
	c := opened(t)
	c.settled(file)
	c.replace(file, "n < most", "n ≤ most")
	c.settled(file)
	var tree []refinedComponent
	c.call("gradine/refinements", protocol.DocumentParams{TextDocument: c.document(file)}, &tree)
	var got []string
	for _, of := range tree {
		got = append(got, fmt.Sprintf("%s %s of %v seeing %v: %s, %s", of.Kind, of.Name, of.Above, of.Sees, of.Verdict, of.Status))
		for _, e := range of.Events {
			got = append(got, fmt.Sprintf("event %s of %v: %s at line %d", e.Name, e.Refines, e.Verdict, e.Location.Range.Start.Line))
		}
	}
	want := []string{
		"context limits of [] seeing []: , ", "machine counter of [] seeing []: proved, 3/3",
		"event INITIALISATION of []: proved at line 12", "event up of []: proved at line 17", "event down of []: proved at line 22",
		"machine bounded of [counter] seeing [limits]: refuted, 2/3 · 1 refuted",
		"event INITIALISATION of [INITIALISATION]: proved at line 38", "event up of [up]: refuted at line 41", "event down of [down]: proved at line 46",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the tree is\n%s", strings.Join(got, "\n"))
	}
	// The list of obligations has the counterexample.
	for _, line := range c.status[file].Obligations {
		if (line.Counterexample != nil) != (line.Verdict == verdict.Refuted) || line.Counterexample != nil && line.Counterexample.Failing != "n + 1 ≤ most" {
			t.Errorf("%+v", line)
		}
	}
}

func (c *client) completions(at protocol.PositionParams) map[string]protocol.CompletionItem {
	c.t.Helper()
	var list protocol.CompletionList
	c.call("textDocument/completion", at, &list)
	out := map[string]protocol.CompletionItem{}
	for _, item := range list.Items {
		key := item.Label
		if item.FilterText != "" {
			key = item.FilterText
		}
		out[key] = item
	}
	return out
}

func TestCompletion(t *testing.T) {
	c := opened(t)
	c.replace(file, "n < most", "n < mo")
	got := c.completions(c.at(file, "n < mo", 6))
	if got["most"].Detail != "constant ⦂ ℤ" || got["n"].Detail != "variable ⦂ ℤ" {
		t.Errorf("names in scope: %v", got)
	}
	if got := c.completions(c.at(file, "refines counter", 10)); got["counter"].Label == "" || got["limits"].Label != "" {
		t.Errorf("machines: %v", got)
	}
	if got := c.completions(c.at(file, "extends up", 9)); got["down"].Label == "" {
		t.Errorf("abstract events: %v", got)
	}
	// In the line below what a clause names, another clause may begin.
	c.replace(file, "extends up", "refines up\n        ")
	if got := c.completions(c.at(file, "refines up\n        ", len("refines up\n        "))); got["where"].Label == "" || got["any"].Label == "" || got["down"].Label == "" {
		t.Errorf("clauses: %v", got)
	}
	c.replace(file, "refines up\n        ", "extends up")
	c.replace(file, "n < mo", "n < most \\for")
	item := c.completions(c.at(file, "\\for", 4))["\\forall"]
	if item.TextEdit == nil || edited(c.texts[file], []protocol.TextEdit{*item.TextEdit}) != strings.Replace(c.texts[file], "\\for", "∀", 1) {
		t.Errorf("operators: %+v", item)
	}
}

const witnesses = `machine a
variables x
invariants
    @x x ∈ ℕ
events
    event INITIALISATION
        then
            @x x ≔ 0
    end

    event put
        any v
        where
            @v v ∈ ℕ
        then
            @x x ≔ v
    end

    event choose
        then
            @x x :∈ ℕ
    end
end

machine b
refines a
variables y
invariants
    @glue y = x + 1
events
    event INITIALISATION
        then
            @y y ≔ 1
    end

    event put
        refines put
        any w
        where
            @w w ∈ ℕ1
        then
            @y y ≔ w
    end

    event choose
        refines choose
        with
            @
        then
            @y y :∈ ℕ1
    end
end
`

func TestWitnesses(t *testing.T) {
	c := begin(t, map[string]string{"w.eventb": witnesses}, Options{})
	c.open("w.eventb")
	if got := c.completions(c.at("w.eventb", "@\n", 1)); got["x'"].Label == "" {
		t.Errorf("missing witnesses: %v", got)
	}
	c.replace("w.eventb", "            @\n", "            @x' y' = x' + 1\n")
	var actions []protocol.CodeAction
	c.call("textDocument/codeAction", c.lineOf("w.eventb", "event put\n        refines"), &actions)
	i := slices.IndexFunc(actions, func(a protocol.CodeAction) bool { return a.Title == "Add a witness for v" })
	if i < 0 || !strings.Contains(c.applied(actions[i].Edit, "w.eventb"), "with\n            @v v = w\n        then") {
		t.Errorf("actions: %+v", actions)
	}
}

// lineOf is the range of a place, for actions.
func (c *client) lineOf(name, what string) protocol.ActionParams {
	at := c.at(name, what, 0)
	return protocol.ActionParams{RangeParams: protocol.RangeParams{TextDocument: at.TextDocument, Range: protocol.Range{Start: at.Position, End: at.Position}}}
}

func TestCodeActions(t *testing.T) {
	for _, test := range []struct{ text, at, title, want string }{
		{"machine m\nvariables x\ninvariants\n    @a x ∈ ℕ ∧ x = 1 ∨ x = 2\nend\n", "@a", "Write (x ∈ ℕ ∧ x = 1) ∨ x = 2", "@a (x ∈ ℕ ∧ x = 1) ∨ x = 2\n"},
		{"machine m\ninvariants\n    @a z ∈ ℕ\nend\n", "z", "Declare z as a variable", "machine m\nvariables z\ninvariants"},
		{"context c\naxioms\n    @a z ∈ ℕ\nend\n", "z", "Declare z as a constant", "context c\nconstants z\naxioms"},
		{"context c\nconstants dom\naxioms\n    @a 1 ∈ ℕ\nend\n", "dom", "Quote the name", "constants `dom`\n"},
		{"machine m\nvariables x\ninvariants\n    @a x ∈ BOOL\nend\n", "m\n", "Add an INITIALISATION", "events\n    event INITIALISATION\n        then\n            @init_x x ≔ FALSE\n    end\nend\n"},
		{"machine m\nvariables x\ninvariants\n    @a x ∈ ℕ\nevents\n    event INITIALISATION\n    end\nend\n", "event I", "Initialise x", "event INITIALISATION\n    then\n            @init_x x ≔ 0\n        end"},
		{"context c\nconstants d e\naxioms\n    @a e ∈ ℕ\nend\n", "d ", "Delete the unused d", "constants e\n"},
		{counter[strings.Index(counter, "machine counter"):strings.Index(counter, "// The same")] + "machine b\nrefines counter\nvariables n\nevents\n    event INITIALISATION extends INITIALISATION\n    end\nend\n", "counter\nvariables n\nevents", "Extend down", "event down extends down\n    end\nend"},
	} {
		c := begin(t, map[string]string{"m.eventb": test.text}, Options{})
		c.open("m.eventb")
		var actions []protocol.CodeAction
		c.call("textDocument/codeAction", c.lineOf("m.eventb", test.at), &actions)
		var titles []string
		found := false
		for _, a := range actions {
			titles = append(titles, a.Title)
			if a.Title == test.title {
				found = true
				if got := c.applied(a.Edit, "m.eventb"); !strings.Contains(got, test.want) {
					t.Errorf("%s makes\n%s", test.title, got)
				}
			}
		}
		if !found {
			t.Errorf("no action %q, but %q", test.title, titles)
		}
	}
}

// Fixes say what their titles say wherever comments stand.
func TestFixesAmongComments(t *testing.T) {
	for _, test := range []struct{ text, at, title, want string }{
		{"machine m // about m\ninvariants\n    @a z ∈ ℕ\nend\n", "z", "Declare z as a variable", "machine m // about m\nvariables z\ninvariants"},
		{"machine m /* about\n m */ invariants\n    @a z ∈ ℕ\nend\n", "z", "Declare z as a variable", "m */\nvariables z\ninvariants"},
		{"context c constants // none\n    d axioms @a d = z end\n", "z", "Declare z as a constant", "constants // none\n    z d axioms"},
		{"context c constants d e // about e\naxioms @a e = 1 end\n", "d e", "Delete the unused d", "constants e // about e\naxioms"},
		{"machine m\nvariables x\ninvariants\n    @a x ∈ ℕ\nevents\n    event INITIALISATION\n    then // start\n    end\nend\n", "event I", "Initialise x", "then // start\n            @init_x x ≔ 0\n    end"},
	} {
		c := begin(t, map[string]string{"m.eventb": test.text}, Options{})
		c.open("m.eventb")
		var actions []protocol.CodeAction
		c.call("textDocument/codeAction", c.lineOf("m.eventb", test.at), &actions)
		i := slices.IndexFunc(actions, func(a protocol.CodeAction) bool { return a.Title == test.title })
		switch {
		case i < 0:
			t.Errorf("%q is not offered:\n%s", test.title, test.text)
		case !strings.Contains(c.applied(actions[i].Edit, "m.eventb"), test.want):
			t.Errorf("%q:\n%s", test.title, c.applied(actions[i].Edit, "m.eventb"))
		}
	}
}

func TestFormatting(t *testing.T) {
	c := begin(t, map[string]string{file: strings.ReplaceAll(counter, "≔", " := ")}, Options{})
	c.open(file)
	var edits []protocol.TextEdit
	c.call("textDocument/formatting", protocol.DocumentParams{TextDocument: c.document(file)}, &edits)
	if got := edited(c.texts[file], edits); got != counter {
		t.Errorf("the whole file:\n%s", got)
	}
	at := c.at(file, "n  :=  n + 1", 0).Position
	c.call("textDocument/rangeFormatting", protocol.RangeParams{TextDocument: c.document(file), Range: protocol.Range{Start: at, End: at}}, &edits)
	if got := edited(c.texts[file], edits); got != strings.Replace(c.texts[file], "n  :=  n + 1", "n ≔ n + 1", 1) {
		t.Errorf("one line:\n%s", got)
	}
	for _, test := range []struct{ typed, ch, want string }{
		{"@b n >= ", " ", "@b n ≥ "},
		{"@b n : NAT ", " ", "@b n ∈ ℕ "},
		{"@b n : NAT\n", "\n", "@b n ∈ ℕ\n"},
		{"@b <= ", " ", "@b ≤ "},
		{"// a => ", " ", "// a => "},
		{"@a=>b ", " ", "@a=>b "},
	} {
		c := begin(t, map[string]string{file: strings.Replace(counter, "@limit n ≤ most\n", test.typed+"\n", 1)}, Options{})
		c.open(file)
		c.call("textDocument/onTypeFormatting", onTypeParams{c.at(file, test.typed, len(test.typed)), test.ch}, &edits)
		if got := edited(c.texts[file], edits); !strings.Contains(got, "\n    "+test.want+"\n") {
			t.Errorf("typed %q: %+v", test.typed, edits)
		}
	}
}

func TestTokens(t *testing.T) {
	c := opened(t)
	var tokens semanticTokens
	c.call("textDocument/semanticTokens/full", protocol.DocumentParams{TextDocument: c.document(file)}, &tokens)
	src := newSource(counter)
	at, got := protocol.Position{}, []string{}
	for i := 0; i+4 < len(tokens.Data) && len(got) < 12; i += 5 {
		if tokens.Data[i] > 0 {
			at.Character = 0
		}
		at.Line += tokens.Data[i]
		at.Character += tokens.Data[i+1]
		to := protocol.Position{Line: at.Line, Character: at.Character + tokens.Data[i+2]}
		got = append(got, src.text[src.offset(at):src.offset(to)]+":"+tokenTypes[tokens.Data[i+3]])
	}
	want := "context:keyword limits:namespace constants:keyword most:enumMember axioms:keyword @most:property most:enumMember ∈:operator ℕ1:operator end:keyword // A counter that may go up and down.:comment machine:keyword"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("%s", s)
	}
	var folds []protocol.FoldingRange
	c.call("textDocument/foldingRange", protocol.DocumentParams{TextDocument: c.document(file)}, &folds)
	if len(folds) < 10 || folds[0].StartLine != 0 || folds[0].EndLine != 4 {
		t.Errorf("folding: %+v", folds)
	}
	var selected []*protocol.SelectionRange
	place := c.at(file, "n − 1", 0)
	c.call("textDocument/selectionRange", selectionParams{place.TextDocument, []protocol.Position{place.Position}}, &selected)
	var parts []string
	for s := selected[0]; s != nil && len(parts) < 4; s = s.Parent {
		parts = append(parts, src.text[src.offset(s.Range.Start):src.offset(s.Range.End)])
	}
	if !slices.Equal(parts[:3], []string{"n", "n − 1", "@n n ≔ n − 1"}) {
		t.Errorf("selection: %q", parts)
	}
}

func TestSignature(t *testing.T) {
	c := begin(t, map[string]string{file: strings.Replace(counter, "n ≤ most", "partition(ℕ, ", 1)}, Options{})
	c.open(file)
	var help *protocol.SignatureHelp
	c.call("textDocument/signatureHelp", c.at(file, "partition(ℕ, ", len("partition(ℕ, ")), &help)
	if help == nil || help.Signatures[0].Label != "partition(S, T, …)" || help.ActiveParameter != 1 {
		t.Errorf("signature: %+v", help)
	}
}

func TestLenses(t *testing.T) {
	c := opened(t)
	c.settled(file)
	c.replace(file, "n < most", "n ≤ most")
	c.settled(file)
	var lenses []protocol.CodeLens
	c.call("textDocument/codeLens", protocol.DocumentParams{TextDocument: c.document(file)}, &lenses)
	var titles []string
	for _, l := range lenses {
		titles = append(titles, l.Command.Title)
	}
	if want := []string{"3/3", "prove", "explore", "infer", "prove", "prove", "prove", "2/3 · 1 refuted", "prove", "explore", "infer", "prove", "prove", "why up/limit/INV", "prove"}; !slices.Equal(titles, want) {
		t.Errorf("lenses: %q", titles)
	}
}

func TestSequent(t *testing.T) {
	c := opened(t)
	c.settled(file)
	var list proofReport
	c.call("rossi/proofObligations", protocol.DocumentParams{TextDocument: c.document(file)}, &list)
	if len(list.Obligations) != 6 || list.Obligations[0].Status != "discharged" || len(list.Blocks) != 6 {
		t.Errorf("obligations: %+v", list)
	}
	var state proofState
	c.call("rossi/proofState", proofStateParams{TextDocument: c.document(file), Name: "up/limit/INV"}, &state)
	if state.Goal != "n+1≤most" || state.Verdict != "proved" || len(state.Hypotheses) != 4 || !strings.Contains(state.Text, "⊢ n + 1 ≤ most") {
		t.Errorf("sequent: %+v", state)
	}
	var none *proofState
	c.call("rossi/proofState", proofStateParams{TextDocument: c.document(file), Name: "nothing"}, &none)
	var table []operatorRow
	c.call("rossi/operatorTable", nil, &table)
	if none != nil || len(table) < 50 {
		t.Errorf("%v, %d operators", none, len(table))
	}
}

func TestRename(t *testing.T) {
	config := "[project.c]\nsources = [\".\"]\n\n[machine.bounded]\ndeadlock_free = true\nenabled = [\"up\"]\n\n[machine.bounded.constants]\nmost = \"2 + 1\"\n\n" +
		"[[machine.bounded.leads_to]]\nname = \"n\"\nfrom = \"n = most\"\nto = \"n < most\"\nvariant = \"n\"\nhelpful = [\"down\"]\nfair = [\"down\"]\n\n" +
		"[[expect]]\nproject = \"c\"\npo = \"bounded/up/ENB\"\nverdict = \"refuted\"\nwhy = \"it is full\"\n"
	hints := "for bounded/up/limit/INV\n    have n + 1 ≤ most\n    use below\n"
	lock := "# gradine proofs 1\nbounded/up/limit/INV\tFP\tproved\t11\tbelow\n"
	for _, test := range []struct{ at, old, now string }{
		{"n < most", "n", "level"},
		{"most ∈", "most", "capacity"},
		{"@below", "below", "room"},
		{"machine bounded", "bounded", "limited"},
		{"up extends", "up", "raise"},
		{"down extends", "down", "lower"},
		{"n < most", "n", "end"},
	} {
		c := begin(t, map[string]string{file: counter, "gradine.toml": config, "counter.hints": hints}, Options{})
		c.open(file)
		fingerprint := c.fingerprint("bounded/up/limit/INV")
		if err := os.WriteFile(filepath.Join(c.dir, "c.proofs.lock"), []byte(strings.Replace(lock, "FP", fingerprint, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		at := c.at(file, test.at, 0)
		if strings.HasPrefix(test.at, "machine ") {
			at = c.at(file, test.at, 8)
		}
		var edit *protocol.WorkspaceEdit
		c.call("textDocument/rename", renameParams{at, test.now}, &edit)
		if edit == nil {
			continue
		}
		// The project with the new name has the same obligations, and the lock knows them.
		now := map[string]string{}
		for _, name := range []string{file, "gradine.toml", "counter.hints", "c.proofs.lock"} {
			now[name] = c.applied(edit, name)
		}
		for name, text := range now {
			if (test.old == "below" || test.old == "bounded") && strings.Contains(text, test.old) {
				t.Errorf("%s → %s leaves in %s:\n%s", test.old, test.now, name, text)
			}
		}
		again := begin(t, now, Options{})
		again.open(file)
		again.settled(file)
		if m := again.messages(file); len(m) != 1 || !strings.Contains(m[0], "as expected by gradine.toml") {
			t.Errorf("%s → %s: %q\n%s", test.old, test.now, m, now)
		}
		for _, line := range strings.Split(now["c.proofs.lock"], "\n")[1:] {
			if path, rest, ok := strings.Cut(line, "\t"); ok && !strings.HasPrefix(rest, again.fingerprint(path)) {
				t.Errorf("%s → %s: proofs.lock says %s, the obligation is %s", test.old, test.now, line, again.fingerprint(path))
			}
		}
	}
}

// TestRenameKeepsCertificates: what is proved by a committed certificate alone is proved
// under the new name.
func TestRenameKeepsCertificates(t *testing.T) {
	const name = "noise.eventb"
	config := "[project.noise]\nsources = [\"noise.eventb\"]\nsteps = 500\n"
	c := begin(t, map[string]string{name: noise, "gradine.toml": config}, Options{})
	projects, err := project.Open(c.dir)
	if err != nil {
		t.Fatal(err)
	}
	obligations, err := projects[0].Obligations()
	if err != nil {
		t.Fatal(err)
	}
	results, err := projects[0].ProveToCommit(t.Context(), obligations, discharge.Options{Steps: 2_000_000}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := projects[0].WriteLock(results, false); err != nil {
		t.Fatal(err)
	}
	c.open(name)
	c.settled(name)
	if m := c.messages(name); len(m) > 0 {
		t.Fatalf("with its certificate: %q", m)
	}
	for _, test := range []struct{ at, now string }{{"s f", "zeroes"}, {"f\naxioms", "`end`"}, {"context noise", "silence"}, {"@goal", "five"}} {
		at := c.at(name, test.at, 0)
		if strings.HasPrefix(test.at, "context ") {
			at = c.at(name, test.at, len("context "))
		}
		var edit *protocol.WorkspaceEdit
		c.call("textDocument/rename", renameParams{at, test.now}, &edit)
		now := map[string]string{}
		for _, file := range []string{name, "gradine.toml", "noise.proofs.lock", "noise.proofs.certs"} {
			now[file] = c.applied(edit, file)
		}
		again := begin(t, now, Options{})
		again.open(name)
		again.settled(name)
		if m := again.messages(name); len(m) > 0 {
			t.Errorf("%s → %s: %q", test.at, test.now, m)
		}
		delete(now, "noise.proofs.certs")
		without := begin(t, now, Options{})
		without.open(name)
		without.settled(name)
		if m := without.messages(name); len(m) != 1 || !strings.Contains(m[0], "open") {
			t.Errorf("%s → %s, without the certificate: %q", test.at, test.now, m)
		}
	}
}

// noise has a theorem that few steps do not prove.
const noise = `context noise
constants s f
axioms
    @s s ⊆ ℤ
    @zero 0 ∈ s
    @next ∀n· n ∈ s ⇒ n + 1 ∈ s
    @f f ∈ ℤ → ℤ
    @noise ∀x, y· x ∈ s ∧ y ∈ s ∧ f(y) = x ⇒ f(x + y) ∈ s ∧ f(x) ∈ s
    theorem @goal 5 ∈ s
end
`

// What gradine.toml and hints say of another project, or of another element with the same
// label, stays.
func TestRenameOfOthers(t *testing.T) {
	config := "[project.one]\nsources = [\"one\"]\n[project.two]\nsources = [\"two\"]\n" +
		"[[expect]]\nproject = \"two\"\npo = \"m/e/i/INV\"\nverdict = \"refuted\"\nwhy = \"2\"\n" +
		"[[expect]]\npo = \"m/e/i/INV\"\nproject = \"one\"\nverdict = \"refuted\"\nwhy = \"1\"\n" +
		"[[expect]]\nproject = \"one\"\npo = \"k/e/i/INV\"\nverdict = \"refuted\"\nwhy = \"3\"\n"
	machine := "machine m\nvariables x\ninvariants\n    @i x ≤ 0\nevents\n    event INITIALISATION\n        then\n            @x x ≔ 0\n    end\n    event e\n        then\n            @x x ≔ x + 1\n    end\nend\n"
	c := begin(t, map[string]string{"gradine.toml": config, "one/m.eventb": machine, "two/m.eventb": machine, "one/k.eventb": strings.Replace(machine, "machine m", "machine k", 1)}, Options{})
	c.open("one/m.eventb")
	var edit *protocol.WorkspaceEdit
	c.call("textDocument/rename", renameParams{c.at("one/m.eventb", "@i", 1), "bound"}, &edit)
	if got, want := c.applied(edit, "gradine.toml"), strings.Replace(config, "po = \"m/e/i/INV\"\nproject = \"one\"", "po = \"m/e/bound/INV\"\nproject = \"one\"", 1); got != want {
		t.Errorf("gradine.toml is now\n%s", got)
	}
}

func TestRenameIsRefused(t *testing.T) {
	c := opened(t)
	for _, test := range []struct{ at, now, why string }{
		{"n < most", "most", "renamed"},
		{"n < most", "a b`c", "cannot be a name"},
		{"INITIALISATION extends", "start", "called so"},
	} {
		ctx := t.Context()
		err := c.rpc.CallResult(ctx, "textDocument/rename", renameParams{c.at(file, test.at, 0), test.now}, new(json.RawMessage))
		if err == nil || !strings.Contains(err.Error(), test.why) {
			t.Errorf("%s → %s: %v", test.at, test.now, err)
		}
	}
}

// A command runs on what is saved, says so where that is not what is open, and takes no
// flags.
func TestCommands(t *testing.T) {
	var ran []string
	var read string
	meanwhile := func() {}
	run := func(_ context.Context, texts map[string][]byte, args []string) (string, int) {
		ran = args
		for _, text := range texts {
			read = string(text)
		}
		meanwhile()
		return "explained", 0
	}
	c := begin(t, map[string]string{file: counter}, Options{Run: run})
	c.open(file)
	var out protocol.Executed
	line := map[string]any{"command": "gradine.explore", "arguments": []string{c.uri(file), "bounded"}}
	c.call("workspace/executeCommand", line, &out)
	if out.Text != "explained" || !slices.Equal(ran, []string{"explore", c.dir, "bounded"}) {
		t.Errorf("%+v by %q", out, ran)
	}
	c.call("workspace/executeCommand", map[string]any{"command": "gradine.tune", "arguments": []string{c.uri(file), "fast"}}, &out)
	if !slices.Equal(ran, []string{"-C", c.dir, "tune", "fast"}) {
		t.Errorf("tune by %q", ran)
	}
	c.replace(file, "n < most", "n ≤ most")
	c.call("workspace/executeCommand", line, &out)
	if out.Text != "explained" || read != c.texts[file] {
		t.Errorf("of a text that is not saved: %+v of\n%s", out, read)
	}
	// Who goes on typing is told that the answer is about an older text.
	meanwhile = func() {
		c.change(file, protocol.TextChange{Range: nil, Text: c.texts[file] + "// more\n"})
		c.call("textDocument/documentSymbol", protocol.DocumentParams{TextDocument: c.document(file)}, nil)
	}
	c.call("workspace/executeCommand", line, &out)
	if !strings.HasPrefix(out.Text, "(of the texts as they were when this was asked for)\n") {
		t.Errorf("of an older text: %+v", out)
	}
	// Why a verdict is what it is is said of the text that is open.
	for name, want := range map[string]string{
		"bounded/up/limit/INV": "reachable: INITIALISATION, up, up", "counter/up/type/INV": "assume that the goal is false",
	} {
		c.call("workspace/executeCommand", map[string]any{"command": "gradine.why", "arguments": []string{c.uri(file), name}}, &out)
		if !strings.Contains(out.Text, want) {
			t.Errorf("why %s: %s", name, out.Text)
		}
	}
	// So are the verdicts of a component and of an event.
	for element, want := range map[string]string{
		"bounded/up": "0 of 1 obligations proved", "bounded/down": "1 of 1 obligations proved", "bounded": "2 of 3 obligations proved",
	} {
		c.call("workspace/executeCommand", map[string]any{"command": "gradine.prove", "arguments": []string{c.uri(file), element}}, &out)
		if !strings.Contains(out.Text, want) {
			t.Errorf("prove %s: %s", element, out.Text)
		}
	}
	for _, bad := range []map[string]any{
		{"command": "gradine.explore", "arguments": []string{c.uri(file), "--lock"}},
		{"command": "gradine.prove", "arguments": []string{c.uri(file), "--lock"}},
		{"command": "gradine.prove", "arguments": []string{c.uri(file), "boun"}},
		{"command": "gradine.prove", "arguments": []string{c.uri("other/nothing.eventb"), "bounded"}},
		{"command": "gradine.why", "arguments": []string{c.uri(file), "bounded/nothing"}},
		{"command": "gradine.why", "arguments": []string{c.uri(file)}},
		{"command": "gradine.export", "arguments": []string{c.uri(file)}},
		{"command": "gradine.why", "arguments": []string{}},
	} {
		if err := c.rpc.CallResult(t.Context(), "workspace/executeCommand", bad, new(json.RawMessage)); err == nil {
			t.Errorf("%v ran %q", bad, ran)
		}
	}
}

// A user who closes a text and opens it again is told again.
func TestOpenedAgain(t *testing.T) {
	c := opened(t)
	c.settled(file)
	c.tell("textDocument/didClose", protocol.DocumentParams{TextDocument: c.document(file)})
	c.call("workspace/symbol", map[string]string{"query": "n"}, nil)
	time.Sleep(4 * pause)
	c.mu.Lock()
	clear(c.status)
	c.mu.Unlock()
	c.versions[file] = 0
	c.openText(file, counter)
	c.settled(file)
}

// Texts in which components and events build on themselves, or on much in many ways.
func TestCycles(t *testing.T) {
	var wide strings.Builder
	wide.WriteString("context c0 end\n")
	for i := range 40 {
		fmt.Fprintf(&wide, "context c%d extends c%d d%d end\ncontext d%d extends c%d end\n", i+1, i, i, i, i)
	}
	for _, text := range []string{
		"machine m\nrefines m\nvariables x\ninvariants\n    @a x = y\nevents\n    event e refines e\n        any p\n        where\n            @g p = z\n    end\nend\n",
		"machine m\nrefines n\nvariables x\ninvariants\n    @a x = y\nevents\n    event e extends e\n    end\nend\nmachine n\nrefines m\nvariables x\nevents\n    event e extends e\n        where\n            @g z = 1\n    end\nend\n",
		"context c\nextends c\naxioms\n    @a x = y\nend\n",
		wide.String() + "machine m\nsees c40\ninvariants\n    @a x = y\nend\n",
	} {
		c := begin(t, map[string]string{file: text}, Options{})
		c.open(file)
		c.completions(c.at(file, "@a x", 4))
		c.call("textDocument/hover", c.at(file, "x = y", 4), nil)
		c.call("textDocument/codeAction", c.lineOf(file, "x = y"), nil)
		c.call("textDocument/semanticTokens/full", protocol.DocumentParams{TextDocument: c.document(file)}, nil)
	}
}
