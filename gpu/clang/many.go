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

// Variant is a source with macros, and with an instance of a template.
type Variant struct {
	Macros   []string // NAME=VALUE
	Instance string   // of a kernel, as k<float, 256>; "": none is asked for
}

// Configured is what clang made of a source for some configurations.
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
	externC       = regexp.MustCompile(`\bextern\s*"C"(?:\s*\{)?`)
)

// Configurations compiles a source once for each configuration, many in one
// run of clang where the language allows it: each in a namespace of its own, with all macros of the
// project undefined before. The same is asked of two configurations by themselves: unless alike says that
// IR for several holds what IR for one holds, all are compiled by themselves. A configuration fails if
// clang refuses the kernel, "" for any one, in it. yield gets the results as they come; it may end the
// work with an error.
func (c Compiler) Configurations(ctx context.Context, src Source, o Options, kernel string, all []Variant, alike func(together, alone Configured) bool, yield func(Configured) error) error {
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
	first, known, err := c.firstOf(ctx, src, o, kernel, all, yield)
	if err != nil || first == nil {
		return err
	}
	defer first.overlay.close()
	m := many{job: first, options: o, kernel: kernel, all: all, yield: yield, refused: map[string]error{}}
	from := known.Of[0]
	// The first configuration shows whether several in one file give the same IR as each alone. If not, all are compiled
	// alone.
	if ok, err := m.together(ctx, known, alike); err != nil {
		return err
	} else if !ok {
		for k := from; k < len(all); k++ {
			one, err := c.alone(ctx, src, o, kernel, all[k], k)
			if err == nil {
				err = yield(one)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	for ; from < len(all); from += perFile {
		var ks []int
		for k := from; k < min(from+perFile, len(all)); k++ {
			ks = append(ks, k)
		}
		if err := m.batch(ctx, ks); err != nil {
			return err
		}
	}
	return nil
}

// many compiles configurations together, as the job of one of them has prepared the source.
type many struct {
	*job
	options Options
	kernel  string
	all     []Variant
	yield   func(Configured) error
	refused map[string]error // by message among others: what clang says of such a configuration by itself
	crashes int              // how often clang failed without saying where
	plain   []string         // macros that are undefined before each configuration
	system  []string         // headers of the system
}

// with are options for a configuration.
func (o Options) with(v Variant) Options {
	o.behind = slices.Concat(o.behind, v.Macros)
	if v.Instance != "" {
		o.Instances = append(slices.Clone(o.Instances), v.Instance)
	}
	return o
}

// firstOf is the job of the first configuration that clang compiles, and what it made of it: it tells which
// files, headers and repairs there are. Without one, all have failed, which has been said.
func (c Compiler) firstOf(ctx context.Context, src Source, o Options, kernel string, all []Variant, yield func(Configured) error) (*job, Configured, error) {
	var failed []Configured
	for k, v := range all {
		if err := o.with(v).Check(); err != nil {
			return nil, Configured{}, err
		}
		j, err := c.begin(src, o.with(v))
		if err != nil {
			return nil, Configured{}, err
		}
		u, err := j.compile(ctx)
		if err == nil {
			err = u.losing(kernel)
		}
		if err == nil || ctx.Err() != nil {
			for _, f := range failed {
				if err == nil {
					err = yield(f)
				}
			}
			if err != nil {
				j.overlay.close()
				return nil, Configured{}, err
			}
			if v.Instance != "" { // what is prepared for all configurations has the instance of none
				j.overlay.close()
				j, err = c.prepared(ctx, src, o.with(Variant{Macros: v.Macros}))
			}
			return j, Configured{IR: u.IR, Of: []int{k}}, err
		}
		j.overlay.close()
		failed = append(failed, Configured{Of: []int{k}, Failed: err})
		if len(failed) == mostTries { // the source does not compile at all, as it seems
			break
		}
	}
	for k := range all {
		if err := yield(Configured{Of: []int{k}, Failed: failed[min(k, len(failed)-1)].Failed}); err != nil {
			return nil, Configured{}, err
		}
	}
	return nil, Configured{}, nil
}

// prepared is a job that has compiled its source.
func (c Compiler) prepared(ctx context.Context, src Source, o Options) (*job, error) {
	j, err := c.begin(src, o)
	if err != nil {
		return nil, err
	}
	if _, err := j.compile(ctx); err != nil {
		j.overlay.close()
		return nil, err
	}
	return j, nil
}

// mostTries is how many configurations must fail before all are taken to.
const mostTries = 8

// alone compiles one configuration by itself. The error ends the work.
func (c Compiler) alone(ctx context.Context, src Source, o Options, kernel string, v Variant, k int) (Configured, error) {
	u, err := c.Compile(ctx, src, o.with(v))
	if err == nil {
		err = u.losing(kernel)
	}
	switch {
	case ctx.Err() != nil:
		return Configured{}, context.Cause(ctx)
	case err != nil:
		return Configured{Of: []int{k}, Failed: err}, nil
	}
	return Configured{IR: u.IR, Of: []int{k}}, nil
}

// losing says why a kernel, "" for any one, has lost its body when its source was repaired.
func (u *Unit) losing(kernel string) error {
	for _, r := range u.Lost {
		if r.Kernel && (kernel == "" || Base(r.Name) == kernel) {
			return fmt.Errorf("clang cannot compile it: %s:%d:%d: %s", r.File, r.Line, r.Col, r.Why)
		}
	}
	return nil
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

// together prepares the source for several configurations, and reports whether they may stand in one file:
// the first and the last of them are compiled both ways.
func (m *many) together(ctx context.Context, known Configured, alike func(together, alone Configured) bool) (bool, error) {
	if m.source.Language == OpenCL || len(m.options.Instances) > 0 || m.prepare() != nil {
		return false, nil
	}
	ks, alone := known.Of, []Configured{known}
	if last := len(m.all) - 1; last != known.Of[0] {
		one, err := m.compiler.alone(ctx, m.source, m.options, m.kernel, m.all[last], last)
		if err != nil {
			return false, err
		}
		if one.Failed == nil {
			ks, alone = append(slices.Clone(ks), last), append(alone, one)
		}
	}
	ir, _, err := m.several(ctx, ks)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	return err == nil && !slices.ContainsFunc(alone, func(one Configured) bool { return !alike(Configured{IR: ir, Of: ks}, one) }), nil
}

// errOnce says that a file is there for the first configuration alone.
var errOnce = errors.New("#pragma once")

// prepare looks for what configurations must not share: macros, and names that C would not tell apart.
func (m *many) prepare() error {
	files := m.textsRead()
	// All words that any configuration defines are undefined again between configurations in one file.
	words := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := files[name]
		if pragmaOnce.Match(text) {
			return errOnce
		}
		for _, w := range definedWord.FindAllSubmatch(text, -1) {
			words[string(w[1])] = true
		}
		for _, h := range systemInclude.FindAllSubmatch(text, -1) {
			if h := string(h[1]); !slices.Contains(m.system, h) {
				m.system = append(m.system, h)
			}
		}
		// Names with C linkage would be the same in all configurations, so they become names of namespaces.
		if plain := externC.ReplaceAllFunc(text, ofNamespace); !bytes.Equal(plain, text) {
			at, err := m.absolute(filepath.FromSlash(name))
			if err == nil {
				err = m.overlay.mount(at, plain)
			}
			if err != nil {
				return err
			}
		}
	}
	for _, v := range m.all {
		for _, macro := range v.Macros {
			name, _, _ := strings.Cut(macro, "=")
			words[name] = true
		}
	}
	m.plain = slices.Sorted(maps.Keys(words))
	return nil
}

// ofNamespace is what stands for extern "C", in as many bytes: names of C are the same in all namespaces.
func ofNamespace(text []byte) []byte {
	out := bytes.Repeat([]byte(" "), len(text))
	if text[len(text)-1] == '{' {
		copy(out, "namespace")
		out[len(out)-1] = '{'
	}
	for k, c := range text {
		if c == '\n' {
			out[k] = c
		}
	}
	return out
}

// batch compiles some configurations in one run. Those that clang refuses are told by where it says so, and
// the others are compiled again without them. What is refused is asked by itself, unless another one was
// refused for the same reason: clang may refuse it only together with the others.
func (m *many) batch(ctx context.Context, ks []int) error {
	for len(ks) > 0 {
		ir, failed, err := m.several(ctx, ks)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err == nil:
			return m.yield(Configured{IR: ir, Of: ks})
		case len(failed) == 0:
			return m.halves(ctx, ks)
		}
		for _, k := range ks {
			why := failed[k]
			if why == "" {
				continue
			}
			one := Configured{Of: []int{k}, Failed: m.refused[why]}
			if one.Failed == nil {
				if one, err = m.compiler.alone(ctx, m.source, m.options, m.kernel, m.all[k], k); err != nil {
					return err
				}
				m.refused[why] = one.Failed
			}
			if err := m.yield(one); err != nil {
				return err
			}
		}
		ks = slices.DeleteFunc(slices.Clone(ks), func(k int) bool { return failed[k] != "" })
	}
	return nil
}

// halves compiles configurations that clang fails for without saying at which: it has crashed, say.
func (m *many) halves(ctx context.Context, ks []int) error {
	if len(ks) == 1 {
		one, err := m.compiler.alone(ctx, m.source, m.options, m.kernel, m.all[ks[0]], ks[0])
		if err != nil {
			return err
		}
		if one.Failed != nil {
			if m.crashes++; m.crashes > mostCrashes {
				return fmt.Errorf("%s keeps failing (%w); choose another one with --clang", m.compiler, one.Failed)
			}
		}
		return m.yield(one)
	}
	half := len(ks) / 2
	if err := m.batch(ctx, ks[:half]); err != nil {
		return err
	}
	return m.batch(ctx, ks[half:])
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

// definitions define macros NAME=VALUE.
func definitions(macros []string) string {
	var b strings.Builder
	for _, macro := range macros {
		name, value, _ := strings.Cut(macro, "=")
		fmt.Fprintf(&b, "#define %s %s\n", name, value)
	}
	return b.String()
}

// several compiles configurations in one file.
func (m *many) several(ctx context.Context, ks []int) (ir []byte, failed map[int]string, err error) {
	var b bytes.Buffer
	at := map[int]int{} // by line
	for _, h := range m.system {
		fmt.Fprintf(&b, "#include <%s>\n", h)
	}
	main, err := m.absolute(m.source.File)
	if err != nil {
		return nil, nil, err
	}
	for _, k := range ks {
		for _, w := range m.plain {
			fmt.Fprintf(&b, "#undef %s\n", w)
		}
		b.WriteString(definitions(m.all[k].Macros))
		fmt.Fprintf(&b, "namespace %s {\n", Prefix(k))
		at[1+bytes.Count(b.Bytes(), []byte("\n"))] = k
		fmt.Fprintf(&b, "#include \"%s\"\n", main)
		if instance := m.all[k].Instance; instance != "" {
			at[1+bytes.Count(b.Bytes(), []byte("\n"))] = k
			b.WriteString(instanceOf(0, instance))
		}
		b.WriteString("}\n")
	}
	// Clang wants the file itself to be there, and no mount.
	one := *m.job
	one.options = m.options
	one.source.File = filepath.Join(m.overlay.dir, "configurations"+filepath.Ext(m.source.File))
	if err := os.WriteFile(one.source.File, b.Bytes(), 0o600); err != nil {
		return nil, nil, err
	}
	out := filepath.Join(m.overlay.dir, "out.ll")
	got, err := one.clang(ctx, "-O1", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", out)
	if err != nil {
		return nil, nil, err
	}
	if got.Failed {
		return nil, refused(got.Stderr, at), errors.New(firstError(got.Stderr))
	}
	ir, err = os.ReadFile(out)
	return ir, nil, err
}
