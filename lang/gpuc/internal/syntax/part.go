package syntax

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Programs of CUDA are C++, and most of what is not C in them is the host's: containers, streams,
// classes, headers of libraries. Where such a file cannot be read as a whole, its device part is
// read alone: what kernels can refer to. The kernels are then judged for every launch, as those
// of a file without a host.

var (
	onDevice  = regexp.MustCompile(`\b(__global__|__device__|__constant__|__shared__)\b`)
	kernel    = regexp.MustCompile(`\b__global__\b`)
	unlikeC   = regexp.MustCompile(`^(using\s+\w+\s*=|(texture|surface)\s*<)`)
	declares  = regexp.MustCompile(`^(typedef|struct|union|enum|((static|inline)\s+)*(const|constexpr))\b`)
	function  = regexp.MustCompile(`\)\s*((const|noexcept|override)\s*)*$`)
	constants = regexp.MustCompile(`\b__constant__\b`)
	overrides = regexp.MustCompile(`Symbol|GetGlobal`) // cudaMemcpyToSymbol, cudaGetSymbolAddress, cuModuleGetGlobal, and their kin
	asserting = regexp.MustCompile(`\b(assert|__assert)\s*\(`)
	assuming  = regexp.MustCompile(`\b__axiom\s*\(`)
	hostType  = regexp.MustCompile(`^\s*((static|inline)\s+)*(typedef|struct|union|enum|class|constexpr)\b`)
	ofLibrary = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*<([A-Za-z_][\w.+/-]*)>`)
)

// divided is a file without what only the host uses.
type divided struct {
	part, host []byte   // the text without that, blanked; and the code of that
	types      lost     // those of the host, which kernels do not mention
	omitted    []string // what is said of libraries whose headers are left out
	asserts    []Unread // functions of the host that assert something
}

// devicePart takes what only the host uses out of a file, nil where that cannot be told.
func devicePart(s Source) *divided {
	src := s.Text
	d := &divided{part: bytes.Clone(src), types: lost{}}
	code := codeOnly(src)
	for _, m := range ofLibrary.FindAllSubmatchIndex(src, -1) {
		name := string(src[m[2]:m[3]])
		if bytes.IndexByte(code[m[0]:m[1]], '#') >= 0 && !headers.MatchString(name) && !strings.Contains(name, "..") {
			blank(d.part[m[0]:m[1]])
			d.omitted = append(d.omitted, fmt.Sprintf("what <%s> declares is not read", name))
		}
	}
	slices.Sort(d.omitted)
	d.omitted = slices.Compact(d.omitted)
	items, ok := topLevel(code)
	macros := macrosIn(code, s.Defines)
	if _, unclear := unclearAt(src); !ok || !macros.balanced() || unclear != "" {
		return nil
	}
	var left []item
	kernels := false
	initial, overridden := false, false // constants with values, which kernels may rely on unless the host gives them others
	for _, item := range items {
		text, _ := macros.expanded(code[item.from:item.to])
		if item.ofDevice(code, text) {
			kernels = kernels || kernel.Match(text)
			initial = initial || constants.Match(text) && bytes.ContainsAny(text, "={")
			continue
		}
		// A kernel whose words a macro puts together would be left out unnoticed.
		if _, pasted := macros.expanded(item.head(code)); pasted || assuming.Match(text) {
			return nil
		}
		overridden = overridden || overrides.Match(text)
		if asserting.Match(text) {
			name, _ := item.function(code)
			d.asserts = append(d.asserts, Unread{Problem: s.problem(Refuse(s.File, s.placeIn(src, item.from), "an assertion of the host, which is left out")), Name: cmp.Or(name, "-")})
		}
		if hostType.Match(item.head(code)) {
			d.types.lose(item, code, macros, s.problem(Refuse(s.File, s.placeIn(src, item.from), typeLeftOut(text))))
		}
		left = append(left, item)
		d.host = append(append(d.host, code[item.from:item.to]...), '\n')
	}
	if !kernels || initial && overridden {
		return nil
	}
	blankItems(d.part, left)
	return d
}

// typeLeftOut says why a type that kernels do not mention is not read.
func typeLeftOut(text []byte) string {
	switch {
	case bytes.HasPrefix(text, []byte("template")):
		return "a template of a structure; write the structure for each type that it is used with"
	case bytes.HasPrefix(text, []byte("class")):
		return "a class; write a structure and functions"
	}
	return "a type of the host, which is left out"
}

// item is a declaration outside of all brackets. Its body, if it has one, begins at body.
type item struct{ from, body, to int }

// ofDevice reports whether kernels can refer to what the item declares: functions and variables only
// if they are declared to be on the device, also by macros, types and constants always, unless only C++ can say them.
func (i item) ofDevice(code, expanded []byte) bool {
	text := code[i.from:i.to]
	switch {
	case onDevice.Match(expanded), unlikeC.Match(text): // kernels can use these two as well, and are refused with them
		return true
	case !declares.Match(text), bytes.Contains(text, []byte("::")):
		return false
	case bytes.HasPrefix(text, []byte("typedef")):
		return true
	case i.body >= 0:
		return !function.Match(code[i.from:i.body])
	}
	return bytes.ContainsAny(text, "=") || !function.Match(bytes.TrimSuffix(text, []byte(";")))
}

// topLevel splits code into items. Directives of the preprocessor stand between them and in them,
// and extern "C" with brackets is none. It fails where brackets do not match, also under a condition alone.
func topLevel(code []byte) (items []item, ok bool) {
	none := item{-1, -1, -1}
	current, depth, opened := none, 0, 0
	var outside []int // how deep it is outside of the conditions of the preprocessor
	ok = true
	for i := 0; i < len(code); i++ {
		c := code[i]
		if c == '#' && len(bytes.TrimSpace(code[bytes.LastIndexByte(code[:i], '\n')+1:i])) == 0 {
			end := endOfDirective(code, i)
			switch m := condition.FindSubmatch(code[i:end]); {
			case m == nil:
			case bytes.HasPrefix(m[1], []byte("if")):
				outside = append(outside, depth)
			case len(outside) == 0 || outside[len(outside)-1] != depth:
				ok = false
			case string(m[1]) == "endif":
				outside = outside[:len(outside)-1]
			}
			i = end - 1
			continue
		}
		if c == '}' && depth == 0 && opened > 0 {
			opened--
			continue
		}
		if current.from < 0 && c > ' ' {
			current.from = i
		}
		switch c {
		case '{':
			if depth == 0 && string(bytes.TrimSpace(code[current.from:i])) == "extern" {
				current = none
				opened++
				continue
			}
			if depth == 0 && current.body < 0 {
				current.body = i
			}
			depth++
		case '(', '[':
			depth++
		case '}', ')', ']':
			depth--
		}
		if depth < 0 {
			return nil, false
		}
		// Behind the body of a function there is no semicolon, behind that of a structure there is.
		if depth == 0 && (c == ';' || c == '}' && current.body >= 0 && function.Match(code[current.from:current.body])) {
			current.to = i + 1
			items = append(items, current)
			current = none
		}
	}
	return items, ok && depth == 0 && opened == 0 && len(outside) == 0
}

// condition is a directive of the preprocessor that begins, divides or ends what is compiled under a condition.
var condition = regexp.MustCompile(`^#(?:[ \t]|\\\r?\n)*(if|ifdef|ifndef|elif|elifdef|elifndef|else|endif)\b`)

// endOfDirective is where the line ends that begins at i, with those that carry it on.
func endOfDirective(code []byte, i int) int {
	for i < len(code) && (code[i] != '\n' || bytes.HasSuffix(bytes.TrimSuffix(code[:i], []byte("\r")), []byte("\\"))) {
		i++
	}
	return i
}

// blankItems blanks items of a text but for their directives, without comments: what they define can be used behind them.
func blankItems(text []byte, items []item) {
	code, plain := codeOnly(text), without(text, false)
	for _, i := range items {
		blankCode(text[i.from:i.to], code[i.from:i.to], plain[i.from:i.to])
	}
}

func blankCode(text, code, plain []byte) {
	copy(text, plain)
	for i := 0; i < len(text); {
		end := i + bytes.IndexByte(text[i:], '\n') + 1
		if end == i {
			end = len(text)
		}
		if line := bytes.TrimSpace(code[i:end]); len(line) > 0 && line[0] == '#' {
			end = endOfDirective(text, i)
		} else {
			blank(text[i:end])
		}
		i = max(end, i+1)
	}
}
