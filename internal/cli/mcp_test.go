package cli

import (
	"fmt"
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
	if want := []string{"check", "explain", "explore", "fmt", "infer", "obligations", "prove", "sequent", "suggest", "try", "verify", "why"}; !slices.Equal(names, want) {
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
		{"prove", map[string]any{"path": "model.eventb", "steps": 100, "all": true}, "prove --format jsonl --steps 100 model.eventb"},
		{"verify", map[string]any{}, "verify"},
		{"prove", map[string]any{"path": "model.eventb", "all": true}, "prove --format jsonl model.eventb"},
		{"explore", map[string]any{"path": "model.eventb", "machine": "model"}, "explore --format jsonl model.eventb model"},
		{"suggest", map[string]any{"path": "model.eventb", "obligation": "model/turn/n/INV"}, "prove --suggest --format jsonl model.eventb model/turn/n/INV"},
		{"fmt", map[string]any{"path": "model.eventb", "ascii": true}, "fmt --ascii model.eventb"},
		{"fmt", map[string]any{"text": model}, "fmt -"},
		{"try", map[string]any{"file": "model.eventb", "text": model}, "try --format jsonl model.eventb=-"},
		{"explain", map[string]any{"subject": "INV"}, "explain INV"},
		{"explain", map[string]any{"subject": "GR0010"}, "explain GR0010"},
		{"sequent", map[string]any{"path": "model.eventb", "obligation": "--all"}, "po --all -- model.eventb --all"},
		{"sequent", map[string]any{"path": "model.eventb", "obligation": "model/turn/n/INV"}, "po --all model.eventb model/turn/n/INV"},
		{"why", map[string]any{"path": "model.eventb", "obligation": "model/turn/n/INV"}, "report why model.eventb model/turn/n/INV"},
		{"infer", map[string]any{"path": "model.eventb", "machine": "model", "all": true}, "infer --format jsonl model.eventb model"},
		{"explore", map[string]any{"path": "model.eventb", "machine": "model", "constants": []string{"N=3"}}, "explore --format jsonl --const N=3 model.eventb model"},
		{"explore", map[string]any{"path": "model.eventb", "machine": "model", "goal": "n = 1", "max_states": 9, "sizes": []string{"3"}}, "explore --format jsonl --size 3 --goal n=1 --max-states 9 model.eventb model"},
		{"explore", map[string]any{"path": "model.eventb", "machine": "model", "ltl": "G{n=1}"}, "explore --format jsonl --ltl G{n=1} model.eventb model"},
	} {
		called[test.tool] = true
		want, messages, code := r.perform(t.Context(), "", model, strings.Fields(test.line))
		if want == "" {
			want = messages
		}
		if want == "" {
			want = map[string]string{"check": "no errors or warnings\n", "suggest": "no hints are needed: the obligation is proved without them\n"}[test.tool]
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

// converse starts a server of agents, and returns what asks it: the text of its answer, and whether
// that is an error.
func converse(t *testing.T, dir string) func(tool string, given map[string]any) (string, bool) {
	t.Helper()
	r := &run{ctx: t.Context(), dir: dir}
	fromAgent, toServer := io.Pipe()
	fromServer, toAgent := io.Pipe()
	go func() { _ = server.Serve(t.Context(), fromAgent, toAgent, "test", r.tool) }()
	agent := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := agent.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return func(tool string, given map[string]any) (string, bool) {
		t.Helper()
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: given})
		if err != nil {
			t.Fatal(err)
		}
		return result.Content[0].(*mcp.TextContent).Text, result.IsError
	}
}

// An agent is told what it can use: no more than it can read, tools and not commands, and that
// something is missing.
func TestAnswersToAgents(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	dir := t.TempDir()
	// Of many hypotheses and goals, as of a large project.
	var large strings.Builder
	large.WriteString("machine large\nvariables x\ninvariants\n    @x x ∈ 0 ‥ 9\n")
	for i := range 120 {
		fmt.Fprintf(&large, "    @i%d x ≤ %d\n", i, i+9)
	}
	large.WriteString("events\n    event INITIALISATION\n        then\n            @x x ≔ 0\n    end\n\n    event up\n        then\n            @x x ≔ x + 1\n    end\nend\n")
	const open = "machine open\nvariables x\ninvariants\n    @x x ∈ ℤ\n    @y ∀ a, b, c · a ∈ ℕ1 ∧ b ∈ ℕ1 ∧ c ∈ ℕ1 ⇒ a ∗ a ∗ a + b ∗ b ∗ b ≠ c ∗ c ∗ c + x ∗ x ∗ 0\nevents\n    event INITIALISATION\n        then\n            @x x ≔ 0\n    end\nend\n"
	for name, text := range map[string]string{"faulty.eventb": faulty, "large.eventb": large.String(), "open.eventb": open, "k.eventb": strings.Replace(open, "open", "good", 1)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ask := converse(t, dir)
	if got, failed := ask("check", map[string]any{"path": "faulty.eventb"}); failed || got != "no errors or warnings\n" {
		t.Errorf("a project without problems: %v %q", failed, got)
	}
	for _, tool := range []string{"check", "verify", "prove", "obligations"} {
		if got, failed := ask(tool, map[string]any{"path": "nowhere"}); !failed || !strings.Contains(got, "nowhere: no such file or directory") {
			t.Errorf("%s of what is not there: %v %q", tool, failed, got)
		}
	}
	got, _ := ask("prove", map[string]any{"path": "faulty.eventb"})
	if n := strings.Count(got, "\n"); n != 3 || strings.Contains(got, `"verdict":"proved"`) || !strings.HasSuffix(got, `{"proved":6,"as_expected":0,"of":8}`+"\n") {
		t.Errorf("what is not proved, %d lines:\n%s", n, got)
	}
	if got, failed := ask("fmt", map[string]any{"text": "machine m\nevents event INITIALISATION end end"}); failed || !strings.HasPrefix(got, "machine m\nevents\n") {
		t.Errorf("fmt of a text: %v %q", failed, got)
	}
	if got, failed := ask("suggest", map[string]any{"path": "open.eventb", "obligation": "open/INITIALISATION/y/INV"}); failed || !strings.Contains(got, `"name":"INITIALISATION/y/INV"`) {
		t.Errorf("hints for an open obligation: %v %q", failed, got)
	}
	for _, tool := range []string{"obligations", "prove", "fmt", "check", "verify"} {
		got, _ := ask(tool, map[string]any{"path": "large.eventb"})
		if len(got) > 61_000 {
			t.Errorf("%s answers %d bytes", tool, len(got))
		}
	}
	for obligation, path := range map[string]string{"one/up/x/INV": "faulty.eventb", "open/INITIALISATION/y/INV": "open.eventb"} {
		got, failed := ask("why", map[string]any{"path": path, "obligation": obligation})
		if failed || strings.Contains(got, "gradine ") {
			t.Errorf("why %s: %v\n%s", obligation, failed, got)
		}
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
