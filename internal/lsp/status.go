package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/lsp/names"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
)

// tally counts obligations by what is known of them.
type tally struct {
	total, proved, vacuous, refuted, open, unknown, expected int
	inaccurate                                               bool
}

// add counts an obligation with what is known of it, nil for nothing.
func (t *tally) add(a *asked, known *answer) {
	t.total++
	t.inaccurate = t.inaccurate || !a.accurate()
	// What gradine.toml expects comes before the verdict: an expected refutation is nothing to look at.
	switch {
	case known == nil:
		t.unknown++
	case a.expected(known) != nil:
		t.expected++
	case known.verdict == verdict.Proved:
		t.proved++
	case known.verdict == verdict.Vacuous:
		t.vacuous++
	case known.verdict == verdict.Refuted:
		t.refuted++
	default:
		t.open++
	}
}

// String is what stands at the end of a line: 12/12, 11/12 · 1 refuted. Whatever is less
// than a proof of everything in a component without errors says so.
func (t tally) String() string {
	out := fmt.Sprintf("%d/%d", t.proved, t.total)
	for _, part := range []struct {
		n    int
		what string
	}{{t.refuted, "refuted"}, {t.vacuous, "vacuous"}, {t.open, "open"}, {t.expected, "as expected"}} {
		if part.n > 0 {
			out += fmt.Sprintf(" · %d %s", part.n, part.what)
		}
	}
	if t.unknown > 0 {
		out += " …"
	}
	if t.inaccurate {
		out += " · inaccurate"
	}
	return out
}

// accurate reports whether a verdict is about the model as it was written.
func (a *asked) accurate() bool { return a.Accurate && a.Of().Whole() }

// expected returns the expectation that a verdict meets, or nil.
func (a *asked) expected(known *answer) *verdict.Expectation {
	result := verdict.Result{Obligation: a.Obligation, Outcome: verdict.Outcome{Verdict: known.verdict}}
	result.Expect(a.project.Expectations())
	return result.Expected
}

// counted is an element of a text with what is known of its obligations.
type counted struct {
	*names.Element
	tally
}

// tallies counts the obligations of the elements of components, and of these.
func (x *snapshot) tallies(of []*lang.Component, answers []*answer) ([]counted, map[*lang.Component]tally) {
	var out []counted
	for _, component := range of {
		for _, e := range names.ElementsOf(component) {
			out = append(out, counted{Element: e})
		}
	}
	components := map[*lang.Component]tally{}
	for i, a := range x.asked {
		for _, component := range of {
			if a.in(component) {
				t := components[component]
				t.add(a, answers[i])
				components[component] = t
			}
		}
		for j := range out {
			if e := &out[j]; a.in(e.Component) && slices.ContainsFunc(a.Sources, func(s po.Source) bool { return is(e.Element, s) }) {
				e.add(a, answers[i])
			}
		}
	}
	return out, components
}

// in reports whether a is an obligation of a component.
func (a *asked) in(component *lang.Component) bool {
	of := a.Of()
	return of.Machine != nil && component.Kind == lang.MachineKind && of.Machine.Origin.Span == component.Name.Span ||
		of.Context != nil && component.Kind == lang.ContextKind && of.Context.Origin.Span == component.Name.Span
}

// is reports whether e is what a source names.
func is(e *names.Element, source po.Source) bool {
	span := source.Origin.Span
	if span.File != e.Component.Name.Span.File || span.From < e.From || span.From >= e.To {
		return false
	}
	// An event holds the places of its parts, too.
	return (e.Kind == names.Event) == (source.Element == "event")
}

// hintAt is where the hint of e stands: behind its last line or, of an event, behind the
// line of its name.
func hintAt(e *names.Element, src *source) protocol.Position {
	at := e.To
	if e.Kind == names.Event {
		at = e.Name.Span.To
	}
	return src.position(src.lineEnd(src.position(at).Line))
}

// inlayHint answers textDocument/inlayHint: the verdicts behind components, events and labels.
func (s *server) inlayHint(ctx context.Context, params *protocol.RangeParams) ([]protocol.InlayHint, error) {
	h, snap, path := s.of(ctx, params.TextDocument.URI)
	if snap == nil {
		return nil, nil
	}
	src := snap.source(path)
	answers := s.answers(h, snap)
	if project.IsKernel(path) {
		return snap.kernelHints(path, params.Range, answers), nil
	}
	components, _ := snap.written(path)
	all, _ := snap.tallies(components, answers)
	byLine := map[protocol.Position]*protocol.InlayHint{}
	out := []protocol.InlayHint{}
	for _, e := range all {
		at := hintAt(e.Element, src)
		if e.total == 0 || at.Line < params.Range.Start.Line || at.Line > params.Range.End.Line {
			continue
		}
		if byLine[at] == nil {
			byLine[at] = newHint(at, e.tally)
		} else {
			byLine[at].Label += ", " + e.tally.String() // several elements on one line
		}
	}
	for _, hint := range byLine {
		out = append(out, *hint)
	}
	slices.SortFunc(out, func(a, b protocol.InlayHint) int { return a.Position.Line - b.Position.Line })
	return out, nil
}

