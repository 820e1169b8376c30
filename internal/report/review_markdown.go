package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gradine/gradine/review"
)

// maxComment is how many bytes a comment may have: code hosts take somewhat more.
const maxComment = 60_000

// commentMarker begins a comment, so that a job finds the one that it wrote before
// and edits it.
const commentMarker = "<!-- gradine review -->"

// folded is the number of lines above which a part of a comment is folded.
const folded = 25

// reviewsMarkdown writes one comment about all projects. Where not all has room, what is gravest
// stays, of whatever project: sections are cut, and say how much they lack.
func reviewsMarkdown(w io.Writer, x Review) error {
	var quiet []string
	var projects []commentProject
	for _, r := range x.Projects {
		if unchanged(r) {
			quiet = append(quiet, r.Project)
		} else {
			projects = append(projects, commentOf(r))
		}
	}
	// The end of the comment is written first: the projects share the room that it leaves.
	var last strings.Builder
	switch {
	case len(quiet) > folded:
		fmt.Fprintf(&last, "No change in %s.\n\n", Count(len(quiet), "project"))
	case len(quiet) > 0:
		fmt.Fprintf(&last, "No change: %s.\n\n", strings.Join(quiet, ", "))
	}
	fmt.Fprintf(&last, "Again: `%s`\n", x.Again)
	left := choose(projects, maxComment-len(commentMarker)-1-last.Len()-rest)
	var out strings.Builder
	fmt.Fprintln(&out, commentMarker)
	for _, p := range projects {
		p.write(&out)
	}
	if left > 0 {
		fmt.Fprintf(&out, "%s omitted: comment size limit; run `%s` for all.\n\n", Count(left, "line"), x.Again)
	}
	out.WriteString(last.String())
	_, err := io.WriteString(w, out.String())
	return err
}

// commentProject is one review in a comment.
type commentProject struct {
	head     string
	sections []commentSection
	shown    bool
}

// commentSection is a part of it.
type commentSection struct {
	title string
	lines []commentLine
	fence bool // a block of code
	shown int  // lines that the comment holds
}

// commentLine is one line; below says that it is about the last one that is not.
type commentLine struct {
	text  string
	rank  Rank
	below bool
	shown bool
}

const (
	perSection = 90  // bytes around the lines of a section, with those that say what is left out
	rest       = 200 // bytes of the line that counts all that is left out
	maxLine    = 700 // bytes of a line that a reader sees of a formula
)

// choose marks what has room, rank by rank, and counts the other lines.
func choose(projects []commentProject, room int) (left int) {
	full := map[Rank]bool{}
	for rank := range ranks {
		for i := range projects {
			p := &projects[i]
			for k := range p.sections {
				room = p.sections[k].choose(p, rank, room, full)
			}
		}
	}
	for _, p := range projects {
		for _, s := range p.sections {
			left += len(s.lines) - s.shown
		}
	}
	return left
}

// choose marks the lines of one rank that have room, and returns the room that is left.
func (s *commentSection) choose(p *commentProject, rank Rank, room int, full map[Rank]bool) int {
	above := true // whether the line above one that is below it is shown
	for i := range s.lines {
		line := &s.lines[i]
		if !line.below {
			above = line.shown || line.rank == rank
		}
		if line.rank != rank || line.below && !above {
			continue
		}
		cost := len(line.text) + 1
		if s.shown == 0 {
			cost += perSection + len(s.title)
		}
		if !p.shown {
			cost += len(p.head)
		}
		// A line behind one that has no room would look as if nothing were missing between them.
		if full[rank] = full[rank] || cost > room; full[rank] {
			above = above && line.below
			continue
		}
		room -= cost
		line.shown, p.shown = true, true
		s.shown++
	}
	return room
}

// write writes what is shown of a project.
func (p commentProject) write(out *strings.Builder) {
	if !p.shown {
		return
	}
	out.WriteString(p.head)
	for _, s := range p.sections {
		if s.shown == 0 {
			continue
		}
		var lines []string
		for _, line := range s.lines {
			if line.shown {
				lines = append(lines, line.text)
			}
		}
		if s.fence {
			lines = append(append([]string{"```diff"}, lines...), "```")
		}
		if more := len(s.lines) - s.shown; more > 0 {
			lines = append(lines, "", fmt.Sprintf("… and %s", Count(more, "more line")))
		}
		out.WriteString(section(s.title, lines))
	}
}

// commentOf are the sections of one review, the most important first.
func commentOf(r *review.Review) commentProject {
	p := commentProject{head: fmt.Sprintf("### %s\n\n%s\n\n", ReviewTitle(r), ReviewSummary(r))}
	if debt := debtText(r); debt != "" {
		p.head += "Debt: " + debt + ".\n\n"
	}
	for _, s := range ReviewSections(r) {
		out := commentSection{title: s.Title, fence: len(s.Diff) > 0}
		for _, x := range s.Items {
			line := "- "
			if x.Word != "" {
				line += "**" + x.Word + "** "
			}
			if x.Place != "" {
				line += x.Place + " "
			}
			if x.Text != "" {
				line += code(cut(x.Text))
			} else {
				line += cut(x.Plain)
			}
			out.lines = append(out.lines, commentLine{text: line, rank: x.Rank})
			for _, sub := range x.Lines {
				// Formulas stand in code, where no character means Markdown.
				out.lines = append(out.lines, commentLine{text: "  - " + sub.lead() + code(cut(sub.Text)), rank: max(x.Rank, RankDetail), below: true})
			}
		}
		for _, line := range s.Diff {
			out.lines = append(out.lines, commentLine{text: cut(line), rank: RankChange})
		}
		p.sections = append(p.sections, out)
	}
	return p
}

// cut shortens a line that is longer than anybody reads.
func cut(text string) string {
	if len(text) <= maxLine {
		return text
	}
	return strings.ToValidUTF8(text[:maxLine], "") + " …"
}

// section is a part of a comment, folded if it is long.
func section(title string, lines []string) string {
	body := strings.Join(lines, "\n")
	if len(lines) <= folded {
		return fmt.Sprintf("**%s**\n\n%s\n\n", title, body)
	}
	return fmt.Sprintf("<details><summary><b>%s</b>: %d lines</summary>\n\n%s\n\n</details>\n\n", title, len(lines), body)
}

// changeDiff shows the changes as a diff that code hosts colour.
func changeDiff(r *review.Review) []string {
	var out []string
	for _, change := range r.Changes {
		head := fmt.Sprintf("@ %s %s", change.What, changeText(change))
		if change.Effect != "" {
			head += " (" + string(change.Effect) + ")"
		}
		out = append(out, oneLine(head))
		// Both versions as lines of a diff, which code hosts colour: the old one has what
		// was there or went, the new one what was there or came.
		for _, sign := range []byte("-+") {
			if len(change.Diff) == 0 {
				break
			}
			var line strings.Builder
			for _, p := range change.Diff {
				if p.Sign == ' ' || p.Sign == sign {
					line.WriteString(p.Text)
				}
			}
			if text := oneLine(line.String()); text != "" {
				out = append(out, fmt.Sprintf("%c %s", sign, text))
			}
		}
		sign := "+"
		if change.What == review.Removed {
			sign = "-"
		}
		for _, line := range content(change) {
			out = append(out, sign+" "+oneLine(line))
		}
	}
	return out
}

// oneLine keeps text from ending the block of code that it stands in.
func oneLine(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "```", "` ` `")
}

// code writes text as code of Markdown.
func code(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	pad := ""
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		pad = " "
	}
	return fence + pad + strings.ReplaceAll(text, "|", "\\|") + pad + fence
}
