package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/review"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

// maxResults is how many results code hosts take of one run.
const maxResults = 25_000

// maxRelated is how many places code hosts show of one result.
const maxRelated = 100

// finding is one result of a SARIF run.
type finding struct {
	obligation *po.Obligation
	level      string // error, warning or note
	text       string
	violation  *discharge.Violation
	expected   *discharge.Expectation
}

var severity = map[string]int{sarif.LevelError: 0, sarif.LevelWarning: 1, sarif.LevelNote: 2}

// SARIF writes the obligations that are not proved as one run of SARIF 2.1.0.
func SARIF(w io.Writer, results []discharge.Result) error {
	var found []finding
	for _, r := range results {
		f := finding{obligation: r.Obligation, level: sarif.LevelWarning, text: fmt.Sprintf("%s is %s: %s", r.Component+"/"+r.Name, string(r.Verdict), r.Nature)}
		switch r.Verdict {
		case discharge.Proved:
			continue
		case discharge.Vacuous:
			f.level = sarif.LevelNote
			f.text += "; its hypotheses contradict each other"
		case discharge.Refuted:
			f.level, f.violation = sarif.LevelError, discharge.Lift(r)
			f.text += "\n" + strings.Join(violationLines(f.violation), "\n")
		}
		f.expected = r.Expected
		found = append(found, f)
	}
	return writeSARIF(w, found)
}

func reviewsSARIF(w io.Writer, reviews []*review.Review) error {
	var found []finding
	for _, r := range reviews {
		for _, o := range r.Obligations {
			if o.New == nil || !notable(o) {
				continue
			}
			f := finding{obligation: o.New, level: sarif.LevelNote, text: string(o.Fate) + ": " + obligationText(o)}
			switch {
			case o.Fate == review.Lost || o.Is.Verdict == discharge.Refuted:
				f.level = sarif.LevelError
				f.violation = discharge.Lift(discharge.Result{Obligation: o.New, Outcome: o.Outcome})
			case o.Is.Verdict == discharge.Open:
				f.level = sarif.LevelWarning
			}
			found = append(found, f)
		}
	}
	return writeSARIF(w, found)
}

// writeSARIF writes one run: a rule for each kind of obligation that occurs, the
// gravest findings first as far as code hosts take them.
func writeSARIF(w io.Writer, found []finding) error {
	slices.SortStableFunc(found, func(a, b finding) int { return cmp.Compare(severity[a.level], severity[b.level]) })
	run := sarif.NewRunWithInformationURI("gradine", "https://github.com/gradine/gradine")
	run.WithColumnKind("unicodeCodePoints")
	rules := map[po.Kind]bool{}
	for _, f := range found {
		rules[f.obligation.Kind] = true
	}
	for _, k := range po.Kinds() {
		if rules[k] {
			run.AddRule(k.String()).WithName(k.String()).WithDescription(kindText[k])
		}
	}
	left := len(found) - maxResults
	for _, f := range found[:min(len(found), maxResults)] {
		run.AddResult(f.result())
	}
	if left > 0 {
		note := sarif.NewNotification().WithLevel(sarif.LevelWarning)
		note.WithMessage(sarif.NewTextMessage(fmt.Sprintf("%d more findings are left out; `gradine prove` lists all", left)))
		run.AddInvocation(sarif.NewInvocation().WithExecutionSuccessful(true).WithToolExecutionNotifications([]*sarif.Notification{note}))
	}
	report := sarif.NewReport()
	report.AddRun(run)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(report)
}

// kindText says what each kind of obligation is for.
var kindText = map[po.Kind]string{
	po.WD: "Well-definedness of a formula", po.THM: "A theorem", po.INV: "An event keeps an invariant", po.FIS: "Feasibility of a non-deterministic action",
	po.GRD: "A guard is at least as strong as the abstract one", po.MRG: "The guards of merged events cover those of the concrete event",
	po.SIM: "An action simulates the abstract one", po.EQL: "An abstract variable that the event does not assign keeps its value",
	po.WFIS: "Feasibility of a witness", po.WWD: "Well-definedness of a witness", po.VWD: "Well-definedness of a variant", po.FIN: "A variant is finite",
	po.NAT: "A variant is a natural number", po.VAR: "An event makes the variant less", po.DLF: "Some event is always enabled", po.ENB: "An event is enabled",
	po.COM: "Two events commute", po.DIS: "An event leaves another one disabled", po.PAR: "The values of a parameter lie in a set",
}

