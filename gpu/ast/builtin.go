package ast

import (
	"fmt"
	"slices"
	"strings"
)

// resultOf is how the type of what a function of the toolchains gives follows from those of its arguments.
type resultOf uint8

const (
	notDeclared    resultOf = iota
	ofOneType               // that of the arguments, which are all of one type
	ofIntegers              // the same, of integers
	ofFloats                // a floating type, in which all arguments are
	ofFloat32               // the same, of floats alone
	ofElement               // that of the lanes of its arguments, or of them
	ofElement32             // the same, of floats alone
	ofRelation              // whether something holds of floats: of lanes, in each
	ofBits                  // whether something holds of the signs of integers
	intOfEach               // an int, or one for each lane of floats
	ofInt                   // an int, whatever the arguments
	ofUint                  //
	ofLong                  //
	ofFloat                 //
	ofDouble                //
	ofShuffled              // that of the argument, which narrow integers are promoted for
	ofShuffledUint          //
	ofSubGroup              // that of the argument, a scalar of 32 bits or more
)

// builtin says it for OpenCL C and for CUDA C++.
type builtin struct{ openCL, cuda resultOf }

// builtins are functions of the toolchains without effect, of whose values nothing but the type is known. A test compares the types with
// those that Clang's headers declare. Each stands once.
var builtins = func() map[string]builtin {
	out := map[string]builtin{}
	for _, row := range []struct {
		builtin
		names string
	}{
		{builtin{ofFloats, ofFloats}, "sqrt rsqrt exp exp2 exp10 log log2 log10 sin cos tan asin acos atan atan2 sinh cosh tanh pow fabs floor ceil round trunc rint fmod fma fmax fmin fdim hypot erf erfc cbrt ldexp logb nextafter remainder copysign"},
		{builtin{ofFloats, notDeclared}, "pown powr mad sign step smoothstep mix radians degrees maxmag minmag normalize cross"},
		{builtin{ofFloat32, notDeclared}, "native_sqrt native_rsqrt native_exp native_exp2 native_exp10 native_log native_log2 native_log10 native_sin native_cos native_tan native_powr native_recip native_divide half_sqrt half_rsqrt half_exp half_log half_sin half_cos half_recip half_divide half_powr fast_normalize"},
		{builtin{ofElement, notDeclared}, "dot length distance"},
		{builtin{ofElement32, notDeclared}, "fast_length fast_distance"},
		{builtin{ofIntegers, notDeclared}, "popcount clz rotate hadd rhadd mul_hi mad_hi mad_sat add_sat sub_sat"},
		{builtin{ofOneType, notDeclared}, "bitselect"},
		{builtin{ofRelation, ofRelation}, "isnan isinf isfinite isnormal signbit isless isgreater islessequal isgreaterequal"},
		{builtin{ofRelation, notDeclared}, "isequal isnotequal"},
		{builtin{ofBits, notDeclared}, "any all"},
		{builtin{intOfEach, intOfEach}, "ilogb"},
		{builtin{notDeclared, ofFloat}, "rsqrtf sqrtf expf exp2f logf log2f log10f sinf cosf tanf powf fabsf floorf ceilf roundf truncf fmodf fmaf fmaxf fminf hypotf erff erfcf cbrtf acosf asinf atanf atan2f exp10f __expf __exp10f __logf __log2f __log10f __sinf __cosf __tanf __powf __fdividef __saturatef saturate __fmul_rn __fadd_rn __fsub_rn __int_as_float int_as_float rand_float curand_uniform curand_normal"},
		{builtin{notDeclared, ofDouble}, "curand_uniform_double"},
		{builtin{notDeclared, ofInt}, "__clz __popc __mulhi __ffs __float_as_int float_as_int __float2int_rn __float2int_rz rand __double2int_rz"},
		{builtin{notDeclared, ofUint}, "__float2uint_rn __float2uint_rz curand __umulhi __brev __usad __sad"},
		{builtin{notDeclared, ofLong}, "clock clock64"},
		{builtin{notDeclared, ofShuffled}, "__shfl __shfl_up __shfl_down __shfl_xor __shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync __reduce_add_sync __reduce_min_sync __reduce_max_sync"},
		{builtin{notDeclared, ofShuffledUint}, "__reduce_and_sync __reduce_or_sync __reduce_xor_sync"},
		{builtin{notDeclared, ofInt}, "__any __all __any_sync __all_sync"},
		{builtin{notDeclared, ofUint}, "__ballot __ballot_sync __activemask __match_any_sync"},
		{builtin{ofSubGroup, notDeclared}, "sub_group_reduce_add sub_group_reduce_min sub_group_reduce_max sub_group_scan_inclusive_add sub_group_scan_inclusive_min sub_group_scan_inclusive_max sub_group_scan_exclusive_add sub_group_scan_exclusive_min sub_group_scan_exclusive_max sub_group_broadcast"},
		{builtin{ofInt, notDeclared}, "sub_group_any sub_group_all"},
		{builtin{ofUint, notDeclared}, "get_sub_group_size get_max_sub_group_size get_num_sub_groups get_enqueued_num_sub_groups get_sub_group_id get_sub_group_local_id"},
	} {
		for _, n := range strings.Fields(row.names) {
			out[n] = row.builtin
		}
	}
	return out
}()

