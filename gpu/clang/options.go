package clang

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Options are what passes through to clang, and nothing else does.
type Options struct {
	Defines   []string // -D and -U, in order, as in "DN=4" and "UN"
	Include   []string // -I
	System    []string // -isystem
	Forced    []string // -include
	Std       string
	Arch      string   // --cuda-gpu-arch
	CUDAPath  string   // a toolkit; without one the headers of this package are used
	Instances []string // explicit instantiations of templates, as in k<float, 256>

	behind []string // macros NAME=VALUE that are defined behind the headers of the language: these may use the names
}

var (
	standardWord = regexp.MustCompile(`^[A-Za-z0-9+.]+$`)
	archWord     = regexp.MustCompile(`^(sm_|gfx)[0-9a-z:+-]+$`)
	instanceText = regexp.MustCompile(`^[A-Za-z_][\w:]*<[\w\s:,<>*&+().'-]*>$`)
)

// Check says what is wrong with options. What passes the check cannot become another flag,
// a file of flags, or the end of a declaration.
func (o Options) Check() error {
	for _, d := range o.Defines {
		if len(d) < 2 || !strings.Contains("DU", d[:1]) || strings.ContainsAny(d, "\n\r\x00") {
			return fmt.Errorf("macro %q: write NAME or NAME=VALUE", d)
		}
	}
	for _, p := range slices.Concat(o.Include, o.System, o.Forced) {
		if p == "" || p[0] == '-' || strings.ContainsAny(p, "\n\r\x00") {
			return fmt.Errorf("path %q: start it with a letter, . or /, as in ./%[1]s", p)
		}
	}
	if o.Std != "" && !standardWord.MatchString(o.Std) {
		return fmt.Errorf("--std %q: name a version of the language, such as c++17 or CL2.0", o.Std)
	}
	if o.Arch != "" && !archWord.MatchString(o.Arch) {
		return fmt.Errorf("--cuda-gpu-arch %q: name a GPU, such as sm_80 or gfx906", o.Arch)
	}
	for _, i := range o.Instances {
		if !instanceText.MatchString(i) {
			return fmt.Errorf("--instance %q: write a template with its arguments, such as k<float, 256>", i)
		}
	}
	return nil
}

// passed are the flags of options, joined to their values so that none of them is taken for
// a flag or a file of flags.
func (o Options) passed() (out []string) {
	for _, d := range o.Defines {
		out = append(out, "-"+d)
	}
	for _, p := range o.Include {
		out = append(out, "-I"+p)
	}
	for _, p := range o.System {
		out = append(out, "-isystem"+p)
	}
	for _, p := range o.Forced {
		out = append(out, "-include"+p)
	}
	return out
}

// With are options completed by others, which count less.
func (o Options) With(other Options) Options {
	o.Defines = slices.Concat(other.Defines, o.Defines)
	o.Include = slices.Concat(o.Include, other.Include)
	o.System = slices.Concat(o.System, other.System)
	o.Forced = slices.Concat(other.Forced, o.Forced)
	o.Instances = slices.Concat(o.Instances, other.Instances)
	if o.Std == "" {
		o.Std = other.Std
	}
	if o.Arch == "" {
		o.Arch = other.Arch
	}
	if o.CUDAPath == "" {
		o.CUDAPath = other.CUDAPath
	}
	return o
}

// Arguments reads options from the arguments of a compiler, as a compilation database has
// them, for paths relative to dir. All other arguments are left out.
func Arguments(args []string, dir string) (o Options) {
	at := func(p string) string {
		if path.IsAbs(p) || p == "" {
			return p
		}
		return path.Join(dir, p)
	}
	for i := 0; i < len(args); i++ {
		value := func(flag string) (string, bool) { // joined to the flag, or the next argument
			v, ok := strings.CutPrefix(args[i], flag)
			if ok && v == "" && i+1 < len(args) {
				i++
				v = args[i]
			}
			return strings.TrimPrefix(v, "="), ok && v != ""
		}
		var v string
		var ok bool
		if v, ok = value("-isystem"); ok {
			o.System = append(o.System, at(v))
		} else if v, ok = value("-include"); ok {
			o.Forced = append(o.Forced, at(v))
		} else if v, ok = value("-I"); ok {
			o.Include = append(o.Include, at(v))
		} else if v, ok = value("-D"); ok {
			o.Defines = append(o.Defines, "D"+v)
		} else if v, ok = value("-U"); ok {
			o.Defines = append(o.Defines, "U"+v)
		} else if v, ok = strings.CutPrefix(args[i], "-std="); ok {
			o.Std = v
		} else if v, ok = strings.CutPrefix(args[i], "-cl-std="); ok {
			o.Std = v
		} else if v, ok = strings.CutPrefix(args[i], "--cuda-gpu-arch="); ok {
			o.Arch = v
		} else if v, ok = strings.CutPrefix(args[i], "--offload-arch="); ok {
			o.Arch = v
		}
	}
	return o
}
