package syntax

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Limits on what is read: a kernel is small, and hostile input must not cost more than this.
const (
	maxBytes     = 1 << 20
	maxNesting   = 200
	maxOperators = 10_000 // of one expression
	maxExpansion = 2_000_000
)

// header is what the toolchains declare by themselves: types, address spaces, constants.
// Vector types are ints for the parser, and what they are for the reader: see named.
// An address space is a number of _Nonnull, a qualifier that may stand wherever
// they may and that nobody writes in kernels.
const header = `
#define __global _Nonnull
#define global _Nonnull
#define __local _Nonnull _Nonnull
#define local _Nonnull _Nonnull
#define __constant _Nonnull _Nonnull _Nonnull
#define constant _Nonnull _Nonnull _Nonnull
#define __private
#define __kernel __attribute__((gpu_kernel))
#define kernel __attribute__((gpu_kernel))
#define __read_only
#define __write_only
#define read_only
#define write_only
#define bool _Bool
#define true 1
#define false 0
#define CLK_LOCAL_MEM_FENCE 1
#define CLK_GLOBAL_MEM_FENCE 2
#define __OPENCL_VERSION__ 120
#define __OPENCL_C_VERSION__ 120
#define CL_VERSION_1_0 100
#define CL_VERSION_1_1 110
#define CL_VERSION_1_2 120
#define __ENDIAN_LITTLE__ 1
`

const cudaHeader = `
#define __global__ __attribute__((gpu_kernel))
#define __device__ _Nonnull
#define __shared__ _Nonnull _Nonnull
#define __constant__ _Nonnull _Nonnull _Nonnull
#define __host__ __attribute__((gpu_host))
#define __noinline__
#define __forceinline__
#define __inline__ inline
#define __restrict__ restrict
#define __launch_bounds__(...) __attribute__((gpu_bounds(__VA_ARGS__)))
#define __align__(n)
#define __CUDA_ARCH__ 700
#define __CUDACC__ 1
#define __NVCC__ 1
#define __cplusplus 201703
#define __ldg(p) (*(p))
#define warpSize 32
#define constexpr const
#define nullptr ((void*)0)
#define static_assert(...)
#define noexcept
#define thread_local _Thread_local
#define and &&
#define or ||
#define not !
#define bool _Bool
#define true (!0)
#define false (!1)
`

// axiomName is what __axiom(e) declares: a variable of which only the initial value counts.
const axiomName = "__axiom__"

const common = `
int __predefined_declarator;
#define __axiom(e) int __axiom__ = (e)
#define NULL ((void*)0)
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-127-1)
#define UCHAR_MAX 255
#define CHAR_MAX 127
#define CHAR_MIN (-127-1)
#define SHRT_MAX 32767
#define SHRT_MIN (-32767-1)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647-1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-9223372036854775807L-1)
#define ULONG_MAX 18446744073709551615ul
#define FLT_MAX 3.402823466e38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.1920929e-7f
#define INFINITY 1e400f
#define MAXFLOAT 3.402823466e38f
#define M_PI 3.14159265358979323846
#define M_PI_F 3.14159274f
#define RAND_MAX 2147483647
#define CUDART_INF_F 1e400f
`

var (
	conditional = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif)\b((?:[^\\\n]|\\\r?\n|\\)*)`)
	definition  = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]*([^\n]*)`)
	silenced    = regexp.MustCompile(`(?m)^[ \t]*#(?:[ \t]|\\\r?\n)*define(?:[ \t]|\\\r?\n)+NDEBUG\b`)
	ofTarget    = regexp.MustCompile(`\b(__OPENCL_VERSION__|__OPENCL_C_VERSION__|__ENDIAN_LITTLE__|__CUDA_ARCH__|warpSize)\b`)
)

