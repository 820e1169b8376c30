package lsp

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/project"
)

// client is an editor that follows a script.
type client struct {
	t   testing.TB
	dir string
	rpc *jrpc2.Client

	mu       sync.Mutex
	shown    map[string]protocol.PublishParams // by path below dir
	status   map[string]*proofReport
	heard    chan struct{} // something has come
	versions map[string]int
	texts    map[string]string
}

// begin starts a server on files, and a client that has said hello. The options may
// have no store: then there is one for this client alone.
func begin(t testing.TB, files map[string]string, opts Options) *client {
	t.Helper()
	return beginFiles(t, files, opts, able, nothing)
}

// able are the capabilities of an editor that can do what the server can use.
var able = map[string]any{
	"workspace":    map[string]any{"inlayHint": map[string]any{"refreshSupport": true}, "workspaceEdit": map[string]any{"resourceOperations": []string{"create"}}},
	"textDocument": map[string]any{"codeAction": map[string]any{"resolveSupport": map[string]any{"properties": []string{"edit"}}}},
}

// nothing is what an editor answers that does nothing.
func nothing(context.Context, *jrpc2.Request) (any, error) { return nil, nil }

func beginFiles(t testing.TB, files map[string]string, opts Options, capabilities any, answer jrpc2.Handler) *client {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if opts.Store == nil {
		opts.Store = proofstore.OpenStore(t.TempDir())
	}
	return beginAt(t, dir, opts, capabilities, answer)
}

func beginAt(t testing.TB, dir string, opts Options, capabilities any, answer jrpc2.Handler) *client {
	t.Helper()
	fromServer, toServer, ended := serve(context.Background(), opts)
	c := &client{t: t, dir: dir, shown: map[string]protocol.PublishParams{}, status: map[string]*proofReport{}, heard: make(chan struct{}, 1), versions: map[string]int{}, texts: map[string]string{}}
	c.rpc = jrpc2.NewClient(&inOrder{channel.LSP(fromServer, toServer), c.notified}, &jrpc2.ClientOptions{OnCallback: answer})
	t.Cleanup(func() {
		c.call("shutdown", nil, nil)
		_ = c.rpc.Notify(context.Background(), "exit", nil)
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("the server ended with %v", err)
			}
		case <-time.After(corpus.Fuse):
			t.Error("the server does not end")
		}
		_ = c.rpc.Close()
	})
	c.call("initialize", map[string]any{"rootUri": uriOf(dir), "capabilities": capabilities}, nil)
	c.tell("initialized", map[string]any{})
	return c
}

// serve starts a server as a process of its own: when it ends, so do both of its pipes, and
// who still writes to it is told, as an editor is that answers a question of a server that
// has gone. Without that the answer would wait for ever, and the client with it.
func serve(ctx context.Context, opts Options) (fromServer io.Reader, toServer io.WriteCloser, ended <-chan error) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	end := make(chan error, 1)
	go func() {
		err := Serve(ctx, in, out, opts)
		_, _ = in.Close(), out.Close()
		end <- err
	}()
	return fromServer, toServer, end
}

// inOrder hands notifications over in the order in which they come, as editors do:
// jrpc2's client takes each message in a goroutine of its own.
type inOrder struct {
	channel.Channel
	notified func(method string, params json.RawMessage)
}

func (x *inOrder) Recv() ([]byte, error) {
	for {
		data, err := x.Channel.Recv()
		var message struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if err != nil || json.Unmarshal(data, &message) != nil || message.ID != nil || message.Method == "" {
			return data, err
		}
		x.notified(message.Method, message.Params)
	}
}

func (c *client) notified(method string, message json.RawMessage) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch method {
	case "textDocument/publishDiagnostics":
		var params protocol.PublishParams
		if err := json.Unmarshal(message, &params); err == nil {
			c.shown[c.name(params.URI)] = params
		}
	case "$/rossi/proofStatus":
		var params proofReport
		if err := json.Unmarshal(message, &params); err == nil {
			c.status[c.name(params.URI)] = &params
		}
	}
	select {
	case c.heard <- struct{}{}:
	default:
	}
}

func (c *client) name(uri string) string {
	rel, err := filepath.Rel(c.dir, pathOf(uri))
	if err != nil {
		return uri
	}
	return filepath.ToSlash(rel)
}

func (c *client) uri(name string) string { return uriOf(filepath.Join(c.dir, name)) }

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), corpus.Fuse)
	defer cancel()
	if result == nil {
		result = new(json.RawMessage)
	}
	if err := c.rpc.CallResult(ctx, method, params, result); err != nil {
		c.t.Errorf("%s: %v", method, err)
	}
}

