package preproc

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// Limits on what is read: a kernel is small, and hostile input must not cost more than this.
const (
	MaxBytes     = 1 << 20
	MaxNesting   = 200
	maxOperators = 10_000 // of one expression
)

var (
	include    = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]*)[>"]`)
	pragma     = regexp.MustCompile(`(?m)^[ \t]*(#[ \t]*pragma[^\n]*)`)
	understood = regexp.MustCompile(`^#[ \t]*pragma[ \t]*($|(once|unroll|nounroll|ivdep|omp|acc|region|endregion|message|warning|hd_warning_disable|nv_exec_check_disable|nv_\w*diag\w*|diag_\w+|no_inline|GCC[ \t]+diagnostic|GCC[ \t]+(un)?roll|GCC[ \t]+ivdep|clang[ \t]+(diagnostic|loop)|OPENCL[ \t]+(EXTENSION|FP_CONTRACT)|STDC[ \t]+\w+)\b)`)
	pragmaWord = regexp.MustCompile(`\b(_Pragma|__pragma)\b`)
	pragmaText = regexp.MustCompile(`^_Pragma\s*\(\s*"([^"\\\n]*)"\s*\)`)
	attribute  = regexp.MustCompile(`__attribute__\s*\(\(([^()]*(?:\([^()]*\)[^()]*)*)\)\)`)
	externC    = regexp.MustCompile(`extern\s*"C"\s*`)
	arguments  = regexp.MustCompile(`\([^()]*\)`)
)

// Admit begins to rewrite a text: headers of the toolchains go, and what says nothing of the meaning. It refuses what is not read
// at all: what compilers may take for other code, and what would cost too much.
func Admit(file string, src []byte, o *Origin) (*Rewriting, *Problem) {
	if len(src) > MaxBytes {
		return nil, Refuse(file, Place{1, 1}, fmt.Sprintf("a file of %d bytes; the limit is %d", len(src), MaxBytes))
	}
	if i := bytes.IndexByte(src, 0); i >= 0 {
		return nil, Refuse(file, o.PlaceIn(src, i), "a zero byte: the file is not text")
	}
	out := bytes.Clone(src)
	code := CodeOnly(src)
	for _, m := range include.FindAllSubmatchIndex(out, -1) {
		if bytes.IndexByte(code[m[0]:m[1]], '#') < 0 {
			continue // in a comment
		}
		name := string(out[m[2]:m[3]])
		if !Headers.MatchString(name) {
			return nil, Refuse(file, o.PlaceIn(src, m[0]), fmt.Sprintf("#include of %q: only toolchain headers and files of the project are known; copy the declarations that the kernel needs into its file", name))
		}
		Blank(out[m[0]:m[1]])
	}
	if at, what := UnclearAt(src); what != "" {
		return nil, Refuse(file, o.PlaceIn(src, at), what)
	}
	for _, m := range pragma.FindAllSubmatchIndex(CodeOnly(out), -1) {
		line := out[m[2]:m[3]]
		switch {
		case !understood.Match(line):
			return nil, Refuse(file, o.PlaceIn(src, m[0]), fmt.Sprintf("%s, which may change the meaning of the code", bytes.TrimSpace(line)))
		case bytes.HasSuffix(bytes.TrimRight(line, " \t\r"), []byte("\\")), bytes.LastIndex(line, []byte("/*")) > bytes.LastIndex(line, []byte("*/")):
			return nil, Refuse(file, o.PlaceIn(src, m[0]), "a #pragma of several lines")
		}
		Blank(line)
	}
	for _, m := range pragmaWord.FindAllIndex(CodeOnly(out), -1) {
		text := pragmaText.FindSubmatch(out[m[0]:])
		if text == nil || !understood.Match(append([]byte("#pragma "), text[1]...)) {
			return nil, Refuse(file, o.PlaceIn(src, m[0]), "a _Pragma that may change the meaning of the code")
		}
	}
	w := newRewriting(file, src, out, o)
	// Before the parser, which descends recursively: no recover catches a Go stack overflow.
	if i, what := nesting(w.Code); what != "" {
		return nil, w.Refuse(i, what)
	}
	if problem := attributesIn(w); problem != nil {
		return nil, problem
	}
	externs(w)
	return w, nil
}

