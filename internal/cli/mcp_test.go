package cli

import (
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	server "github.com/gradine/gradine/internal/mcp"
)

// What an agent is told is what the command line prints, byte for byte.
func TestAgents(t *testing.T) {
	dir := smallProject(t)
	data, err := os.ReadFile(filepath.Join(dir, "model.eventb"))
	if err != nil {
		t.Fatal(err)
	}
	model := strings.Replace(string(data), ">", "≥", 1)
	r := &run{ctx: t.Context(), dir: dir}
	fromAgent, toServer := io.Pipe()
	fromServer, toAgent := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(t.Context(), fromAgent, toAgent, "test", r.tool) }()
	agent := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := agent.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s may write", tool.Name)
		}
	}
	slices.Sort(names)
	if want := []string{"check", "explain", "explore", "infer", "obligations", "prove", "sequent", "try", "why"}; !slices.Equal(names, want) {
		t.Errorf("tools: %q", names)
	}
	before := filesIn(t, dir)
	called := map[string]bool{}
	for _, test := range []struct {
		tool  string
		given map[string]any
		line  string
	}{
		{"check", map[string]any{"path": "model.eventb"}, "check --format jsonl model.eventb"},
		{"check", map[string]any{}, "check --format jsonl"},
		{"obligations", map[string]any{"path": "model.eventb"}, "po --format jsonl model.eventb"},
		{"prove", map[string]any{"path": "model.eventb", "steps": 100}, "prove --format jsonl --steps 100 model.eventb"},
		{"prove", map[string]any{"path": "model.eventb"}, "prove --format jsonl model.eventb"},
		{"explore", map[string]any{"path": "model.eventb", "machine": "model"}, "explore --format jsonl model.eventb model"},
		{"try", map[string]any{"file": "model.eventb", "text": model}, "try --format jsonl model.eventb=-"},
		{"explain", map[string]any{"subject": "INV"}, "explain INV"},
		{"explain", map[string]any{"subject": "GR0010"}, "explain GR0010"},
		{"sequent", map[string]any{"path": "model.eventb", "obligation": "--all"}, "po --all -- model.eventb --all"},
		{"why", map[string]any{"path": filepath.Join(dir, "nowhere"), "obligation": "m/e/i/INV"}, "report why " + filepath.Join(dir, "nowhere") + " m/e/i/INV"},
		{"sequent", map[string]any{"path": "model.eventb", "obligation": "model/turn/n/INV"}, "po --all model.eventb model/turn/n/INV"},
		{"why", map[string]any{"path": "model.eventb", "obligation": "model/turn/n/INV"}, "report why model.eventb model/turn/n/INV"},
		{"infer", map[string]any{"path": "model.eventb", "machine": "model"}, "infer --format jsonl model.eventb model"},
		{"explore", map[string]any{"path": "model.eventb", "machine": "model", "constants": []string{"N=3"}}, "explore --format jsonl --const N=3 model.eventb model"},
	} {
		called[test.tool] = true
		want, messages, code := r.perform(t.Context(), "", model, strings.Fields(test.line))
		if want == "" {
			want = messages
		}
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: test.tool, Arguments: test.given})
		if err != nil {
			t.Errorf("%s %v: %v", test.tool, test.given, err)
			continue
		}
		if got := result.Content[0].(*mcp.TextContent).Text; got != want {
			t.Errorf("%s %v answers\n%s\nand %s prints\n%s", test.tool, test.given, got, test.line, want)
		}
		if result.IsError != (code == exitUsage) {
			t.Errorf("%s %v: %v with exit code %d", test.tool, test.given, result.IsError, code)
		}
		exit := result.StructuredContent.(map[string]any)["exit"]
		if exit != float64(code) {
			t.Errorf("%s %v: exit %v, of the command %d", test.tool, test.given, exit, code)
		}
	}
	for _, name := range names {
		if !called[name] {
			t.Errorf("%s is not tested", name)
		}
	}
	// That a tool is read-only is a promise to agents, who need not ask anybody before.
	if !maps.Equal(filesIn(t, dir), before) {
		t.Error("a tool has written into the project")
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// filesIn tells what the files in a folder hold, and when they were written.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(name)
		out[name] = info.ModTime().String() + string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
