package scaffold

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// actionlint is the checker of workflows that continuous integration runs.
const actionlint = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"

// The jobs that init writes name inputs that action.yml has, and the steps of action.yml are such as the
// code host runs.
func TestActionlint(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a program of its own")
	}
	if out, err := exec.Command("go", "run", actionlint, "-version").CombinedOutput(); err != nil {
		t.Skipf("actionlint cannot be had here: %s", out)
	}
	action, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write("action.yml", string(action))
	files := []string{write(".github/workflows/steps.yml", asWorkflow(t, string(action)))}
	for name, shards := range map[string]int{"one": 1, "many": 3} {
		jobs := Files{}
		if err := jobs.Job("github", "v1.2.3", shards); err != nil {
			t.Fatal(err)
		}
		text := string(jobs[".github/workflows/verify.yml"])
		if strings.Count(text, "gradine/gradine@v1.2.3") != min(shards, 2) {
			t.Errorf("%s: the action is not called once a job:\n%s", name, text)
		}
		files = append(files, write(".github/workflows/"+name+".yml", strings.ReplaceAll(text, "gradine/gradine@v1.2.3", "./")))
	}
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Skipf("git: %s", out)
	}
	lint := func(files ...string) string {
		c := exec.Command("go", append([]string{"run", actionlint}, files...)...)
		c.Dir = dir
		out, _ := c.CombinedOutput()
		return string(out)
	}
	if out := lint(files...); out != "" {
		t.Error(out)
	}
	// The check sees an input that there is not.
	wrong := write(".github/workflows/wrong.yml", strings.ReplaceAll(strings.ReplaceAll(string(mustRead(t, files[1])), "key:", "kee:"), "name: verify", "name: wrong"))
	if out := lint(wrong); !strings.Contains(out, `input "kee" is not defined in action`) {
		t.Errorf("an unknown input is not seen: %s", out)
	}
}

func mustRead(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// asWorkflow is a workflow with the inputs and steps of an action, for actionlint reads no steps of actions.
func asWorkflow(t *testing.T, action string) string {
	t.Helper()
	_, rest, ok := strings.Cut(action, "\ninputs:\n")
	inputs, steps, ok2 := strings.Cut(rest, "runs:\n  using: composite\n  steps:\n")
	if !ok || !ok2 {
		t.Fatal("action.yml has another layout")
	}
	indent := func(text, by string) string { return regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(text, by+"$1") }
	inputs = regexp.MustCompile(`(?m)^    default: .*`).ReplaceAllString(inputs, "    type: string\n    required: false")
	return "name: steps\non:\n  workflow_call:\n    inputs:\n" + indent(inputs, "    ") +
		"jobs:\n  steps:\n    runs-on: ubuntu-latest\n    strategy:\n      matrix:\n        shard: [1]\n    steps:\n" + indent(steps, "  ")
}
