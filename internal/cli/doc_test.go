package cli

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/gradine/gradine/lang/rules"
)

var update = flag.Bool("update", false, "update the generated parts and the command output of documents")

// TestCommandLineDocument keeps docs/cli.md equal to what --help says.
func TestCommandLineDocument(t *testing.T) {
	var w strings.Builder
	for _, c := range (&run{}).root().Commands() {
		if c.Name() != "completion" && c.Name() != "help" {
			describe(t, &w, c)
		}
	}
	endsWith(t, "cli.md", w.String())
}

// endsWith checks that the generated part of a page of docs is text; -update writes it.
func endsWith(t *testing.T, page, text string) {
	t.Helper()
	name := filepath.Join(root, "docs", page)
	old, err := os.ReadFile(name)
	must(err)
	head, _, found := strings.Cut(string(old), generated)
	now := head + generated + text
	switch {
	case !found:
		t.Fatalf("%s has no line %s", name, strings.TrimSpace(generated))
	case now == string(old):
	case !*update:
		t.Fatalf("%s is out of date; run go test ./internal/cli -run %s -update", name, t.Name())
	default:
		must(os.WriteFile(name, []byte(now), 0o666))
	}
}

// chapters are the headings of docs/diagnostics.md, each with its first code.
var chapters = []struct{ from, heading string }{
	{"GR0001", "Files and syntax"},
	{"GR0100", "Types and identifiers"},
	{"GR0121", "Missing parts of Rodin files"},
	{"GR0130", "Name and label conflicts"},
	{"GR0154", "Components"},
	{"GR0180", "Machines"},
	{"GR0190", "Refinement of events"},
	{"GR0202", "Events"},
	{"GR0220", "Actions"},
	{"GR0230", "Witnesses"},
	{"GR0901", "Rodin files"},
	{"GR0950", "Proof hints"},
	{"GR0960", "Scenarios and pictures"},
	{"GR0971", "GPU kernels in a project"},
}

// TestDiagnosticsDocument keeps docs/diagnostics.md equal to the catalogue of rules.
func TestDiagnosticsDocument(t *testing.T) {
	var w strings.Builder
	left := chapters
	for _, r := range rules.All() {
		if len(left) > 0 && r.Code >= left[0].from {
			fmt.Fprintf(&w, "\n## %s\n", left[0].heading)
			left = left[1:]
		}
		fmt.Fprintf(&w, "\n### %s: %s\n\n%s. %s\n\n**Fix.** %s\n", r.Code, r.Title, titled(r.Severity.String()), r.Explanation, r.Fix)
		if r.Rodin != "" {
			fmt.Fprintf(&w, "\nIn Rodin: `%s`.\n", r.Rodin)
		}
		if r.Example != "" {
			fmt.Fprintf(&w, "\n```text\n%s\n```\n", strings.TrimSpace(visible(r.Example)))
		}
	}
	if len(left) > 0 {
		t.Errorf("no rule begins chapter %q", left[0].heading)
	}
	endsWith(t, "diagnostics.md", w.String())
}

// TestCodesExplained: the catalogue has each code that occurs in the program.
func TestCodesExplained(t *testing.T) {
	n := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := os.ReadFile(name)
		must(err)
		for _, m := range regexp.MustCompile(`"(GR\d{4})"`).FindAllStringSubmatch(string(data), -1) {
			n++
			if _, ok := rules.Of(m[1]); !ok && m[1] != "GR0900" {
				t.Errorf("%s: %s has no file in lang/rules", name, m[1])
			}
		}
		return nil
	})
	must(err)
	if n < 150 {
		t.Errorf("only %d codes found", n)
	}
}

func titled(word string) string { return strings.ToUpper(word[:1]) + word[1:] }

// visible writes bytes that are not UTF-8, and characters that are not displayed, as escapes.
func visible(text string) string {
	var w strings.Builder
	for i, c := range text {
		switch {
		case c == utf8.RuneError:
			fmt.Fprintf(&w, "\\x%02x", text[i])
		case unicode.Is(unicode.Cf, c):
			fmt.Fprintf(&w, "\\u%04x", c)
		default:
			w.WriteRune(c)
		}
	}
	return w.String()
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
