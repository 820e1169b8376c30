package ast

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/preproc"
)

// Where a declaration of a file cannot be read, the others are read without it: it is blanked, and the names that it
// declares are lost. Whatever mentions a lost name is not read either. So the kernels that are judged are those of which
// all is known that they can refer to; the others are refused one by one, with the first cause.

// lost are names of declarations that are not read, with why.
type lost map[string]*preproc.Problem

var (
	kernelOf    = map[bool]*regexp.Regexp{true: kernel, false: regexp.MustCompile(`\b(__)?kernel\b`)}
	enumeration = regexp.MustCompile(`\benum\b[^{};()]*\{[^{}]*\}[^{};()]*`)
	enumWord    = regexp.MustCompile(`\benum\b`)
	spacious    = regexp.MustCompile(`\bnamespace\b`)
)

// lose notes the names of an item. It fails where they are not known.
func (l lost) lose(i preproc.Item, code []byte, macros preproc.Macros, why *preproc.Problem) bool {
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
func (l lost) cause(p *preproc.Problem, file string, item []byte) (*preproc.Problem, bool) {
	for _, w := range preproc.Identifier.FindAllString(string(item), -1) {
		if l[w] == nil {
			continue
		}
		if p.Construct == l.why(w, file) {
			return p, true
		}
		if strings.HasPrefix(p.Construct, "unexpected ") {
			return &preproc.Problem{File: p.File, Line: p.Line, Col: p.Col, Construct: l.why(w, file)}, true
		}
	}
	return p, false
}

// why says why a name is not known.
func (l lost) why(name, file string) string {
	p := l[name]
	return fmt.Sprintf("%s, which cannot be read: %s: %s", name, p.Where(file), p.Construct)
}

// declared are the names that an item declares, or more of them. They are not known where it is a namespace, or where a macro
// puts them together.
func declared(i preproc.Item, code []byte, macros preproc.Macros) (out []string, known bool) {
	head := i.Head(code)
	if spacious.Match(head) {
		return nil, false
	}
	f, plain := i.Function(code)
	switch {
	case i.IsFunction(code) && preproc.Overloads.Match(head): // which what has the types of its operands may mean
		types := typeWords(code)
		out = slices.DeleteFunc(preproc.Others(head), func(w string) bool { return !types[w] || slices.Contains(typeNames(true), w) })
	case plain:
		out = []string{f}
	default:
		out = append(preproc.Declarators(head), i.InBody(code)...)
	}
	whole := bytes.Clone(code[i.From:i.To])
	preproc.BlankDirectives(whole)
	text := whole
	if plain {
		text = head // what the body declares is its own
	}
	with, pasted := macros.Expanded(text)
	if len(with) > len(text) {
		out = append(out, preproc.Others(with[len(text):])...) // whatever they declare
		if !plain {
			out = append(out, preproc.Others(head)...)
		}
	}
	if with, _ := macros.Expanded(whole); preproc.Overloads.Match(with) {
		out = append(out, anyOperator)
		for _, m := range enumeration.FindAll(code, -1) { // whose values are numbers here
			out = append(out, preproc.Others(m)...)
		}
		for _, value := range macros {
			pasted = pasted || enumWord.MatchString(value)
		}
	}
	return out, len(out) > 0 && !pasted
}

// anyOperator is lost where an operator of C++ is, which any operator on vectors may stand for.
const anyOperator = "operator"
