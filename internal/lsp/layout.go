package lsp

import (
	"context"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/lsp/names"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/edit"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/lang/scenario"
	"github.com/gradine/gradine/logic/notation"
	"github.com/gradine/gradine/project"
)

// formatted returns the text of a file in the canonical layout, and whether there is one:
// what has errors keeps its layout.
func formatted(path, text string) (string, bool) {
	var problems diag.List
	var out string
	// A formula with comments is kept as it is written, with the ends of its lines.
	ends := strings.Contains(text, "\r\n")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	switch {
	case project.IsHints(path):
		out = string(hints.Format(hints.Parse(path, []byte(text), &problems), lang.Options{}))
	case project.IsScenario(path):
		out = string(scenario.Format(scenario.Parse(path, []byte(text), &problems), lang.Options{}))
	case project.IsText(path):
		out = string(lang.Format(lang.Parse(path, []byte(text), &problems), lang.Options{}))
	default:
		return "", false
	}
	if problems.HasErrors() || edit.Layout(path, []byte(text), []byte(out)) != nil {
		return "", false
	}
	if ends {
		out = strings.ReplaceAll(out, "\n", "\r\n")
	}
	return out, true
}

func (s *server) formatting(ctx context.Context, params *protocol.DocumentParams) ([]protocol.TextEdit, error) {
	_, snap, path := s.of(ctx, params.TextDocument.URI)
	if snap == nil {
		return nil, nil
	}
	src := snap.source(path)
	text, ok := formatted(path, src.text)
	if !ok || text == src.text {
		return []protocol.TextEdit{}, nil
	}
	return []protocol.TextEdit{{Range: src.all(), NewText: text}}, nil
}

// rangeFormatting lays out the lines of a range: those that differ from the canonical
// layout, if their places in it are plain.
func (s *server) rangeFormatting(ctx context.Context, params *protocol.RangeParams) ([]protocol.TextEdit, error) {
	_, snap, path := s.of(ctx, params.TextDocument.URI)
	if snap == nil {
		return nil, nil
	}
	src := snap.source(path)
	text, ok := formatted(path, src.text)
	if !ok {
		return []protocol.TextEdit{}, nil
	}
	out := []protocol.TextEdit{}
	var edits []edit.Edit
	for _, e := range lineEdits(src, newSource(text)) {
		if e.Range.Start.Line <= params.Range.End.Line && e.Range.End.Line >= params.Range.Start.Line {
			out = append(out, e)
			edits = append(edits, edit.Edit{From: src.offset(e.Range.Start), To: src.offset(e.Range.End), With: e.NewText})
		}
	}
	// A part of the layout may be one of a comment or a clause that the rest goes with.
	if after, err := edit.Apply([]byte(src.text), edits...); err != nil || edit.Layout(path, []byte(src.text), after) != nil {
		return []protocol.TextEdit{}, nil
	}
	return out, nil
}

// lineEdits are the changes of whole lines that turn from into to. A formatter moves no lines, so both texts are walked
// side by side: lines that agree but for blanks and spellings of operators show that both are at the same place.
func lineEdits(from, to *source) (out []protocol.TextEdit) {
	a, b := lineKeys(from.text), lineKeys(to.text)
	at := func(s *source, line int) int {
		if line >= len(s.lines) {
			return len(s.text)
		}
		return s.lines[line]
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		if i < len(a) && j < len(b) && a[i] == b[j] {
			if old, now := from.text[at(from, i):at(from, i+1)], to.text[at(to, j):at(to, j+1)]; old != now {
				out = append(out, protocol.TextEdit{Range: from.span(at(from, i), at(from, i+1)), NewText: now})
			}
			i, j = i+1, j+1
			continue
		}
		// The nearest pair of equal lines, by the number d of lines skipped on both sides together, ends the part
		// that differs. Blank lines are equal everywhere, and so show nothing.
		n, m := len(a), len(b)
		for d := 1; d <= len(a)-i+len(b)-j; d++ {
			found := false
			for k := max(0, d-(len(b)-j)); k <= min(d, len(a)-i); k++ {
				if i+k < len(a) && j+d-k < len(b) && a[i+k] == b[j+d-k] && a[i+k] != "" {
					n, m, found = i+k, j+d-k, true
					break
				}
			}
			if found {
				break
			}
		}
		out = append(out, protocol.TextEdit{Range: from.span(at(from, i), at(from, n)), NewText: to.text[at(to, j):at(to, m)]})
		i, j = n, m
	}
	return out
}

