package lang

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/antlr4-go/antlr/v4"
	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang/internal/gen"
	"github.com/gradine/gradine/lang/internal/scan"
	"github.com/gradine/gradine/lang/internal/unmerged"
	"github.com/gradine/gradine/logic"
)

// maxErrors bounds the syntax errors reported of one file.
const maxErrors = 50

// Initialisation is the label of the event that sets a machine up.
const Initialisation = "INITIALISATION"

// defaultVariant is the label of a variant that has none.
const defaultVariant = "vrn"

// WithLineFeeds is a text whose lines end as those of most systems do: a carriage return by
// itself ended a line once, and editors show it so. All bytes stay in their places.
func WithLineFeeds(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	out := []byte(text)
	for i, b := range out {
		if b == '\r' && (i+1 == len(out) || out[i+1] != '\n') {
			out[i] = '\n'
		}
	}
	return string(out)
}

// Parse reads a text file. It always returns a file, which holds what could be
// understood; problems go to diags. A formula with problems is nil in the tree.
func Parse(path string, src []byte, diags *diag.List) *File {
	text, conflict := unmerged.Ours(WithLineFeeds(string(src)))
	r := &reader{text: text, file: &File{Path: path}, diags: diags, reservedNames: map[string]bool{}, faulty: map[string]bool{}, torn: map[string]bool{}}
	if p, ok := checkText(r.text); !ok {
		diags.Add(diag.Diagnostic{
			Code: p.Code, Span: diag.Span{File: path, From: p.From, To: p.To, Line: 1 + strings.Count(r.text[:p.From], "\n")},
			Message: p.Message, Help: p.Help,
		})
		return r.file
	}
	r.locator = newLocator(path, r.text)
	if conflict >= 0 {
		r.report(codeStructure, conflict, conflict, "choose one side and delete the markers; until then, gradine reads the first side",
			"unmerged: a merge left conflict markers here")
	}
	disguised := r.directions()
	lexer := gen.NewEventBLexer(&bytesStream{src: r.text})
	lexer.RemoveErrorListeners()
	tokens := antlr.NewCommonTokenStream(lexer, antlr.TokenDefaultChannel)
	tokens.Fill()
	r.tokens = tokens.GetAllTokens()
	r.comments()
	r.statuses()
	// What does not fit the grammar is mended before the parser runs: its own recovery
	// would drop the rest of the file and report what follows from the first mistake.
	tokens.SetTokenSource(&tokenList{TokenSource: lexer, tokens: r.mend()})
	tokens.Fill()
	r.tokens = tokens.GetAllTokens()
	parser := gen.NewEventBParser(tokens)
	parser.RemoveErrorListeners()
	parser.AddErrorListener(r)
	parser.GetInterpreter().SetPredictionMode(antlr.PredictionModeSLL)
	for _, n := range parser.File().GetChildren() {
		switch n := n.(type) {
		case *gen.ComponentContext:
			for _, c := range children(n, gen.EventBParserRULE_context, gen.EventBParserRULE_machine) {
				r.component(c)
			}
		case antlr.TerminalNode:
			if list := r.file.Components; n.GetSymbol().GetTokenType() == gen.EventBLexerEND && len(list) > 0 {
				r.end(n.GetSymbol(), list[len(list)-1])
			}
		}
	}
	r.closed()
	attachDocs(r.file)
	for _, component := range r.file.Components {
		component.Faulty = conflict >= 0 || disguised || r.faulty[component.Name.Text]
		component.Torn = r.torn[component.Name.Text]
	}
	r.file.Complete = r.errors == 0 && !r.misfit
	return r.file
}

// bytesStream lets ANTLR count bytes instead of code points.
type bytesStream struct {
	src string
	at  int
}

func (s *bytesStream) Consume() {
	_, n := scan.Decode(s.src, s.at)
	s.at += n
}

// LA is the character i places ahead, or behind for negative i, as ANTLR's streams define it.
func (s *bytesStream) LA(i int) int {
	at := s.at
	if i < 0 {
		_, n := utf8.DecodeLastRuneInString(s.src[:at])
		if at -= n; n == 0 {
			return antlr.TokenEOF
		}
		i = 1
	}
	for ; at < len(s.src); i-- {
		char, n := scan.Decode(s.src, at)
		if i == 1 {
			return int(char)
		}
		at += n
	}
	return antlr.TokenEOF
}

