// Package page renders results as self-contained HTML pages with one skeleton, one stylesheet
// and one script. It computes nothing; a page depends only on its findings.
package page

import (
	"embed"
	"html/template"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/report/chart"
)

//go:embed skeleton.html style.css script.js
var skeleton embed.FS

//go:embed contents
var contents embed.FS

// head is what stands at the top of every page.
type head struct {
	Title    string
	Facts    []fact
	Verdict  string   // the class of the sentence: a verdict
	Sentence string   // "" for none
	Next     []string // what to do about it
	Nav      []link
}

type fact struct{ Name, Value string }

type link struct{ ID, Name string }

// Origin says what a page is about: where the models stand, and who says so.
type Origin struct {
	Title    string // what the page is about
	Revision string // the commit, abbreviated; "" outside of repositories
	Changed  bool   // the files differ from those of the commit
	Date     string // of the commit
	Tool     string // the version of this program
}

// facts lists what is known of the origin.
func (o Origin) facts() []fact {
	var out []fact
	if o.Revision != "" {
		revision := o.Revision
		if o.Changed {
			revision += " with uncommitted changes"
		}
		out = append(out, fact{"revision", revision}, fact{"date", o.Date})
	}
	if o.Tool != "" {
		out = append(out, fact{"gradine", o.Tool})
	}
	return out
}

// sign stands for a verdict, so that colour is never alone.
type sign struct{ Name, Sign, Text string }

var legend = []sign{
	{"proved", "✓", "a certificate checked by the proof kernel"},
	{"vacuous", "∅", "proved, but from inconsistent hypotheses"},
	{"refuted", "✗", "a counterexample confirmed by the evaluator"},
	{"open", "?", "no proof or counterexample within the budget"},
	{"none", "·", "nothing to prove"},
	{"expected", "=", "the verdict that gradine.toml expects"},
}

func signOf(verdict string) string {
	i := slices.IndexFunc(legend, func(v sign) bool { return v.Name == verdict })
	if i < 0 {
		return ""
	}
	return legend[i].Sign
}

func must(name string) string {
	data, err := skeleton.ReadFile(name)
	if err != nil {
		panic("page: " + err.Error())
	}
	return string(data)
}

// page makes the template of a page from the file with its content.
func newPage(file string) *template.Template {
	style, script := template.CSS(must("style.css")+chart.Style), template.JS(must("script.js"))
	t := template.New("").Funcs(template.FuncMap{
		"style": func() template.CSS { return style }, "script": func() template.JS { return script }, "sign": signOf,
		"shorten": report.Shorten, "changed": report.Changed, "reach": report.ReachText, "range_": report.RangeText,
		"picture": func(svg string) template.HTML { return template.HTML(svg) }, "grouped": func(n int64) string { return chart.Grouped(big.NewInt(n)) },
	})
	t.Funcs(template.FuncMap{"difference": difference, "name": breakable})
	template.Must(t.Parse(must("skeleton.html")))
	return template.Must(t.ParseFS(contents, "contents/shared.html", "contents/"+file))
}

// write writes a page with one content; data has a field Head.
func write(w io.Writer, t *template.Template, data any) error {
	return t.ExecuteTemplate(w, "page", data)
}

// breakable is a name that a line may end in, behind a slash only.
func breakable(name string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(name), "/", "/<wbr>"))
}

// difference marks a line of a diff by its sign.
func difference(line string) template.HTML {
	text := template.HTMLEscapeString(line) + "\n"
	switch line[:min(len(line), 1)] {
	case "+":
		text = "<ins>" + text + "</ins>"
	case "-":
		text = "<del>" + text + "</del>"
	case "@":
		text = "<strong>" + strings.TrimPrefix(text, "@ ") + "</strong>"
	}
	return template.HTML(text)
}
