package lang

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/antlr4-go/antlr/v4"
	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang/internal/gen"
	"github.com/gradine/gradine/lang/internal/scan"
	"github.com/gradine/gradine/logic/notation"
)

// A mender walks the tokens of a file before the parser does and repairs what
// does not fit the grammar: misspelt keywords, a missing end, words in the wrong
// place. Each repair is an error of the file, so its components never count as
// whole; but the rest of the file is still read and checked, and one fault gives
// one message. A file that fits the grammar passes unchanged, except for the
// commas between names, which are left out.
//
// It knows keywords, names and labels only: what is wrong inside a formula is the
// business of the grouper.
type mender struct {
	*reader
	in    []antlr.Token // those that the parser sees, with the end of the file
	at    int
	out   []antlr.Token
	taken map[int]int // kinds of tokens, by index, where the text says otherwise
	begin int         // length of out where the formulas of the clause begin
	label bool        // the formula being read has a label
	open  int         // the keyword of the component
	level level       // of the component
	name  string      // of the component
	close int         // index in out of the end of the last component, or -1
}

// madeToken is a token of another kind than its text, or one that no text has.
type madeToken struct {
	antlr.Token
	kind  int
	empty bool
}

func (t madeToken) GetTokenType() int { return t.kind }

func (t madeToken) GetStop() int {
	if t.empty {
		return t.GetStart() - 1
	}
	return t.Token.GetStop()
}

// tokenList hands tokens to the parser's stream.
type tokenList struct {
	antlr.TokenSource
	tokens []antlr.Token
	at     int
}

func (l *tokenList) NextToken() antlr.Token {
	t := l.tokens[min(l.at, len(l.tokens)-1)]
	l.at++
	return t
}

// mend returns the tokens that the parser shall see.
func (r *reader) mend() []antlr.Token {
	m := &mender{reader: r, taken: map[int]int{}, close: -1}
	for _, t := range r.tokens {
		if t.GetChannel() == antlr.TokenDefaultChannel {
			m.in = append(m.in, t)
		}
	}
	m.file()
	return append(m.out, m.in[len(m.in)-1])
}

// kind is the class of token i, which is that of its text unless it was mended.
func (m *mender) kind(i int) int {
	if i >= len(m.in) {
		return antlr.TokenEOF
	}
	if k, ok := m.taken[i]; ok {
		return k
	}
	return m.in[i].GetTokenType()
}

func (m *mender) next() int { return m.kind(m.at) }

// emit hands the next token on.
func (m *mender) emit() {
	t := m.in[m.at]
	if k, ok := m.taken[m.at]; ok {
		t = madeToken{Token: t, kind: k}
	}
	m.out = append(m.out, t)
	m.at++
}

// insert makes up a token before the next one.
func (m *mender) insert(kind int) {
	m.out = append(m.out, madeToken{Token: m.in[m.at], kind: kind, empty: true})
}

func (m *mender) text(i int) string { return m.reader.text[m.in[i].GetStart() : m.in[i].GetStop()+1] }

// describe names token i for people.
func (m *mender) describe(i int) string {
	if m.in[i].GetTokenType() == antlr.TokenEOF {
		return "the end of the file"
	}
	return "‘" + m.text(i) + "’"
}

// fault reports something about token i.
func (m *mender) fault(code string, i int, help, format string, args ...any) {
	from, to := m.in[i].GetStart(), m.in[i].GetStop()+1
	if m.in[i].GetTokenType() == antlr.TokenEOF {
		from, to = len(m.reader.text), len(m.reader.text)
	}
	m.report(code, from, to, help, format, args...)
}

// startsLine reports whether token i is the first one of its line.
func (m *mender) startsLine(i int) bool {
	s := m.span(m.in[i].GetStart(), m.in[i].GetStart())
	return strings.TrimLeft(m.reader.text[m.lines[s.Line-1]:s.From], " \t\uFEFF") == ""
}

func (m *mender) column(i int) int { return m.span(m.in[i].GetStart(), m.in[i].GetStart()).Col }

// isName reports whether token i could be a name at a level.
func (m *mender) isName(i int, at level) bool {
	switch k := m.kind(i); {
	case k == gen.EventBLexerNAME || k == gen.EventBLexerQUOTED:
		return true
	case k > 0 && k < gen.EventBLexerWORD:
		return !m.isKeyword(i, at)
	}
	return false
}