// lineKeys are the lines of a text, blanks gone and operators in Unicode.
func lineKeys(text string) (out []string) {
	for line := range strings.SplitSeq(text, "\n") {
		var key strings.Builder
		for _, tok := range lang.Tokens(line) {
			if tok.Unicode != "" {
				key.WriteString(tok.Unicode)
			} else {
				key.WriteString(line[tok.From:tok.To])
			}
			key.WriteByte(' ')
		}
		out = append(out, key.String())
	}
	return out
}

type onTypeParams struct {
	protocol.PositionParams
	Ch string `json:"ch"`
}

// onType writes the operators of the line before what was just typed in Unicode, once
// nothing that follows can make another one of the last. Those before it are from when the
// editor did not wait for an answer.
func (s *server) onType(_ context.Context, params *onTypeParams) ([]protocol.TextEdit, error) {
	path := pathOf(params.TextDocument.URI)
	s.mu.Lock()
	doc := s.docs[path]
	s.mu.Unlock()
	if doc == nil || !hasFormulas(path) {
		return nil, nil
	}
	// The text is enough: an editor drops what comes after the next letter.
	src := doc.source
	at := src.offset(params.Position)
	line := src.lines[src.position(at).Line]
	if params.Ch == "\n" {
		at = max(0, line-1)
		line = strings.LastIndexByte(src.text[:at], '\n') + 1
	}
	// The line alone is looked at: what stands above may be a comment that is open.
	edits := []protocol.TextEdit{}
	for _, tok := range lang.Tokens(src.text[line:max(at, line)]) {
		text := src.text[line+tok.From : line+tok.To]
		if tok.To == at-line && params.Ch != "\n" {
			continue // the character itself, or what may go on
		}
		if tok.Kind == lang.OperatorToken && tok.Unicode != "" && tok.Unicode != text && readable(tok.Unicode) && !inComment(src.text, line+tok.From) {
			edits = append(edits, protocol.TextEdit{Range: src.span(line+tok.From, line+tok.To), NewText: tok.Unicode})
		}
	}
	return edits, nil
}

// readable reports whether fonts have the characters of an operator.
func readable(unicode string) bool {
	return !strings.ContainsFunc(unicode, func(r rune) bool { return 0xE000 <= r && r <= 0xF8FF })
}

func inComment(text string, at int) bool {
	for _, tok := range lang.Tokens(text) {
		if tok.From <= at && at < tok.To {
			return tok.Kind == lang.CommentToken || tok.Kind == lang.LabelToken
		}
	}
	return false
}

// The types of semantic tokens, by their numbers.
var tokenTypes = []string{"keyword", "variable", "parameter", "enumMember", "type", "function", "class", "namespace", "property", "operator", "number", "comment"}

type tokenType int

const (
	tokenKeyword tokenType = iota
	tokenVariable
	tokenParameter
	tokenConstant
	tokenSet
	tokenEvent
	tokenMachine
	tokenContext
	tokenLabel
	tokenOperator
	tokenNumber
	tokenComment
)

type semanticTokens struct {
	Data []int `json:"data"`
}

func (s *server) tokens(ctx context.Context, params *protocol.DocumentParams) (*semanticTokens, error) {
	return s.tokensIn(ctx, &protocol.RangeParams{TextDocument: params.TextDocument, Range: protocol.Range{End: protocol.Position{Line: 1 << 30}}})
}

