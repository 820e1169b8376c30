package encode

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/interp"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/llvm"
	"github.com/gradine/gradine/gpu/lower"
	"github.com/gradine/gradine/gpu/preproc"
	"github.com/gradine/gradine/gpu/run"
)

// module is a kernel in a module of LLVM.
type module struct {
	m *llvm.Module
	f *llvm.Function
}

// ReadModule finds the kernels of a module of LLVM, as text: Loaded reads each. Options that stand in the source that it was
// made of complete opts.
func ReadModule(file string, src []byte, opts, inFile launch.Options) ([]*Kernel, *preproc.Problem) {
	m, problem := llvm.Open(file, src)
	if problem != nil {
		return nil, problem
	}
	names := map[string]int{}
	for _, f := range m.Functions {
		names[f.SourceName()]++
	}
	var always []string
	for _, f := range lower.Axioms(m) {
		always = append(always, f.Name)
	}
	var out []*Kernel
	for _, f := range m.Functions {
		if !f.Defined || !m.IsKernel(f) {
			continue
		}
		at := preproc.Place{Line: f.Line, Col: 1}
		if p, ok := f.At(); ok {
			at = p.Place
		}
		k := &Kernel{module: &module{m, f}, Name: f.SourceName(), File: file, Line: at.Line, Col: at.Col}
		if names[k.Name] > 1 {
			k.Name = f.Name
		}
		template, _, _ := strings.Cut(f.SourceName(), "<") // what is said of a template is said of its instances
		own, err := opts.Of(template, inFile, f.GroupSize())
		if err != nil {
			k.Problem = preproc.Refuse(file, at, err.Error())
		} else {
			k.load = func() *Kernel {
				only := m.Reading(append(slices.Clone(always), f.Name)...)
				with := *k
				with.module = &module{only, only.Function(f.Name)}
				return with.lowered(nil, own)
			}
		}
		out = append(out, k)
	}
	if len(out) == 0 {
		return nil, preproc.Refuse(file, preproc.Place{Line: 1, Col: 1}, "no kernel in this module")
	}
	return append(out, uncalledIn(m)...), nil
}

// Loaded is k with all that it needs to be judged. Kernels of a module are loaded one after the other: a module may have more of
// them than memory has room for.
func (k *Kernel) Loaded() *Kernel {
	if k.load == nil {
		return k
	}
	return k.load()
}

// uncalledIn are the functions of a module with access to arrays that no kernel calls, though other files could: a
// module is not safe by what was not examined.
func uncalledIn(m *llvm.Module) (out []*Kernel) {
	mentions := map[string][]string{} // of each function, the functions
	shared := map[string]bool{}       // functions that access memory other than their own variables
	for _, f := range m.Functions {
		if !f.Defined {
			continue
		}
		f = m.Read(f)
		seen := map[string]bool{}
		for _, b := range f.Blocks {
			for _, i := range b.Code {
				i.EachValue(func(v *llvm.Value) {
					if v.Kind == llvm.GlobalName && !seen[v.Name] && m.Function(v.Name) != nil {
						seen[v.Name] = true
						mentions[f.Name] = append(mentions[f.Name], v.Name)
					}
				})
			}
		}
		shared[f.Name] = accesses(f)
	}
	// A function counts as called if any instruction of a kernel mentions it, since its address may be called.
	called := map[string]bool{}
	var todo []string
	for _, f := range m.Functions {
		if m.IsKernel(f) {
			todo = append(todo, f.Name)
		}
	}
	for len(todo) > 0 {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !called[name] {
			called[name] = true
			todo = append(todo, mentions[name]...)
		}
	}
	for _, f := range m.Functions {
		if !f.Defined || called[f.Name] || f.Linkage != "" && f.Linkage != "external" || !shared[f.Name] {
			continue
		}
		k := &Kernel{module: &module{m, f}, Name: f.SourceName(), File: m.File, Line: f.Line, Col: 1, Aside: true, Unchecked: "no kernel of this file calls it, so its threads are unknown"}
		if p, ok := f.At(); ok {
			k.Line, k.Col = p.Line, p.Col
		}
		out = append(out, k)
	}
	return out
}

// accesses reports whether a function accesses memory other than its own variables.
func accesses(f *llvm.Function) bool {
	own := map[string]bool{}
	for _, b := range f.Blocks {
		for _, i := range b.Code {
			switch i.Op {
			case llvm.Alloca:
				own[i.Name] = true
			case llvm.AtomicRMW, llvm.CmpXchg:
				return true
			case llvm.Load, llvm.Store:
				if p := i.Args[len(i.Args)-1]; p.Kind != llvm.Register || !own[p.Name] {
					return true
				}
			}
		}
	}
	return false
}

// runModule is Execute of a kernel in a module.
func (k *Kernel) runModule(defined bool, sample uint64, sizes, groups [3]int64, values map[string]int64, only map[[3]int64]bool, purse *int) (*interp.Fault, string) {
	o := k.prog.Opts
	l := run.Launch{Local: sizes, Groups: groups, Only: only, Sample: sample, Values: map[string]int64{}, Bounds: o.Bounds, Overflow: o.Overflow || defined, NoBenign: o.NoBenign, NoRaces: o.OnlyDivergence, NoBetween: o.IntraGroup, NoAsserts: o.OnlyRequires, Purse: purse}
	for _, p := range k.prog.Params {
		l.Values[p.Name] = values[p.Term.Name]
	}
	fixed := o.Arguments[k.Name]
	for j, a := range k.module.f.Params {
		if a.Type.Kind == llvm.Pointer && a.Attrs.ByVal == nil || len(fixed) == 0 {
			continue
		}
		if n, ok := new(big.Int).SetString(fixed[0], 0); ok {
			l.Values[k.module.f.ParamName(j)] = int64(new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64())
		}
		fixed = fixed[1:]
	}
	f, why := run.Kernel(k.module.m, k.module.f, l)
	if f == nil {
		return nil, why
	}
	out := &interp.Fault{Kind: f.Kind, Line: f.At.Line, Col: f.At.Col, Why: f.Why}
	for _, t := range f.Threads {
		out.Threads = append(out.Threads, interp.Ids{Id: t[0], Group: t[1]})
	}
	return out, ""
}

// Compiler is what wrote the module that k is read from; "" of kernels that are read from C.
func (k *Kernel) Compiler() string {
	if k.module == nil {
		return ""
	}
	return k.module.m.Producer
}

// Digest tells kernels apart by what they do, wherever they stand, and by what is asked of them: sizes, checks and what is taken
// for granted. It is "" of one that is not understood.
func (k *Kernel) Digest() string {
	if k.prog == nil || k.Problem != nil {
		return ""
	}
	asked := k.prog.Opts
	asked.Include, asked.Kernels, asked.Dir, asked.IR = nil, nil, "", ""
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %+v", k.prog.Digest(), asked))
	return hex.EncodeToString(sum[:])
}

// Reader says which reader has read k.
func (k *Kernel) Reader() string {
	if k.module == nil {
		return ""
	}
	return "llvm"
}
