package hints

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
)

// syntaxCode is the code of what does not fit the grammar of hints; formulas have the
// codes of lang.
const syntaxCode = "GR0950"

// maxDepth bounds how deep hints stand below hints.
const maxDepth = 32

// Parse reads a file of hints. It always returns a file, which holds the hints that
// were understood; problems go to diags. A hint with problems is left out.
func Parse(path string, src []byte, diags *diag.List) *File {
	r := &reader{Places: diag.Places{File: path, Text: lang.WithLineFeeds(string(src))}, diags: diags, file: &File{Path: path}}
	if !utf8.Valid(src) {
		at := 0
		for {
			c, n := utf8.DecodeRune(src[at:])
			if c == utf8.RuneError && n == 1 {
				break
			}
			at += n
		}
		r.report(at, at, "save the file as UTF-8", "the file is not UTF-8 text")
		return r.file
	}
	r.cut()
	r.blocks()
	return r.file
}

// line is one line of the text, or several if a formula goes on below it.
type line struct {
	indent   int // in columns
	from, to int // what stands on it, without blanks and comment
	notes
}

type reader struct {
	diag.Places
	diags *diag.List
	file  *File
	lines []line
	at    int // the line to be read next
}

func (r *reader) report(from, to int, help, message string) {
	r.diags.Add(diag.Diagnostic{Code: syntaxCode, Span: r.Span(from, to), Message: message, Help: help})
}

// tabWidth is the number of columns that a tab goes on to a multiple of.
const tabWidth = 4

// cut cuts the text into lines; those with a comment alone go to the line below.
func (r *reader) cut() {
	var above []string
	at := 0
	for text := range strings.Lines(r.Text) {
		begin := at
		at += len(text)
		text = strings.TrimRight(text, "\r\n")
		comment := commentAt(text)
		content := strings.TrimRight(text[:comment], " \t\r")
		note := strings.TrimRight(text[comment:], " \t\r")
		l := line{to: begin + len(content)}
		i := 0
		for ; i < len(content) && (content[i] == ' ' || content[i] == '\t'); i++ {
			if l.indent++; content[i] == '\t' {
				l.indent = (l.indent-1)/tabWidth*tabWidth + tabWidth
			}
		}
		l.from = begin + i
		switch {
		case i == len(content) && note != "":
			above = append(above, note)
		case i == len(content):
		case r.continues(l):
			// A formula that goes on keeps the comments inside.
			last := &r.lines[len(r.lines)-1]
			last.to, last.behind, above = l.to, note, nil
		default:
			l.above, l.behind, above = above, note, nil
			r.lines = append(r.lines, l)
		}
	}
	r.file.Last = above
}

// commentAt is the place of the comment in a line, or its length.
func commentAt(text string) int {
	quoted := false
	for i := range len(text) {
		switch {
		case text[i] == '`':
			quoted = !quoted
		case !quoted && strings.HasPrefix(text[i:], "//"):
			return i
		}
	}
	return len(text)
}

// continues reports whether l goes on with the formula of the line above it: it stands
// further to the right and begins with none of the words of hints.
func (r *reader) continues(l line) bool {
	if len(r.lines) == 0 {
		return false
	}
	last := r.lines[len(r.lines)-1]
	switch word, _ := firstWord(r.Text[last.from:last.to]); word {
	case Have.String(), Cases.String(), Inst.String(), Witness.String():
	default:
		return false
	}
	word, _ := firstWord(r.Text[l.from:l.to])
	return l.indent > last.indent && word != "for" && !slices.Contains(words[:], word)
}

// firstWord cuts the first word off text.
func firstWord(text string) (word, rest string) {
	i := strings.IndexAny(text, " \t\n")
	if i < 0 {
		return text, ""
	}
	return text[:i], strings.TrimLeft(text[i:], " \t\n")
}

