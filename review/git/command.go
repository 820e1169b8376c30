package git

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// errNoCommand says that git is not installed.
var errNoCommand = errors.New("no git command")

// command reads a repository through the git command.
type command struct {
	program, dir, root string

	mu    sync.Mutex // of the process that reads blobs
	batch *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
}

// openCommand opens the repository that dir belongs to. The error is
// errNoCommand where git is not installed.
func openCommand(dir string) (*Repository, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, errNoCommand
	}
	c := &command{program: program, dir: dir}
	if _, err := c.text("rev-parse", "--git-dir"); err != nil {
		if strings.Contains(err.Error(), "not a git repository") {
			return nil, fmt.Errorf("%s: no Git repository here or above", dir)
		}
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	// A bare repository has no top level, and git says so by an error.
	if root, err := c.text("rev-parse", "--show-toplevel"); err == nil {
		c.root = filepath.FromSlash(root)
	}
	return &Repository{Root: c.root, objects: c}, nil
}

// run returns what a git command prints. The error is what it says of a failure.
func (c *command) run(args ...string) ([]byte, error) {
	// Paths come as they are, and no pager, prompt or translated message gets in
	// the way of what is read here.
	x := exec.Command(c.program, append([]string{"-c", "core.quotePath=false", "--no-pager"}, args...)...)
	x.Dir = c.dir
	x.Env = append(x.Environ(), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0")
	var complaint bytes.Buffer
	x.Stderr = &complaint
	out, err := x.Output()
	if err != nil {
		if text := strings.TrimSpace(complaint.String()); text != "" {
			err = errors.New(strings.TrimPrefix(text, "fatal: "))
		}
		return nil, err
	}
	return out, nil
}

func (c *command) text(args ...string) (string, error) {
	out, err := c.run(args...)
	return strings.TrimRight(string(out), "\r\n"), err
}

func (c *command) shallow() bool {
	yes, err := c.text("rev-parse", "--is-shallow-repository")
	return err == nil && yes == "true"
}

// resolve is the hash of the commit or tree that a revision names.
func (c *command) resolve(rev string) (string, error) {
	hash, err := c.text("rev-parse", "--verify", "--quiet", "--end-of-options", rev)
	if err != nil || hash == "" {
		return "", absent(rev, c.shallow())
	}
	kind, err := c.text("cat-file", "-t", hash)
	if err != nil {
		return "", unreadable("revision", rev, err)
	}
	switch kind {
	case "commit", "tree":
		return hash, nil
	case "tag":
		return c.resolve(hash + "^{}")
	}
	return "", fmt.Errorf("revision %s is a %s, and neither a commit nor a tree", rev, kind)
}

func (c *command) mergeBase(a, b string) (string, error) {
	base, err := c.text("merge-base", a, b)
	if err == nil {
		return base, nil
	}
	if c.shallow() {
		return "", fmt.Errorf("the common ancestor of %s and %s is beyond this shallow clone; get it with `git fetch --unshallow`", a, b)
	}
	return "", fmt.Errorf("%s and %s have no common ancestor", a, b)
}

// list lists the regular files of a commit or tree.
func (c *command) list(hash string) ([]entry, error) {
	out, err := c.run("ls-tree", "-r", "-z", "--full-tree", hash)
	if err != nil {
		return nil, unreadable("tree of", hash, err)
	}
	var list []entry
	for line := range records(out) {
		// MODE blob HASH<tab>PATH; links have the mode 120000, submodules 160000.
		head, path, ok := strings.Cut(line, "\t")
		fields := strings.Fields(head)
		if !ok || len(fields) != 3 {
			return nil, fmt.Errorf("git ls-tree prints %q", line)
		}
		if strings.HasPrefix(fields[0], "100") {
			list = append(list, entry{path: path, blob: fields[2]})
		}
	}
	return list, nil
}

// present lists the files of the working tree that Git tracks, or would if they were added.
func (c *command) present() ([]entry, error) {
	tracked, err := c.run("-C", c.root, "ls-files", "-z", "-t", "--stage")
	if err != nil {
		return nil, err
	}
	others, err := c.run("-C", c.root, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	var paths []string
	var sparse []entry
	for line := range records(tracked) {
		// TAG MODE HASH STAGE<tab>PATH; the tag S marks what a sparse checkout
		// leaves out of the working tree. A file with a conflict comes thrice.
		head, path, ok := strings.Cut(line, "\t")
		fields := strings.Fields(head)
		if !ok || len(fields) != 4 {
			return nil, fmt.Errorf("git ls-files prints %q", line)
		}
		if fields[0] == "S" && strings.HasPrefix(fields[1], "100") {
			sparse = append(sparse, entry{path: path, blob: fields[2]})
		} else {
			paths = append(paths, path)
		}
	}
	for path := range records(others) {
		paths = append(paths, path)
	}
	return append(onDisk(c.root, paths), sparse...), nil
}

// records yields the parts of what git ends with NUL each.
func records(out []byte) func(func(string) bool) {
	if len(out) == 0 {
		return func(func(string) bool) {}
	}
	return strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// blob asks the one process that reads all of them, for a process each would
// take longer than the reading.
func (c *command) blob(hash string) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.batch == nil {
		if err := c.start(); err != nil {
			return nil, err
		}
	}
	data, err := c.ask(hash)
	if err != nil && !errors.Is(err, errTooLarge) {
		// The process may be in any state now: the next blob gets a new one.
		c.stop()
		return nil, unreadable("blob", hash, err)
	}
	return data, err
}

// start starts the process that reads objects, which serves all reads.
func (c *command) start() error {
	x := exec.Command(c.program, "cat-file", "--batch")
	x.Dir = c.dir
	x.Env = append(x.Environ(), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0")
	in, err := x.StdinPipe()
	if err != nil {
		return err
	}
	out, err := x.StdoutPipe()
	if err != nil {
		return err
	}
	if err := x.Start(); err != nil {
		return err
	}
	c.batch, c.in, c.out = x, in, bufio.NewReader(out)
	return nil
}

// ask reads the answer to one name: "HASH TYPE SIZE", the content, and an end of
// line; or "HASH missing".
func (c *command) ask(hash string) ([]byte, error) {
	if _, err := fmt.Fprintln(c.in, hash); err != nil {
		return nil, err
	}
	head, err := c.out.ReadString('\n')
	if err != nil {
		return nil, errors.New("the object is damaged")
	}
	fields := strings.Fields(head)
	if len(fields) != 3 {
		return nil, errors.New("it is not in this repository (a partial or shallow clone?)")
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return nil, err
	}
	if size > maxBlob {
		// The process is asked again for other objects: what it has written of this one has to be read.
		_, err := io.CopyN(io.Discard, c.out, size+1)
		return nil, errors.Join(errTooLarge, err)
	}
	data := make([]byte, size+1)
	if _, err := io.ReadFull(c.out, data); err != nil {
		return nil, err
	}
	return data[:size], nil
}

func (c *command) stop() {
	_ = c.in.Close()
	_ = c.batch.Process.Kill()
	_ = c.batch.Wait() // it was killed, and says so
	c.batch = nil
}

func (c *command) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.batch != nil {
		c.stop()
	}
	return nil
}
