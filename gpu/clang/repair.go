package clang

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/gpu/llvm"
)

// Repair is a change in the copy of a source that clang compiles.
type Repair struct {
	File   string `json:"file"` // relative to where clang runs
	Line   int    `json:"line"`
	Col    int    `json:"col"`
	Name   string `json:"name,omitempty"`   // of the function that lost its body, or of the declaration; "" for statements of the host
	Kernel bool   `json:"kernel,omitempty"` // it is a kernel
	Why    string `json:"why"`              // what clang says of it
}

// message is a line that clang wrote.
type message struct {
	file      string
	line, col int
	level     string
	text      string
}

var messageLine = regexp.MustCompile(`^(.+?):(\d+):(\d+): (fatal error|error|warning|note): (.*)$`)

// failures are the errors among messages, each at the place in the project that leads to it.
func (j *job) failures(stderr string) []message {
	var out []message
	outside := false // the last error is in no file of the project yet
	for l := range strings.Lines(stderr) {
		m := messageLine.FindStringSubmatch(strings.TrimRight(l, "\n"))
		if m == nil {
			continue
		}
		x := message{file: m[1], level: m[4], text: m[5]}
		x.line, _ = strconv.Atoi(m[2])
		x.col, _ = strconv.Atoi(m[3])
		switch {
		case x.level == "error" || x.level == "fatal error":
			out = append(out, x)
			outside = !j.inProject(x.file)
		case x.level == "note" && outside && j.inProject(x.file):
			last := &out[len(out)-1]
			last.file, last.line, last.col = x.file, x.line, x.col
			outside = false
		}
	}
	return out
}

// edit overwrites a range of bytes: it begins with a text, and is blank behind it but for the
// ends of lines.
type edit struct {
	first, last int
	text        string
}

// repair changes what fails. It reports whether anything was done, and which error it can do
// nothing about.
func (j *job) repair(errors []message) (done bool, hopeless *message) {
	edits := map[string][]edit{}
	for i, e := range errors {
		f := j.file(e.file)
		var found []edit
		if f != nil && !f.broken {
			found = j.mend(f, e)
		}
		if found == nil && hopeless == nil {
			hopeless = &errors[i]
		}
		if found != nil {
			edits[f.name] = append(edits[f.name], found...)
		}
	}
	for j.spread(edits) {
	}
	for name, es := range edits {
		src := apply(j.files[name].src, es)
		done = done || !bytes.Equal(src, j.files[name].src)
		j.files[name] = parse(name, src, j.seen.files[name])
		j.edited[name] = true
	}
	return done, hopeless
}

// apply makes edits. Of those that overlap the widest is made.
func apply(src []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(b.last, a.last)) })
	var out []byte
	at := 0
	for _, e := range edits {
		if e.last <= at {
			continue
		}
		e.first = max(e.first, at)
		out = append(out, src[at:e.first]...)
		out = append(out, e.text...)
		skip := len(e.text)
		for _, c := range src[e.first:e.last] {
			switch {
			case c == '\n' || c == '\r':
				out = append(out, c)
			case skip > 0:
				skip--
			default:
				out = append(out, ' ')
			}
		}
		at = e.last
	}
	return append(out, src[at:]...)
}

// file is a file of the project, taken apart as it is now; nil if it cannot be read.
func (j *job) file(name string) *file {
	if f, ok := j.files[name]; ok {
		return f
	}
	src, err := j.read(name)
	if err != nil || j.seen.files[name] == nil {
		return nil
	}
	f := parse(name, src, j.seen.files[name])
	j.files[name] = f
	return f
}

// offset is the byte of a place in a file.
func (f *file) offset(line, col int) int {
	at := 0
	for n := 1; n < line; n++ {
		next := slices.Index(f.src[at:], '\n')
		if next < 0 {
			break
		}
		at += next + 1
	}
	return min(at+col-1, len(f.src))
}

