package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/report/page"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/review"
)

// origin says what a page about projects is about, and of which commit. Outside of
// repositories, and in one without commits, it is of none.
func (r *run) origin(what string, projects []*project.Project) page.Origin {
	o := page.Origin{Title: strings.TrimSpace(what + " " + titleOf(projects)), Tool: version()}
	var files []string
	for _, p := range projects {
		for _, f := range p.Files {
			if _, err := os.Stat(f.Path); err == nil {
				files = append(files, f.Path)
			}
		}
		if p.Config != nil {
			files = append(files, filepath.Join(p.Config.Dir, config.Name))
		}
	}
	if len(files) == 0 {
		return o
	}
	slices.Sort(files)
	repo, err := review.OpenRepository(filepath.Dir(files[0]))
	if err != nil {
		return o
	}
	defer repo.Close()
	head, err := repo.Head()
	if err != nil {
		return o
	}
	holds, err := repo.Holds(head.Hash, slices.Compact(files))
	if err != nil {
		return o
	}
	o.Revision, o.Date, o.Changed = head.Short(), head.Date, !holds
	return o
}

// titleOf names projects: a few by their names, many by their folder.
func titleOf(projects []*project.Project) string {
	const most = 4
	var names []string
	for _, p := range projects {
		names = append(names, p.Name)
	}
	if c := projects[0].Config; len(names) > most && c != nil {
		return project.NameOf(cmp.Or(c.Dir, "."))
	}
	return strings.Join(names, ", ")
}
