package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/report/sarif"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/review"
)

// maxResults is how many results code hosts take of one run.
const maxResults = 25_000

// maxRelated is how many places code hosts show of one result.
const maxRelated = 100

// finding is one result of a SARIF run: about an obligation, or about what a
// review also found.
type finding struct {
	obligation *po.Obligation
	rule       *rule // where there is no obligation
	at         diag.Span
	key        string
	baseline   string // new, unchanged, updated or absent; "" outside of reviews
	level      string // error, warning or note
	text       string
	violation  *verdict.Violation
	expected   *verdict.Expectation
	accepted   string // why a baseline accepts it
	check      int    // of a kernel: the number of its check, −1 of the kernel as a whole
}

// rule is a kind of finding other than the kinds of obligations.
type rule struct{ id, text string }

// The rules of models and of reviews.
var (
	ruleProblem       = &rule{"problem", "Error or warning of the static checker"}
	ruleContradiction = &rule{"contradiction", "Inconsistent axioms, invariants or guards"}
	ruleClaim         = &rule{"claim", "Weakened claim or new assumption"}
	ruleExpectation   = &rule{"expectation", "Verdict that differs from an expectation in gradine.toml"}
	ruleScenario      = &rule{"scenario", "Scenario that was removed or no longer passes"}
	ruleRequirement   = &rule{"requirement", "Requirement that no element mentions any longer"}
)

// The rules of kernels: the kinds of their checks, and that there is no verdict.
var kernelRules = []rule{
	{"race-ww", "Two threads write to the same location without synchronisation"},
	{"race-rw", "A thread reads a location that another one writes without synchronisation"},
	{"race-atomic", "Atomic and non-atomic access to the same location"},
	{"divergence", "Barrier divergence: a thread waits at a barrier that another thread of its group does not reach"},
	{"bounds", "Out-of-bounds array access"},
	{"null", "Null pointer access"},
	{"assert", "Assertion failure"},
	{"requires", "Violated precondition of a call"},
	{"invariant", "Violated loop invariant"},
	{"division", "Division by zero"},
	{"overflow", "Signed overflow"},
	{"kernel", "Kernel without a verdict"},
}

func (f finding) ruleID() string {
	if f.rule != nil {
		return f.rule.id
	}
	return f.obligation.Kind.String()
}

var severity = map[string]int{sarif.Error: 0, sarif.Warning: 1, sarif.Note: 2}

// SARIF writes the errors and warnings of models, the obligations that are not proved and what else
// speaks against success as one run of SARIF 2.1.0, with places relative to the root of the
// repository.
func SARIF(out io.Writer, r Report) error {
	var found []finding
	for _, x := range r.Against {
		found = append(found, againstFinding(x))
	}
	for _, p := range r.Projects {
		for _, problem := range withoutFollowing(p.Problems.Sorted(), func(x diag.Diagnostic) diag.Diagnostic { return x }) {
			found = append(found, problemFinding(p.Name, problem, fmt.Sprintf("%s [%s]", problem.Message, problem.Code)))
		}
		for _, result := range p.Results {
			if result.Verdict != verdict.Proved {
				found = append(found, resultFinding(result))
			}
		}
	}
	return writeSARIF(out, r.Root, "gradine/report", found, nil)
}

func resultFinding(result verdict.Result) finding {
	f := finding{obligation: result.Obligation, level: sarif.Warning, text: fmt.Sprintf("%s is %s: %s", result.Path(), string(result.Verdict), result.Nature)}
	if about := inKernel(result.Obligation); about != "" {
		f.text += "\n" + about
	}
	switch result.Verdict {
	case verdict.Vacuous:
		f.level = sarif.Note
		f.text += "; its hypotheses are inconsistent"
	case verdict.Refuted:
		f.level, f.violation = sarif.Error, explain.Lift(result)
		f.text += "\n" + strings.Join(violationLines(f.violation), "\n")
	}
	f.expected = result.Expected
	return f
}

func againstFinding(x Against) finding {
	f := finding{rule: ruleExpectation, at: x.at, level: sarif.Error, text: x.What + ": " + x.Text, key: x.What + "/" + x.about}
	if x.What == contradiction {
		f.rule = ruleContradiction
	}
	return f
}

