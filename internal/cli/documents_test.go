package cli

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/lang/scenario"
	"github.com/gradine/gradine/project"
)

// Every command that --help or a document shows runs here, and ends as it should; what
// a document shows of its output is what it prints. A command that names something of
// this repository's development runs in a copy of it. Others run in the small project
// of testdata/examples, or with the files that their document shows.

// endings are the exit codes of the examples of --help that do not end with 0.
var endings = map[string]int{
	"gradine explore --random 100 --seed 7 model.zip": exitNoVerdict, // walks are never complete
}

// TestHelpExamples runs the examples of --help, those of one command in one folder.
func TestHelpExamples(t *testing.T) {
	n := 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if lines := commandLines(c.Example); len(lines) > 0 {
			t.Run(strings.ReplaceAll(c.CommandPath(), " ", "_"), func(t *testing.T) {
				small := smallProject(t)
				for _, line := range lines {
					n++
					line = strings.NewReplacer("%O", "model.eventb", "%A", "model.eventb", "%B", "model.eventb", "%P", "model.eventb").Replace(line) // as Git does
					if out, code := perform(t, small, line); code != endings[line] && code != skipped {
						t.Errorf("%s: exit code %d\n%s", line, code, out)
					}
				}
			})
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk((&run{}).root())
	if n < 35 {
		t.Errorf("only %d examples found", n)
	}
}

// TestDocuments runs the commands of the documents. Those in console blocks print what
// is shown, where … stands for lines left out, unless a comment in front says that they
// only run; -update shows what they print now. Indented ones end with 0. Other blocks
// are read as what they are.
func TestDocuments(t *testing.T) {
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+who+"_NAME", "a")
		t.Setenv("GIT_"+who+"_EMAIL", "a@example.org")
	}
	n := 0
	for _, name := range documents(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			if testing.Short() && !slices.Contains([]string{"README.md", "tutorial.md"}, filepath.Base(name)) {
				t.Skip("it takes long, and needs no reference data: the full form has it")
			}
			n += documentRuns(t, name)
		})
	}
	if n < 25 && !testing.Short() {
		t.Errorf("only %d commands found", n)
	}
}

