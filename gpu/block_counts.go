package gpu

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/gpu/count"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/llvm"
)

// Block is what the block in the middle of a launch does, as gradine tune counts it.
type Block struct {
	Threads    int64       `json:"threads"`               // threads of a block
	Warps      int64       `json:"warps"`                 // warps of a block
	Shared     int64       `json:"shared_bytes"`          // bytes of shared memory
	Barriers   Between     `json:"barriers"`              // barriers that the block passes: least and greatest number
	Certainty  string      `json:"certainty"`             // exact, bounds, or partial: something is left out
	Before     BlockWork   `json:"before_barrier"`        // work before the first barrier
	Behind     BlockWork   `json:"behind_barrier"`        // work after it; of a kernel without barriers: all of it
	Accesses   []Access    `json:"accesses"`              // accesses, in the order of the source
	Loops      []BlockLoop `json:"loops,omitempty"`       // loops, in the order of the source
	Notes      []string    `json:"notes,omitempty"`       // what is not counted, or not exactly
	LocalBytes int64       `json:"local_bytes,omitempty"` // bytes of a thread's arrays that stay in memory
	Registers  Between     `json:"value_registers"`       // estimate: registers for the values of a thread, if memory is read again, and if what was read is kept
	Touched    int64       `json:"distinct_lines"`        // distinct lines of 128 bytes of global memory that the block accesses
}

// Between is a number between bounds, which are equal if it is known.
type Between [2]int64

// String is the number, or low‥high.
func (b Between) String() string {
	if b[0] == b[1] {
		return fmt.Sprint(b[0])
	}
	return fmt.Sprintf("%d‥%d", b[0], b[1])
}

func between(r count.Range) Between { return Between{r.Low, r.High} }

// BlockWork is what the warps of a block begin, at most.
type BlockWork struct {
	Float   int64 `json:"float"`        // operations on floats of 32 and 16 bits
	Special int64 `json:"special"`      // roots, quotients, powers, angles
	Double  int64 `json:"double"`       // operations on floats of 64 bits
	Integer int64 `json:"integer"`      // operations on integers, indices among them
	Shared  int64 `json:"shared_turns"` // turns over the banks of shared memory
	Global  int64 `json:"global_lines"` // lines of 128 bytes of global memory
	Bytes   int64 `json:"bytes"`        // exchanged with memory, if what was accessed once is kept
	Asked   int64 `json:"asked_bytes"`  // of global memory that the warps ask for, the same bytes several times among them
	Issued  int64 `json:"accesses"`     // accesses to shared and global memory
}

func workOf(w count.Work) BlockWork {
	return BlockWork{Float: w.Arithmetic, Special: w.Special, Double: w.Double, Integer: w.Integer, Shared: w.Shared, Global: w.Global, Bytes: w.Bytes, Asked: w.Asked, Issued: w.Issued}
}

// Access is one access in the source.
type Access struct {
	Line    int     `json:"line"`             // line, counted from 1
	Col     int     `json:"col"`              // column, counted from 1
	Kind    string  `json:"kind"`             // load, store or atomic
	Space   string  `json:"space"`            // global, shared, constant, local or any
	Object  string  `json:"object"`           // name of the array or parameter
	Bytes   int64   `json:"bytes"`            // bytes of a thread at a time
	Threads Between `json:"threads"`          // how often threads execute it: least and greatest number
	Warps   Between `json:"warps"`            // how often warps execute it
	Lines   Between `json:"lines"`            // lines of 128 bytes that the warps ask for
	Turns   Between `json:"turns"`            // turns over the banks of shared memory
	Stride  string  `json:"stride,omitempty"` // bytes between neighbours of a warp
}

// BlockLoop is how often a loop runs when a warp comes to it.
type BlockLoop struct {
	Line     int     `json:"line"`               // line, counted from 1
	Col      int     `json:"col"`                // column, counted from 1
	Rounds   Between `json:"rounds"`             // rounds each time that a warp comes to it
	Unrolled bool    `json:"unrolled,omitempty"` // compilers unroll it
}