// isKeyword reports whether token i is a keyword at a level.
func (m *mender) isKeyword(i int, at level) bool { return keywordLevels[m.kind(i)]&at != 0 }

// endsOperand reports whether a formula may end with the token handed on last. A
// name behind it begins something new, for no formula holds two in a row.
func (m *mender) endsOperand() bool {
	t := m.out[len(m.out)-1]
	switch t.GetTokenType() {
	case gen.EventBLexerNAME, gen.EventBLexerQUOTED, gen.EventBLexerNUMBER, gen.EventBLexerALNUM, gen.EventBLexerPREDVAR:
		return true
	case gen.EventBLexerWORD, gen.EventBLexerOPERATOR:
		text := m.reader.text[t.GetStart() : t.GetStop()+1]
		if op, ok := scan.Word(text); ok {
			return notation.Of(op).Shape == notation.Atom
		}
		return slices.Contains([]string{"⊤", "⊥", "∅", "{}", "ℤ", "ℕ", "ℕ1", "∼", "~"}, text)
	case gen.EventBLexerPUNCTUATION:
		return strings.Contains(")]}", m.reader.text[t.GetStart():t.GetStop()+1])
	}
	return t.GetTokenType() < gen.EventBLexerWORD && len(m.out) > m.begin
}

// startsComponent reports whether token i begins a component: the word machine or
// context, first on its line, and a name.
func (m *mender) startsComponent(i int) bool {
	k := m.kind(i)
	return (k == gen.EventBLexerCONTEXT || k == gen.EventBLexerMACHINE) && m.startsLine(i) && m.isName(i+1, levelOf(k))
}

func levelOf(component int) level {
	if component == gen.EventBLexerCONTEXT {
		return inContext
	}
	return inMachine
}

// startsEvent reports whether token i begins an event.
func (m *mender) startsEvent(i int) bool {
	return m.kind(i) == gen.EventBLexerEVENT || isStatus(m.kind(i)) && m.kind(i+1) == gen.EventBLexerEVENT
}

func isStatus(kind int) bool {
	return kind == gen.EventBLexerORDINARY || kind == gen.EventBLexerCONVERGENT || kind == gen.EventBLexerANTICIPATED
}

// ---- misspelt keywords ----

// foreign are keywords of other languages, and what they are here.
var foreign = map[string]string{
	"guards": "where", "guard": "where", "actions": "then", "action": "then", "do": "then", "parameters": "any", "params": "any",
	"operations": "events", "properties": "axioms", "system": "machine", "model": "machine", "module": "machine", "select": "where",
	"variable": "variables", "constant": "constants", "axiom": "axioms", "set": "sets", "carrier": "sets", "witnesses": "with",
}

// camilleX are words of CamilleX for what Event-B itself does not have.
var camilleX = map[string]string{
	"includes": "inclusion of machines", "synchronises": "synchronisation of events", "synchronizes": "synchronisation of events",
	"contains": "data of other plug-ins", "record": "records", "records": "records", "inherits": "records",
}

// ofCamilleX reports the next token if it begins what only CamilleX has, and goes
// on behind that.
func (m *mender) ofCamilleX(at level) bool {
	what := camilleX[strings.ToLower(m.text(m.at))]
	if what == "" || !m.isName(m.at+1, at) {
		return false
	}
	m.fault(codeStructure, m.at, "use the Rodin project that CamilleX generates from it, without this file", "‘%s’ belongs to CamilleX (%s), which gradine does not read", m.text(m.at), what)
	m.skip(at)
	return true
}

// keyword is what token i, a name, was probably meant for at a level, and its kind.
func (m *mender) keywordFor(i int, at level) (word string, kind int) {
	if m.kind(i) != gen.EventBLexerNAME {
		return "", 0
	}
	var known []string
	for w, levels := range keywords {
		if levels&at != 0 {
			known = append(known, w)
		}
	}
	slices.Sort(known)
	text := strings.ToLower(m.text(i))
	word = foreign[text]
	if !slices.Contains(known, word) {
		word = diag.Nearest(text, known)
		// A word that was not written to its end is one that begins so.
		if i := slices.IndexFunc(known, func(w string) bool { return strings.HasPrefix(w, text) && len(w) == len(text)+1 }); i >= 0 {
			word = known[i]
		}
	}
	if word == "" {
		return "", 0
	}
	return word, keywordKinds[word]
}