// documents are the files of Markdown for users.
func documents(t *testing.T) []string {
	names := []string{filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md")}
	for _, pattern := range []string{"docs/*.md", "docs/evaluation/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	return names
}

var (
	// generated is where the generated part of a page begins, which has a test of its own.
	generated = "\n<!-- generated from here on -->\n"
	filesOf   = regexp.MustCompile(`(?m)^<!-- files of (\S+) -->$`) // another page whose files this page uses
	shownFile = regexp.MustCompile("(?ms)^<!-- file (\\S+) -->\n```\\w+\n(.*?)^```\n")
	console   = regexp.MustCompile("(?ms)^(<!-- run only -->\n)?```console\n(.*?)^```\n")
	step      = regexp.MustCompile(shownFile.String() + "|" + console.String())
	fenced    = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```\n")
)

// fromNothing begins a document whose files are saved and changed step by step, in a
// folder that is empty at first.
const fromNothing = "<!-- step by step -->\n"

// documentRuns runs the commands of one document, and returns how many there are.
func documentRuns(t *testing.T, name string) (commands int) {
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text, help, _ := strings.Cut(string(data), generated)
	dir := ""
	save := func(m []string) {
		file := filepath.Join(dir, filepath.FromSlash(m[1]))
		must(os.MkdirAll(filepath.Dir(file), 0o777))
		must(os.WriteFile(file, []byte(m[2]), 0o666))
	}
	if m := filesOf.FindStringSubmatch(text); m != nil {
		other, err := os.ReadFile(filepath.Join(filepath.Dir(name), m[1]))
		if err != nil {
			t.Fatal(err)
		}
		dir = t.TempDir()
		for _, m := range shownFile.FindAllStringSubmatch(string(other), -1) {
			save(m)
		}
	}
	for _, m := range shownFile.FindAllStringSubmatch(text, -1) {
		if dir == "" {
			dir = t.TempDir()
		}
		if strings.Count(text, "<!-- file "+m[1]+" -->") == 1 && !strings.HasPrefix(text, fromNothing) {
			save(m)
		}
	}
	if dir == "" {
		dir = smallProject(t)
	}
	ran := map[string]bool{}
	now := step.ReplaceAllStringFunc(text, func(block string) string {
		if m := shownFile.FindStringSubmatch(block); m != nil {
			save(m) // as the reader does, who has come this far
			return block
		}
		m := console.FindStringSubmatch(block)
		shown, examples := "", strings.Split("\n"+m[2], "\n$ ")[1:]
		commands += len(examples)
		for _, example := range examples {
			line, want, _ := strings.Cut(strings.TrimSuffix(example, "\n")+"\n", "\n")
			ran[strings.ReplaceAll(line, "go run ./cmd/gradine", "gradine")] = true
			got := consoleRuns(t, dir, line, want, m[1] != "")
			shown += "$ " + line + "\n" + got
		}
		return m[1] + "```console\n" + shown + "```\n"
	})
	var models []*lang.File
	var problems diag.List
	alone := text
	if strings.HasPrefix(text, fromNothing) {
		alone = shownFile.ReplaceAllString(text, "") // what is wrong in these the page is about
	}
	for i, m := range fenced.FindAllStringSubmatch(alone, -1) {
		switch kind, block := m[1], m[2]; kind {
		case "eventb":
			models = append(models, lang.Parse(fmt.Sprintf("block %d", i), []byte(block), &problems))
		case "toml":
			configReads(t, block)
		case "table":
			file := filepath.Join(t.TempDir(), "kernel.toml")
			must(os.WriteFile(file, []byte(block), 0o666))
			if _, err := config.ReadKernelTable(file); err != nil {
				t.Error(err)
			}
		case "scenario":
			file := scenario.Parse(fmt.Sprintf("block %d", i), []byte(block), &problems)
			if got := string(scenario.Format(file, lang.Options{})); got != block {
				t.Errorf("laid out, it reads\n%s", got)
			}
		case "hints":
			hints.Parse(fmt.Sprintf("block %d", i), []byte(block), &problems)
		case "c":
			if _, problem := encode.Read("block.cl", []byte(block), encode.Options{}); problem != nil {
				t.Error(problem)
			}
		case "json":
			if !json.Valid([]byte(block)) {
				t.Errorf("this is no JSON:\n%s", block)
			}
		case "yaml":
			actionReads(t, block)
		case "certificate": // a layout, with gaps
		case "picture": // internal/animator has pictures of its own
		case "console", "obligations", "instances": // the latter two have tests in package po
		default:
			t.Errorf("nobody reads blocks of kind %q:\n%s", kind, block)
		}
	}
	check.Development("blocks", models, &problems)
	for _, x := range problems.Sorted() {
		t.Error(x.Element, x.Message)
	}
	for _, line := range commandLines(fenced.ReplaceAllString(text, "")) {
		if ran[line] {
			continue // its output was looked at
		}
		commands++
		// What docs/when-open.md speaks of is open: that is not a failure of the command.
		if out, code := perform(t, dir, line); code != exitYes && code != exitNoVerdict && code != skipped {
			t.Errorf("%s: exit code %d\n%s", line, code, out)
		}
	}
	if now == text {
		return commands
	}
	if !*update {
		t.Errorf("it shows something else than is printed (-update mends it):\n%s", cmp.Diff(text, now))
		return commands
	}
	if help != "" {
		now += generated + help
	}
	if err := os.WriteFile(name, []byte(now), 0o666); err != nil {
		t.Fatal(err)
	}
	return commands
}

// consoleRuns runs a command of a console block, and returns what the block should show
// of its output: want, unless it shows everything.
func consoleRuns(t *testing.T, dir, line, want string, only bool) string {
	got, code := perform(t, dir, line)
	lines := strings.Split(got, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	got = strings.Join(lines, "\n")
	switch {
	case code == skipped:
		return want
	case only:
		if code != exitYes {
			t.Errorf("%s: exit code %d\n%s", line, code, got)
		}
		return want
	case !slices.Contains(strings.Split(want, "\n"), "…"):
		return got
	}
	for part := range strings.Lines(want) {
		if part == "…\n" {
			continue
		}
		i := slices.Index(lines, strings.TrimSuffix(part, "\n"))
		if i < 0 {
			t.Errorf("%s does not print, at this place: %s", line, part)
			continue
		}
		lines = lines[i+1:]
	}
	return want
}

// configReads reads a part of a gradine.toml.
func configReads(t *testing.T, text string) {
	file := filepath.Join(t.TempDir(), config.Name)
	must(os.WriteFile(file, []byte(text), 0o666))
	if _, err := config.Read(file); err != nil && !strings.Contains(err.Error(), "which is not defined") {
		t.Error(err)
	}
}

// commandLines are the indented lines of text that are commands, without remarks; a line
// that ends with \ goes on in the next.
func commandLines(text string) (lines []string) {
	text = regexp.MustCompile(`\\\n\s*`).ReplaceAllString(text, "")
	for _, m := range regexp.MustCompile(`(?m)^ {2,4}(?:\$ )?((?:gradine|go run ./cmd/gradine) .*)`).FindAllStringSubmatch(text, -1) {
		line := strings.ReplaceAll(m[1], "go run ./cmd/gradine", "gradine")
		line, _, _ = strings.Cut(line, " #")
		line, _, _ = strings.Cut(line, "   ") // the remark of a table
		if line = strings.TrimSpace(line); line != "gradine certificate 1" {
			lines = append(lines, line)
		}
	}
	return lines
}

// skipped is the exit code of a command that does not run in short mode.
const skipped = -1

// perform runs a line of a shell in the copy of the development, if it names something
// of it, otherwise in dir, and returns all that it prints.
func perform(t *testing.T, dir, line string) (out string, code int) {
	args := words(strings.ReplaceAll(line, "go run ./cmd/gradine", "gradine"))
	if d := development(); strings.HasPrefix(line, "go run ") || slices.ContainsFunc(args[2:], func(arg string) bool { return d.has(dir, arg) }) {
		long := args[1] == "verify" || args[1] == "report" || args[1] == "tune" && !slices.Contains(args, "spin_abstract")
		if long && testing.Short() {
			return "", skipped
		}
		dir = d.dir
	}
	t.Chdir(dir)
	if args[1] == "animate" && !slices.Contains(args, "--export") {
		args = append(args, "--export", "page.html") // the page is served until somebody interrupts
	}
	var w bytes.Buffer
	if quoted := regexp.MustCompile(`'[^']*'|"[^"]*"`); !strings.ContainsAny(quoted.ReplaceAllString(line, ""), "<>&|") {
		for i := range args {
			args[i] = nowhere.Replace(args[i])
		}
		if args[1] == "worker" {
			return untilSaid(t, args[1:])
		}
		code = Main(args[1:], strings.NewReader(""), &w, &w)
		return w.String(), code
	}
	c := exec.Command("sh", "-c", line)
	c.Stdout, c.Stderr = &w, &w
	err := c.Run()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return w.String(), failed.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return w.String(), exitYes
}