func newHint(at protocol.Position, t tally) *protocol.InlayHint {
	return &protocol.InlayHint{Position: at, Label: t.String(), PaddingLeft: true, Tooltip: "obligations proved, of all that this line is about"}
}

// kernelHints stand at the lines of a kernel. Each of many elements of its machines comes
// from a part of a line: what a line is about is counted once.
func (x *snapshot) kernelHints(path string, within protocol.Range, answers []*answer) []protocol.InlayHint {
	src := x.source(path)
	lines := map[int]*tally{}
	for i, a := range x.asked {
		at := map[int]bool{}
		for _, source := range a.Sources {
			if span := source.Origin.Span; span.File == path {
				at[src.position(span.From).Line] = true
			}
		}
		for line := range at {
			if lines[line] == nil {
				lines[line] = &tally{}
			}
			lines[line].add(a, answers[i])
		}
	}
	out := []protocol.InlayHint{}
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		if within.Start.Line <= line && line <= within.End.Line {
			out = append(out, *newHint(src.position(src.lineEnd(line)), *lines[line]))
		}
	}
	return out
}

// announce sends the diagnostics of h that have changed, and makes the editor ask again
// for what it asks for itself. What is older than the present texts is never sent.
func (s *server) announce(h *home) {
	if fault := seam.Contain(s.ctx, seam.EditorShow, h.at, func(context.Context) { s.show(h) }); fault != nil {
		// What was to be said of the texts is lost until they change; that it is, is not.
		_ = s.rpc.Notify(s.ctx, "window/showMessage", map[string]any{"type": 1, "message": "internal error: " + fault.Error() + "; marks may be out of date"})
	}
}

// show publishes the diagnostics of a project, unless its texts have changed since they were checked.
func (s *server) show(h *home) {
	s.publish.Lock()
	defer s.publish.Unlock()
	s.mu.Lock()
	if h.snap == nil || h.taken != h.generation || s.ctx.Err() != nil {
		s.mu.Unlock()
		return
	}
	snap, trouble := h.snap, h.trouble
	open := map[string]*document{}
	watched := false
	for path, doc := range s.docs {
		open[filepath.ToSlash(path)] = doc
		watched = watched || doc.home == h
	}
	refresh := s.refresh
	s.mu.Unlock()
	answers := s.answers(h, snap)
	byFile := map[string][]protocol.Diagnostic{}
	// What is no longer looked at may be gone: that is no mistake.
	if watched || snap.failed == nil {
		byFile = snap.diagnostics(answers)
	}
	if trouble != nil {
		snap.complain(byFile, trouble)
	}
	for path := range open {
		if _, ok := byFile[path]; !ok && snap.has(path) {
			byFile[path] = nil
		}
	}
	for path, last := range s.published {
		if _, ok := byFile[path]; !ok && last.by == h {
			byFile[path] = nil
		}
	}
	// In order, so that a client is told the same in the same order each time.
	for _, path := range slices.Sorted(maps.Keys(byFile)) {
		last := s.published[path]
		// One home speaks of a file, though others may have read it.
		if doc := open[path]; doc != nil && doc.home != h || doc == nil && last.by != nil && last.by != h {
			continue
		}
		params := protocol.PublishParams{URI: uriOf(path), Diagnostics: byFile[path]}
		if params.Diagnostics == nil {
			params.Diagnostics = []protocol.Diagnostic{}
		}
		if doc := open[path]; doc != nil {
			params.URI = doc.uri
			version := snap.versions[path]
			params.Version = &version
		}
		message, err := json.Marshal(params)
		s.published[path] = announced{h, string(message)}
		// An editor that reloads a text forgets what it was told of it.
		again := open[path] != nil && !open[path].told
		if err == nil && (again || last.message != string(message)) {
			_ = s.rpc.Notify(s.ctx, "textDocument/publishDiagnostics", json.RawMessage(message)) // a connection that is gone ends the server
		}
	}
	s.reportProofs(h, snap, open, answers)
	for _, doc := range open {
		doc.told = doc.told || doc.home == h
	}
	for _, method := range refresh {
		go func() { _, _ = s.rpc.Callback(s.ctx, method, nil) }() // an editor that cannot asks later by itself
	}
}

