package lsp

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/project"
)

// models are projects as texts: some of this package, and some of the corpus, of which
// GRADINE_SWEEP takes all.
func models(t *testing.T, random *rand.Rand) (out []map[string]string) {
	t.Helper()
	out = []map[string]string{{file: counter}, {"tank.eventb": filling}, {"m.eventb": hinting}, {"noise.eventb": noise}}
	root := corpus.Path(t, "rodin-dev")
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	random.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	for _, entry := range entries[:min(len(entries), corpus.Effort(2, 4, len(entries)))] {
		projects, err := project.Read(filepath.Join(root, entry.Name()))
		if err != nil {
			continue
		}
		for _, opened := range projects {
			texts, size := map[string]string{}, 0
			for _, f := range opened.Files {
				for _, component := range f.Components {
					text := string(lang.Format(f, lang.Options{}))
					texts[component.Name.Text+".eventb"], size = text, size+len(text)
				}
			}
			if len(texts) > 0 && size < 100_000 {
				out = append(out, texts)
			}
		}
	}
	return out
}

// pick returns the name of a file, the same for the same random numbers.
func pick(random *rand.Rand, texts map[string]string) string {
	var names []string
	for name := range texts {
		names = append(names, name)
	}
	slices.Sort(names)
	return names[random.IntN(len(names))]
}

// problems counts what is wrong with the project, by message, and how much of it could not
// be read.
func (c *client) problems(name string) (all map[string]int, syntax int) {
	c.t.Helper()
	opener := project.Opener{Texts: map[string][]byte{filepath.Join(c.dir, name): []byte(c.texts[name])}}
	projects, err := opener.Open(c.dir)
	if err != nil {
		return map[string]int{err.Error(): 1}, 1
	}
	all = map[string]int{}
	for _, opened := range projects {
		for _, d := range opened.Problems.Sorted() {
			all[d.Message]++
			if d.Code < "GR0100" {
				syntax++
			}
		}
	}
	return all, syntax
}

// TestActionsOnMistakes makes a mistake in a model and takes each action that is offered:
// the text can be read as far as before, and the problem that the action is for is gone.
func TestActionsOnMistakes(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 4))
	taken := map[string]int{}
	for _, texts := range models(t, random) {
		c := begin(t, texts, Options{Workers: 1})
		for range corpus.Effort(3, 6, 40) {
			name := pick(random, texts)
			c.versions[name], c.texts[name] = 0, ""
			// A token is left out, doubled, or another one stands in its place.
			text := texts[name]
			tokens := lang.Tokens(text)
			tok, other := tokens[random.IntN(len(tokens))], tokens[random.IntN(len(tokens))]
			with := []string{"", text[tok.From:tok.To] + " " + text[tok.From:tok.To], text[other.From:other.To], "zzz"}[random.IntN(4)]
			wrong := text[:tok.From] + with + text[tok.To:]
			c.openText(name, wrong)
			before, syntax := c.problems(name)
			var actions []protocol.CodeAction
			c.call("textDocument/codeAction", protocol.ActionParams{RangeParams: protocol.RangeParams{TextDocument: c.document(name), Range: newSource(wrong).all()}}, &actions)
			for _, action := range actions {
				if action.Edit == nil {
					continue // of a search
				}
				kind, _, _ := strings.Cut(action.Title, " ")
				taken[kind]++
				c.texts[name] = c.applied(action.Edit, name)
				after, unread := c.problems(name)
				if unread > syntax {
					t.Errorf("%s: %q makes of\n%s\nwhat cannot be read:\n%s\n%v", name, action.Title, wrong, c.texts[name], after)
				}
				for _, d := range action.Diagnostics {
					message, _, _ := strings.Cut(d.Message, "; ")
					if n := before[message]; syntax == 0 && n > 0 && after[message] >= n {
						t.Errorf("%s: %q leaves %q in\n%s", name, action.Title, message, c.texts[name])
					}
				}
				c.texts[name] = wrong
			}
			c.tell("textDocument/didClose", protocol.DocumentParams{TextDocument: c.document(name)})
		}
	}
	t.Logf("taken: %v", taken)
}

