package report

import (
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/review"
)

// Findings is what a report shows of one project: what other commands found.
type Findings struct {
	Name     string
	Dev      *model.Development
	Problems diag.List // of its files and models
	Results  []verdict.Result
	Status   []judgement.Status
	Listings []project.Listing // of its components
	Sources  []project.Source  // the kernels that it has machines of
	Searched map[int]*Search   // what is known of open results, by their index
}

// Errors are those of the problems that are errors: what they touch has no obligations, or too few.
func (f Findings) Errors() (out []diag.Diagnostic) {
	for _, p := range f.Problems.Sorted() {
		if p.Severity == diag.Error {
			out = append(out, p)
		}
	}
	return out
}

// shownErrors is how many errors a table and a page list; `gradine check` shows all.
const shownErrors = 10

// ErrorLines lists the first errors of a project that follow from no others, as gradine check does, and says how
// many others there are.
func ErrorLines(errors []diag.Diagnostic) (out []string) {
	first := withoutFollowing(errors, func(p diag.Diagnostic) diag.Diagnostic { return p })
	for _, p := range first[:min(len(first), shownErrors)] {
		out = append(out, fmt.Sprintf("%s: %s [%s]", p.Span, p.Message, p.Code))
	}
	if n := len(errors) - len(out); n > 0 {
		out = append(out, fmt.Sprintf("and %d more; run `gradine check`", n))
	}
	return out
}

func problemsMarkdown(out io.Writer, errors []diag.Diagnostic) {
	if len(errors) == 0 {
		return
	}
	fmt.Fprintf(out, "**%s: affected obligations are missing from this table, or inaccurate.**\n\n", Count(len(errors), "error"))
	for _, line := range ErrorLines(errors) {
		fmt.Fprintf(out, "- %s\n", code(line))
	}
	fmt.Fprintln(out)
}

// Markdown writes the table of results, what is not proved as is meant, and requirements.
func Markdown(out io.Writer, r Report) error {
	table(out, r.Projects, r.Against)
	expected(out, r.Projects)
	requirements(out, r.Projects)
	waivers(out, r.Waivers)
	return nil
}

// table writes the table of the paper as Markdown: for each component the number
// of obligations, how many are proved automatically, and the rest.
func table(out io.Writer, projects []Findings, against []Against) {
	for _, x := range against {
		fmt.Fprintf(out, "- **%s**: %s\n", x.What, x.Text)
	}
	if len(against) > 0 {
		fmt.Fprintln(out)
	}
	for _, findings := range projects {
		fmt.Fprintf(out, "### %s\n\n", findings.Name)
		problemsMarkdown(out, findings.Errors())
		fmt.Fprint(out, "| component | obligations | automatic | expected | rest |\n|---|---:|---:|---:|---:|\n")
		for _, status := range findings.Status {
			t := status.Totals()
			fmt.Fprintf(out, "| %s | %d | %d | %d | %d |\n", status.Component, t.Asked+t.Expected, t.Proved, t.Expected, t.Rest())
		}
		t := judgement.Count(findings.Results)
		fmt.Fprintf(out, "| **total** | **%d** | **%d** | **%d** | **%d** |\n\n", t.Asked+t.Expected, t.Proved, t.Expected, t.Rest())
		for _, result := range findings.Results {
			if result.Expected == nil {
				counterexampleMarkdown(out, result)
			}
		}
	}
}

// expected lists what is not proved because it is meant not to be, with the reasons, as
// Markdown.
func expected(out io.Writer, projects []Findings) {
	for _, findings := range projects {
		if judgement.Count(findings.Results).Expected == 0 {
			continue
		}
		fmt.Fprintf(out, "### Expectations of %s\n\n| obligation | verdict | why |\n|---|---|---|\n", findings.Name)
		for _, result := range findings.Results {
			if result.Expected != nil {
				fmt.Fprintf(out, "| `%s/%s` | %s | %s |\n", result.Component, result.Name, result.Verdict, strings.ReplaceAll(result.Expected.Why, "|", "\\|"))
			}
		}
		fmt.Fprintln(out)
	}
}

// Requirement is a sentence that elements of the model implement: a comment of
// theirs begins with its identifier.
type Requirement struct {
	ID       string
	Text     string
	Elements []TracedElement
}

// TracedElement is an element that mentions a requirement, and the obligations
// that come from it.
type TracedElement struct {
	Kind, Path  string
	Obligations []int // indices of results
}

