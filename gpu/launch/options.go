// Package launch reads launch sizes and the selected checks from flags, files and gradine.toml.
package launch

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Options say how a kernel is launched and what is checked. The zero value means
// any launch, and the default checks.
type Options struct {
	Local  [3]int64 // threads of a group by dimension; 0: any number
	Groups [3]int64 // groups of the grid
	Global [3]int64 // threads of the grid, where groups are not given
	Given  bool     // that any number is allowed was said
	Dims   int64    // as many as sizes of groups or of the grid were given for; 0: any

	Defines  []string
	Include  func(path string) []byte // the text of a file of the project that a file includes, nil if there is none
	Bounds   bool                     // check bounds of arrays of known size
	Overflow bool                     // check signed overflow
	// NoOverflow takes for granted that signed numbers do not overflow, which C leaves undefined.
	NoOverflow bool
	// NoWrap also takes for granted that no number wraps, signed or not, nor changes its value when it is converted.
	NoWrap bool
	// Unroll copies loops for all values of variables that take few, where otherwise a handful is the most.
	Unroll bool
	// NoBounds takes back what a host program switches on.
	NoBounds bool

	IntraGroup     bool // no races between groups
	OnlyDivergence bool
	OnlyRequires   bool                // asserts and invariants of the author are not looked at
	NoAssumptions  bool                // nor is what the author assumes beyond what launches owe: __assume, __axiom
	NoBenign       bool                // writes of one value race, too
	WarpSync       bool                // threads of a warp run in step: this is not made use of
	Arguments      map[string][]string // of kernels: value of each scalar parameter, "*" or "" for any

	// Of a kernel, how it is compiled: its reader, c or llvm, "" for either; the file of its IR; instances of a
	// template; and flags for clang, with the folder that paths in them are relative to.
	Reader, IR, Dir  string
	Instances, Flags []string

	Kernels map[string]Options // what is said of single kernels, where Options themselves do not
}

// flag is an option of the original tools; those that change what is inferred or how
// it is shown, but not what is checked, are read over.
var readOver = map[string]bool{
	"--no-inline": true, "--no-infer": true, "--equality-abstraction": true, "--loop-unwind": true,
	"--k-induction-depth": true, "--cruncher-opt": true, "--no-barrier-access-checks": true, "--verbose": true,
	"--adversarial-abstraction": true, "--staged-inference": true, "--math-int": true,
}

var optionLine = regexp.MustCompile(`^//\s*(--[a-zA-Z].*)$`)

// HeaderOptions reads the options that a file begins with: comment lines of flags
// among its first lines. A flag that is unknown and may change what is checked is returned.
func HeaderOptions(src []byte) (o Options, unknown string) {
	for i, line := range strings.SplitN(string(src), "\n", 9) {
		if i == 8 || !strings.HasPrefix(strings.TrimSpace(line), "//") {
			break
		}
		m := optionLine.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		for _, f := range strings.Fields(m[1]) {
			if err := o.Set(f); err != nil && unknown == "" {
				unknown = err.Error()
			}
		}
	}
	return o, unknown
}

// Set reads one flag.
func (o *Options) Set(flag string) error {
	key, value, _ := strings.Cut(flag, "=")
	sizes := func(to *[3]int64) error {
		got, err := triple(value)
		if err == nil {
			*to, o.Given, o.Dims = got, true, max(o.Dims, int64(1+strings.Count(value, ",")))
		}
		return err
	}
	switch key {
	case "--local_size", "--blockDim":
		return sizes(&o.Local)
	case "--num_groups", "--gridDim":
		return sizes(&o.Groups)
	case "--global_size":
		return sizes(&o.Global)
	case "--check-array-bounds":
		o.Bounds = true
	case "--only-intra-group":
		o.IntraGroup = true
	case "--only-divergence", "--only-log": // accesses are logged, for annotations, and not compared
		o.OnlyDivergence = true
	case "--only-requires":
		o.OnlyRequires = true
	case "--warp-sync":
		o.WarpSync = true
	case "--no-benign-tolerance":
		o.NoBenign = true
	case "--kernel-args":
		parts := strings.Split(strings.Trim(value, "[]"), ",") // with brackets or without, as sizes
		if o.Arguments == nil {
			o.Arguments = map[string][]string{}
		}
		o.Arguments[parts[0]] = parts[1:]
	default:
		switch {
		case strings.HasPrefix(flag, "-D"):
			o.Defines = append(o.Defines, flag[2:])
		case readOver[key] || strings.HasPrefix(flag, "-I"):
		default:
			return fmt.Errorf("option %s", key)
		}
	}
	return nil
}

