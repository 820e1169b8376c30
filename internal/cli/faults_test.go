package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gradine/gradine/internal/seam"
)

// faulty has two machines, with obligations that are proved and some that are refuted.
const faulty = `machine one
variables x
invariants
    @x x ∈ 0 ‥ 3
    @y x ≤ 4
events
    event INITIALISATION
        then
            @x x ≔ 0
    end

    event up
        then
            @x x ≔ x + 1
    end
end

machine two
variables x
invariants
    @x x ∈ 0 ‥ 3
    @z x ≤ 2
events
    event INITIALISATION
        then
            @x x ≔ 0
    end

    event up
        where
            @g x < 3
        then
            @x x ≔ x + 1
    end
end
`

const faultyKernels = `__kernel void a(__global int *x) { x[get_global_id(0)] = 1; }
__kernel void b(__global int *x) { x[get_global_id(0)] = 2; }
`

// answers are what a run printed: JSON lines by what they are about, or the lines of a text.
func answers(out string) map[string]string {
	found := map[string]string{}
	for i, line := range strings.Split(strings.TrimSpace(out), "\n") {
		var x struct{ Component, Name, Machine, Kernel string }
		key := fmt.Sprint(i, line)
		if json.Unmarshal([]byte(line), &x) == nil {
			key = strings.Join([]string{x.Component, x.Name, x.Machine, x.Kernel}, "/")
		}
		found[key] += line + "\n"
	}
	return found
}

// faultCase is a command, and what a fault in it may cost.
type faultCase struct {
	line string
	// lost are how many answers differ at least for one of the faults; none differs more than most.
	lost, most int
	one        func(key string) string // of what an answer is one; the answer itself if nil
}

func component(key string) string { first, _, _ := strings.Cut(key, "/"); return first }

// TestFaults injects each kind of fault at each place of each seam of the command line: one
// answer is lost, which is said, the exit code is that of a fault, and the others are as ever.
func TestFaults(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"m.eventb": faulty, "k.cl": faultyKernels} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// By one worker: two may find and store the answer of one question at once, which is one place more.
	const prove = "prove --workers 1 --format jsonl m.eventb"
	for s, c := range map[seam.Seam]faultCase{
		seam.Obligation:     {line: prove, lost: 1, most: 1},
		seam.Component:      {line: prove, lost: 1, most: 1, one: component},
		seam.Counterexample: {line: prove, lost: 1, most: 1},
		seam.Reachability:   {line: prove, lost: 1, most: 1},
		seam.StoreRead:      {line: prove},
		seam.StoreWrite:     {line: prove},
		seam.Renderer:       {line: prove, lost: 1, most: 1},
		seam.Exploration:    {line: "explore --format jsonl m.eventb", lost: 1, most: 1},
		seam.Inference:      {line: "infer --format jsonl m.eventb", lost: 1, most: 1},
		seam.Kernel:         {line: "kernel --format jsonl k.cl", lost: 1, most: 2}, // a file that cannot be read has two
	} {
		t.Run(string(s), func(t *testing.T) {
			ran := 0
			perform := func(kind seam.Kind, at int64) (out, messages string, code int, met int64) {
				ran++
				t.Setenv("GRADINE_CACHE", filepath.Join(t.TempDir(), fmt.Sprint(ran)))
				var n atomic.Int64
				defer seam.Inject(func(x seam.Seam, _ string) seam.Kind {
					if x == s && n.Add(1) == at {
						return kind
					}
					return seam.None
				})()
				r := &run{ctx: t.Context(), dir: dir}
				out, messages, code = r.perform(t.Context(), "", "", strings.Fields(c.line))
				return out, messages, code, n.Load()
			}
			whole, messages, code, places := perform(seam.None, 0)
			if code == exitInternal || places == 0 {
				t.Fatalf("%s: %d, %d places\n%s", c.line, code, places, messages)
			}
			want, lost := answers(whole), 0
			for _, at := range slices.Compact([]int64{1, (places + 1) / 2, places}) {
				for _, kind := range []seam.Kind{seam.Panic, seam.Memory, seam.Nesting, seam.Cancelled} {
					out, messages, code, _ := perform(kind, at)
					if code != exitInternal {
						t.Errorf("kind %d at place %d: exit code %d %s", kind, at, code, messages)
					}
					if !strings.Contains(messages+out, "internal error") && !strings.Contains(out, `"error"`) {
						t.Errorf("kind %d at place %d: nothing is said", kind, at)
					}
					differ := map[string]bool{}
					got := answers(out)
					for key := range want {
						if got[key] != want[key] {
							if c.one != nil {
								key = c.one(key)
							}
							differ[key] = true
						}
					}
					if lost = max(lost, len(differ)); len(differ) > c.most {
						t.Errorf("kind %d at place %d costs %v", kind, at, differ)
					}
				}
			}
			if lost < c.lost {
				t.Errorf("%d answers are lost at most, want %d", lost, c.lost)
			}
		})
	}
}