// RequirementsOf traces requirements to elements and on to obligations, in order of
// first occurrence.
func RequirementsOf(findings Findings) []Requirement {
	bySource := map[string][]int{}
	for i, result := range findings.Results {
		var seen []string
		for _, source := range result.Sources {
			if at := ElementPath(source); !slices.Contains(seen, at) {
				seen = append(seen, at)
				bySource[at] = append(bySource[at], i)
			}
		}
	}
	// A sentence may stand at several elements; it keeps the place and the text of the
	// first, and collects the obligations of all.
	var out []Requirement
	add := func(kind, path, doc string) {
		for _, r := range requirementsIn(doc) {
			i := slices.IndexFunc(out, func(x Requirement) bool { return x.ID == r.ID })
			if i < 0 {
				i = len(out)
				out = append(out, r)
			}
			e := TracedElement{kind, path, bySource[path]}
			if !slices.ContainsFunc(out[i].Elements, func(x TracedElement) bool { return x.Path == path && x.Kind == kind }) {
				out[i].Elements = append(out[i].Elements, e)
			}
		}
	}
	predicates := func(kind, component, event string, ps []*model.Predicate) {
		for _, predicate := range ps {
			if predicate.Origin.Component == component {
				add(kind, strings.Join(slices.DeleteFunc([]string{component, event, predicate.Label}, func(s string) bool { return s == "" }), "/"), predicate.Origin.Doc)
			}
		}
	}
	for _, context := range findings.Dev.Contexts {
		add("context", context.Name, context.Origin.Doc)
		for _, ident := range slices.Concat(context.Sets, context.Constants) {
			add("constant", context.Name+"/"+ident.Name, ident.Origin.Doc)
		}
		predicates("axiom", context.Name, "", context.Axioms)
	}
	for _, machine := range findings.Dev.Machines {
		add("machine", machine.Name, machine.Origin.Doc)
		for _, variable := range machine.Variables {
			if variable.Concrete && variable.Origin.Component == machine.Name {
				add("variable", machine.Name+"/"+variable.Name, variable.Origin.Doc)
			}
		}
		predicates("invariant", machine.Name, "", machine.Invariants)
		for _, e := range machine.Events {
			add("event", machine.Name+"/"+e.Label, e.Origin.Doc)
			predicates("guard", machine.Name, e.Label, e.Guards)
			for _, action := range e.Actions {
				if action.Origin.Component == machine.Name {
					add("action", machine.Name+"/"+e.Label+"/"+action.Label, action.Origin.Doc)
				}
			}
		}
	}
	return out
}

// requirementsIn reads the requirements that a comment states: each begins a line
// with its identifier, and ends where the next begins or at a blank line.
func requirementsIn(doc string) []Requirement {
	var out []Requirement
	inside := false
	for line := range strings.Lines(doc) {
		line = strings.TrimSpace(line)
		if id, text, ok := review.StatedIn(line); ok {
			out = append(out, Requirement{ID: id, Text: text})
			inside = true
		} else if inside = inside && line != ""; inside {
			out[len(out)-1].Text += " " + line
		}
	}
	return out
}

// requirements writes the table from the requirements that the comments of the
// projects state to the elements that implement them, the obligations of these
// and their verdicts, as Markdown. Projects that state none are left out.
func requirements(out io.Writer, projects []Findings) {
	for _, findings := range projects {
		list := RequirementsOf(findings)
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(out, "### Requirements of %s\n\n| no. | requirement | where | obligations | status |\n|---|---|---|---|---|\n", findings.Name)
		for _, r := range list {
			var where, names []string
			var all []int
			for _, e := range r.Elements {
				where = append(where, "`"+e.Path+"`")
				for _, i := range e.Obligations {
					if !slices.Contains(all, i) {
						all = append(all, i)
						names = append(names, "`"+Within(e.Path, findings.Results[i])+"`")
					}
				}
			}
			fmt.Fprintf(out, "| %s | %s | %s | %s | %s |\n", r.ID, r.Text, strings.Join(where, ", "), strings.Join(names, ", "), statusOf(findings, all))
		}
		fmt.Fprintln(out)
	}
}

// waivers lists what gradine.toml agrees to lose.
func waivers(out io.Writer, list []string) {
	if len(list) == 0 {
		return
	}
	fmt.Fprint(out, "### Waivers\n\n")
	for _, text := range list {
		fmt.Fprintf(out, "- %s\n", text)
	}
	fmt.Fprintln(out)
}

// Within names an obligation as seen from an element: without the component, if
// that is the element's.
func Within(element string, r verdict.Result) string {
	if component, _, _ := strings.Cut(element, "/"); component == r.Component {
		return r.Name
	}
	return r.Path()
}

// statusOf sums the verdicts of some obligations up.
func statusOf(findings Findings, obligations []int) string {
	var results []verdict.Result
	for _, i := range obligations {
		results = append(results, findings.Results[i])
	}
	t := judgement.Count(results)
	switch {
	case len(obligations) == 0:
		return "no obligations"
	case t.Expected > 0:
		return fmt.Sprintf("%d of %d proved, %s", t.Proved, t.Asked, ExpectedText(t))
	case t.Rest() == 0:
		return "proved"
	}
	return fmt.Sprintf("%d of %d proved", t.Proved, t.Asked)
}

// ElementPath is component/event/label of a source.
func ElementPath(s po.Source) string {
	if s.Element == "event" {
		return path.Join(s.Origin.Component, s.Label)
	}
	return path.Join(s.Origin.Component, s.Origin.Event, s.Label)
}
