package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/infer"
	"github.com/gradine/gradine/internal/lsp/names"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang/edit"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
)

// Some actions take a search: for an invariant that closes an obligation, or for a hint.
// They are offered where they may help, and searched for when somebody chooses them: by
// codeAction/resolve or, from an editor that does not know it, by a command, which hands
// the edit back in a request of its own. Their budgets are in steps; a search ends, too,
// when it is cancelled and when a text changes, for its edit would be of an older one.

const (
	searchInvariant = "invariant"
	searchHint      = "hint"
)

// insertCommand is the command of an editor that does not resolve actions.
const insertCommand = "gradine.insert"

// searchTime is the fuse of a search: the budgets end it before, but on slow machines.
const searchTime = 60 * time.Second

// searches offers what may close the obligations that are shown in a range as open or
// refuted.
func (f *fixer) searches(params *protocol.ActionParams) {
	for i, a := range f.snap.asked {
		known := f.answers[i]
		if known == nil || known.fault != "" || a.PartOf() != nil || a.expected(known) != nil || !slices.ContainsFunc(f.file.Components, a.in) {
			continue
		}
		shown, _ := f.snap.verdict(a, known)
		if shown == nil || shown.Range.Start.Line > params.Range.End.Line || shown.Range.End.Line < params.Range.Start.Line {
			continue
		}
		// What gradine.toml also asks for is not an obligation that infer aims at.
		if a.Machine != nil && a.Kind != po.DLF && a.Kind != po.ENB && (known.verdict == verdict.Open || known.verdict == verdict.Refuted) {
			f.search(*shown, a, searchInvariant, "Add an invariant that closes "+a.Name)
		}
		if known.verdict == verdict.Open {
			f.search(*shown, a, searchHint, "Add a hint that closes "+a.Name)
		}
	}
}

// search adds an action that takes a search.
func (f *fixer) search(shown protocol.Diagnostic, a *asked, kind, title string) {
	what := &protocol.Search{URI: uriOf(f.path), Kind: kind, Project: a.project.Name, Obligation: a.Path()}
	action := protocol.CodeAction{Title: title, Kind: "quickfix", Diagnostics: []protocol.Diagnostic{shown}, Data: what}
	if !f.server.resolve {
		action.Data, action.Command = nil, &protocol.Command{Title: title, Command: insertCommand, Arguments: []any{what}}
	}
	f.out = append(f.out, action)
}

func (s *server) resolveAction(ctx context.Context, action *protocol.CodeAction) (*protocol.CodeAction, error) {
	if action.Data == nil || action.Edit != nil {
		return action, nil
	}
	edit, err := s.found(ctx, action.Data)
	action.Edit = edit
	return action, err
}

// insert runs insertCommand.
func (s *server) insert(ctx context.Context, arguments []json.RawMessage) (*protocol.Executed, error) {
	var what protocol.Search
	if len(arguments) != 1 || json.Unmarshal(arguments[0], &what) != nil {
		return nil, refusal("%s: its argument is that of the action", insertCommand)
	}
	edit, err := s.found(ctx, &what)
	if err != nil {
		return nil, err
	}
	_, err = s.rpc.Callback(ctx, "workspace/applyEdit", map[string]any{"label": "gradine: " + what.Obligation, "edit": edit})
	return &protocol.Executed{Text: "closes " + what.Obligation + "\n"}, err
}

// found searches, and returns the edit that closes the obligation.
func (s *server) found(ctx context.Context, what *protocol.Search) (*protocol.WorkspaceEdit, error) {
	h, snap, _ := s.of(ctx, what.URI)
	if snap == nil {
		return nil, refusal("%s is not a file", what.URI)
	}
	// The request may come long after the offer: the obligation is looked up again, by name.
	i := slices.IndexFunc(snap.asked, func(a *asked) bool {
		return a.project.Name == what.Project && a.Path() == what.Obligation && a.PartOf() == nil
	})
	if i < 0 {
		return nil, refusal("there is no obligation %s", what.Obligation)
	}
	s.mu.Lock()
	present := h.present
	s.mu.Unlock()
	// Three ends: the request is cancelled, a text changes, the fuse burns down.
	timed, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	defer context.AfterFunc(present, cancel)()
	var edit *protocol.WorkspaceEdit
	var err error
	switch a := snap.asked[i]; what.Kind {
	case searchInvariant:
		edit, err = s.invariant(timed, snap, a)
	case searchHint:
		edit, err = s.hint(timed, snap, a)
	default:
		return nil, refusal("nothing called %s is searched for", what.Kind)
	}
	switch {
	// Which of them it was decides what the user is told; a change comes first, for it is
	// the one that asking again helps with.
	case !s.current(h, snap):
		return nil, overtaken()
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(timed.Err(), context.DeadlineExceeded):
		return nil, refusal("%s: nothing was found within %v; the command line has no such limit: gradine infer, gradine prove --suggest", what.Obligation, searchTime)
	}
	return edit, err
}

// current reports whether what is understood of h is still of the present texts.
func (s *server) current(h *home, snap *snapshot) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return h.snap == snap && h.taken == h.generation
}

