package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestReviewsOfHistories reviews commits of the repositories in the folder that
// GRADINE_HISTORIES names, with all verdicts: the text and the exit code are the same with
// an empty store, with the store that this has filled, and with none. It takes 60 commits,
// spread over all of them, or as many as GRADINE_REVIEWS says.
func TestReviewsOfHistories(t *testing.T) {
	dir := os.Getenv("GRADINE_HISTORIES")
	if dir == "" {
		t.Skip("GRADINE_HISTORIES names no folder")
	}
	type commit struct{ repository, parent, hash string }
	var all []commit
	repositories, err := filepath.Glob(filepath.Join(dir, "*", "repo"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range repositories {
		out, err := exec.Command("git", "-C", name, "log", "--all", "--no-merges", "--format=%H %P", "--", "*.bum", "*.buc", "*.bumx", "*.bucx", "*.eventb").Output()
		if err != nil {
			continue // no repository
		}
		for line := range strings.Lines(string(out)) {
			if hashes := strings.Fields(line); len(hashes) == 2 {
				all = append(all, commit{name, hashes[1], hashes[0]})
			}
		}
	}
	wanted := 60
	if n, err := strconv.Atoi(os.Getenv("GRADINE_REVIEWS")); err == nil {
		wanted = n
	}
	made, changed, red := 0, 0, 0
	for i := range min(wanted, len(all)) {
		c := all[i*len(all)/min(wanted, len(all))]
		store := t.TempDir()
		t.Setenv("GRADINE_CACHE", store)
		review := func(flags ...string) (string, int) {
			var out bytes.Buffer
			// A small budget makes more verdicts depend on it, and the test short.
			code := Main(append([]string{"-C", c.repository, "review", c.parent + ".." + c.hash, "--format", "markdown", "--steps", "20000", "--fail-on", allGates}, flags...), strings.NewReader(""), &out, &out)
			return out.String(), code
		}
		said, code := review()
		for _, flags := range [][]string{nil, {"--no-cache"}} {
			if again, other := review(flags...); again != said || other != code {
				t.Errorf("%s %s %v: first, with exit code %d:\n%s\nthen, with %d:\n%s", c.repository, c.hash, flags, code, said, other, again)
			}
		}
		t.Logf("%s %s: exit code %d, %d bytes", c.repository, c.hash, code, len(said))
		made++
		if code != 0 {
			red++
		}
		if !strings.Contains(said, "no change") {
			changed++
		}
	}
	t.Logf("%d commits, %d reviewed, each with an empty store, a full one and none; %d with changes, %d do not pass all gates", len(all), made, changed, red)
}