// reportProofs sends the verdicts of the open files of h that have changed. It is called
// with s.publish held.
func (s *server) reportProofs(h *home, snap *snapshot, open map[string]*document, answers []*answer) {
	for path := range s.reported {
		if open[path] == nil {
			delete(s.reported, path) // the next user who opens it is told again
		}
	}
	for _, path := range slices.Sorted(maps.Keys(open)) {
		doc := open[path]
		if doc.home != h || !snap.has(path) || !project.IsText(path) && !project.IsKernel(path) {
			continue
		}
		status := snap.obligationsOf(path, answers)
		status.URI, status.Version = doc.uri, snap.versions[path]
		message, err := json.Marshal(status)
		if err != nil || doc.told && s.reported[path] == string(message) {
			continue
		}
		s.reported[path] = string(message)
		_ = s.rpc.Notify(s.ctx, "$/rossi/proofStatus", json.RawMessage(message))
	}
}

// has reports whether a file is one of the sources: a model, hints, gradine.toml.
func (x *snapshot) has(path string) bool {
	return slices.ContainsFunc(x.projects, func(opened *project.Project) bool {
		return slices.Contains(opened.SourceFiles(), filepath.FromSlash(path))
	})
}

// diagnostics returns what there is to say, by file: what is wrong with the texts, and
// which obligations are not proved.
func (x *snapshot) diagnostics(answers []*answer) map[string][]protocol.Diagnostic {
	out := map[string][]protocol.Diagnostic{}
	if x.failed != nil {
		x.complain(out, x.failed)
	}
	for _, opened := range x.projects {
		for _, problem := range opened.Problems.Sorted() {
			d := protocol.Diagnostic{Severity: protocol.SeverityError, Code: problem.Code, Source: "gradine", Message: problem.Message}
			if problem.Severity == diag.Warning {
				d.Severity = protocol.SeverityWarning
			}
			if problem.Help != "" {
				d.Message += "; " + problem.Help
			}
			path := problem.Span.File
			if path == "" {
				path = x.home
			}
			d.Range = x.rangeOf(problem.Span)
			for _, note := range problem.Notes {
				if note.Span.File != "" {
					d.Related = append(d.Related, protocol.RelatedPlace{Location: x.locationOf(note.Span), Message: note.Text})
				}
			}
			out[path] = append(out[path], d)
		}
	}
	// What has no answer yet is not mentioned: it would flicker with each keystroke.
	for i, a := range x.asked {
		if answers[i] != nil {
			if d, path := x.verdict(a, answers[i]); d != nil {
				out[path] = append(out[path], *d)
			}
		}
	}
	return out
}

var placeInError = regexp.MustCompile(`^(.*?):(\d+): `)

// complain says why a project cannot be opened, or its proofs cannot be read, at the file
// that the error names or else at home.
func (x *snapshot) complain(out map[string][]protocol.Diagnostic, err error) {
	path, d := x.home, protocol.Diagnostic{Severity: protocol.SeverityError, Source: "gradine", Message: err.Error()}
	if m := placeInError.FindStringSubmatch(err.Error()); m != nil && filepath.IsAbs(m[1]) {
		path = m[1]
		line, _ := strconv.Atoi(m[2])
		d.Range = protocol.Range{Start: protocol.Position{Line: line - 1, Character: 0}, End: protocol.Position{Line: line, Character: 0}}
	}
	path = filepath.ToSlash(path)
	out[path] = append(out[path], d)
}

func (x *snapshot) rangeOf(span diag.Span) protocol.Range {
	if span.File == "" {
		return protocol.Range{}
	}
	return x.source(span.File).span(span.From, span.To)
}

func (x *snapshot) locationOf(span diag.Span) protocol.Location {
	return protocol.Location{URI: uriOf(span.File), Range: x.rangeOf(span)}
}

