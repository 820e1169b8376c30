package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/config"
	"github.com/spf13/cobra"
)

// made are names in examples that stand for the reader's own, or for the models of
// docs/when-open.md and docs/tuning.md, which have tests.
var made = regexp.MustCompile(`^(model\.(eventb|zip)|models?|counter|copy|m1/.*|closure/.*|halves/.*|own|FILE.*|PATH|DIR|-|.*\.(jsonl|json|html|svg|itf|toml|zip|eventb|smt2))$`)

// TestExamples reads all examples of --help, and all lines of the documents that
// begin with gradine: commands and flags exist, and so do the elements, entries and
// codes that they name, in the development of this repository.
func TestExamples(t *testing.T) {
	conf, err := config.Read("../../gradine.toml")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for where, lines := range exampleLines(t) {
		for _, line := range lines {
			n++
			exampleResolves(t, where, line, conf)
		}
	}
	if n < 60 {
		t.Errorf("only %d examples found", n)
	}
}

// exampleLines are the commands of --help and of the documents, by where they stand.
func exampleLines(t *testing.T) map[string][]string {
	out := map[string][]string{}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for line := range strings.Lines(c.Example) {
			out[c.CommandPath()] = append(out[c.CommandPath()], line)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk((&run{}).root())
	docs, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile("(?m)^(?: {4}|\\$ )(gradine [a-z][^\n]*)|`(gradine [a-z][^`\n]*)`")
	fenced := regexp.MustCompile("(?ms)^```\\w*\n(.*?)^```")
	format := "    gradine certificate 1\n" // the first line of a file
	for _, name := range append(docs, "../../README.md") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(string(data), "\n<!-- from here on: what --help says -->\n")
		head = strings.ReplaceAll(head, format, "")
		head = fenced.ReplaceAllStringFunc(head, func(s string) string { return strings.ReplaceAll(s, "\ngradine ", "\n$ gradine ") })
		out[name] = command.FindAllString(head, -1)
	}
	return out
}

// exampleResolves checks one command line.
func exampleResolves(t *testing.T, where, line string, conf *config.Config) {
	line, _, _ = strings.Cut(strings.Trim(strings.TrimSpace(line), "`$ "), "  ")
	for _, end := range []string{" #", " |", " >", " <", " &&"} {
		line, _, _ = strings.Cut(line, end)
	}
	var args []string
	for _, m := range regexp.MustCompile(`'([^']*)'|"([^"]*)"|(\S+)`).FindAllStringSubmatch(line, -1) {
		args = append(args, m[1]+m[2]+m[3])
	}
	if len(args) < 2 {
		return
	}
	root := (&run{}).root()
	c, rest, err := root.Find(args[1:])
	if err != nil {
		t.Errorf("%s: %s: %v", where, line, err)
		return
	}
	if err := c.ParseFlags(rest); err != nil && !strings.Contains(line, "…") {
		t.Errorf("%s: %s: %v", where, line, err)
		return
	}
	for _, a := range c.Flags().Args() {
		if made.MatchString(a) || strings.ToUpper(a) == a || strings.Contains(a, "…") {
			continue
		}
		var out bytes.Buffer
		switch c.CommandPath() {
		case "gradine po", "gradine prove", "gradine explore", "gradine report why":
			if code := Main([]string{"-C", "../..", "po", a}, nil, &out, &out); code != exitYes {
				t.Errorf("%s: %s: %s", where, line, out.String())
			}
		case "gradine explain":
			if code := Main([]string{"explain", a}, nil, &out, &out); code != exitYes {
				t.Errorf("%s: %s: %s", where, line, out.String())
			}
		case "gradine tune":
			if conf.Tune[a].Machine == "" {
				t.Errorf("%s: %s: there is no entry %s", where, line, a)
			}
		}
	}
}
