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
	"runtime/debug"
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

// finding is one result of a SARIF run: about an obligation, or about what a
// review found besides.
type finding struct {
	obligation *po.Obligation
	rule       *rule // where there is no obligation
	at         diag.Span
	key        string
	baseline   string // new, unchanged, updated or absent; "" outside of reviews
	level      string // error, warning or note
	text       string
	violation  *discharge.Violation
	expected   *discharge.Expectation
}

// rule is a kind of finding besides the kinds of obligations.
type rule struct{ id, text string }

// The rules of reviews.
var (
	ruleProblem       = &rule{"problem", "An error or a warning of the static checker"}
	ruleContradiction = &rule{"contradiction", "Axioms, invariants or guards that contradict each other"}
	ruleClaim         = &rule{"claim", "Something that the development no longer promises, or newly assumes"}
)

func (f finding) ruleID() string {
	if f.rule != nil {
		return f.rule.id
	}
	return f.obligation.Kind.String()
}

var severity = map[string]int{sarif.LevelError: 0, sarif.LevelWarning: 1, sarif.LevelNote: 2}

// SARIF writes the obligations that are not proved as one run of SARIF 2.1.0.
func SARIF(out io.Writer, results []discharge.Result) error {
	var found []finding
	for _, result := range results {
		f := finding{obligation: result.Obligation, level: sarif.LevelWarning, text: fmt.Sprintf("%s is %s: %s", result.Path(), string(result.Verdict), result.Nature)}
		if about := inKernel(result.Obligation); about != "" {
			f.text += "\n" + about
		}
		switch result.Verdict {
		case discharge.Proved:
			continue
		case discharge.Vacuous:
			f.level = sarif.LevelNote
			f.text += "; its hypotheses contradict each other"
		case discharge.Refuted:
			f.level, f.violation = sarif.LevelError, discharge.Lift(result)
			f.text += "\n" + strings.Join(violationLines(f.violation), "\n")
		}
		f.expected = result.Expected
		found = append(found, f)
	}
	return writeSARIF(out, "gradine/report", found)
}

// reviewsSARIF writes what a review finds wrong, with what the old revision had of
// it. What became better is not an alert.
func reviewsSARIF(out io.Writer, reviews []*review.Review) error {
	var found []finding
	for _, r := range reviews {
		found = append(found, besides(r)...)
		for _, obligation := range r.Obligations {
			if obligation.New != nil && obligation.Is.Verdict != discharge.Proved && notable(obligation) {
				found = append(found, obligationFinding(obligation))
			}
		}
	}
	return writeSARIF(out, "gradine/review", found)
}

func obligationFinding(o *review.ObligationChange) finding {
	f := finding{obligation: o.New, level: sarif.LevelWarning, text: string(o.Fate) + ": " + obligationText(o), baseline: "updated"}
	if o.Is.Verdict == discharge.Refuted || o.Fate == review.Lost {
		f.level = sarif.LevelError
		f.violation = discharge.Lift(discharge.Result{Obligation: o.New, Outcome: o.Outcome})
	}
	f.text = strings.Join(append([]string{f.text}, details(o)...), "\n")
	switch {
	case o.Fate == review.Appeared || o.Was.Proved():
		f.baseline = "new"
	case o.Was.Verdict == o.Is.Verdict:
		f.baseline = "unchanged"
	}
	if o.Cause != nil && o.Cause.New != nil {
		f.at = spanOf(o.Cause.New)
		f.text += "\nbecause of " + string(o.Cause.What) + " " + changeText(o.Cause)
	}
	f.expected = o.Expected
	return f
}

// besides are the findings of a review that are about no obligation.
func besides(r *review.Review) []finding {
	baseline := map[review.Presence]string{review.OnlyNow: "new", review.Both: "unchanged", review.OnlyBefore: "absent"}
	var out []finding
	for _, p := range r.Problems {
		f := finding{rule: ruleProblem, at: p.Span, level: sarif.LevelWarning, text: problemText(p), baseline: baseline[p.What]}
		if p.Severity == diag.Error {
			f.level = sarif.LevelError
		}
		f.key = strings.Join([]string{r.Project, p.Code, p.Diagnostic.Element, p.Message}, "/")
		out = append(out, f)
	}
	for i, text := range contradictions(r) {
		c := r.Contradictions[i]
		out = append(out, finding{
			rule: ruleContradiction, at: placeOf(c), level: sarif.LevelError, text: text, key: r.Project + "/" + c.Path(), baseline: baseline[c.What],
		})
	}
	for _, c := range r.Claims {
		out = append(out, finding{
			rule: ruleClaim, at: spanOf(c.Element), level: sarif.LevelWarning, text: string(c.Loss) + ": " + c.Text, key: r.Project + "/" + c.Text, baseline: "new",
		})
	}
	return out
}

// writeSARIF writes one run: a rule for each kind of obligation that occurs, the
// gravest findings first as far as code hosts take them.
func writeSARIF(out io.Writer, category string, found []finding) error {
	slices.SortStableFunc(found, func(a, b finding) int { return cmp.Compare(severity[a.level], severity[b.level]) })
	run := sarif.NewRunWithInformationURI("gradine", "https://github.com/gradine/gradine")
	run.WithColumnKind("unicodeCodePoints")
	run.Tool.Driver.WithVersion(Version())
	run.AutomationDetails = sarif.NewRunAutomationDetails().WithID(category + "/")
	addRules(run, found)
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
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(report)
}