// keywordKinds are the kinds of the keywords' tokens.
var keywordKinds = func() map[string]int {
	kinds := map[string]int{}
	lexer := gen.NewEventBLexer(nil)
	for kind := gen.EventBLexerCONTEXT; kind < gen.EventBLexerWORD; kind++ {
		kinds[strings.ToLower(lexer.SymbolicNames[kind])] = kind
	}
	for synonym, word := range map[string]string{"vars": "variables", "invs": "invariants", "invariant": "invariants"} {
		kinds[synonym] = kinds[word]
	}
	return kinds
}()

// keywordLevels are the levels where a token of each kind is a keyword.
var keywordLevels = func() map[int]level {
	levels := map[int]level{gen.EventBLexerSTATUS: inEvent}
	for word, at := range keywords {
		levels[keywordKinds[word]] |= at
	}
	return levels
}()

// respell takes token i for a keyword, and says so.
func (m *mender) respell(i int, word string, kind int) {
	m.fault(codeStructure, i, fmt.Sprintf("did you mean `%s`?", word), "‘%s’ is not a keyword, and a name is not allowed here", m.text(i))
	m.taken[i] = kind
}

// ---- files and components ----

func (m *mender) file() {
	for m.next() != antlr.TokenEOF {
		switch k := m.next(); {
		case k == gen.EventBLexerCONTEXT || k == gen.EventBLexerMACHINE:
			m.component()
		case m.close >= 0 && m.close == len(m.out)-1 && m.continues():
			m.reopen()
		default:
			m.stray()
		}
	}
}

// continues reports whether what comes next could stand in a machine.
func (m *mender) continues() bool {
	return m.level == inMachine && m.startsEvent(m.at) || m.next() != gen.EventBLexerEND && m.isKeyword(m.at, m.level) && m.startsLine(m.at)
}

// reopen takes back the end of the last component: more of it follows.
func (m *mender) reopen() {
	from := m.out[m.close].GetStart()
	m.report(codeStructure, from, from+len("end"), "delete the extra `end`", "this ‘end’ closes %s, but %s follows", m.name, m.describe(m.at))
	m.out = m.out[:m.close]
	m.body()
}

// stray reports what stands outside of components, and goes on with the next one.
func (m *mender) stray() {
	if m.ofCamilleX(inMachine) {
		return
	}
	if i := m.at; m.isName(i+1, inMachine) {
		if word := diag.Nearest(m.text(i), []string{"context", "machine"}); word != "" || foreign[strings.ToLower(m.text(i))] == "machine" {
			if word == "" {
				word = "machine"
			}
			m.respell(i, word, keywordKinds[word])
			return
		}
	}
	if m.next() == gen.EventBLexerEND {
		m.unexpected("this %s closes nothing", "delete it, or the `end` before it")
	} else {
		m.unexpected("expected context or machine, found %s", cmp.Or(foreignLanguage(m.reader.text), "write context NAME … end or machine NAME … end"))
	}
	for m.next() != antlr.TokenEOF && !m.startsComponent(m.at) {
		m.at++
	}
}

// unexpected reports the next token, which may be a character of no meaning.
func (m *mender) unexpected(format, help string) {
	code := codeStructure
	if m.next() == gen.EventBLexerUNKNOWN {
		code = codeCharacter
		if h := lookAlike[m.text(m.at)]; h != "" {
			help = h
		}
	}
	m.fault(code, m.at, help, format, m.describe(m.at))
}

// component reads a context or machine.
func (m *mender) component() {
	m.open, m.level, m.name = m.at, levelOf(m.next()), ""
	m.emit()
	if !m.ref(m.level) {
		m.unexpected("expected a name, found %s", "name the component")
		m.out = m.out[:len(m.out)-1]
		for m.next() != antlr.TokenEOF && !m.startsComponent(m.at) {
			m.at++
		}
		return
	}
	m.name = m.since(m.open + 1)
	m.body()
}

// since is the name that begins with token i and was handed on last.
func (m *mender) since(i int) string {
	return scan.Unquote(m.reader.text[m.in[i].GetStart() : m.out[len(m.out)-1].GetStop()+1])
}

