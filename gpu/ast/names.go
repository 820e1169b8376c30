package ast

import (
	"fmt"
	"regexp"
	"strings"
)

// Scalars are the types that the toolchains name in addition to those of C.
var Scalars = map[string]*Ctype{
	"uchar": IntOf(8, false), "ushort": IntOf(16, false), "uint": TUint, "ulong": TUlong,
	"size_t": pointerwide("size_t", false), "ptrdiff_t": pointerwide("ptrdiff_t", true), "intptr_t": pointerwide("intptr_t", true), "uintptr_t": pointerwide("uintptr_t", false),
	"half":   {Kind: FloatType, Name: "half", Bits: 16},
	"int8_t": IntOf(8, true), "int16_t": IntOf(16, true), "int32_t": TInt, "int64_t": TLong,
	"uint8_t": IntOf(8, false), "uint16_t": IntOf(16, false), "uint32_t": TUint, "uint64_t": TUlong,
}

// opaque are types of whose values nothing is known.
var opaque = strings.Fields("image2d_t image3d_t sampler_t event_t cudaError_t cudaError cudaStream_t cudaEvent_t FILE curandState curandState_t curandStateMtgp32 curandStateMtgp32_t mtgp32_kernel_params mtgp32_kernel_params_t clock_t time_t cudaMemcpyKind")

var lanes = []int64{2, 3, 4, 8, 16}

// Vectors are the scalars that vectors are made of.
var Vectors = map[string]*Ctype{
	"char": IntOf(8, true), "uchar": IntOf(8, false), "short": IntOf(16, true), "ushort": IntOf(16, false),
	"int": TInt, "uint": TUint, "long": TLong, "ulong": TUlong, "float": TFloat, "double": {Kind: FloatType, Name: "double", Bits: 64},
	"longlong": TLong, "ulonglong": TUlong,
}

// typeNames are the names of types that the parser has to know, in a fixed order.
func typeNames(cuda bool) []string {
	out := strings.Fields("uchar ushort uint ulong size_t ptrdiff_t intptr_t uintptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t")
	out = append(out, opaque...)
	if cuda {
		out = append(out, "dim3", deviceProperties.Name)
	} else {
		out = append(out, "half")
	}
	for _, base := range strings.Fields("char uchar short ushort int uint long ulong float double longlong ulonglong") {
		for _, n := range lanes {
			out = append(out, fmt.Sprint(base, n))
		}
		if cuda {
			out = append(out, base+"1")
		}
	}
	return out
}

// Named is the type of a name that typeNames lists, or nil. Vectors of CUDA are packed.
func Named(n string, cuda bool) *Ctype {
	if t := Scalars[n]; t != nil {
		return t
	}
	if n == deviceProperties.Name {
		return deviceProperties
	}
	for _, o := range opaque {
		if o == n {
			return &Ctype{Kind: OpaqueType, Name: n}
		}
	}
	if n == "dim3" {
		return &Ctype{Kind: VectorType, Name: n, Elem: TUint, N: 3, Packed: true}
	}
	base := strings.TrimRight(n, "0123456789")
	elem := Vectors[base]
	if elem == nil || base == n {
		return nil
	}
	var count int64
	fmt.Sscan(n[len(base):], &count)
	return &Ctype{Kind: VectorType, Name: n, Elem: elem, N: count, Packed: cuda}
}

// VectorOf returns the type of vectors of n elements.
func VectorOf(elem *Ctype, n int64) *Ctype {
	return &Ctype{Kind: VectorType, Name: fmt.Sprint(elem.Name, n), Elem: elem, N: n}
}

// Truths is the type of a comparison of vectors of type t: of numbers with as many bits.
func Truths(t *Ctype) *Ctype { return VectorOf(IntOf(t.Elem.Bits, true), t.N) }

var (
	typedefOf  = regexp.MustCompile(`\btypedef\b[^;{}]*?\b([A-Za-z_]\w*)\s*;|\}\s*([A-Za-z_]\w*)\s*;`)
	tagOf      = regexp.MustCompile(`\b(?:struct|enum|union)\s+([A-Za-z_]\w*)`)
	aliasOf    = regexp.MustCompile(`\busing\s+([A-Za-z_]\w*)\s*=\s*([^;(){}<>\[\]]*?)\s*;`)
	simpleType = strings.Fields("int float double char short long unsigned signed bool")
)

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