// A fault costs one optimum, or one part of a text.
func TestFaultsOfTexts(t *testing.T) {
	dir := smallProject(t)
	data, err := os.ReadFile(filepath.Join(dir, "gradine.toml"))
	if err != nil {
		t.Fatal(err)
	}
	_, entry, _ := bytes.Cut(data, []byte("[tune.lamps]"))
	second := append([]byte("\n[tune.again]"), entry...)
	if err := os.WriteFile(filepath.Join(dir, "gradine.toml"), append(data, second...), 0o666); err != nil {
		t.Fatal(err)
	}
	scenarios := "scenario a of lamps\nINITIALISATION\nend\nscenario b of lamps\nINITIALISATION\nend\n"
	for name, text := range map[string]string{"faulty.eventb": faulty, "models/lamps.scenario": scenarios} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for s, line := range map[seam.Seam]string{
		seam.Tuning:   "verify",
		seam.Scenario: "verify",
		seam.Renderer: "prove faulty.eventb",
	} {
		perform := func(kind seam.Kind, at int64) (string, string, int, int64) {
			var n atomic.Int64
			defer seam.Inject(func(x seam.Seam, _ string) seam.Kind {
				if x == s && n.Add(1) == at {
					return kind
				}
				return seam.None
			})()
			r := &run{ctx: t.Context(), dir: dir}
			out, messages, code := r.perform(t.Context(), "", "", strings.Fields(line))
			return out, messages, code, n.Load()
		}
		whole, _, code, places := perform(seam.None, 0)
		if code == exitInternal || places < 2 {
			t.Fatalf("%s: %d, %d places", line, code, places)
		}
		for at := range places {
			for _, kind := range []seam.Kind{seam.Panic, seam.Memory, seam.Nesting, seam.Cancelled} {
				out, messages, code, _ := perform(kind, at+1)
				if code != exitInternal || strings.Count(messages, "internal error") != 1 {
					t.Errorf("%s, kind %d at place %d: exit code %d, %s", line, kind, at+1, code, messages)
				}
				// What is printed is what was, without one piece of it.
				left, had := strings.Split(out, "\n"), strings.Split(whole, "\n")
				before := 0
				for before < len(left) && before < len(had) && left[before] == had[before] {
					before++
				}
				after := 0
				for after < len(left)-before && after < len(had)-before && left[len(left)-1-after] == had[len(had)-1-after] {
					after++
				}
				if s == seam.Tuning && before == 0 && after == 0 || s == seam.Renderer && before+after == 0 {
					t.Errorf("%s, kind %d at place %d leaves\n%s", line, kind, at+1, out)
				}
				for _, x := range left[before : len(left)-after] {
					if x != "" && !strings.Contains(x, "internal error") && !slices.Contains(had, x) {
						t.Errorf("%s, kind %d at place %d says %q", line, kind, at+1, x)
					}
				}
			}
		}
	}
}

// A fault costs an agent the answer to one request.
func TestFaultsOfAgents(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "m.eventb"), []byte(faulty), 0o666); err != nil {
		t.Fatal(err)
	}
	say := converse(t, dir)
	ask := func() (string, bool) {
		return say("why", map[string]any{"path": "m.eventb", "obligation": "one/up/x/INV"})
	}
	want, _ := ask()
	for s, requests := range map[seam.Seam]int64{seam.AgentRequest: 1} {
		for _, kind := range []seam.Kind{seam.Panic, seam.Memory, seam.Nesting, seam.Cancelled} {
			var n atomic.Int64
			end := seam.Inject(func(x seam.Seam, _ string) seam.Kind {
				if x == s && n.Add(1) == requests {
					return kind
				}
				return seam.None
			})
			if got, failed := ask(); !failed || !strings.Contains(got, "internal error") {
				t.Errorf("kind %d: %v %s", kind, failed, got)
			}
			if got, failed := ask(); failed || got != want {
				t.Errorf("after kind %d: %v %s", kind, failed, got)
			}
			end()
		}
	}
}