// body reads the clauses of the component that m.open begins, and its end.
func (m *mender) body() {
	m.path = []string{m.name}
	defer func() { m.path = nil }()
	for {
		switch k := m.next(); {
		case k == antlr.TokenEOF:
			return // Parse says what is missing
		case k == gen.EventBLexerEND:
			m.close = len(m.out)
			m.emit()
			return
		case m.startsComponent(m.at):
			m.unclosed(m.open, [...]string{inContext: "context", inMachine: "machine"}[m.level], m.name)
			m.close = len(m.out)
			m.insert(gen.EventBLexerEND)
			return
		case m.level == inMachine && m.startsEvent(m.at):
			m.event()
		case m.clause(m.level):
		default:
			m.misplaced(m.level)
		}
	}
}

// unclosed reports the component or event that token open begins.
func (m *mender) unclosed(open int, what, name string) {
	help := "write `end` at the end of the file"
	if m.next() != antlr.TokenEOF {
		help = fmt.Sprintf("write `end` before %s in line %d", m.describe(m.at), m.locator.line(m.in[m.at].GetStart()))
	}
	m.fault(codeUnclosed, open, help, "%s `%s` has no end", what, name)
}

// clause reads a clause of a level, if one begins here.
func (m *mender) clause(at level) bool {
	k := m.next()
	switch {
	case !m.isKeyword(m.at, at) || isStatus(k) || k == gen.EventBLexerEND || k == gen.EventBLexerTHEOREM || k == gen.EventBLexerEVENT:
		return false
	case k == gen.EventBLexerEVENTS:
		m.emit()
	case k == gen.EventBLexerSTATUS:
		m.emit()
		m.emit() // statuses has seen to it that one follows
	default:
		m.emit()
		switch k {
		case gen.EventBLexerSETS, gen.EventBLexerCONSTANTS, gen.EventBLexerVARIABLES, gen.EventBLexerANY:
			m.names(at, false)
		case gen.EventBLexerEXTENDS, gen.EventBLexerREFINES, gen.EventBLexerSEES:
			m.names(at, true)
		default:
			m.items(at)
		}
	}
	return true
}

// misplaced reports a token that begins no clause, and goes on behind it.
func (m *mender) misplaced(at level) {
	if m.ofCamilleX(at) {
		return
	}
	if word, kind := m.keywordFor(m.at, at); kind != 0 && kind != gen.EventBLexerTHEOREM {
		m.respell(m.at, word, kind)
		return
	}
	if m.next() == gen.EventBLexerLABEL || m.next() == gen.EventBLexerTHEOREM {
		m.missingClause(at)
		return
	}
	if at == inMachine && m.isBareEvent() {
		m.fault(codeStructure, m.at, "write event "+m.text(m.at), "the word event is missing before %s", m.describe(m.at))
		m.insert(gen.EventBLexerEVENT)
		m.eventFrom(m.at, m.at)
		return
	}
	if at == inEvent && m.isBareAction() {
		m.missingClause(at)
		return
	}
	m.unexpected("%s starts no clause of "+[...]string{inContext: "a context", inMachine: "a machine", inEvent: "an event"}[at], cmp.Or(foreignLanguage(m.reader.text), clauseHelp[at]))
	m.skip(at)
}

// isBareEvent reports whether the next token is the name of an event without that word: one that
// stands before a clause of events, or INITIALISATION.
func (m *mender) isBareEvent() bool {
	if !m.startsLine(m.at) || !m.isName(m.at, inMachine) {
		return false
	}
	return m.text(m.at) == Initialisation || m.isKeyword(m.at+1, inEvent) && !m.isKeyword(m.at+1, inMachine)
}

// isBareAction reports whether an assignment to the next token begins here.
func (m *mender) isBareAction() bool {
	return m.isName(m.at, inEvent) && m.kind(m.at+1) == gen.EventBLexerASSIGN
}

var clauseHelp = [...]string{
	inContext: "a context has extends, sets, constants, axioms, and end",
	inMachine: "a machine has refines, sees, variables, invariants, variant, events, and end",
	inEvent:   "an event has refines or extends, any, where, with, then, and end",
}

