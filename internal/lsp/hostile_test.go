package lsp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/lsp/protocol"
)

// wire is an editor that says whatever it likes.
type wire struct {
	t     *testing.T
	in    io.WriteCloser
	ended <-chan error
	heard chan map[string]any
	next  int
}

func newWire(t *testing.T) *wire {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	fromServer, toServer, ended := serve(ctx, Options{Store: proofstore.OpenStore(t.TempDir())})
	w := &wire{t: t, in: toServer, ended: ended, heard: make(chan map[string]any, 1000)}
	go func() {
		defer close(w.heard)
		r := bufio.NewReader(fromServer)
		for {
			length := 0
			for {
				line, err := r.ReadString('\n')
				if err != nil {
					return
				}
				if line = strings.TrimSpace(line); line == "" {
					break
				}
				if value, ok := strings.CutPrefix(line, "Content-Length:"); ok {
					length, _ = strconv.Atoi(strings.TrimSpace(value))
				}
			}
			data := make([]byte, length)
			if _, err := io.ReadFull(r, data); err != nil {
				return
			}
			var message map[string]any
			var several []map[string]any
			if json.Unmarshal(data, &message) != nil && json.Unmarshal(data, &several) != nil {
				t.Errorf("the server says %q", data)
			}
			w.heard <- message
		}
	}()
	return w
}

// raw sends a message as it is.
func (w *wire) raw(body string) {
	w.t.Helper()
	if _, err := fmt.Fprintf(w.in, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		w.t.Fatalf("the server has gone: %v, after %.200q", err, body)
	}
}

