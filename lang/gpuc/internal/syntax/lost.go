package syntax

import (
	"bytes"
	"fmt"
	pathpkg "path"
	"regexp"
	"slices"
	"strings"
)

// Where a declaration of a file cannot be read, the others are read without it: it is blanked, and the names that it
// declares are lost. Whatever mentions a lost name is not read either. So the kernels that are judged are those of which
// all is known that they can refer to; the others are refused one by one, with the first cause.

// lost are names of declarations that are not read, with why.
type lost map[string]*Problem

// Limits on how often a text is read anew.
const (
	mostLost     = 200
	mostLostText = 16 << 20 // bytes, of all readings
)

var (
	kernelOf    = map[bool]*regexp.Regexp{true: kernel, false: regexp.MustCompile(`\b(__)?kernel\b`)}
	enumerated  = regexp.MustCompile(`\benum\b[^{};()]*\{([^{}]*)\}`)
	enumeration = regexp.MustCompile(`\benum\b[^{};()]*\{[^{}]*\}[^{};()]*`)
	overloads   = regexp.MustCompile(`\boperator\b`)
	tagIn       = regexp.MustCompile(`\b(?:struct|enum|union|class)\s+([A-Za-z_]\w*)`)
	befriends   = regexp.MustCompile(`\bfriend\b`)
	spacious    = regexp.MustCompile(`\bnamespace\b`)
	called      = regexp.MustCompile(`\b([A-Za-z_]\w*)\s*\(`)
	qualifiers  = strings.Fields("__global__ __device__ __shared__ __constant__ __host__ __managed__ __noinline__ __forceinline__ __inline__ __restrict__ __launch_bounds__ __align__ __attribute__ __kernel kernel __global global __local local __constant constant __private")
	keywords    = strings.Fields("auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true false class template typename using namespace constexpr operator")
)

// partly reads text, or as much of it as it can, of which names are lost already. It fails where what is not understood is of no declaration, or of one
// whose names are not known.
func partly(s Source, host []byte, names lost) (*Unit, *Problem) {
	cuda := pathpkg.Ext(s.File) == ".cu"
	s.Text = bytes.Clone(s.Text)
	text := s.Text
	macros := macrosIn(codeOnly(text), s.Defines)
	_, unclear := unclearAt(text)
	overridden := overrides.Match(codeOnly(text)) // also by what is not read
	var unread []Unread
	var first *Problem
	for size := 0; ; size += len(text) {
		u, problem := read(s, host, names)
		if problem == nil {
			u.Unread, u.Overrides = unread, u.Overrides || cuda && overridden
			return u, nil
		}
		if first == nil {
			first = problem
		}
		if len(unread) >= mostLost || size >= mostLostText || !macros.balanced() || unclear != "" {
			return nil, first
		}
		code := codeOnly(text)
		i, ok := itemAt(code, offsetOf(text, s.text(Place{problem.Line, problem.Col})))
		if !ok {
			return nil, first
		}
		problem, follows := names.cause(s.problem(problem), s.File, code[i.from:i.to])
		if !names.lose(i, code, macros, problem) {
			return nil, first
		}
		f, _ := i.function(code)
		with, _ := macros.expanded(code[i.from:i.to])
		unread = append(unread, Unread{Problem: problem, Name: f, Kernel: kernelOf[cuda].Match(with), Follows: follows})
		blankItems(text, []item{i})
	}
}

// lose notes the names of an item. It fails where they are not known.
func (l lost) lose(i item, code []byte, macros macros, why *Problem) bool {
	names, known := i.names(code, macros)
	for _, n := range names {
		if l[n] == nil {
			l[n] = why
		}
	}
	return known
}

// cause is why an item is not read, and whether that follows from a name that is lost: an error of the parser in what
// mentions one does, too.
func (l lost) cause(p *Problem, file string, item []byte) (*Problem, bool) {
	for _, w := range identifier.FindAllString(string(item), -1) {
		if l[w] == nil {
			continue
		}
		if p.Construct == l.why(w, file) {
			return p, true
		}
		if strings.HasPrefix(p.Construct, "unexpected ") {
			return &Problem{File: p.File, Line: p.Line, Col: p.Col, Construct: l.why(w, file)}, true
		}
	}
	return p, false
}

// why says why a name is not known.
func (l lost) why(name, file string) string {
	p := l[name]
	return fmt.Sprintf("%s, which is not read: %s: %s", name, p.where(file), p.Construct)
}

// known refuses a name that is lost.
func (r *reader) known(name string, at Place) {
	if r.unit.lost[name] != nil {
		r.fail(at, "%s", r.unit.lost.why(name, r.unit.File))
	}
}

// itemAt is the item that an offset is in.
func itemAt(code []byte, at int) (item, bool) {
	items, ok := topLevel(code)
	if !ok || at < 0 {
		return item{}, false
	}
	i := slices.IndexFunc(items, func(i item) bool { return i.from <= at && at < i.to })
	if i < 0 {
		return item{}, false
	}
	return items[i], true
}

// offsetOf is where a place is in a text, −1 if it is not there.
func offsetOf(text []byte, p Place) int {
	at, line, col := 0, p.Line, p.Col
	for ; line > 1; line-- {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			return -1
		}
		at += end + 1
	}
	return min(at+max(col-1, 0), len(text))
}

