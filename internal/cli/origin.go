package cli

import (
	"strings"

	"github.com/gradine/gradine/internal/report/page"
	"github.com/gradine/gradine/project"
)

// origin says what a page about projects is about, and of which commit.
func (r *run) origin(what string, projects []*project.Project) page.Origin {
	o := page.Origin{Title: strings.TrimSpace(what + " " + project.TitleOf(projects)), Tool: version()}
	if head, changed, ok := project.CommitOf(projects); ok {
		o.Revision, o.Date, o.Changed = head.Short(), head.Date, changed
	}
	return o
}