// answer sends a request and returns what is answered to it.
func (w *wire) answer(method, params string) map[string]any {
	w.t.Helper()
	w.next++
	id := fmt.Sprintf("q%d", w.next)
	if params == "" {
		w.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":%q}`, id, method))
	} else {
		w.raw(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"method":%q,"params":%s}`, id, method, params))
	}
	end := time.After(corpus.Fuse)
	for {
		select {
		case message, ok := <-w.heard:
			if !ok {
				w.t.Fatalf("the server has gone after %s %.200s", method, params)
			}
			if message["id"] == id && message["method"] == nil {
				return message
			}
		case <-end:
			w.t.Fatalf("no answer to %s %.200s", method, params)
		}
	}
}

// alive wants a request that is right to be answered.
func (w *wire) alive(after string) {
	w.t.Helper()
	if a := w.answer("rossi/operatorTable", ""); a["error"] != nil {
		w.t.Fatalf("after %s: %v", after, a)
	}
}

// bye ends the connection as an editor does.
func (w *wire) bye() {
	w.t.Helper()
	w.raw(`{"jsonrpc":"2.0","method":"exit"}`)
	select {
	case err := <-w.ended:
		if err != nil {
			w.t.Errorf("the server ended with %v", err)
		}
	case <-time.After(corpus.Fuse):
		w.t.Error("the server does not end")
	}
}

func quote(value any) string {
	data, _ := json.Marshal(value)
	return string(data)
}

// TestHostile says what no editor should: each word is answered or passed over, and the
// next one that is right is answered.
func TestHostile(t *testing.T) {
	w := newWire(t)
	defer w.bye()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, file), []byte(counter), 0o666); err != nil {
		t.Fatal(err)
	}
	uri := uriOf(filepath.Join(dir, file))
	// Before hello.
	w.answer("textDocument/hover", quote(protocol.PositionParams{TextDocument: protocol.DocumentID{URI: uri}, Position: protocol.Position{Line: 3, Character: 3}}))
	w.answer("textDocument/rename", `{}`)
	w.alive("requests before initialize")
	w.answer("initialize", quote(map[string]any{"processId": nil, "rootUri": nil, "capabilities": map[string]any{}, "workspaceFolders": []any{map[string]any{"uri": uriOf(dir), "name": "a"}, map[string]any{"uri": uri, "name": "a file"}}}))
	w.answer("initialize", `{"capabilities":{}}`) // twice
	w.raw(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	for _, body := range []string{
		"", "{", "null", "[]", "3", `"x"`, "{}", `{"jsonrpc":"2.0"}`, `{"jsonrpc":"1.0","id":1,"method":"shutdown"}`, `{"jsonrpc":"2.0","id":{},"method":"x"}`, `{"jsonrpc":"2.0","id":[1],"method":"x"}`,
		`{"jsonrpc":"2.0","id":7,"result":3}`, `{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}`, `{"jsonrpc":"2.0","method":3}`, `{"jsonrpc":"2.0","id":8,"method":""}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen"}`, `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":[]}`, `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":3}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"x"},"contentChanges":{}}}`, `{"jsonrpc":"2.0","method":"$/unknown","params":{}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":"file:///never/opened.eventb"}}}`, `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":12345}}`,
		`{"jsonrpc":"2.0","method":"workspace/didChangeWatchedFiles","params":{"changes":[{"uri":3}]}}`, "\xff\xfe{", strings.Repeat("[", 20_000), `{"jsonrpc":"2.0","id":1,"method":"x"` + strings.Repeat(" ", 1<<20) + "}",
		`[{"jsonrpc":"2.0","id":1,"method":"shutdown"},{"jsonrpc":"2.0","id":1,"method":"shutdown"}]`,
	} {
		w.raw(body)
		w.alive(fmt.Sprintf("%.100q", body))
	}
	open := func(uri, text string) {
		w.raw(fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":%s}`, quote(map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "eventb", "version": 1, "text": text}})))
	}
	open(uri, counter)
	// Every request of wrong shape, about places and documents that are not there.
	methods := []string{}
	for name := range new(server).methods() {
		if name != "exit" && name != "shutdown" && name != "initialize" {
			methods = append(methods, name)
		}
	}
	slices.Sort(methods)
	uris := []string{"", "x", "untitled:Untitled-1", "vscode-notebook-cell:/a/b.ipynb#1", "http://localhost/m.eventb", "file:", "file://", "file:///", "file:///c:/models/m.eventb", "file:///C%3A/models/m.eventb", "file:///%00", "file:///%zz", uriOf(dir), "file://host/m.eventb", uri + "x", uri}
	random := rand.New(rand.NewPCG(7, 7))
	for _, method := range methods {
		for _, params := range []string{"", "null", "[]", "3", `"x"`, "{}", `{"textDocument":null}`, `{"textDocument":{"uri":3}}`, `{"item":{}}`, `{"data":3}`, `{"command":"gradine.why","arguments":[3]}`, `{"command":"gradine.explore","arguments":["` + uri + `","` + strings.Repeat("x", 1<<16) + `"]}`} {
			if !strings.HasPrefix(method, "textDocument/did") {
				w.answer(method, params)
			}
		}
		for _, uri := range uris {
			at := protocol.Position{Line: random.IntN(80) - 10, Character: random.IntN(80) - 10}
			if random.IntN(3) == 0 {
				at = protocol.Position{Line: 1 << 40, Character: -1 << 40}
			}
			w.answer(method, quote(map[string]any{"textDocument": map[string]any{"uri": uri}, "position": at, "positions": []protocol.Position{at}, "range": protocol.Range{Start: at, End: protocol.Position{}}, "newName": "a", "ch": "", "item": map[string]any{"uri": uri}, "context": map[string]any{}, "command": "gradine.prove", "arguments": []string{uri, "x"}, "name": "x", "component": "y", "query": uri, "contentChanges": []any{map[string]any{"range": protocol.Range{Start: at, End: protocol.Position{}}, "text": "x"}}}))
		}
	}
	for _, uri := range uris {
		open(uri, counter)
	}
	w.alive("documents that are no files")
	// What is too large for a person is not too large for the server.
	open(uri, counter+strings.Repeat("// 𝔹\n", 1<<15))
	if a := w.answer("textDocument/documentSymbol", quote(protocol.DocumentParams{TextDocument: protocol.DocumentID{URI: uri}})); a["error"] != nil {
		t.Errorf("of a large text: %v", a)
	}
	// After goodbye requests are answered still, or refused; exit ends it.
	w.answer("shutdown", "")
	w.answer("textDocument/hover", quote(protocol.PositionParams{TextDocument: protocol.DocumentID{URI: uri}, Position: protocol.Position{Line: 3, Character: 3}}))
	w.answer("shutdown", "")
}