// mend says which bytes of a file to blank for an error in it, and remembers why.
func (j *job) mend(f *file, e message) []edit {
	offset := f.offset(e.line, e.col)
	at := f.at(offset)
	if at < 0 {
		return nil
	}
	if e.text == "expected expression" {
		if out := f.launches(); out != nil {
			return out
		}
	}
	if e.text == "an attribute list cannot appear here" {
		if out := f.alignas(offset); out != nil {
			return out
		}
	}
	if out := f.unrolled(e); out != nil && j.source.Language == CUDA {
		return out
	}
	x := f.items[at]
	switch {
	case x.body != 0 && offset >= f.tokens[x.body].start && !j.onDevice(f, x):
		if offset < f.tokens[x.open].start {
			break // what initialises members of the host
		}
		tokens := f.failing(x.open, offset)
		if tokens == nil {
			return nil
		}
		var out []edit
		for _, s := range tokens {
			out = append(out, edit{f.tokens[s.first].start, f.tokens[s.last].end, ""})
		}
		j.note(&j.blanked, Repair{File: f.name, Line: f.tokens[tokens[0].first].line, Col: f.column(tokens[0].first), Why: e.text})
		return out
	case x.body != 0 && offset >= f.tokens[x.body].start:
		return j.behead(f, x, e.text)
	}
	return j.remove(f, x, e.text)
}

// launches writes k<< <grid, block >> >(…), which nvcc reads as a launch, as one.
func (f *file) launches() (out []edit) {
	apart := func(i int, kind byte) bool { // two signs, a gap, and a third one
		return i+2 < len(f.tokens) && f.tokens[i].kind == kind && f.tokens[i+1].kind == kind && f.tokens[i+2].kind == kind &&
			f.tokens[i].end == f.tokens[i+1].start && f.tokens[i+1].end < f.tokens[i+2].start
	}
	for i := range f.tokens {
		if !apart(i, '<') {
			continue
		}
		for j := i + 3; j < len(f.tokens) && !f.is(j, ";"); j++ {
			if apart(j, '>') && f.is(j+3, "(") {
				out = append(out, edit{f.tokens[i].start, f.tokens[i+2].end, "<<<"}, edit{f.tokens[j].start, f.tokens[j+2].end, ">>>"})
				break
			}
		}
	}
	return out
}

// alignas writes __shared__ alignas(N), which nvcc reads and clang does not, as an attribute
// that may stand there.
func (f *file) alignas(offset int) []edit {
	for i, t := range f.tokens {
		if t.start == offset && f.is(i, "alignas") && f.is(i+1, "(") {
			close := f.tokens[f.tokens[i+1].match]
			return []edit{{t.start, close.end, "__attribute__((aligned" + string(f.src[t.end:close.end]) + "))"}}
		}
	}
	return nil
}

var (
	notPositive = regexp.MustCompile(`^invalid value '-?\d+'; must be positive`)
	unrollBy    = regexp.MustCompile(`^[ \t]*#[ \t]*pragma[ \t]+unroll\b[ \t]*\(?[ \t]*([A-Za-z_]\w*|-?\d+)[ \t]*\)?[ \t]*(?:/[/*].*)?\r?$`)
)

// unrolled writes #pragma unroll N, for an N that may be 0 or less, with a number that clang accepts: nvcc ignores such a
// pragma (CUDA C++ Programming Guide, #pragma unroll). The text is right for any value: it may be a macro that differs
// between configurations, or a parameter of a template.
func (f *file) unrolled(e message) []edit {
	first := f.offset(e.line, 1)
	text, _, _ := bytes.Cut(f.src[first:], []byte("\n"))
	m := unrollBy.FindSubmatchIndex(text)
	if m == nil || !notPositive.MatchString(e.text) {
		return nil
	}
	n := text[m[2]:m[3]]
	return []edit{{first + m[2], first + m[3], fmt.Sprintf("(%s>0?%s:%d)", n, n, llvm.NoUnroll)}}
}

// behead takes the body of a function away: it is declared, and has none.
func (j *job) behead(f *file, x item, why string) []edit {
	j.note(&j.lost, Repair{File: f.name, Line: f.tokens[x.first].line, Col: f.column(x.first), Name: x.name, Kernel: j.isKernel(f, x), Why: why})
	j.mention(f, x.body, x.last)
	return []edit{{f.tokens[x.body].start, f.tokens[x.last].end, ";"}}
}

