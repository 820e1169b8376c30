package syntax

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Kernels of CUDA are C++. What of it is C with other words is read, letter by letter as C++ has it:
// references, templates of functions, overloaded functions, auto, casts that look like calls, default
// arguments, namespaces. The parser reads C, so that each of them becomes a form of C at its place,
// and the reader is told what it was.

// foreign is what C++ has and C has not, with what can be written instead: the parser
// would only say that it did not expect a word.
var foreign = []struct {
	form    *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\btemplate\b`), "a template of this form; write the function or structure for each type that it is used with"},
	{regexp.MustCompile(`\b(class|namespace|using|typename|operator|concept|decltype|friend|virtual)\b`), "C++ beyond C; write functions and structures of C"},
	{regexp.MustCompile(`\bfor\s*\([^;()]*[^:;()]:[^:;()][^;()]*\)`), "a loop over a range; write it with an index"},
	{regexp.MustCompile(`[=(,]\s*\[[&=\w\s,]*\]\s*(\([^()]*\))?\s*(mutable\s*)?(->\s*\w+\s*)?\{`), "a lambda; make it a __device__ function"},
	{regexp.MustCompile(`\b(texture|surface)\s*<`), "a texture; take an array"},
	{regexp.MustCompile(`\bdynamic_cast\b`), "dynamic_cast; nothing of C does that"},
	{regexp.MustCompile(`\b[A-Za-z_]\w*\s*::\s*[A-Za-z_]`), "a name of a namespace or class that this file does not contain; write functions and structures of C"},
}

var (
	castOf     = regexp.MustCompile(`\b(static_cast|reinterpret_cast|const_cast)\s*<`)
	ifConstant = regexp.MustCompile(`\bif\s+(constexpr)\s*\(`)
	aliasOf    = regexp.MustCompile(`\busing\s+([A-Za-z_]\w*)\s*=\s*([^;(){}<>\[\]]*?)\s*;`)
	typedefOf  = regexp.MustCompile(`\btypedef\b[^;{}]*?\b([A-Za-z_]\w*)\s*;|\}\s*([A-Za-z_]\w*)\s*;`)
	tagOf      = regexp.MustCompile(`\b(?:struct|enum|union)\s+([A-Za-z_]\w*)`)
	assigned   = regexp.MustCompile(`[^=<>!](=)[^=]`)
	macroOf    = regexp.MustCompile(`(?m)^[ \t]*#(?:[ \t]|\\\r?\n)*define(?:[ \t]|\\\r?\n)+(\w+)(\(?)`)
	firstWord  = regexp.MustCompile(`^[A-Za-z_]\w*`)
	simpleType = strings.Fields("int float double char short long unsigned signed bool")
)

// cplusplus is what the reader has to know of a text that was C++.
type cplusplus struct {
	references map[Place]bool // the stars that were &
	arguments  map[Place]bool // the brackets that were those of arguments of templates
	templates  []*template    // in the order of the text
	byName     map[string]*template
	defaults   map[Place][]defined // of parameters, by the bracket that opens their list
	behind     strings.Builder     // declarations that stand behind the text, see external
	wanted     []string            // what is not judged if an instance that they ask for cannot be read
	unread     []string            // what is not judged
}

// defined is the default value of a parameter, which the declaration with that number has.
type defined struct{ parameter, number int }

// beyondC makes C of the C++ in the code of CUDA, and refuses what is not known by name. Of what the host part
// does, which is left out, only the instances that it asks for count.
func beyondC(w *rewriting, host []byte) (*cplusplus, *Problem) {
	c := &cplusplus{references: map[Place]bool{}, arguments: map[Place]bool{}, byName: map[string]*template{}, defaults: map[Place][]defined{}}
	types := typeWords(w.code)
	for _, step := range []func(*rewriting, map[string]bool) *Problem{c.headers, c.macros, c.explicit, c.uses} {
		if problem := step(w, types); problem != nil {
			return nil, problem
		}
	}
	c.launched(w, host, types)
	for _, m := range aliasOf.FindAllSubmatchIndex(w.code, -1) {
		// using T = X; is typedef X T;, which is as long if T moves behind X.
		blank(w.out[m[0]:m[4]])
		w.insert(m[0], "typedef ")
		w.insert(m[5], " "+string(w.code[m[2]:m[3]]))
		blank(w.code[m[0]:m[4]])
	}
	for _, m := range ifConstant.FindAllSubmatchIndex(w.code, -1) {
		blank(w.out[m[2]:m[3]]) // what is not compiled is not reached, either
	}
	for _, f := range foreign {
		if m := f.form.FindIndex(w.code); m != nil {
			at := m[0] + len(w.code[m[0]:m[1]]) - len(bytes.TrimLeft(w.code[m[0]:m[1]], "=(, \t\n"))
			return nil, w.refuse(at, f.instead)
		}
	}
	for _, step := range []func(*rewriting, map[string]bool) *Problem{casts, c.refer, c.defaulted} {
		if problem := step(w, types); problem != nil {
			return nil, problem
		}
	}
	calledTypes(w, types)
	return c, nil
}

// macros refuses those with the name of a template, or of a type as if it were called: what is written with such a name is
// rewritten before macros are expanded.
func (c *cplusplus) macros(w *rewriting, types map[string]bool) *Problem {
	for _, m := range macroOf.FindAllSubmatchIndex(w.code, -1) {
		name := string(w.code[m[2]:m[3]])
		if types[name] && m[4] < m[5] || c.byName[name] != nil || len(c.templates) > 0 && slices.Contains(simpleType, name) {
			return w.refuse(m[2], fmt.Sprintf("a macro %s, which is the name of a type or template", name))
		}
	}
	return nil
}

// typeWords are the words of a text that may be the last of a type's name.
func typeWords(code []byte) map[string]bool {
	out := map[string]bool{"auto": true}
	for _, n := range append(typeNames(true), simpleType...) {
		out[n] = true
	}
	for _, form := range []*regexp.Regexp{typedefOf, tagOf, aliasOf} {
		for _, m := range form.FindAllSubmatch(code, -1) {
			for _, name := range m[1:] {
				out[string(name)] = true
			}
		}
	}
	delete(out, "") // one of two forms did not match
	return out
}

// casts makes casts of C++ casts of C.
func casts(w *rewriting, _ map[string]bool) *Problem {
	for _, m := range castOf.FindAllSubmatchIndex(w.code, -1) {
		angle := closing(w.code, m[1]-1, '<', '>')
		open := spaceBehind(w.code, angle+1)
		if angle < 0 || open >= len(w.code) || w.code[open] != '(' || closing(w.code, open, '(', ')') < 0 {
			return w.refuse(m[0], fmt.Sprintf("a %s of this form", w.code[m[2]:m[3]]))
		}
		// Brackets around it: what follows would bind closer than a cast of C.
		blank(w.out[m[0] : m[1]-1])
		w.out[m[1]-1], w.out[angle] = '(', ')'
		w.insert(m[1]-1, "(")
		w.insert(closing(w.code, open, '(', ')')+1, ")")
	}
	return nil
}

// calledTypes makes casts that look like calls casts of C: float(x) is ((float)(x)).
func calledTypes(w *rewriting, types map[string]bool) {
	for _, m := range identifier.FindAllIndex(w.code, -1) {
		name := string(w.code[m[0]:m[1]])
		open := spaceBehind(w.code, m[1])
		if !types[name] || name == "auto" || name == "dim3" || open >= len(w.code) || w.code[open] != '(' {
			continue
		}
		if t := Named(name, true); t != nil && t.Kind == VectorType {
			continue
		}
		before := spaceBefore(w.code, m[0])
		end := closing(w.code, open, '(', ')')
		first := spaceBehind(w.code, open+1)
		if end < 0 || before == 0 || w.code[first] == ')' {
			continue
		}
		if strings.IndexByte("=(,+-*/%&|^<>?:!~[", w.code[before-1]) < 0 && wordBefore(w.code, before) != "return" {
			continue // a declaration
		}
		if next := spaceBehind(w.code, end+1); strings.IndexByte("*&", w.code[first]) >= 0 && next < len(w.code) && strings.IndexByte("([", w.code[next]) >= 0 {
			continue // the parameter int (*p)[3], of which casts have no form
		}
		w.insert(m[0], "((")
		w.insert(m[1], ")")
		w.insert(end+1, ")")
	}
}

// refer makes pointers of references, and notes which they are: what they are used for is up to the reader.
func (c *cplusplus) refer(w *rewriting, types map[string]bool) *Problem {
	for i, b := range w.code {
		if b != '&' || i == 0 || i+1 == len(w.code) || w.code[i-1] == '&' || strings.IndexByte("&=", w.code[i+1]) >= 0 || w.directive[w.line(i)] {
			continue
		}
		left := spaceBefore(w.code, i)
		array := left > 0 && w.code[left-1] == '('
		if array {
			left = spaceBefore(w.code, left-1)
		}
		for left > 0 {
			if w.code[left-1] == '*' {
				left = spaceBefore(w.code, left-1)
				continue
			}
			word := wordBefore(w.code, left)
			if word != "const" && word != "volatile" && word != "__restrict__" {
				break
			}
			left = spaceBefore(w.code, left-len(word))
		}
		if !types[wordBefore(w.code, left)] {
			continue
		}
		right := spaceBehind(w.code, i+1)
		name := firstWord.Find(w.code[right:])
		if string(name) == "__restrict__" {
			right = spaceBehind(w.code, right+len(name))
			name = firstWord.Find(w.code[right:])
		}
		next := spaceBehind(w.code, right+len(name))
		if next == len(w.code) || array && (len(name) == 0 || w.code[next] != ')') {
			continue
		}
		switch {
		case len(name) > 0 && w.code[next] == '(':
			return w.refuse(i, "a function that returns a reference; return a pointer or a value")
		case strings.IndexByte(",)=;", w.code[next]) < 0:
			continue
		}
		w.out[i] = '*'
		c.references[w.place(i)] = true
	}
	return nil
}

// defaulted takes default values of parameters out of their lists, and puts them behind the text.
func (c *cplusplus) defaulted(w *rewriting, _ map[string]bool) *Problem {
	items, _ := topLevel(w.code) // what does not match is an error of the parser
	macros, latest := macrosIn(w.code, nil), lastDefined(w.code)
	number := 0
	for _, item := range items {
		end := item.to
		if item.body >= 0 {
			end = item.body
		}
		open := item.from + bytes.IndexByte(w.code[item.from:end], '(')
		if open < item.from || bytes.IndexByte(w.code[item.from:open], '=') >= 0 {
			continue
		}
		for open < end && !parameterList(w.code, open) { // __launch_bounds__(n) and its kin
			past := closing(w.code, open, '(', ')')
			next := -1
			if past > 0 && past < end {
				next = bytes.IndexByte(w.code[past:end], '(')
			}
			if next < 0 {
				break
			}
			open = past + next
		}
		last := closing(w.code, open, '(', ')')
		if last < 0 || last > end {
			continue
		}
		for i, p := range split(w.code, open+1, last) {
			m := assigned.FindSubmatchIndex(w.code[p.from:p.to])
			if m == nil {
				continue
			}
			at := p.from + m[2]
			// It is read behind the text, where macros may mean something else.
			if value, _ := macros.expanded(w.code[at+1 : p.to]); ofPlace.Match(value) || slices.ContainsFunc(others(value), func(w string) bool { return latest[w] > at }) {
				return w.refuse(at+1, "a default value that depends on where it stands")
			}
			c.defaults[w.place(open)] = append(c.defaults[w.place(open)], defined{i, number})
			fmt.Fprintf(&c.behind, "int %s%d = (%s);\n", defaultName, number, bytes.ReplaceAll(w.out[at+1:p.to], []byte("\n"), []byte(" ")))
			number++
			blank(w.out[at:p.to])
			blank(w.code[at:p.to])
		}
	}
	return nil
}

// ofPlace are macros whose value depends on where they stand.
var ofPlace = regexp.MustCompile(`\b(__LINE__|__COUNTER__)\b`)

// parameterList reports whether the bracket at open is that of the parameters of a function.
func parameterList(code []byte, open int) bool {
	name := wordBefore(code, spaceBefore(code, open))
	return name != "" && name != "__launch_bounds__" && name != "__attribute__" && name != "__align__"
}

const maxSpaces = 200

// Names of what stands behind the text.
const (
	defaultName = "__default_"
	wantedName  = "__wanted_"
)

// flatten takes the namespaces out of a file: the names of one file are few, and one that two namespaces
// declare is refused. within says which namespace a place is in; qualified are the names that are asked for
// with their namespace.
func flatten(w *rewriting) (within func(Place) string, qualified map[string]bool, problem *Problem) {
	type span struct {
		from, to Place
		name     string
	}
	var spans []span
	known := map[string]bool{}
	qualified = map[string]bool{}
	for _, m := range namespaceOf.FindAllSubmatchIndex(w.code, -1) {
		end := closing(w.code, m[1]-1, '{', '}')
		if end < 0 {
			return nil, nil, w.refuse(m[0], "a namespace that does not end")
		}
		name := ""
		if m[2] >= 0 {
			name = string(w.code[m[2]:m[3]])
			for _, part := range strings.Split(name, "::") {
				known[strings.TrimSpace(part)] = true
			}
		}
		w.blank(m[0], m[1])
		w.blank(end, end+1)
		spans = append(spans, span{w.place(m[0]), w.place(end), name})
	}
	for _, m := range usingOf.FindAllSubmatchIndex(w.code, -1) {
		if name := string(w.code[m[2]:m[3]]); known[name] || name == "std" {
			w.blank(m[0], m[1])
		}
	}
	if len(spans) > maxSpaces {
		return nil, nil, w.refuse(0, fmt.Sprintf("more than %d namespaces", maxSpaces))
	}
	for _, m := range spaceName.FindAllSubmatchIndex(w.code, -1) {
		if known[string(w.code[m[2]:m[3]])] {
			qualified[string(firstWord.Find(w.code[m[1]:]))] = true
			w.blank(m[0], m[1])
		}
	}
	return func(at Place) (in string) {
		for _, s := range spans {
			if before(s.from, at) && before(at, s.to) {
				in += "::" + s.name
			}
		}
		return in
	}, qualified, nil
}

var (
	namespaceOf = regexp.MustCompile(`\b(?:inline\s+)?namespace\b\s*([A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*)?\s*\{`)
	spaceName   = regexp.MustCompile(`\b([A-Za-z_]\w*)\s*::\s*`)
	usingOf     = regexp.MustCompile(`\busing\s+namespace\s+([A-Za-z_]\w*)\s*;`)
)