// Files come and go, folders are renamed, links lead to the same text: what is said is
// about the texts that are open, and ends with them.
func TestPlaces(t *testing.T) {
	wrong := strings.Replace(counter, "n < most", "n ≤ most", 1)
	c := begin(t, map[string]string{"a/" + file: counter, "b/" + file: counter, "c d/é 𝔹/" + file: wrong}, Options{})
	if err := os.Symlink(filepath.Join(c.dir, "a"), filepath.Join(c.dir, "link")); err != nil {
		t.Skip(err)
	}
	refuted := func(name string) bool { return len(c.shown[name].Diagnostics) > 0 }
	// A link is a place of its own, as for the command line.
	c.open("a/" + file)
	c.open("link/" + file)
	c.change("link/"+file, protocol.TextChange{Range: nil, Text: wrong})
	c.wait("what is wrong behind the link", func() bool { return refuted("link/" + file) })
	c.settled("a/" + file)
	if m := c.messages("a/" + file); len(m) > 0 {
		t.Errorf("%q", m)
	}
	// Blanks and characters beyond the first plane.
	c.open("c d/é 𝔹/" + file)
	c.wait("a strange path", func() bool { return refuted("c d/é 𝔹/" + file) })
	// A file that is deleted while it is open is still a text; closed, nothing is left of it.
	if err := os.RemoveAll(filepath.Join(c.dir, "a")); err != nil {
		t.Fatal(err)
	}
	c.tell("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": c.uri("a/" + file), "type": 3}}})
	c.change("a/"+file, protocol.TextChange{Range: nil, Text: wrong})
	var symbols []protocol.DocumentSymbol
	if c.call("textDocument/documentSymbol", protocol.DocumentParams{TextDocument: c.document("a/" + file)}, &symbols); len(symbols) > 0 {
		t.Logf("%d symbols of a text in a folder that is gone", len(symbols))
	}
	c.tell("textDocument/didClose", protocol.DocumentParams{TextDocument: c.document("a/" + file)})
	c.tell("textDocument/didClose", protocol.DocumentParams{TextDocument: c.document("link/" + file)})
	c.wait("nothing is said of what is gone", func() bool { return !refuted("a/"+file) && !refuted("link/"+file) && !refuted("a") })
	// A folder that is renamed: the editor closes its texts, and opens them at the new place.
	c.open("b/" + file)
	c.settled("b/" + file)
	if err := os.Rename(filepath.Join(c.dir, "b"), filepath.Join(c.dir, "new")); err != nil {
		t.Fatal(err)
	}
	c.tell("textDocument/didClose", protocol.DocumentParams{TextDocument: c.document("b/" + file)})
	c.open("new/" + file)
	c.change("new/"+file, protocol.TextChange{Range: nil, Text: wrong})
	c.wait("the new place", func() bool { return refuted("new/" + file) })
	if refuted("b/"+file) || refuted("b") {
		t.Errorf("%q %q", c.messages("b/"+file), c.messages("b"))
	}
	// What another program wrote counts where no text is open.
	if err := os.WriteFile(filepath.Join(c.dir, "new", "other.eventb"), []byte("context other\naxioms\n    @a 1 ∈\nend\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c.tell("workspace/didChangeWatchedFiles", map[string]any{})
	c.wait("a file that nobody opened", func() bool { return refuted("new/other.eventb") })
	if err := os.Remove(filepath.Join(c.dir, "new", "other.eventb")); err != nil {
		t.Fatal(err)
	}
	c.tell("workspace/didChangeWatchedFiles", map[string]any{})
	c.wait("a file that is gone", func() bool { return !refuted("new/other.eventb") })
}

// A file that belongs to several projects is spoken of by one of them, and a change of it
// is seen by all: no mark of another text rests on what it was.
func TestSharedSources(t *testing.T) {
	const base = "machine base\nvariables n\ninvariants\n    @n n ∈ ℕ\nevents\n    event INITIALISATION\n        then\n            @n n ≔ 0\n    end\n    event up\n        then\n            @n n ≔ n + 1\n    end\nend\n"
	const above = "machine above\nrefines base\nvariables n\nevents\n    event INITIALISATION extends INITIALISATION\n    end\n    event up\n        refines up\n        then\n            @n n ≔ n + 1\n    end\nend\n"
	c := begin(t, map[string]string{"gradine.toml": "[project.all]\nsources = [\"top\", \"sub\"]\n", "sub/gradine.toml": "[project.sub]\nsources = [\".\"]\n", "sub/base.eventb": base, "top/above.eventb": above}, Options{})
	c.open("top/above.eventb")
	c.open("sub/base.eventb")
	c.settled("top/above.eventb")
	c.settled("sub/base.eventb")
	if m := c.messages("top/above.eventb"); len(m) > 0 {
		t.Fatalf("%q", m)
	}
	// The refinement is wrong with another text below it, though its own is as it was.
	c.replace("sub/base.eventb", "n ≔ n + 1", "n ≔ n + 2")
	c.wait("what is wrong above", func() bool {
		return slices.ContainsFunc(c.shown["top/above.eventb"].Diagnostics, func(d protocol.Diagnostic) bool { return strings.Contains(d.Message, "refuted") })
	})
	c.replace("sub/base.eventb", "n ≔ n + 2", "n ≔ n + 1")
	c.wait("what is right again", func() bool { return len(c.shown["top/above.eventb"].Diagnostics) == 0 })
}
