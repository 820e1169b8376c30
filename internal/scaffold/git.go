package scaffold

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/internal/door"
)

// Clone is a folder in the working tree of a clone.
type Clone struct {
	Context context.Context
	Dir     string
}

// attributes are the lines of .gitattributes that Install adds.
var attributes = []string{
	"*.eventb merge=gradine",
	"*.bucx merge=gradine",
	"*.bumx merge=gradine",
	"*.hints merge=gradine",
	"*.scenario merge=gradine",
	"gradine.toml merge=gradine",
	"proofs.lock merge=gradine",
	"*.proofs.lock merge=gradine",
	"proofs.certs merge=gradine",
	"*.proofs.certs merge=gradine",
	"*.buc diff=gradine merge=gradine",
	"*.bum diff=gradine merge=gradine",
	"*.bpr merge=gradine",
}

// settings are what Install configures.
var settings = [][2]string{
	{"merge.gradine.name", "gradine: models by element, settings by key, locks by line"},
	{"merge.gradine.driver", "gradine git merge %O %A %B %P"},
	{"diff.gradine.textconv", "gradine git text"},
	{"diff.gradine.cachetextconv", "true"},
}

// hook is what runs before a commit, and before the commit of a merge.
const hook = `#!/bin/sh
# Written by gradine git install: no commit makes a proof or a scenario worse, against none of the
# revisions that it joins; the first commit has none before it. Git names those of a merge in its environment or its folder.
for revision in $(git rev-parse -q --verify HEAD) $(env | sed -n 's/^GITHEAD_\([0-9a-f]*\)=.*/\1/p') $(git rev-parse -q --verify MERGE_HEAD); do
	gradine review "$revision" --thorough --fail-on refuted,lost-proof,scenario || exit
done
`

// Install lets Git merge models by element and show Rodin's files as text: it adds lines
// to .gitattributes and configures the clone.
func (c Clone) Install() error {
	top, err := c.git("rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	if err := addLines(filepath.Join(top, ".gitattributes"), attributes); err != nil {
		return err
	}
	for _, kv := range settings {
		if _, err := c.git("config", "--local", kv[0], kv[1]); err != nil {
			return err
		}
	}
	return nil
}

// InstallHooks lets a review run before each commit. It replaces hooks that an earlier version has written, and leaves those of
// others alone.
func (c Clone) InstallHooks() error {
	for _, name := range []string{"pre-commit", "pre-merge-commit"} {
		file, err := c.git("rev-parse", "--git-path", "hooks/"+name)
		if err != nil {
			return err
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(c.Dir, file)
		}
		// A hook of somebody else stays: only who wrote it knows how to join the two.
		old, err := door.File(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil && !own(old) {
			return fmt.Errorf("%s exists; add this line to it: gradine review HEAD --thorough --fail-on refuted,lost-proof,scenario", file)
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := atomic.Write(file, []byte(hook), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// earlier are the SHA-256 digests of the hooks that earlier versions have written.
var earlier = []string{"85b7c90628e5c5ba570c5d04eb78398b6e73864b772a4d4c297017f6733003c4"}

// own reports whether a hook is one that this program has written, to the letter: a gate that somebody has changed is theirs.
func own(text []byte) bool {
	return string(text) == hook || slices.Contains(earlier, fmt.Sprintf("%x", sha256.Sum256(text)))
}

// git runs a git command and returns what it prints.
func (c Clone) git(args ...string) (string, error) {
	command := exec.CommandContext(c.Context, "git", args...)
	command.Dir = c.Dir
	out, err := command.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return "", fmt.Errorf("git %s: %s", args[0], bytes.TrimSpace(exit.Stderr))
	}
	if err != nil {
		return "", fmt.Errorf("git is needed for this: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// addLines appends the lines that a file lacks.
func addLines(file string, lines []string) error {
	old, err := door.File(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text := string(old)
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	has := strings.Split(text, "\n")
	for _, l := range lines {
		if !slices.Contains(has, l) {
			text += l + "\n"
		}
	}
	if text == string(old) {
		return nil
	}
	return atomic.Write(file, []byte(text), 0o666)
}
