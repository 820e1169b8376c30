package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "write docs/cli.md and the examples of docs/explore.md anew")

// TestCommandLineDocument keeps docs/cli.md equal to what --help says.
func TestCommandLineDocument(t *testing.T) {
	const name = "../../docs/cli.md"
	old, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, _, found := strings.Cut(string(old), "\n<!-- from here on: what --help says -->\n")
	if !found {
		t.Fatalf("%s lacks the mark", name)
	}
	var w strings.Builder
	w.WriteString(head + "\n<!-- from here on: what --help says -->\n")
	root := (&run{}).root()
	for _, c := range root.Commands() {
		if c.Name() != "completion" && c.Name() != "help" {
			describe(t, &w, c)
		}
	}
	if w.String() == string(old) {
		return
	}
	if !*update {
		t.Fatalf("%s is not what --help says; run go test ./internal/cli -run CommandLineDocument -update", name)
	}
	if err := os.WriteFile(name, []byte(w.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

func describe(t *testing.T, w *strings.Builder, c *cobra.Command) {
	if c.Long == "" && !c.HasSubCommands() || c.Example == "" && !c.HasSubCommands() {
		t.Errorf("%s lacks a description or an example", c.CommandPath())
	}
	var help bytes.Buffer
	c.SetOut(&help)
	if err := c.Help(); err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(help.String(), "\nGlobal Flags:")
	fmt.Fprintf(w, "\n## %s\n\n```text\n%s\n```\n", c.CommandPath(), strings.TrimSpace(text))
	for _, sub := range c.Commands() {
		describe(t, w, sub)
	}
}

// TestReadme runs the commands of README.md: what it shows of their output is
// what they print; … stands for lines left out.
func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("proves and tunes the whole development")
	}
	t.Setenv("GRADINE_STORE", t.TempDir())
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(readme), "```text\n")[1:]
	commands := [][]string{
		{"-C", "../..", "verify"},
		{"-C", "../..", "tune", "spin_abstract", "--instance", "size=1024,NP=4,NU=2,ND=1,GMT=4"},
	}
	if len(blocks) != len(commands) {
		t.Fatalf("%d blocks of output, %d commands", len(blocks), len(commands))
	}
	for i, args := range commands {
		var out, problems bytes.Buffer
		if code := Main(args, nil, &out, &problems); code != exitYes {
			t.Errorf("%v: exit code %d\n%s", args, code, problems.String())
		}
		shown, _, _ := strings.Cut(blocks[i], "```")
		printed := strings.Split(out.String(), "\n")
		for line := range strings.Lines(shown) {
			line = strings.TrimRight(line, "\n")
			if line != "…" && !slices.ContainsFunc(printed, func(s string) bool { return strings.TrimRight(s, " ") == line }) {
				t.Errorf("%v does not print: %s", args, line)
			}
		}
	}
}