func (c *client) tell(method string, params any) {
	c.t.Helper()
	if err := c.rpc.Notify(context.Background(), method, params); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// open opens a file with the text that it has.
func (c *client) open(name string) {
	c.t.Helper()
	data, err := os.ReadFile(filepath.Join(c.dir, name))
	if err != nil {
		c.t.Fatal(err)
	}
	c.openText(name, string(data))
}

func (c *client) openText(name, text string) {
	c.t.Helper()
	c.versions[name]++
	c.texts[name] = text
	c.tell("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri(name), "languageId": "eventb", "version": c.versions[name], "text": text}})
}

func (c *client) document(name string) protocol.DocumentID {
	return protocol.DocumentID{URI: c.uri(name)}
}

// replace changes the only place where old stands in an open text, as an editor does.
func (c *client) replace(name, old, text string) {
	c.t.Helper()
	before := c.texts[name]
	if strings.Count(before, old) != 1 {
		c.t.Fatalf("%s: %q stands there %d times", name, old, strings.Count(before, old))
	}
	at := strings.Index(before, old)
	r := newSource(before).span(at, at+len(old))
	c.change(name, protocol.TextChange{Range: &r, Text: text})
}

func (c *client) change(name string, change protocol.TextChange) {
	c.t.Helper()
	c.versions[name]++
	c.texts[name] = newSource(c.texts[name]).changed(change)
	version := c.versions[name]
	c.tell("textDocument/didChange", protocol.DidChangeParams{TextDocument: protocol.DocumentID{URI: c.uri(name), Version: &version}, ContentChanges: []protocol.TextChange{change}})
}

// wait waits until what has come is as is wanted.
func (c *client) wait(what string, ok func() bool) {
	c.t.Helper()
	end := time.After(corpus.Fuse)
	for {
		c.mu.Lock()
		done := ok()
		c.mu.Unlock()
		if done {
			return
		}
		select {
		case <-c.heard:
		case <-end:
			c.mu.Lock()
			defer c.mu.Unlock()
			shown, _ := json.MarshalIndent(c.shown, "", " ")
			c.t.Fatalf("%s: it never comes; shown are %s", what, shown)
		}
	}
}

// settled waits until all obligations of a file have a verdict for its present text.
func (c *client) settled(name string) {
	c.t.Helper()
	c.wait(name+" is settled", func() bool { return c.isSettled(name) })
}

func (c *client) isSettled(name string) bool {
	status := c.status[name]
	if status == nil || status.Version != c.versions[name] {
		return false
	}
	for _, line := range status.Obligations {
		if line.Verdict == "" {
			return false
		}
	}
	return true
}

// messages lists what is shown of a file, each with its line.
func (c *client) messages(name string) (out []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range c.shown[name].Diagnostics {
		out = append(out, strings.Join([]string{lineText(c.texts[name], d.Range.Start.Line), d.Message}, " ← "))
	}
	return out
}

func lineText(text string, line int) string {
	lines := strings.Split(text, "\n")
	if line >= len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[line])
}

// hints lists the inlay hints of a file, each with its line.
func (c *client) hints(name string) (out []string) {
	c.t.Helper()
	var hints []protocol.InlayHint
	c.call("textDocument/inlayHint", protocol.RangeParams{TextDocument: c.document(name), Range: newSource(c.texts[name]).all()}, &hints)
	for _, h := range hints {
		out = append(out, lineText(c.texts[name], h.Position.Line)+" ← "+h.Label)
	}
	return out
}

// at is the place of the n-th byte behind the beginning of the only place where what
// stands in the text of a file.
func (c *client) at(name, what string, n int) protocol.PositionParams {
	c.t.Helper()
	text := c.texts[name]
	i := strings.Index(text, what)
	if i < 0 {
		c.t.Fatalf("%s: no %q", name, what)
	}
	return protocol.PositionParams{TextDocument: c.document(name), Position: newSource(text).position(i + n)}
}

// fingerprint is that of an obligation in the lock.
func (c *client) fingerprint(path string) string {
	c.t.Helper()
	projects, err := project.Open(c.dir)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, opened := range projects {
		obligations, err := opened.Obligations()
		if err != nil {
			c.t.Fatal(err)
		}
		for _, o := range obligations {
			if o.Path() == path {
				return proofstore.ShortFingerprint(text.SequentFingerprint(o.Sequent()))
			}
		}
	}
	c.t.Errorf("no obligation %s", path)
	return ""
}
