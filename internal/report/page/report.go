package page

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/report/figures"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
)

var reportPage = newPage("report.html")

// Report is everything that the page of a report shows.
type Report struct {
	report.Report
	Origin  Origin
	Tunings []figures.Tuned
	TunedIn string         // the file that has them
	Trend   *project.Trend // nil if not asked for
}

// WriteReport writes the page.
func WriteReport(w io.Writer, r Report) error {
	v := reportView{Legend: legend, Against: r.Against, Waivers: r.Waivers, TunedIn: r.TunedIn}
	var all []verdict.Result
	for i, p := range r.Projects {
		x := projectOf(indexed(p), fmt.Sprintf("p%d", i))
		v.Projects = append(v.Projects, x)
		v.Fails = append(v.Fails, x.fails...)
		v.Errors = append(v.Errors, report.ErrorLines(p.Errors())...)
		all = append(all, p.Results...)
	}
	// The gravest verdicts of all projects come first, in the order of the projects.
	slices.SortStableFunc(v.Fails, func(a, b failView) int { return grave[b.Verdict] - grave[a.Verdict] })
	v.Head = head{Title: r.Origin.Title, Facts: r.Origin.facts()}
	v.Head.Verdict, v.Head.Sentence = sentence(r, all)
	if len(v.Errors) > 0 {
		v.Head.Next = append(v.Head.Next, "correct the errors first; gradine explain CODE explains a code")
	}
	v.Head.Next = append(v.Head.Next, report.NextSteps(all, report.WhyCommand)...)
	for _, p := range v.Projects {
		v.Head.Nav = append(v.Head.Nav, link{p.ID, p.Name})
	}
	if r.Trend != nil {
		v.Trend = trendOf(r.Trend)
		v.Head.Nav = append(v.Head.Nav, link{"trend", "Trend"})
	}
	for i, t := range r.Tunings {
		v.Tunings = append(v.Tunings, tuningOf(t, i))
	}
	if len(v.Tunings) > 0 {
		v.Head.Nav = append(v.Head.Nav, link{"tuning", "Tuning"})
	}
	return write(w, reportPage, v)
}

// sentence is the verdict on everything, in one sentence.
func sentence(r Report, all []verdict.Result) (verdict, text string) {
	count := map[string]int{}
	for _, x := range all {
		if x.Expected == nil {
			count[string(x.Verdict)]++
		}
	}
	unverified, wrong := 0, 0
	for _, p := range r.Projects {
		wrong += len(p.Errors())
		for _, s := range p.Status {
			if !s.Verified && s.Of.Lost() != "" {
				unverified++
			}
		}
	}
	// What is false comes before what is unknown, and both before what is done.
	var parts []string
	add := func(n int, is, what string) {
		if n > 0 {
			parts = append(parts, what)
			if verdict == "" {
				verdict = is
			}
		}
	}
	add(wrong, "refuted", report.Count(wrong, "error"))
	add(count["refuted"], "refuted", fmt.Sprintf("%d refuted", count["refuted"]))
	contradictions, unmet := 0, 0
	for _, x := range r.Against {
		if x.What == "contradiction" {
			contradictions++
		} else {
			unmet++
		}
	}
	add(contradictions, "refuted", report.Count(contradictions, "contradiction"))
	add(unmet, "refuted", report.Count(unmet, "expectation")+" not met")
	add(unverified, "refuted", fmt.Sprintf("%s inaccurate", report.Count(unverified, "component")))
	add(count["vacuous"], "vacuous", fmt.Sprintf("%d vacuous", count["vacuous"]))
	add(count["open"], "open", fmt.Sprintf("%d open", count["open"]))
	total := strings.Replace(report.TotalsText(judgement.Count(all)), " proved", " obligations proved", 1)
	switch {
	case len(parts) > 0:
		return verdict, "Not verified: " + strings.Join(parts, ", ") + ". " + total + "."
	case len(all) == 0:
		return "none", "Nothing to prove."
	}
	return "proved", total + "."
}

type reportView struct {
	Head     head
	Errors   []string // of the models: what they touch has no obligations
	Fails    []failView
	Against  []report.Against
	Waivers  []string // losses that gradine.toml agrees to
	Projects []projectView
	Tunings  []tuningView
	TunedIn  string
	Trend    *trendView
	Legend   []sign
}

