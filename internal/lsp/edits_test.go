package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/lsp/names"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/project"
)

// edits is how many random edits are made: $GRADINE_EDITS, or a few.
func edits(t *testing.T, few int) int {
	if n, err := strconv.Atoi(os.Getenv("GRADINE_EDITS")); err == nil {
		return n
	}
	if os.Getenv("GRADINE_SWEEP") != "" {
		return 100 * few
	}
	return few
}

// pieces are what random edits put into a text: parts of the language, right and wrong,
// broken characters and what looks like them.
var pieces = []string{
	" ", "\n", "n", "most", "@", "@limit ", "end\n", "event up\n", "machine ", "context c\n", "∧", " ∨ ", "(", ")", "{", "}", "`", "//", "/*", "*/", "'",
	"≔", ":=", "\\", "ℕ", "0", " > ", " ≥ ", "n + 1", "theorem ", "any p\n", "where\n", "then\n", "\r\n", "\u0000", "\uFFFD", "\U0001D7D8", "𝔹", "\xff", "refines counter\n", "extends up",
}

// randomEdit makes a random change of a text.
func randomEdit(random *rand.Rand, text string) protocol.TextChange {
	src := newSource(text)
	place := func() protocol.Position {
		if random.IntN(20) == 0 {
			return protocol.Position{Line: random.IntN(1000) - 10, Character: random.IntN(1000) - 10} // outside
		}
		return src.position(random.IntN(len(text) + 1))
	}
	switch random.IntN(12) {
	case 0: // delete
		from := random.IntN(len(text) + 1)
		r := src.span(from, min(len(text), from+random.IntN(40)))
		return protocol.TextChange{Range: &r, Text: ""}
	case 1: // back to what is right
		return protocol.TextChange{Range: nil, Text: counter}
	case 2: // copy a part elsewhere
		from := random.IntN(len(text) + 1)
		at := place()
		return protocol.TextChange{Range: &protocol.Range{Start: at, End: at}, Text: text[from:min(len(text), from+random.IntN(200))]}
	case 3: // a range that may stand the wrong way round
		return protocol.TextChange{Range: &protocol.Range{Start: place(), End: place()}, Text: pieces[random.IntN(len(pieces))]}
	case 4:
		if random.IntN(40) == 0 { // a huge paste
			return protocol.TextChange{Range: nil, Text: counter + strings.Repeat("// x\n", 20_000)}
		}
	}
	at := place()
	return protocol.TextChange{Range: &protocol.Range{Start: at, End: at}, Text: pieces[random.IntN(len(pieces))]}
}

