package merge

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// rendering is one way to write samples.
type rendering struct {
	name  string
	write func(sample) string
	join  func(name string, base, ours, theirs []byte) (Result, error)
	read  func(text string) (*node, error)
}

var renderings = []rendering{
	{"m.eventb", sample.text, Text, func(text string) (*node, error) { n, _, err := model("m.eventb", []byte(text)); return n, err }},
	{"m.bum", sample.xml, Rodin, (&rodinMatch{known: map[*node]element{}}).read},
}

// TestLaws joins random edits of both sides: renames, moves, splits, exchanged labels and removals
// among them. It compares the joins with a merge of what the samples say, which knows elements by
// number, and checks laws that need no other merge: a side that changed nothing does not count, the
// sides can be exchanged, and either choice of a conflict is a text. Git conflicts at least as often.
// GRADINE_SWEEP makes it 1,000 merges of each kind; GRADINE_SEED is another seed.
func TestLaws(t *testing.T) {
	runs, seed := 60, uint64(7)
	if os.Getenv("GRADINE_SWEEP") != "" {
		runs = 1000
	}
	if s, err := strconv.ParseUint(os.Getenv("GRADINE_SEED"), 10, 64); err == nil {
		seed = s
	}
	for _, r := range renderings {
		for _, edits := range []int{3, 6} {
			t.Run(fmt.Sprintf("%s/at most %d edits a side", r.name, edits), func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(seed, uint64(edits)))
				fresh := 100
				count := map[string]int{}
				for range runs / 2 {
					base := sampleOf(rnd, edits+1, &fresh)
					ours := base.vary(rnd, "a", 1+rnd.IntN(edits), &fresh)
					theirs := base.vary(rnd, "b", 1+rnd.IntN(edits), &fresh)
					r.lawful(t, base, ours, theirs, count)
					if t.Failed() {
						t.Fatalf("base:\n%s\nours:\n%s\ntheirs:\n%s", r.write(base), r.write(ours), r.write(theirs))
					}
				}
				t.Logf("of %d merges %d conflict, %d of them without need; by line %d do", runs/2, count["conflict"], count["needless"], count["plain"])
				if count["conflict"] > count["plain"] {
					t.Errorf("%d conflicts, and git has %d", count["conflict"], count["plain"])
				}
			})
		}
	}
}

// lawful checks one merge, and counts it.
func (r rendering) lawful(t *testing.T, baseSample, oursSample, theirsSample sample, count map[string]int) {
	base, ours, theirs := r.write(baseSample), r.write(oursSample), r.write(theirsSample)
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
	want, why := mergeSyntax(baseSample, oursSample, theirsSample)
	if collides(t, base, ours, theirs) {
		count["plain"]++
	}
	if len(x.Conflicts) > 0 {
		count["conflict"]++
		if why == "" {
			count["needless"]++
		}
		for side := range 2 {
			chosen := choice(string(x.Text), side)
			if n, err := r.read(chosen); err != nil || n.twice("") != "" {
				t.Errorf("choice %d: %v\n%s", side, err, x.Text)
			}
			r.opens(t, chosen)
		}
		return
	}
	r.opens(t, string(x.Text))
	is, twice := readSyntax(string(x.Text))
	switch {
	case why != "":
		t.Errorf("no conflict, although %s\n%s", why, x.Text)
	case twice != "":
		t.Errorf("%s stands twice\n%s", twice, x.Text)
	}
	other, _ := readSyntax(string(swapped.Text))
	for key := range union(want, is, other) {
		if is[key] != want[key] || other[key] != want[key] {
			t.Errorf("%s is %q, with the sides exchanged %q, want %q\n%s", key, is[key], other[key], want[key], x.Text)
		}
	}
}

// opens wants a project of Rodin's with the text to be valid.
func (r rendering) opens(t *testing.T, text string) {
	if r.name != "m.bum" {
		return
	}
	if found := invalid(aroundSample(text)); len(found) > 0 {
		t.Errorf("%q\n%s", found, text)
	}
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
