package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gradine/gradine/review"
)

// maxComment is how many bytes a comment may have on code hosts, less what the
// last lines take.
const maxComment = 65_536 - 1_024

// commentMarker begins a comment, so that a job finds the one that it wrote before
// and edits it.
const commentMarker = "<!-- gradine review -->"

// folded is the number of lines above which a part of a comment is folded.
const folded = 25

// reviewsMarkdown writes one comment about all projects: those with changes first
// to last, each section only as long as the comment may be.
func reviewsMarkdown(w io.Writer, x Review) error {
	var out strings.Builder
	fmt.Fprintln(&out, commentMarker)
	var quiet []string
	left := 0
	for _, r := range x.Projects {
		if unchanged(r) {
			quiet = append(quiet, r.Project)
			continue
		}
		for _, part := range reviewParts(r) {
			// Once a part is left out, those behind it are, too: they are less important, and the reader sees
			// what is missing from the number alone.
			if left > 0 || out.Len()+len(part) > maxComment {
				left++
				continue
			}
			out.WriteString(part)
		}
	}
	if len(quiet) > 0 {
		fmt.Fprintf(&out, "No change: %s.\n\n", strings.Join(quiet, ", "))
	}
	if left > 0 {
		fmt.Fprintf(&out, "%s left out, for a comment holds no more.\n\n", Count(left, "section"))
	}
	fmt.Fprintf(&out, "Again: `%s`\n", x.Again)
	_, err := io.WriteString(w, out.String())
	return err
}

// reviewParts are the sections of one review, the most important first.
func reviewParts(r *review.Review) []string {
	head := fmt.Sprintf("### %s\n\n%s\n\n", ReviewTitle(r), ReviewSummary(r))
	if debt := debtText(r); debt != "" {
		head += "Debt: " + debt + ".\n\n"
	}
	parts := []string{head}
	for _, s := range ReviewSections(r) {
		var lines []string
		for _, x := range s.Items {
			line := "- "
			if x.Word != "" {
				line += "**" + x.Word + "** "
			}
			if x.Place != "" {
				line += x.Place + " "
			}
			if x.Text != "" {
				line += code(x.Text)
			} else {
				line += x.Plain
			}
			lines = append(lines, line)
			for _, sub := range x.Lines {
				// Formulas stand in code, where no character means Markdown.
				lines = append(lines, "  - "+sub.lead()+code(sub.Text))
			}
		}
		if len(s.Diff) > 0 {
			lines = append(append([]string{"```diff"}, s.Diff...), "```")
		}
		parts = append(parts, section(s.Title, lines))
	}
	return parts
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