// addRules describes the rules that occur, kinds of obligations first.
func addRules(run *sarif.Run, found []finding) {
	occurs := map[string]bool{}
	for _, f := range found {
		occurs[f.ruleID()] = true
	}
	var all []rule
	for _, k := range po.Kinds() {
		all = append(all, rule{k.String(), strings.TrimSuffix(k.Asks(), ".")})
	}
	all = append(all, *ruleProblem, *ruleContradiction, *ruleClaim)
	for i, x := range append(all, kernelRules...) {
		if !occurs[x.id] {
			continue
		}
		long := x.text + ". More of it stands in docs/obligations.md and docs/review.md."
		if i >= len(all) {
			long = x.text + ". More of it stands in docs/kernels.md."
		}
		run.AddRule(x.id).WithDescription(x.text).WithFullDescription(sarif.NewMultiformatMessageString().WithText(x.text + ".")).
			WithHelp(sarif.NewMultiformatMessageString().WithText(long).WithMarkdown(long))
	}
}

func (f finding) result() *sarif.Result {
	r := sarif.NewRuleResult(f.ruleID()).WithLevel(f.level).WithMessage(sarif.NewTextMessage(f.text))
	if f.baseline != "" {
		r.WithBaselineState(f.baseline)
	}
	name := f.key
	if o := f.obligation; o != nil {
		name = o.Project + "/" + o.Path()
	}
	// Code hosts recognise a finding by this from commit to commit: by its name, as
	// lines move.
	sum := sha256.Sum256([]byte(name))
	r.PartialFingerprints = map[string]string{"obligation/v1": hex.EncodeToString(sum[:16])}
	if f.at.File != "" {
		r.Locations = append(r.Locations, locationOf(f.at))
	}
	o := f.obligation
	if o == nil {
		// Code hosts show nothing without a place; what has none is about the configuration.
		if len(r.Locations) == 0 {
			r.Locations = append(r.Locations, locationOf(diag.Span{File: "gradine.toml"}))
		}
		return r
	}
	for _, source := range o.Sources {
		at := locationOf(source.Span()).AddLogicalLocation(sarif.NewLogicalLocation().WithFullyQualifiedName(ElementPath(source)))
		if len(r.Locations) == 0 {
			r.Locations = append(r.Locations, at)
		} else if len(r.RelatedLocations) < maxRelated {
			r.RelatedLocations = append(r.RelatedLocations, at.WithMessage(sarif.NewTextMessage(source.Element+" "+source.Label)))
		}
	}
	if len(r.Locations) == 0 {
		r.Locations = append(r.Locations, locationOf(componentSpan(o)))
	}
	if f.expected != nil {
		r.AddSuppression(sarif.NewSuppression().WithKind("external").WithStatus("accepted").WithJustification(f.expected.Why))
	}
	if f.violation != nil {
		r.CodeFlows = append(r.CodeFlows, f.codeFlow())
	}
	return r
}

// componentSpan is where the component of an obligation stands.
func componentSpan(o *po.Obligation) diag.Span {
	if o.Machine != nil {
		return o.Machine.Origin.Span
	}
	return o.Context.Origin.Span
}

// Version is that of this program, as its build says.
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}

// ElementPath is component/event/label of a source.
func ElementPath(s po.Source) string {
	if s.Element == "event" {
		return path.Join(s.Origin.Component, s.Label)
	}
	return path.Join(s.Origin.Component, s.Origin.Event, s.Label)
}

func locationOf(span diag.Span) *sarif.Location {
	at := sarif.NewPhysicalLocation()
	uri := url.URL{Path: strings.TrimPrefix(span.File, "./")}
	if path.IsAbs(span.File) {
		uri.Scheme = "file"
		at.WithArtifactLocation(sarif.NewSimpleArtifactLocation(uri.String()))
	} else {
		at.WithArtifactLocation(sarif.NewSimpleArtifactLocation(uri.String()).WithURIBaseID("%SRCROOT%"))
	}
	// A place is a line for code hosts: what is about a whole file stands at its first.
	region := sarif.NewRegion().WithStartLine(max(1, span.Line))
	if span.Line > 0 && span.Col > 0 {
		region.WithStartColumn(span.Col)
	}
	region.ByteOffset, region.CharOffset = -1, -1
	at.WithRegion(region)
	return sarif.NewLocationWithPhysicalLocation(at)
}

// codeFlow shows a counterexample as steps: the state before the event, the state
// after it, and what is false then.
func (f finding) codeFlow() *sarif.CodeFlow {
	obligation, violation := f.obligation, f.violation
	at := func(text string) *sarif.Location {
		span := obligation.Sources[0].Span()
		if obligation.Event != nil {
			span = obligation.Event.Origin.Span
		}
		return locationOf(span).WithMessage(sarif.NewTextMessage(text))
	}
	flow := sarif.NewThreadFlow()
	step := func(text string, lists ...[]discharge.Binding) {
		x := sarif.NewThreadFlowLocation().WithLocation(at(text))
		state := map[string]sarif.MultiformatMessageString{}
		for _, b := range slices.Concat(lists...) {
			value := Shorten(b.Value)
			state[b.Name] = sarif.MultiformatMessageString{Text: &value}
		}
		x.State = state
		flow.AddLocation(x)
	}
	if len(obligation.Sources) == 0 {
		return sarif.NewCodeFlow().AddThreadFlow(flow)
	}
	step("before", violation.Constants, violation.Params, violation.Before)
	if len(violation.After) > 0 {
		step("after", violation.After)
	}
	step("false: " + violation.Failing)
	return sarif.NewCodeFlow().AddThreadFlow(flow)
}
