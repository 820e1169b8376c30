package clang

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Entry is a kernel that IR defines.
type Entry struct {
	Symbol string
	Name   string // in the source, with arguments of templates; the symbol where it is not known
	File   string // "" where it is not known
	Line   int
}

var (
	kernelNote = regexp.MustCompile(`^!\d+ = !\{ptr @("[^"]+"|[\w.$]+), !"kernel", i32 1\}`)
	subprogram = regexp.MustCompile(`^!(\d+) = distinct !DISubprogram\(name: "((?:[^"\\]|\\.)*)".*?, file: !(\d+), line: (\d+),`)
	sourceFile = regexp.MustCompile(`^!(\d+) = !DIFile\(filename: "((?:[^"\\]|\\.)*)"`)
	definition = regexp.MustCompile(`^define .*?@("[^"]+"|[\w.$]+)\(`)
	debugged   = regexp.MustCompile(`!dbg !(\d+)`)
)

// Entries are the kernels that IR defines, in the order of their symbols. It looks at lines
// alone, and reads no meaning.
func Entries(ir []byte) []Entry {
	type place struct {
		name, file string
		line       int
	}
	noted := map[string]bool{}
	places, files, at := map[string]place{}, map[string]string{}, map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(ir))
	lines.Buffer(nil, len(ir)+1)
	for lines.Scan() {
		l := lines.Text()
		switch {
		case strings.HasPrefix(l, "define "):
			m := definition.FindStringSubmatch(l)
			if m == nil {
				continue
			}
			symbol := strings.Trim(m[1], `"`)
			at[symbol] = ""
			if d := debugged.FindStringSubmatch(l); d != nil {
				at[symbol] = d[1]
			}
			head, _, _ := strings.Cut(l, "@")
			if strings.Contains(head, "amdgpu_kernel") || strings.Contains(head, "spir_kernel") || strings.Contains(head, "ptx_kernel") {
				noted[symbol] = true
			}
		case strings.HasPrefix(l, "!"):
			if m := kernelNote.FindStringSubmatch(l); m != nil {
				noted[strings.Trim(m[1], `"`)] = true
			} else if m := subprogram.FindStringSubmatch(l); m != nil {
				n, _ := strconv.Atoi(m[4])
				places[m[1]] = place{m[2], m[3], n}
			} else if m := sourceFile.FindStringSubmatch(l); m != nil {
				files[m[1]] = m[2]
			}
		}
	}
	var out []Entry
	for symbol := range noted {
		d, ok := at[symbol]
		if !ok {
			continue // it is declared
		}
		e := Entry{Symbol: symbol, Name: symbol}
		if p, ok := places[d]; ok {
			e.Name, e.File, e.Line = p.name, strings.TrimPrefix(files[p.file], "./"), p.line
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Symbol, b.Symbol) })
	return out
}

// Base is the name of a kernel without the arguments of a template.
func Base(name string) string {
	short, _, _ := strings.Cut(name, "<")
	return short
}

// Base is the name of a kernel without arguments of templates; the kernel is named as IR or
// as the source does.
func (u *Unit) Base(kernel string) string {
	for _, e := range u.Kernels {
		if e.Symbol == kernel {
			return Base(e.Name)
		}
	}
	return Base(kernel)
}

// Entry reports whether the IR defines a kernel, which is named as IR or as the source does.
func (u *Unit) Entry(kernel string) bool {
	return slices.ContainsFunc(u.Kernels, func(e Entry) bool { return e.Symbol == kernel || e.Name == kernel })
}

// Assumed is what verdicts about a unit rest on.
func (r Record) Assumed() (out []string) {
	if len(r.Macros) > 0 {
		out = append(out, "the configuration that was compiled is the one that is launched: "+strings.Join(r.Macros, ", "))
	}
	for _, m := range r.Missing {
		out = append(out, m+" is not found, so an empty file is used")
	}
	for _, h := range slices.Sorted(maps.Keys(r.Found)) {
		out = append(out, h+" is not found in the include paths, so it is taken from "+r.FoundAt(h))
	}
	if r.Before != "" {
		out = append(out, "the file is compiled as "+r.Before+" includes it: behind what stands there before that")
	}
	if len(r.Blanked) > 0 {
		var places []string
		for _, b := range r.Blanked {
			places = append(places, fmt.Sprintf("%s:%d", b.File, b.Line))
		}
		out = append(out, "host code that clang cannot compile was omitted: "+strings.Join(slices.Compact(places), ", "))
	}
	return out
}