func (f finding) result() *sarif.Result {
	o := f.obligation
	r := sarif.NewRuleResult(o.Kind.String()).WithLevel(f.level).WithMessage(sarif.NewTextMessage(f.text))
	name := o.Project + "/" + o.Component + "/" + o.Name
	sum := sha256.Sum256([]byte(name))
	r.PartialFingerprints = map[string]string{"obligation/v1": hex.EncodeToString(sum[:16])}
	for i, s := range o.Sources {
		at := locationOf(s.Span()).AddLogicalLocation(sarif.NewLogicalLocation().WithFullyQualifiedName(elementPath(s)))
		if i == 0 {
			r.Locations = append(r.Locations, at)
		} else if len(r.RelatedLocations) < maxRelated {
			r.RelatedLocations = append(r.RelatedLocations, at.WithMessage(sarif.NewTextMessage(s.Element+" "+s.Label)))
		}
	}
	if f.expected != nil {
		r.AddSuppression(sarif.NewSuppression().WithKind("external").WithStatus("accepted").WithJustification(f.expected.Why))
	}
	if f.violation != nil {
		r.CodeFlows = append(r.CodeFlows, f.codeFlow())
	}
	return r
}

// elementPath is component/event/label of a source.
func elementPath(s po.Source) string {
	if s.Element == "event" {
		return path.Join(s.Origin.Component, s.Label)
	}
	return path.Join(s.Origin.Component, s.Origin.Event, s.Label)
}

func locationOf(s diag.Span) *sarif.Location {
	at := sarif.NewPhysicalLocation()
	uri := url.URL{Path: strings.TrimPrefix(s.File, "./")}
	if path.IsAbs(s.File) {
		uri.Scheme = "file"
		at.WithArtifactLocation(sarif.NewSimpleArtifactLocation(uri.String()))
	} else {
		at.WithArtifactLocation(sarif.NewSimpleArtifactLocation(uri.String()).WithURIBaseID("%SRCROOT%"))
	}
	if s.Line > 0 {
		region := sarif.NewRegion().WithStartLine(s.Line)
		if s.Col > 0 {
			region.WithStartColumn(s.Col)
		}
		region.ByteOffset, region.CharOffset = -1, -1
		at.WithRegion(region)
	}
	return sarif.NewLocationWithPhysicalLocation(at)
}

// codeFlow shows a counterexample as steps: the state before the event, the state
// after it, and what is false then.
func (f finding) codeFlow() *sarif.CodeFlow {
	o, v := f.obligation, f.violation
	at := func(text string) *sarif.Location {
		span := o.Sources[0].Span()
		if o.Event != nil {
			span = o.Event.Origin.Span
		}
		return locationOf(span).WithMessage(sarif.NewTextMessage(text))
	}
	flow := sarif.NewThreadFlow()
	step := func(text string, lists ...[]discharge.Binding) {
		x := sarif.NewThreadFlowLocation().WithLocation(at(text))
		state := map[string]sarif.MultiformatMessageString{}
		for _, b := range slices.Concat(lists...) {
			value := shorten(b.Value)
			state[b.Name] = sarif.MultiformatMessageString{Text: &value}
		}
		x.State = state
		flow.AddLocation(x)
	}
	if len(o.Sources) == 0 {
		return sarif.NewCodeFlow().AddThreadFlow(flow)
	}
	step("before", v.Constants, v.Params, v.Before)
	if len(v.After) > 0 {
		step("after", v.After)
	}
	step("false: " + v.Failing)
	return sarif.NewCodeFlow().AddThreadFlow(flow)
}
