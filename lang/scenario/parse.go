package scenario

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
)

// SyntaxCode is the code of what does not fit the grammar of scenarios; formulas have the codes of lang.
const SyntaxCode = "GR0960"

// words are the words that a line may begin with, apart from the names of events.
var words = []string{"scenario", "end", "with", "impossible", "breaks", "every", "not", "can", "check", "..."}

// Parse reads a file of scenarios. It always returns a file, which holds what was understood;
// problems go to diags. A scenario with a problem is left out, for the rest of it says something else.
func Parse(path string, src []byte, diags *diag.List) *File {
	r := &reader{Places: diag.Places{File: path, Text: string(src)}, diags: diags, file: &File{Path: path}}
	if at := invalid(r.Text); at >= 0 {
		r.report(at, at, "save the file as UTF-8", "the file is not UTF-8 text")
		return r.file
	}
	r.read()
	return r.file
}

// invalid is the place of the first byte that is not UTF-8, or -1.
func invalid(text string) int {
	for at := 0; at < len(text); {
		c, n := utf8.DecodeRuneInString(text[at:])
		if c == utf8.RuneError && n == 1 {
			return at
		}
		at += n
	}
	return -1
}

type reader struct {
	diag.Places
	diags  *diag.List
	file   *File
	broken bool      // the scenario being read has a problem
	now    *Scenario // the scenario being read
}

func (r *reader) report(from, to int, help, message string) {
	r.diags.Add(diag.Diagnostic{Code: SyntaxCode, Span: r.Span(from, to), Message: message, Help: help})
	r.broken = true
}

// read reads all lines.
func (r *reader) read() {
	var above []string
	at := 0
	for text := range strings.Lines(r.Text) {
		begin := at
		at += len(text)
		text = strings.TrimRight(text, "\r\n")
		comment := commentAt(text)
		content := strings.TrimRight(text[:comment], " \t\r")
		note := strings.TrimRight(text[comment:], " \t\r")
		from := begin + len(content) - len(strings.TrimLeft(content, " \t"))
		to := begin + len(content)
		switch {
		case from == to && note != "":
			above = append(above, note)
		case from == to:
		default:
			r.line(from, to, notes{above, note})
			above = nil
		}
	}
	if r.now != nil && !r.broken {
		r.report(len(r.Text), len(r.Text), "write end after the last line of the scenario", "scenario "+r.now.Name.Text+" has no end")
	}
	r.file.Last = above
}

// commentAt is the place of the comment in a line, or its length.
func commentAt(text string) int {
	for i := range len(text) {
		if strings.HasPrefix(text[i:], "//") && !quotedAt(text, i) {
			return i
		}
	}
	return len(text)
}

// quotedAt reports whether place i of a line stands in quotes.
func quotedAt(text string, i int) bool {
	return strings.Count(text[:i], "`")%2 == 1 || strings.Count(text[:i], `"`)%2 == 1
}

// line reads Text[from:to], which is not empty.
func (r *reader) line(from, to int, n notes) {
	word, rest := r.word(from, to)
	bare := r.Text[word.Span.From:word.Span.To] == word.Text // names in quotes are no keywords
	switch {
	case bare && word.Text == "scenario":
		r.begin(word, rest, to, n)
	case r.now == nil:
		if !r.broken {
			r.report(from, to, "start with scenario NAME of MACHINE", "this line belongs to no scenario")
		}
	case bare && word.Text == "end":
		if rest < to {
			r.report(rest, to, "write end on a line of its own", "nothing can follow end")
		}
		r.now.end = n
		if len(r.now.Lines) == 0 && !r.broken {
			r.report(r.now.Span.From, r.now.Span.To, "name an event on each line, INITIALISATION first", "scenario "+r.now.Name.Text+" has no lines")
		}
		if !r.broken {
			r.file.Scenarios = append(r.file.Scenarios, r.now)
		}
		r.now = nil
	case bare && slices.Contains([]string{"with", "impossible", "breaks"}, word.Text):
		r.head(word, rest, to, n)
	default:
		l := &Line{Span: r.Span(from, to), notes: n}
		if bare && word.Text == "every" {
			if l.Every = true; rest == to {
				r.report(from, to, "write a step, can or check after every", "every has no argument")
				return
			}
			word, rest = r.word(rest, to)
			bare = r.Text[word.Span.From:word.Span.To] == word.Text
		}
		if r.step(l, word, bare, rest, to) {
			r.now.Lines = append(r.now.Lines, l)
		}
	}
}

// begin reads the first line of a scenario.
func (r *reader) begin(word Word, rest, to int, n notes) {
	if r.now != nil {
		r.report(word.Span.From, to, "write end after the last line of the scenario", "scenario "+r.now.Name.Text+" has no end before this line")
	}
	r.broken = false
	r.now = &Scenario{Span: r.Span(word.Span.From, to), notes: n}
	name, rest := r.word(rest, to)
	of, rest := r.word(rest, to)
	machine, rest := r.word(rest, to)
	if name.Text == "" || of.Text != "of" || machine.Text == "" || rest < to {
		r.report(word.Span.From, to, "write scenario NAME of MACHINE", "a scenario has one name, then of, then one machine")
		return
	}
	r.now.Name, r.now.Machine = name, machine
	for _, other := range r.file.Scenarios {
		if other.Name.Text == name.Text && other.Machine.Text == machine.Text {
			r.report(name.Span.From, name.Span.To, "rename one of the two scenarios", "the file has two scenarios "+name.Text+" of "+machine.Text)
		}
	}
}

