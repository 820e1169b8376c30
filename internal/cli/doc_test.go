package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "write docs/cli.md and what documents show of outputs anew")

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