// verdict is the diagnostic about an obligation that is not proved, and the file it
// belongs to.
func (x *snapshot) verdict(a *asked, known *answer) (*protocol.Diagnostic, string) {
	expected := a.expected(known)
	at := a.place()
	d := &protocol.Diagnostic{Range: x.rangeOf(at), Source: "gradine", Code: a.Kind.String(), Data: map[string]string{"obligation": a.Path()}}
	switch {
	case known.fault != "":
		d.Severity, d.Message = protocol.SeverityWarning, fmt.Sprintf("%s has no verdict, for a fault of the program: %s", a.Name, known.fault)
	case expected != nil:
		d.Severity, d.Message = protocol.SeverityHint, fmt.Sprintf("%s is %s, as expected by gradine.toml: %s", a.Name, known.verdict, expected.Why)
	case known.verdict == verdict.Refuted:
		d.Severity, d.Message = protocol.SeverityError, fmt.Sprintf("%s is refuted: %s is false", a.Name, known.violation.Failing)
		d.Related = x.related(a, known.violation, at)
	case known.verdict == verdict.Vacuous:
		d.Severity, d.Message = protocol.SeverityWarning, fmt.Sprintf("%s is vacuous: its hypotheses are inconsistent, so that it says nothing", a.Name)
	case known.verdict == verdict.Open:
		d.Severity, d.Message = protocol.SeverityHint, fmt.Sprintf("%s is open: %s; %s", a.Name, cmp.Or(report.EndText(known.end), "no proof or counterexample found"), a.Kind.IfOpen())
	default:
		return nil, ""
	}
	return d, at.File
}

// place is where an obligation that is not proved is shown: the part of the component
// that it is about or, if that stands elsewhere, the event.
func (a *asked) place() diag.Span {
	var event, part diag.Span
	for _, source := range a.Sources {
		switch span := source.Origin.Span; {
		case source.Role == po.Abstract || source.Origin.Component != a.Component || span.File == "":
		case source.Element == "event":
			event = span
		default:
			part = span
		}
	}
	// An invariant is broken by an event: there is where one corrects it. All else is shown at
	// the part itself.
	switch of := a.Of(); {
	case a.Event != nil && (a.Kind == po.INV || part.File == "") && event.File != "":
		return event
	case part.File != "":
		return part
	case of.Machine != nil:
		return of.Machine.Origin.Span
	default:
		return of.Context.Origin.Span
	}
}

// related shows a counterexample next to a diagnostic: the state before, the parameters,
// the state after.
func (x *snapshot) related(a *asked, violation *verdict.Violation, at diag.Span) (out []protocol.RelatedPlace) {
	where := x.locationOf(at)
	say := func(what string, bindings []verdict.Binding) {
		if len(bindings) > 0 {
			out = append(out, protocol.RelatedPlace{Location: where, Message: what + ": " + equations(bindings)})
		}
	}
	say("constants", violation.Constants)
	say("before", violation.Before)
	say("parameters", violation.Params)
	say("after", violation.After)
	for _, source := range a.Sources {
		if span := source.Origin.Span; span.File != "" && span != at {
			out = append(out, protocol.RelatedPlace{Location: x.locationOf(span), Message: source.Element + " " + source.Label})
		}
	}
	return out
}

func equations(bindings []verdict.Binding) string {
	var parts []string
	for _, b := range bindings {
		parts = append(parts, b.Name+" = "+b.Value)
	}
	return strings.Join(parts, ", ")
}

// proofReport is the answer of rossi/proofObligations, and the message $/rossi/proofStatus.
type proofReport struct {
	URI         string          `json:"uri,omitempty"`
	Version     int             `json:"version,omitempty"`
	Obligations []proofLine     `json:"obligations"`
	Blocks      []obligationRow `json:"blocks"`
}

type proofLine struct {
	Name        string          `json:"name"`
	Component   string          `json:"component"`
	Project     string          `json:"project"`
	Description string          `json:"description"`
	Range       protocol.Range  `json:"range"`
	Status      string          `json:"status"`            // in rossi's words
	Verdict     verdict.Verdict `json:"verdict,omitempty"` // none while it is not known
	End         verdict.End     `json:"end,omitempty"`     // of an open one: exhausted or budget
	Expected    string          `json:"expected,omitempty"`
	Steps       int64           `json:"steps,omitempty"`
	Accurate    bool            `json:"accurate"`
	// Counterexample is that of a refuted one.
	Counterexample *verdict.Violation `json:"counterexample,omitempty"`
}

type obligationRow struct {
	Name   string         `json:"name"`
	Header string         `json:"header"`
	Range  protocol.Range `json:"range"`
}

func (s *server) proofObligations(ctx context.Context, params *protocol.DocumentParams) (*proofReport, error) {
	h, snap, path := s.of(ctx, params.TextDocument.URI)
	if snap == nil {
		return nil, nil
	}
	return snap.obligationsOf(path, s.answers(h, snap)), nil
}