// BlockCounts says what a block of each kernel of a module does in the launch that options give. Arguments are values
// of integer parameters, by name: the error names one that no kernel has.
func BlockCounts(ctx context.Context, name string, u *clang.Unit, opts launch.Options, inFile launch.Options, arguments map[string]int64) (out []Advice, err error) {
	m, problem := llvm.Parse(name, u.IR)
	if problem != nil {
		return []Advice{{File: name, Line: problem.Line, Col: problem.Col, Verdict: Unsupported, What: "not found", Text: problem.Construct}}, nil
	}
	var kernels []*llvm.Function
	for _, f := range m.Functions {
		if f.Defined && m.IsKernel(f) {
			kernels = append(kernels, f)
		}
	}
	if err := count.Given(kernels, arguments); err != nil {
		return nil, err
	}
	for _, f := range kernels {
		if ctx.Err() != nil {
			return out, nil
		}
		out = append(out, blockCounts(name, m, f, opts, inFile, arguments))
	}
	for _, a := range u.Absent {
		out = append(out, Advice{File: name, Kernel: a.Name, Line: a.Line, Col: a.Col, Verdict: Unsupported, What: "not found", Text: a.Why})
	}
	return out, nil
}

// blockCounts counts one kernel. Arguments that it does not have are those of other kernels of the file.
func blockCounts(name string, m *llvm.Module, f *llvm.Function, opts launch.Options, inFile launch.Options, arguments map[string]int64) Advice {
	a := Advice{File: name, Kernel: f.SourceName(), Line: 1, Col: 1, Verdict: Open, What: "not found"}
	if at, ok := f.At(); ok {
		a.Line, a.Col = at.Line, at.Col
	}
	own, err := opts.Of(clang.Base(a.Kernel), inFile, f.GroupSize())
	if err != nil {
		a.Text = err.Error()
		return a
	}
	l := count.Launch{Block: own.Local, Grid: own.Groups, Args: arguments}
	for d := range 3 {
		if d > 0 {
			l.Block[d], l.Grid[d] = max(1, l.Block[d]), max(1, l.Grid[d])
		}
		if l.Block[d] < 1 || l.Grid[d] < 1 {
			a.Text = "a block is counted for one launch: give --local-size and --num-groups"
			return a
		}
	}
	// The block in the middle stands for all: those at the edges do less.
	var b *count.Block
	if why := contained(func() { b, err = count.Kernel(m, f, l, [3]int64{l.Grid[0] / 2, l.Grid[1] / 2, l.Grid[2] / 2}) }); why != "" {
		a.Text = why
		return a
	}
	if err != nil {
		a.Verdict, a.Text = Unsupported, err.Error()
		return a
	}
	a.Verdict, a.What, a.Block = Safe, "counted", blockOf(b)
	a.Text = fmt.Sprintf("the block in the middle of a grid of %d × %d × %d, %d threads in %d warps", l.Grid[0], l.Grid[1], l.Grid[2], b.Threads, b.Warps)
	return a
}

var (
	certainties = map[count.Certainty]string{count.Exact: "exact", count.Most: "bounds", count.Partial: "partial"}
	spaces      = map[count.Space]string{count.Global: "global", count.Shared: "shared", count.Constant: "constant", count.Local: "local", count.Any: "any"}
)

// blockOf is what was counted, as answers have it.
func blockOf(b *count.Block) *Block {
	out := &Block{
		Threads: b.Threads, Warps: b.Warps, Shared: b.Shared, Barriers: between(b.Barriers), Certainty: certainties[b.Certainty()],
		Before: workOf(b.Work(0)), Behind: workOf(b.Work(1)), Accesses: []Access{}, LocalBytes: b.LocalBytes,
		Registers: between(b.Live), Touched: b.Touched,
	}
	for _, a := range b.Accesses {
		kind := "load"
		switch {
		case a.Atomic:
			kind = "atomic"
		case a.Store:
			kind = "store"
		}
		out.Accesses = append(out.Accesses, Access{
			Line: a.Line, Col: a.Col, Kind: kind, Space: spaces[a.Space], Object: a.Object, Bytes: a.Bytes, Threads: between(a.Threads), Warps: between(a.Warps),
			Lines: between(a.Lines), Turns: between(a.Passes), Stride: a.Stride,
		})
	}
	slices.SortStableFunc(out.Accesses, func(a, b Access) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col)) })
	for _, l := range b.Loops {
		out.Loops = append(out.Loops, BlockLoop{Line: l.Line, Col: l.Col, Rounds: Between{l.Least, l.Most}, Unrolled: l.Unrolled})
	}
	for _, n := range b.Notes {
		out.Notes = append(out.Notes, n.String())
	}
	return out
}