func problemFinding(project string, p diag.Diagnostic, text string) finding {
	f := finding{rule: ruleProblem, at: p.Span, level: sarif.Warning, text: text}
	if p.Severity == diag.Error {
		f.level = sarif.Error
	}
	f.key = strings.Join([]string{project, p.Code, p.Element, p.Message}, "/")
	return f
}

// reviewsSARIF writes what a review finds wrong, with what the old revision had of
// it. What became better is not an alert.
func reviewsSARIF(out io.Writer, x Review) error {
	// Of one level, what is lost comes first: code hosts take only so many.
	var found []finding
	for _, r := range x.Projects {
		for _, obligation := range r.Obligations {
			if obligation.New != nil && obligation.Is.Verdict != verdict.Proved && notable(obligation) {
				found = append(found, obligationFinding(obligation))
			}
		}
	}
	var limits []string
	for _, r := range x.Projects {
		found = append(found, besides(r)...)
		for _, s := range brief(r) {
			limits = append(limits, r.Project+": "+s)
		}
	}
	return writeSARIF(out, "", "gradine/review", found, limits)
}

// obligationFinding is a changed obligation as a finding, with its state compared with the old version.
func obligationFinding(o *review.ObligationChange) finding {
	f := finding{obligation: o.New, level: sarif.Warning, text: string(o.Fate) + ": " + obligationText(o), baseline: "updated"}
	if o.Is.Verdict == verdict.Refuted || o.Fate == review.Lost {
		f.level = sarif.Error
		f.violation = explain.Lift(verdict.Result{Obligation: o.New, Outcome: o.Outcome})
	}
	f.text = strings.Join(append([]string{f.text}, details(o)...), "\n")
	switch {
	case o.Fate == review.Appeared || o.Was.Proved():
		f.baseline = "new"
	case o.Was.Verdict == o.Is.Verdict:
		f.baseline = "unchanged"
	}
	if o.Cause != nil && o.Cause.New != nil {
		f.at = o.Cause.New.Place()
		f.text += "\nbecause of " + string(o.Cause.What) + " " + changeText(o.Cause)
	}
	f.expected = o.Expected
	return f
}

// besides are the findings of a review that are not about an obligation.
func besides(r *review.Review) []finding {
	baseline := map[review.Presence]string{review.OnlyNow: "new", review.Both: "unchanged", review.OnlyBefore: "absent"}
	var out []finding
	problems := withoutFollowing(r.Problems, func(p review.Problem) diag.Diagnostic { return p.Diagnostic })
	added, _ := waiverTexts(r)
	for _, text := range added {
		out = append(out, finding{rule: ruleClaim, level: sarif.Error, text: text, key: r.Project + "/" + text, baseline: "new"})
	}
	for _, x := range unmet(r) {
		out = append(out, againstFinding(x)) // the earlier state was not asked for
	}
	for i, text := range contradictions(r) {
		c := r.Contradictions[i]
		out = append(out, finding{
			rule: ruleContradiction, at: placeOf(c.Contradiction), level: sarif.Error, text: text, key: r.Project + "/" + c.Path(), baseline: baseline[c.What],
		})
	}
	for _, p := range problems {
		f := problemFinding(r.Project, p.Diagnostic, problemText(p))
		f.baseline = baseline[p.What]
		out = append(out, f)
	}
	for _, c := range r.Claims {
		out = append(out, finding{
			rule: ruleClaim, at: c.Element.Place(), level: sarif.Warning, text: string(c.Loss) + ": " + claimText(c), key: strings.Join([]string{r.Project, string(c.Loss), c.Path}, "/"), baseline: "new",
		})
	}
	for _, x := range r.Scenarios {
		if f, ok := scenarioFinding(r.Project, x); ok {
			out = append(out, f)
		}
	}
	for _, x := range r.Requirements {
		if x.What == review.RequirementLost {
			out = append(out, finding{rule: ruleRequirement, at: x.Span, level: sarif.Warning, text: requirementText(x), key: r.Project + "/requirement/" + x.ID, baseline: "new"})
		}
	}
	return out
}

