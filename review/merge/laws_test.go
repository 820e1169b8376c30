package merge

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sample is a machine of which every entry has a number that stays what it is whatever the
// entry is called, and another one that is what it says.
type sample struct {
	name   string
	inv    []sampleEntry
	events []sampleEvent
}

type sampleEntry struct {
	label     string
	id, value int
}

type sampleEvent struct {
	label  string
	guards []sampleEntry // the first one tells events apart
}

func (s sample) clone() sample {
	s.inv = slices.Clone(s.inv)
	s.events = slices.Clone(s.events)
	for i := range s.events {
		s.events[i].guards = slices.Clone(s.events[i].guards)
	}
	return s
}

func (s sample) text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "machine %s\nvariables x\ninvariants\n    @type x ∈ ℤ\n", s.name)
	for _, e := range s.inv {
		fmt.Fprintf(&out, "    @%s x + %d ≤ %d\n", e.label, e.id, e.value)
	}
	out.WriteString("events\n    event INITIALISATION\n        then\n            @begin x ≔ 0\n    end\n")
	for _, e := range s.events {
		fmt.Fprintf(&out, "\n    event %s\n        where\n", e.label)
		for _, g := range e.guards {
			fmt.Fprintf(&out, "            @%s x + %d ≤ %d\n", g.label, g.id, g.value)
		}
		out.WriteString("    end\n")
	}
	return out.String() + "end\n"
}

// rendering is one way to write samples.
type rendering struct {
	name  string
	write func(sample) string
	join  func(name string, base, ours, theirs []byte) (Result, error)
	read  func(text string) (*node, error)
}

var renderings = []rendering{
	{"m.eventb", sample.text, Text, func(text string) (*node, error) { n, _, err := model("m.eventb", []byte(text)); return n, err }},
	{"m.bum", sample.xml, Rodin, func(text string) (*node, error) { return xmlTree([]byte(text), map[*node]element{}) }},
}

func (s sample) xml() string {
	var out strings.Builder
	entry := func(kind, formula string, e sampleEntry) {
		fmt.Fprintf(&out, "<%s%s name=\"n%d\" %slabel=\"%s\" %s%s=\"x + %d ≤ %d\"/>\n", core, kind, e.id, core, e.label, core, formula, e.id, e.value)
	}
	fmt.Fprintf(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<%smachineFile version=\"5\">\n", core)
	for _, e := range s.inv {
		entry("invariant", "predicate", e)
	}
	for _, e := range s.events {
		fmt.Fprintf(&out, "<%sevent name=\"n%d\" %slabel=\"%s\">\n", core, e.guards[0].id, core, e.label)
		for _, g := range e.guards {
			entry("guard", "predicate", g)
		}
		fmt.Fprintf(&out, "</%sevent>\n", core)
	}
	return out.String() + "</" + core + "machineFile>\n"
}

// facts is what a text says, entry by entry: id → event, label and value; and each event's
// label by the id of its first guard.
func facts(text string) map[string]string {
	out := map[string]string{}
	event := ""
	number := regexp.MustCompile(`x \+ (\d+) (?:≤|&le;) (\d+)`)
	name := regexp.MustCompile(`(?:event |<org\.eventb\.core\.event .*label=")([A-Za-z_0-9]+)`)
	label := regexp.MustCompile(`(?:@|label=")([A-Za-z_0-9]+)`)
	for line := range strings.Lines(text) {
		if m := name.FindStringSubmatch(line); m != nil {
			event = m[1]
		}
		if m := number.FindStringSubmatch(line); m != nil {
			l := label.FindStringSubmatch(line)
			for out[m[1]] != "" {
				m[1] += " again"
			}
			out[m[1]] = l[1] + " " + m[2]
			if l[1] == "id" {
				out["event "+m[1]] = event
			}
		}
	}
	return out
}

// vary makes one to three edits.
func (s sample) vary(rnd *rand.Rand, side string, fresh *int) sample {
	s = s.clone()
	next := func() int { *fresh++; return *fresh }
	for range 1 + rnd.IntN(3) {
		list := &s.inv
		if len(s.events) > 0 && rnd.IntN(2) == 0 {
			list = &s.events[rnd.IntN(len(s.events))].guards
		}
		first := 0
		if list != &s.inv {
			first = 1 // the first guard stands for the event
		}
		i := first
		if len(*list) > first {
			i = first + rnd.IntN(len(*list)-first)
		}
		e := rnd.IntN(max(len(s.events), 1))
		switch rnd.IntN(9) {
		case 0, 1:
			if i < len(*list) {
				(*list)[i].value = next()
			}
		case 2:
			if i < len(*list) {
				(*list)[i].label = fmt.Sprint("r", side, next())
			}
		case 3:
			if i < len(*list) {
				*list = slices.Delete(*list, i, i+1)
			}
		case 4:
			n := next()
			*list = slices.Insert(*list, i, sampleEntry{fmt.Sprint("n", side, n), n, 9000})
		case 5:
			if len(s.events) > 0 {
				s.events[e].label = fmt.Sprint("e", side, next())
			}
		case 6:
			if len(s.events) > 1 {
				s.events = slices.Delete(s.events, e, e+1)
			}
		case 7:
			if len(s.events) > 1 {
				moved := s.events[e]
				s.events = slices.Delete(s.events, e, e+1)
				s.events = slices.Insert(s.events, rnd.IntN(len(s.events)+1), moved)
			}
		case 8:
			n := next()
			added := sampleEvent{fmt.Sprint("e", side, n), []sampleEntry{{"id", n, 9000}, {"g", next(), 9000}}}
			s.events = slices.Insert(s.events, e, added)
		}
	}
	return s
}

