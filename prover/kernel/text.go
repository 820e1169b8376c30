package kernel

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/gradine/gradine/logic"
)

// Header is the first line of a certificate: a proof as text. There follow the
// sections terms and steps, one entry a line, and end. Entries are
// numbered from 0 within their section and refer to earlier ones only
// (docs/proofs.md has the grammar; package cert writes it).
const Header = "gradine certificate 1"

// Bounds on what Decode accepts.
const (
	maxText   = 1 << 26 // bytes
	maxLine   = 1 << 18 // bytes
	maxHeight = 1 << 12 // nesting of terms
	maxIndex  = 1 << 12 // de Bruijn indices and declarations
	maxDigits = 1 << 12
	maxSteps  = 1 << 12 // for which there is room before any is read
)

// decoder reads one line after the other.
type decoder struct {
	bank    *logic.Bank
	lines   []string
	line    int
	rest    string // of the line
	done    bool   // nothing is left of the line, not even an empty word
	terms   []term
	heights []int
	proof   Proof
}

// Decode reads a certificate into terms of b. It takes any text, and rejects what
// is not a certificate: unknown words, forward references, ill-typed terms, entries
// beyond its bounds, a missing end. Check decides what the proof proves.
func Decode(b *logic.Bank, text []byte) (*Proof, error) {
	d, err := decode(b, text)
	if err != nil {
		return nil, err
	}
	return &d.proof, nil
}

// decode reads a certificate. The error names the line.
func decode(b *logic.Bank, text []byte) (d *decoder, err error) {
	d = &decoder{bank: b}
	defer func() {
		if err != nil {
			err = fmt.Errorf("kernel: certificate line %d: %w", d.line+1, err)
		}
	}()
	defer catch(&err)
	need(len(text) <= maxText, "more than %d bytes", maxText)
	d.lines = strings.Split(string(text), "\n")
	d.section(Header, "terms", func() { need(false, "terms expected") })
	d.section("terms", "steps", d.readTerm)
	d.proof.Steps = make([]Step, 0, min(len(d.lines)-d.line, maxSteps))
	d.section("steps", "end", func() { d.proof.Steps = append(d.proof.Steps, d.readStep()) })
	need(len(d.lines) == d.line+2 && d.lines[d.line+1] == "", "text after the end")
	return d, nil
}

// section reads the line title and the entries up to, not including, the line next.
func (d *decoder) section(title, next string, entry func()) {
	need(d.lines[d.line] == title, "%q expected", title)
	for d.line++; ; d.line++ {
		need(d.line < len(d.lines), "the end is missing")
		if d.lines[d.line] == next {
			return
		}
		need(len(d.lines[d.line]) < maxLine, "line of more than %d bytes", maxLine)
		d.rest, d.done = d.lines[d.line], false
		entry()
		need(d.done, "text after the end of the entry")
	}
}

// more reports whether the line goes on, and not with a colon.
func (d *decoder) more() bool { return !d.done && d.rest != ":" && !strings.HasPrefix(d.rest, ": ") }

// word reads up to the next space. Each space separates two words, which may be empty.
func (d *decoder) word() string {
	need(!d.done, "unexpected end of line")
	w, rest, found := strings.Cut(d.rest, " ")
	d.rest, d.done = rest, !found
	return w
}

// number reads a natural number below limit.
func (d *decoder) number(limit int) int {
	w := d.word()
	n, err := strconv.Atoi(w)
	need(err == nil && n < limit && (w == "0" || w[0] > '0'), "not a number, or out of range")
	return n
}

func (d *decoder) integer() *big.Int {
	w := d.word()
	need(len(w) <= maxDigits, "integer of more than %d digits", maxDigits)
	v, ok := new(big.Int).SetString(w, 10)
	need(ok && v.String() == w, "%q is not an integer", w)
	return v
}

// name reads a quoted string, which may contain spaces.
func (d *decoder) name() string {
	q, err := strconv.QuotedPrefix(d.rest)
	need(err == nil && q[0] == '"', "quoted name expected")
	d.rest = d.rest[len(q):]
	need(d.word() == "", "quoted name expected")
	s, _ := strconv.Unquote(q)
	return s
}

