package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/gradine/gradine/internal/lsp/names"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic/notation"
	"github.com/gradine/gradine/project"
)

// operatorNames are the names that TeX and people have for operators, behind a backslash. An operator is also
// found by its ASCII spelling.
var operatorNames = map[string]string{
	"and": "∧", "or": "∨", "not": "¬", "forall": "∀", "exists": "∃", "in": "∈", "notin": "∉", "subset": "⊂", "subseteq": "⊆",
	"cup": "∪", "cap": "∩", "setminus": "∖", "times": "×", "emptyset": "∅", "nat": "ℕ", "int": "ℤ", "pow": "ℙ", "lambda": "λ",
	"implies": "⇒", "iff": "⇔", "leq": "≤", "geq": "≥", "neq": "≠", "mapsto": "↦", "to": "→", "rel": "↔", "pfun": "⇸", "tfun": "→",
	"pinj": "⤔", "tinj": "↣", "psur": "⤀", "tsur": "↠", "bij": "⤖", "dres": "◁", "ndres": "⩤", "rres": "▷", "nrres": "⩥",
	"circ": "∘", "parallel": "∥", "inv": "∼", "div": "÷", "top": "⊤", "bot": "⊥", "becomes": "≔", "union": "⋃", "inter": "⋂", "upto": "‥",
	"notsubset": "⊄", "notsubseteq": "⊈", "otimes": "⊗", "minus": "−", "ast": "∗",
}

// completion answers textDocument/completion: names, keywords and operators, or keys and values in project files.
func (s *server) completion(ctx context.Context, params *protocol.PositionParams) (*protocol.CompletionList, error) {
	h, snap, path := s.of(ctx, params.TextDocument.URI)
	out := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	if snap == nil {
		return out, nil
	}
	src := newSource(snap.textOf(path))
	at := src.offset(params.Position)
	if !hasFormulas(path) {
		out.Items = snap.completeProjectFile(path, at, s.answers(h, snap))
		return out, nil
	}
	line := src.text[src.lines[src.position(at).Line]:at]
	// A backslash is not an operator of its own here: what follows it is the name of one. It comes
	// first, since it may stand anywhere, even where nothing else is known.
	if i := strings.LastIndexByte(line, '\\'); i >= 0 && isWord(line[i+1:]) {
		out.Items = operatorItems(src, at-len(line)+i, at)
		return out, nil
	}
	if project.IsHints(path) || project.IsScenario(path) {
		out.Items = snap.completeProjectFile(path, at, s.answers(h, snap))
		return out, nil
	}
	from := at
	for from > 0 && isWord(src.text[from-1:from]) {
		from--
	}
	place := src.span(from, at)
	add := func(label, detail string, kind int) {
		out.Items = append(out.Items, protocol.CompletionItem{Label: label, Detail: detail, Kind: kind, TextEdit: &protocol.TextEdit{Range: place, NewText: quoted(label)}})
	}
	scope, component, event := snap.scopeAt(path, at)
	clause, behind := clauseAt(component, event, from)
	offerKeywords := func() {
		for _, word := range keywords(component, event) {
			add(word, "", protocol.CompleteKeyword)
		}
	}
	switch {
	case component == nil:
		for _, word := range []string{"context", "machine"} {
			add(word, "", protocol.CompleteKeyword)
		}
	// A clause that names something takes nothing but that.
	case clause == "sees" || clause == "refines" && event == nil || clause == "extends" && event == nil:
		snap.components(component, clause, add)
	case event != nil && (clause == "refines" || clause == "extends"):
		for _, above := range snap.abstract(component) {
			add(above.Label.Text, "event of "+component.Refines[0].Text, protocol.CompleteFunction)
		}
	case clause == "with" && strings.TrimSpace(src.text[src.lines[src.position(from).Line]:from]) == "@":
		for _, name := range snap.unwitnessed(component, event) {
			add(name, "needs a witness", protocol.CompleteVariable)
		}
	default:
		clause = ""
		// The innermost first, so that a parameter stands above a variable of its name.
		for _, e := range scope.List() {
			kind := protocol.CompleteVariable
			if e.Kind == names.Constant || e.Kind == names.Set {
				kind = protocol.CompleteConstant
			}
			detail := e.Kind.String()
			if typ := e.Type(); typ != "" {
				detail += " ⦂ " + typ
			}
			add(e.Name, detail, kind)
		}
		offerKeywords()
	}
	// A clause that names something may go on in the next line, or another one begins there.
	if clause == "sees" || clause == "refines" || clause == "extends" {
		if named := src.text[behind:from]; strings.Contains(named, "\n") && strings.ContainsFunc(named, isLetter) {
			offerKeywords()
		}
	}
	return out, nil
}

