package space

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Expression is an expression over parameters, in the part of Python that restrictions of tuners use:
// integers, names, + - * / // % **, comparisons, and, or, not, in, min, max. Truths are 1 and 0.
type Expression struct {
	Text  string
	Names []string // in the order in which they first stand
	eval  value
}

// Value is what the expression is for values of its names. The error says what has no value, or is no
// integer.
func (e *Expression) Value(of map[string]int64) (int64, error) {
	v, err := e.eval(of)
	if err == nil && v != math.Trunc(v) {
		err = fmt.Errorf("%v is not an integer; use // to round down", v)
	}
	return int64(v), err
}

// Holds reports whether the expression is true for values of its names.
func (e *Expression) Holds(of map[string]int64) (bool, error) {
	v, err := e.eval(of)
	return v != 0, err
}

// value computes as Python does: integers are exact up to 2^53, and / gives fractions.
type value = func(map[string]int64) (float64, error)

type parser struct {
	text   string
	tokens []string
	names  []string
}

// Parse reads an expression. The error names what is not understood.
func Parse(text string) (*Expression, error) {
	out := &Expression{Text: text}
	err := reading(text, func(p *parser) {
		out.eval = p.or()
		out.Names = p.names
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// reading reads all of a text. The error names what is not understood.
func reading(text string, read func(*parser)) (err error) {
	p := &parser{text: text}
	defer func() {
		if r := recover(); r != nil {
			why, ok := r.(misread)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("%s", string(why))
		}
	}()
	p.tokens = split(text)
	read(p)
	if len(p.tokens) > 0 {
		p.fail("%q", p.tokens[0])
	}
	return nil
}

type misread string

func (p *parser) fail(format string, args ...any) {
	panic(misunderstood(p.text, fmt.Sprintf(format, args...)))
}

// misunderstood says where a text is not understood, and what is.
func misunderstood(text, at string) misread {
	return misread(fmt.Sprintf("%q is not understood at %s", text, at) + ": write integers, parameters, + - * / // % **, comparisons, and, or, not, in [...], min, max")
}

var signs = []string{"//", "**", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "%", "<", ">", "(", ")", "[", "]", ",", "!"}

// split splits a text into words and signs. What is neither is named: an attribute with the name before it.
func split(text string) (out []string) {
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimSpace(rest) {
		n := wordLength(rest)
		if n == 0 {
			i := slices.IndexFunc(signs, func(s string) bool { return strings.HasPrefix(rest, s) })
			if i < 0 {
				_, size := utf8.DecodeRuneInString(rest)
				at := rest[:size+wordLength(rest[size:])]
				if rest[0] == '.' && len(out) > 0 {
					at = out[len(out)-1] + at
				}
				panic(misunderstood(text, fmt.Sprintf("%q", at)))
			}
			n = len(signs[i])
		}
		out, rest = append(out, rest[:n]), rest[n:]
	}
	return out
}

// wordLength is how many bytes of a text are a name or a number.
func wordLength(text string) (n int) {
	for n < len(text) && (text[n] == '_' || text[n] >= '0' && text[n] <= '9' || text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z') {
		n++
	}
	return n
}

func (p *parser) eat(words ...string) string {
	if len(p.tokens) > 0 && slices.Contains(words, p.tokens[0]) {
		t := p.tokens[0]
		p.tokens = p.tokens[1:]
		return t
	}
	return ""
}

func (p *parser) expect(word string) {
	if p.eat(word) == "" {
		if len(p.tokens) == 0 {
			p.fail("its end, where %s is missing", word)
		}
		p.fail("%q, where %s is missing", p.tokens[0], word)
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (p *parser) or() value {
	x := p.and()
	for p.eat("or", "||") != "" {
		a, b := x, p.and()
		x = func(of map[string]int64) (float64, error) {
			if v, err := a(of); err != nil || v != 0 {
				return v, err
			}
			return b(of)
		}
	}
	return x
}

func (p *parser) and() value {
	x := p.not()
	for p.eat("and", "&&") != "" {
		a, b := x, p.not()
		x = func(of map[string]int64) (float64, error) {
			if v, err := a(of); err != nil || v == 0 {
				return v, err
			}
			return b(of)
		}
	}
	return x
}

func (p *parser) not() value {
	if p.eat("not", "!") != "" {
		x := p.not()
		return func(of map[string]int64) (float64, error) {
			v, err := x(of)
			return truth(v == 0), err
		}
	}
	return p.comparison()
}

var comparisons = map[string]func(a, b float64) bool{
	"<": func(a, b float64) bool { return a < b }, "<=": func(a, b float64) bool { return a <= b },
	">": func(a, b float64) bool { return a > b }, ">=": func(a, b float64) bool { return a >= b },
	"==": func(a, b float64) bool { return a == b }, "!=": func(a, b float64) bool { return a != b },
}

// comparison reads a chain, as a < b <= c.
func (p *parser) comparison() value {
	x := p.sum()
	var all value
	for {
		var link value
		a := x
		switch op := p.eat("<", "<=", ">", ">=", "==", "!=", "in", "not"); op {
		case "":
			if all == nil {
				return x
			}
			return all
		case "in", "not":
			if op == "not" {
				p.expect("in")
			}
			list := p.list()
			link = func(of map[string]int64) (float64, error) {
				v, err := a(of)
				for _, e := range list {
					w, wrong := e(of)
					if err != nil || wrong != nil {
						return 0, firstOf(err, wrong)
					}
					if v == w {
						return truth(op == "in"), nil
					}
				}
				return truth(op == "not"), err
			}
		default:
			b := p.sum()
			x = b
			holds := comparisons[op]
			link = func(of map[string]int64) (float64, error) {
				v, err := a(of)
				w, wrong := b(of)
				return truth(holds(v, w)), firstOf(err, wrong)
			}
		}
		if all == nil {
			all = link
			continue
		}
		// Every link must hold, and each one compares with its neighbour.
		before := all
		all = func(of map[string]int64) (float64, error) {
			if v, err := before(of); err != nil || v == 0 {
				return v, err
			}
			return link(of)
		}
	}
}

func firstOf(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

func (p *parser) list() (out []value) {
	end := "]"
	if p.eat("(") != "" {
		end = ")"
	} else {
		p.expect("[")
	}
	for p.eat(end) == "" {
		out = append(out, p.sum())
		if p.eat(",") == "" {
			p.expect(end)
			break
		}
	}
	return out
}

func (p *parser) binary(next func() value, words ...string) value {
	x := next()
	for {
		op := p.eat(words...)
		if op == "" {
			return x
		}
		a, b := x, next()
		x = func(of map[string]int64) (float64, error) {
			v, err := a(of)
			w, wrong := b(of)
			if err != nil || wrong != nil {
				return 0, firstOf(err, wrong)
			}
			return calculate(op, v, w)
		}
	}
}

// calculate is what Python answers: quotients by // go down.
func calculate(op string, v, w float64) (out float64, err error) {
	switch op {
	case "+":
		out = v + w
	case "-":
		out = v - w
	case "*":
		out = v * w
	case "**":
		out = math.Pow(v, w)
	case "/", "//", "%":
		if w == 0 {
			return 0, errors.New("a division by 0")
		}
		switch op {
		case "/":
			out = v / w
		case "//":
			out = math.Floor(v / w)
		default:
			out = v - math.Floor(v/w)*w
		}
	}
	if math.Abs(out) >= 1<<53 || math.IsNaN(out) {
		return 0, fmt.Errorf("%v %s %v exceeds 2^53", v, op, w)
	}
	return out, nil
}

func (p *parser) sum() value     { return p.binary(p.product, "+", "-") }
func (p *parser) product() value { return p.binary(p.sign, "*", "//", "/", "%") }

func (p *parser) sign() value {
	if p.eat("-") != "" {
		x := p.sign()
		return func(of map[string]int64) (float64, error) {
			v, err := x(of)
			return -v, err
		}
	}
	return p.power()
}

func (p *parser) power() value {
	x := p.atom()
	if p.eat("**") == "" {
		return x
	}
	y := p.sign()
	return func(of map[string]int64) (float64, error) {
		v, err := x(of)
		w, wrong := y(of)
		if err != nil || wrong != nil {
			return 0, firstOf(err, wrong)
		}
		return calculate("**", v, w)
	}
}

func (p *parser) atom() value {
	if len(p.tokens) == 0 {
		p.fail("its end")
	}
	t := p.tokens[0]
	p.tokens = p.tokens[1:]
	switch {
	case t == "(":
		x := p.or()
		p.expect(")")
		return x
	// True and False are numbers, as in Python.
	case t == "True", t == "False":
		return constant(truth(t == "True"))
	case t[0] >= '0' && t[0] <= '9':
		n, err := strconv.ParseInt(t, 0, 64)
		// Go takes 010 for 8; Python refuses it. Floats are exact up to 2^53.
		octal := len(t) > 1 && t[0] == '0' && t[1] >= '0' && t[1] <= '9'
		if err != nil || octal || n >= 1<<53 {
			p.fail("%q", t)
		}
		return constant(float64(n))
	case (t == "min" || t == "max") && len(p.tokens) > 0 && p.tokens[0] == "(":
		all := p.list()
		if len(all) == 0 {
			p.fail("%s()", t)
		}
		return func(of map[string]int64) (best float64, err error) {
			for i, e := range all {
				v, wrong := e(of)
				if err = firstOf(err, wrong); i == 0 || (t == "min") == (v < best) {
					best = v
				}
			}
			return best, err
		}
	case t[0] == '_' || t[0]|0x20 >= 'a' && t[0]|0x20 <= 'z':
		// There are no functions but min and max.
		if len(p.tokens) > 0 && p.tokens[0] == "(" {
			p.fail("the function %s", t)
		}
		if slices.Contains([]string{"lambda", "if", "else", "for", "is"}, t) {
			p.fail("%q", t)
		}
		if !slices.Contains(p.names, t) {
			p.names = append(p.names, t)
		}
		return func(of map[string]int64) (float64, error) {
			v, ok := of[t]
			if !ok {
				return 0, fmt.Errorf("%s is undefined", t)
			}
			return float64(v), nil
		}
	}
	p.fail("%q", t)
	return nil
}

func constant(n float64) value { return func(map[string]int64) (float64, error) { return n, nil } }
