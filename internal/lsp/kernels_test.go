package lsp

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/lsp/protocol"
)

const double = `// Each work item doubles one element.
__kernel void twice(__global int *a, int n)
{
    int i = get_global_id(0);
    if (i < n)
        a[i] = a[i] + a[i];
}
`

// A kernel that gradine.toml lists is told what is wrong with it, in its own text; what is
// for texts in Event-B leaves it alone, and a kernel that is not listed is not mentioned.
func TestKernels(t *testing.T) {
	const name = "k.cl"
	config := "[project.k]\nsources = [\".\"]\n[kernel.twice]\nlocal_size = \"2\"\nnum_groups = \"2\"\n"
	c := begin(t, map[string]string{name: double, "gradine.toml": config, "other/k.cl": double}, Options{})
	c.open(name)
	c.settled(name)
	all := protocol.RangeParams{TextDocument: c.document(name), Range: newSource(double).all()}
	for method, params := range map[string]any{
		"textDocument/formatting": protocol.DocumentParams{TextDocument: c.document(name)}, "textDocument/rangeFormatting": all,
		"textDocument/onTypeFormatting":    onTypeParams{c.at(name, "i < n", 4), " "},
		"textDocument/semanticTokens/full": protocol.DocumentParams{TextDocument: c.document(name)}, "textDocument/foldingRange": protocol.DocumentParams{TextDocument: c.document(name)},
		"textDocument/codeAction": protocol.ActionParams{RangeParams: all}, "textDocument/completion": c.at(name, "i < n", 1), "textDocument/hover": c.at(name, "i < n", 0),
		"textDocument/signatureHelp": c.at(name, "(__global", 1), "textDocument/definition": c.at(name, "twice", 0), "textDocument/references": c.at(name, "twice", 0),
		"textDocument/prepareRename": c.at(name, "twice", 0), "textDocument/documentHighlight": c.at(name, "twice", 0),
		"textDocument/documentSymbol": protocol.DocumentParams{TextDocument: c.document(name)}, "textDocument/selectionRange": selectionParams{c.document(name), []protocol.Position{{Line: 4, Character: 6}}},
	} {
		var out json.RawMessage
		c.call(method, params, &out)
		switch got := string(out); got {
		case "null", "[]", `{"data":[]}`, `{"isIncomplete":false,"items":[]}`:
		default:
			t.Errorf("%s: %.300s", method, got)
		}
	}
	proved := regexp.MustCompile(`^a\[i\] = a\[i\] \+ a\[i\]; ← (\d+)/(\d+)$`)
	if hints := c.hints(name); len(hints) == 0 {
		t.Error("no hints")
	} else if m := proved.FindStringSubmatch(hints[len(hints)-1]); m == nil || m[1] != m[2] {
		t.Errorf("%q", hints)
	}
	var lenses []protocol.CodeLens
	c.call("textDocument/codeLens", protocol.DocumentParams{TextDocument: c.document(name)}, &lenses)
	if len(lenses) == 0 || lenses[0].Command.Command != "gradine.obligations" {
		t.Errorf("%+v", lenses)
	}
	// What is wrong with the present text is said, and nothing is proved of it.
	c.replace(name, "if (i < n)", "if (i < n")
	c.wait("the parenthesis", func() bool {
		return len(c.shown[name].Diagnostics) == 1 && c.shown[name].Diagnostics[0].Code == "GR0971" && c.status[name].Version == c.versions[name] && len(c.status[name].Obligations) == 0
	})
	c.change(name, protocol.TextChange{Range: nil, Text: strings.Replace(double, "i < n", "i <= n", 1)})
	c.settled(name)
	c.open("other/k.cl")
	c.call("textDocument/documentSymbol", protocol.DocumentParams{TextDocument: c.document("other/k.cl")}, nil)
	if m := c.messages("other/k.cl"); len(m) > 0 {
		t.Errorf("a kernel that nobody lists: %q", m)
	}
}