// FoundAt says where a header is that flags do not lead to, and which flag does.
func (r Record) FoundAt(header string) string {
	in := r.Found[header]
	if in == "" {
		return "declarations of gradine"
	}
	if dir, ok := strings.CutSuffix("/"+in, "/"+header); ok {
		return fmt.Sprintf("%s (-I %s)", in, path.Join(".", strings.TrimPrefix(dir, "/")))
	}
	return in
}

// Header is the included file that defines a kernel, "" if the source does, or that is not known.
func (u *Unit) Header(kernel string) string {
	for _, e := range u.Kernels {
		if (e.Symbol == kernel || e.Name == kernel) && e.File != u.Source {
			return e.File
		}
	}
	return ""
}

// Elsewhere reports whether a kernel stands in the file that includes the source, and not in the source.
func (u *Unit) Elsewhere(kernel string) bool {
	there, here := false, false
	for _, e := range u.Kernels {
		if e.Symbol == kernel || e.Name == kernel {
			other := u.Before != "" && e.File != "" && e.File != u.Source
			there, here = there || other, here || !other
		}
	}
	return there && !here
}

// absent are the kernels that the source defines and the IR does not, each with the reason.
func (j *job) absent(u *Unit) (out []Repair) {
	main := j.mainName()
	src, err := j.source.read(main)
	if err != nil || j.seen.files[main] == nil {
		return nil
	}
	f := parse(main, src, j.seen.files[main])
	if f.broken {
		return nil
	}
	for _, x := range f.items {
		if !j.isKernel(f, x) || x.name == "" {
			continue
		}
		if slices.ContainsFunc(u.Kernels, func(e Entry) bool { return Base(e.Name) == x.name && j.stands(f, x, e) }) {
			continue
		}
		r := Repair{File: j.source.File, Line: f.tokens[x.first].line, Col: f.column(x.first), Name: x.name, Kernel: true}
		lost := slices.IndexFunc(u.Lost, func(l Repair) bool { return l.Name == x.name && l.Kernel && l.Line == r.Line })
		switch {
		case lost >= 0:
			r.Why = u.Lost[lost].Why + j.newer(u.Messages)
		case f.is(x.first, "template"):
			r.Why = "the file does not instantiate this template: name an instance with --instance '" + x.name + "<…>', or in gradine.toml: [kernel." + x.name + "] instances = [\"" + x.name + "<…>\"]"
		default:
			r.Why = "clang omitted it from the IR"
		}
		out = append(out, r)
	}
	return out
}

// stands reports whether an entry is the function that an item defines: a name may have several.
func (j *job) stands(f *file, x item, e Entry) bool {
	if e.File != filepath.ToSlash(filepath.Clean(j.source.File)) || e.Line == 0 {
		return true // it is not known where it stands
	}
	return f.tokens[x.first].line <= e.Line && e.Line <= f.tokens[x.open].line
}

var ofLater = regexp.MustCompile(`unknown type name '(concept|requires|consteval|constinit|char8_t)'|` +
	`no (template|member|type) named '(span|numbers|bit_cast|ranges|source_location|format|remove_cvref_t|type_identity_t|popcount|countl_zero|countr_zero|has_single_bit|bit_ceil|bit_floor|bit_width|midpoint|lerp|convertible_to|same_as|integral|floating_point)' in namespace 'std'`)

// newer says which flag may help where messages name what C++17, which nvcc takes by default, does not have.
func (j *job) newer(messages string) string {
	if j.options.Std == "" && j.source.Language != OpenCL && ofLater.MatchString(messages) {
		return "; the source asks for more than C++17: try --std c++20"
	}
	return ""
}
