package clang

import (
	"slices"
	"strings"
)

// file is a source file of the project, taken apart as far as repairs need it.
type file struct {
	name   string
	src    []byte
	tokens []token
	items  []item // of namespaces and classes, innermost last
	broken bool   // its brackets do not match
}

// item is a declaration of a namespace or a class.
type item struct {
	first, last int  // tokens, both within
	body        int  // of a function: the token that opens its body, or begins what initialises members; 0 for others
	open        int  // of a function: the token that opens its body
	class       bool // a definition of a class, or of an enumeration
	member      bool // within a class
	outer       int  // the index of the item around it, -1 for none
	name        string
}

// parse takes a file apart. Lines that the preprocessor drops are not looked at.
func parse(name string, src []byte, lines map[int]string) *file {
	f := &file{name: name, src: src}
	tokens, regions := scan(src)
	active := map[*region]bool{}
	for _, r := range regions {
		if slices.ContainsFunc(r.written, func(l int) bool { return lines[l] != "" }) {
			for up := r; up != nil && !active[up]; up = up.within {
				active[up] = true
			}
		}
	}
	dropped := map[int]bool{}
	for _, r := range regions {
		if !active[r] {
			for _, l := range r.written {
				dropped[l] = true
			}
		}
	}
	for _, t := range tokens {
		if !dropped[t.line] {
			f.tokens = append(f.tokens, t)
		}
	}
	f.broken = !pair(f.tokens)
	if !f.broken {
		f.declarations(0, len(f.tokens), -1, false)
	}
	return f
}

// text is what a token says.
func (f *file) text(i int) string {
	if i < 0 || i >= len(f.tokens) {
		return ""
	}
	return string(f.src[f.tokens[i].start:f.tokens[i].end])
}

func (f *file) is(i int, s string) bool { return f.text(i) == s }

// declarations reads those between two tokens, of a namespace or of a class.
func (f *file) declarations(from, to, outer int, member bool) {
	for i := from; i < to; {
		switch {
		case f.is(i, ";"):
			i++
		case (f.is(i, "public") || f.is(i, "private") || f.is(i, "protected")) && f.is(i+1, ":"):
			i += 2
		default:
			i = f.declaration(i, to, outer, member)
		}
	}
}

// declaration reads the one that begins at a token, and returns the token behind it.
func (f *file) declaration(first, to, outer int, member bool) int {
	colon := 0 // begins what initialises members
	for i := first; i < to; i++ {
		switch f.tokens[i].kind {
		case '(', '[':
			i = f.tokens[i].match
		case ';':
			f.add(item{first: first, last: i, outer: outer, member: member})
			return i + 1
		case ':':
			if colon == 0 && f.closesParameters(first, i-1) {
				colon = i
			}
		case '{':
			end := f.tokens[i].match
			switch f.opens(first, i, colon) {
			case opensNamespace:
				f.declarations(i+1, end, outer, member)
				return end + 1
			case opensFunction:
				body := i
				if colon != 0 {
					body = colon
				}
				f.add(item{first: first, last: end, body: body, open: i, outer: outer, member: member})
				return end + 1
			case opensClass:
				at := len(f.items)
				f.add(item{first: first, last: end, class: true, outer: outer, member: member})
				f.declarations(i+1, end, at, true)
				last := end
				for last+1 < to && !f.is(last, ";") { // names of this type, too
					last++
				}
				f.items[at].last = last
				return last + 1
			}
			i = end
		}
	}
	f.add(item{first: first, last: to - 1, outer: outer, member: member})
	return to
}

func (f *file) add(x item) {
	x.name = f.declared(x)
	f.items = append(f.items, x)
}

type opens int

const (
	opensValue opens = iota
	opensNamespace
	opensClass
	opensFunction
)

// opens says what a brace opens, behind the tokens of a declaration.
func (f *file) opens(first, brace, colon int) opens {
	before := f.tokens[brace-1*min(brace, 1)]
	if brace == first || f.is(first, "namespace") || f.is(first, "inline") && f.is(first+1, "namespace") ||
		f.is(first, "extern") && f.tokens[first+1].kind == text && first+2 == brace {
		return opensNamespace
	}
	if colon != 0 { // the body stands behind a bracket, values of members behind names
		if before.kind == ')' || before.kind == '}' {
			return opensFunction
		}
		return opensValue
	}
	if f.is(brace-1, "=") {
		return opensValue
	}
	if f.closesParameters(first, brace-1) {
		return opensFunction
	}
	for i := first; i < brace; i++ {
		switch f.text(i) {
		case "struct", "class", "union", "enum":
			return opensClass
		}
		if k := f.tokens[i].kind; k == '(' || k == '[' {
			i = f.tokens[i].match
		}
	}
	return opensValue
}