// uncertain are texts of which compilers, or CodeOnly and the parser, do not all say alike whether they are comments.
var uncertain = []struct {
	part string // which stands in all of them
	form *regexp.Regexp
	what string
}{
	{"??/", regexp.MustCompile(`\?\?/`), "a trigraph, which not all compilers support"},
	{"\\", regexp.MustCompile(`/\\[ \t]*\r?\n[/*]|\*\\[ \t]*\r?\n/`), "a comment delimiter split over two lines"},
	{"\\", regexp.MustCompile(`//[^\n]*\\[ \t]*\r?\n`), "a line comment continued by a backslash"},
	{"R\"", regexp.MustCompile(`\b(u8|[uUL])?R"[^ ()\\\n"]{0,16}\(`), "a raw string"},
	{"#", regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(line\b|[0-9])`), "a #line directive, which changes reported locations"},
	{"\r", regexp.MustCompile(`\r[^\n]`), "a character that only some compilers treat as a line end"},
	{"\v", regexp.MustCompile(`\v`), "a character that only some compilers treat as a line end"},
	{"\f", regexp.MustCompile(`\f`), "a character that only some compilers treat as a line end"},
	{"\\", regexp.MustCompile(`\\[ \t]+\r?\n`), "a space between a backslash and the end of its line"},
	{"\\", regexp.MustCompile(`\w\\\r?\n\w|(?m:^)[ \t]*#[ \t]*\w*\\\r?\n`), "a word or directive split over two lines"},
	{"'", regexp.MustCompile(`\b[0-9][\w.]*'[0-9a-fA-F]`), "a number with separators"},
	{"#", regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(elifdef|elifndef|include_next|import|embed|assert|unassert)\b`), "a directive that not all compilers support"},
	{"__", regexp.MustCompile(`\b__(INCLUDE_LEVEL__|has_\w+)`), "a test of compiler features, or a computed #include"},
}

// UnclearAt is where a text is one that not all read alike, and what is unclear there; "" if it is none.
func UnclearAt(src []byte) (at int, what string) {
	for _, u := range uncertain {
		if !bytes.Contains(src, []byte(u.part)) {
			continue
		}
		if m := u.form.FindIndex(src); m != nil {
			return m[0], u.what
		}
	}
	code := CodeOnly(src)
	for _, m := range commented.FindAllIndex(src, -1) {
		const mark = "\n#"
		if line := append(bytes.Clone(src[m[0]:m[1]]), mark...); bytes.HasPrefix(bytes.TrimLeft(code[m[0]:m[1]], " \t"), []byte("#")) && !bytes.HasSuffix(CodeOnly(line), []byte(mark)) {
			return m[0], "a directive continued by a comment"
		}
	}
	return 0, ""
}

// commented is a line of the preprocessor with a comment.
var commented = regexp.MustCompile(`(?m)^[ \t]*#[^\n]*/\*[^\n]*$`)

// externs takes extern "C" away, and the brackets behind it.
func externs(w *Rewriting) {
	for _, m := range externC.FindAllIndex(w.Out, -1) {
		if w.Code[m[0]] != 'e' {
			continue // in a comment
		}
		Blank(w.Out[m[0]:m[1]])
		if m[1] < len(w.Code) && w.Code[m[1]] == '{' {
			w.Out[m[1]] = ' '
			if end := Closing(w.Code, m[1], '{', '}'); end >= 0 {
				w.Out[end] = ' '
			}
		}
	}
}

// harmless are attributes that change nothing of what a kernel does, or are read: what aligned and
// packed types are, the reader of the tree decides.
var harmless = map[string]bool{
	"reqd_work_group_size": true, "work_group_size_hint": true, "vec_type_hint": true, "opencl_unroll_hint": true, "endian": true, "nosvm": true,
	"noinline": true, "always_inline": true, "unused": true, "const": true, "pure": true, "noreturn": true, "nothrow": true, "aligned": true, "packed": true, "device": true,
}

// attributesIn refuses attributes that are not known: they might change types, or calls.
func attributesIn(w *Rewriting) *Problem {
	code := w.Code
	known := map[int]bool{}
	for _, m := range attribute.FindAllSubmatchIndex(code, -1) {
		known[m[0]] = true
		for _, name := range Word.FindAll(arguments.ReplaceAll(code[m[2]:m[3]], nil), -1) {
			if !harmless[strings.Trim(string(name), "_")] {
				return w.Refuse(m[0], fmt.Sprintf("attribute %s", name))
			}
		}
	}
	for at := 0; ; at++ {
		next := bytes.Index(code[at:], []byte("__attribute"))
		if next < 0 {
			return nil
		}
		if at += next; !known[at] {
			return w.Refuse(at, "an attribute of this form")
		}
	}
}

// nesting finds the first place where brackets, statements or chains of operators are too deep, and says what is. The parser
// takes time that grows with the square of their depth, where it stands one stack frame for each.
func nesting(code []byte) (at int, what string) {
	// Brackets are levels. Each one counts its statements and operators, which end with a semicolon.
	levels := []level{{}}
	for i := 0; i < len(code); i++ {
		here := &levels[len(levels)-1]
		switch c := code[i]; {
		case c == '(' || c == '[' || c == '{':
			if levels = append(levels, level{}); len(levels) > MaxNesting+1 {
				return i, fmt.Sprintf("brackets nested more than %d deep", MaxNesting)
			}
		case c == ')' || c == ']' || c == '}':
			if len(levels) > 1 {
				levels = levels[:len(levels)-1]
			}
			if c == '}' {
				levels[len(levels)-1].end(code[i+1:])
			}
		case c == ';' || c == '#':
			here.end(code[i+1:])
		case c == ',':
			here.operators = 0
		case inWord(c):
			begin := i
			for i+1 < len(code) && inWord(code[i+1]) {
				i++
			}
			if controls[string(code[begin:i+1])] {
				if here.statements++; here.statements > 4*MaxNesting {
					return begin, fmt.Sprintf("statements nested more than %d deep", 4*MaxNesting)
				}
			}
		case strings.IndexByte("+-*/%&|^!~?:=<>.", c) >= 0:
			if here.operators++; here.operators > maxOperators {
				return i, fmt.Sprintf("more than %d operators in one expression", maxOperators)
			}
		}
	}
	return 0, ""
}

// level counts what stands between two brackets: words that begin a statement around another one, since the last statement
// ended, and operators.
type level struct{ statements, operators int }

// end notes that a statement has ended, and rest stands behind it.
func (l *level) end(rest []byte) {
	l.operators = 0
	if !bytes.HasPrefix(bytes.TrimLeft(rest[:min(len(rest), 100)], " \t\r\n"), []byte("else")) {
		l.statements = 0
	}
}

// controls are the words that begin a statement around another one.
var controls = map[string]bool{"if": true, "for": true, "while": true, "do": true, "switch": true, "case": true, "default": true}
