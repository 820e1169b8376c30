package preproc

import (
	"bytes"
	"fmt"
	"maps"
	pathpkg "path"
	"regexp"
	"slices"
	"sort"
)

// Files of the project that a file includes stand in its text, where the #include does, so that all that is read of a text is
// read of them, too. A place in an included file is one in the line of the #include, far to its right: places of the text
// differ, and those of the file are what they were. What is shown of one names the file that was included.

// Include returns the text of a file of the project, by a path with slashes; nil if there is none.
type Include func(path string) []byte

// Limits on what is included.
const (
	maxIncluded = 200 // files, in files and one after another
	maxDeep     = 20
	farRight    = 10_000 // no line of an included file is as long, nor is there a place in a line with an #include
)

// Origin says where the lines of a text come from. Without included files, nil, they are those of the file.
type Origin struct{ lines []lineOf }

// lineOf is a line of the file, or, with a name, of another one, which line at of the file includes.
type lineOf struct {
	name     string
	line, at int
}

var (
	inProject = regexp.MustCompile(`^[ \t]*(#)[ \t]*include[ \t]*"([^"\n]*)"`)
	opens     = regexp.MustCompile(`^[ \t]*#[ \t]*(if|ifdef|ifndef)\b`)
	divides   = regexp.MustCompile(`^[ \t]*#[ \t]*(else|elif|elifdef|elifndef)\b`)
	closes    = regexp.MustCompile(`^[ \t]*#[ \t]*endif\b`)
	pragmaOne = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+once\b`)
	guard     = regexp.MustCompile(`^\s*#[ \t]*ifndef[ \t]+(\w+)[^\n]*\n\s*#[ \t]*define[ \t]+(\w+)\b`)
	lineOfIt  = regexp.MustCompile(`\b__LINE__\b`)
	compiled  = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(?:if|elif)\b(?:[^\\\n]|\\\r?\n|\\)*`)
)

// splicing puts included files into a text.
type splicing struct {
	file    string
	include Include
	text    bytes.Buffer
	lines   []lineOf
	seen    map[string]bool   // files that are not read again; true if they were under a condition
	guards  map[string]string // of files, by the macro by which they say that they count once
	once    map[string]string // of files that say so by a #pragma, by their text
	way     []string          // files that are being included, the outermost first
	count   int
	problem *Problem
}

// Splice puts the files that src includes into it, as far as include knows them.
func Splice(file string, src []byte, include Include, defines []string) ([]byte, *Origin, *Problem) {
	if include == nil || !bytes.Contains(src, []byte("include")) {
		return src, nil, nil
	}
	s := &splicing{file: file, include: include, seen: map[string]bool{}, guards: map[string]string{}, once: map[string]string{}}
	s.add(file, src, 0, 0, 0)
	if s.count > 0 && s.problem == nil {
		s.guarding(defines)
		s.numbers()
	}
	switch {
	case s.problem != nil:
		return nil, nil, s.problem
	case s.count == 0:
		return src, nil, nil
	}
	return s.text.Bytes(), &Origin{s.lines}, nil
}

// guarding refuses a macro that guards a file and is defined elsewhere, too: whether the file counts depends on where.
func (s *splicing) guarding(defines []string) {
	times := map[string]int{}
	for _, d := range defines {
		times[FirstWord.FindString(d)]++
	}
	for _, m := range redefined.FindAllSubmatch(CodeOnly(s.text.Bytes()), -1) {
		times[string(m[1])]++
	}
	for _, name := range slices.Sorted(maps.Keys(s.guards)) {
		if times[name] > 1 {
			s.refuse(1, fmt.Sprintf("the include guard %s of %q, which is also defined elsewhere", name, s.guards[name]))
		}
	}
}

// numbers takes the numbers of lines away from a text, which are not those of its files: a name that nothing declares is left.
func (s *splicing) numbers() {
	text := s.text.Bytes()
	code := CodeOnly(text)
	for _, m := range compiled.FindAll(code, -1) {
		if lineOfIt.Match(m) {
			s.refuse(1, "a condition on __LINE__ together with included files")
		}
	}
	for _, m := range lineOfIt.FindAllIndex(code, -1) {
		copy(text[m[0]:m[1]], "__line__")
	}
}

// add adds the lines of a file, which line at of the first file includes, under so many conditions.
func (s *splicing) add(name string, src []byte, at, depth, conditions int) {
	s.way = append(s.way, name)
	defer func() { s.way = s.way[:len(s.way)-1] }()
	code, lines := bytes.Split(CodeOnly(src), []byte("\n")), bytes.Split(src, []byte("\n"))
	brackets, guards := 0, 0
	if name := guarded(src); name != "" {
		guards = 1 // is no condition
		s.guards[name] = pathpkg.Base(s.file)
	}
	for i, line := range lines {
		if s.problem != nil {
			return
		}
		from := lineOf{name, i + 1, at}
		if depth == 0 {
			from = lineOf{"", i + 1, i + 1}
		}
		switch m := inProject.FindSubmatchIndex(line); {
		case opens.Match(code[i]):
			conditions++
		case closes.Match(code[i]):
			conditions--
		case m != nil && code[i][m[2]] == '#':
			path := pathpkg.Join(pathpkg.Dir(name), string(line[m[4]:m[5]]))
			if known := s.include(path) != nil; known && !alone(line[m[1]:]) {
				s.refuse(from.at, fmt.Sprintf("an #include of %q followed by more text", path))
			}
			if text := s.included(path, from.at, i+1, brackets, conditions-guards); text != nil {
				s.add(path, text, from.at, depth+1, conditions-guards)
				continue
			} else if s.gone(path) {
				line = nil
			}
		}
		if depth > 0 && len(line) >= farRight {
			s.refuse(i+1, fmt.Sprintf("a line of %d bytes in an included file", len(line)))
		}
		for _, c := range code[i] {
			switch c {
			case '{', '(':
				brackets++
			case '}', ')':
				brackets--
			}
		}
		s.text.Write(line)
		if depth > 0 || i < len(lines)-1 {
			s.text.WriteByte('\n')
		}
		s.lines = append(s.lines, from)
	}
}

// alone reports whether what stands behind an #include is nothing, or a comment that ends there.
func alone(rest []byte) bool {
	const mark = "\n#"
	return string(bytes.TrimSpace(CodeOnly(append(bytes.Clone(rest), mark...)))) == "#"
}

func (s *splicing) refuse(line int, construct string) {
	if s.problem == nil {
		s.problem = Refuse(s.file, Place{line, 1}, construct)
	}
}

// gone reports whether a file was included before, and is not to be again.
func (s *splicing) gone(path string) bool {
	_, ok := s.seen[path]
	return ok
}

// included is the text of a file that is to be put in here, nil if there is none to be.
func (s *splicing) included(path string, at, line, brackets, conditions int) []byte {
	// Compilers that skip the file and compilers that do not would read different programs.
	if under, ok := s.seen[path]; ok {
		if under {
			s.refuse(at, fmt.Sprintf("%q, which is included twice, once under a condition; include it once", path))
		}
		return nil
	}
	text := s.include(path)
	if text == nil {
		return nil
	}
	switch s.count++; {
	case slices.Contains(s.way, path):
		s.refuse(at, fmt.Sprintf("%q, which includes itself; add #pragma once to it", path))
	case s.count > maxIncluded:
		s.refuse(at, fmt.Sprintf("more than %d included files", maxIncluded))
	case brackets != 0:
		s.refuse(at, fmt.Sprintf("an #include of %q inside brackets", path))
	case s.text.Len()+len(text) > MaxBytes:
		s.refuse(at, fmt.Sprintf("more than %d bytes with the files that are included", MaxBytes))
	case !whole(text):
		s.refuse(at, fmt.Sprintf("%q, which ends inside a comment, a condition or a line", path))
	}
	if s.problem != nil {
		return nil
	}
	// A file that guards itself is put in once.
	switch name := guarded(text); {
	case name != "":
		s.seen[path], s.guards[name] = conditions > 0, pathpkg.Base(path)
	case pragmaOne.Match(CodeOnly(text)):
		s.seen[path] = conditions > 0 || !once(text)
		if other, ok := s.once[string(text)]; ok {
			s.refuse(at, fmt.Sprintf("%q, which has the same text as %q, so compilers may include only one of them", path, other))
		}
		s.once[string(text)] = path
	}
	return append(bytes.Clone(text), '\n')
}

// guarded is the macro by which a file says that it counts once: all of it stands under a condition that it fulfils itself.
// It is "" if there is none.
func guarded(text []byte) string {
	code := bytes.TrimSpace(CodeOnly(text))
	m := guard.FindSubmatch(code)
	if m == nil || !bytes.Equal(m[1], m[2]) {
		return ""
	}
	depth := 0
	lines := bytes.Split(code, []byte("\n"))
	for i, line := range lines {
		switch {
		case opens.Match(line):
			depth++
		case depth == 1 && divides.Match(line):
			return ""
		case closes.Match(line):
			if depth--; depth == 0 && i < len(lines)-1 {
				return ""
			}
		}
	}
	if depth != 0 {
		return ""
	}
	return string(m[1])
}

// once reports whether a #pragma once of a file stands under no condition.
func once(text []byte) bool {
	depth := 0
	for _, line := range bytes.Split(CodeOnly(text), []byte("\n")) {
		switch {
		case opens.Match(line):
			depth++
		case closes.Match(line):
			depth--
		case depth == 0 && pragmaOne.Match(line):
			return true
		}
	}
	return false
}

// whole reports whether what begins in a text ends there: comments, conditions of the preprocessor, lines.
func whole(text []byte) bool {
	if bytes.HasSuffix(bytes.TrimRight(text, "\r\n"), []byte("\\")) {
		return false
	}
	const mark = "\nint __mark;"
	if !bytes.HasSuffix(CodeOnly(append(bytes.Clone(text), mark...)), []byte(mark)) {
		return false
	}
	depth := 0
	for _, line := range bytes.Split(CodeOnly(text), []byte("\n")) {
		switch {
		case opens.Match(line):
			depth++
		case depth == 0 && divides.Match(line):
			return false
		case closes.Match(line):
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// Of is the place of a place in the text.
func (o *Origin) Of(p Place) Place {
	if o == nil || p.Line < 1 || p.Line > len(o.lines) {
		return p
	}
	l := o.lines[p.Line-1]
	if l.name == "" {
		return Place{l.line, p.Col}
	}
	return Place{l.at, farRight*(p.Line-o.first(l.at)+1) + p.Col}
}

// first is the first line of the text that line at of the file stands for.
func (o *Origin) first(at int) int {
	return sort.Search(len(o.lines), func(i int) bool { return o.lines[i].at >= at }) + 1
}

// InText is the place in the text of a place.
func (o *Origin) InText(p Place) Place {
	switch {
	case o == nil || p.Line < 1 || p.Line > o.lines[len(o.lines)-1].at:
		return p
	case p.Col >= farRight:
		return Place{o.first(p.Line) + p.Col/farRight - 1, p.Col % farRight}
	}
	return Place{o.first(p.Line), p.Col}
}

// PlaceIn is the place of an offset in the text.
func (o *Origin) PlaceIn(text []byte, offset int) Place { return o.Of(placeOf(text, offset)) }

// Shown is the file, and the place there, that a place is shown as.
func (o *Origin) Shown(file string, p Place) (string, Place) {
	if o == nil || p.Col < farRight {
		return file, p
	}
	at := o.InText(p)
	if at.Line < 1 || at.Line > len(o.lines) || o.lines[at.Line-1].name == "" {
		return file, Place{p.Line, 1}
	}
	l := o.lines[at.Line-1]
	return l.name, Place{l.line, at.Col}
}

// Problem is p as it is shown.
func (o *Origin) Problem(p *Problem) *Problem {
	if p == nil || o == nil {
		return p
	}
	file, at := o.Shown(p.File, Place{p.Line, p.Col})
	return &Problem{File: file, Line: at.Line, Col: at.Col, Construct: p.Construct}
}