// blocks reads all lines.
func (r *reader) blocks() {
	for r.at < len(r.lines) {
		l := r.lines[r.at]
		r.at++
		word, rest := firstWord(r.Text[l.from:l.to])
		if word != "for" {
			help := "start a block with `for NAME`, where NAME is an obligation"
			if near := diag.Nearest(word, append(words[:], "for")); near != "" {
				help = "did you mean " + near + "?"
			}
			r.report(l.from, l.from+len(word), help, "this hint is in no block")
			r.skip(l.indent)
			continue
		}
		b := &Block{Span: r.Span(l.from, l.to), notes: l.notes, Patterns: r.words(l.to-len(rest), l.to)}
		if len(b.Patterns) == 0 {
			r.report(l.from, l.to, "name an obligation, such as machine/event/inv1/INV; * stands for any text", "the block names no obligation")
		}
		// Also for a block without names: its hints have problems of their own to be told.
		b.Hints = r.below(l.indent, 0)
		if len(b.Patterns) > 0 {
			r.file.Blocks = append(r.file.Blocks, b)
		}
	}
}

// skip passes over the lines further to the right than indent.
func (r *reader) skip(indent int) {
	for r.at < len(r.lines) && r.lines[r.at].indent > indent {
		r.at++
	}
}

// below reads the hints that stand further to the right than indent, all in one column.
func (r *reader) below(indent, depth int) (out []*Hint) {
	column := -1
	for r.at < len(r.lines) && r.lines[r.at].indent > indent {
		l := r.lines[r.at]
		if column < 0 {
			column = l.indent
		}
		if word, _ := firstWord(r.Text[l.from:l.to]); word == "for" {
			return out // a block may be indented, too
		}
		r.at++
		switch {
		case l.indent != column:
			r.report(l.from, l.to, "align this hint with the previous hint, or indent it below the hint that it helps", "the indentation of this hint matches no hint above")
			r.skip(l.indent)
			continue
		case depth == maxDepth:
			r.report(l.from, l.to, "state a fact as a theorem of the model", "hints are nested too deeply")
			r.skip(l.indent)
			continue
		}
		// What stands below a hint with a problem is read, too, or it would be taken for what follows.
		h := r.hint(l)
		below := r.below(l.indent, depth+1)
		if h == nil {
			continue
		}
		if len(below) > 0 && h.Kind != Have && h.Kind != Cases && h.Kind != Induct {
			r.report(below[0].Span.From, below[0].Span.To, "move this hint to the column of the line above", h.Kind.String()+" has nothing to prove, so it cannot contain hints")
			continue
		}
		h.Below = below
		out = append(out, h)
	}
	return out
}

// hint reads one hint; nil if it has problems.
func (r *reader) hint(l line) *Hint {
	word, rest := firstWord(r.Text[l.from:l.to])
	k := slices.Index(words[:], word)
	if k < 0 {
		help := "a hint is one of " + strings.Join(words[:], ", ")
		if near := diag.Nearest(word, words[:]); near != "" {
			help = "did you mean " + near + "?"
		}
		r.report(l.from, l.from+len(word), help, word+" is not a hint")
		return nil
	}
	h := &Hint{Kind: Kind(k), Span: r.Span(l.from, l.to), notes: l.notes}
	// Spans are counted from the end, because the spaces after the first word have been cut off.
	from := l.to - len(rest)
	ok := true
	switch h.Kind {
	case Have, Cases:
		if h.Fact, ok = r.formula(from, l.to, lang.ParsePredicate); lang.HasComment(rest) {
			h.text = rest
		}
	case Inst, Witness:
		ok = r.values(h, from, l.to)
	case Use, Unfold:
		if h.Words = r.words(from, l.to); len(h.Words) == 0 {
			r.report(l.from, l.to, "use takes labels of hypotheses, unfold takes identifiers", word+" has no argument")
			ok = false
		}
	case Induct:
		if h.Words = r.words(from, l.to); len(h.Words) != 1 {
			r.report(l.from, l.to, "write one variable, as in induct n", word+" needs exactly one variable")
			ok = false
		}
	}
	if !ok {
		return nil
	}
	return h
}

