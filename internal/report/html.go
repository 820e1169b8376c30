package report

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{"shorten": shorten, "changed": changed, "reach": reachText}).Parse(pageText))

// HTML writes all findings as one page that needs nothing besides itself.
func HTML(out io.Writer, projects []Findings, tunings Tunings) error {
	v := pageView{Tunings: heatMaps(tunings), Verdicts: legend}
	for i, findings := range projects {
		v.Projects = append(v.Projects, viewOf(findings, fmt.Sprintf("p%d", i)))
	}
	var all []discharge.Result
	for _, findings := range projects {
		all = append(all, findings.Results...)
	}
	v.Totals = totalsText(discharge.Count(all))
	return page.Execute(out, v)
}

// totalsText says how much is proved, and how much is as expected.
func totalsText(t discharge.Totals) string {
	if t.Expected == 0 {
		return provedText(t)
	}
	return fmt.Sprintf("%s, %d as expected", provedText(t), t.Expected)
}

type pageView struct {
	Totals   string
	Verdicts []verdictView
	Projects []projectView
	Tunings  []heatMap
}

// verdictView is a verdict with the sign that stands for it, so that colour is
// never alone.
type verdictView struct{ Name, Sign, Text string }

var legend = []verdictView{
	{"proved", "✓", "a certificate, checked by the kernel"},
	{"vacuous", "∅", "proved, but from hypotheses that contradict each other"},
	{"refuted", "✗", "a counterexample, confirmed by evaluation"},
	{"open", "?", "neither, within the budget"},
	{"none", "·", "nothing to prove"},
}

func signOf(verdict string) string {
	i := slices.IndexFunc(legend, func(v verdictView) bool { return v.Name == verdict })
	return legend[i].Sign
}

// grave orders verdicts: the gravest is that of a group.
var grave = map[string]int{"proved": 0, "vacuous": 1, "none": 2, "open": 3, "refuted": 4}

type projectView struct {
	ID, Name     string
	Totals       string
	Tree         treeView
	Components   []componentView
	Requirements []requirementView
	Trust        []trustRow
}

type componentView struct {
	ID, Name, Kind, Refines string
	Verified                bool
	Why                     string
	Totals                  string
	Kinds                   []string
	Rows                    []matrixRow
	Rest, Expected, Done    []obligationView // not proved, not proved as expected, proved
}

// matrixRow is an event, or the component's own part, with a cell for each kind.
type matrixRow struct {
	Event string
	Cells []cell
}

type cell struct {
	ID            string // of the first obligation of the cell
	Verdict, Sign string
	Count, Proved int
}

type obligationView struct {
	ID, Name, Kind, Nature, Verdict, Sign string
	Steps                                 int64
	Certificate, Expected                 string
	Sources                               []string
	Hyps                                  []hypView
	More                                  int
	Goal                                  string
	Violation                             *discharge.Violation
}

type hypView struct {
	Label, Text string
	Used        bool
}

type requirementView struct {
	requirement
	Verdict, Sign string
	Rows          []requirementRow
}

type requirementRow struct {
	Kind, Path string
	Links      []obligationLink
}

type obligationLink struct{ ID, Name, Verdict, Sign string }

func viewOf(findings Findings, id string) projectView {
	v := projectView{ID: id, Name: findings.Name, Tree: treeOf(findings, id)}
	ids := make([]string, len(findings.Results))
	for i := range findings.Results {
		ids[i] = fmt.Sprintf("%so%d", id, i)
	}
	for i, status := range findings.Status {
		c := componentOf(findings, status, ids)
		c.ID = fmt.Sprintf("%sc%d", id, i)
		v.Components = append(v.Components, c)
	}
	// The sign of a requirement is that of its worst obligation: one that is open
	// keeps the sentence from being shown.
	for _, r := range requirements(findings) {
		x := requirementView{requirement: r, Verdict: "none"}
		worst := -1
		for _, e := range r.Elements {
			row := requirementRow{Kind: e.Kind, Path: e.Path}
			for _, i := range e.Obligations {
				verdict := string(findings.Results[i].Verdict)
				worst = max(worst, grave[verdict])
				row.Links = append(row.Links, obligationLink{ids[i], findings.Results[i].Component + "/" + findings.Results[i].Name, verdict, signOf(verdict)})
			}
			x.Rows = append(x.Rows, row)
		}
		for _, l := range legend {
			if grave[l.Name] == worst {
				x.Verdict = l.Name
			}
		}
		x.Sign = signOf(x.Verdict)
		v.Requirements = append(v.Requirements, x)
	}
	v.Totals = totalsText(discharge.Count(findings.Results))
	v.Trust = trustRows(findings)
	return v
}

