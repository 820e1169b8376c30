package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/internal/seam"
)

var kinds = []seam.Kind{seam.Panic, seam.Memory, seam.Nesting, seam.Cancelled}

// once injects a fault the first time that a seam is entered.
func once(s seam.Seam, kind seam.Kind) (met *atomic.Int64, end func()) {
	met = new(atomic.Int64)
	return met, seam.Inject(func(x seam.Seam, _ string) seam.Kind {
		if x == s && met.Add(1) == 1 {
			return kind
		}
		return seam.None
	})
}

// TestFaults injects each kind of fault at each seam of the server: one answer is lost, which is
// said, and the next one is as ever.
func TestFaults(t *testing.T) {
	wrong := strings.Replace(counter, "n < most", "n ≤ most", 1)
	for s, lost := range map[seam.Seam]func(t *testing.T, c *client, met *atomic.Int64){
		seam.EditorRequest: func(t *testing.T, c *client, _ *atomic.Int64) {
			var got json.RawMessage
			ask := func() error {
				return c.rpc.CallResult(context.Background(), "textDocument/documentSymbol", protocol.DocumentParams{TextDocument: c.document(file)}, &got)
			}
			if err := ask(); err == nil || !strings.Contains(err.Error(), "internal error") && !strings.Contains(err.Error(), "cancelled") {
				t.Errorf("%v", err)
			}
			if err := ask(); err != nil || len(got) < 10 {
				t.Errorf("the next request: %v %s", err, got)
			}
		},
		seam.EditorText: func(_ *testing.T, c *client, _ *atomic.Int64) {
			c.wait("the fault is said", func() bool {
				for _, shown := range c.shown {
					for _, d := range shown.Diagnostics {
						if strings.Contains(d.Message, "internal error") {
							return true
						}
					}
				}
				return false
			})
			c.change(file, protocol.TextChange{Text: wrong + "\n"})
		},
		seam.EditorShow: func(_ *testing.T, c *client, met *atomic.Int64) {
			c.wait("something is shown", func() bool { return met.Load() > 0 })
			c.change(file, protocol.TextChange{Text: wrong + "\n"})
		},
		seam.Obligation: func(*testing.T, *client, *atomic.Int64) {},
	} {
		for _, kind := range kinds {
			t.Run(fmt.Sprintf("%s %d", s, kind), func(t *testing.T) {
				c := begin(t, map[string]string{file: wrong}, Options{})
				var met *atomic.Int64
				var end func()
				if s == seam.EditorRequest { // not the first greeting
					c.open(file)
					c.settled(file)
					met, end = once(s, kind)
				} else {
					met, end = once(s, kind)
					c.open(file)
				}
				defer end()
				lost(t, c, met)
				c.settled(file)
				c.wait("the verdict of another obligation", func() bool { return len(c.shown[file].Diagnostics) > 0 })
				if met.Load() == 0 {
					t.Error("nothing was injected")
				}
			})
		}
	}
}

// A message that would not fit into memory is passed over, and the editor is told.
func TestLongMessages(t *testing.T) {
	w := newWire(t)
	defer w.bye()
	w.answer("initialize", `{"capabilities":{}}`)
	w.raw(`{"jsonrpc":"2.0","method":"x","params":"` + strings.Repeat("x", maxMessage) + `"}`)
	w.alive("a message that is too long")
}