// values reads what follows inst or witness: a label, if there is one, and values
// x ≔ E, y ≔ F, or names for what a hypothesis says exists.
func (r *reader) values(h *Hint, from, to int) bool {
	marks := r.assigned(from, to)
	head := to
	if len(marks) > 0 {
		head = marks[0].name
	}
	list := r.words(from, head)
	switch {
	case len(list) > 0:
		h.Label, h.Words = list[0], list[1:]
	case h.Kind == Inst:
		r.report(h.Span.From, h.Span.To, "write inst LABEL x ≔ E, with the label of a hypothesis ∀x·P", "inst names no hypothesis")
		return false
	}
	// One problem a hint: the first that explains why the rest does not read as values.
	switch {
	case h.Kind == Inst && len(h.Words) > 0, len(h.Words) > 0 && len(marks) > 0:
		w := h.Words[0].Span
		r.report(w.From, w.To, "write x ≔ E, y ≔ F for the values", "a value is missing")
		return false
	case len(marks) == 0 && (h.Kind == Inst || len(h.Words) == 0):
		r.report(h.Span.From, h.Span.To, "write x ≔ E, y ≔ F for the values", "the values are missing")
		return false
	case h.Kind == Witness && h.Label.Text != "" && len(marks) > 0:
		r.report(h.Label.Span.From, h.Label.Span.To, "for a hypothesis ∃x·P, write only new names; values x ≔ E are for a goal", "a hypothesis ∃x·P takes names, not values")
		return false
	}
	for i, m := range marks {
		end := to
		if i+1 < len(marks) {
			end = marks[i+1].comma
			if end < m.value {
				r.report(m.value, marks[i+1].name, "separate values by commas", "the comma between two values is missing")
				return false
			}
		}
		f, ok := r.formula(m.value, end, lang.ParseExpression)
		if !ok {
			return false
		}
		v := Value{Name: r.word(m.name, m.end), Expr: f}
		if text := r.Text[m.value:end]; lang.HasComment(text) {
			v.text = text
		}
		h.Values = append(h.Values, v)
	}
	return true
}

// mark is the beginning of a value: its name, and where its expression begins.
type mark struct{ comma, name, end, value int }

// assigned finds the signs ≔ or := in Text[from:to], each with the name before it.
func (r *reader) assigned(from, to int) (out []mark) {
	text := r.Text[from:to]
	for i := 0; i < len(text); i++ {
		n := 0
		for _, sign := range []string{"≔", ":="} {
			if strings.HasPrefix(text[i:], sign) {
				n = len(sign)
			}
		}
		if n == 0 {
			continue
		}
		// A name in quotes may have blanks and commas inside.
		before := strings.TrimRight(text[:i], " \t\n\r")
		start := strings.LastIndexAny(before, ", \t\n\r") + 1
		if strings.HasSuffix(before, "`") {
			if open := strings.LastIndexByte(before[:len(before)-1], '`'); open >= 0 {
				start = open
			}
		}
		comma := len(strings.TrimRight(before[:start], " \t\n\r"))
		if comma > 0 && before[comma-1] == ',' {
			comma--
		} else if len(out) > 0 {
			comma = 0 // no comma: this is not a list
		}
		out = append(out, mark{from + comma, from + start, from + len(before), from + i + n})
	}
	return out
}

// words cuts Text[from:to] at blanks, but for names in quotes.
func (r *reader) words(from, to int) (out []Word) {
	begin, quoted := -1, false
	for i := from; i <= to; i++ {
		blank := i == to || !quoted && (r.Text[i] == ' ' || r.Text[i] == '\t' || r.Text[i] == '\n' || r.Text[i] == '\r')
		switch {
		case blank && begin >= 0:
			out = append(out, r.word(begin, i))
			begin = -1
		case blank:
			continue
		case begin < 0:
			begin = i
		}
		if i < to && r.Text[i] == '`' {
			quoted = !quoted
		}
	}
	return out
}

// word is the name that Text[from:to] spells.
func (r *reader) word(from, to int) Word {
	text := r.Text[from:to]
	if len(text) > 1 && text[0] == '`' && text[len(text)-1] == '`' {
		text = strings.ReplaceAll(text[1:len(text)-1], "``", "`")
	}
	return Word{text, r.Span(from, to)}
}

// formula reads Text[from:to].
func (r *reader) formula(from, to int, parse func(string, lang.Dialect) (*lang.Formula, []lang.Problem)) (*lang.Formula, bool) {
	text := r.Text[from:to]
	if strings.TrimSpace(text) == "" {
		r.report(from, to, "write the formula", "the formula is missing")
		return nil, false
	}
	f, problems := parse(text, lang.Text)
	for _, p := range problems {
		r.diags.Add(diag.Diagnostic{Code: p.Code, Span: r.Span(from+p.From, from+p.To), Message: p.Message, Help: p.Help})
	}
	if f == nil || len(problems) > 0 {
		return nil, false
	}
	lang.Place(f, func(s diag.Span) diag.Span { return r.Span(from+s.From, from+s.To) })
	return f, true
}
