// Package ltl implements linear temporal logic: formulas, the automata of their violations,
// and the search for fair lassos in a graph. Atoms are numbers.
package ltl

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Op is the operator of a formula. Formulas have their negations at atoms.
type Op uint8

// The operators.
const (
	True Op = iota
	False
	Atom
	NotAtom
	And
	Or
	Next
	Until
	Release
)

// Formula is a formula without other negations than those of atoms.
type Formula struct {
	Op          Op
	Atom        int
	Left, Right *Formula // Next has its formula on the left
}

// Not is the negation of f.
func (f *Formula) Not() *Formula {
	dual := map[Op]Op{True: False, False: True, Atom: NotAtom, NotAtom: Atom, And: Or, Or: And, Next: Next, Until: Release, Release: Until}
	out := &Formula{Op: dual[f.Op], Atom: f.Atom}
	if f.Left != nil {
		out.Left = f.Left.Not()
	}
	if f.Right != nil {
		out.Right = f.Right.Not()
	}
	return out
}

// Antecedents lists the atoms p of p ⇒ q in f, which is ¬p ∨ q: where p never holds, q is not asked.
func (f *Formula) Antecedents() (out []int) {
	for _, side := range []*Formula{f.Left, f.Right} {
		switch {
		case side == nil:
		case f.Op == Or && side.Op == NotAtom:
			out = append(out, side.Atom)
		default:
			out = append(out, side.Antecedents()...)
		}
	}
	return out
}

func binary(op Op, left, right *Formula) *Formula { return &Formula{Op: op, Left: left, Right: right} }

// reader reads a formula.
type reader struct {
	text string
	at   int
	atom func(text string, event bool) (int, error)
}

// Parse reads a formula: predicates in braces, events in brackets, ¬ X G F, U W R, ∧, ∨, ⇒ and
// ⇔, each binding tighter than those behind it; ! [] <> && || -> <-> and ○ □ ◇ are the
// same. atom gives the number of a predicate or an event.
func Parse(text string, atom func(text string, event bool) (int, error)) (*Formula, error) {
	r := &reader{text: text, atom: atom}
	f, err := r.equivalence()
	if err == nil && r.peek() != "" {
		err = r.wrong("an operator or the end")
	}
	return f, err
}

// wrong says what was expected where the reader is.
func (r *reader) wrong(expected string) error {
	r.space()
	if r.at == len(r.text) {
		return fmt.Errorf("%s is expected at the end of %q", expected, r.text)
	}
	return fmt.Errorf("%s is expected at %q", expected, r.text[r.at:])
}

func (r *reader) space() {
	for r.at < len(r.text) && unicode.IsSpace(rune(r.text[r.at])) {
		r.at++
	}
}

// spellings are the operators in other spellings, longer ones before their prefixes.
var spellings = []struct{ spelling, operator string }{
	{"<->", "⇔"}, {"<=>", "⇔"}, {"⇔", "⇔"}, {"->", "⇒"}, {"=>", "⇒"}, {"⇒", "⇒"}, {"||", "∨"}, {"∨", "∨"}, {"&&", "∧"}, {"∧", "∧"}, {"&", "∧"},
	{"[]", "G"}, {"□", "G"}, {"<>", "F"}, {"◇", "F"}, {"○", "X"}, {"!", "¬"}, {"¬", "¬"}, {"(", "("}, {")", ")"}, {"{", "{"}, {"[", "["},
}

// word is the word at the reader; letters and digits go together.
func (r *reader) word() string {
	end := strings.IndexFunc(r.text[r.at:], func(letter rune) bool { return !unicode.IsLetter(letter) && !unicode.IsDigit(letter) })
	if end < 0 {
		end = len(r.text) - r.at
	}
	return r.text[r.at : r.at+end]
}