// missingClause puts a clause before a label that stands outside of one.
func (m *mender) missingClause(at level) {
	kind := [...]int{inContext: gen.EventBLexerAXIOMS, inMachine: gen.EventBLexerINVARIANTS, inEvent: gen.EventBLexerWHERE}[at]
	for i := m.at + 1; at == inEvent && m.kind(i) >= gen.EventBLexerWORD && m.kind(i) != gen.EventBLexerLABEL; i++ {
		if m.kind(i) == gen.EventBLexerASSIGN {
			kind = gen.EventBLexerTHEN
		}
	}
	word := strings.ToLower(gen.NewEventBLexer(nil).SymbolicNames[kind])
	m.fault(codeStructure, m.at, fmt.Sprintf("write %s before it", word), "%s is in no clause that contains formulas", m.describe(m.at))
	m.insert(kind)
	m.items(at)
}

// skip passes over tokens until something begins that the level knows.
func (m *mender) skip(at level) {
	for m.at++; ; m.at++ {
		k := m.next()
		if k == antlr.TokenEOF || m.startsComponent(m.at) || at != inContext && m.startsEvent(m.at) || m.isKeyword(m.at, at) {
			return
		}
		if _, kind := m.keywordFor(m.at, at); kind != 0 && m.startsLine(m.at) {
			return
		}
	}
}

// ---- names ----

// ref reads one name, whose parts hyphens may join.
func (m *mender) ref(at level) bool {
	if m.next() == gen.EventBLexerWORD {
		m.reserved(true)
	}
	if !m.isName(m.at, at) {
		return false
	}
	m.emit()
	for m.next() == gen.EventBLexerMINUS {
		switch m.kind(m.at + 1) {
		case gen.EventBLexerNAME, gen.EventBLexerNUMBER, gen.EventBLexerALNUM:
			m.emit()
			m.emit()
		default:
			return true
		}
	}
	return true
}

// reserved reports the next token, a word of formulas that stands where a name
// should, and makes a name of it.
func (m *mender) reserved(quotable bool) {
	help := "take another name"
	if quotable || slices.Contains(notation.ReservedASCII, m.text(m.at)) {
		help += ", or quote it: `" + m.text(m.at) + "`"
	}
	m.fault(codeReserved, m.at, help, "%s is %s, so it cannot be a name", m.text(m.at), wordMeaning(m.text(m.at)))
	m.taken[m.at] = gen.EventBLexerNAME
	m.reservedNames[m.text(m.at)] = true
}

// wordMeaning says what a word is in formulas.
func wordMeaning(word string) string {
	op, _ := scan.Word(word)
	e := notation.Of(op)
	switch {
	case e.Unicode != word:
		return "the ASCII spelling of " + e.Readable() + " in formulas"
	case e.Shape == notation.Atom:
		return "a constant of the language"
	}
	return "an operator of formulas"
}

// names reads the names of a clause.
func (m *mender) names(at level, refs bool) {
	first := m.at
	begin := len(m.out)
	for {
		switch k := m.next(); {
		case refs && k == gen.EventBLexerNAME && (m.at > first || at == inEvent) && m.startsLine(m.at) && m.ofCamilleX(at):
			return
		case m.isName(m.at, at) || refs && k == gen.EventBLexerWORD:
			m.ref(at)
		case k == gen.EventBLexerWORD:
			m.reserved(false)
			m.emit()
		case k == gen.EventBLexerPUNCTUATION && m.text(m.at) == "," && m.at > first && (m.isName(m.at+1, at) || m.kind(m.at+1) == gen.EventBLexerWORD):
			m.at++ // a comma between names
		case k == antlr.TokenEOF || k < gen.EventBLexerWORD && k != gen.EventBLexerTHEOREM || at == inEvent && m.startsEvent(m.at):
			return
		default:
			m.strayInNames(at, first, begin)
			return
		}
	}
}

// strayInNames finds out why the next token stands behind the names from number
// first on, which are handed on from begin on: one of them may be a keyword.
func (m *mender) strayInNames(at level, first, begin int) {
	for i := m.at - 1; i >= first; i-- {
		word, kind := m.keywordFor(i, at)
		starts := m.startsComponent(i)
		if !starts && (kind == 0 || !m.startsLine(i) && i != m.at-1) {
			continue
		}
		// What was handed on is as long as what was read, but for commas and made-up
		// tokens, of which names have none.
		back := slices.IndexFunc(m.out[begin:], func(t antlr.Token) bool { return t.GetStart() == m.in[i].GetStart() })
		if back < 0 {
			continue
		}
		m.out, m.at = m.out[:begin+back], i
		if !starts {
			m.respell(i, word, kind)
		}
		return
	}
	switch k := m.next(); {
	case k == gen.EventBLexerLABEL || k == gen.EventBLexerTHEOREM:
		m.missingClause(at)
	default:
		m.unexpected("expected a name or the next clause, found %s", "separate names by spaces or commas")
		m.skip(at)
	}
}

