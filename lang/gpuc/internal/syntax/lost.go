package syntax

import (
	"bytes"
	"fmt"
	pathpkg "path"
	"regexp"
	"slices"
	"strings"

	"github.com/gradine/gradine/lang/gpuc/internal/source"
)

// Where a declaration of a file cannot be read, the others are read without it: it is blanked, and the names that it
// declares are lost. Whatever mentions a lost name is not read either. So the kernels that are judged are those of which
// all is known that they can refer to; the others are refused one by one, with the first cause.

// lost are names of declarations that are not read, with why.
type lost map[string]*source.Problem

// Limits on how often a text is read anew.
const (
	mostLost     = 200
	mostLostText = 16 << 20 // bytes, of all readings
)

var (
	kernelOf    = map[bool]*regexp.Regexp{true: kernel, false: regexp.MustCompile(`\b(__)?kernel\b`)}
	enumeration = regexp.MustCompile(`\benum\b[^{};()]*\{[^{}]*\}[^{};()]*`)
	spacious    = regexp.MustCompile(`\bnamespace\b`)
)

// partly reads text, or as much of it as it can, of which names are lost already. It fails where what is not understood is of no declaration, or of one
// whose names are not known.
func partly(s Source, host []byte, names lost) (*Unit, *source.Problem) {
	cuda := pathpkg.Ext(s.File) == ".cu"
	s.Text = bytes.Clone(s.Text)
	text := s.Text
	macros := source.MacrosIn(source.CodeOnly(text), s.Defines)
	_, unclear := source.UnclearAt(text)
	overridden := overrides.Match(source.CodeOnly(text)) // also by what is not read
	var unread []Unread
	var first *source.Problem
	for size := 0; ; size += len(text) {
		u, problem := read(s, host, names)
		if problem == nil {
			u.Unread, u.Overrides = unread, u.Overrides || cuda && overridden
			return u, nil
		}
		if first == nil {
			first = problem
		}
		if len(unread) >= mostLost || size >= mostLostText || !macros.Balanced() || unclear != "" {
			return nil, first
		}
		code := source.CodeOnly(text)
		i, ok := source.ItemAt(code, source.OffsetOf(text, s.origin.InText(source.Place{Line: problem.Line, Col: problem.Col})))
		if !ok {
			return nil, first
		}
		problem, follows := names.cause(s.origin.Problem(problem), s.File, code[i.From:i.To])
		if !names.lose(i, code, macros, problem) {
			return nil, first
		}
		f, _ := i.Function(code)
		with, _ := macros.Expanded(code[i.From:i.To])
		unread = append(unread, Unread{Problem: problem, Name: f, Kernel: kernelOf[cuda].Match(with), Follows: follows})
		source.BlankItems(text, []source.Item{i})
	}
}

// lose notes the names of an item. It fails where they are not known.
func (l lost) lose(i source.Item, code []byte, macros source.Macros, why *source.Problem) bool {
	names, known := declared(i, code, macros)
	for _, n := range names {
		if l[n] == nil {
			l[n] = why
		}
	}
	return known
}

// cause is why an item is not read, and whether that follows from a name that is lost: an error of the parser in what
// mentions one does, too.
func (l lost) cause(p *source.Problem, file string, item []byte) (*source.Problem, bool) {
	for _, w := range source.Identifier.FindAllString(string(item), -1) {
		if l[w] == nil {
			continue
		}
		if p.Construct == l.why(w, file) {
			return p, true
		}
		if strings.HasPrefix(p.Construct, "unexpected ") {
			return &source.Problem{File: p.File, Line: p.Line, Col: p.Col, Construct: l.why(w, file)}, true
		}
	}
	return p, false
}

// why says why a name is not known.
func (l lost) why(name, file string) string {
	p := l[name]
	return fmt.Sprintf("%s, which is not read: %s: %s", name, p.Where(file), p.Construct)
}

// known refuses a name that is lost.
func (r *reader) known(name string, at source.Place) {
	if r.unit.lost[name] != nil {
		r.fail(at, "%s", r.unit.lost.why(name, r.unit.File))
	}
}

// declared are the names that an item declares, or more of them. They are not known where it is a namespace, or where a macro
// puts them together.
func declared(i source.Item, code []byte, macros source.Macros) (out []string, known bool) {
	head := i.Head(code)
	if spacious.Match(head) {
		return nil, false
	}
	f, plain := i.Function(code)
	switch {
	case i.IsFunction(code) && source.Overloads.Match(head): // which what has the types of its operands may mean
		types := typeWords(code)
		out = slices.DeleteFunc(source.Others(head), func(w string) bool { return !types[w] || slices.Contains(typeNames(true), w) })
	case plain:
		out = []string{f}
	default:
		out = append(source.Declarators(head), i.InBody(code)...)
	}
	whole := bytes.Clone(code[i.From:i.To])
	source.BlankDirectives(whole)
	text := whole
	if plain {
		text = head // what the body declares is its own
	}
	with, pasted := macros.Expanded(text)
	if len(with) > len(text) {
		out = append(out, source.Others(with[len(text):])...) // whatever they declare
		if !plain {
			out = append(out, source.Others(head)...)
		}
	}
	if with, _ := macros.Expanded(whole); source.Overloads.Match(with) {
		out = append(out, anyOperator)
		for _, m := range enumeration.FindAll(code, -1) { // whose values are numbers here
			out = append(out, source.Others(m)...)
		}
		for _, value := range macros {
			pasted = pasted || enumerations.MatchString(value)
		}
	}
	return out, len(out) > 0 && !pasted
}

// anyOperator is lost where an operator of C++ is, which any operator on vectors may stand for.
const anyOperator = "operator"