func (b builtin) in(cuda bool) resultOf {
	if cuda {
		return b.cuda
	}
	return b.openCL
}

// IsBuiltin reports whether Result knows of n.
func IsBuiltin(n string, cuda bool) bool { return builtins[n].in(cuda) != notDeclared }

// Builtins are the names that Result knows, in order.
func Builtins(cuda bool) (out []string) {
	for n, b := range builtins {
		if b.in(cuda) != notDeclared {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// Result is the type of what function n of the toolchains gives for arguments of some types; nil if it is none. Where the toolchains
// declare no form for them, or several that fit as well, why says so.
func Result(n string, cuda bool, args []*Ctype) (t *Ctype, why string) {
	how := builtins[n].in(cuda)
	of := 0 // the argument that counts
	if strings.HasSuffix(n, "_sync") {
		of = 1
	}
	unclear := fmt.Sprintf("%s of arguments of these types, which the toolchains do not declare, or several times; cast them to one type", n)
	scalar := func(i int) bool {
		return i < len(args) && (args[i].Kind == IntType || args[i].Kind == FloatType)
	}
	switch how {
	case notDeclared:
		return nil, ""
	case ofInt:
		return TInt, ""
	case ofUint:
		return TUint, ""
	case ofLong:
		return TLong, ""
	case ofFloat:
		return TFloat, ""
	case ofDouble:
		return TDouble, ""
	case ofShuffled:
		if scalar(of) {
			return Promoted(args[of]), ""
		}
	case ofShuffledUint:
		if scalar(of) {
			return TUint, ""
		}
	case ofSubGroup:
		if scalar(0) && args[0].Bits >= 32 {
			return args[0], ""
		}
	case ofOneType, ofIntegers:
		same := len(args) > 0 && (args[0].Leaf(0).Kind == IntType || how == ofOneType && args[0].Leaf(0).Kind == FloatType)
		for _, a := range args {
			same = same && Same(a, args[0]) && a.Leaf(0).Bits > 1
		}
		if same {
			return args[0], ""
		}
	case ofBits:
		if len(args) == 1 && args[0].Leaf(0).Kind == IntType && args[0].Leaf(0).Signed {
			return TInt, ""
		}
	default:
		if cuda {
			t = inFloatsOfCUDA(n, args)
		} else {
			t = inFloats(n, args)
		}
		switch {
		case t == nil, (how == ofFloat32 || how == ofElement32) && t.Leaf(0).Bits != 32:
		case how == ofElement || how == ofElement32:
			return t.Leaf(0), ""
		case how == ofRelation && cuda:
			return TBool, ""
		case how == ofRelation && t.Kind == VectorType:
			return Truths(t), ""
		case how == ofRelation, how == intOfEach && t.Kind != VectorType:
			return TInt, ""
		case how == intOfEach:
			return VectorOf(TInt, t.N), ""
		default:
			return t, ""
		}
	}
	return nil, unclear
}

// withExponent are functions whose last argument is an integer.
var withExponent = []string{"ldexp", "pown"}

// inFloats is the floating type in which OpenCL takes arguments: that of their vectors, or the only one among scalars. To choose it for
// integers alone, or of two, would be to choose one of several forms.
func inFloats(n string, args []*Ctype) (t *Ctype) {
	if slices.Contains(withExponent, n) && len(args) == 2 {
		if e := args[1]; e.Kind != IntType && !(e.Kind == VectorType && e.N == args[0].N && Same(e.Elem, TInt)) {
			return nil
		}
		args = args[:1]
	}
	for _, a := range args {
		if a.Kind == VectorType && a.Elem.Kind == FloatType {
			if t != nil && !Same(t, a) {
				return nil
			}
			t = a
		}
	}
	for _, a := range args {
		switch {
		case a.Kind == FloatType && t == nil:
			t = a
		case a.Kind == FloatType && !Same(t.Leaf(0), a), a.Kind != FloatType && a.Kind != IntType && !(a.Kind == VectorType && a.Elem.Kind == FloatType):
			return nil
		}
	}
	return t
}

// inFloatsOfCUDA is the floating type in which C++ takes arguments: a double, unless all are floats. With floats and integers, some
// toolchains do not widen.
func inFloatsOfCUDA(n string, args []*Ctype) *Ctype {
	if slices.Contains(withExponent, n) && len(args) == 2 {
		args = args[:1]
	}
	integers, wide := 0, false
	for _, a := range args {
		switch {
		case a.Kind == IntType:
			integers++
		case a.Kind != FloatType:
			return nil
		}
		wide = wide || a.Kind == FloatType && a.Bits > 32 && !a.Unsettled
	}
	switch {
	case len(args) == 0:
		return nil
	case wide, integers == len(args):
		return TDouble
	case integers > 0 || slices.ContainsFunc(args, func(a *Ctype) bool { return a.Unsettled }):
		return unsettled
	}
	return TFloat
}