// ---- formulas ----

// items passes over the formulas of a clause.
func (m *mender) items(at level) {
	m.label, m.begin = false, len(m.out)
	variant := m.out[m.begin-1].GetTokenType() == gen.EventBLexerVARIANT
	for {
		switch k := m.next(); {
		case k == antlr.TokenEOF || m.startsComponent(m.at) && (m.endsOperand() || len(m.out) == m.begin):
			return
		case k == gen.EventBLexerLABEL:
			m.label = true
			m.emit()
		case k == gen.EventBLexerTHEOREM:
			m.label = m.label && m.out[len(m.out)-1].GetTokenType() == gen.EventBLexerLABEL
			m.emit()
		case at == inEvent && m.startsEvent(m.at) && (k == gen.EventBLexerEVENT || m.endsOperand()) || m.isKeyword(m.at, at):
			return
		case k == gen.EventBLexerNAME && (m.label || !variant) && m.endsOperand() && m.misspelt(at):
			return
		default:
			m.emit()
		}
	}
}

// misspelt takes the next token, a name behind an operand, for a keyword if it
// looks like one and nothing else would make sense: formulas with labels hold no
// two operands in a row, and those without begin new lines.
func (m *mender) misspelt(at level) bool {
	word, kind := m.keywordFor(m.at, at)
	if kind == 0 || kind == gen.EventBLexerTHEOREM {
		return false
	}
	after := m.kind(m.at + 1)
	boundary := after == gen.EventBLexerLABEL || after == antlr.TokenEOF || m.isKeyword(m.at+1, at) || m.startsComponent(m.at+1)
	if !boundary && !(m.label && m.startsLine(m.at)) {
		return false
	}
	m.respell(m.at, word, kind)
	return true
}

// ---- events ----

// event reads an event of a machine.
func (m *mender) event() {
	if isStatus(m.next()) {
		m.emit()
	}
	m.emit()
	m.eventFrom(m.at-1, m.at)
}

// eventFrom reads an event behind that word, for which token open stands; its name is token at.
func (m *mender) eventFrom(open, at int) {
	if !m.ref(inEvent) {
		m.unexpected("expected the name of the event, found %s", "write event NAME … end")
		m.out = m.out[:len(m.out)-1]
		if isStatus(m.out[len(m.out)-1].GetTokenType()) {
			m.out = m.out[:len(m.out)-1]
		}
		m.skipEvent()
		return
	}
	name := m.since(at)
	m.path = append(m.path[:1:1], name)
	defer func() { m.path = m.path[:1] }()
	// An end that is rather the machine's, another event, or a component show that
	// the end of this one is missing: it is told at its opener, where it is mended.
	for {
		switch k := m.next(); {
		case k == gen.EventBLexerEND && !m.closesMachine(open):
			m.emit()
			return
		case k == antlr.TokenEOF || k == gen.EventBLexerEND || m.startsComponent(m.at) || m.startsEvent(m.at):
			m.unclosed(open, "event", name)
			m.insert(gen.EventBLexerEND)
			return
		case m.clause(inEvent):
		default:
			m.misplaced(inEvent)
		}
	}
}

// skipEvent passes over the rest of an event without name.
func (m *mender) skipEvent() {
	for ; m.next() != antlr.TokenEOF && !m.startsComponent(m.at) && !m.startsEvent(m.at); m.at++ {
		if m.next() == gen.EventBLexerEND {
			m.at++
			return
		}
	}
}

// closesMachine reports whether the end that comes next, in the event whose
// keyword is token open, is rather that of the machine: it is the last one before
// another component or the end of the file, and stands below the word machine.
func (m *mender) closesMachine(open int) bool {
	last := m.startsComponent(m.at+1) || m.kind(m.at+1) == antlr.TokenEOF && !m.unended()
	machine := m.column(m.open)
	return last && m.startsLine(m.at) && m.column(m.at) == machine && m.column(open) != machine
}