// Whatever is asked, a fault is said, and the exit code is that of a fault: no command ends
// without an answer, or passes it over.
func TestFaultsOfAllCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	dir := smallProject(t)
	if err := os.WriteFile(filepath.Join(dir, "faulty.eventb"), []byte(faulty), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GRADINE_CACHE", filepath.Join(t.TempDir(), "store"))
	for _, line := range []string{
		"prove faulty.eventb", "verify", "report faulty.eventb", "report --format html faulty.eventb", "report --format junit faulty.eventb", "report --format sarif faulty.eventb",
		"report why faulty.eventb one/up/x/INV", "report trust faulty.eventb", "po faulty.eventb", "infer faulty.eventb", "explore faulty.eventb", "explore --proved faulty.eventb one",
		"try faulty.eventb=model.eventb", "tune lamps", "review HEAD",
	} {
		// A fault is had where s is entered about the given answer for the first time; abouts
		// are all answers that it is entered for, whichever of them comes first.
		perform := func(s seam.Seam, kind seam.Kind, about string) (out, messages string, code int, abouts []string) {
			var met sync.Map
			defer seam.Inject(func(x seam.Seam, of string) seam.Kind {
				if x == s {
					if _, again := met.LoadOrStore(of, true); !again && of == about {
						return kind
					}
				}
				return seam.None
			})()
			r := &run{ctx: t.Context(), dir: dir}
			out, messages, code = r.perform(t.Context(), "", "", strings.Fields(line))
			met.Range(func(of, _ any) bool {
				abouts = append(abouts, of.(string))
				return true
			})
			slices.Sort(abouts)
			return out, messages, code, abouts
		}
		for _, s := range []seam.Seam{
			seam.Obligation, seam.Component, seam.Exploration, seam.Inference, seam.Tuning, seam.Kernel, seam.Counterexample, seam.Reachability, seam.StoreRead, seam.StoreWrite, seam.Renderer,
		} {
			t.Run(fmt.Sprintf("%s, %s", line, s), func(t *testing.T) {
				store := func() { t.Setenv("GRADINE_CACHE", filepath.Join(t.TempDir(), "store")) }
				store()
				_, _, _, abouts := perform(s, seam.None, "")
				if s != seam.Component && len(abouts) > 1 {
					abouts = abouts[:1]
				}
				for _, about := range abouts {
					store()
					out, messages, code, _ := perform(s, seam.Panic, about)
					if code != exitInternal {
						t.Errorf("%s, exit code %d: the fault is passed over\n%.300s\n%.300s", about, code, out, messages)
					}
					// Without its component there is nothing to say of one obligation.
					asked := about == "machine one" && strings.HasPrefix(line, "report why")
					if strings.Contains(messages, "goroutine ") || out == "" && !asked && s != seam.Renderer && s != seam.Exploration && s != seam.Inference {
						t.Errorf("%s: the answer is lost\n%.600s", about, messages)
					}
				}
			})
		}
	}
}