// Check asks for checks that are not made without being asked for.
func (o *Options) Check(names ...string) error {
	for _, name := range names {
		switch name {
		case "bounds":
			o.Bounds = true
		case "overflow":
			o.Overflow = true
		default:
			return fmt.Errorf("check %q; use bounds or overflow", name)
		}
	}
	return nil
}

// triple reads 64, 64,2 or [64,2]; a star is any number, what is left out is 1.
func triple(s string) (out [3]int64, err error) {
	out = [3]int64{1, 1, 1}
	parts := strings.Split(strings.Trim(s, "[]"), ",")
	if len(parts) > 3 {
		return out, fmt.Errorf("a launch of %d dimensions", len(parts))
	}
	for i, p := range parts {
		if p == "*" {
			out[i] = 0
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(p), 0, 64)
		if err != nil || n <= 0 {
			return out, fmt.Errorf("launch size %q", s)
		}
		out[i] = n
	}
	return out, nil
}

// Settle completes the sizes: a grid given in threads is one given in groups where it can be.
func (o *Options) Settle() error {
	if o.Local == ([3]int64{}) && o.Groups == ([3]int64{}) && o.Global == ([3]int64{}) {
		return nil
	}
	for d := range 3 {
		if o.Global[d] == 0 || o.Local[d] == 0 {
			continue
		}
		if o.Groups[d] != 0 && o.Groups[d]*o.Local[d] != o.Global[d] {
			return fmt.Errorf("a global size of %d in %d groups of %d", o.Global[d], o.Groups[d], o.Local[d])
		}
		if o.Global[d]%o.Local[d] != 0 {
			return fmt.Errorf("a global size of %d in groups of %d", o.Global[d], o.Local[d])
		}
		o.Groups[d] = o.Global[d] / o.Local[d]
	}
	return nil
}

// Of are the options of one kernel, completed by those of its file and by the size of
// groups that it is compiled for: no launch with another one succeeds.
func (o Options) Of(kernel string, file Options, group [3]int64) (Options, error) {
	if own, ok := o.Kernels[kernel]; ok {
		o = o.With(own)
	}
	o = o.With(file)
	for d, n := range group {
		if n > 0 && o.Local[d] > 0 && o.Local[d] != n {
			return o, fmt.Errorf("groups of %d, which the kernel does not allow: its reqd_work_group_size is %d", o.Local[d], n)
		}
		o.Local[d] = max(o.Local[d], n)
	}
	return o, o.Settle()
}

// With completes options by those that a file gives.
func (o Options) With(f Options) Options {
	if !o.Given && o.Local == ([3]int64{}) && o.Groups == ([3]int64{}) && o.Global == ([3]int64{}) {
		o.Local, o.Groups, o.Global, o.Given, o.Dims = f.Local, f.Groups, f.Global, f.Given, f.Dims
	}
	o.Defines = append(append([]string{}, f.Defines...), o.Defines...)
	o.Bounds = o.Bounds || f.Bounds
	o.Overflow = o.Overflow || f.Overflow
	o.IntraGroup = o.IntraGroup || f.IntraGroup
	o.OnlyDivergence = o.OnlyDivergence || f.OnlyDivergence
	o.OnlyRequires = o.OnlyRequires || f.OnlyRequires
	o.NoBenign = o.NoBenign || f.NoBenign
	o.WarpSync = o.WarpSync || f.WarpSync
	if o.Arguments == nil {
		o.Arguments = f.Arguments
	}
	return o
}

// Skipped are the checks that options switch off.
func (o *Options) Skipped() (out []string) {
	if o.IntraGroup {
		out = append(out, "races between groups are not checked")
	}
	if o.OnlyDivergence {
		out = append(out, "races are not checked")
	}
	if o.OnlyRequires {
		out = append(out, "assertions and invariants of the author are not checked")
	}
	return out
}