// invariant looks for invariants that close an obligation of a machine.
func (s *server) invariant(ctx context.Context, snap *snapshot, a *asked) (*protocol.WorkspaceEdit, error) {
	if a.Machine == nil {
		return nil, refusal("%s is about a context, which has no invariants", a.Path())
	}
	scope := a.project.Scope(a.Machine)
	setup, err := a.project.Setup(a.Machine, scope, project.Overrides{})
	if err != nil {
		return nil, refusal("%v", err)
	}
	opts := infer.Options{Proving: discharge.Options{Store: s.opts.Store, Workers: s.workers()}, For: a.Name, Setups: []explore.Setup{setup}}
	found, err := infer.Infer(ctx, a.project.Dev, a.Machine, opts)
	switch {
	case err != nil:
		return nil, refusal("%v", err)
	case len(found.Open) == 1 && found.Open[0].Reach != nil && found.Open[0].Reach.Verdict == verdict.Reached:
		return nil, refusal("the machine gets into the state that refutes %s, which no invariant excludes: correct the event", a.Name)
	case len(found.Worth) == 0:
		return nil, refusal("none of %d candidates closes %s; gradine infer --explain --for %s says why they fell", len(found.Candidates), a.Name, a.Name)
	}
	insertion, err := a.project.InsertInvariants(a.Machine, found.Before, found.Development.Bank, found.Added())
	if err != nil {
		return nil, refusal("%v", err)
	}
	return s.editOf(snap, map[string]string{insertion.File: string(insertion.After())}), nil
}

// hint looks for hints that close an open obligation.
func (s *server) hint(ctx context.Context, snap *snapshot, a *asked) (*protocol.WorkspaceEdit, error) {
	found := explain.Suggest(ctx, a.Sequent(), project.Labels(a.Obligation), discharge.Options{Store: s.opts.Store, Workers: s.workers()})
	if !found.Verdict.Holds() {
		return nil, refusal("no hint closes %s: %s tried; gradine report why %s shows what is left", a.Name, report.Count(found.Tried, "list"), a.Path())
	}
	path := a.project.HintsFile(a.Obligation)
	after, err := edit.AppendHints(path, []byte(snap.textOf(path)), a.Path(), found.Lines)
	if err != nil {
		return nil, refusal("%v", err)
	}
	return s.editOf(snap, map[string]string{path: string(after)}), nil
}

// unused offers to delete the axiom, the invariant or the guard at a place if nothing
// uses it: without it the project has no new problem, and whatever is proved is proved by
// the same certificates, because their cores do without it.
func (f *fixer) unused(ctx context.Context, at int) {
	if _, opened := f.snap.file(f.path); opened.Problems.HasErrors() {
		return // a proof that is none of what was written says nothing of what it needs
	}
	for _, e := range names.Elements(f.file) {
		if e.Kind != names.Axiom && e.Kind != names.Invariant && e.Kind != names.Guard || at < e.From || at > e.To || f.restsOn(e) {
			continue
		}
		from, to := f.src.lines[f.src.position(e.From).Line], f.src.lineEnd(f.src.position(e.To).Line)
		mark := strings.TrimSpace(f.src.text[from:e.From])
		if mark != "" && mark != "theorem" || strings.TrimSpace(f.src.text[e.To:to]) != "" {
			continue // something else stands on its lines
		}
		to = min(to+1, len(f.src.text))
		if f.keeps(ctx, f.src.text[:from]+f.src.text[to:]) {
			what := e.Kind.String()
			if e.Theorem {
				what = "theorem"
			}
			f.offer(nil, fmt.Sprintf("Delete %s %s, which no proof uses", what, e.Name.Text), from, to, "", edit.Delete(from, to))
		}
	}
}

// restsOn reports whether a proof uses e, or whether that is not known yet: it tells
// soon what need not be tried.
func (f *fixer) restsOn(e *names.Element) bool {
	// What the proof needs well defined counts as used, too.
	for i, a := range f.snap.asked {
		known := f.answers[i]
		if known == nil {
			return true
		}
		for _, k := range slices.Concat(known.used, known.usedWD) {
			if p := a.Hypothesis(k); p != nil && p.Origin.Span.File == f.path && e.From <= p.Origin.Span.From && p.Origin.Span.From < e.To {
				return true
			}
		}
	}
	return false
}

// keeps reports whether the project with another text of the file keeps its proofs by the
// same certificates, and has no more problems.
func (f *fixer) keeps(ctx context.Context, changed string) bool {
	after := f.server.with(ctx, f.home, map[string]string{f.path: changed})
	if after.failed != nil || after.problems() > f.snap.problems() {
		return false
	}
	// Names tie the obligations of both texts together; what is new has no proof yet.
	was := map[string]int{}
	for i, a := range f.snap.asked {
		if _, twice := was[a.Project+"/"+a.Path()]; twice {
			return false // names that are not unique tell nothing
		}
		was[a.Project+"/"+a.Path()] = i
	}
	for _, now := range after.asked {
		i, ok := was[now.Project+"/"+now.Path()]
		if !ok || now.question != f.snap.asked[i].question && !f.answers[i].carries(f.snap.asked[i], now) {
			return false
		}
	}
	return true
}

// carries reports whether the proof of an obligation is one of another, too: it has the
// same goal, and the hypotheses that the proof uses.
func (known *answer) carries(was, now *asked) bool {
	if !known.verdict.Holds() {
		return false
	}
	s, t := was.Sequent(), now.Sequent()
	old, prints := text.NewFingerprinter(s.Bank), text.NewFingerprinter(t.Bank)
	there := map[text.Fingerprint]bool{}
	for _, hypothesis := range t.Hyps {
		there[prints.Term(hypothesis)] = true
	}
	for _, k := range slices.Concat(known.used, known.usedWD) {
		if !there[old.Term(s.Hyps[k])] {
			return false
		}
	}
	return old.Term(s.Goal) == prints.Term(t.Goal)
}