// typ reads a type in prefix notation: Z, B, a quoted carrier set, P and one type,
// or * and two.
func (d *decoder) typ(level int) logic.Type {
	need(level < maxHeight, "type of more than %d levels", maxHeight)
	if strings.HasPrefix(d.rest, `"`) {
		return d.bank.GivenType(d.name())
	}
	switch w := d.word(); w {
	case "Z":
		return logic.IntType
	case "B":
		return logic.BoolType
	case "P":
		return d.bank.PowType(d.typ(level + 1))
	default:
		need(w == "*", "unknown type %q", w)
		left := d.typ(level + 1)
		return d.bank.ProdType(left, d.typ(level+1))
	}
}

// refs reads references to terms, and how high the highest of these is.
func (d *decoder) refs() (ts []term, height int) {
	for d.more() {
		n := d.number(len(d.terms))
		ts, height = append(ts, d.terms[n]), max(height, d.heights[n])
	}
	return ts, height
}

// readTerm reads a line of the section of terms.
func (d *decoder) readTerm() {
	bank, kind := d.bank, d.word()
	op, height := logic.OpNamed(kind), 0
	var t term
	var args []term
	var err error
	switch {
	case op == logic.Int:
		t = bank.Int(d.integer())
	case op == logic.Free:
		name := d.name()
		t = bank.Free(name, d.typ(0))
	case op == logic.Given:
		t = bank.Given(d.name())
	case op == logic.Bound:
		i := d.number(maxIndex)
		t = bank.Bound(i, d.typ(0))
	case op.IsGeneric():
		t, err = bank.TryAtom(op, d.typ(0))
	case op.IsBinder():
		component := 0
		if op == logic.Eps {
			component = d.number(maxIndex)
		}
		var decls []logic.Type
		for d.more() {
			decls = append(decls, d.typ(0))
		}
		need(len(decls) < maxIndex, "too many declarations")
		need(d.word() == ":", "colon expected")
		args, height = d.refs()
		if op == logic.Eps {
			need(len(args) == 1, "a choice term has one argument")
			t, err = bank.TryChoice(decls, component, args[0])
		} else {
			t, err = bank.TryQuant(op, decls, nil, args...)
		}
	default:
		args, height = d.refs()
		t, err = bank.TryApp(op, args...)
	}
	need(err == nil, "%v", err)
	// Terms are walked recursively, so their height must be bounded.
	need(height < maxHeight, "term of more than %d levels", maxHeight)
	d.terms, d.heights = append(d.terms, t), append(d.heights, height+1)
}

// readStep reads a line of the section of steps.
func (d *decoder) readStep() (step Step) {
	for kind := d.word(); kindNames[step.Kind] != kind; step.Kind++ {
		need(step.Kind < numKinds-1, "unknown step")
	}
	switch step.Kind {
	case Axiom, Lemma:
		step.Name = d.word()
		step.Index = d.number(maxText)
	case Hyp, WD, Prop:
		step.Index = d.number(maxText)
	}
	// Kinds are in the order of what they carry, so that ranges of them say what is to be read.
	if step.Kind < Euf {
		step.Terms, _ = d.refs()
	}
	for step.Kind >= Euf && d.more() {
		step.Clause = append(step.Clause, d.literal())
	}
	if step.Kind >= Lin {
		need(d.word() == ":", "colon expected")
	}
	for step.Kind == Lin && d.more() {
		step.Coef = append(step.Coef, d.integer())
	}
	for step.Kind == Rup && d.more() {
		step.From = append(step.From, d.number(len(d.proof.Steps)))
	}
	return step
}

// literal reads a reference to a term with a sign before it.
func (d *decoder) literal() Lit {
	negated := strings.HasPrefix(d.rest, "-")
	need(negated || strings.HasPrefix(d.rest, "+"), "a literal expected")
	d.rest = d.rest[1:]
	t := d.terms[d.number(len(d.terms))]
	if negated {
		return Neg(t)
	}
	return Pos(t)
}
