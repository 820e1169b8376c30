package gpu

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/gpu/host"
	"github.com/gradine/gradine/gpu/launch"
)

// Scope says of which launches a verdict speaks.
type Scope string

// The scopes.
const (
	OfFile Scope = "file" // those in the file, all of which are understood
	OfAll  Scope = "all"  // whatever flags, configuration and file allow
)

// LaunchReport is what is known of a kernel as one launch in its file uses it.
type LaunchReport struct {
	File    string    `json:"file"`
	Line    int       `json:"line"`
	Text    string    `json:"launch,omitempty"` // sizes, as expressions over values of the host
	Verdict Verdict   `json:"verdict"`
	Checks  []Finding `json:"checks"`
	Assumed []string  `json:"assumed"`
	Why     string    `json:"why,omitempty"`

	fault string
}

// Hosts is what is known of the host part of a file.
type Hosts struct {
	Host *clang.Host
	Why  string // why nothing is known
}

// Bounds of what is judged.
const (
	maxLaunches  = 12         // of one kernel
	launchesPot  = 40_000_000 // steps of all launches of one kernel
	notSupported = "not understood"
)

// rankOf orders verdicts, worst last.
var rankOf = map[Verdict]int{Safe: 0, Open: 1, Unsupported: 2, Possible: 3, Unsafe: 4}

// launched judges kernels as the launches in their file use them. Kernels whose sizes are given otherwise, and
// those that are not understood, stay as they are.
func launched(ctx context.Context, name string, u *clang.Unit, hosts *Hosts, opts Options, inFile launch.Options, reports []Report) {
	if hosts == nil || u == nil {
		return
	}
	var ls []encode.Launched
	why := hosts.Why
	// Faults in reading the host cost the launches, and not what is known of the kernels for all launches.
	if hosts.Host != nil {
		var launches []host.Launch
		fault := contained(func() {
			found, problem := host.Launches(name, hosts.Host.IR)
			if problem != nil {
				why = problem.Construct
				return
			}
			launches = append(found, unseen(u, hosts.Host, found)...)
			for i := range launches {
				if hosts.Host.Catches && launches[i].Why == "" {
					launches[i].Why = "the host catches exceptions, and its handlers are not analysed"
				}
			}
			read, problem := encode.ReadLaunched(name, u.IR, opts.Launch, inFile, launches)
			if problem != nil {
				why = problem.Construct
			}
			ls = read
		})
		if fault != "" {
			why = fault
		}
	}
	for i := range reports {
		r := &reports[i]
		if r.Verdict == Unsupported || r.beside || r.Fault != "" {
			continue
		}
		symbols := symbolsOf(u, r.Kernel)
		// Sizes from flags or the configuration come before those of launches.
		if len(symbols) == 0 || sized(opts.Launch, inFile, u.Base(r.Kernel)) {
			continue
		}
		if why != "" {
			r.Assumed = append(r.Assumed, "launches in this file are not read: "+why)
			continue
		}
		r.asLaunched(ctx, u, ls, symbols, opts)
	}
}

// sized reports whether flags, configuration or the file say with which sizes a kernel is launched.
func sized(opts, inFile launch.Options, kernel string) bool {
	own, err := opts.Of(kernel, inFile, [3]int64{})
	return err != nil || own.Given || own.Local != [3]int64{} || own.Groups != [3]int64{} || own.Global != [3]int64{}
}

// symbolsOf are the symbols in the IR of a kernel, which is named as in the IR or in the source.
func symbolsOf(u *clang.Unit, kernel string) (out []string) {
	for _, exact := range []bool{true, false} {
		for _, e := range u.Kernels {
			if e.Symbol == kernel || e.Name == kernel || !exact && clang.Base(e.Name) == kernel {
				out = append(out, e.Symbol)
			}
		}
		if out != nil {
			break
		}
	}
	return out
}

