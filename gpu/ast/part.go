package ast

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/preproc"
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
	constants = regexp.MustCompile(`\b__constant__\b`)
	overrides = regexp.MustCompile(`Symbol|GetGlobal`) // cudaMemcpyToSymbol, cudaGetSymbolAddress, cuModuleGetGlobal, and their kin
	asserting = regexp.MustCompile(`\b(assert|__assert)\s*\(`)
	assuming  = regexp.MustCompile(`\b__axiom\s*\(`)
	hostType  = regexp.MustCompile(`^\s*((static|inline)\s+)*(typedef|struct|union|enum|class|constexpr)\b`)
	ofLibrary = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*<([A-Za-z_][\w.+/-]*)>`)
)

// divided is a file without what only the host uses.
type divided struct {
	part    []byte   // the text without that, blanked
	types   lost     // those of the host, which kernels do not mention
	omitted []string // what is said of libraries whose headers are left out
	asserts []Unread // functions of the host that assert something
}

// devicePart takes what only the host uses out of a file, nil where that cannot be told.
func devicePart(s Source) *divided {
	src := s.Text
	d := &divided{part: bytes.Clone(src), types: lost{}}
	code := preproc.CodeOnly(src)
	for _, m := range ofLibrary.FindAllSubmatchIndex(src, -1) {
		name := string(src[m[2]:m[3]])
		if bytes.IndexByte(code[m[0]:m[1]], '#') >= 0 && !preproc.Headers.MatchString(name) && !strings.Contains(name, "..") {
			preproc.Blank(d.part[m[0]:m[1]])
			d.omitted = append(d.omitted, fmt.Sprintf("declarations of <%s> are not read", name))
		}
	}
	slices.Sort(d.omitted)
	d.omitted = slices.Compact(d.omitted)
	items, ok := preproc.TopLevel(code)
	macros := preproc.MacrosIn(code, s.Defines)
	if _, unclear := preproc.UnclearAt(src); !ok || !macros.Balanced() || unclear != "" {
		return nil
	}
	var left []preproc.Item
	kernels := false
	initial, overridden := false, false // constants with values, which kernels may rely on unless the host gives them others
	for _, item := range items {
		text, _ := macros.Expanded(code[item.From:item.To])
		if ofDevice(item, code, text) {
			kernels = kernels || kernel.Match(text)
			initial = initial || constants.Match(text) && bytes.ContainsAny(text, "={")
			continue
		}
		// A kernel whose words a macro puts together would be left out unnoticed.
		if _, pasted := macros.Expanded(item.Head(code)); pasted || assuming.Match(text) {
			return nil
		}
		overridden = overridden || overrides.Match(text)
		if asserting.Match(text) {
			name, _ := item.Function(code)
			d.asserts = append(d.asserts, Unread{Problem: s.origin.Problem(preproc.Refuse(s.File, s.origin.PlaceIn(src, item.From), "an assertion of the host, which is ignored")), Name: cmp.Or(name, "-")})
		}
		if hostType.Match(item.Head(code)) {
			d.types.lose(item, code, macros, s.origin.Problem(preproc.Refuse(s.File, s.origin.PlaceIn(src, item.From), typeLeftOut(text))))
		}
		left = append(left, item)
	}
	if !kernels || initial && overridden {
		return nil
	}
	preproc.BlankItems(d.part, left)
	return d
}

// typeLeftOut says why a type that kernels do not mention is not read.
func typeLeftOut(text []byte) string {
	switch {
	case bytes.HasPrefix(text, []byte("template")):
		return beyondC("template")
	case bytes.HasPrefix(text, []byte("class")):
		return beyondC("class")
	}
	return "a type of the host, which is ignored"
}

// ofDevice reports whether kernels can refer to what the item declares: functions and variables only
// if they are declared to be on the device, also by macros, types and constants always, unless only C++ can say them.
func ofDevice(i preproc.Item, code, expanded []byte) bool {
	text := code[i.From:i.To]
	switch {
	case onDevice.Match(expanded), unlikeC.Match(text): // kernels can use these two as well, and are refused with them
		return true
	case !declares.Match(text), bytes.Contains(text, []byte("::")):
		return false
	case bytes.HasPrefix(text, []byte("typedef")):
		return true
	case i.Body >= 0:
		return !preproc.FunctionHead.Match(code[i.From:i.Body])
	}
	return bytes.ContainsAny(text, "=") || !preproc.FunctionHead.Match(bytes.TrimSuffix(text, []byte(";")))
}