// head is the item up to its body, without the parameters of a template, blanked in place.
func (i item) head(code []byte) []byte {
	end := i.to
	if i.body >= 0 {
		end = i.body
	}
	head := bytes.Clone(code[i.from:end])
	blankDirectives(head)
	for {
		m := templateHead.FindIndex(head)
		if m == nil {
			return head
		}
		last := angles(head, m[1]-1)
		if last < 0 {
			return head
		}
		blank(head[m[0] : last+1])
	}
}

// blankDirectives takes the directives of the preprocessor out of a text.
func blankDirectives(text []byte) {
	for i := 0; i < len(text); i++ {
		if text[i] == '#' {
			end := endOfDirective(text, i)
			blank(text[i:end])
			i = end
		}
	}
}

// isFunction reports whether the item declares a function, by its form.
func (i item) isFunction(code []byte) bool {
	head := i.head(code)
	open := bytes.IndexByte(head, '(')
	switch {
	case open < 0, i.body >= 0 && !function.Match(head):
		return false
	}
	return bytes.IndexByte(head[:open], '=') < 0 || overloads.Match(head[:open])
}

// function is the name of the function that the item declares, "" if it declares none. It is plain if it is all that the
// item declares, unless macros have a part in it.
func (i item) function(code []byte) (name string, plain bool) {
	head := i.head(code)
	if !i.isFunction(code) {
		return "", false
	}
	for open := bytes.IndexByte(head, '('); open < len(head); {
		past := closing(head, open, '(', ')')
		if past < 0 {
			return "", false
		}
		next := bytes.IndexByte(head[past:], '(')
		if parameterList(head, open) {
			return wordBefore(head, spaceBefore(head, open)), ending.Match(head[past:])
		}
		if next < 0 {
			break
		}
		open = past + next
	}
	return "", false
}

// ending is what may follow the parameters of a function that stands alone.
var ending = regexp.MustCompile(`^\)\s*((const|noexcept)\s*)*;?\s*$`)

// names are those that the item declares, or more of them. They are not known where it is a namespace, or where a macro
// puts them together.
func (i item) names(code []byte, macros macros) (out []string, known bool) {
	head := i.head(code)
	if spacious.Match(head) {
		return nil, false
	}
	f, plain := i.function(code)
	switch {
	case i.isFunction(code) && overloads.Match(head): // which what has the types of its operands may mean
		types := typeWords(code)
		out = slices.DeleteFunc(others(head), func(w string) bool { return !types[w] || slices.Contains(typeNames(true), w) })
	case plain:
		out = []string{f}
	default:
		out = append(declarators(head), i.inBody(code)...)
	}
	whole := bytes.Clone(code[i.from:i.to])
	blankDirectives(whole)
	text := whole
	if plain {
		text = head // what the body declares is its own
	}
	with, pasted := macros.expanded(text)
	if len(with) > len(text) {
		out = append(out, others(with[len(text):])...) // whatever they declare
		if !plain {
			out = append(out, others(head)...)
		}
	}
	if with, _ := macros.expanded(whole); overloads.Match(with) {
		out = append(out, anyOperator)
		for _, m := range enumeration.FindAll(code, -1) { // whose values are numbers here
			out = append(out, others(m)...)
		}
		for _, value := range macros {
			pasted = pasted || enumerations.MatchString(value)
		}
	}
	return out, len(out) > 0 && !pasted
}

// declarators are the words of a declaration that may be what it declares: tags, and those that something other than a
// word, a star or a bracket that closes follows.
func declarators(head []byte) (out []string) {
	for _, m := range tagIn.FindAllSubmatch(head, -1) {
		out = append(out, string(m[1]))
	}
	for _, m := range identifier.FindAllIndex(head, -1) {
		next := spaceBehind(head, m[1])
		if next < len(head) && (strings.IndexByte("*&>", head[next]) >= 0 || bytes.HasPrefix(head[next:], []byte("::")) || inWord(head[next]) && !behindName.Match(head[next:])) {
			continue
		}
		out = append(out, others(head[m[0]:m[1]])...)
	}
	return out
}

// behindName are words that may stand behind the name that a declaration declares.
var behindName = regexp.MustCompile(`^(__attribute|__attribute__|alignas|_Alignas|__align__|asm|__asm__|noexcept|final|override|const|volatile|throw|requires)\b`)

// others are the words of a text that are neither keywords nor qualifiers.
func others(text []byte) []string {
	return slices.DeleteFunc(identifier.FindAllString(string(text), -1), func(w string) bool {
		return slices.Contains(keywords, w) || slices.Contains(qualifiers, w)
	})
}

// inBody are the names that the body of what is no function may declare besides members, and those behind it.
func (i item) inBody(code []byte) (out []string) {
	if i.body < 0 {
		return nil
	}
	body := code[i.body:i.to]
	forms := []*regexp.Regexp{tagIn, enumerated}
	if befriends.Match(body) {
		forms = append(forms, called)
	}
	for _, form := range forms {
		for _, m := range form.FindAllSubmatch(code[i.from:i.to], -1) {
			out = append(out, others(m[1])...)
		}
	}
	if end := closing(body, 0, '{', '}'); end >= 0 {
		out = append(out, others(body[end:])...)
	}
	return out
}

// anyOperator is lost where an operator of C++ is, which any operator on vectors may stand for.
const anyOperator = "operator"