// peek is the next operator or word; "" at the end.
func (r *reader) peek() string {
	r.space()
	for _, s := range spellings {
		if strings.HasPrefix(r.text[r.at:], s.spelling) {
			return s.operator
		}
	}
	if word := r.word(); word != "" || r.at == len(r.text) {
		return word
	}
	letter, _ := utf8.DecodeRuneInString(r.text[r.at:])
	return string(letter)
}

// take goes past an operator or a word, if it is the next.
func (r *reader) take(operator string) bool {
	if r.peek() != operator {
		return false
	}
	for _, s := range spellings {
		if strings.HasPrefix(r.text[r.at:], s.spelling) {
			r.at += len(s.spelling)
			return true
		}
	}
	r.at += len(r.word())
	return true
}

func (r *reader) equivalence() (*Formula, error) {
	left, err := r.implication()
	for err == nil && r.take("⇔") {
		var right *Formula
		if right, err = r.implication(); err == nil {
			left = binary(Or, binary(And, left, right), binary(And, left.Not(), right.Not()))
		}
	}
	return left, err
}

func (r *reader) implication() (*Formula, error) {
	left, err := r.chain("∨", Or, func() (*Formula, error) { return r.chain("∧", And, r.temporal) })
	if err != nil || !r.take("⇒") {
		return left, err
	}
	right, err := r.implication()
	if err != nil {
		return nil, err
	}
	return binary(Or, left.Not(), right), nil
}

// chain reads operands with one operator between them.
func (r *reader) chain(operator string, op Op, operand func() (*Formula, error)) (*Formula, error) {
	left, err := operand()
	for err == nil && r.take(operator) {
		var right *Formula
		if right, err = operand(); err == nil {
			left = binary(op, left, right)
		}
	}
	return left, err
}

// temporal reads a formula with U, W or R, which group to the right.
func (r *reader) temporal() (*Formula, error) {
	left, err := r.unary()
	if err != nil {
		return nil, err
	}
	for _, operator := range []string{"U", "W", "R"} {
		if !r.take(operator) {
			continue
		}
		right, err := r.temporal()
		switch {
		case err != nil:
			return nil, err
		case operator == "U":
			return binary(Until, left, right), nil
		case operator == "R":
			return binary(Release, left, right), nil
		}
		return binary(Release, right, binary(Or, left, right)), nil // W
	}
	return left, nil
}

// unary reads a formula with a unary operator, an atom, or one in parentheses.
func (r *reader) unary() (*Formula, error) {
	switch operator := r.peek(); operator {
	case "¬", "X", "G", "F":
		r.take(operator)
		f, err := r.unary()
		switch {
		case err != nil:
			return nil, err
		case operator == "¬":
			return f.Not(), nil
		case operator == "X":
			return &Formula{Op: Next, Left: f}, nil
		case operator == "G":
			// G f is false R f, and F f is true U f: the automaton knows only Until and Release.
			return binary(Release, &Formula{Op: False}, f), nil
		}
		return binary(Until, &Formula{Op: True}, f), nil
	case "true", "false":
		r.take(operator)
		return &Formula{Op: map[string]Op{"true": True, "false": False}[operator]}, nil
	case "(":
		r.take("(")
		f, err := r.equivalence()
		if err == nil && !r.take(")") {
			err = r.wrong("a closing parenthesis")
		}
		return f, err
	case "{":
		return r.enclosed('{', '}', false)
	case "[":
		return r.enclosed('[', ']', true)
	}
	return nil, r.wrong("a formula, such as {predicate} or [event],")
}

// enclosed reads an atom between braces or brackets, which may be nested.
func (r *reader) enclosed(open, closing byte, event bool) (*Formula, error) {
	depth := 0
	for i := r.at; i < len(r.text); i++ {
		switch r.text[i] {
		case open:
			depth++
		case closing:
			depth--
		}
		if depth == 0 {
			number, err := r.atom(strings.TrimSpace(r.text[r.at+1:i]), event)
			r.at = i + 1
			return &Formula{Op: Atom, Atom: number}, err
		}
	}
	return nil, fmt.Errorf("%q is not closed", r.text[r.at:])
}
