package ast

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/preproc"
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
	simpleType = strings.Fields("int float double char short long unsigned signed bool")
)

// cplusplus is what the reader has to know of a text that was C++.
type cplusplus struct {
	references map[preproc.Place]bool // the stars that were &
	arguments  map[preproc.Place]bool // the brackets that were those of arguments of templates
	templates  []*template            // in the order of the text
	byName     map[string]*template
	defaults   map[preproc.Place][]defined // of parameters, by the bracket that opens their list
	behind     strings.Builder             // declarations that stand behind the text, see external
	wanted     []string                    // what is not judged if an instance that they ask for cannot be read
	unread     []string                    // what is not judged
}

// defined is the default value of a parameter, which the declaration with that number has.
type defined struct{ parameter, number int }

// beyondC makes C of the C++ in the code of CUDA, and refuses what is not known by name. Of what the host part
// does, which is left out, only the instances that it asks for count.
func beyondC(w *preproc.Rewriting, host []byte) (*cplusplus, *preproc.Problem) {
	c := &cplusplus{references: map[preproc.Place]bool{}, arguments: map[preproc.Place]bool{}, byName: map[string]*template{}, defaults: map[preproc.Place][]defined{}}
	types := typeWords(w.Code)
	for _, step := range []func(*preproc.Rewriting, map[string]bool) *preproc.Problem{c.headers, c.macros, c.explicit, c.uses} {
		if problem := step(w, types); problem != nil {
			return nil, problem
		}
	}
	c.launched(w, host, types)
	for _, m := range aliasOf.FindAllSubmatchIndex(w.Code, -1) {
		// using T = X; is typedef X T;, which is as long if T moves behind X.
		preproc.Blank(w.Out[m[0]:m[4]])
		w.Insert(m[0], "typedef ")
		w.Insert(m[5], " "+string(w.Code[m[2]:m[3]]))
		preproc.Blank(w.Code[m[0]:m[4]])
	}
	for _, m := range ifConstant.FindAllSubmatchIndex(w.Code, -1) {
		preproc.Blank(w.Out[m[2]:m[3]]) // what is not compiled is not reached, either
	}
	for _, f := range foreign {
		if m := f.form.FindIndex(w.Code); m != nil {
			at := m[0] + len(w.Code[m[0]:m[1]]) - len(bytes.TrimLeft(w.Code[m[0]:m[1]], "=(, \t\n"))
			return nil, w.Refuse(at, f.instead)
		}
	}
	for _, step := range []func(*preproc.Rewriting, map[string]bool) *preproc.Problem{casts, c.refer, c.defaulted} {
		if problem := step(w, types); problem != nil {
			return nil, problem
		}
	}
	calledTypes(w, types)
	return c, nil
}