// scenarioFinding is what a review found of a scenario; none if it passes now.
func scenarioFinding(project string, x review.ScenarioChange) (finding, bool) {
	f := finding{rule: ruleScenario, at: x.Span, text: x.Text(), key: project + "/" + x.Name, baseline: "updated"}
	if x.Was == "" || x.Passed() {
		f.baseline = "new"
	}
	switch scenarioLevel(x) {
	case "error":
		f.level = sarif.Error
	case "warning":
		f.level = sarif.Warning
	default:
		return finding{}, false
	}
	return f, true
}

// writeSARIF writes one run: a rule for each kind of obligation that occurs, the
// gravest findings first as far as code hosts take them. The limits say what the run did not do.
func writeSARIF(out io.Writer, root, category string, found []finding, limits []string) error {
	slices.SortStableFunc(found, func(a, b finding) int { return cmp.Compare(severity[a.level], severity[b.level]) })
	run := sarif.Run{Automation: &sarif.Automation{ID: category + "/"}, ColumnKind: "unicodeCodePoints", Results: []sarif.Result{}}
	// A version has to begin with a number to be compared with others.
	number := strings.TrimPrefix(Version(), "v")
	if number == "" || number[0] < '0' || number[0] > '9' {
		number = "0 " + number
	}
	run.Tool.Driver = sarif.Driver{Name: "gradine", Version: number, InformationURI: home, Rules: rulesOf(found)}
	index := map[string]int{}
	for i, rule := range run.Tool.Driver.Rules {
		index[rule.ID] = i
	}
	left := len(found) - maxResults
	for _, f := range found[:min(len(found), maxResults)] {
		result := f.result(root)
		result.RuleIndex = index[result.RuleID]
		run.Results = append(run.Results, result)
	}
	if left > 0 {
		limits = append(limits, fmt.Sprintf("%d more findings omitted; run `gradine prove` for all", left))
	}
	if len(limits) > 0 {
		run.Invocations = []sarif.Invocation{{Successful: true}}
	}
	for _, s := range limits {
		note := sarif.Notification{Level: sarif.Warning, Message: sarif.Text{Text: s}}
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, note)
	}
	return sarif.Write(out, run)
}

// home is where this program and its documents are found.
const home = "https://github.com/gradine/gradine"

// rulesOf describes the rules that occur, kinds of obligations first.
func rulesOf(found []finding) []sarif.Rule {
	occurs := map[string]bool{}
	for _, f := range found {
		occurs[f.ruleID()] = true
	}
	out := []sarif.Rule{}
	add := func(id, name, text, document string) {
		if !occurs[id] {
			return
		}
		help := "docs/" + document
		out = append(out, sarif.Rule{
			ID: id, Name: pascal(name), ShortDescription: sarif.Text{Text: text}, FullDescription: sarif.Text{Text: text + "."},
			HelpURI: home + "/blob/main/" + help, Help: sarif.Text{Text: text + ". See " + help + ".", Markdown: fmt.Sprintf("%s. [More](%s/blob/main/%s)", text, home, help)},
		})
	}
	for _, k := range po.Kinds() {
		add(k.String(), k.Title(), strings.TrimSuffix(k.Asks(), "."), "obligations.md")
	}
	for _, x := range []*rule{ruleProblem, ruleContradiction, ruleClaim, ruleExpectation, ruleScenario, ruleRequirement} {
		add(x.id, x.id+" finding", x.text, "review.md")
	}
	for _, x := range kernelRules {
		add(x.id, x.id+" finding", x.text, "kernels.md")
	}
	return out
}

// pascal joins words, each with a capital first.
func pascal(words string) string {
	var out strings.Builder
	for _, word := range strings.FieldsFunc(words, func(r rune) bool { return !unicode.IsLetter(r) }) {
		first, size := utf8.DecodeRuneInString(word)
		out.WriteRune(unicode.ToUpper(first))
		out.WriteString(word[size:])
	}
	return out.String()
}

