package project

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/review/git"
)

// CommitOf returns the commit that is checked out where the sources of projects lie, and
// whether they differ from it. Outside of repositories, and in one without commits, there
// is none.
func CommitOf(projects []*Project) (head git.Commit, changed, ok bool) {
	var files []string
	for _, p := range projects {
		for _, name := range p.SourceFiles() {
			if _, err := os.Stat(name); err == nil { // a file of an archive is none
				files = append(files, name)
			}
		}
	}
	if len(files) == 0 {
		return head, false, false
	}
	slices.Sort(files)
	repo, err := git.Open(filepath.Dir(files[0]))
	if err != nil {
		return head, false, false
	}
	defer repo.Close()
	if head, err = repo.Head(); err != nil {
		return head, false, false
	}
	holds, err := repo.Holds(head.Hash, slices.Compact(files))
	return head, !holds, err == nil
}

// TopOf returns the top folder of the repository that dir lies in; outside of repositories, dir
// itself.
func TopOf(dir string) string {
	top := dir
	if repo, err := git.Open(dir); err == nil {
		defer repo.Close()
		if repo.Root != "" {
			top = repo.Root
		}
	}
	if absolute, err := filepath.Abs(top); err == nil {
		return absolute
	}
	return top
}

// TitleOf names projects: a few by their names, many by their folder.
func TitleOf(projects []*Project) string {
	const most = 4
	var names []string
	for _, p := range projects {
		names = append(names, p.Name)
	}
	if c := projects[0].Config; len(names) > most && c != nil {
		return NameOf(cmp.Or(c.Dir, "."))
	}
	return strings.Join(names, ", ")
}