// A fault of a reader costs what one file says, whatever its kind and the command: the others are
// read, the fault is said with the name of the file, and nothing that needs the file passes.
func TestFaultsOfFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	text := func(machine string) string {
		return strings.ReplaceAll(faulty[:strings.Index(faulty, "machine two")], "machine one", "machine "+machine)
	}
	dir := t.TempDir()
	files := map[string]string{
		"one.eventb": text("one"), "two.eventb": text("two"),
		"a.hints": "for one/up/x/INV\n    cases x = 3\n", "a.scenario": "scenario s of one\nINITIALISATION\nend\n",
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for s, lines := range map[seam.Seam][]string{
		seam.Text: {"check", "prove", "prove --format jsonl", "verify", "explore", "infer", "po", "report", "report --format html", "fmt -l", "report why one/up/x/INV"},
	} {
		for _, line := range lines {
			for name := range files {
				for _, kind := range []seam.Kind{seam.Panic, seam.Memory, seam.Nesting, seam.Cancelled} {
					met := atomic.Int64{}
					end := seam.Inject(func(x seam.Seam, about string) seam.Kind {
						if x == s && filepath.Base(about) == name {
							met.Add(1)
							return kind
						}
						return seam.None
					})
					r := &run{ctx: t.Context(), dir: dir}
					out, messages, code := r.perform(t.Context(), "", "", strings.Fields(line))
					end()
					if met.Load() == 0 || code != exitInternal || !strings.Contains(messages, name) || !strings.Contains(messages, "internal error") || strings.Contains(messages, "goroutine ") {
						t.Errorf("%s, kind %d in %s, met %d times: exit code %d\n%s\n%s", line, kind, name, met.Load(), code, out, messages)
					}
					// The machine of the other file has its answers.
					other := map[string]string{"one.eventb": "two", "two.eventb": "one"}[name]
					if strings.HasPrefix(line, "prove") && other != "" && !strings.Contains(out, other+"/up/x/INV") && !strings.Contains(out, `"name":"up/x/INV"`) {
						t.Errorf("%s, kind %d in %s: nothing of %s\n%s", line, kind, name, other, out)
					}
				}
			}
		}
	}
}

// A fault in what is read once for a whole command ends that command with a message, and not with a trace: without
// gradine.toml it is unknown what is expected, so that nothing is said of the models.
func TestFaultsOfSettings(t *testing.T) {
	dir := smallProject(t)
	perform := func(line string, kind seam.Kind) (out, messages string, code int, met int64) {
		var n atomic.Int64
		defer seam.Inject(func(x seam.Seam, about string) seam.Kind {
			if x == seam.Text && filepath.Base(about) == "gradine.toml" {
				n.Add(1)
				return kind
			}
			return seam.None
		})()
		r := &run{ctx: t.Context(), dir: dir}
		out, messages, code = r.perform(t.Context(), "", "", strings.Fields(line))
		return out, messages, code, n.Load()
	}
	for _, line := range []string{"check", "po", "prove", "verify", "explore", "infer", "tune", "report", "report --format html", "report why lamps", "fmt -l"} {
		for _, kind := range []seam.Kind{seam.Panic, seam.Memory, seam.Nesting, seam.Cancelled} {
			out, messages, code, met := perform(line, kind)
			if met == 0 || code != exitInternal || out != "" || !strings.Contains(messages, "gradine.toml: internal error: ") || strings.Contains(messages, "goroutine ") {
				t.Errorf("%s, kind %d, met %d times: exit code %d\n%s\n%s", line, kind, met, code, out, messages)
			}
		}
	}
}

// A fault in a file that a command is asked about ends that command with a message that names the file, and not with a trace.
func TestFaultsOfQuestions(t *testing.T) {
	dir := calibratedProject(t)
	if err := os.WriteFile(filepath.Join(dir, "lamps.itf.json"), []byte("{}"), 0o666); err != nil {
		t.Fatal(err)
	}
	for line, file := range map[string]string{
		"explore lamps --replay " + filepath.Join(dir, "lamps.itf.json"): "lamps.itf.json", "tune lamps --measured lamps.tsv": "lamps.tsv", "calibrate lamps --measured lamps.tsv": "lamps.tsv",
	} {
		for _, kind := range []seam.Kind{seam.Panic, seam.Memory, seam.Nesting, seam.Cancelled} {
			var met atomic.Int64
			end := seam.Inject(func(x seam.Seam, about string) seam.Kind {
				if x == seam.Text && filepath.Base(about) == file {
					met.Add(1)
					return kind
				}
				return seam.None
			})
			r := &run{ctx: t.Context(), dir: dir}
			out, messages, code := r.perform(t.Context(), "", "", strings.Fields(line))
			end()
			if met.Load() == 0 || code != exitInternal || out != "" || !strings.Contains(messages, file+": internal error: ") || strings.Contains(messages, "goroutine ") {
				t.Errorf("%s, kind %d, met %d times: exit code %d\n%s\n%s", line, kind, met.Load(), code, out, messages)
			}
		}
	}
}

