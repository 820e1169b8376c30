package encode

import (
	"strings"

	"github.com/gradine/gradine/gpu/cfg"
	"github.com/gradine/gradine/gpu/host"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/llvm"
	"github.com/gradine/gradine/gpu/lower"
	"github.com/gradine/gradine/gpu/preproc"
)

// Launched is a kernel of a module as a launch of its host uses it.
type Launched struct {
	*Kernel
	Launch  *host.Launch
	Symbol  string // of the kernel in the module, "" if the launch is of none there
	Why     string // why it is not judged, "" if it is
	Assumed []string
}

// ReadLaunched reads the kernels of a module as launches use them, in the order of the launches. Options complete them, but for the
// sizes, which the launches say.
func ReadLaunched(file string, src []byte, opts, inFile launch.Options, launches []host.Launch) ([]Launched, *preproc.Problem) {
	m, problem := llvm.Parse(file, src)
	if problem != nil {
		return nil, problem
	}
	names := map[string]int{}
	for _, f := range m.Functions {
		names[f.SourceName()]++
	}
	var out []Launched
	for n := range launches {
		l := Launched{Launch: &launches[n], Why: launches[n].Why}
		f := kernelOf(m, l.Launch.Symbol)
		if f != nil {
			l.Symbol = f.Name
		}
		switch {
		case l.Why != "":
		case f == nil:
			l.Why = "the device IR has no kernel with this name"
		case f.Problem != nil || len(f.Blocks) == 0:
			l.Why = "the kernel is not supported"
		default:
			l.read(m, f, opts, inFile, names[f.SourceName()] > 1)
		}
		out = append(out, l)
	}
	return out, nil
}

// read reads the kernel f.
func (l *Launched) read(m *llvm.Module, f *llvm.Function, opts, inFile launch.Options, several bool) {
	a := host.Apply(m, f, l.Launch)
	if a.Why != "" {
		l.Why = a.Why
		return
	}
	l.Assumed = a.Assumed
	at := preproc.Place{Line: f.Line, Col: 1}
	if p, ok := f.At(); ok {
		at = p.Place
	}
	k := &Kernel{module: &module{a.Module, a.Kernel}, Name: f.SourceName(), File: m.File, Line: at.Line, Col: at.Col}
	if several {
		k.Name = f.Name
	}
	l.Kernel = k
	template, _, _ := strings.Cut(f.SourceName(), "<")
	own, err := opts.Of(template, inFile, f.GroupSize())
	if err != nil {
		k.Problem = preproc.Refuse(m.File, at, err.Error())
		return
	}
	own.Local, own.Groups, own.Global = a.Local, a.Groups, [3]int64{}
	own.Arguments = map[string][]string{f.SourceName(): a.Arguments, f.Name: a.Arguments}
	k.wraps = map[string]bool{}
	k.prog, k.Problem = lower.Kernel(a.Module, a.Kernel, own)
	if k.Problem == nil {
		cfg.Prepare(k.prog)
		k.Assumed = k.prog.Assumptions()
	}
}

// WaitsAlone reports whether the kernel waits for the whole grid in a launch that is not cooperative: not all groups need to run.
func (l *Launched) WaitsAlone() bool {
	return l.Kernel != nil && l.prog != nil && l.prog.MeetsInGrid() && !l.Launch.Together
}

// Writes reports whether the kernel may write to the array that an argument leads to.
func (l *Launched) Writes(argument int) bool {
	if l.Kernel == nil || l.prog == nil || argument >= len(l.module.f.Params) {
		return true
	}
	return l.prog.Writes(l.module.f.ParamName(argument))
}

// kernelOf is the kernel of a symbol that the host has; that of the device may end in what makes it unique.
func kernelOf(m *llvm.Module, symbol string) *llvm.Function {
	if symbol == "" {
		return nil
	}
	var out *llvm.Function
	for _, f := range m.Functions {
		if !f.Defined || !m.IsKernel(f) {
			continue
		}
		rest, ok := strings.CutPrefix(f.Name, symbol)
		switch {
		case !ok:
		case rest == "":
			return f
		case strings.HasPrefix(rest, "__static__") || strings.HasPrefix(rest, ".static.") || strings.HasPrefix(rest, "__intern__") || strings.HasPrefix(rest, ".intern."):
			out = f
		}
	}
	return out
}
