package clang

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Configured is what clang made of a source for some configurations: macros with values.
type Configured struct {
	IR     []byte // of all of them that clang compiles together; the names of each begin with Prefix
	Of     []int  // which of the configurations asked for
	Failed error  // instead: clang does not compile this one
}

// perFile is how many configurations one file holds: what a file costs by itself is then little.
const perFile = 400

// Prefix begins the names of configuration k in IR for several.
func Prefix(k int) string { return fmt.Sprintf("gradine_%07d", k) }

var prefixed = regexp.MustCompile(`gradine_(\d{7})`)

// OfConfiguration is which configuration a name in such IR belongs to, −1 for none.
func OfConfiguration(name string) (k int) {
	m := prefixed.FindStringSubmatch(name)
	if m == nil {
		return -1
	}
	fmt.Sscanf(m[1], "%d", &k)
	return k
}

var (
	definedWord   = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)`)
	systemInclude = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>`)
	pragmaOnce    = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+once`)
	externC       = regexp.MustCompile(`extern[ \t]+"C"`)
)

// Configurations compiles a source once for each configuration, a list of macros NAME=VALUE, many in one
// run of clang where the language allows it: each in a namespace of its own, with all macros of the
// project undefined before. yield gets the results as they come; it may end the work with an error.
func (c Compiler) Configurations(ctx context.Context, src Source, o Options, kernel string, all [][]string, yield func(Configured) error) error {
	if err := o.Check(); err != nil {
		return err
	}
	dir, err := filepath.Abs(src.Dir)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return err
	}
	src.Dir = dir
	first, err := c.firstOf(ctx, src, o, all, yield)
	if err != nil || first == nil {
		return err
	}
	defer first.overlay.close()
	if !first.together(o) {
		for k, macros := range all {
			if err := yield(c.alone(ctx, src, o, macros, k)); err != nil {
				return err
			}
		}
		return nil
	}
	for from := 0; from < len(all); from += perFile {
		var ks []int
		for k := from; k < min(from+perFile, len(all)); k++ {
			ks = append(ks, k)
		}
		if err := first.batch(ctx, o, kernel, all, ks, yield); err != nil {
			return err
		}
	}
	return nil
}

// with are options with the macros of a configuration.
func (o Options) with(macros []string) Options {
	o.Defines = slices.Clone(o.Defines)
	for _, m := range macros {
		o.Defines = append(o.Defines, "D"+m)
	}
	return o
}

// firstOf is the job of the first configuration that clang compiles: it tells which files, headers and
// repairs there are. Without one, all have failed, which has been said.
func (c Compiler) firstOf(ctx context.Context, src Source, o Options, all [][]string, yield func(Configured) error) (*job, error) {
	var failed []Configured
	for k, macros := range all {
		j, err := c.begin(src, o.with(macros))
		if err != nil {
			return nil, err
		}
		if _, err = j.compile(ctx); err == nil || ctx.Err() != nil {
			return j, ctx.Err()
		}
		j.overlay.close()
		failed = append(failed, Configured{Of: []int{k}, Failed: err})
		if len(failed) == mostTries { // the source does not compile at all, as it seems
			for k := range all {
				if err := yield(Configured{Of: []int{k}, Failed: failed[min(k, mostTries-1)].Failed}); err != nil {
					return nil, err
				}
			}
			return nil, nil
		}
	}
	for _, f := range failed {
		if err := yield(f); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// mostTries is how many configurations must fail before all are taken to.
const mostTries = 8

// alone compiles one configuration by itself.
func (c Compiler) alone(ctx context.Context, src Source, o Options, macros []string, k int) Configured {
	u, err := c.Compile(ctx, src, o.with(macros))
	if err != nil {
		return Configured{Of: []int{k}, Failed: err}
	}
	return Configured{IR: u.IR, Of: []int{k}}
}

// textsRead are the files of the project that clang has read, as repaired.
func (j *job) textsRead() map[string][]byte {
	out := map[string][]byte{}
	var u Unit
	if err := j.record(&u); err != nil {
		return nil
	}
	for name := range u.Files {
		for _, n := range []string{name, "./" + name} {
			if f := j.files[n]; f != nil {
				out[name] = f.src
			}
		}
		if out[name] == nil {
			out[name], _ = j.source.read(filepath.FromSlash(name))
		}
	}
	return out
}

// together reports whether configurations may stand in one file.
func (j *job) together(o Options) bool {
	if j.source.Language == OpenCL || len(o.Instances) > 0 {
		return false
	}
	files := j.textsRead()
	if len(files) == 0 {
		return false
	}
	for _, text := range files {
		if pragmaOnce.Match(text) {
			return false // it would be there for the first one alone
		}
	}
	return true
}

// batch compiles some configurations in one run. Those that clang refuses are told by where it says so, and
// the others are compiled again without them.
func (j *job) batch(ctx context.Context, o Options, kernel string, all [][]string, ks []int, yield func(Configured) error) error {
	for len(ks) > 0 {
		ir, failed, err := j.several(ctx, o, kernel, all, ks)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err == nil:
			return yield(Configured{IR: ir, Of: ks})
		case len(failed) == 0:
			return j.halves(ctx, o, kernel, all, ks, yield)
		}
		for _, k := range ks {
			if why := failed[k]; why != "" {
				if err := yield(Configured{Of: []int{k}, Failed: errors.New("clang does not compile it: " + why)}); err != nil {
					return err
				}
			}
		}
		ks = slices.DeleteFunc(slices.Clone(ks), func(k int) bool { return failed[k] != "" })
	}
	return nil
}

// halves compiles configurations that clang fails for without saying at which: it has crashed, say.
func (j *job) halves(ctx context.Context, o Options, kernel string, all [][]string, ks []int, yield func(Configured) error) error {
	if len(ks) == 1 {
		one := j.compiler.alone(ctx, j.source, o, all[ks[0]], ks[0])
		if one.Failed != nil {
			if j.crashes++; j.crashes > mostCrashes {
				return fmt.Errorf("%s fails again and again (%w); --clang names another one", j.compiler, one.Failed)
			}
		}
		return yield(one)
	}
	half := len(ks) / 2
	if err := j.batch(ctx, o, kernel, all, ks[:half], yield); err != nil {
		return err
	}
	return j.batch(ctx, o, kernel, all, ks[half:], yield)
}

// mostCrashes bounds how often clang may fail without saying where.
const mostCrashes = 8

var (
	includedFrom = regexp.MustCompile(`^In file included from .*configurations\.\w+:(\d+):`)
	saysError    = regexp.MustCompile(`^(.*:\d+:\d+: )?(?:fatal )?error: (.*)`)
)

// refused tells from messages which configurations clang does not compile; at are the lines where they are included.
func refused(messages string, at map[int]int) map[int]string {
	out := map[int]string{}
	k := -1
	for line := range strings.Lines(messages) {
		line = strings.TrimSpace(line)
		if m := includedFrom.FindStringSubmatch(line); m != nil {
			k = -1
			if n, err := strconv.Atoi(m[1]); err == nil {
				if of, ok := at[n]; ok {
					k = of
				}
			}
			continue
		}
		if m := saysError.FindStringSubmatch(line); m != nil {
			if k >= 0 && out[k] == "" {
				out[k] = shortPlace(m[1]) + m[2]
			}
		}
	}
	return out
}

// shortPlace is a place without its folder.
func shortPlace(place string) string { return place[strings.LastIndexByte(place, '/')+1:] }

// several compiles configurations in one file.
func (j *job) several(ctx context.Context, o Options, kernel string, all [][]string, ks []int) (ir []byte, failed map[int]string, err error) {
	files := j.textsRead()
	words, system := map[string]bool{}, []string{}
	renames := false
	for _, name := range slices.Sorted(maps.Keys(files)) {
		for _, m := range definedWord.FindAllSubmatch(files[name], -1) {
			words[string(m[1])] = true
		}
		for _, m := range systemInclude.FindAllSubmatch(files[name], -1) {
			if h := string(m[1]); !slices.Contains(system, h) {
				system = append(system, h)
			}
		}
		renames = renames || externC.Match(files[name])
	}
	for _, macros := range all {
		for _, m := range macros {
			name, _, _ := strings.Cut(m, "=")
			words[name] = true
		}
	}
	var b bytes.Buffer
	at := map[int]int{} // by line
	for _, h := range system {
		fmt.Fprintf(&b, "#include <%s>\n", h)
	}
	undefine := slices.Sorted(maps.Keys(words))
	main, err := j.absolute(j.source.File)
	if err != nil {
		return nil, nil, err
	}
	for _, k := range ks {
		for _, w := range undefine {
			fmt.Fprintf(&b, "#undef %s\n", w)
		}
		for _, m := range all[k] {
			name, value, _ := strings.Cut(m, "=")
			fmt.Fprintf(&b, "#define %s %s\n", name, value)
		}
		if renames && kernel != "" {
			fmt.Fprintf(&b, "#define %s %s_%s\n", kernel, kernel, Prefix(k))
		}
		fmt.Fprintf(&b, "namespace %s {\n", Prefix(k))
		at[1+bytes.Count(b.Bytes(), []byte("\n"))] = k
		fmt.Fprintf(&b, "#include \"%s\"\n}\n", main)
		if renames && kernel != "" {
			fmt.Fprintf(&b, "#undef %s\n", kernel)
		}
	}
	// Clang wants the file itself to be there, and no mount.
	one := *j
	one.options = o
	one.source.File = filepath.Join(j.overlay.dir, "configurations"+filepath.Ext(j.source.File))
	if err := os.WriteFile(one.source.File, b.Bytes(), 0o600); err != nil {
		return nil, nil, err
	}
	out := filepath.Join(j.overlay.dir, "out.ll")
	got, err := one.clang(ctx, "-O1", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", out)
	if err != nil {
		return nil, nil, err
	}
	if got.failed {
		return nil, refused(got.stderr, at), errors.New(firstError(got.stderr))
	}
	ir, err = os.ReadFile(out)
	return ir, nil, err
}