// head reads a line that says what a scenario is about.
func (r *reader) head(word Word, rest, to int, n notes) {
	if len(r.now.Lines) > 0 {
		r.report(word.Span.From, to, "move this line up, to the start of the scenario", word.Text+" must precede all steps")
		return
	}
	switch word.Text {
	case "with":
		l := &Line{Kind: With, Span: r.Span(word.Span.From, to), notes: n}
		if l.Holds = r.formula(rest, to); l.Holds != nil {
			r.now.With = append(r.now.With, l)
		}
	case "impossible":
		if rest < to || r.now.Impossible {
			r.report(word.Span.From, to, "write impossible once, on a line of its own", "impossible has no argument and occurs once")
		}
		r.now.Impossible, r.now.impossible = true, n
	case "breaks":
		label, rest := r.word(rest, to)
		// Breaks may give its reason behind the word why. Nothing else may follow the label.
		b := &Breaks{Invariant: label, notes: n}
		ok := label.Text != "" && r.now.Breaks == nil
		if rest < to {
			why, text := r.word(rest, to)
			var err error
			b.Why, err = strconv.Unquote(r.Text[text:to])
			ok = ok && why.Text == "why" && err == nil && b.Why != ""
		}
		if !ok {
			r.report(word.Span.From, to, `write breaks INVARIANT, or breaks INVARIANT why "REASON", once`, "breaks needs the invariant that the last state violates")
		}
		r.now.Breaks = b
	}
}

// step reads what a line of a run says, from its first word on; bare says that this is not in quotes.
func (r *reader) step(l *Line, word Word, bare bool, rest, to int) bool {
	switch {
	case bare && word.Text == "...":
		l.Kind, l.Most = Gap, Any
		if rest < to {
			n, err := strconv.Atoi(r.Text[rest:to])
			if err != nil || n < 1 {
				r.report(rest, to, "write ... alone, or ... N", "the limit of a gap is a positive number of steps")
				return false
			}
			l.Most = n
		}
		if l.Every {
			r.report(l.Span.From, l.Span.To, "write every before a step, not, can or check", "every cannot precede a gap")
			return false
		}
		return true
	case bare && word.Text == "check":
		l.Kind = Check
		l.Holds = r.formula(rest, to)
		return l.Holds != nil
	case bare && (word.Text == "not" || word.Text == "can"):
		if l.Kind = Can; word.Text == "not" {
			l.Kind = Not
		}
		if rest == to {
			r.report(word.Span.From, word.Span.To, "write an event after "+word.Text, word.Text+" names no event")
			return false
		}
		word, rest = r.word(rest, to)
	}
	l.Event = word
	// Behind the name, and its parameters, nothing else than what holds then.
	if rest < to && r.Text[rest] == '(' {
		end := closing(r.Text[rest:to])
		if end < 0 {
			r.report(rest, to, "write EVENT(PREDICATE), where the predicate is about the parameters", "the parenthesis is not closed")
			return false
		}
		if l.Given = r.formula(rest+1, rest+end); l.Given == nil {
			return false
		}
		rest = r.skip(rest+end+1, to)
	}
	if rest == to {
		return true
	}
	then, behind := r.word(rest, to)
	if then.Text != "then" || l.Kind != Step {
		help := "write EVENT, EVENT(PREDICATE) or EVENT then PREDICATE"
		if near := diag.Nearest(l.Event.Text, words); near != "" && near != l.Event.Text {
			help = "did you mean " + near + "?"
		}
		r.report(rest, to, help, "unexpected text after the step")
		return false
	}
	l.Holds = r.formula(behind, to)
	return l.Holds != nil
}

// closing is the place of the bracket that closes the first one, or -1.
func closing(text string) int {
	depth := 0
	for i, c := range text {
		switch {
		case c != '(' && c != ')' || quotedAt(text, i):
		case c == '(':
			depth++
		default:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// skip is the place of the next letter from at on.
func (r *reader) skip(at, to int) int {
	for at < to && (r.Text[at] == ' ' || r.Text[at] == '\t') {
		at++
	}
	return at
}

// word is the name at the beginning of Text[from:to], and the place of the next one. Backquotes enclose a name with blanks
// or parentheses, and a doubled one stands for itself.
func (r *reader) word(from, to int) (Word, int) {
	from = r.skip(from, to)
	end := from
	for quoted := false; end < to; end++ {
		c := r.Text[end]
		if c == '`' {
			quoted = !quoted
		}
		if !quoted && (c == ' ' || c == '\t' || c == '(') {
			break
		}
	}
	text := r.Text[from:end]
	if len(text) > 1 && text[0] == '`' && text[len(text)-1] == '`' {
		text = strings.ReplaceAll(text[1:len(text)-1], "``", "`")
	}
	return Word{text, r.Span(from, end)}, r.skip(end, to)
}

// formula reads the predicate Text[from:to].
func (r *reader) formula(from, to int) *Formula {
	text := r.Text[from:to]
	if strings.TrimSpace(text) == "" {
		r.report(from, to, "write a predicate", "the formula is missing")
		return nil
	}
	f, problems := lang.ParsePredicate(text, lang.Text)
	for _, p := range problems {
		r.diags.Add(diag.Diagnostic{Code: p.Code, Span: r.Span(from+p.From, from+p.To), Message: p.Message, Help: p.Help})
		r.broken = true
	}
	if f == nil || len(problems) > 0 {
		r.broken = true
		return nil
	}
	lang.Place(f, func(s diag.Span) diag.Span { return r.Span(from+s.From, from+s.To) })
	return &Formula{f, strings.TrimSpace(text), r.Span(from, to)}
}