func (s *bytesStream) Mark() int             { return -1 }
func (s *bytesStream) Release(int)           {}
func (s *bytesStream) Index() int            { return s.at }
func (s *bytesStream) Seek(at int)           { s.at = min(at, len(s.src)) }
func (s *bytesStream) Size() int             { return len(s.src) }
func (s *bytesStream) GetSourceName() string { return "" }

func (s *bytesStream) GetText(from, to int) string {
	return s.src[min(from, len(s.src)):min(to+1, len(s.src))]
}

func (s *bytesStream) GetTextFromTokens(from, to antlr.Token) string {
	return s.GetText(from.GetStart(), to.GetStop())
}

func (s *bytesStream) GetTextFromInterval(i antlr.Interval) string { return s.GetText(i.Start, i.Stop) }

// A reader makes the syntax tree of a file out of ANTLR's parse tree.
type reader struct {
	*locator
	*antlr.DefaultErrorListener
	text   string
	tokens []antlr.Token
	file   *File
	diags  *diag.List
	errors int
	line   int // of the last error in the structure
	cut    bool
	misfit bool     // the text does not fit the grammar, reported or not
	stated bool     // the event has a status
	path   []string // labels from the component down, for diagnostics

	faulty        map[string]bool // components with errors
	torn          map[string]bool // … among their own clauses
	reservedNames map[string]bool // words of formulas that the file takes for names
}

// report adds a problem at the present place of the model, unless there are too many already.
func (r *reader) report(code string, from, to int, help, format string, args ...any) {
	r.errors++
	if len(r.path) > 0 {
		r.faulty[r.path[0]] = true
		r.torn[r.path[0]] = r.torn[r.path[0]] || len(r.path) == 1
	}
	if r.errors == maxErrors+1 {
		r.diags.Add(diag.Diagnostic{Code: codeTooMany, Span: r.span(from, to), Message: "too many errors; gradine reports no further errors of this file"})
	}
	if r.errors > maxErrors {
		return
	}
	r.diags.Add(diag.Diagnostic{
		Code: code, Span: r.span(from, to), Element: strings.Join(r.path, "/"),
		Message: fmt.Sprintf(format, args...), Help: help,
	})
}

// directions reports the characters that make text run in another direction than it is written: with
// them a line shows something else than it says, such as a formula that is a comment.
func (r *reader) directions() (found bool) {
	for at, char := range r.text {
		if '\u202A' <= char && char <= '\u202E' || '\u2066' <= char && char <= '\u2069' {
			found = true
			r.report(codeDirection, at, at+utf8.RuneLen(char), "delete the character; editors do not show it, and display the text after it in another order",
				"the control character %U changes the direction of the text, so the line is displayed in another order", char)
		}
	}
	return found
}

// statuses makes a name of each word status that no status of an event follows:
// it is a common name of variables.
func (r *reader) statuses() {
	last := -1
	for i, t := range r.tokens {
		if t.GetChannel() != antlr.TokenDefaultChannel {
			continue
		}
		switch t.GetTokenType() {
		case gen.EventBLexerORDINARY, gen.EventBLexerCONVERGENT, gen.EventBLexerANTICIPATED:
		default:
			if last >= 0 && r.tokens[last].GetTokenType() == gen.EventBLexerSTATUS {
				r.tokens[last] = nameToken{r.tokens[last]}
			}
		}
		last = i
	}
}

// nameToken is a keyword that stands for a name.
type nameToken struct{ antlr.Token }

func (nameToken) GetTokenType() int { return gen.EventBLexerNAME }

