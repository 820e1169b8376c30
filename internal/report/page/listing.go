package page

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/project"
)

var modelPage = newPage("model.html")

// lineView is a line of a model with what stands in the margin.
type lineView struct {
	project.Line
	Text   string
	Margin []mark
}

// Long reports whether the comment of the line takes lines of its own.
func (l lineView) Long() bool { return strings.Contains(l.Comment, "\n") }

// mark counts the obligations of a line that have one verdict, and leads to the
// first.
type mark struct {
	ID, Verdict, Sign, Names string
	Count                    int
}

// listingOf is the text of a component, with its obligations in the margin.
func listingOf(p *findings, of model.Component, own []int, ids []string) []lineView {
	lines := linesOf(p, of.Kind(), of.Name())
	at := map[string][]int{}
	for _, i := range own {
		var seen []string
		for _, s := range p.Results[i].Sources {
			if path := report.ElementPath(s); s.Origin.Component == of.Name() && !slices.Contains(seen, path) {
				seen = append(seen, path)
				at[path] = append(at[path], i)
			}
		}
	}
	for k := range lines {
		for _, i := range at[lines[k].Element] {
			lines[k].mark(p.Results[i], ids[i], p.Results[i].Name)
		}
		lines[k].sort()
	}
	return lines
}

// mark counts a result in the margin.
func (l *lineView) mark(r verdict.Result, id, name string) {
	verdict := shown(r)
	j := slices.IndexFunc(l.Margin, func(m mark) bool { return m.Verdict == verdict })
	if j < 0 {
		j = len(l.Margin)
		l.Margin = append(l.Margin, mark{ID: id, Verdict: verdict, Sign: signOf(verdict)})
	}
	m := &l.Margin[j]
	if m.Count++; m.Count <= 12 {
		m.Names = strings.TrimPrefix(m.Names+", "+name, ", ")
	}
}

// sort puts the gravest mark first.
func (l *lineView) sort() {
	slices.SortStableFunc(l.Margin, func(a, b mark) int { return grave[b.Verdict] - grave[a.Verdict] })
}

// sourceView is a file of kernels, with the checks of each line in the margin.
type sourceView struct {
	ID, Name string
	Lines    []lineView
}

// sourceOf is the text of a file of kernels. A check is an obligation that the machines of
// its kernels are made for: it has its words with it.
func sourceOf(p *findings, s project.Source, id string, ids []string) sourceView {
	v := sourceView{ID: id, Name: s.File}
	for i, line := range strings.Split(strings.TrimRight(strings.ReplaceAll(s.Text, "\r\n", "\n"), "\n"), "\n") {
		v.Lines = append(v.Lines, lineView{Text: fmt.Sprintf("%4d  %s", i+1, strings.ReplaceAll(line, "\t", "    "))})
	}
	for i, r := range p.Results {
		file, line, what := report.Check(r.Obligation)
		if file == s.File && line >= 1 && line <= len(v.Lines) {
			v.Lines[line-1].mark(r, ids[i], what)
		}
	}
	for k := range v.Lines {
		v.Lines[k].sort()
	}
	return v
}

// linesOf is the text of a component.
func linesOf(p *findings, kind, name string) []lineView {
	if i, ok := p.listings[listingName{kind, name}]; ok {
		return linesView(p.Listings[i])
	}
	return nil
}

func linesView(l project.Listing) []lineView {
	var out []lineView
	for _, x := range l.Lines {
		out = append(out, lineView{Line: x, Text: hanging(x)})
	}
	return out
}

// hanging is the formula of a line, its further lines below the beginning of the
// first.
func hanging(x project.Line) string {
	lead := 0
	if x.Label != "" {
		lead = len([]rune(x.Label)) + 2
	}
	return strings.Join(x.Formula, "\n"+strings.Repeat(" ", lead))
}

// excerpt is what an obligation is about: its event, and the other elements.
func excerpt(p *findings, r verdict.Result) []lineView {
	var out []lineView
	seen := map[string]bool{}
	for _, s := range r.Sources {
		kind := "context"
		if p.machines[s.Origin.Component] && r.Machine != nil {
			kind = "machine"
		}
		lines := linesOf(p, kind, s.Origin.Component)
		path := report.ElementPath(s)
		i := slices.IndexFunc(lines, func(l lineView) bool { return l.Element == path })
		if i < 0 || seen[path] {
			continue
		}
		part := lines[i : i+1]
		// Of an event everything is shown, not only the line that names it.
		if s.Element == "event" {
			end := i + 1
			for end < len(lines) && lines[end].Depth > lines[i].Depth {
				end++
			}
			part = lines[i:min(end+1, len(lines))]
		}
		for _, l := range part {
			if l.Element == "" || !seen[l.Element] {
				seen[l.Element] = true
				l.Depth -= lines[i].Depth
				out = append(out, l)
			}
		}
	}
	return out
}

// WriteModels writes components as people print them, as one page.
func WriteModels(w io.Writer, o Origin, listings []project.Listing) error {
	v := modelView{Head: head{Title: o.Title, Facts: o.facts()}}
	for i, l := range listings {
		id := fmt.Sprintf("c%d", i)
		v.Components = append(v.Components, modelComponent{id, l.Kind, l.Component, linesView(l)})
		v.Head.Nav = append(v.Head.Nav, link{id, l.Component})
	}
	return write(w, modelPage, v)
}

type modelView struct {
	Head       head
	Components []modelComponent
}

type modelComponent struct {
	ID, Kind, Name string
	Lines          []lineView
}
