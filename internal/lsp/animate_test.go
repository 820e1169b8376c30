package lsp

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creachadair/jrpc2"
	"github.com/gradine/gradine/internal/lsp/protocol"
)

// A page is about what the lens names, sees the texts as they are open, and is served until the server ends; who asks again
// is shown the same one.
func TestAnimate(t *testing.T) {
	opened, ended := 0, make(chan string, 2)
	var texts func() map[string][]byte
	animate := func(now func() map[string][]byte, at, name string) (string, func(context.Context) error, error) {
		if name == "nothing" {
			return "", nil, errors.New("no machine nothing")
		}
		opened++
		texts = now
		return "http://127.0.0.1:1/" + name, func(ctx context.Context) error {
			<-ctx.Done()
			ended <- name
			return nil
		}, nil
	}
	shown := make(chan protocol.ShowDocument, 4)
	answer := func(_ context.Context, request *jrpc2.Request) (any, error) {
		var what protocol.ShowDocument
		if request.Method() == "window/showDocument" && request.UnmarshalParams(&what) == nil {
			shown <- what
		}
		return map[string]bool{"success": true}, nil
	}
	capabilities := map[string]any{"window": map[string]any{"showDocument": map[string]any{"support": true}}}
	t.Run("session", func(t *testing.T) {
		c := beginFiles(t, map[string]string{file: counter}, Options{Animate: animate}, capabilities, answer)
		c.open(file)
		var lenses []protocol.CodeLens
		c.call("textDocument/codeLens", protocol.DocumentParams{TextDocument: c.document(file)}, &lenses)
		var args []any
		for _, l := range lenses {
			if l.Command.Title == "animate" && args == nil {
				args = l.Command.Arguments
			}
		}
		if len(args) != 2 || args[1] != "counter" {
			t.Fatalf("the lens animates %v", args)
		}
		for range 2 {
			var done protocol.Executed
			c.call("workspace/executeCommand", map[string]any{"command": animateCommand, "arguments": args}, &done)
			if want := "http://127.0.0.1:1/counter"; done.Text != want || (<-shown).URI != want {
				t.Errorf("the page is at %s, want %s", done.Text, want)
			}
		}
		if opened != 1 {
			t.Errorf("%d pages are open, want 1", opened)
		}
		c.replace(file, "n > 0", "n > 7")
		c.call("textDocument/codeLens", protocol.DocumentParams{TextDocument: c.document(file)}, &lenses)
		if now := string(texts()[filepath.Join(c.dir, file)]); !strings.Contains(now, "n > 7") {
			t.Errorf("the page sees\n%s", now)
		}
		for _, wrong := range [][]any{{args[0], "nothing"}, {args[0], "--export=x"}, {args[0]}} {
			if _, err := c.rpc.Call(context.Background(), "workspace/executeCommand", map[string]any{"command": animateCommand, "arguments": wrong}); err == nil {
				t.Errorf("%v is animated", wrong[1:])
			}
		}
	})
	if name := <-ended; name != "counter" {
		t.Errorf("the page of %s has ended", name)
	}
}