// TestRenameAndBack renames what stands at random places, and back: each time all
// obligations are the same but for the name, and in the end all texts are.
func TestRenameAndBack(t *testing.T) {
	random := rand.New(rand.NewPCG(16, 4))
	renamed := 0
	for i, texts := range models(t, random) {
		c := begin(t, texts, Options{Workers: 1})
		for name := range texts {
			c.open(name)
		}
		for j := range corpus.Effort(4, 8, 40) {
			name := pick(random, texts)
			src := newSource(texts[name])
			at := protocol.PositionParams{TextDocument: c.document(name), Position: src.position(random.IntN(len(src.text)))}
			var there *prepared
			if c.call("textDocument/prepareRename", at, &there); there == nil {
				continue
			}
			paths := c.paths(texts)
			fresh := fmt.Sprintf("fresh_%d_%d", i, j)
			var edit *protocol.WorkspaceEdit
			if err := c.rpc.CallResult(t.Context(), "textDocument/rename", renameParams{at, fresh}, &edit); err != nil {
				if !strings.Contains(err.Error(), "has errors") && !strings.Contains(err.Error(), "there is no name") {
					t.Errorf("%s → %s: %v", there.Placeholder, fresh, err)
				}
				continue
			}
			renamed++
			c.takeAll(texts, edit)
			now := c.paths(texts)
			if len(now) != len(paths) {
				t.Errorf("%s → %s: %d obligations of %d", there.Placeholder, fresh, len(now), len(paths))
			}
			place := protocol.PositionParams{TextDocument: c.document(name), Position: newSource(c.texts[name]).position(max(0, strings.Index(c.texts[name], fresh)))}
			var back *protocol.WorkspaceEdit
			c.call("textDocument/rename", renameParams{place, there.Placeholder}, &back)
			c.takeAll(texts, back)
			for other, text := range texts {
				if c.texts[other] != text {
					t.Errorf("%s → %s and back: %s is\n%s\nand was\n%s", there.Placeholder, fresh, other, c.texts[other], text)
					c.change(other, protocol.TextChange{Range: nil, Text: text})
				}
			}
			if again := c.paths(texts); !slices.Equal(again, paths) {
				t.Errorf("%s → %s and back: other obligations", there.Placeholder, fresh)
			}
		}
	}
	t.Logf("%d renamed", renamed)
}

// takeAll applies an edit to all open texts.
func (c *client) takeAll(texts map[string]string, edit *protocol.WorkspaceEdit) {
	c.t.Helper()
	if edit == nil {
		return
	}
	for name := range texts {
		if now := c.applied(edit, name); now != c.texts[name] {
			c.change(name, protocol.TextChange{Range: nil, Text: now})
		}
	}
}

// paths lists the obligations of the open texts.
func (c *client) paths(texts map[string]string) (out []string) {
	c.t.Helper()
	for name := range texts {
		var list proofReport
		c.call("rossi/proofObligations", protocol.DocumentParams{TextDocument: c.document(name)}, &list)
		for _, line := range list.Obligations {
			out = append(out, line.Component+"/"+line.Name)
		}
	}
	slices.Sort(out)
	return out
}

// TestLayouts writes models in ASCII, with other blanks and ends of lines and with
// comments: formatting gives the layout of the file with all comments, once and for all.
func TestLayouts(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 4))
	for _, texts := range models(t, random) {
		for name, text := range texts {
			once, ok := formatted(name, text)
			if !ok {
				continue // with errors a text keeps its layout
			}
			var loose strings.Builder
			comments := 0
			for i, line := range strings.Split(once, "\n") {
				loose.WriteString(strings.ReplaceAll(line, "    ", "\t"))
				if strings.TrimSpace(line) != "" && !strings.Contains(line, "//") && random.IntN(9) == 0 && i > 0 {
					comments++
					fmt.Fprintf(&loose, " // 𝔹 comment %d", i)
				}
				loose.WriteString([]string{"\n", "\r\n", "  \n"}[random.IntN(3)])
			}
			again, ok := formatted(name, loose.String())
			if !ok {
				t.Errorf("%s: cannot be read with other blanks:\n%s", name, loose.String())
				continue
			}
			if twice, _ := formatted(name, again); twice != again {
				t.Errorf("%s: formatted again it is\n%s\nand was\n%s", name, twice, again)
			}
			if n := strings.Count(again, "// 𝔹 comment"); n != comments {
				t.Errorf("%s: %d comments of %d:\n%s", name, n, comments, again)
			}
			tokens := func(text string) (out []string) {
				for _, tok := range lang.Tokens(text) {
					if tok.Kind != lang.CommentToken {
						out = append(out, text[tok.From:tok.To])
					}
				}
				return out
			}
			if !slices.Equal(tokens(again), tokens(once)) {
				t.Errorf("%s: other tokens:\n%s", name, again)
			}
		}
	}
}
