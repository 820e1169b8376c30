// Package reviews measures `gradine review` on the commits of real repositories.
package reviews

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gradine/gradine/internal/corpus"
)

// commit is one commit that touches models.
type commit struct{ repository, hash, parent string }

// touching lists the commits of a repository that touch models, newest first. A first commit is compared with
// the empty tree.
func touching(t *testing.T, repository string) (out []commit) {
	text, err := exec.Command("git", "-C", repository, "log", "--all", "--no-merges", "--format=%H %P", "--", "*.bum", "*.buc", "*.bumx", "*.bucx", "*.eventb", "*.zip").Output()
	if err != nil {
		return nil // no repository
	}
	empty, err := exec.Command("git", "-C", repository, "hash-object", "-t", "tree", "/dev/null").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		switch hashes := strings.Fields(line); len(hashes) {
		case 1:
			out = append(out, commit{repository, hashes[0], strings.TrimSpace(string(empty))})
		case 2:
			out = append(out, commit{repository, hashes[0], hashes[1]})
		}
	}
	return out
}

// measured is what one review of a commit took and said.
type measured struct {
	code    int
	cpu     time.Duration
	memory  int64 // bytes, at most
	out     []byte
	errors  string
	timeout bool
}

// fuse is the wall-clock time after which a review is given up, and counted so.
const fuse = corpus.Fuse

func review(program, store string, c commit, format string) (m measured) {
	ctx, cancel := context.WithTimeout(context.Background(), fuse)
	defer cancel()
	command := exec.CommandContext(ctx, program, "-C", c.repository, "review", c.parent+".."+c.hash, "--format", format)
	command.Env = append(os.Environ(), "GRADINE_CACHE="+store)
	var out, errors bytes.Buffer
	command.Stdout, command.Stderr = &out, &errors
	_ = command.Run() // the exit code says it
	state := command.ProcessState
	m = measured{code: state.ExitCode(), cpu: state.UserTime() + state.SystemTime(), out: out.Bytes(), errors: errors.String(), timeout: ctx.Err() != nil}
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		m.memory = usage.Maxrss << 10
	}
	return m
}

// line is what is looked at of the JSON lines of a review.
type line struct {
	Change        string
	Diff          [][2]string
	New           string
	Obligation    string
	Status        string
	Contradiction string
	Element       string
}

// phantom reports whether a changed element has no difference.
func (l line) phantom() bool {
	return l.Change == "changed" && len(l.Diff) > 0 && !slices.ContainsFunc(l.Diff, func(p [2]string) bool { return p[0] != "" })
}

// look checks what a review of a commit said, and returns how many lost proofs and contradictions there are, and
// how many of these its comment does not name but counts.
func look(t *testing.T, c commit, lines, comment measured) (grave, counted int) {
	for _, m := range []measured{lines, comment} {
		if m.code != 0 && m.code != 1 && m.code != 3 && m.code != 4 && !m.timeout {
			t.Errorf("%s %s: exit code %d\n%s", c.repository, c.hash, m.code, m.errors)
		}
		if strings.Contains(m.errors, "internal error") || strings.Contains(m.errors, "goroutine ") {
			t.Errorf("%s %s: %s", c.repository, c.hash, m.errors)
		}
	}
	if len(comment.out) > 60_000 {
		t.Errorf("%s %s: a comment of %d bytes", c.repository, c.hash, len(comment.out))
	}
	text := strings.ReplaceAll(string(comment.out), "\\|", "|")
	more := strings.Contains(text, " more")
	for row := range bytes.Lines(lines.out) {
		var l line
		if err := json.Unmarshal(row, &l); err != nil {
			t.Errorf("%s %s: %v: %s", c.repository, c.hash, err, row)
			continue
		}
		if l.phantom() {
			t.Errorf("%s %s: %s is changed, without a difference", c.repository, c.hash, l.New)
		}
		name := ""
		switch {
		case l.Status == "proof lost":
			name = l.Obligation
		case l.Contradiction == "new":
			name = l.Element
		}
		if name == "" {
			continue
		}
		grave++
		if !strings.Contains(text, name) {
			if counted++; !more {
				t.Errorf("%s %s: the comment neither names nor counts %s", c.repository, c.hash, name)
			}
		}
	}
	return grave, counted
}

// TestReviewsOfRealCommits reviews what came after the newest commits of this repository that touch models. If
// GRADINE_HISTORIES names a folder DIR, it reviews each commit of the repositories DIR/*/repo and DIR/* instead,
// at most GRADINE_REVIEWS of each. It says what the reviews took.
func TestReviewsOfRealCommits(t *testing.T) {
	if testing.Short() {
		t.Skip("reviews a development of some size")
	}
	repositories, most := []string{"../.."}, 3
	if dir := os.Getenv("GRADINE_HISTORIES"); dir != "" {
		here, _ := filepath.Glob(filepath.Join(dir, "*"))
		below, _ := filepath.Glob(filepath.Join(dir, "*", "repo"))
		repositories, most = append(here, below...), 1<<30
	}
	if n, err := strconv.Atoi(os.Getenv("GRADINE_REVIEWS")); err == nil {
		most = n
	}
	program := os.Getenv("GRADINE_PROGRAM")
	if program == "" {
		program = filepath.Join(t.TempDir(), "gradine")
		if out, err := exec.Command("go", "build", "-o", program, "../../cmd/gradine").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	store := t.TempDir()
	var cpu []time.Duration
	var memory []int64
	reviews, late, grave, counted := 0, 0, 0, 0
	codes := map[int]int{}
	for _, repository := range repositories {
		all := touching(t, repository)
		for _, c := range all[:min(len(all), most)] {
			if repository == "../.." {
				// An earlier gradine.toml may have keys that are not known any more, as a base and not as what
				// is reviewed.
				c.hash = "HEAD"
			}
			lines := review(program, store, c, "jsonl")
			comment := review(program, store, c, "markdown")
			reviews++
			codes[lines.code]++
			if lines.timeout {
				late++
			}
			cpu, memory = append(cpu, lines.cpu), append(memory, lines.memory)
			g, n := look(t, c, lines, comment)
			grave, counted = grave+g, counted+n
			t.Logf("%s %s: exit code %d, %v, %d MB, a comment of %d bytes", filepath.Base(filepath.Dir(repository)), c.hash[:min(10, len(c.hash))], lines.code, lines.cpu.Round(time.Millisecond), lines.memory>>20, len(comment.out))
		}
	}
	if reviews == 0 {
		t.Skip("this folder has no Git history")
	}
	slices.Sort(cpu)
	slices.Sort(memory)
	at := func(percent int) int { return (reviews - 1) * percent / 100 }
	t.Logf("%d reviews, %d given up; exit codes %v; processor time: median %v, 90 %% %v, longest %v; memory: median %d MB, most %d MB; %d lost proofs and new contradictions, of which comments count %d",
		reviews, late, codes, cpu[at(50)], cpu[at(90)], cpu[reviews-1], memory[at(50)]>>20, memory[reviews-1]>>20, grave, counted)
}