// remove takes a declaration away, of a member with its class: its name is gone, and what
// mentions the name goes, too.
func (j *job) remove(f *file, x item, why string) []edit {
	for x.outer >= 0 {
		x = f.items[x.outer]
	}
	to := &j.lost
	if x.body != 0 && !j.onDevice(f, x) || // the device never calls functions of the host,
		why == noNamespace && f.is(x.first, "using") { // and what is no namespace declares no names
		to = &j.blanked
	}
	j.note(to, Repair{File: f.name, Line: f.tokens[x.first].line, Col: f.column(x.first), Name: x.name, Kernel: j.isKernel(f, x), Why: why})
	j.mention(f, x.first, x.last)
	if to == &j.lost {
		for _, name := range j.declares(f, x) {
			j.gone[name] = true
		}
	}
	return []edit{{f.tokens[x.first].start, f.tokens[x.last].end, ""}}
}

// mention notes the words between two tokens, which are left out.
func (j *job) mention(f *file, first, last int) {
	if j.host {
		for _, w := range identifier.FindAllString(j.expanded(f, first, last), -1) {
			j.mentioned[w] = true
		}
	}
}

// noNamespace is what clang says of using namespace where nothing declares the namespace.
const noNamespace = "expected namespace name"

var identifier = regexp.MustCompile(`[A-Za-z_]\w*`)

// declares are the names that an item may declare; "" stands for a name that no word
// refers to, as that of an operator.
func (j *job) declares(f *file, x item) []string {
	if x.body != 0 || f.parameters(x.first, x.last-1) >= 0 {
		if x.name == "" {
			return j.called(f, x)
		}
		return []string{x.name}
	}
	out := []string{}
	if x.name != "" {
		out = append(out, x.name)
	}
	for i := x.first; i <= x.last; i++ {
		switch {
		case f.tokens[i].kind == '{' && x.class && !f.enumeration(x):
			i = f.tokens[i].match
		case x.class && !f.enumeration(x) && i < x.last && !f.behindBody(x, i):
			// The name stands in x; others are those of bases and attributes.
		case f.tokens[i].kind == word && i < x.last && strings.Contains(";,=[{}()", f.text(i+1)):
			out = append(out, f.text(i)) // what ends or initialises a name stands behind it
		}
	}
	if f.is(x.first, "using") && f.is(x.first+1, "namespace") || len(out) == 0 {
		out = append(out, "")
	}
	return out
}

func (f *file) enumeration(x item) bool {
	return f.is(x.first, "enum") || f.is(x.first, "typedef") && f.is(x.first+1, "enum")
}

// behindBody reports whether a token stands behind the body of a class.
func (f *file) behindBody(x item, i int) bool {
	return slices.ContainsFunc(f.tokens[x.first:i], func(t token) bool { return t.kind == '}' })
}

// called are the names before brackets in the head of a declaration whose text hides what
// it declares.
func (j *job) called(f *file, x item) []string {
	text := j.expanded(f, x.first, x.last)
	var out []string
	for _, m := range regexp.MustCompile(`([A-Za-z_]\w*)\s*\(`).FindAllStringSubmatch(text, -1) {
		if !slices.Contains(notParameters, m[1]) {
			out = append(out, m[1])
		}
	}
	if strings.Contains(text, "operator") || len(out) == 0 {
		return []string{""}
	}
	return out
}

// spread takes away what mentions a name that is gone: of a function of the device its body,
// of another declaration all. It reports whether more names are gone now.
func (j *job) spread(edits map[string][]edit) bool {
	if len(j.gone) == 0 {
		return false
	}
	before := len(j.gone)
	for _, name := range j.seen.order {
		f := j.file(name)
		if f == nil {
			continue
		}
		for _, x := range f.items {
			if x.member || f.blanked(x, edits[name]) {
				continue // with its class
			}
			why := ""
			switch {
			case x.body == 0:
				if gone := j.mentions(f, x.first, x.last); gone != "" {
					why = "it uses " + gone + ", whose declaration fails"
					edits[name] = append(edits[name], j.remove(f, x, why)...)
				}
			case j.onDevice(f, x):
				// What another declaration of its name was does not matter to a function: it matters to those that call it.
				if gone := j.mentions(f, x.first, x.body-1, x.name); gone != "" {
					why = "it uses " + gone + ", whose declaration fails"
					edits[name] = append(edits[name], j.remove(f, x, why)...)
				} else if gone := j.mentions(f, x.body, x.last); gone != "" {
					why = "it uses " + gone + ", whose declaration fails"
					edits[name] = append(edits[name], j.behead(f, x, why)...)
				}
			}
		}
	}
	return len(j.gone) > before
}