// failView is an obligation that is not proved against expectation, in one row.
type failView struct{ ID, Path, Verdict, Reason string }

// grave orders verdicts: the gravest is that of a group.
var grave = map[string]int{"proved": 0, "vacuous": 1, "expected": 1, "none": 2, "open": 3, "refuted": 4}

type projectView struct {
	ID, Name     string
	Totals       string
	Tree         treeView
	Components   []componentView // with obligations
	Quiet        []componentView // without
	Requirements []requirementView
	Sources      []sourceView
	Trust        []report.TrustRow
	fails        []failView
}

type componentView struct {
	ID, Name, Kind, Refines string
	Verified                bool
	Why                     string
	Worst                   string // the gravest verdict of its obligations
	Totals                  string
	Bar                     []barPiece
	Matrices                []matrixView
	Listing                 []lineView
	Rest, Expected, Done    []obligationView // not proved, not proved as expected, proved
}

// barPiece is a part of a bar, in per cent of it.
type barPiece struct {
	Verdict string
	Percent string
}

type requirementView struct {
	report.Requirement
	Verdict, Sign string
	Rows          []requirementRow
}

type requirementRow struct {
	Kind, Path string
	Links      []obligationLink
}

type obligationLink struct{ ID, Name, Verdict, Sign string }

// projectOf is the part of the page about a project; its obligations have ids that begin with id.
func projectOf(p *findings, id string) projectView {
	v := projectView{ID: id, Name: p.Name, Tree: treeOf(p, id), Totals: report.TotalsText(judgement.Count(p.Results)), Trust: report.TrustRows(p.Findings)}
	ids := make([]string, len(p.Results))
	for i, r := range p.Results {
		ids[i] = fmt.Sprintf("%so%d", id, i)
		if r.Expected == nil && grave[string(r.Verdict)] > 0 {
			v.fails = append(v.fails, failView{ids[i], p.Name + "/" + r.Path(), string(r.Verdict), report.Reason(r, p.Searched[i])})
		}
	}
	for i, s := range p.Status {
		c := componentOf(p, s, ids)
		c.ID = fmt.Sprintf("%sc%d", id, i)
		if s.Total == 0 {
			v.Quiet = append(v.Quiet, c)
		} else {
			v.Components = append(v.Components, c)
		}
	}
	v.requirements(p, ids)
	for i, s := range p.Sources {
		v.Sources = append(v.Sources, sourceOf(p, s, fmt.Sprintf("%ss%d", id, i), ids))
	}
	return v
}

// findings are those of a project, and where to find what is asked for by name.
type findings struct {
	report.Findings
	own      map[model.Component][]int // indices of the results of a component
	listings map[listingName]int       // indices
	machines map[string]bool           // names
}

type listingName struct{ kind, component string }

func indexed(p report.Findings) *findings {
	x := &findings{p, map[model.Component][]int{}, map[listingName]int{}, map[string]bool{}}
	for i, r := range p.Results {
		x.own[r.Of()] = append(x.own[r.Of()], i)
	}
	for i, l := range slices.Backward(p.Listings) { // the first counts
		x.listings[listingName{l.Kind, l.Component}] = i
	}
	for _, m := range p.Dev.Machines {
		x.machines[m.Name] = true
	}
	return x
}

// requirements fills in the requirements. The sign of one is that of its worst
// obligation: one that is open keeps the sentence from being shown.
func (v *projectView) requirements(p *findings, ids []string) {
	for _, r := range report.RequirementsOf(p.Findings) {
		x := requirementView{Requirement: r, Verdict: "none"}
		worst := -1
		for _, e := range r.Elements {
			row := requirementRow{Kind: e.Kind, Path: e.Path}
			for _, i := range e.Obligations {
				verdict := shown(p.Results[i])
				if grave[verdict] > worst {
					worst, x.Verdict = grave[verdict], verdict
				}
				row.Links = append(row.Links, obligationLink{ids[i], report.Within(e.Path, p.Results[i]), verdict, signOf(verdict)})
			}
			x.Rows = append(x.Rows, row)
		}
		x.Sign = signOf(x.Verdict)
		v.Requirements = append(v.Requirements, x)
	}
}