func (s *server) rangeTokens(ctx context.Context, params *protocol.RangeParams) (*semanticTokens, error) {
	return s.tokensIn(ctx, params)
}

// tokensIn answers textDocument/semanticTokens for a range: keywords, names by kind, labels and comments.
func (s *server) tokensIn(ctx context.Context, params *protocol.RangeParams) (*semanticTokens, error) {
	_, snap, path := s.of(ctx, params.TextDocument.URI)
	if snap == nil {
		return nil, nil
	}
	src := snap.source(path)
	out := &semanticTokens{Data: []int{}}
	file, _ := snap.file(path)
	if file == nil {
		return out, nil
	}
	// Which names are keywords the syntax knows: event may be the name of a variable.
	keyword := map[int]bool{}
	for _, component := range file.Components {
		for _, c := range component.Clauses {
			keyword[c.Span.From] = true
		}
		for _, event := range component.Events {
			for _, c := range event.Clauses {
				keyword[c.Span.From] = true
			}
		}
	}
	occurrences := snap.names().At[path]
	last := protocol.Position{}
	for _, tok := range lang.Tokens(src.text) {
		text := src.text[tok.From:tok.To]
		i, named := slices.BinarySearchFunc(occurrences, tok.From, func(o names.Occurrence, at int) int { return o.Span.From - at })
		kind, ok := tokenKeyword, false
		switch {
		case tok.Kind == lang.NameToken && named:
			kind, ok = tokenOf(occurrences[i].To), true
		case tok.Kind == lang.NameToken:
			ok = keyword[tok.From] || slices.Contains(headWords, strings.ToLower(text))
		case tok.Kind == lang.LabelToken:
			kind, ok = tokenLabel, true
		case tok.Kind == lang.NumberToken:
			kind, ok = tokenNumber, true
		case tok.Kind == lang.OperatorToken:
			kind, ok = tokenOperator, tok.Unicode != ""
		case tok.Kind == lang.CommentToken:
			kind, ok = tokenComment, !strings.Contains(text, "\n") // most editors take one line at a time
		}
		at := src.position(tok.From)
		if !ok || at.Line < params.Range.Start.Line || at.Line > params.Range.End.Line {
			continue
		}
		delta := at.Character
		if at.Line == last.Line {
			delta -= last.Character
		}
		length := 0
		for _, char := range text {
			length += utf16Units(char)
		}
		out.Data = append(out.Data, at.Line-last.Line, delta, length, int(kind), 0)
		last = at
	}
	return out, nil
}

// headWords are the keywords that begin something with a name, and marks.
var headWords = []string{"context", "machine", "event", "events", "theorem", "convergent", "anticipated", "ordinary"}

func tokenOf(e *names.Entity) tokenType {
	if e.Kind.Labelled() {
		return tokenLabel
	}
	return [...]tokenType{names.Context: tokenContext, names.Machine: tokenMachine, names.Set: tokenSet, names.Constant: tokenConstant, names.Variable: tokenVariable, names.Parameter: tokenParameter, names.Event: tokenEvent, names.Bound: tokenParameter}[e.Kind]
}

// folding answers textDocument/foldingRange: components, clauses, events and comments.
func (s *server) folding(ctx context.Context, params *protocol.DocumentParams) ([]protocol.FoldingRange, error) {
	_, snap, path := s.of(ctx, params.TextDocument.URI)
	if snap == nil {
		return nil, nil
	}
	out := []protocol.FoldingRange{}
	file, _ := snap.file(path)
	if file == nil {
		return out, nil
	}
	src := snap.source(path)
	add := func(from, to int, kind string) {
		if a, b := src.position(from).Line, src.position(to).Line; b > a {
			out = append(out, protocol.FoldingRange{StartLine: a, EndLine: b, Kind: kind})
		}
	}
	for _, component := range file.Components {
		// A clause ends where the next one begins, less the blanks between them.
		add(component.Span.From, component.Span.To, "region")
		for i, c := range component.Clauses {
			if i+1 < len(component.Clauses) {
				next := component.Clauses[i+1].Span.From
				add(c.Span.From, len(strings.TrimRight(src.text[:next], " \t\r\n")), "")
			}
		}
		for _, event := range component.Events {
			add(event.Span.From, event.Span.To, "region")
		}
	}
	for _, c := range file.Comments {
		add(c.Span.From, c.Span.To, "comment")
	}
	return out, nil
}