// obligationsOf lists the obligations of the components of a file.
func (x *snapshot) obligationsOf(path string, answers []*answer) *proofReport {
	out := &proofReport{Obligations: []proofLine{}, Blocks: []obligationRow{}}
	components, _ := x.written(path)
	src := x.source(path)
	for _, component := range components {
		for _, event := range component.Events {
			out.Blocks = append(out.Blocks, obligationRow{event.Label.Text, event.Label.Text, src.span(event.Span.From, event.Span.To)})
		}
	}
	for i, a := range x.asked {
		if !slices.ContainsFunc(components, a.in) {
			continue
		}
		line := proofLine{Name: a.Name, Component: a.Component, Project: a.Project, Description: a.Nature, Range: x.rangeOf(a.place()), Status: "unattempted", Accurate: a.accurate()}
		if known := answers[i]; known != nil {
			line.Verdict, line.End, line.Steps, line.Status, line.Counterexample = known.verdict, known.end, known.steps, rossiStatus(known.verdict, line.Accurate), known.violation
			if expected := a.expected(known); expected != nil {
				line.Expected = expected.Why
			}
		}
		out.Obligations = append(out.Obligations, line)
	}
	return out
}

// rossiStatus is a verdict in rossi's words: what it calls discharged is proved, of the
// model as it was written, by a proof that needs the goal.
func rossiStatus(v verdict.Verdict, accurate bool) string {
	switch {
	case v == verdict.Proved && accurate:
		return "discharged"
	case v == verdict.Refuted, v == verdict.Vacuous:
		return "broken"
	}
	return "pending"
}

type proofStateParams struct {
	TextDocument protocol.DocumentID `json:"textDocument"`
	Name         string              `json:"name"`
	Component    string              `json:"component,omitempty"` // where a name alone is not enough
}

// proofState is one sequent.
type proofState struct {
	Name        string          `json:"name"`
	Component   string          `json:"component"`
	Description string          `json:"description"`
	Identifiers []identifier    `json:"identifiers"`
	Hypotheses  []string        `json:"hypotheses"`
	Selected    []int           `json:"selected"`
	Goal        string          `json:"goal"`
	Verdict     verdict.Verdict `json:"verdict,omitempty"`
	Text        string          `json:"text"`
}

type identifier struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

func (s *server) proofState(ctx context.Context, params *proofStateParams) (*proofState, error) {
	h, snap, a := s.obligation(ctx, params)
	if a == nil {
		return nil, nil
	}
	known := s.answers(h, snap)[slices.Index(snap.asked, a)]
	out := &proofState{Name: a.Name, Component: a.Component, Description: a.Nature, Text: sequentText(a, known)}
	shown := report.ObligationOf(a.Obligation)
	out.Hypotheses, out.Selected, out.Goal = shown.Hypotheses, shown.Selected, shown.Goal
	out.Identifiers = identifiers(a.Obligation)
	if known != nil {
		out.Verdict = known.verdict
	}
	return out, nil
}

// identifiers lists those of an obligation by name.
func identifiers(o *po.Obligation) (out []identifier) {
	for name, typ := range report.ObligationOf(o).Types {
		out = append(out, identifier{name, typ})
	}
	slices.SortFunc(out, func(a, b identifier) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// obligation returns an obligation of a document, nil if there is none of that name.
func (s *server) obligation(ctx context.Context, params *proofStateParams) (*home, *snapshot, *asked) {
	h, snap, path := s.of(ctx, params.TextDocument.URI)
	if snap == nil {
		return nil, nil, nil
	}
	components, _ := snap.written(path)
	for _, a := range snap.asked {
		if a.Name == params.Name && (params.Component == "" || a.Component == params.Component) && slices.ContainsFunc(components, a.in) {
			return h, snap, a
		}
	}
	return h, snap, nil
}

// sequentText is a sequent as a text that people read, with its verdict.
func sequentText(a *asked, known *answer) string {
	var out strings.Builder
	if known == nil {
		fmt.Fprintln(&out, "// not asked yet")
	} else {
		fmt.Fprintf(&out, "// %s, %d steps\n", known.found(), known.steps)
		if !a.accurate() {
			fmt.Fprintln(&out, "// inaccurate: something of the component, or of what it builds on, is wrong")
		}
		for _, i := range known.used {
			fmt.Fprintf(&out, "// uses %s\n", a.HypothesisLabel(i))
		}
		if v := known.violation; v != nil {
			fmt.Fprintf(&out, "// false: %s\n", v.Failing)
			for _, row := range []struct {
				what     string
				bindings []verdict.Binding
			}{{"constants", v.Constants}, {"before", v.Before}, {"parameters", v.Params}, {"after", v.After}} {
				if len(row.bindings) > 0 {
					fmt.Fprintf(&out, "//   %-10s  %s\n", row.what, equations(row.bindings))
				}
			}
		}
	}
	fmt.Fprintln(&out)
	report.Sequent(&out, report.Style{}, a.Obligation, true)
	return out.String()
}