// shown is the verdict that a page shows: what is as expected is not a finding.
func shown(r verdict.Result) string {
	if r.Expected != nil {
		return "expected"
	}
	return string(r.Verdict)
}

// componentOf is the view of one component. Its obligations are in three lists, those that need attention apart from the
// proved and the expected ones; its colour is that of the worst of them.
func componentOf(p *findings, s judgement.Status, ids []string) componentView {
	c := componentView{Name: s.Component, Kind: s.Of.Kind(), Verified: s.Verified, Why: s.Why, Totals: report.TotalsText(s.Totals())}
	if m := s.Of.Machine; m != nil && m.Refines != nil {
		c.Refines = m.Refines.Name
	}
	own := p.own[s.Of]
	c.Worst = "open" // what it builds on is not verified
	for _, i := range own {
		r := p.Results[i]
		if v := shown(r); grave[v] > grave[c.Worst] {
			c.Worst = v
		}
		switch o := obligationOf(p, i, ids); {
		case r.Expected != nil:
			c.Expected = append(c.Expected, o)
		case r.Verdict == verdict.Proved:
			c.Done = append(c.Done, o)
		default:
			c.Rest = append(c.Rest, o)
		}
	}
	c.Bar = barOf(p, own)
	c.Matrices = matricesOf(p, s.Of, own, ids)
	c.Listing = listingOf(p, s.Of, own, ids)
	return c
}

// barOf shows in which parts the verdicts stand.
func barOf(p *findings, own []int) []barPiece {
	count := map[string]int{}
	for _, i := range own {
		count[shown(p.Results[i])]++
	}
	var out []barPiece
	for _, v := range []string{"proved", "expected", "vacuous", "open", "refuted"} {
		if n := count[v]; n > 0 {
			out = append(out, barPiece{v, fmt.Sprintf("%.2f", 100*float64(n)/float64(len(own)))})
		}
	}
	return out
}

type obligationView struct {
	ID, Name, Path, Kind, Nature string
	Verdict, Sign                string // as shown
	Is                           string // the verdict itself
	Steps                        int64
	Certificate, Expected        string
	Sources                      []string
	Hyps, Others                 []hypView
	Goal                         string
	Violation                    *verdict.Violation
	Excerpt                      []lineView
	Why                          string
}

type hypView struct {
	Label, Text string
	Used        bool
}

// obligationOf is result i as the page shows it: closed by default, with all that explains it inside.
func obligationOf(p *findings, i int, ids []string) obligationView {
	r := p.Results[i]
	v := obligationView{
		ID: ids[i], Name: r.Name, Path: p.Name + "/" + r.Path(), Kind: r.Kind.String(), Nature: strings.Join(strings.Fields(r.Nature), " "),
		Verdict: shown(r), Is: string(r.Verdict), Steps: r.Steps, Certificate: r.Certificate,
	}
	v.Sign = signOf(v.Verdict)
	if r.Expected != nil {
		v.Expected = cmp.Or(r.Expected.Why, "gradine.toml gives no reason")
	}
	for _, s := range r.Sources {
		v.Sources = append(v.Sources, fmt.Sprintf("%s %s (%s)", s.Element, s.Label, s.Span()))
	}
	s := r.Sequent()
	v.Goal = report.Readable(s.Bank, s.Goal)
	for i, h := range s.Hyps {
		used := slices.Contains(r.Used, i) || slices.Contains(r.UsedWD, i)
		x := hypView{r.HypothesisLabel(i), "", used}
		switch {
		// Hypotheses that the proof used are shown; before there is a proof, the selected ones. The page folds the
		// others away.
		case used || r.Certificate == "" && slices.Contains(s.Selected, i):
			x.Text = report.Readable(s.Bank, h)
			v.Hyps = append(v.Hyps, x)
		case r.Certificate == "":
			x.Text = report.Readable(s.Bank, h)
			v.Others = append(v.Others, x)
		}
	}
	if r.Verdict == verdict.Refuted || r.Verdict == verdict.Open {
		v.Violation = explain.Lift(r)
		v.Excerpt = excerpt(p, r)
		v.Why = report.OpenText(r, p.Searched[i])
	}
	return v
}

// Kinds of obligations are those of po, in its order.
func kindsOf(p *findings, own []int) []po.Kind {
	var out []po.Kind
	for _, i := range own {
		if k := p.Results[i].Kind; !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return out
}