// taken says which macros of the toolchains, and of whoever builds the kernel, decide what is
// read of a text: other targets, and builds with other definitions, compile other code.
func taken(header string, defines []string, src []byte) (out []string) {
	code := codeOnly(src)
	known := map[string]string{}
	for _, m := range definition.FindAllStringSubmatch(header, -1) {
		known[m[1]] = m[2]
	}
	here := map[string]int{"defined": 0} // where the text itself defines a name
	for _, d := range defines {
		name, _, _ := strings.Cut(d, "=")
		here[name] = 0
	}
	for _, m := range definition.FindAllSubmatchIndex(code, -1) {
		name := string(code[m[2]:m[3]])
		if _, before := here[name]; !before {
			here[name] = m[0]
		}
	}
	add := func(name string, where int) {
		if at, ok := here[name]; ok && at <= where {
			return
		}
		value, ok := known[name]
		said := name + " is not defined"
		if ok {
			said = name + " is " + value
		}
		if said += ": code for other builds is not read"; !slices.Contains(out, said) {
			out = append(out, said)
		}
	}
	for _, m := range conditional.FindAllSubmatchIndex(code, -1) {
		for _, w := range identifier.FindAllIndex(code[m[2]:m[3]], -1) {
			add(string(code[m[2]+w[0]:m[2]+w[1]]), m[0])
		}
	}
	for _, m := range ofTarget.FindAllIndex(code, -1) {
		add(string(code[m[0]:m[1]]), m[0])
	}
	for _, m := range quoted.FindAllSubmatch(src, -1) {
		out = append(out, fmt.Sprintf("what %q declares is not read: it is taken for a header of the toolchains", m[1]))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var (
	longs = regexp.MustCompile(`\blong(\s+(int|unsigned|signed|long)\b)*|\b\d[\da-fA-FxX]*[uU]?[lL]+[uU]?\b`)
	chars = regexp.MustCompile(`\b((un)?signed\s+)?char\b`)
)

// ofHost says which types of CUDA have the width, and the sign, that the compiler of the
// host gives them.
func ofHost(code []byte) (out []string) {
	for _, m := range longs.FindAll(code, -1) {
		if text := strings.ToLower(string(m)); strings.Count(text, "long") == 1 || strings.Count(text, "l") == 1 {
			out = append(out, "long has 64 bits")
			break
		}
	}
	for _, m := range chars.FindAll(code, -1) {
		if string(m) == "char" {
			return append(out, "char has a sign")
		}
	}
	return out
}

// headers are those of the toolchains: what they declare is known here, so their text
// is not read. All others have to lie in the project.
var headers = regexp.MustCompile(`^(cuda|cuda_.*|cutil.*|curand.*|device_.*|vector_.*|math_.*|sm_.*|call_kernel|helper_.*|builtin_types|texture_.*|opencl.*|cl|assert|stdio|stdlib|stddef|stdint|string|math|time|limits|float|memory|sys/time|unistd|ctype|stdbool)(\.h|\.cuh)?$|^c(stdio|stdlib|time|string|math|assert|float|limits|stdint)$|^iostream$`)

var (
	dim3       = regexp.MustCompile(`\bdim3\s+[A-Za-z_]\w*\s*\(|\bdim3\s+[A-Za-z_]\w*\s*\([^;]*?\)\s*,\s*[A-Za-z_]\w*\s*\(`)
	tagged     = regexp.MustCompile(`(?m)^[ \t]*(struct|enum)[ \t]+([A-Za-z_]\w*)\s*\{`)
	externC    = regexp.MustCompile(`extern\s*"C"\s*`)
	include    = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]*)[>"]`)
	quoted     = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\n]*)"`)
	pragma     = regexp.MustCompile(`(?m)^[ \t]*(#[ \t]*pragma[^\n]*)`)
	understood = regexp.MustCompile(`^#[ \t]*pragma[ \t]*($|(once|unroll|nounroll|ivdep|omp|acc|region|endregion|message|warning|hd_warning_disable|nv_exec_check_disable|nv_\w*diag\w*|diag_\w+|no_inline|GCC[ \t]+diagnostic|GCC[ \t]+(un)?roll|GCC[ \t]+ivdep|clang[ \t]+(diagnostic|loop)|OPENCL[ \t]+(EXTENSION|FP_CONTRACT)|STDC[ \t]+\w+)\b)`)
	pragmaWord = regexp.MustCompile(`\b(_Pragma|__pragma)\b`)
	pragmaText = regexp.MustCompile(`^_Pragma\s*\(\s*"([^"\\\n]*)"\s*\)`)
	alignments = regexp.MustCompile(`\b(__align__|_Alignas|alignas)\b|\b(aligned|packed|__aligned__|__packed__)\b`)
	attribute  = regexp.MustCompile(`__attribute__\s*\(\(([^()]*(?:\([^()]*\)[^()]*)*)\)\)`)
	word       = regexp.MustCompile(`[A-Za-z_]\w*`)
	identifier = regexp.MustCompile(`\b[A-Za-z_]\w*`)
	arguments  = regexp.MustCompile(`\([^()]*\)`)
)