// comments collects the comments of the file.
func (r *reader) comments() {
	for _, t := range r.tokens {
		if t.GetTokenType() != gen.EventBLexerCOMMENT {
			continue
		}
		from, to := t.GetStart(), t.GetStop()+1
		text := r.text[from:to]
		if strings.HasPrefix(text, "/*") && (len(text) < 4 || !strings.HasSuffix(text, "*/")) {
			r.report(codeUnclosed, from, from+2, "close the comment with */", "the comment is never closed")
			r.cut = true
		}
		r.file.Comments = append(r.file.Comments, Comment{Span: r.span(from, to), Text: strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\r")})
	}
}

// SyntaxError is called by ANTLR for what does not fit the grammar. Of several
// errors on one line, the first counts.
func (r *reader) SyntaxError(parser antlr.Recognizer, at any, _, _ int, _ string, _ antlr.RecognitionException) {
	r.misfit = true
	t, ok := at.(antlr.Token)
	if !ok {
		return
	}
	from, to := t.GetStart(), t.GetStop()+1
	if t.GetTokenType() == antlr.TokenEOF {
		from, to = len(r.text), len(r.text)
	}
	line := r.locator.line(from)
	// | r.cut|One mistake upsets the rest of its line; and where the text was cut short, its end is no
	// mistake of the author.
	if line == r.line || r.cut && from == len(r.text) {
		return
	}
	r.line = line
	found := "the end of the file"
	if from < to {
		found = "‘" + r.text[from:to] + "’"
	}
	code, help := codeStructure, ""
	if t.GetTokenType() == gen.EventBLexerUNKNOWN {
		code, help = codeCharacter, lookAlike[r.text[from:to]]
	}
	p := parser.(antlr.Parser)
	what := expected(p.GetExpectedTokens(), p.GetSymbolicNames())
	if before := r.tokenBefore(t); before != nil && what == "a formula" {
		found += " after ‘" + r.text[before.GetStart():before.GetStop()+1] + "’"
	}
	r.report(code, from, to, help, "expected %s, found %s", what, found)
}

func (r *reader) tokenBefore(t antlr.Token) antlr.Token {
	for i := t.GetTokenIndex() - 1; i >= 0; i-- {
		if r.tokens[i].GetChannel() == antlr.TokenDefaultChannel {
			return r.tokens[i]
		}
	}
	return nil
}

// expected lists the tokens of a set for people.
func expected(set *antlr.IntervalSet, names []string) string {
	var words []string
	add := func(w string) {
		if !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	has := map[int]bool{}
	for _, i := range set.GetIntervals() {
		for t := i.Start; t < i.Stop; t++ {
			has[t] = true
		}
	}
	// Where a formula may begin, nearly all tokens are possible, and where a name may
	// stand, most keywords are: a list of them would not help.
	if has[gen.EventBLexerOPERATOR] {
		return "a formula"
	}
	if has[gen.EventBLexerNAME] {
		add("a name")
	}
	for t := range names {
		switch {
		case !has[t] || has[gen.EventBLexerNAME] && t < gen.EventBLexerWORD && t != gen.EventBLexerEND:
		case t == gen.EventBLexerLABEL:
			add("a label")
		case t < gen.EventBLexerWORD:
			add(strings.ToLower(names[t]))
		}
	}
	if has[antlr.TokenEOF] {
		add("the end of the file")
	}
	if len(words) > 1 {
		return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
	}
	return strings.Join(words, "")
}

// children returns those of n that belong to one of the given rules.
func children(n antlr.ParserRuleContext, rule ...int) []antlr.ParserRuleContext {
	var found []antlr.ParserRuleContext
	for _, c := range n.GetChildren() {
		if c, ok := c.(antlr.ParserRuleContext); ok && slices.Contains(rule, c.GetRuleIndex()) {
			found = append(found, c)
		}
	}
	return found
}

// extent is the range of n's text; from > to if n is empty or broken.
func extent(n antlr.ParserRuleContext) (from, to int) {
	start, stop := n.GetStart(), n.GetStop()
	if broken(n) {
		return 1, 0
	}
	if start == nil || stop == nil || stop.GetTokenIndex() < start.GetTokenIndex() {
		return 1, 0
	}
	return start.GetStart(), stop.GetStop() + 1
}

// broken reports whether ANTLR skipped or made up tokens in n.
func broken(n antlr.ParserRuleContext) bool {
	return slices.ContainsFunc(n.GetChildren(), func(c antlr.Tree) bool {
		switch c := c.(type) {
		case antlr.ErrorNode:
			return true
		case antlr.ParserRuleContext:
			return broken(c)
		}
		return false
	})
}

// whole is the span of n, broken or not.
func (r *reader) whole(n antlr.ParserRuleContext) diag.Span {
	from, to := n.GetStart().GetStart(), len(r.text)
	if stop := n.GetStop(); stop != nil {
		to = max(from, stop.GetStop()+1)
	}
	return r.span(min(from, to), to)
}

func (r *reader) component(n antlr.ParserRuleContext) {
	c := &Component{Kind: ContextKind}
	if n.GetRuleIndex() == gen.EventBParserRULE_machine {
		c.Kind = MachineKind
	}
	c.Span = r.whole(n)
	if names := r.refs(n, gen.EventBParserRULE_contextRef, gen.EventBParserRULE_machineRef); len(names) > 0 {
		c.Name = names[0]
	}
	r.path = []string{c.Name.Text}
	for _, clause := range children(n, gen.EventBParserRULE_contextClause, gen.EventBParserRULE_machineClause) {
		r.clause(c, clause)
	}
	r.file.Components = append(r.file.Components, c)
}

// end closes c.
func (r *reader) end(t antlr.Token, c *Component) {
	c.Span.To = t.GetStop() + 1
	c.Clauses = append(c.Clauses, Clause{Keyword: "end", Span: r.span(t.GetStart(), t.GetStop()+1)})
}

// closed reports a last component without end, which is how a file looks that was
// cut off between two clauses. CamilleX does without it.
func (r *reader) closed() {
	list := r.file.Components
	if r.errors > 0 || r.misfit || len(list) == 0 {
		return // what is wrong further up may be the reason
	}
	if r.unended() {
		return
	}
	component := list[len(list)-1]
	if n := len(component.Clauses); n == 0 || component.Clauses[n-1].Keyword != "end" {
		r.path = []string{component.Name.Text}
		what := [...]string{ContextKind: "context", MachineKind: "machine"}[component.Kind]
		r.report(codeStructure, component.Name.Span.From, component.Name.Span.To, "write end after the last clause of the component; the file may be truncated", "%s ‘%s’ has no end", what, component.Name.Text)
	}
}

// unended reports whether the last component of the file needs no end.
func (r *reader) unended() bool {
	ext := path.Ext(r.file.Path)
	return ext == ".bumx" || ext == ".bucx"
}

// keyword returns the first keyword of a clause, and notes its place.
func (r *reader) keyword(n antlr.ParserRuleContext, clauses *[]Clause) int {
	t, ok := n.GetChild(0).(antlr.TerminalNode)
	if !ok {
		return antlr.TokenInvalidType
	}
	kind := t.GetSymbol().GetTokenType()
	if word, ok := clauseWords[kind]; ok {
		*clauses = append(*clauses, Clause{Keyword: word, Span: r.span(t.GetSymbol().GetStart(), t.GetSymbol().GetStop()+1)})
	}
	return kind
}

var clauseWords = map[int]string{
	gen.EventBLexerEXTENDS: "extends", gen.EventBLexerSETS: "sets", gen.EventBLexerCONSTANTS: "constants",
	gen.EventBLexerAXIOMS: "axioms", gen.EventBLexerTHEOREMS: "theorems", gen.EventBLexerREFINES: "refines",
	gen.EventBLexerSEES: "sees", gen.EventBLexerVARIABLES: "variables", gen.EventBLexerINVARIANTS: "invariants",
	gen.EventBLexerVARIANT: "variant", gen.EventBLexerEVENTS: "events", gen.EventBLexerSTATUS: "status",
	gen.EventBLexerANY: "any", gen.EventBLexerWHERE: "where", gen.EventBLexerWHEN: "where",
	gen.EventBLexerWITH: "with", gen.EventBLexerWITNESS: "with", gen.EventBLexerTHEN: "then", gen.EventBLexerBEGIN: "then",
}

// clause reads one clause of a component.
func (r *reader) clause(component *Component, n antlr.ParserRuleContext) {
	for _, e := range children(n, gen.EventBParserRULE_event) {
		r.event(component, e)
		return
	}
	switch kind := r.keyword(n, &component.Clauses); kind {
	case gen.EventBLexerEXTENDS:
		component.Extends = append(component.Extends, r.refs(n, gen.EventBParserRULE_contextRef)...)
	case gen.EventBLexerREFINES:
		component.Refines = append(component.Refines, r.refs(n, gen.EventBParserRULE_machineRef)...)
		r.named(n, "machine")
	case gen.EventBLexerSEES:
		component.Sees = append(component.Sees, r.refs(n, gen.EventBParserRULE_machineRef)...)
	case gen.EventBLexerSETS:
		component.Sets = append(component.Sets, r.names(n)...)
	case gen.EventBLexerCONSTANTS:
		component.Constants = append(component.Constants, r.names(n)...)
	case gen.EventBLexerVARIABLES:
		component.Variables = append(component.Variables, r.names(n)...)
	case gen.EventBLexerAXIOMS, gen.EventBLexerINVARIANTS, gen.EventBLexerTHEOREMS:
		list := r.predicates(n, kind == gen.EventBLexerTHEOREMS)
		// The grammar is the same for both; which list a predicate belongs to is a matter of the
		// component.
		if component.Kind == ContextKind {
			component.Axioms = append(component.Axioms, list...)
		} else {
			component.Invariants = append(component.Invariants, list...)
		}
	case gen.EventBLexerVARIANT:
		r.variants(component, n)
	}
}

// event reads an event with its clauses.
func (r *reader) event(component *Component, n antlr.ParserRuleContext) {
	e := &Event{}
	e.Span = r.whole(n)
	if names := r.refs(n, gen.EventBParserRULE_eventRef); len(names) > 0 {
		e.Label = names[0]
	}
	r.path = append(r.path[:1:1], e.Label.Text)
	r.stated = false
	defer func() { r.path = r.path[:1] }()
	r.status(e, n)
	for _, clause := range children(n, gen.EventBParserRULE_eventClause) {
		r.eventClause(e, clause)
	}
	if t := n.GetStop(); t != nil && t.GetTokenType() == gen.EventBLexerEND {
		e.Clauses = append(e.Clauses, Clause{Keyword: "end", Span: r.span(t.GetStart(), t.GetStop()+1)})
	}
	if e.Extended && e.Label.Text == Initialisation && len(e.Refines) == 1 && e.Refines[0].Text == Initialisation {
		e.Refines = nil // understood
	}
	component.Events = append(component.Events, e)
}

// status reads the convergence of an event. The grammar lets it stand in several places, as authors do; of two, the last one
// counts, after a problem.
func (r *reader) status(event *Event, n antlr.ParserRuleContext) {
	for _, s := range children(n, gen.EventBParserRULE_anyStatus) {
		if from, to := extent(s); r.stated {
			r.report(codeStructure, from, to, "delete one of the keywords", "the convergence of event ‘%s’ is stated twice", event.Label.Text)
		}
		r.stated = true
		switch s.GetStart().GetTokenType() {
		case gen.EventBLexerORDINARY:
			event.Convergence = Ordinary
		case gen.EventBLexerCONVERGENT:
			event.Convergence = Convergent
		case gen.EventBLexerANTICIPATED:
			event.Convergence = Anticipated
		}
	}
}

// named reports a clause that names nothing: without the name, a refinement would
// pass for a machine or event of its own.
func (r *reader) named(n antlr.ParserRuleContext, what string) {
	if len(n.GetChildren()) == 1 {
		t := n.GetStart()
		r.report(codeStructure, t.GetStart(), t.GetStop()+1, "write the name, or delete the keyword", "expected the name of the refined %s after ‘%s’", what, t.GetText())
	}
}

// eventClause reads one clause of an event.
func (r *reader) eventClause(event *Event, n antlr.ParserRuleContext) {
	switch r.keyword(n, &event.Clauses) {
	case gen.EventBLexerEXTENDS:
		event.Extended = true
		event.Refines = append(event.Refines, r.refs(n, gen.EventBParserRULE_eventRef)...)
	case gen.EventBLexerREFINES:
		event.Refines = append(event.Refines, r.refs(n, gen.EventBParserRULE_eventRef)...)
		r.named(n, "event")
	case gen.EventBLexerSTATUS:
		r.status(event, n)
	case gen.EventBLexerANY:
		event.Parameters = append(event.Parameters, r.names(n)...)
	case gen.EventBLexerWHERE, gen.EventBLexerWHEN:
		event.Guards = append(event.Guards, r.predicates(n, false)...)
	case gen.EventBLexerWITH, gen.EventBLexerWITNESS:
		event.Witnesses = append(event.Witnesses, r.predicates(n, false)...)
	case gen.EventBLexerTHEN, gen.EventBLexerBEGIN:
		r.actions(event, n)
	}
}

func (r *reader) name(n antlr.ParserRuleContext) Name {
	from, to := extent(n)
	if from > to {
		return Name{}
	}
	text := r.text[from:to]
	return Name{Text: scan.Unquote(text), Span: r.span(from, to), Reserved: r.reservedNames[text]}
}

func (r *reader) names(n antlr.ParserRuleContext) []Name {
	var list []Name
	for _, c := range children(n, gen.EventBParserRULE_contextName, gen.EventBParserRULE_machineName, gen.EventBParserRULE_eventName) {
		if name := r.name(c); !name.Span.IsZero() {
			list = append(list, name)
		}
	}
	return list
}

// refs reads names that may hold hyphens.
func (r *reader) refs(n antlr.ParserRuleContext, rule ...int) []Name {
	var list []Name
	for _, c := range children(n, rule...) {
		from, to := extent(c)
		if from > to {
			continue
		}
		text := r.text[from:to]
		if strings.IndexFunc(text, scan.IsBlank) >= 0 && text[0] != '`' {
			r.report(codeStructure, from, to, "remove the spaces, or quote the name in backquotes", "‘%s’ is not a name", text)
			continue
		}
		list = append(list, Name{Text: scan.Unquote(text), Span: r.span(from, to)})
	}
	return list
}

// item is a formula of a clause with what stands before it.
type item struct {
	label    Name
	theorem  bool
	mark     diag.Span // what stands before the formula last
	from, to int       // of the formula
}

// items lists the formulas of a clause. A label without formula is an error.
func (r *reader) items(clause antlr.ParserRuleContext) []item {
	var list []item
	for _, n := range children(clause, gen.EventBParserRULE_contextItems, gen.EventBParserRULE_machineItems, gen.EventBParserRULE_eventItems) {
		next := item{label: Name{Absent: true}}
		for _, c := range children(n, gen.EventBParserRULE_mark, gen.EventBParserRULE_contextFormula, gen.EventBParserRULE_machineFormula, gen.EventBParserRULE_eventFormula) {
			if c.GetRuleIndex() != gen.EventBParserRULE_mark {
				if next.from, next.to = extent(c); next.from < next.to {
					list = append(list, next)
				}
				next = item{label: Name{Absent: true}}
				continue
			}
			t := c.GetStart()
			from, to := t.GetStart(), t.GetStop()+1
			if t.GetTokenType() == gen.EventBLexerTHEOREM {
				next.theorem = true
			} else {
				// A label after a label: the first one has no formula.
				if !next.label.Absent {
					r.noFormula(next)
				}
				next.label = Name{Text: scan.Unquote(strings.TrimSuffix(r.text[from+1:to], ":")), Span: r.span(from, to)}
			}
			next.mark = r.span(from, to)
		}
		r.noFormula(next)
	}
	return list
}

// noFormula reports a label or theorem that no formula follows.
func (r *reader) noFormula(it item) {
	if s := it.mark; !s.IsZero() {
		r.report(codeStructure, s.From, s.To, "write the formula, or delete the label", "expected a formula after ‘%s’", r.text[s.From:s.To])
	}
}

// formulas reads the formulas of a clause with read, reports their problems and
// places their spans. Formulas without label may follow each other, each on new
// lines.
func formulas[T any](r *reader, clause antlr.ParserRuleContext, read func(*grouper) *T, add func(item, Source, *T)) {
	for _, it := range r.items(clause) {
		outer := r.path
		if !it.label.Absent {
			r.path = append(r.path[:len(r.path):len(r.path)], it.label.Text)
		}
		text := r.text[it.from:it.to]
		tokens := r.retake(text, scan.Words(text, scan.Text))
		if problems := badTokens(text, tokens); problems != nil {
			r.problems(it.from, problems)
			add(it, Source{Text: text, Span: r.span(it.from, it.to)}, nil)
		} else {
			readAll(r, &grouper{src: text, tokens: tokens, labelled: !it.label.Absent}, it, read, add)
		}
		r.path = outer
	}
}

// retake makes names of the reserved words that the file has declared as names,
// so that the mistake is not reported again where they are used.
func (r *reader) retake(text string, tokens []scan.Token) []scan.Token {
	for i, t := range tokens {
		if t.Kind == scan.Sign && r.reservedNames[text[t.From:t.To]] {
			tokens[i].Kind = scan.Name
		}
	}
	return tokens
}

// readAll reads the formulas that g's tokens are.
func readAll[T any](r *reader, g *grouper, it item, read func(*grouper) *T, add func(item, Source, *T)) {
	for more := true; more; {
		from := g.next().From
		f := read(g)
		if more = g.startsAnother(); !more {
			g.finish()
		}
		to := g.lastEnd()
		if g.failed {
			to = len(g.src)
		}
		if len(g.problems) > 0 {
			f = nil
			r.problems(it.from, g.problems)
			g.problems = nil
		}
		add(it, Source{Text: g.src[from:to], Span: r.span(it.from+from, it.from+to)}, f)
	}
}

// startsAnother reports whether an operand begins the next line where an operator
// should stand: formulas without labels are told apart by that.
func (g *grouper) startsAnother() bool {
	t := g.next()
	if g.failed || g.labelled || !(t.Kind == scan.Name || t.Kind == scan.Number || t.Kind == scan.Sign && g.begins(t.Sign)) {
		return false
	}
	return strings.Contains(g.src[g.lastEnd():t.From], "\n")
}

func (r *reader) problems(at int, problems []Problem) {
	for _, p := range problems {
		// A string is a comment, so that the formula lacks what people take it for.
		before, behind := strings.TrimSpace(r.text[:at+p.From]), strings.TrimSpace(r.text[at+p.To:])
		if p.Help == "" && (strings.HasSuffix(before, `"`) || strings.HasPrefix(behind, `"`)) {
			p.Help = noStrings
		}
		r.report(p.Code, at+p.From, at+p.To, p.Help, "%s", p.Message)
	}
}

// shift moves spans that count from offset at to the file.
func (r *reader) shift(at int) func(diag.Span) diag.Span {
	return func(s diag.Span) diag.Span { return r.span(at+s.From, at+s.To) }
}

func (r *reader) predicates(clause antlr.ParserRuleContext, theorems bool) []*Predicate {
	var list []*Predicate
	formulas(r, clause, (*grouper).predicate, func(it item, src Source, f *Formula) {
		place(f, r.shift(it.from))
		list = append(list, &Predicate{Label: it.label, Theorem: theorems || it.theorem, Source: src, Formula: f})
	})
	return list
}

func (g *grouper) predicate() *Formula {
	p := g.operand(logic.Invalid)
	g.complete()
	g.want(p, true, "the whole formula")
	return p.f
}

// complete fails if more tokens follow than the formula has. That is said before
// what sort of formula it is: of x ! = y, x is not the mistake.
func (g *grouper) complete() {
	if !g.startsAnother() {
		g.finish()
	}
}

func (g *grouper) expression() *Formula {
	p := g.operand(logic.Invalid)
	g.complete()
	g.want(p, false, "the whole formula")
	return p.f
}

func (r *reader) variants(c *Component, clause antlr.ParserRuleContext) {
	formulas(r, clause, (*grouper).expression, func(it item, src Source, f *Formula) {
		r.noTheorem(it)
		if it.label.Absent {
			it.label = Name{Text: defaultVariant, Span: src.Span}
		}
		place(f, r.shift(it.from))
		c.Variants = append(c.Variants, &Variant{Label: it.label, Source: src, Formula: f})
	})
}

func (r *reader) actions(e *Event, clause antlr.ParserRuleContext) {
	formulas(r, clause, (*grouper).action, func(it item, src Source, a *Assignment) {
		r.noTheorem(it)
		a.place(r.shift(it.from))
		e.Actions = append(e.Actions, &Action{Label: it.label, Source: src, Assignment: a})
	})
}

func (r *reader) noTheorem(it item) {
	if it.theorem {
		r.report(codeStructure, it.from, it.to, "delete the word theorem", "only predicates can be theorems")
	}
}

// action reads an assignment, or skip.
func (g *grouper) action() *Assignment {
	t := g.next()
	if t.Kind == scan.Name && strings.EqualFold(g.text(t), "skip") {
		if after := g.tokens[g.at+1]; after.Kind != scan.Sign || after.Sign < scan.BecomesEqual && after.Sign != scan.LeftParen && after.Sign != scan.Comma {
			g.take()
			return &Assignment{Kind: Skip, Span: g.span(t.From, t.To)}
		}
	}
	return g.assignment()
}

func (a *Assignment) place(at func(diag.Span) diag.Span) {
	if a == nil {
		return
	}
	a.Span = at(a.Span)
	place(a.Index, at)
	for _, f := range slices.Concat(a.Left, a.Right) {
		place(f, at)
	}
}