// unseen are launches that the text has and the IR of the host has not: in functions that clang does not compile, in
// templates without instances, in code that is never reached, or of the device.
func unseen(u *clang.Unit, h *clang.Host, seen []host.Launch) (out []host.Launch) {
	kernels := map[string]bool{}
	for _, e := range u.Kernels {
		kernels[clang.Base(e.Name)] = true
	}
	for _, s := range h.Sites {
		if slices.ContainsFunc(seen, func(l host.Launch) bool { return l.File == s.File && l.Line == s.Line }) {
			continue
		}
		l := host.Launch{File: s.File, Line: s.Line, Why: "it is not in what clang compiles of the host"}
		if kernels[s.Kernel] {
			l.Name = s.Kernel
		}
		out = append(out, l)
	}
	for k := range kernels {
		if h.Mentioned[k] && !slices.ContainsFunc(out, func(l host.Launch) bool { return l.Name == k }) {
			out = append(out, host.Launch{Name: k, Why: "code of the host that clang does not compile mentions the kernel"})
		}
	}
	slices.SortFunc(out, func(a, b host.Launch) int {
		if a.File != b.File {
			return strings.Compare(a.File, b.File)
		}
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return strings.Compare(a.Name, b.Name)
	})
	return out
}

// concerns reports whether a launch is, or may be, of a kernel.
func concerns(u *clang.Unit, l encode.Launched, symbols []string) bool {
	switch {
	case l.Symbol != "":
		return slices.Contains(symbols, l.Symbol)
	case l.Launch.Symbol != "":
		return false // of a kernel that is not in the IR
	case l.Launch.Name != "":
		return slices.ContainsFunc(symbols, func(s string) bool { return u.Base(s) == l.Launch.Name })
	}
	return true
}

// asLaunched judges the launches of a kernel, and makes one verdict of them and of what is known of all launches.
func (r *Report) asLaunched(ctx context.Context, u *clang.Unit, ls []encode.Launched, symbols []string, opts Options) {
	pot := int64(launchesPot)
	opts.pot = &pot
	understood := true
	for _, l := range ls {
		if !concerns(u, l, symbols) {
			continue
		}
		one := LaunchReport{File: l.Launch.File, Line: l.Launch.Line, Verdict: Unsupported, Checks: []Finding{}, Assumed: []string{}, Why: l.Why}
		switch {
		case l.Why != "":
		case len(r.Launches) >= maxLaunches:
			one.Why = fmt.Sprintf("more than %d launches", maxLaunches)
		default:
			one.Text = l.Launch.Text()
			one.judge(ctx, l, opts)
			if one.Verdict == Safe && l.Launch.Overlap != "" { // the proof has taken the arrays to differ
				one.Verdict, one.Why = Open, "which array "+l.Launch.Overlap+" points to is unknown: it may be that of another argument"
			}
			if one.Verdict == Safe && l.Launch.Released != "" {
				one.Verdict, one.Why = Open, "the host may release "+l.Launch.Released+" before the launch"
			}
			if one.Verdict == Safe && l.WaitsAlone() {
				one.Verdict, one.Why = Open, "the kernel waits for the whole grid, which needs a cooperative launch (cudaLaunchCooperativeKernel)"
			}
			if why := beside(l, ls); one.Verdict == Safe && why != "" {
				one.Verdict, one.Why = Open, why
			}
			one.Assumed = append(one.Assumed, l.Launch.Assumed...)
			if l.Launch.InStream() {
				one.Assumed = append(one.Assumed, streamsApart)
			}
		}
		understood = understood && one.Verdict != Unsupported
		r.Launches = append(r.Launches, one)
	}
	if len(r.Launches) == 0 {
		return // what other files do is not known
	}
	r.All = r.Verdict
	// One that is not understood must not hide what is known of another.
	worst := LaunchReport{Verdict: Safe}
	for k, l := range r.Launches {
		if l.Verdict != Unsupported && (k == 0 || rankOf[l.Verdict] >= rankOf[worst.Verdict]) {
			worst = l
		}
		if l.fault != "" && r.Fault == "" {
			r.Fault = l.fault
		}
	}
	r.Scope = OfAll
	if understood {
		r.Scope = OfFile
	}
	all := r.summary()
	switch {
	case understood && opts.AllLaunches && rankOf[r.Verdict] >= rankOf[worst.Verdict]:
		r.Why = joined(all, "in this file: "+r.launchesText())
	case understood:
		note := "for all launches it is " + string(r.Verdict)
		if r.Verdict != Safe && all != "" {
			note += ": " + all
		}
		if worst.Verdict == Safe && r.Verdict == Safe {
			note = "and for all others"
		}
		r.adopt(worst)
		r.Why = r.launchesText() + "; " + note
	case rankOf[worst.Verdict] > rankOf[r.Verdict]: // a launch that is there fails
		r.adopt(worst)
		r.Why = r.launchesText()
	default:
		r.Why = joined(all, r.launchesText())
	}
}