// uncertain are texts of which compilers, or codeOnly and the parser, do not all say alike whether they are comments.
var uncertain = []struct {
	part string // which stands in all of them
	form *regexp.Regexp
	what string
}{
	{"??/", regexp.MustCompile(`\?\?/`), "a trigraph, which not all compilers read"},
	{"\\", regexp.MustCompile(`/\\[ \t]*\r?\n[/*]|\*\\[ \t]*\r?\n/`), "a sign of a comment on two lines"},
	{"\\", regexp.MustCompile(`//[^\n]*\\[ \t]*\r?\n`), "a comment that a backslash at the end of its line carries on"},
	{"R\"", regexp.MustCompile(`\b(u8|[uUL])?R"[^ ()\\\n"]{0,16}\(`), "a raw string"},
	{"#", regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(line\b|[0-9])`), "a directive that numbers lines, of which places are told"},
	{"\r", regexp.MustCompile(`\r[^\n]`), "a character of which not all compilers say alike whether it ends a line"},
	{"\v", regexp.MustCompile(`\v`), "a character of which not all compilers say alike whether it ends a line"},
	{"\f", regexp.MustCompile(`\f`), "a character of which not all compilers say alike whether it ends a line"},
	{"\\", regexp.MustCompile(`\\[ \t]+\r?\n`), "a space between a backslash and the end of its line"},
	{"\\", regexp.MustCompile(`\w\\\r?\n\w|(?m:^)[ \t]*#[ \t]*\w*\\\r?\n`), "a word or directive on two lines"},
	{"'", regexp.MustCompile(`\b[0-9][\w.]*'[0-9a-fA-F]`), "a number with separators"},
	{"#", regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(elifdef|elifndef|include_next|import|embed|assert|unassert)\b`), "a directive that not all compilers know"},
	{"__", regexp.MustCompile(`\b__(INCLUDE_LEVEL__|has_\w+)`), "a question about the compiler, or the place of an #include"},
}

// unclearAt is where a text is one that not all read alike, and what is unclear there; "" if it is none.
func unclearAt(src []byte) (at int, what string) {
	for _, u := range uncertain {
		if !bytes.Contains(src, []byte(u.part)) {
			continue
		}
		if m := u.form.FindIndex(src); m != nil {
			return m[0], u.what
		}
	}
	code := codeOnly(src)
	for _, m := range commented.FindAllIndex(src, -1) {
		const mark = "\n#"
		if line := append(bytes.Clone(src[m[0]:m[1]]), mark...); bytes.HasPrefix(bytes.TrimLeft(code[m[0]:m[1]], " \t"), []byte("#")) && !bytes.HasSuffix(codeOnly(line), []byte(mark)) {
			return m[0], "a directive that a comment carries on"
		}
	}
	return 0, ""
}

// commented is a line of the preprocessor with a comment.
var commented = regexp.MustCompile(`(?m)^[ \t]*#[^\n]*/\*[^\n]*$`)

// prepare rewrites what is no C, where it can byte for byte at its place: launches f<<<g, b>>>(x)
// become calls f(g, b)(x), extern "C" goes, headers of the toolchains go.
func (r *reader) prepare(file string, src, host []byte) ([]byte, *Problem) {
	r.plus = &cplusplus{}
	o := r.unit.origin
	if len(src) > maxBytes {
		return nil, Refuse(file, Place{1, 1}, fmt.Sprintf("a file of %d bytes: kernels are read up to %d", len(src), maxBytes))
	}
	if i := bytes.IndexByte(src, 0); i >= 0 {
		return nil, Refuse(file, o.placeIn(src, i), "a byte 0: this is not text")
	}
	out := bytes.Clone(src)
	code := codeOnly(src)
	for _, m := range include.FindAllSubmatchIndex(out, -1) {
		if bytes.IndexByte(code[m[0]:m[1]], '#') < 0 {
			continue // in a comment
		}
		name := string(out[m[2]:m[3]])
		if !headers.MatchString(name) {
			return nil, Refuse(file, o.placeIn(src, m[0]), fmt.Sprintf("#include of %q: only headers of the toolchains are known, and files of the project by their path from here; put what the kernel needs into its file", name))
		}
		blank(out[m[0]:m[1]])
	}
	if at, what := unclearAt(src); what != "" {
		return nil, Refuse(file, o.placeIn(src, at), what)
	}
	for _, m := range pragma.FindAllSubmatchIndex(codeOnly(out), -1) {
		line := out[m[2]:m[3]]
		switch {
		case !understood.Match(line):
			return nil, Refuse(file, o.placeIn(src, m[0]), fmt.Sprintf("%s, which may change what is read", bytes.TrimSpace(line)))
		case bytes.HasSuffix(bytes.TrimRight(line, " \t\r"), []byte("\\")), bytes.LastIndex(line, []byte("/*")) > bytes.LastIndex(line, []byte("*/")):
			return nil, Refuse(file, o.placeIn(src, m[0]), "a #pragma of several lines")
		}
		blank(line)
	}
	for _, m := range pragmaWord.FindAllIndex(codeOnly(out), -1) {
		text := pragmaText.FindSubmatch(out[m[0]:])
		if text == nil || !understood.Match(append([]byte("#pragma "), text[1]...)) {
			return nil, Refuse(file, o.placeIn(src, m[0]), "a _Pragma that may change what is read")
		}
	}
	w := newRewriting(file, src, out, o)
	// Before the parser, which descends recursively: no recover catches a Go stack overflow.
	if i, what := nesting(w.code); what != "" {
		return nil, w.refuse(i, what)
	}
	if problem := attributesIn(w); problem != nil {
		return nil, problem
	}
	externs(w)
	if r.cuda {
		within, qualified, problem := flatten(w)
		if problem != nil {
			return nil, problem
		}
		r.within, r.qualified = within, qualified
		if r.plus, problem = beyondC(w, host); problem != nil {
			return nil, problem
		}
	}
	for i := 0; i+2 < len(w.code); i++ {
		switch string(w.code[i : i+3]) {
		case "<<<":
			copy(out[i:], "(  ")
			i += 2
		case ">>>":
			copy(out[i:], ")  ")
			i += 2
		}
	}
	// dim3 x(a, b) is dim3 x={a, b}.
	for _, m := range dim3.FindAllIndex(w.code, -1) {
		open := m[1] - 1
		if end := closing(w.code, open, '(', ')'); end >= 0 {
			out[open], out[end] = '{', '}'
			w.insert(open, "=")
		}
	}
	text, moved := w.finished()
	r.moved = moved
	return text, nil
}

// externs takes extern "C" away, and the brackets behind it.
func externs(w *rewriting) {
	for _, m := range externC.FindAllIndex(w.out, -1) {
		if w.code[m[0]] != 'e' {
			continue // in a comment
		}
		blank(w.out[m[0]:m[1]])
		if m[1] < len(w.code) && w.code[m[1]] == '{' {
			w.out[m[1]] = ' '
			if end := closing(w.code, m[1], '{', '}'); end >= 0 {
				w.out[end] = ' '
			}
		}
	}
}

// harmless are attributes that change nothing of what a kernel does, or are read. Of aligned
// and packed types see reader.structure.
var harmless = map[string]bool{
	"reqd_work_group_size": true, "work_group_size_hint": true, "vec_type_hint": true, "opencl_unroll_hint": true, "endian": true, "nosvm": true,
	"noinline": true, "always_inline": true, "unused": true, "const": true, "pure": true, "noreturn": true, "nothrow": true, "aligned": true, "packed": true, "device": true,
}

// attributesIn refuses attributes that are not known: they might change types, or calls.
func attributesIn(w *rewriting) *Problem {
	code := w.code
	known := map[int]bool{}
	for _, m := range attribute.FindAllSubmatchIndex(code, -1) {
		known[m[0]] = true
		for _, name := range word.FindAll(arguments.ReplaceAll(code[m[2]:m[3]], nil), -1) {
			if !harmless[strings.Trim(string(name), "_")] {
				return w.refuse(m[0], fmt.Sprintf("attribute %s", name))
			}
		}
	}
	for at := 0; ; at++ {
		next := bytes.Index(code[at:], []byte("__attribute"))
		if next < 0 {
			return nil
		}
		if at += next; !known[at] {
			return w.refuse(at, "an attribute of this form")
		}
	}
}

func blank(b []byte) {
	for i, c := range b {
		if c != '\n' {
			b[i] = ' '
		}
	}
}

// codeOnly is src with comments, strings and characters blanked.
func codeOnly(src []byte) []byte { return without(src, true) }

// without is src with comments blanked, and strings and characters if that is asked for.
func without(src []byte, strings bool) []byte {
	out := bytes.Clone(src)
	for i := 0; i < len(out); i++ {
		end := i
		switch {
		case bytes.HasPrefix(out[i:], []byte("//")):
			if end = bytes.IndexByte(out[i:], '\n'); end < 0 {
				end = len(out) - i
			}
			end += i
		case bytes.HasPrefix(out[i:], []byte("/*")):
			if end = bytes.Index(out[i+2:], []byte("*/")); end < 0 {
				end = len(out) - i - 4
			}
			end += i + 4
		case out[i] == '"' || out[i] == '\'':
			for end = i + 1; end < len(out) && out[end] != out[i] && out[end] != '\n'; end++ {
				if out[end] == '\\' {
					end++
				}
			}
			end++
		default:
			continue
		}
		end = min(end, len(out))
		if out[i] == '/' || strings {
			blank(out[i:end])
		}
		i = end - 1
	}
	return out
}

// nesting finds the first place where brackets, statements or chains of operators are too deep, and says what is. The parser
// takes time that grows with the square of their depth, where it stands one stack frame for each.
func nesting(code []byte) (at int, what string) {
	levels := []level{{}}
	for i := 0; i < len(code); i++ {
		here := &levels[len(levels)-1]
		switch c := code[i]; {
		case c == '(' || c == '[' || c == '{':
			if levels = append(levels, level{}); len(levels) > maxNesting+1 {
				return i, fmt.Sprintf("brackets nested more than %d deep", maxNesting)
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
				if here.statements++; here.statements > 4*maxNesting {
					return begin, fmt.Sprintf("statements nested more than %d deep", 4*maxNesting)
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

func inWord(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// controls are the words that begin a statement around another one.
var controls = map[string]bool{"if": true, "for": true, "while": true, "do": true, "switch": true, "case": true, "default": true}

// closing is where the bracket at open is closed, or −1.
func closing(code []byte, open int, left, right byte) int {
	depth := 0
	for i := open; i < len(code); i++ {
		switch code[i] {
		case left:
			depth++
		case right:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func placeOf(src []byte, offset int) Place {
	line := 1 + bytes.Count(src[:offset], []byte("\n"))
	return Place{line, offset - bytes.LastIndexByte(src[:offset], '\n')}
}

// where says which line p is in, of which file if that is another one.
func (p *Problem) where(file string) string {
	if p.File != file {
		return fmt.Sprintf("line %d of %s", p.Line, p.File)
	}
	return fmt.Sprintf("line %d", p.Line)
}

// Problem is why a file or kernel is not understood.
type Problem struct {
	File      string
	Line, Col int
	Construct string
}

func (p *Problem) Error() string {
	return fmt.Sprintf("%s:%d:%d: unsupported: %s", p.File, p.Line, p.Col, p.Construct)
}

func Refuse(file string, at Place, construct string) *Problem {
	return &Problem{File: file, Line: at.Line, Col: at.Col, Construct: strings.TrimSpace(construct)}
}

// Catch ends a panic with a Problem, which is how a reader refuses from deep inside. It is
// to be deferred; any other panic goes on.
func Catch(problem **Problem) {
	switch e := recover().(type) {
	case nil:
	case *Problem:
		*problem = e
	default:
		panic(e)
	}
}
