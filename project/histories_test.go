package project_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/review"
	"github.com/gradine/gradine/review/git"
)

// TestHistories reviews the commits of the repositories in the folder that
// GRADINE_HISTORIES names, each against its parent and against some before: nothing counts as changed
// whose text is the same on both sides, and a review that is made again is the same.
func TestHistories(t *testing.T) {
	dir := os.Getenv("GRADINE_HISTORIES")
	if dir == "" {
		t.Skip("GRADINE_HISTORIES names no folder")
	}
	var repositories []string
	for _, pattern := range []string{"*", "*/repo", "*/repo/.git"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		repositories = append(repositories, found...)
	}
	var sum histories
	for _, name := range repositories {
		out, err := exec.Command("git", "-C", name, "log", "--all", "--no-merges", "--format=%H %P", "--", "*.bum", "*.buc", "*.bumx", "*.bucx", "*.eventb").Output()
		if err != nil || len(out) == 0 {
			continue
		}
		repo, err := git.Open(name)
		if err != nil {
			t.Error(name, err)
			continue
		}
		var revisions []string // the newest first
		for line := range strings.Lines(string(out)) {
			if commits := strings.Fields(line); len(commits) == 2 {
				sum.commits++
				revisions = append(revisions, commits[0])
				sum.review(t, repo, filepath.Base(filepath.Dir(name))+" "+commits[0][:9], commits[1], commits[0])
			}
		}
		// Several changes at once, as branches have them.
		for i := range revisions {
			for distance := 2; distance <= 4 && i+distance < len(revisions); distance++ {
				sum.review(t, repo, filepath.Base(filepath.Dir(name))+" "+revisions[i][:9], revisions[i+distance], revisions[i])
			}
		}
		if err := repo.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d commits, %d reviews, %d projects with changes, %d changed entries, %d of them with equal text; %d cannot be read", sum.commits, sum.reviews, sum.projects, sum.changed, sum.phantom, sum.bad)
}

// histories counts what was met.
type histories struct{ commits, reviews, projects, changed, phantom, bad int }

func (h *histories) review(t *testing.T, repo *git.Repository, name, parent, commit string) {
	h.reviews++
	revision := func(hash string) project.Revision {
		files, err := repo.Files(hash)
		if err != nil {
			t.Fatal(name, err)
		}
		out, err := project.ReadRevision(files, ".")
		if err != nil {
			h.bad++
			t.Log(name, err)
		}
		return out
	}
	texts := func() string {
		was, is := revision(parent), revision(commit)
		if was == nil || is == nil {
			return ""
		}
		// Verdicts are another question: no search makes this quick.
		reviews, _, err := project.Review(context.Background(), was, is, discharge.Options{Steps: 1, Replay: true})
		if err != nil {
			t.Fatal(name, err)
		}
		out := ""
		for _, r := range reviews {
			if len(r.Changes) > 0 {
				h.projects++
			}
			for _, c := range r.Changes {
				out += string(c.What) + " " + c.Element().Path() + "\n"
				if c.What == review.Changed {
					h.changed++
					// Equal text may name something else now: then the difference is shown under
					// the new names.
					if said(c.Old) == said(c.New) && side(c.Diff, '-') == side(c.Diff, '+') {
						h.phantom++
						t.Errorf("%s: %s %s is changed, from and to %s", name, c.New.Kind, c.New.Path(), said(c.New))
					}
				}
			}
		}
		return out
	}
	before := *h
	first := texts()
	counted := *h
	*h = before
	if texts() != first {
		t.Errorf("%s: two reviews differ", name)
	}
	*h = counted
}

func said(e *review.Element) string {
	return e.Label + " " + strings.Join(strings.Fields(e.Text), "")
}

// side is what a diff shows of one revision.
func side(diff []review.Piece, sign byte) string {
	var out strings.Builder
	for _, p := range diff {
		if p.Sign == sign || p.Sign == ' ' {
			out.WriteString(strings.Join(strings.Fields(p.Text), ""))
		}
	}
	return out.String()
}
