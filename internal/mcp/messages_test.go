package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/mcp"
)

// TestMalformed: a line that is no message gets an error, and the session goes on.
func TestMalformed(t *testing.T) {
	for line, code := range map[string]int{
		"hello": -32700, "{": -32700, "\xff": -32700, "": -32700, strings.Repeat("[", 30000): -32700,
		"[]": -32600, "null": -32600, "3": -32600, "{}": -32600, `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`: -32600,
		`{"jsonrpc":"1.0","id":1,"method":"ping"}`: -32600, `{"jsonrpc":"2.0","id":[],"method":"ping"}`: -32600, `{"jsonrpc":"2.0","id":{},"method":"ping"}`: -32600,
	} {
		fromAgent, toServer := io.Pipe()
		fromServer, toAgent := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			ended <- mcp.Serve(t.Context(), fromAgent, toAgent, "test", func(context.Context, mcp.Command) (string, string, int) { return "", "", 0 })
			toAgent.Close()
		}()
		answers := bufio.NewScanner(fromServer)
		ask := func(line string) (answer struct {
			ID    any
			Error *struct{ Code int }
		}) {
			if _, err := io.WriteString(toServer, line+"\n"); err != nil {
				t.Fatalf("%.40q: %v", line, err)
			}
			if !answers.Scan() {
				t.Fatalf("%.40q: no answer: %v", line, answers.Err())
			}
			if err := json.Unmarshal(answers.Bytes(), &answer); err != nil {
				t.Fatalf("%.40q: %v", line, err)
			}
			return answer
		}
		if a := ask(line); a.Error == nil || a.Error.Code != code || a.ID != nil {
			t.Errorf("%.40q: answered by %+v, want error %d", line, a, code)
		}
		if a := ask(`{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`); a.Error != nil || a.ID != 7.0 {
			t.Errorf("after %.40q: %+v", line, a)
		}
		toServer.Close()
		<-ended
	}
}