// nowhere replaces the servers of examples.
var nowhere = strings.NewReplacer("queue.example:4222", "127.0.0.1:1", "queue.example", "127.0.0.1:1", ":9090", "127.0.0.1:0")

// untilSaid runs a command that goes on until it is interrupted, which it is once it has said something.
func untilSaid(t *testing.T, args []string) (out string, code int) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := &said{done: cancel}
	if code = (&run{ctx: ctx, in: strings.NewReader(""), err: w}).execute(args, w); code == exitInterrupted {
		code = exitYes
	}
	return w.String(), code
}

// said is a text that tells of its first line.
type said struct {
	buffer
	done func()
}

func (s *said) Write(data []byte) (int, error) {
	defer s.done()
	return s.buffer.Write(data)
}

// words splits a command line at spaces, but for those in quotes of either kind.
func words(line string) []string {
	var out []string
	var word strings.Builder
	begun, quote := false, rune(0)
	for _, c := range line + " " {
		switch {
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			begun, quote = true, c
		case quote == 0 && c == ' ':
			if begun {
				out = append(out, word.String())
			}
			word.Reset()
			begun = false
		default:
			begun = true
			word.WriteRune(c)
		}
	}
	return out
}

// A copied development is this repository's, in a folder of its own.
type copied struct {
	dir   string
	names map[string]bool // of projects, components and entries
}