// hasFormulas reports whether a text of this name holds formulas of Event-B.
func hasFormulas(path string) bool {
	return project.IsText(path) || project.IsHints(path) || project.IsScenario(path)
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || r == '_' }

func isWord(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// operatorItems offers the operators in place of a backslash and what follows it.
func operatorItems(src *source, from, to int) (out []protocol.CompletionItem) {
	place := src.span(from, to)
	add := func(filter, text, detail string) {
		out = append(out, protocol.CompletionItem{Label: text, Detail: detail, Kind: protocol.CompleteOperator, FilterText: filter, TextEdit: &protocol.TextEdit{Range: place, NewText: text}})
	}
	names := make([]string, 0, len(operatorNames))
	for name := range operatorNames {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		add("\\"+name, operatorNames[name], "\\"+name)
	}
	for _, e := range notation.All() {
		if e.Unicode != "" && len(e.ASCII) > 0 && e.Unicode == e.Readable() {
			add("\\"+e.ASCII[0], e.Unicode, e.ASCII[0])
		}
	}
	return out
}

// quoted spells a name, in quotes where it needs them.
func quoted(name string) string {
	tokens := lang.Tokens(name)
	if len(tokens) == 1 && tokens[0].Kind == lang.NameToken && tokens[0].To == len(name) && !slices.Contains(reserved, strings.ToLower(name)) {
		return name
	}
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}

// reserved are the keywords of the language, which names may be in quotes only.
var reserved = []string{
	"context", "extends", "sets", "constants", "axioms", "theorems", "theorem", "machine", "refines", "sees", "variables", "vars", "invariants", "invariant", "invs",
	"variant", "events", "event", "status", "ordinary", "convergent", "anticipated", "any", "where", "when", "with", "witness", "then", "begin", "end",
}

// keywords are those of the clauses that may stand in a component or an event.
func keywords(component *lang.Component, event *lang.Event) []string {
	switch {
	case event != nil:
		return []string{"any", "where", "with", "then", "theorem", "end"}
	case component.Kind == lang.ContextKind:
		return []string{"extends", "sets", "constants", "axioms", "theorem", "end"}
	}
	return []string{"refines", "sees", "variables", "invariants", "theorem", "variant", "events", "event", "convergent", "anticipated", "end"}
}

// clauseAt is the keyword of the clause that a byte stands in, and where that ends.
func clauseAt(component *lang.Component, event *lang.Event, at int) (keyword string, behind int) {
	var clauses []lang.Clause
	switch {
	case event != nil:
		clauses = event.Clauses
	case component != nil:
		clauses = component.Clauses
	}
	for _, c := range clauses {
		if c.Span.To <= at {
			keyword, behind = c.Keyword, c.Span.To
		}
	}
	return keyword, behind
}

// components offers those that a clause of component may name.
func (x *snapshot) components(component *lang.Component, clause string, add func(label, detail string, kind int)) {
	want := names.Context
	if clause == "refines" {
		want = names.Machine
	}
	_, opened := x.file(component.Name.Span.File)
	for _, e := range x.names().All {
		if e.Kind == want && e.Project == opened && e.Component != component {
			add(e.Name, e.Kind.String(), protocol.CompleteModule)
		}
	}
}

// abstract lists the events of the machine that component refines.
func (x *snapshot) abstract(component *lang.Component) []*lang.Event {
	if component == nil || len(component.Refines) == 0 {
		return nil
	}
	_, opened := x.file(component.Name.Span.File)
	for _, e := range x.names().All {
		if e.Kind == names.Machine && e.Project == opened && e.Name == component.Refines[0].Text {
			return e.Component.Events
		}
	}
	return nil
}

// unwitnessed lists the identifiers that an event needs witnesses for and has none of:
// parameters of the refined events that it does not keep, and variables that vanish.
func (x *snapshot) unwitnessed(component *lang.Component, event *lang.Event) (out []string) {
	_, opened := x.file(component.Name.Span.File)
	machine := opened.Dev.Machine(component.Name.Text)
	if machine == nil || machine.Event(event.Label.Text) == nil {
		return nil
	}
	concrete := machine.Event(event.Label.Text)
	has := func(name string) bool {
		return slices.Contains(out, name) || slices.ContainsFunc(event.Witnesses, func(w *lang.Predicate) bool { return w.Label.Text == name })
	}
	for _, above := range concrete.Refines {
		for _, p := range above.Parameters {
			kept := slices.ContainsFunc(event.Parameters, func(n lang.Name) bool { return n.Text == p.Name }) || event.Extended
			if !kept && !has(p.Name) {
				out = append(out, p.Name)
			}
		}
	}
	// Of variables the primed name, for it is the value after the event that vanishes.
	for _, above := range concrete.Refines {
		for _, action := range above.Actions {
			for _, left := range action.Left {
				name := opened.Dev.Bank.Name(left)
				kept := slices.ContainsFunc(component.Variables, func(n lang.Name) bool { return n.Text == name })
				// A value that is given needs no witness.
				if !kept && action.Kind != 0 && !has(name+"'") {
					out = append(out, name+"'")
				}
			}
		}
	}
	return out
}

// signatureHelp shows the arguments of an operator that is written like a function.
func (s *server) signatureHelp(ctx context.Context, params *protocol.PositionParams) (*protocol.SignatureHelp, error) {
	_, snap, path := s.of(ctx, params.TextDocument.URI)
	if snap == nil || !hasFormulas(path) {
		return nil, nil
	}
	src := snap.source(path)
	at := src.offset(params.Position)
	type open struct {
		name   string
		commas int
	}
	var stack []open
	last := ""
	for _, tok := range lang.Tokens(src.text) {
		if tok.From >= at {
			break
		}
		text := src.text[tok.From:tok.To]
		switch {
		case tok.Kind == lang.LabelToken:
			stack = nil // of another formula
		case text == "(" || text == "[" || text == "{":
			stack = append(stack, open{name: last})
		case (text == ")" || text == "]" || text == "}") && len(stack) > 0:
			stack = stack[:len(stack)-1]
		case text == "," && len(stack) > 0:
			stack[len(stack)-1].commas++
		}
		last = text
	}
	if len(stack) == 0 {
		return nil, nil
	}
	top := stack[len(stack)-1]
	for _, e := range notation.All() {
		if e.Shape != notation.Call || e.Unicode != top.name && !slices.Contains(e.ASCII, top.name) {
			continue
		}
		arguments := []string{"S"}
		if e.Unicode == "partition" {
			arguments = []string{"S", "T, …"}
		}
		out := protocol.Signature{Label: fmt.Sprintf("%s(%s)", e.Readable(), strings.Join(arguments, ", "))}
		for _, a := range arguments {
			out.Parameters = append(out.Parameters, protocol.Parameter{Label: a})
		}
		return &protocol.SignatureHelp{Signatures: []protocol.Signature{out}, ActiveParameter: min(top.commas, len(arguments)-1)}, nil
	}
	return nil, nil
}