// macros refuses those with the name of a template, or of a type as if it were called: what is written with such a name is
// rewritten before macros are expanded.
func (c *cplusplus) macros(w *preproc.Rewriting, types map[string]bool) *preproc.Problem {
	for _, m := range macroOf.FindAllSubmatchIndex(w.Code, -1) {
		name := string(w.Code[m[2]:m[3]])
		if types[name] && m[4] < m[5] || c.byName[name] != nil || len(c.templates) > 0 && slices.Contains(simpleType, name) {
			return w.Refuse(m[2], fmt.Sprintf("a macro %s, which is the name of a type or template", name))
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
func casts(w *preproc.Rewriting, _ map[string]bool) *preproc.Problem {
	for _, m := range castOf.FindAllSubmatchIndex(w.Code, -1) {
		angle := preproc.Closing(w.Code, m[1]-1, '<', '>')
		open := preproc.SpaceBehind(w.Code, angle+1)
		if angle < 0 || open >= len(w.Code) || w.Code[open] != '(' || preproc.Closing(w.Code, open, '(', ')') < 0 {
			return w.Refuse(m[0], fmt.Sprintf("a %s of this form", w.Code[m[2]:m[3]]))
		}
		// Brackets around it: what follows would bind closer than a cast of C.
		preproc.Blank(w.Out[m[0] : m[1]-1])
		w.Out[m[1]-1], w.Out[angle] = '(', ')'
		w.Insert(m[1]-1, "(")
		w.Insert(preproc.Closing(w.Code, open, '(', ')')+1, ")")
	}
	return nil
}

// calledTypes makes casts that look like calls casts of C: float(x) is ((float)(x)).
func calledTypes(w *preproc.Rewriting, types map[string]bool) {
	for _, m := range preproc.Identifier.FindAllIndex(w.Code, -1) {
		name := string(w.Code[m[0]:m[1]])
		open := preproc.SpaceBehind(w.Code, m[1])
		if !types[name] || name == "auto" || name == "dim3" || open >= len(w.Code) || w.Code[open] != '(' {
			continue
		}
		if t := Named(name, true); t != nil && t.Kind == VectorType {
			continue
		}
		before := preproc.SpaceBefore(w.Code, m[0])
		end := preproc.Closing(w.Code, open, '(', ')')
		first := preproc.SpaceBehind(w.Code, open+1)
		if end < 0 || before == 0 || w.Code[first] == ')' {
			continue
		}
		if strings.IndexByte("=(,+-*/%&|^<>?:!~[", w.Code[before-1]) < 0 && preproc.WordBefore(w.Code, before) != "return" {
			continue // a declaration
		}
		if next := preproc.SpaceBehind(w.Code, end+1); strings.IndexByte("*&", w.Code[first]) >= 0 && next < len(w.Code) && strings.IndexByte("([", w.Code[next]) >= 0 {
			continue // the parameter int (*p)[3], of which casts have no form
		}
		w.Insert(m[0], "((")
		w.Insert(m[1], ")")
		w.Insert(end+1, ")")
	}
}

// refer makes pointers of references, and notes which they are: what they are used for is up to the reader.
func (c *cplusplus) refer(w *preproc.Rewriting, types map[string]bool) *preproc.Problem {
	for i, b := range w.Code {
		if b != '&' || i == 0 || i+1 == len(w.Code) || w.Code[i-1] == '&' || strings.IndexByte("&=", w.Code[i+1]) >= 0 || w.Directive[w.Line(i)] {
			continue
		}
		left := preproc.SpaceBefore(w.Code, i)
		array := left > 0 && w.Code[left-1] == '('
		if array {
			left = preproc.SpaceBefore(w.Code, left-1)
		}
		for left > 0 {
			if w.Code[left-1] == '*' {
				left = preproc.SpaceBefore(w.Code, left-1)
				continue
			}
			word := preproc.WordBefore(w.Code, left)
			if word != "const" && word != "volatile" && word != "__restrict__" {
				break
			}
			left = preproc.SpaceBefore(w.Code, left-len(word))
		}
		if !types[preproc.WordBefore(w.Code, left)] {
			continue
		}
		right := preproc.SpaceBehind(w.Code, i+1)
		name := preproc.FirstWord.Find(w.Code[right:])
		if string(name) == "__restrict__" {
			right = preproc.SpaceBehind(w.Code, right+len(name))
			name = preproc.FirstWord.Find(w.Code[right:])
		}
		next := preproc.SpaceBehind(w.Code, right+len(name))
		if next == len(w.Code) || array && (len(name) == 0 || w.Code[next] != ')') {
			continue
		}
		switch {
		case len(name) > 0 && w.Code[next] == '(':
			return w.Refuse(i, "a function that returns a reference; return a pointer or a value")
		case strings.IndexByte(",)=;", w.Code[next]) < 0:
			continue
		}
		w.Out[i] = '*'
		c.references[w.Place(i)] = true
	}
	return nil
}

// defaulted takes default values of parameters out of their lists, and puts them behind the text.
func (c *cplusplus) defaulted(w *preproc.Rewriting, _ map[string]bool) *preproc.Problem {
	items, _ := preproc.TopLevel(w.Code) // what does not match is an error of the parser
	macros, latest := preproc.MacrosIn(w.Code, nil), preproc.LastDefined(w.Code)
	number := 0
	for _, item := range items {
		end := item.To
		if item.Body >= 0 {
			end = item.Body
		}
		open := item.From + bytes.IndexByte(w.Code[item.From:end], '(')
		if open < item.From || bytes.IndexByte(w.Code[item.From:open], '=') >= 0 {
			continue
		}
		for open < end && !preproc.ParameterList(w.Code, open) { // __launch_bounds__(n) and its kin
			past := preproc.Closing(w.Code, open, '(', ')')
			next := -1
			if past > 0 && past < end {
				next = bytes.IndexByte(w.Code[past:end], '(')
			}
			if next < 0 {
				break
			}
			open = past + next
		}
		last := preproc.Closing(w.Code, open, '(', ')')
		if last < 0 || last > end {
			continue
		}
		for i, p := range preproc.Split(w.Code, open+1, last) {
			m := assigned.FindSubmatchIndex(w.Code[p.From:p.To])
			if m == nil {
				continue
			}
			at := p.From + m[2]
			// It is read behind the text, where macros may mean something else.
			if value, _ := macros.Expanded(w.Code[at+1 : p.To]); preproc.OfPlace.Match(value) || slices.ContainsFunc(preproc.Others(value), func(w string) bool { return latest[w] > at }) {
				return w.Refuse(at+1, "a default value that depends on where it stands")
			}
			c.defaults[w.Place(open)] = append(c.defaults[w.Place(open)], defined{i, number})
			fmt.Fprintf(&c.behind, "int %s%d = (%s);\n", defaultName, number, bytes.ReplaceAll(w.Out[at+1:p.To], []byte("\n"), []byte(" ")))
			number++
			preproc.Blank(w.Out[at:p.To])
			preproc.Blank(w.Code[at:p.To])
		}
	}
	return nil
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
func flatten(w *preproc.Rewriting) (within func(preproc.Place) string, qualified map[string]bool, problem *preproc.Problem) {
	type span struct {
		from, to preproc.Place
		name     string
	}
	var spans []span
	known := map[string]bool{}
	qualified = map[string]bool{}
	for _, m := range namespaceOf.FindAllSubmatchIndex(w.Code, -1) {
		end := preproc.Closing(w.Code, m[1]-1, '{', '}')
		if end < 0 {
			return nil, nil, w.Refuse(m[0], "a namespace that does not end")
		}
		name := ""
		if m[2] >= 0 {
			name = string(w.Code[m[2]:m[3]])
			for _, part := range strings.Split(name, "::") {
				known[strings.TrimSpace(part)] = true
			}
		}
		w.Blank(m[0], m[1])
		w.Blank(end, end+1)
		spans = append(spans, span{w.Place(m[0]), w.Place(end), name})
	}
	for _, m := range usingOf.FindAllSubmatchIndex(w.Code, -1) {
		if name := string(w.Code[m[2]:m[3]]); known[name] || name == "std" {
			w.Blank(m[0], m[1])
		}
	}
	if len(spans) > maxSpaces {
		return nil, nil, w.Refuse(0, fmt.Sprintf("more than %d namespaces", maxSpaces))
	}
	for _, m := range spaceName.FindAllSubmatchIndex(w.Code, -1) {
		if known[string(w.Code[m[2]:m[3]])] {
			qualified[string(preproc.FirstWord.Find(w.Code[m[1]:]))] = true
			w.Blank(m[0], m[1])
		}
	}
	return func(at preproc.Place) (in string) {
		for _, s := range spans {
			if preproc.Before(s.from, at) && preproc.Before(at, s.to) {
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