// TestLaws joins random edits of both sides, renames and moves among them. A result without a
// conflict has what each side changed, and nothing twice; with one, either choice is a text.
// It takes no other merge to see that, but two: sides exchanged, and that of git.
func TestLaws(t *testing.T) {
	runs := 60
	if os.Getenv("GRADINE_SWEEP") != "" {
		runs = 1000
	}
	for _, r := range renderings {
		t.Run(r.name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(7, 35))
			fresh := 100
			conflicts, plain := 0, 0
			for range runs {
				base := sample{name: "m"}
				for i := range 2 + rnd.IntN(4) {
					fresh++
					base.inv = append(base.inv, sampleEntry{fmt.Sprint("i", i), fresh, 9000})
				}
				for i := range 2 + rnd.IntN(4) {
					e := sampleEvent{label: fmt.Sprint("event", i)}
					for k := range 2 + rnd.IntN(4) {
						fresh++
						label := fmt.Sprint("g", k)
						if k == 0 {
							label = "id"
						}
						e.guards = append(e.guards, sampleEntry{label, fresh, 9000})
					}
					base.events = append(base.events, e)
				}
				b, o, th := r.write(base), r.write(base.vary(rnd, "a", &fresh)), r.write(base.vary(rnd, "b", &fresh))
				if r.lawful(t, b, o, th) {
					conflicts++
				}
				if collides(t, b, o, th) {
					plain++
				}
				if t.Failed() {
					t.Fatalf("base:\n%s\nours:\n%s\ntheirs:\n%s", b, o, th)
				}
			}
			t.Logf("%d of %d merges conflict; by line %d do", conflicts, runs, plain)
			if conflicts > plain {
				t.Errorf("%d conflicts, and git has %d", conflicts, plain)
			}
		})
	}
}

// lawful checks the laws of one merge and reports whether it is a conflict.
func (r rendering) lawful(t *testing.T, base, ours, theirs string) bool {
	join := func(b, o, th string) Result {
		x, err := r.join(r.name, []byte(b), []byte(o), []byte(th))
		if err != nil {
			t.Fatalf("%v\nbase:\n%s\nours:\n%s\ntheirs:\n%s", err, b, o, th)
		}
		return x
	}
	for _, same := range [][3]string{{base, ours, ours}, {base, base, ours}, {base, ours, base}} {
		if x := join(same[0], same[1], same[2]); string(x.Text) != ours || len(x.Conflicts) > 0 {
			t.Errorf("a side that changed nothing counts: %v\n%s", x.Conflicts, x.Text)
		}
	}
	x, swapped := join(base, ours, theirs), join(base, theirs, ours)
	if len(x.Conflicts) != len(swapped.Conflicts) {
		t.Errorf("conflicts %q, and %q with the sides exchanged", x.Conflicts, swapped.Conflicts)
	}
	if len(x.Conflicts) > 0 {
		for side := range 2 {
			if n, err := r.read(choice(string(x.Text), side)); err != nil || n.twice("") != "" {
				t.Errorf("choice %d: %v\n%s", side, err, x.Text)
			}
		}
		return true
	}
	was, a, b, is := facts(base), facts(ours), facts(theirs), facts(string(x.Text))
	for key := range union(was, a, b, is) {
		want := a[key]
		if was[key] == a[key] {
			want = b[key]
		} else if b[key] != was[key] && b[key] != a[key] {
			t.Errorf("both decided about %s, and one decision is lost", key)
		}
		if is[key] != want {
			t.Errorf("%s is %q, want %q\n%s", key, is[key], want, x.Text)
		}
	}
	for key, v := range facts(string(swapped.Text)) {
		if is[key] != v {
			t.Errorf("%s is %q, and %q with the sides exchanged", key, is[key], v)
		}
	}
	return false
}

func union(all ...map[string]string) map[string]bool {
	out := map[string]bool{}
	for _, m := range all {
		for k := range m {
			out[k] = true
		}
	}
	return out
}

// collides reports whether git merges three texts by line with a conflict.
func collides(t *testing.T, base, ours, theirs string) bool {
	dir := t.TempDir()
	args := []string{"merge-file", "-p"}
	for i, text := range []string{ours, base, theirs} {
		name := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	return exec.Command("git", args...).Run() != nil
}