// A fault in a review or a merge is said, and neither passes: what it costs was not compared.
func TestFaultsOfReviews(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.org"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	write := func(name, text string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	one, two, _ := strings.Cut(faulty, "machine two")
	two = "machine two" + two
	guarded := strings.Replace(one, "event up\n", "event up\n        where\n            @g x < 3\n", 1)
	write("one.eventb", guarded)
	write("two.eventb", two)
	git("init", "-q", "-b", "main")
	git("add", "-A")
	git("commit", "-q", "-m", "first")
	write("one.eventb", one)
	write("two.eventb", strings.Replace(two, "x < 3", "x < 2", 1))

	review := []string{"review", "--fail-on", "lost-proof,refuted", "HEAD"}
	for s, lost := range map[seam.Seam]string{ // what the review of two files says in spite of it
		seam.Text: "", seam.Component: "", seam.Obligation: "", seam.StoreRead: "one/up/x/INV", seam.StoreWrite: "one/up/x/INV",
	} {
		perform := func(kind seam.Kind, at int64) (string, string, int, int64) {
			t.Setenv("GRADINE_CACHE", filepath.Join(t.TempDir(), "store"))
			var n atomic.Int64
			defer seam.Inject(func(x seam.Seam, _ string) seam.Kind {
				if x == s && n.Add(1) == at {
					return kind
				}
				return seam.None
			})()
			r := &run{ctx: t.Context(), dir: dir}
			out, messages, code := r.perform(t.Context(), "", "", review)
			return out, messages, code, n.Load()
		}
		_, messages, code, places := perform(seam.None, 0)
		if code != exitNo || places == 0 {
			t.Fatalf("%s: exit code %d, %d places\n%s", s, code, places, messages)
		}
		for _, at := range slices.Compact([]int64{1, (places + 1) / 2, places}) {
			for _, kind := range []seam.Kind{seam.Panic, seam.Memory, seam.Nesting, seam.Cancelled} {
				out, messages, code, met := perform(kind, at)
				if met < at { // how many searches are begun may depend on which end first
					continue
				}
				if code != exitInternal || !strings.Contains(messages, "internal error") || strings.Contains(messages, "goroutine ") {
					t.Errorf("%s, kind %d at place %d of %d: exit code %d\n%s\n%s", s, kind, at, places, code, messages, out)
				}
				if !strings.Contains(out, "one") && !strings.Contains(out, "two") || !strings.Contains(out, lost) {
					t.Errorf("%s, kind %d at place %d: the review is lost\n%s", s, kind, at, out)
				}
			}
		}
	}

	// The merge of two sides that lose a proof only together never ends with 0.
	base := write("base.text", guarded)
	theirs := write("theirs.text", strings.Replace(guarded, "x < 3", "x < 4", 1))
	for s, least := range map[seam.Seam]int64{seam.Text: 1, seam.Component: 1, seam.Obligation: 1} {
		for at := range int64(5) {
			for _, kind := range []seam.Kind{seam.Panic, seam.Memory, seam.Nesting, seam.Cancelled} {
				t.Setenv("GRADINE_CACHE", filepath.Join(t.TempDir(), "store"))
				// Ours bounds x by 4, as theirs needs, but a second action is in the way.
				ours := write("ours.text", strings.Replace(guarded, "@y x ≤ 4", "@y x ≤ 4\n    @z x ≠ 4", 1))
				var n atomic.Int64
				end := seam.Inject(func(x seam.Seam, _ string) seam.Kind {
					if x == s && n.Add(1) == at+1 {
						return kind
					}
					return seam.None
				})
				r := &run{ctx: t.Context(), dir: dir}
				_, messages, code := r.perform(t.Context(), "", "", []string{"git", "merge", base, ours, theirs, "one.eventb"})
				end()
				if at == 0 && n.Load() < least {
					t.Errorf("merge, %s: nothing was injected", s)
				}
				if code == exitYes || strings.Contains(messages, "goroutine ") {
					t.Errorf("merge, %s, kind %d at place %d: exit code %d\n%s", s, kind, at, code, messages)
				}
			}
		}
	}
}
