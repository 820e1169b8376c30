package gpuc

import (
	"fmt"
	"strings"
)

// scalars are the types that the toolchains name besides those of C.
var scalars = map[string]*ctype{
	"uchar": intOf(8, false), "ushort": intOf(16, false), "uint": tUint, "ulong": tUlong,
	"size_t": {kind: intType, name: "size_t", bits: 64}, "ptrdiff_t": tLong, "intptr_t": tLong, "uintptr_t": tUlong,
	"half":   {kind: floatType, name: "half", bits: 16},
	"int8_t": intOf(8, true), "int16_t": intOf(16, true), "int32_t": tInt, "int64_t": tLong,
	"uint8_t": intOf(8, false), "uint16_t": intOf(16, false), "uint32_t": tUint, "uint64_t": tUlong,
}

// opaque are types of whose values nothing is known.
var opaque = strings.Fields("image2d_t image3d_t sampler_t event_t cudaError_t cudaError cudaStream_t cudaEvent_t FILE curandState curandState_t curandStateMtgp32 curandStateMtgp32_t mtgp32_kernel_params mtgp32_kernel_params_t cudaDeviceProp clock_t time_t cudaMemcpyKind")

var lanes = []int64{2, 3, 4, 8, 16}

// vectors are the scalars that vectors are made of.
var vectors = map[string]*ctype{
	"char": intOf(8, true), "uchar": intOf(8, false), "short": intOf(16, true), "ushort": intOf(16, false),
	"int": tInt, "uint": tUint, "long": tLong, "ulong": tUlong, "float": tFloat, "double": {kind: floatType, name: "double", bits: 64},
	"longlong": tLong, "ulonglong": tUlong,
}

// typeNames are the names of types that the parser has to know, in a fixed order.
func typeNames(cuda bool) []string {
	out := strings.Fields("uchar ushort uint ulong size_t ptrdiff_t intptr_t uintptr_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t")
	out = append(out, opaque...)
	if cuda {
		out = append(out, "dim3")
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

// named is the type of a name that typeNames lists, or nil.
func named(n string) *ctype {
	if t := scalars[n]; t != nil {
		return t
	}
	for _, o := range opaque {
		if o == n {
			return &ctype{kind: opaqueType, name: n}
		}
	}
	if n == "dim3" {
		return &ctype{kind: vectorType, name: n, elem: tUint, n: 3}
	}
	base := strings.TrimRight(n, "0123456789")
	elem := vectors[base]
	if elem == nil || base == n {
		return nil
	}
	var count int64
	fmt.Sscan(n[len(base):], &count)
	return &ctype{kind: vectorType, name: n, elem: elem, n: count}
}

func vectorOf(elem *ctype, n int64) *ctype {
	return &ctype{kind: vectorType, name: fmt.Sprint(elem.name, n), elem: elem, n: n}
}