// sent is the text that arrives: what is no UTF-8 cannot be sent as JSON.
func sent(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// asProved lists the obligations of a text that gradine prove proves, of a fresh start
// and without a server.
func asProved(t *testing.T, dir, text string, store *proofstore.Store) map[string]bool {
	t.Helper()
	opener := project.Opener{Texts: map[string][]byte{filepath.Join(dir, file): []byte(text)}}
	out := map[string]bool{}
	projects, err := opener.Open(dir)
	if err != nil {
		return out
	}
	for _, opened := range projects {
		obligations, err := opened.Obligations()
		if err != nil {
			t.Fatal(err)
		}
		results, err := opened.Prove(context.Background(), obligations, discharge.Options{Store: store, RefuteSteps: refuteSteps}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			if r.Verdict == verdict.Proved && r.Accurate && r.Of().Whole() {
				out[r.Path()] = true
			}
		}
	}
	return out
}

// TestRandomEdits makes random edits, late versions, requests and cancellations among
// them. Whatever the text, what the server says is proved gradine prove proves of that
// very text, and in the end the answers are those of a fresh start.
func TestRandomEdits(t *testing.T) {
	seed, err := strconv.ParseUint(os.Getenv("GRADINE_SEED"), 10, 64)
	if err != nil {
		seed = 2026
	}
	random := rand.New(rand.NewPCG(12, seed))
	store := proofstore.OpenStore(t.TempDir())
	c := begin(t, map[string]string{file: counter}, Options{Store: store})
	c.open(file)
	texts := map[int]string{1: c.texts[file]} // by version
	afresh := func(edits int, last string) {
		c.change(file, protocol.TextChange{Range: nil, Text: sent(last)})
		c.settled(file)
		fresh := begin(t, map[string]string{file: last}, Options{Store: store})
		fresh.open(file)
		fresh.settled(file)
		if got, want := c.everything(file), fresh.everything(file); got != want {
			t.Errorf("after %d edits, of\n%s\nthe answers are\n%s\nof a fresh start\n%s", edits, last, got, want)
		}
	}
	checked := map[string]bool{}
	verify := func(status *proofReport) {
		if status == nil {
			return
		}
		text := texts[status.Version]
		if checked[text] {
			return
		}
		var proved map[string]bool
		for _, line := range status.Obligations {
			if line.Status != "discharged" {
				continue
			}
			if proved == nil {
				proved = asProved(t, c.dir, text, store)
				checked[text] = true
			}
			if path := line.Component + "/" + line.Name; !proved[path] {
				t.Fatalf("%s is shown as proved of this text, and is not:\n%s", path, text)
			}
		}
	}
	n := edits(t, 150)
	for i := range n {
		change := randomEdit(random, c.texts[file])
		change.Text = sent(change.Text)
		c.change(file, change)
		texts[c.versions[file]] = c.texts[file]
		switch random.IntN(10) {
		case 0: // a version that comes late
			old := 1
			c.tell("textDocument/didChange", protocol.DidChangeParams{TextDocument: protocol.DocumentID{URI: c.uri(file), Version: &old}, ContentChanges: []protocol.TextChange{{Range: nil, Text: "machine late end"}}})
		case 1: // a request, and its cancellation
			ctx, cancel := context.WithCancel(t.Context())
			at := protocol.Position{Line: random.IntN(60), Character: random.IntN(60)}
			go func() {
				_, _ = c.rpc.Call(ctx, []string{"textDocument/hover", "textDocument/completion", "textDocument/definition", "textDocument/signatureHelp"}[i%4], protocol.PositionParams{TextDocument: c.document(file), Position: at})
			}()
			cancel()
		case 2:
			for _, method := range []string{"textDocument/semanticTokens/full", "textDocument/documentSymbol", "textDocument/foldingRange", "textDocument/codeLens", "textDocument/formatting"} {
				c.call(method, protocol.DocumentParams{TextDocument: c.document(file)}, nil)
			}
		case 3:
			at := protocol.Position{Line: random.IntN(60), Character: random.IntN(60)}
			for _, method := range []string{"textDocument/hover", "textDocument/completion", "textDocument/references", "textDocument/prepareRename", "textDocument/signatureHelp"} {
				c.call(method, protocol.PositionParams{TextDocument: c.document(file), Position: at}, nil)
			}
			c.call("textDocument/codeAction", protocol.ActionParams{RangeParams: protocol.RangeParams{TextDocument: c.document(file), Range: protocol.Range{Start: protocol.Position{}, End: protocol.Position{Line: 60, Character: 0}}}}, nil)
			c.call("textDocument/selectionRange", selectionParams{c.document(file), []protocol.Position{at}}, nil)
		case 4:
			time.Sleep(pause + time.Duration(random.IntN(200))*time.Millisecond)
			c.mu.Lock()
			status := c.status[file]
			c.mu.Unlock()
			verify(status)
			var now proofReport
			c.call("rossi/proofObligations", protocol.DocumentParams{TextDocument: c.document(file)}, &now)
			now.Version = c.versions[file]
			verify(&now)
		}
		if i%1000 == 999 {
			afresh(i+1, c.texts[file])
			clear(texts)
			texts[c.versions[file]] = c.texts[file]
		}
	}
	afresh(n, c.texts[file])
	afresh(n, strings.Replace(counter, "n < most", "n ≤ most", 1))
	t.Logf("%d edits from seed %d", n, seed)
}

// everything is what is shown of a file.
func (c *client) everything(name string) string {
	c.t.Helper()
	c.mu.Lock()
	params := c.shown[name]
	c.mu.Unlock()
	shown, _ := json.Marshal(params.Diagnostics)
	var list proofReport
	c.call("rossi/proofObligations", protocol.DocumentParams{TextDocument: c.document(name)}, &list)
	for i := range list.Obligations {
		list.Obligations[i].Project = ""
	}
	obligations, _ := json.Marshal(list)
	out := fmt.Sprintf("%s\n%s\n%s", shown, obligations, c.hints(name))
	return strings.ReplaceAll(out, uriOf(c.dir), "")
}

// TestMeasures measures what a person waits for: on the project at $GRADINE_LSP_PROJECT,
// or else on a small one. A keystroke is a blank that is typed into a comment, or an
// identifier that is spelled otherwise for a moment; an edit changes a guard.
func TestMeasures(t *testing.T) {
	dir, rounds := os.Getenv("GRADINE_LSP_PROJECT"), 200
	if dir == "" {
		dir, rounds = t.TempDir(), 10
		if err := os.WriteFile(filepath.Join(dir, file), []byte(counter), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.eventb"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: no models", dir)
	}
	store, err := proofstore.DefaultStore()
	if err != nil {
		t.Fatal(err)
	}
	c := beginAt(t, dir, Options{Store: store}, able, nothing)
	random := rand.New(rand.NewPCG(1, 1))
	for _, name := range names {
		c.open(filepath.Base(name))
	}
	time.Sleep(2 * time.Second)
	// On a machine with other work the clock says little: what the server took of the
	// processor from one to the other is what there is to wait for on an idle one.
	var shown, settled waits
	for i := range rounds {
		name := filepath.Base(names[random.IntN(len(names))])
		text := c.texts[name]
		numbers := strings.Split(text, " ∈ ")
		if len(numbers) < 2 {
			continue
		}
		at := len(strings.Join(numbers[:1+random.IntN(len(numbers)-1)], " ∈ "))
		r := newSource(text).span(at, at)
		shown.begin(t)
		c.change(name, protocol.TextChange{Range: &r, Text: "_x"})
		version := c.versions[name]
		c.wait("diagnostics", func() bool {
			params := c.shown[name]
			return params.Version != nil && *params.Version == version
		})
		shown.end(t)
		c.change(name, protocol.TextChange{Range: nil, Text: text})
		guard := c.guard(random, name)
		if guard == nil {
			continue
		}
		c.call("textDocument/documentSymbol", protocol.DocumentParams{TextDocument: c.document(name)}, nil)
		component, event := guard.Component.Name.Text, guard.Event.Label.Text
		r = newSource(text).span(guard.To-len(guard.Text), guard.To)
		settled.begin(t)
		c.change(name, protocol.TextChange{Range: &r, Text: fmt.Sprintf("(%s) ∧ %d = %d", guard.Text, i, i)})
		version = c.versions[name]
		c.wait("the edited event", func() bool {
			status := c.status[name]
			return status != nil && status.Version == version && !slices.ContainsFunc(status.Obligations, func(line proofLine) bool {
				return line.Component == component && strings.HasPrefix(line.Name, event+"/") && line.Verdict == ""
			})
		})
		settled.end(t)
		c.change(name, protocol.TextChange{Range: nil, Text: text})
	}
	t.Logf("%d keystrokes until diagnostics: median %v, p95 %v; of the processor: %v, %v", len(shown.clock), shown.clock.at(50), shown.clock.at(95), shown.processor.at(50), shown.processor.at(95))
	t.Logf("%d edits until the status of the event: median %v, p90 %v; of the processor: %v, %v", len(settled.clock), settled.clock.at(50), settled.clock.at(90), settled.processor.at(50), settled.processor.at(90))
	if wait := pause + shown.processor.at(95); wait > 300*time.Millisecond {
		t.Errorf("diagnostics take %v", wait)
	}
	if wait := pause + settled.processor.at(90); wait > time.Second {
		t.Errorf("the status of an event takes %v", wait)
	}
}

// waits are what somebody waited for, by the clock and in time of the processor.
type waits struct {
	clock, processor times
	since            time.Time
	used             time.Duration
}

func (w *waits) begin(t testing.TB) { w.since, w.used = time.Now(), processor(t) }

func (w *waits) end(t testing.TB) {
	w.clock = append(w.clock, time.Since(w.since))
	w.processor = append(w.processor, processor(t)-w.used)
}

type times []time.Duration

// at returns the time that a share of all does not exceed.
func (list times) at(percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[min(len(sorted)*percent/100, len(sorted)-1)].Round(time.Millisecond)
}

// processor is the time that this process has had of a processor.
func processor(t testing.TB) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// guard returns a guard of a file, nil if there is none.
func (c *client) guard(random *rand.Rand, name string) *names.Element {
	var problems diag.List
	guards := slices.DeleteFunc(names.Elements(lang.Parse(name, []byte(c.texts[name]), &problems)), func(e *names.Element) bool {
		return e.Kind != names.Guard || strings.ContainsAny(e.Text, "/\"") || e.Theorem
	})
	if len(guards) == 0 {
		return nil
	}
	return guards[random.IntN(len(guards))]
}

// TestMemory edits for a long time: what is remembered stays bounded.
func TestMemory(t *testing.T) {
	c := begin(t, map[string]string{file: counter}, Options{})
	c.open(file)
	n := edits(t, 100)
	for i := range n {
		c.change(file, protocol.TextChange{Range: nil, Text: strings.ReplaceAll(counter, "n ≤ most", fmt.Sprintf("n ≤ most + %d", i))})
		if i%10 == 0 {
			c.call("textDocument/documentSymbol", protocol.DocumentParams{TextDocument: c.document(file)}, nil)
		}
	}
	c.settled(file)
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	t.Logf("%d edits, %d MB", n, stats.HeapAlloc>>20)
	if stats.HeapAlloc > 500<<20 {
		t.Errorf("after %d edits %d MB are in use", n, stats.HeapAlloc>>20)
	}
}
