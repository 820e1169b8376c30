package interp

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/builtin"
)

// call runs a call: of a launch, of a function of the toolchains, of one of the program.
func (r *runner) call(e *ast.Expr) result {
	callee := e.Args[0]
	if callee.Kind == ast.Call && callee.Args[0].Kind == ast.Name && len(callee.Args) >= 3 {
		if f := r.u.Function(callee.Args[0].Name); f != nil && f.Kernel && f.Defined {
			grid, block := r.value(callee.Args[1]), r.value(callee.Args[2])
			r.values(callee.Args[3:]) // memory of the group, stream
			if rest := callee.Args[min(4, len(callee.Args)):]; len(rest) > 0 && (rest[0].Kind != ast.Literal || rest[0].Value.Sign() != 0) {
				r.doubt(e.At, "a launch in a stream, which may run concurrently with others")
			}
			r.launch(f, r.asDim(grid), r.asDim(block), r.values(e.Args[1:]), e.At)
			return result{ast.TVoid, nil}
		}
	}
	if callee.Kind != ast.Name {
		r.undecided(e.At, "a call through a pointer")
	}
	n, args := callee.Name, e.Args[1:]
	if strings.HasPrefix(n, "ESBMC_verify_kernel") && len(args) >= 3 && args[0].Kind == ast.Name {
		f := r.u.Function(args[0].Name)
		if f == nil || !f.Defined {
			r.undecided(e.At, "kernel %s", args[0].Name)
		}
		grid, block := r.value(args[1]), r.value(args[2])
		r.launch(f, r.asDim(grid), r.asDim(block), r.values(args[3:]), e.At)
		return result{ast.TVoid, nil}
	}
	if f := r.u.Function(n); f != nil && f.Defined {
		return r.invoke(f, r.values(args), e.At)
	}
	if len(args) < max(arguments[n], r.least(n)) {
		r.undecided(e.At, "%s with %d arguments", n, len(args))
	}
	if r.t != nil {
		return r.deviceCall(n, e)
	}
	return r.hostCall(n, e)
}

func (r *runner) asDim(v result) result {
	if len(v.c) == 1 {
		return result{v.typ, append(slices.Clone(v.c), scalar{kind: intScalar, i: 1}, scalar{kind: intScalar, i: 1})}
	}
	return v
}

// least is how many arguments a function of the toolchains has at least, by what it means.
func (r *runner) least(n string) int {
	if c := builtin.Source(n, r.cuda()); c != nil {
		switch c.Means {
		case builtin.Atomic, builtin.AtomicBlock, builtin.BarrierFlags, builtin.Assert, builtin.Require, builtin.Assume:
			return 1
		}
	}
	return 0
}

// arguments is how many the functions of the toolchains need at least.
var arguments = map[string]int{
	"cudaGetDeviceCount": 1, "__ESBMC_assert": 1, "__ESBMC_assume": 1, "malloc": 1, "calloc": 2, "free": 1, "cudaFree": 1,
	"cudaHostAlloc": 2, "cudaMalloc": 2, "cudaMallocManaged": 2, "cudaMallocHost": 2, "cudaMemcpy": 3, "memcpy": 3, "cudaMemcpyToSymbol": 3,
	"cudaMemcpyFromSymbol": 3, "cudaMemset": 3, "memset": 3, "__builtin_memset": 3,
}