func componentOf(findings Findings, status discharge.Status, ids []string) componentView {
	c := componentView{Name: status.Component, Kind: status.Of.Kind(), Verified: status.Verified, Why: status.Why, Totals: totalsText(findings.totals(status))}
	events := []string{""}
	if machine := status.Of.Machine; machine != nil {
		if machine.Refines != nil {
			c.Refines = machine.Refines.Name
		}
		for _, e := range machine.Events {
			events = append(events, e.Label)
		}
	}
	var kinds []po.Kind
	groups := map[string]map[po.Kind][]int{}
	for i, result := range findings.Results {
		if result.Of() != status.Of {
			continue
		}
		event := ""
		if result.Event != nil {
			event = result.Event.Label
		}
		if groups[event] == nil {
			groups[event] = map[po.Kind][]int{}
		}
		groups[event][result.Kind] = append(groups[event][result.Kind], i)
		if !slices.Contains(kinds, result.Kind) {
			kinds = append(kinds, result.Kind)
		}
		switch o := obligationOf(result, ids[i]); {
		case result.Expected != nil:
			o.Expected = cmp.Or(result.Expected.Why, "gradine.toml gives no reason")
			c.Expected = append(c.Expected, o)
		case grave[o.Verdict] < grave["none"]:
			c.Done = append(c.Done, o)
		default:
			c.Rest = append(c.Rest, o)
		}
	}
	slices.Sort(kinds)
	for _, k := range kinds {
		c.Kinds = append(c.Kinds, k.String())
	}
	// A cell links to the first of its worst obligations: that is what its reader
	// looks for.
	for _, e := range events {
		if groups[e] == nil {
			continue
		}
		row := matrixRow{Event: cmp.Or(e, "—")}
		for _, k := range kinds {
			var x cell
			for _, i := range groups[e][k] {
				verdict := string(findings.Results[i].Verdict)
				if x.Count++; x.Count == 1 || grave[verdict] > grave[x.Verdict] {
					x.ID, x.Verdict, x.Sign = ids[i], verdict, signOf(verdict)
				}
				if grave[verdict] < 2 {
					x.Proved++
				}
			}
			row.Cells = append(row.Cells, x)
		}
		c.Rows = append(c.Rows, row)
	}
	return c
}

var htmlText = text.Options{Untyped: true, Spaced: true, Width: 76}

func obligationOf(result discharge.Result, id string) obligationView {
	v := obligationView{ID: id, Name: result.Name, Kind: result.Kind.String(), Nature: result.Nature, Verdict: string(result.Verdict), Steps: result.Steps, Certificate: result.Certificate}
	v.Sign = signOf(v.Verdict)
	for _, source := range result.Sources {
		v.Sources = append(v.Sources, fmt.Sprintf("%s %s (%s)", source.Element, source.Label, source.Span()))
	}
	sequent := result.Sequent()
	v.Goal = htmlText.Term(sequent.Bank, sequent.Goal)
	for i, hypothesis := range sequent.Hyps {
		used := slices.Contains(result.Used, i) || slices.Contains(result.UsedWD, i)
		if used || result.Certificate == "" && slices.Contains(sequent.Selected, i) {
			v.Hyps = append(v.Hyps, hypView{result.HypothesisLabel(i), htmlText.Term(sequent.Bank, hypothesis), used})
		}
	}
	v.More = len(sequent.Hyps) - len(v.Hyps)
	v.Violation = discharge.Lift(result)
	return v
}

// treeView is the refinement tree, drawn row by row: what refines or extends a
// component stands below it, one step to the right.
type treeView struct {
	Width, Height int
	Nodes         []treeNode
}

type treeNode struct {
	X, Y, Width, Up      int // Up is the height of the line to the component above; 0 if there is none
	Name, Detail, Link   string
	Verdict, Sign, Title string
	Context              bool
}

const (
	rowHeight = 34
	stepWidth = 22
)

func treeOf(findings Findings, id string) treeView {
	var t treeView
	index := map[model.Component]int{}
	for i, status := range findings.Status {
		index[status.Of] = i
	}
	add := func(c model.Component, depth int, parent *treeNode, title string) *treeNode {
		status, name := findings.Status[index[c]], c.Name()
		sum := findings.totals(status)
		n := treeNode{
			X: 4 + depth*stepWidth, Y: 4 + len(t.Nodes)*rowHeight, Name: name, Detail: fmt.Sprintf("%d of %d", sum.Proved, sum.Asked), Title: title,
			Link: fmt.Sprintf("%sc%d", id, index[c]), Context: c.Context != nil, Verdict: "open",
		}
		switch {
		case status.Verified:
			n.Verdict = "proved"
		case status.Count[discharge.Refuted] > 0:
			n.Verdict = "refuted"
		}
		n.Sign = signOf(n.Verdict)
		n.Width = 36 + 9*len([]rune(name+n.Detail))
		if parent != nil {
			n.Up = n.Y - parent.Y
		}
		t.Nodes = append(t.Nodes, n)
		t.Width = max(t.Width, n.X+n.Width+4)
		t.Height = n.Y + rowHeight
		return &n
	}
	// Only the direct successors are drawn below a node, each with all that is below
	// it, so the rows stand in the order of a walk.
	var machines func(above *model.Machine, parent *treeNode, depth int)
	machines = func(above *model.Machine, parent *treeNode, depth int) {
		for _, machine := range findings.Dev.Machines {
			if machine.Refines == above {
				var sees []string
				for _, context := range machine.Sees {
					sees = append(sees, context.Name)
				}
				title := "machine " + machine.Name
				if len(sees) > 0 {
					title += " sees " + strings.Join(sees, ", ")
				}
				machines(machine, add(model.Component{Machine: machine}, depth, parent, title), depth+1)
			}
		}
	}
	machines(nil, nil, 0)
	// A context that extends several stands below the first: the picture is a tree.
	drawn := map[*model.Context]bool{}
	var contexts func(above *model.Context, parent *treeNode, depth int)
	contexts = func(above *model.Context, parent *treeNode, depth int) {
		for _, context := range findings.Dev.Contexts {
			first := above == nil && len(context.Extends) == 0 || len(context.Extends) > 0 && context.Extends[0] == above
			if first && !drawn[context] {
				drawn[context] = true
				contexts(context, add(model.Component{Context: context}, depth, parent, "context "+context.Name), depth+1)
			}
		}
	}
	contexts(nil, nil, 0)
	return t
}