// development copies this repository's development once.
var development = sync.OnceValue(func() copied {
	d := copied{filepath.Join(scratch, "development"), map[string]bool{}}
	for _, name := range []string{"contexts", "machines", "bench", "kernels"} {
		must(os.CopyFS(filepath.Join(d.dir, name), os.DirFS(filepath.Join(root, name))))
	}
	locks, err := filepath.Glob(filepath.Join(root, "*.proofs.*"))
	must(err)
	for _, name := range append(locks, filepath.Join(root, config.Name)) {
		data, err := os.ReadFile(name)
		must(err)
		must(os.WriteFile(filepath.Join(d.dir, filepath.Base(name)), data, 0o666))
	}
	projects, err := project.Open(d.dir)
	must(err)
	for _, p := range projects {
		d.names[p.Name] = true
		for _, c := range p.Dev.Components() {
			d.names[c.Name()] = true
		}
		for name := range p.Config.Tune {
			d.names[name] = true
		}
	}
	return d
})

// has reports whether arg names something of the development that dir has not.
func (d copied) has(dir, arg string) bool {
	exists := func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, arg))
		return err == nil
	}
	first, _, _ := strings.Cut(arg, "/")
	return d.names[first] || !strings.HasPrefix(arg, "-") && !exists(dir) && exists(d.dir)
}

// smallProject is a new copy of the small project, in a repository of Git with a branch
// of each name that an example has.
func smallProject(t *testing.T) string {
	dir := t.TempDir()
	must(os.CopyFS(dir, os.DirFS(filepath.Join(root, "internal/cli/testdata/examples"))))
	for name, data := range rodinExamples() {
		must(os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	if _, err := exec.LookPath("git"); err != nil {
		return dir
	}
	for _, line := range []string{"init -q -b main", "add -A", "-c user.name=a -c user.email=a@example.org commit -q -m first", "branch topic"} {
		c := exec.Command("git", strings.Fields(line)...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", line, err, out)
		}
	}
	return dir
}

// rodinExamples are the model of testdata/examples as an archive of Rodin, and its file.
var rodinExamples = sync.OnceValue(func() map[string][]byte {
	name := filepath.Join(scratch, "model.zip")
	var problems bytes.Buffer
	if Main([]string{"export", filepath.Join(root, "internal/cli/testdata/examples/model.eventb"), "-o", name}, nil, io.Discard, &problems) != exitYes {
		panic(problems.String())
	}
	data, err := os.ReadFile(name)
	must(err)
	out := map[string][]byte{"model.zip": data}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	must(err)
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, ".bum") {
			r, err := f.Open()
			must(err)
			out["m0.bum"], err = io.ReadAll(r)
			must(err)
		}
	}
	return out
})

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// made are names in running text that stand for the reader's own.
var made = regexp.MustCompile(`^(model\.(eventb|zip)|models?|copy|FILE.*|PATH|DIR|-|.*\.(jsonl|json|html|svg|itf|toml|zip|eventb|smt2|cu|cl|csv))$`)

// TestMentions reads the commands in the running text of the documents: commands and
// flags exist, and so do the elements and entries that they name.
func TestMentions(t *testing.T) {
	conf, err := config.Read("../../gradine.toml")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, name := range documents(t) {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text, _, _ := strings.Cut(string(data), generated)
		for _, m := range regexp.MustCompile("`(gradine [a-z][^`\n]*)`").FindAllStringSubmatch(text, -1) {
			n++
			mentionResolves(t, name, m[1], conf)
		}
	}
	if n < 40 {
		t.Errorf("only %d mentions found", n)
	}
}

// mentionResolves checks one command line.
func mentionResolves(t *testing.T, where, line string, conf *config.Config) {
	args := words(line)
	c, rest, err := (&run{}).root().Find(args[1:])
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
		switch c.CommandPath() {
		case "gradine po", "gradine prove", "gradine explore", "gradine report why":
			if out, code := perform(t, root, "gradine po '"+a+"'"); code != exitYes {
				t.Errorf("%s: %s: %s", where, line, out)
			}
		case "gradine explain":
			if out, code := perform(t, root, "gradine explain "+a); code != exitYes {
				t.Errorf("%s: %s: %s", where, line, out)
			}
		case "gradine tune":
			if conf.Tune[a].Machine == "" {
				t.Errorf("%s: %s: there is no entry %s", where, line, a)
			}
		}
	}
}

// root is the folder of the repository.
var root = func() string {
	dir, err := filepath.Abs("../..")
	if err != nil {
		panic(fmt.Sprint("the tests of this package have no folder: ", err))
	}
	return dir
}()
