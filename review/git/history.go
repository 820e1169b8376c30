package git

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// Short is the beginning of the name of the commit, as people write it.
func (c Commit) Short() string { return c.Hash[:min(len(c.Hash), 9)] }

// Head is the commit of the working tree.
func (r *Repository) Head() (Commit, error) {
	hash, err := r.resolve("HEAD")
	if err != nil {
		return Commit{}, err
	}
	return r.describe(hash)
}

// History lists the commits of a branch since one of them, which comes first: what
// was merged into the branch counts as the merge.
func (r *Repository) History(since, head string) ([]Commit, error) {
	from, err := r.resolve(since)
	if err != nil {
		return nil, err
	}
	to, err := r.resolve(head)
	if err != nil {
		return nil, err
	}
	first, err := r.describe(from)
	if err != nil {
		return nil, err
	}
	rest, err := r.since(from, to)
	if err != nil {
		return nil, err
	}
	return append([]Commit{first}, rest...), nil
}

// Holds reports whether the files with these paths are in a revision as they are
// on disk, but for the ends of lines. A path outside of the working tree is not a file
// of the repository.
func (r *Repository) Holds(rev string, paths []string) (bool, error) {
	files, err := r.Files(rev)
	if err != nil {
		return false, err
	}
	for _, p := range paths {
		name, err := r.Within(filepath.Dir(p))
		if err != nil {
			return false, nil
		}
		// Git knows paths from the root, with slashes, and no links in them.
		name = filepath.ToSlash(filepath.Join(name, filepath.Base(p)))
		committed, err := fs.ReadFile(files, name)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		} else if err != nil {
			return false, err
		}
		now, err := r.content(entry{path: name})
		if err != nil {
			return false, err
		}
		if unixLines(string(committed)) != unixLines(string(now)) {
			return false, nil
		}
	}
	return true, nil
}

// unixLines is text with the line ends that Git commits.
func unixLines(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }

func (c *command) describe(hash string) (Commit, error) {
	list, err := c.log("-1", hash)
	if err == nil && len(list) != 1 {
		err = fmt.Errorf("%s is a tree, and no commit", hash)
	}
	if err != nil {
		return Commit{}, err
	}
	return list[0], nil
}

func (c *command) since(from, to string) ([]Commit, error) {
	return c.log("--first-parent", "--reverse", from+".."+to)
}

func (c *command) log(args ...string) ([]Commit, error) {
	out, err := c.run(append([]string{"log", "-z", "--format=%H %cs %s"}, args...)...)
	if err != nil || len(out) == 0 {
		return nil, err
	}
	var list []Commit
	for line := range records(out) {
		fields := strings.SplitN(line, " ", 3)
		if len(fields) < 2 {
			return nil, fmt.Errorf("git log prints %q", line)
		}
		list = append(list, Commit{fields[0], fields[1], strings.Join(fields[2:], "")})
	}
	return list, nil
}

func (l *library) describe(hash string) (Commit, error) {
	c, err := l.commit(hash)
	if err != nil {
		return Commit{}, err
	}
	subject, _, _ := strings.Cut(c.Message, "\n")
	return Commit{c.Hash.String(), c.Committer.When.Format("2006-01-02"), subject}, nil
}

// since lists the commits of the branch from the first exclusively to the last.
func (l *library) since(from, to string) ([]Commit, error) {
	// What is reachable from the first commit is not of the branch, as for git log.
	old := map[string]bool{}
	todo := []string{from}
	for len(todo) > 0 {
		hash := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if old[hash] {
			continue
		}
		old[hash] = true
		c, err := l.commit(hash)
		if err != nil {
			return nil, err
		}
		for _, p := range c.ParentHashes {
			todo = append(todo, p.String())
		}
	}
	var out []Commit
	for hash := to; !old[hash]; {
		x, err := l.describe(hash)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
		c, err := l.commit(hash)
		if err != nil {
			return nil, err
		}
		if len(c.ParentHashes) == 0 {
			break
		}
		hash = c.ParentHashes[0].String()
	}
	slices.Reverse(out)
	return out, nil
}

// Day is the date of a commit, YYYY-MM-DD, "" if rev names none.
func (r *Repository) Day(rev string) string {
	hash, err := r.resolve(rev)
	if err != nil {
		return ""
	}
	c, err := r.describe(hash)
	if err != nil {
		return ""
	}
	return c.Date
}
