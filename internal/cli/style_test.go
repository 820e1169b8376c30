package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// outdated are phrases that texts for users once had, and what to write instead. A phrase is a regular expression.
var outdated = []struct{ phrase, write string }{
	{`the machine gets there`, "reachable"},
	{`was not looked (at|for)\b`, "not checked; not searched for"},
	{`\bbelieved?\b`, "trust, trusted"},
	{`again and again`, "infinitely often"},
	{`if it stays enabled`, "weak fairness"},
	{`internal \x66ault`, "internal error"},
	{`GRADINE_STORE|--no-store`, "GRADINE_CACHE, --no-cache"},
	{`\bas they stand\b`, "omit it"},
	{`\bdear(er|est)\b`, "costs more, most expensive"},
	{`\b(il)?legal points?\b`, "valid or invalid point"},
	{`no influence on results`, "does not affect results"},
	{`claims nothing here`, "is vacuous here"},
	{`holds no more`, "size limit"},
	{`what is owed`, "debt"},
	{`the kernel has accepted`, "the proof kernel has checked"},
	{`says nothing of`, "does not constrain"},
	{`of what errors have left`, "because of model errors"},
	{`nothing was left to try`, "nothing left to try"},
	{`part at barriers`, "barrier divergence"},
	{`costs all names`, "is unsupported"},
	{`whoever`, "users who"},
	{`seldom`, "rarely"},
	{`\bbesides?\b`, "in addition to; next to; except"},
	{`\banew\b`, "again; new"},
	{`\bnobody\b`, "no one, or the actor in the active voice"},
	{`\bset-ups?\b`, "instance"},
	{`contradict (each other|themselves)`, "are inconsistent"},
	{`\bfor want of\b`, "without"},
	{`\bany more\b`, "any longer, no longer"},
	{`\bis none of\b`, "is not one of"},
	{`\btold apart\b`, "distinguished"},
	{`\bbehind (a|the) (barrier|loop|branch|launch|violation)\b`, "after"},
	{`\b(that|those) of gradine\.toml`, "the value in gradine.toml"},
	{`\bsee (below|above)\b`, "name the section or the row"},
	{`\bthe first best\b`, "the first of the best points"},
	{`\bgradine (drops|adds|skips|ignores) it\b`, "name what gradine drops: the action, the clause"},
	{`\brename one of (them|these)\b|\b(name one|write it), or\b`, "rename one of the two labels; name a context, or; add a predicate, or"},
	{`\bof which nothing is\b`, "nothing is known about"},
	{`\bcounts?, too\b|, likewise\b`, "also counts; say the rule again"},
}

// spoken are the folders whose code has texts for users.
var spoken = []string{"cmd", "devices", "diag", "discharge", "explore", "gpu", "infer", "internal/animator", "internal/cli", "internal/config", "internal/door", "internal/lsp",
	"internal/mcp", "internal/process", "internal/prompt", "internal/report", "internal/scaffold", "internal/seam", "internal/worker", "lang", "order", "po", "project", "prover", "refine", "review", "tune"}

// TestOutdatedPhrases: no document, no diagnostic and no text in the code has a phrase that was replaced.
func TestOutdatedPhrases(t *testing.T) {
	if len(outdated) > 40 {
		t.Errorf("%d phrases: keep at most 40", len(outdated))
	}
	all := make([]*regexp.Regexp, len(outdated))
	literals := make([]string, len(outdated))
	for i, x := range outdated {
		all[i] = regexp.MustCompile("(?im)" + x.phrase)
		literals[i] = literal(x.phrase)
	}
	look := func(where, text string) {
		lower := strings.ToLower(text)
		for i, re := range all {
			if !strings.Contains(lower, literals[i]) {
				continue
			}
			if m := re.FindString(text); m != "" {
				t.Errorf("%s: %q: write %q", where, m, outdated[i].write)
			}
		}
	}
	for _, name := range documents(t) {
		data, err := os.ReadFile(name)
		must(err)
		look(name, string(data))
	}
	changes, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	must(err)
	released, _, _ := strings.Cut(string(changes), "\n### Renamed\n")
	look("CHANGELOG.md", released)
	rules, err := filepath.Glob(filepath.Join(root, "lang", "rules", "*.txtar"))
	must(err)
	texts := append(rules, filepath.Join(root, "SECURITY.md"), filepath.Join(root, "action.yml"))
	for _, pattern := range []string{"docs/adr/*.md", "editors/*/README.md", "editors/vscode/package.json", "templates/*.yml"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		must(err)
		if len(found) == 0 {
			t.Errorf("no file for %s", pattern)
		}
		texts = append(texts, found...)
	}
	for _, name := range texts {
		data, err := os.ReadFile(name)
		must(err)
		look(name, string(data))
	}
	n := 0
	for _, dir := range spoken {
		err := filepath.WalkDir(filepath.Join(root, dir), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(node ast.Node) bool {
				if _, ok := node.(*ast.ImportSpec); ok {
					return false
				}
				if lit, ok := node.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					text, err := strconv.Unquote(lit.Value)
					must(err)
					look(name, text)
					n++
				}
				return true
			})
			return nil
		})
		must(err)
	}
	if n < 1000 {
		t.Errorf("only %d texts found", n)
	}
}

// literal is a text that each match of a phrase contains, in small letters: a quick test that most texts fail.
func literal(phrase string) (longest string) {
	if regexp.MustCompile(`^[^(]*\|`).MatchString(phrase) {
		return "" // alternatives have nothing in common
	}
	for _, part := range regexp.MustCompile(`\([^)]*\)\??|\\x..|\\b|.\?`).Split(phrase, -1) {
		if len(part) > len(longest) {
			longest = part
		}
	}
	return strings.ToLower(longest)
}

// TestHelpRepeatsNothing: no help has a word twice in a row, or a line twice, and every sentence starts after a space.
func TestHelpRepeatsNothing(t *testing.T) {
	glued := regexp.MustCompile(`[a-zA-Z]\.[A-Z][a-z]* `)
	look := func(where, text string) {
		if m := glued.FindString(text); m != "" {
			t.Errorf("%s: no space in %q", where, m)
		}
		words := strings.Fields(text)
		for i := 1; i < len(words); i++ {
			if words[i] == words[i-1] {
				t.Errorf("%s: %q twice", where, words[i])
			}
		}
		lines := map[string]bool{}
		for _, line := range strings.Split(text, "\n") {
			if line != "" && lines[line] {
				t.Errorf("%s: twice: %s", where, line)
			}
			lines[line] = true
		}
	}
	n := 0
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		n++
		look(c.CommandPath(), c.Short)
		look(c.CommandPath(), c.Long)
		c.Flags().VisitAll(func(f *pflag.Flag) { look(c.CommandPath()+" --"+f.Name, f.Usage) })
		for _, sub := range c.Commands() {
			visit(sub)
		}
	}
	visit((&run{}).root())
	if n < 30 {
		t.Errorf("only %d commands were read", n)
	}
}
