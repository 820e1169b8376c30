package recheck

import (
	"math/big"
	"strconv"
	"strings"
)

// Bounds on texts.
const (
	maxText   = 1 << 26 // bytes
	maxLine   = 1 << 18 // bytes
	maxLevels = 1 << 12 // of terms, and of types as they are written
	maxIndex  = 1 << 12 // of bound variables, and variables of a binder
	maxDigits = 1 << 12
)

// A reader reads a text line by line and a line word by word.
type reader struct {
	*store
	lines  []string
	line   int
	words  []string
	terms  []*Term
	levels []int
	steps  []step
}

// A step of a certificate, as written.
type step struct {
	kind        string
	name        string
	index       int
	terms       []*Term
	clause      clause
	multipliers []*big.Int
	from        []int
}

func newReader(s *store, text []byte) *reader {
	need(len(text) <= maxText, "more than %d bytes", maxText)
	return &reader{store: s, lines: strings.Split(string(text), "\n")}
}

// expect reads the line title.
func (r *reader) expect(title string) {
	need(r.line < len(r.lines) && r.lines[r.line] == title, "%q expected", title)
	r.line++
}

// entries reads lines with entry up to, and with, the line end.
func (r *reader) entries(end string, entry func()) {
	for ; r.line < len(r.lines) && r.lines[r.line] != end; r.line++ {
		need(len(r.lines[r.line]) < maxLine, "line of more than %d bytes", maxLine)
		r.words = strings.Split(r.lines[r.line], " ")
		entry()
		need(len(r.words) == 0, "%q after the end of the entry", r.words)
	}
	r.expect(end)
}

// certificate reads a certificate up to the end of the text.
func (r *reader) certificate() {
	r.expect("gradine certificate 1")
	r.terms, r.levels = nil, nil
	r.expect("terms")
	r.entries("steps", r.readTerm)
	r.entries("end", func() { r.steps = append(r.steps, r.readStep()) })
	need(r.line == len(r.lines)-1 && r.lines[r.line] == "", "text after the end")
}

// more reports whether the line goes on before a colon.
func (r *reader) more() bool { return len(r.words) > 0 && r.words[0] != ":" }

func (r *reader) word() string {
	need(len(r.words) > 0, "unexpected end of line")
	w := r.words[0]
	r.words = r.words[1:]
	return w
}

func (r *reader) colon() { need(r.word() == ":", "colon expected") }

// natural reads a natural number below limit.
func (r *reader) natural(limit int) int {
	w := r.word()
	n, err := strconv.Atoi(w)
	need(err == nil && n >= 0 && n < limit && strconv.Itoa(n) == w, "%q is not a number below %d", w, limit)
	return n
}

func (r *reader) readInteger() *big.Int {
	w := r.word()
	need(len(w) <= maxDigits, "integer of more than %d digits", maxDigits)
	v, ok := new(big.Int).SetString(w, 10)
	need(ok && v.String() == w, "%q is not an integer", w)
	return v
}

// quoted reads a name, a string literal of Go in double quotes, which may contain blanks.
func (r *reader) quoted() string {
	rest := strings.Join(r.words, " ")
	q, err := strconv.QuotedPrefix(rest)
	need(err == nil && q[0] == '"' && (q == rest || rest[len(q)] == ' '), "quoted name expected")
	name, err := strconv.Unquote(q)
	need(err == nil, "quoted name expected")
	r.words = strings.Split(rest[len(q):], " ")[1:]
	return name
}

// readType reads a type.
func (r *reader) readType(level int) *Type {
	need(level < maxLevels, "type of more than %d levels", maxLevels)
	need(len(r.words) > 0, "type expected")
	if strings.HasPrefix(r.words[0], `"`) {
		return r.given(r.quoted())
	}
	switch w := r.word(); w {
	case "Z":
		return r.integer
	case "B":
		return r.boolean
	case "P":
		return r.power(r.readType(level + 1))
	default:
		need(w == "*", "unknown type %q", w)
		left := r.readType(level + 1)
		return r.product(left, r.readType(level+1))
	}
}

// references reads numbers of terms.
func (r *reader) references() (ts []*Term, levels int) {
	for r.more() {
		n := r.natural(len(r.terms))
		ts, levels = append(ts, r.terms[n]), max(levels, r.levels[n])
	}
	return ts, levels
}

// readTerm reads a line of the section of terms.
func (r *reader) readTerm() {
	op := r.word()
	var t *Term
	levels := 0
	switch {
	case op == "int":
		t = r.number(r.readInteger())
	case op == "free":
		name := r.quoted()
		t = r.free(name, r.readType(0))
	case op == "given":
		t = r.whole(r.given(r.quoted()))
	case op == "bound":
		i := r.natural(maxIndex)
		t = r.bound(i, r.readType(0))
	case atoms[op] != "":
		t = r.atom(op, r.readType(0))
	case binders[op]:
		index := 0
		if op == "choose" {
			index = r.natural(maxIndex)
		}
		var decls []*Type
		for r.more() {
			decls = append(decls, r.readType(0))
		}
		need(len(decls) < maxIndex, "too many variables")
		r.colon()
		var args []*Term
		args, levels = r.references()
		t = r.binder(op, index, decls, args...)
	default:
		var args []*Term
		args, levels = r.references()
		t = r.app(op, args...)
	}
	// Levels are bounded while reading, since every later pass is recursive.
	need(levels < maxLevels, "term of more than %d levels", maxLevels)
	r.terms, r.levels = append(r.terms, t), append(r.levels, levels+1)
}

// readStep reads a line of the section of steps.
func (r *reader) readStep() (out step) {
	out.kind = r.word()
	switch out.kind {
	case "axiom", "lemma":
		out.name = r.word()
		fallthrough
	case "hyp", "wd", "prop":
		out.index = r.natural(maxText)
	}
	switch out.kind {
	case "hyp", "wd", "goal", "wdgoal":
	case "axiom", "lemma", "prop", "inst", "choose", "subst":
		out.terms, _ = r.references()
	case "euf", "lin", "rup":
		for r.more() {
			out.clause = append(out.clause, r.readLiteral())
		}
		if out.kind != "euf" {
			r.colon()
		}
	default:
		refuse("unknown step %q", out.kind)
	}
	for out.kind == "lin" && r.more() {
		out.multipliers = append(out.multipliers, r.readInteger())
	}
	for out.kind == "rup" && r.more() {
		out.from = append(out.from, r.natural(len(r.steps)))
	}
	return out
}

func (r *reader) readLiteral() literal {
	w := r.words[0]
	need(w != "" && (w[0] == '+' || w[0] == '-'), "%q is not a literal", w)
	r.words[0] = w[1:]
	return literal{r.terms[r.natural(len(r.terms))], w[0] == '-'}
}