// streamsApart is assumed of a launch in a stream.
const streamsApart = "nothing else that runs at the same time uses its arrays; launches of one function of the host in different streams are compared"

// beside says which launch may run at the same time as another one, and use an array that one of both writes; "" if none does.
func beside(l encode.Launched, ls []encode.Launched) string {
	for _, b := range l.Launch.Beside {
		if other := ls[b.Other]; l.Writes(b.Mine) || other.Writes(b.Theirs) {
			return fmt.Sprintf("it may run at the same time as the launch in line %d, in another stream, and both use one array", other.Launch.Line)
		}
	}
	return ""
}

// adopt makes the answer about a launch that of the kernel.
func (r *Report) adopt(l LaunchReport) {
	r.Verdict, r.Checks, r.Assumed = l.Verdict, l.Checks, l.Assumed
}

func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "; ")
}

// summary is why a kernel has its verdict for all launches, in short.
func (r *Report) summary() string {
	for _, f := range r.Checks {
		if !f.Verdict.Holds() {
			return fmt.Sprintf("%s in line %d: %s", f.Kind, f.Line, f.Why)
		}
	}
	return r.Why
}

// launchesText says which launches a verdict is about, the worst ones first and in detail.
func (r *Report) launchesText() string {
	var parts []string
	// The same reason at several launches is told once.
	for _, v := range []Verdict{Unsafe, Possible, Open, Unsupported, Safe} {
		var of []string
		for _, l := range r.Launches {
			if l.Verdict != v {
				continue
			}
			text := fmt.Sprintf("line %d", l.Line)
			if l.File != "" && path.Base(l.File) != path.Base(filepath.ToSlash(r.File)) {
				text += " of " + l.File
			}
			switch {
			case l.Line == 0:
				text = l.Why
			case v == Unsupported:
				text += " (" + l.Why + ")"
			case l.Text != "":
				text += " (" + l.Text + ")"
			}
			if v != Unsupported && l.Why != "" {
				text += ", " + l.Why
			}
			if !slices.Contains(of, text) {
				of = append(of, text)
			}
		}
		if len(of) == 0 {
			continue
		}
		said := string(v)
		if v == Unsupported {
			said = notSupported
		}
		word := "the launch in "
		if len(of) > 1 {
			word = "the launches in "
		}
		parts = append(parts, said+" for "+word+strings.Join(of, " and in "))
	}
	return strings.Join(parts, "; ")
}

// judge judges a kernel as a launch uses it.
func (l *LaunchReport) judge(ctx context.Context, k encode.Launched, opts Options) {
	if k.Problem != nil {
		l.Why = k.Shown(k.Problem).Construct
		return
	}
	var r Report
	if why := contained(func() { r = judge(ctx, k.Kernel, opts) }); why != "" {
		l.Verdict, l.Why, l.fault = Open, why, why
		return
	}
	r.locate(k.Kernel)
	l.Verdict, l.Checks, l.Why = r.Verdict, r.Checks, r.Why
	if l.Verdict == Unsafe && !k.Launch.Certain {
		l.Verdict, l.Why = Possible, "the host may not come to the values of the run: it works them out in a way that is not followed"
	}
	l.Assumed = append(append([]string{}, k.Assumed...), slices.DeleteFunc(r.Assumed, func(s string) bool { return slices.Contains(k.Assumed, s) })...)
}