// fingerprint is what code hosts, and baselines, recognise a finding by from commit to commit: made of its name, as lines move.
func fingerprint(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:16])
}

// result is a finding as SARIF has it, with places relative to root.
func (f finding) result(root string) sarif.Result {
	r := sarif.Result{RuleID: f.ruleID(), Level: f.level, Message: sarif.Text{Text: f.text}, BaselineState: f.baseline}
	name := f.key
	if o := f.obligation; o != nil {
		name = o.Project + "/" + o.Path()
	}
	r.Fingerprints = map[string]string{"obligation/v1": fingerprint(name)}
	if f.at.File != "" {
		r.Locations = append(r.Locations, locationOf(root, f.at))
	}
	if f.accepted != "" {
		r.Suppressions = []sarif.Suppression{{Kind: "external", Status: "accepted", Justification: f.accepted}}
	}
	o := f.obligation
	if o == nil {
		// Code hosts show nothing without a place; what has none is about the configuration.
		if len(r.Locations) == 0 {
			r.Locations = append(r.Locations, locationOf("", diag.Span{File: "gradine.toml"}))
		}
		return r
	}
	for _, source := range o.Sources {
		at := locationOf(root, source.Span())
		at.Logical = []sarif.Logical{{Name: ElementPath(source)}}
		if len(r.Locations) == 0 {
			r.Locations = append(r.Locations, at)
		} else if len(r.Related) < maxRelated {
			at.Message = &sarif.Text{Text: source.Element + " " + source.Label}
			r.Related = append(r.Related, at)
		}
	}
	if len(r.Locations) == 0 {
		r.Locations = append(r.Locations, locationOf(root, componentSpan(o)))
	}
	if f.expected != nil {
		r.Suppressions = []sarif.Suppression{{Kind: "external", Status: "accepted", Justification: f.expected.Why}}
	}
	if f.violation != nil && len(o.Sources) > 0 {
		r.CodeFlows = append(r.CodeFlows, f.codeFlow(root))
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

// locationOf is a place, relative to root if it is below: code hosts know files of the repository alone.
func locationOf(root string, span diag.Span) sarif.Location {
	name := filepath.ToSlash(span.File)
	if root != "" {
		if absolute, err := filepath.Abs(span.File); err == nil {
			if rel, err := filepath.Rel(root, absolute); err == nil && filepath.IsLocal(rel) {
				name = filepath.ToSlash(rel)
			}
		}
	}
	uri := url.URL{Path: strings.TrimPrefix(name, "./")}
	artifact := sarif.Artifact{BaseID: "%SRCROOT%"}
	if path.IsAbs(name) {
		uri.Scheme, artifact.BaseID = "file", ""
	}
	artifact.URI = uri.String()
	// A place is a line for code hosts: what is about a whole file stands at its first.
	region := sarif.Region{StartLine: max(1, span.Line)}
	if span.Line > 0 && span.Col > 0 {
		region.StartColumn = span.Col
	}
	return sarif.Location{Physical: sarif.Physical{Artifact: artifact, Region: region}}
}

// codeFlow shows a counterexample as steps: the state before the event, the state
// after it, and what is false then.
func (f finding) codeFlow(root string) sarif.CodeFlow {
	obligation, violation := f.obligation, f.violation
	span := obligation.Sources[0].Span()
	if obligation.Event != nil {
		span = obligation.Event.Origin.Span
	}
	var flow sarif.ThreadFlow
	step := func(text string, lists ...[]verdict.Binding) {
		at := locationOf(root, span)
		at.Message = &sarif.Text{Text: text}
		state := map[string]sarif.Text{}
		for _, b := range slices.Concat(lists...) {
			state[b.Name] = sarif.Text{Text: Shorten(b.Value)}
		}
		flow.Steps = append(flow.Steps, sarif.Step{Location: at, State: state})
	}
	step("before", violation.Constants, violation.Params, violation.Before)
	if len(violation.After) > 0 {
		step("after", violation.After)
	}
	step("false: " + violation.Failing)
	return sarif.CodeFlow{ThreadFlows: []sarif.ThreadFlow{flow}}
}