// heatMap is one answer of a search, as a table over two parameters.
type heatMap struct {
	Name, Instance, Claim string
	Row, Column           string // names of the parameters
	Columns               []string
	Rows                  []heatRow
}

type heatRow struct {
	Name  string
	Cells []heatCell
}

type heatCell struct {
	Text, Title string
	Heat        int // 0 for the best to 9 for the worst; -1 for no value
	Best        bool
}

func heatMaps(ts Tunings) []heatMap {
	var out []heatMap
	for _, t := range ts {
		out = append(out, heatMapOf(t))
	}
	return out
}

func heatMapOf(t tuned) heatMap {
	h := heatMap{Name: t.Tune, Claim: "no point has a value"}
	if least := t.TEv.String(); least != "" || len(t.Range) == 2 {
		if least == "" {
			least = t.Range[0].String() + "‥" + t.Range[1].String()
		}
		h.Claim = "least " + t.Objective + " " + least + ", by " + t.By
	}
	if t.Criterion != "" {
		h.Claim += ", for the " + t.Criterion + " schedule"
	}
	if !t.Complete {
		h.Claim += "; bounded, better points are not excluded"
	}
	var given []string
	for _, p := range pairs(t.Instance) {
		given = append(given, p.Name+" = "+p.Value)
	}
	for _, p := range pairs(t.Carriers) {
		given = append(given, "card("+p.Name+") = "+p.Value)
	}
	h.Instance = strings.Join(given, ", ")
	type at struct{ row, column string }
	cells := map[at]heatCell{}
	var values []*big.Int
	value := func(n string) *big.Int {
		v, ok := new(big.Int).SetString(n, 10)
		if !ok {
			return nil
		}
		return v
	}
	// What counts of a range is the end that the criterion names.
	worth := func(n json.Number, ends []json.Number) *big.Int {
		switch {
		case len(ends) != 2:
			return value(n.String())
		case t.Criterion == "best":
			return value(ends[0].String())
		}
		return value(ends[1].String())
	}
	for _, x := range t.Table {
		if v := worth(x.TEv, x.Range); v != nil {
			values = append(values, v)
		}
	}
	// Colours go by rank, not by value: values differ by powers of ten, and all but
	// one corner would be of one colour.
	slices.SortFunc(values, (*big.Int).Cmp)
	values = slices.CompactFunc(values, func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
	var rows, columns []string
	for _, x := range t.Table {
		ps := pairs(x.Point)
		if len(ps) == 0 {
			continue
		}
		k := at{column: ps[0].Value}
		h.Column = ps[0].Name
		var rest, names []string
		for _, p := range ps[1:] {
			names, rest = append(names, p.Name), append(rest, p.Value)
		}
		k.row, h.Row = strings.Join(rest, ", "), strings.Join(names, ", ")
		c := heatCell{Heat: -1}
		switch v := worth(x.TEv, x.Range); {
		case v != nil:
			rank, _ := slices.BinarySearchFunc(values, v, (*big.Int).Cmp)
			c.Text, c.Heat = v.String(), 9*rank/max(1, len(values)-1)
			if len(x.Range) == 2 {
				c.Text = x.Range[0].String() + "‥" + x.Range[1].String()
			}
			// The answer says which are best; a point under another name is, too.
			c.Best = slices.ContainsFunc(t.Best, func(b json.RawMessage) bool { return bytes.Equal(b, x.Point) || bytes.Equal(b, x.SameAs) })
		case x.Above != "":
			c.Text, c.Title = ">", "greater than "+x.Above.String()
		case x.Illegal != "":
			c.Text, c.Title = "–", x.Illegal
		default:
			c.Text, c.Title = "?", x.Bounded
		}
		cells[k] = c
		if !slices.Contains(rows, k.row) {
			rows = append(rows, k.row)
		}
		if !slices.Contains(columns, k.column) {
			columns = append(columns, k.column)
		}
	}
	for _, r := range rows {
		row := heatRow{Name: r}
		for _, c := range columns {
			x, ok := cells[at{r, c}]
			if !ok {
				x.Heat = -1
			}
			row.Cells = append(row.Cells, x)
		}
		h.Rows = append(h.Rows, row)
	}
	h.Columns = columns
	return h
}