// blanked reports whether an item is among what is blanked already.
func (f *file) blanked(x item, edits []edit) bool {
	return slices.ContainsFunc(edits, func(s edit) bool {
		return s.first <= f.tokens[x.first].start && f.tokens[x.last].end <= s.last ||
			x.body != 0 && s.first == f.tokens[x.body].start && s.last == f.tokens[x.last].end
	})
}

// mentions is a name that is gone and that stands between two tokens, but for some.
func (j *job) mentions(f *file, first, last int, but ...string) string {
	if j.gone[""] {
		return "something without a name"
	}
	for _, name := range identifier.FindAllString(j.expanded(f, first, last), -1) {
		if j.gone[name] && !slices.Contains(but, name) {
			return name
		}
	}
	for i := first; i <= last; i++ { // what was a macro, too
		if f.tokens[i].kind == word && j.gone[f.text(i)] && !slices.Contains(but, f.text(i)) {
			return f.text(i)
		}
	}
	return ""
}

// expanded is what the preprocessor made of the lines of tokens.
func (j *job) expanded(f *file, first, last int) string {
	var b strings.Builder
	for l := f.tokens[first].line; l <= f.tokens[last].line; l++ {
		b.WriteString(j.seen.files[f.name][l])
	}
	return b.String()
}

var (
	deviceWord = regexp.MustCompile(`\(\((device|global)\b|__attribute__\(\(\s*(device|global)|\bconstexpr\b|\bconsteval\b|\b__kernel\b|\bkernel\b`)
	kernelWord = regexp.MustCompile(`\(\(\s*global\b|\b__kernel\b|\bkernel\b`)
)

// onDevice reports whether a function must keep its meaning, or lose its body: whatever is not plainly of the
// host alone, and of the host part everything.
func (j *job) onDevice(f *file, x item) bool {
	if j.source.Language == OpenCL || j.host || j.forced() {
		return true
	}
	return deviceWord.MatchString(j.expanded(f, x.first, max(x.first, x.body-1)))
}

func (j *job) isKernel(f *file, x item) bool {
	return x.body != 0 && kernelWord.MatchString(j.expanded(f, x.first, x.body-1))
}

// forced reports whether a pragma makes functions without attributes those of the device.
func (j *job) forced() bool {
	for _, name := range j.seen.order {
		if f := j.file(name); f != nil && strings.Contains(string(f.src), "force_cuda_host_device") {
			return true
		}
	}
	return false
}

func (f *file) column(i int) int {
	start := f.tokens[i].start
	return start - (strings.LastIndexByte(string(f.src[:start]), '\n') + 1) + 1
}

// note adds a repair once.
func (j *job) note(to *[]Repair, r Repair) {
	if n, ok := strings.CutPrefix(r.Name, instancePrefix); ok {
		if i, err := strconv.Atoi(n); err == nil && i < len(j.options.Instances) {
			r.Name, r.Kernel, r.Line, r.Col = j.options.Instances[i], true, 1, i+1
		}
	}
	r.File = filepath.ToSlash(filepath.Clean(r.File))
	if !slices.ContainsFunc(*to, func(o Repair) bool { return o.File == r.File && o.Line == r.Line && o.Col == r.Col }) {
		*to = append(*to, r)
	}
}

func sorted(rs []Repair) []Repair {
	slices.SortFunc(rs, func(a, b Repair) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return rs
}

// String tells of a repair in a line.
func (r Repair) String() string {
	at := fmt.Sprintf("%s:%d:%d", r.File, r.Line, r.Col)
	if r.Name == "" {
		return at + ": " + r.Why
	}
	return at + ": " + r.Name + ": " + r.Why
}