type selectionParams struct {
	TextDocument protocol.DocumentID `json:"textDocument"`
	Positions    []protocol.Position `json:"positions"`
}

// selection widens a selection from the token to the formula, the element, the event,
// the component.
func (s *server) selection(ctx context.Context, params *selectionParams) ([]*protocol.SelectionRange, error) {
	_, snap, path := s.of(ctx, params.TextDocument.URI)
	if snap == nil || !hasFormulas(path) {
		return nil, nil
	}
	src := snap.source(path)
	file, _ := snap.file(path)
	out := []*protocol.SelectionRange{}
	for _, p := range params.Positions {
		at := src.offset(p)
		// Everything that holds the place is collected first and sorted then: syntax and tokens
		// overlap where a text has errors.
		spans := [][2]int{{0, len(src.text)}}
		add := func(from, to int) {
			if from <= at && at <= to && from < to {
				spans = append(spans, [2]int{from, to})
			}
		}
		if file != nil {
			for _, component := range file.Components {
				add(component.Span.From, component.Span.To)
			}
			for _, e := range names.Elements(file) {
				add(e.From, e.To)
			}
			enclosing(file, at, add)
		}
		for _, tok := range lang.Tokens(src.text) {
			add(tok.From, tok.To)
		}
		// The widest first; what does not lie inside the one before is left out.
		slices.SortStableFunc(spans, func(a, b [2]int) int { return (b[1] - b[0]) - (a[1] - a[0]) })
		var inner *protocol.SelectionRange
		last := [2]int{-1, len(src.text) + 1}
		for _, span := range spans {
			if span[0] >= last[0] && span[1] <= last[1] && span != last {
				inner = &protocol.SelectionRange{Range: src.span(span[0], span[1]), Parent: inner}
				last = span
			}
		}
		out = append(out, inner)
	}
	return out, nil
}

// enclosing hands the parts of formulas that a byte lies in to add.
func enclosing(file *lang.File, at int, add func(from, to int)) {
	var visit func(f *lang.Formula)
	visit = func(f *lang.Formula) {
		if f == nil || at < f.Span.From || at > f.Span.To {
			return
		}
		add(f.Span.From, f.Span.To)
		for _, arg := range f.Args {
			visit(arg)
		}
	}
	predicates := func(list []*lang.Predicate) {
		for _, p := range list {
			visit(p.Formula)
		}
	}
	// Left sides of assignments are formulas as well: f(x) ≔ y has three places to widen from.
	for _, component := range file.Components {
		predicates(component.Axioms)
		predicates(component.Invariants)
		for _, v := range component.Variants {
			visit(v.Formula)
		}
		for _, event := range component.Events {
			predicates(event.Guards)
			predicates(event.Witnesses)
			for _, a := range event.Actions {
				if a.Assignment != nil {
					for _, f := range slices.Concat(a.Assignment.Left, a.Assignment.Right) {
						visit(f)
					}
				}
			}
		}
	}
}

// operatorTable lists the spellings of operators, for the input methods of editors.
func (s *server) operatorTable(context.Context) ([]operatorRow, error) {
	out := []operatorRow{}
	for _, e := range notation.All() {
		for _, ascii := range e.ASCII {
			if e.Unicode != "" {
				out = append(out, operatorRow{e.Op.String(), e.Unicode, ascii})
			}
		}
	}
	return out, nil
}

type operatorRow struct {
	Name    string `json:"name"`
	Unicode string `json:"unicode"`
	ASCII   string `json:"ascii"`
}