// notParameters are words before brackets that are no parameters of the function declared.
var notParameters = []string{"__attribute__", "alignas", "__align__", "__launch_bounds__", "decltype", "noexcept", "requires", "__declspec", "explicit", "throw", "__cluster_dims__", "sizeof", "if", "__maxnreg__"}

// closesParameters reports whether a declaration up to a token is the head of a function.
func (f *file) closesParameters(first, last int) bool { return f.parameters(first, last) >= 0 }

// parameters is the token that opens the parameters of the function whose head ends at a
// token, -1 if it is none.
func (f *file) parameters(first, last int) int {
	for i := last; i > first; i-- {
		switch t := f.tokens[i]; {
		case t.kind == ')':
			open := t.match
			if open <= first {
				return -1
			}
			if slices.Contains(notParameters, f.text(open-1)) {
				i = open - 1
				continue
			}
			before := f.tokens[open-1].kind
			if f.assigned(first, open) {
				return -1
			}
			if before == word || before == '>' || before == ')' && f.is(f.tokens[open-1].match-1, "operator") || f.operator(first, open) {
				return open
			}
			return -1
		case t.kind == ']' && f.is(t.match+1, "["): // an attribute
			i = t.match
		case t.kind == word, t.kind == scope, t.kind == '&', t.kind == '>', t.kind == '<', t.kind == ',', t.kind == '*', t.kind == arrow:
			// const, noexcept, override, -> type
		default:
			return -1
		}
	}
	return -1
}

// assigned reports whether a = stands between tokens, outside of brackets and of operator=.
func (f *file) assigned(from, to int) bool {
	angle := 0
	for i := from; i < to; i++ {
		switch f.tokens[i].kind {
		case '(', '[', '{':
			i = f.tokens[i].match
		case '<':
			angle++
		case '>':
			angle--
		case '=':
			if angle <= 0 && !f.operator(from, i+1) {
				return true
			}
		}
	}
	return false
}

// operator reports whether the word operator stands just before a token, behind it symbols.
func (f *file) operator(first, to int) bool {
	for i := to - 1; i >= first && i >= to-5; i-- {
		if f.is(i, "operator") {
			return true
		}
		if f.tokens[i].kind == word && i != to-1 {
			return false
		}
	}
	return false
}

// notNames are words of the head of a class that are not its name.
var notNames = []string{"struct", "class", "union", "enum", "typedef", "static", "const", "typename", "final", "__align__", "alignas", "__attribute__", "template"}

// declared is the name that an item declares; "" if it is not known.
func (f *file) declared(x item) string {
	if x.class {
		name := ""
		for i := x.first; i <= x.last && !f.is(i, "{") && !f.is(i, ":"); i++ {
			if k := f.tokens[i].kind; k == '(' {
				i = f.tokens[i].match
			} else if k == word && i > x.first && !slices.Contains(notNames, f.text(i)) {
				name = f.text(i)
			} else if k == '<' && name != "" && !f.is(x.first, "template") {
				break
			}
		}
		return name
	}
	last := x.last - 1
	if x.body != 0 {
		last = x.body - 1
	}
	open := f.parameters(x.first, last)
	if open < 0 { // a variable or a type
		for i := x.first; i < x.last; i++ {
			switch k := f.tokens[i].kind; {
			case k == '(':
				i = f.tokens[i].match
			case k == word && strings.Contains("=;[{,", f.text(i+1)):
				return f.text(i)
			}
		}
		return ""
	}
	if f.tokens[open-1].kind == word && !f.is(open-2, "operator") && !f.is(open-2, "~") {
		return f.text(open - 1)
	}
	if f.tokens[open-1].kind == '>' { // a specialisation
		depth := 0
		for i := open - 1; i > x.first; i-- {
			switch f.tokens[i].kind {
			case '>':
				depth++
			case '<':
				depth--
				if depth == 0 {
					if f.tokens[i-1].kind == word {
						return f.text(i - 1)
					}
					return ""
				}
			}
		}
	}
	return ""
}

// at is the innermost item around a place, -1 if there is none.
func (f *file) at(offset int) int {
	best := -1
	for i, x := range f.items {
		if f.tokens[x.first].start <= offset && offset < f.tokens[x.last].end && (best < 0 || x.first >= f.items[best].first) {
			best = i
		}
	}
	return best
}
