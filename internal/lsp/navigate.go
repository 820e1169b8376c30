package lsp

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/lsp/names"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic/notation"
	"github.com/gradine/gradine/project"
)

// find returns the occurrence at a place.
func (s *server) find(ctx context.Context, params *protocol.PositionParams) (*home, *snapshot, *names.Occurrence) {
	h, snap, path := s.of(ctx, params.TextDocument.URI)
	if snap == nil {
		return nil, nil, nil
	}
	if !project.IsText(path) && !project.IsScenario(path) {
		return h, snap, nil // of kernels no name is one of their machines'
	}
	return h, snap, snap.names().Find(path, snap.source(path).offset(params.Position))
}

func (s *server) definition(ctx context.Context, params *protocol.PositionParams) (*protocol.Location, error) {
	_, snap, o := s.find(ctx, params)
	if o == nil || o.To.Decl.File == "" {
		return nil, nil
	}
	at := snap.locationOf(o.To.Decl)
	return &at, nil
}

type referenceParams struct {
	protocol.PositionParams
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

func (s *server) references(ctx context.Context, params *referenceParams) ([]protocol.Location, error) {
	_, snap, o := s.find(ctx, &params.PositionParams)
	if o == nil {
		return nil, nil
	}
	out := []protocol.Location{}
	for _, x := range snap.names().Occurrences(o.To) {
		if params.Context.IncludeDeclaration || !x.Declares {
			out = append(out, snap.locationOf(x.Span))
		}
	}
	return out, nil
}

type highlight struct {
	Range protocol.Range `json:"range"`
	Kind  int            `json:"kind"` // 2: read, 3: declared
}

// highlights answers textDocument/documentHighlight: the places of a name in its file.
func (s *server) highlights(ctx context.Context, params *protocol.PositionParams) ([]highlight, error) {
	_, snap, o := s.find(ctx, params)
	if o == nil {
		return nil, nil
	}
	out := []highlight{}
	for _, x := range snap.names().Occurrences(o.To) {
		if x.Span.File == o.Span.File {
			kind := 2
			if x.Declares {
				kind = 3
			}
			out = append(out, highlight{snap.rangeOf(x.Span), kind})
		}
	}
	return out, nil
}

// hover answers textDocument/hover: a name, an operator, an obligation, or a setting of a project file.
func (s *server) hover(ctx context.Context, params *protocol.PositionParams) (*protocol.Hover, error) {
	h, snap, o := s.find(ctx, params)
	if snap == nil {
		return nil, nil
	}
	path := pathOf(params.TextDocument.URI)
	src := snap.source(path)
	at := src.offset(params.Position)
	switch {
	case o == nil && (project.IsText(path) || project.IsScenario(path)):
		return operatorHover(src, at), nil
	case o == nil:
		return snap.hoverProjectFile(filepath.ToSlash(path), newSource(snap.textOf(path)).offset(params.Position), s.answers(h, snap)), nil
	}
	var out strings.Builder
	fmt.Fprintf(&out, "```eventb\n%s\n```\n", describe(o.To))
	if o.To.Doc != "" {
		fmt.Fprintf(&out, "\n%s\n", o.To.Doc)
	}
	snap.table(&out, o.To, s.answers(h, snap))
	return &protocol.Hover{Contents: protocol.Markup{Kind: "markdown", Value: out.String()}, Range: snap.rangeOf(o.Span)}, nil
}

// describe says what e is, with its type if the checker has found one.
func describe(e *names.Entity) string {
	switch e.Kind {
	case names.Axiom, names.Invariant, names.Variant, names.Guard, names.Action:
		return fmt.Sprintf("%s @%s %s", e.Kind, e.Name, e.Text)
	case names.Event:
		return fmt.Sprintf("event %s of %s", e.Name, e.Component.Name.Text)
	case names.Context, names.Machine, names.Bound:
		return fmt.Sprintf("%s %s", e.Kind, e.Name)
	}
	out := fmt.Sprintf("%s %s", e.Kind, e.Name)
	if typ := e.Type(); typ != "" {
		out += " ⦂ " + typ
	}
	if e.Event != nil {
		return fmt.Sprintf("%s  // of %s/%s", out, e.Component.Name.Text, e.Event.Label.Text)
	}
	return fmt.Sprintf("%s  // of %s", out, e.Component.Name.Text)
}

// table writes the obligations about a labelled element, an event or a component.
func (x *snapshot) table(out *strings.Builder, e *names.Entity, answers []*answer) {
	const most = 20 // rows
	rows := 0
	for i, a := range x.asked {
		if !a.about(e) {
			continue
		}
		if rows++; rows > most {
			continue
		}
		if rows == 1 {
			out.WriteString("\n| obligation | verdict | steps |\n|---|---|---|\n")
		}
		verdict, steps := "…", ""
		if known := answers[i]; known != nil {
			verdict, steps = known.found(), fmt.Sprint(known.steps)
			if a.expected(known) != nil {
				verdict += ", as expected"
			}
			if !a.accurate() {
				verdict += ", inaccurate"
			}
		}
		fmt.Fprintf(out, "| %s | %s | %s |\n", a.Path(), verdict, steps)
	}
	if rows > most {
		fmt.Fprintf(out, "\nand %d more\n", rows-most)
	}
	for i, a := range x.asked {
		if known := answers[i]; a.about(e) && known != nil && known.violation != nil {
			counterexample(out, a, known.violation)
		}
	}
}

// counterexample writes the states before and after the event.
func counterexample(out *strings.Builder, a *asked, violation *verdict.Violation) {
	fmt.Fprintf(out, "\n**%s**: `%s` is false\n", a.Path(), violation.Failing)
	for _, b := range append(slices.Clone(violation.Constants), violation.Params...) {
		fmt.Fprintf(out, "\n- `%s = %s`", b.Name, b.Value)
	}
	out.WriteString("\n\n| variable | before | after |\n|---|---|---|\n")
	for _, row := range violation.State() {
		fmt.Fprintf(out, "| %s | %s | %s |\n", row.Name, row.Before, row.After)
	}
}

// about reports whether a is an obligation of e: a component, an event or something with
// a label.
func (a *asked) about(e *names.Entity) bool {
	switch {
	case e.Component == nil || !a.in(e.Component):
		return false
	case e.Kind == names.Context || e.Kind == names.Machine:
		return true
	case e.Kind == names.Event:
		return a.Event != nil && a.Event.Label == e.Name
	case e.Kind.Labelled():
		for _, source := range a.Sources {
			if source.Origin.Span == e.Decl {
				return true
			}
		}
	}
	return false
}

// wordMeanings say what operators stand for that are words, and so need no name.
var wordMeanings = map[string]string{
	"BOOL": "the set of TRUE and FALSE", "TRUE": "the truth value of what holds", "FALSE": "the truth value of what does not hold",
	"bool": "bool(P): TRUE if P holds, and FALSE if it does not", "card": "card(S): how many elements the finite set S has",
	"dom": "dom(r): the first components of the pairs of r", "ran": "ran(r): the second components of the pairs of r",
	"finite": "finite(S): S has finitely many elements", "id": "the pairs x ↦ x", "max": "max(S): the greatest number of S, which is not empty and has one",
	"min": "min(S): the least number of S, which is not empty and has one", "mod": "a mod b: the remainder of a ÷ b, for a ≥ 0 and b > 0",
	"partition": "partition(S, T, …): S is the union of the others, no two of which have an element in common",
	"prj1":      "the pairs (x ↦ y) ↦ x", "prj2": "the pairs (x ↦ y) ↦ y", "pred": "the pairs n ↦ n − 1", "succ": "the pairs n ↦ n + 1",
	"union": "union(S): the elements of the sets in S", "inter": "inter(S): the elements that all sets in S have; S is not empty",
}

// operatorHover says what an operator is called.
func operatorHover(src *source, at int) *protocol.Hover {
	for _, tok := range lang.Tokens(src.text) {
		if tok.From <= at && at < tok.To && tok.Kind == lang.OperatorToken && tok.Unicode != "" {
			for _, e := range notation.All() {
				if e.Unicode == tok.Unicode {
					value := fmt.Sprintf("`%s`", e.Readable())
					if len(e.ASCII) > 0 {
						value += fmt.Sprintf(", in ASCII `%s`", strings.Join(e.ASCII, "` or `"))
					}
					what := e.Op.String()
					if meaning := wordMeanings[e.Unicode]; meaning != "" {
						what = meaning
					}
					return &protocol.Hover{Contents: protocol.Markup{Kind: "markdown", Value: value + ": " + what}, Range: src.span(tok.From, tok.To)}
				}
			}
		}
	}
	return nil
}

func (s *server) documentSymbols(ctx context.Context, params *protocol.DocumentParams) ([]protocol.DocumentSymbol, error) {
	_, snap, path := s.of(ctx, params.TextDocument.URI)
	if snap == nil {
		return nil, nil
	}
	out := []protocol.DocumentSymbol{}
	file, _ := snap.file(path)
	if file == nil {
		return out, nil
	}
	src := snap.source(path)
	for _, component := range file.Components {
		out = append(out, componentSymbol(src, component))
	}
	return out, nil
}

// componentSymbol is the outline of a component, with its elements as children.
func componentSymbol(src *source, component *lang.Component) protocol.DocumentSymbol {
	leaf := func(name lang.Name, detail string, kind int) protocol.DocumentSymbol {
		at := src.span(name.Span.From, name.Span.To)
		return protocol.DocumentSymbol{Name: cmpName(name), Detail: detail, Kind: kind, Range: at, SelectionRange: at}
	}
	out := leaf(component.Name, "context", protocol.KindModule)
	if component.Kind == lang.MachineKind {
		out = leaf(component.Name, "machine", protocol.KindClass)
	}
	out.Range = src.span(component.Span.From, component.Span.To)
	// Declarations come in the order of the clauses that a person writes, then the elements.
	for _, names := range []struct {
		list   []lang.Name
		detail string
		kind   int
	}{{component.Sets, "set", protocol.KindEnum}, {component.Constants, "constant", protocol.KindConstant}, {component.Variables, "variable", protocol.KindVariable}} {
		for _, name := range names.list {
			out.Children = append(out.Children, leaf(name, names.detail, names.kind))
		}
	}
	var event *protocol.DocumentSymbol
	for _, e := range names.ElementsOf(component) {
		symbol := protocol.DocumentSymbol{Name: cmpName(e.Name), Detail: e.Kind.String(), Kind: protocol.KindProperty, Range: src.span(e.From, e.To)}
		symbol.SelectionRange = symbol.Range
		if e.Kind == names.Variant {
			symbol.Kind = protocol.KindNumber
		}
		if e.Kind != names.Event {
			if e.Event == nil {
				out.Children = append(out.Children, symbol)
			} else {
				event.Children = append(event.Children, symbol)
			}
			continue
		}
		// What follows an event in the list is part of it, until the next one.
		symbol.Kind, symbol.SelectionRange = protocol.KindFunction, src.span(e.Name.Span.From, e.Name.Span.To)
		for _, name := range e.Event.Parameters {
			symbol.Children = append(symbol.Children, leaf(name, "parameter", protocol.KindParameter))
		}
		out.Children = append(out.Children, symbol)
		event = &out.Children[len(out.Children)-1]
	}
	return out
}

// cmpName is what a symbol is called: an editor refuses one without a name.
func cmpName(name lang.Name) string {
	if name.Text == "" {
		return "(without a name)"
	}
	return name.Text
}

// workspaceSymbols answers workspace/symbol: the declarations of all projects whose names have the letters of the query.
func (s *server) workspaceSymbols(ctx context.Context, params struct {
	Query string `json:"query"`
}) ([]protocol.WorkspaceSymbol, error) {
	s.mu.Lock()
	homes := slices.Collect(maps.Values(s.homes))
	s.mu.Unlock()
	var snaps []*snapshot
	for _, h := range homes {
		if snap := s.take(ctx, h); snap != nil {
			snaps = append(snaps, snap)
		}
	}
	slices.SortFunc(snaps, func(a, b *snapshot) int { return strings.Compare(a.home, b.home) })
	kinds := map[names.Kind]int{names.Context: protocol.KindModule, names.Machine: protocol.KindClass, names.Set: protocol.KindEnum, names.Constant: protocol.KindConstant, names.Variable: protocol.KindVariable, names.Event: protocol.KindFunction,
		names.Axiom: protocol.KindProperty, names.Invariant: protocol.KindProperty, names.Variant: protocol.KindProperty, names.Guard: protocol.KindProperty, names.Action: protocol.KindProperty}
	// An editor asks again with each letter; no reader wants more than this.
	const most = 500
	out := []protocol.WorkspaceSymbol{}
	for _, snap := range snaps {
		for _, e := range snap.names().All {
			kind, ok := kinds[e.Kind]
			if !ok || len(out) == most || !strings.Contains(strings.ToLower(e.Name), strings.ToLower(params.Query)) || e.Decl.File == "" {
				continue
			}
			symbol := protocol.WorkspaceSymbol{Name: e.Name, Kind: kind, Location: snap.locationOf(e.Decl)}
			if e.Kind != names.Context && e.Kind != names.Machine {
				symbol.ContainerName = e.Component.Name.Text
			}
			out = append(out, symbol)
		}
	}
	return out, nil
}

// The tree of refinements is shown as a hierarchy of calls: an event is called by those
// that refine it.

func (s *server) prepareHierarchy(ctx context.Context, params *protocol.PositionParams) ([]protocol.CallItem, error) {
	_, snap, o := s.find(ctx, params)
	if o == nil || o.To.Kind != names.Event {
		return nil, nil
	}
	return []protocol.CallItem{snap.item(o.To)}, nil
}

func (x *snapshot) item(e *names.Entity) protocol.CallItem {
	at := x.locationOf(e.Decl)
	return protocol.CallItem{Name: e.Name, Detail: e.Component.Name.Text, Kind: protocol.KindFunction, URI: at.URI, Range: x.rangeOf(e.Event.Span), SelectionRange: at.Range}
}

type hierarchyParams struct {
	Item protocol.CallItem `json:"item"`
}

type incomingCall struct {
	From       protocol.CallItem `json:"from"`
	FromRanges []protocol.Range  `json:"fromRanges"`
}

type outgoingCall struct {
	To         protocol.CallItem `json:"to"`
	FromRanges []protocol.Range  `json:"fromRanges"`
}

func (s *server) refining(ctx context.Context, params *hierarchyParams) ([]incomingCall, error) {
	snap, e := s.itemEntity(ctx, params.Item)
	out := []incomingCall{}
	if e == nil {
		return out, nil
	}
	for _, x := range snap.names().All {
		if x.Kind == names.Event && x.Project == e.Project && slices.Contains(snap.abstractOf(x), e) {
			out = append(out, incomingCall{snap.item(x), []protocol.Range{snap.rangeOf(x.Decl)}})
		}
	}
	return out, nil
}

func (s *server) refined(ctx context.Context, params *hierarchyParams) ([]outgoingCall, error) {
	snap, e := s.itemEntity(ctx, params.Item)
	out := []outgoingCall{}
	if e == nil {
		return out, nil
	}
	for _, x := range snap.abstractOf(e) {
		out = append(out, outgoingCall{snap.item(x), []protocol.Range{snap.rangeOf(e.Decl)}})
	}
	return out, nil
}

func (s *server) itemEntity(ctx context.Context, item protocol.CallItem) (*snapshot, *names.Entity) {
	_, snap, o := s.find(ctx, &protocol.PositionParams{TextDocument: protocol.DocumentID{URI: item.URI}, Position: item.SelectionRange.Start})
	if o == nil || o.To.Kind != names.Event {
		return nil, nil
	}
	return snap, o.To
}

// abstractOf returns the events that e refines.
func (x *snapshot) abstractOf(e *names.Entity) (out []*names.Entity) {
	machine := e.Project.Dev.Machine(e.Component.Name.Text)
	if machine == nil {
		return nil
	}
	event := machine.Event(e.Name)
	if event == nil {
		return nil
	}
	for _, above := range event.Refines {
		for _, other := range x.names().All {
			if other.Kind == names.Event && other.Project == e.Project && other.Decl == above.Origin.Span {
				out = append(out, other)
			}
		}
	}
	return out
}
