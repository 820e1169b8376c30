package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/devices"
	"github.com/gradine/gradine/gpu/clang"
	"github.com/gradine/gradine/gpu/count"
	"github.com/gradine/gradine/gpu/llvm"
	"github.com/gradine/gradine/gpu/space"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/tune"
)

// KernelSource is a kernel to tune, as its source and the table next to it say.
type KernelSource struct {
	File, Table string // paths
	Device      string // name, or file of figures; "": what the table says
	Clang       string // path of the compiler, "" for the one that is installed
	Counts      CountStore
}

// Counts are a source and its configurations as they were read, for each size of the problem; there is at least one.
type Counts []*Counted

// Counted is what a source and its configurations were read as, for one size of the problem.
type Counted struct {
	Size     []config.NamedSize // what differs from other sizes; nil if there is one size
	Name     string             // of the entry
	Kernel   string
	File     string            // base name of the source
	At       map[string]string // place of each parameter in the table
	Compiler string
	Space    *space.Space
	Sampled  bool
	Rows     []Row
	Failed   []FailedRow
	Classes  int      // configurations that differ in their instructions or launches
	Idle     []string // parameters that never change the instructions
	Device   *config.Device
	Figures  map[string]int64
	Compiled int // configurations that clang has compiled: others were remembered

	Parameters []llvm.Param // of the kernel, with their names in the source

	asked func(string) // is told of the figures that are used; may be nil
}

// Row is a configuration and what a block of it does.
type Row struct {
	space.Configuration
	Class    int
	Counts   *count.Block
	Promised int64 // threads of a block for which the compiler leaves registers; 0: it need not
}

// Registers is what is estimated of the registers of a thread: the space that a block takes in the registers of a
// multiprocessor, in 32-bit registers.
type Registers struct {
	Thread count.Range // of a thread, as it is given them
	Block  count.Range // of a block
	Device int64       // of a multiprocessor
}

// MayFail reports that a launch fails if the compiler keeps all values that it reads until they are used last.
func (r Registers) MayFail() bool { return r.Block.High > r.Device }

// Registers estimates the registers of a configuration. The lower end is that of the axioms of Counts.
func (c *Counted) Registers(r Row) Registers {
	f := c.Figures
	unit, warp := max(1, f["register_unit"]), max(1, f["warp"])
	limit := min((f["register_limit"]+unit-1)/unit, f["sm_registers"]/max(1, r.Promised)/unit) * unit
	out := Registers{Device: f["sm_registers"]}
	thread := func(live int64) int64 {
		wanted := f["thread_registers"] + max(f["output_registers"]*r.Counts.RegisterWords, live)
		return min(limit, (wanted+unit-1)/unit*unit)
	}
	out.Thread = count.Range{Low: thread(r.Counts.Live.Low), High: thread(r.Counts.Live.High)}
	threads := (r.Counts.Threads + warp - 1) / warp * warp
	out.Block = count.Range{Low: threads * out.Thread.Low, High: threads * out.Thread.High}
	return out
}

// FailedRow is a configuration that is not compiled, or not counted.
type FailedRow struct {
	space.Configuration
	Why string
}

// Certainty is that of the weakest count of all configurations.
func (c *Counted) Certainty() tune.Counts {
	weakest := count.Exact
	for _, r := range c.Rows {
		weakest = max(weakest, r.Counts.Certainty())
	}
	return map[count.Certainty]tune.Counts{count.Exact: tune.ExactCounts, count.Most: tune.BoundCounts, count.Partial: tune.PartialCounts}[weakest]
}

// moreIsFaster are the figures of which more makes a kernel faster; of all others less does.
func moreIsFaster(figure string) bool {
	return strings.HasSuffix(figure, "_lanes") || slices.Contains([]string{"sms", "mhz", "bandwidth", "kept_limit", "register_limit", "sm_memory", "sm_threads", "sm_registers", "sm_blocks", "block_threads", "block_shared"}, figure)
}

// Ends are instances with all assumed figures of the device as good, and as bad, as their bounds allow; nil without such figures.
func (c *Counted) Ends() (ends [][]Assignment) {
	good, bad := *c, *c
	good.Figures, bad.Figures = maps.Clone(c.Figures), maps.Clone(c.Figures)
	some := false
	for name, f := range c.Device.Figures {
		if f.Assumed == "" || c.Figures[name] != f.Value { // one that the table states is not assumed
			continue
		}
		some = true
		good.Figures[name], bad.Figures[name] = f.Low, f.High
		if moreIsFaster(name) {
			good.Figures[name], bad.Figures[name] = f.High, f.Low
		}
	}
	if !some {
		return nil
	}
	for _, end := range []*Counted{&good, &bad} {
		var given []Assignment
		for _, x := range end.instance() {
			given = append(given, Assignment{Name: x[0].(string), Value: fmt.Sprint(x[1])})
		}
		ends = append(ends, given)
	}
	return ends
}

// Devices lists the devices that gradine brings, by name.
func Devices() (out []string) {
	files, _ := devices.FS.ReadDir(".")
	for _, f := range files {
		out = append(out, strings.TrimSuffix(f.Name(), ".toml"))
	}
	return out
}

// Device finds the figures of a device: of a file, or by the name of one that gradine brings. A file is relative to dir.
func Device(dir, name string) (*config.Device, error) {
	if strings.HasSuffix(name, ".toml") {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		return seam.Read(name, func() (*config.Device, error) { return config.ReadDevice(name) })
	}
	if data, err := devices.FS.ReadFile(name + ".toml"); err == nil {
		return config.ParseDevice(name+".toml", data)
	}
	for _, known := range Devices() {
		data, _ := devices.FS.ReadFile(known + ".toml")
		if d, err := config.ParseDevice(known+".toml", data); err == nil && strings.EqualFold(d.Name, name) {
			return d, nil
		}
	}
	return nil, fmt.Errorf("there are no figures of a device %q; name a file of them, or one of %s", name, strings.Join(Devices(), ", "))
}

// spaceOf are the configurations that a table describes.
func spaceOf(t *config.SizedTable) (*space.Space, error) {
	s := &space.Space{Fixed: map[string]int64{}, Arguments: t.Arguments}
	maps.Copy(s.Fixed, t.Defines)
	// Expressions are parsed before the space is checked as a whole: an error then names the key that it stands under.
	if strings.Contains(t.Kernel, "<") {
		s.Template = t.Kernel
	}
	if len(t.Order) == 0 {
		return nil, fmt.Errorf("%s: [tune_params] has no parameter: write for example block_size_x = [32, 64, 128]", t.At("tune_params"))
	}
	for _, name := range t.Order {
		s.Parameters = append(s.Parameters, space.Parameter{Name: name, Values: t.Parameters[name]})
	}
	parse := func(key, text string) (*space.Expression, error) {
		e, err := space.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.At(key), err)
		}
		return e, nil
	}
	for _, r := range t.Restrictions {
		e, err := parse("restrictions", r)
		if err != nil {
			return nil, err
		}
		s.Restrictions = append(s.Restrictions, e)
	}
	known := func(name string) bool {
		_, fixed := s.Fixed[name]
		return fixed || slices.Contains(t.Order, name)
	}
	names := t.Blocks
	if names == nil {
		for _, n := range []string{"block_size_x", "block_size_y", "block_size_z"} {
			if known(n) {
				names = append(names, n)
			}
		}
	}
	if len(names) == 0 || len(names) > 3 {
		return nil, fmt.Errorf("%s: say what the threads of a block are: block_size_names = [\"block_size_x\"], with one to three parameters, numbers or expressions", t.At("block_size_names"))
	}
	var sizes []string
	switch v := t.ProblemSize.(type) {
	case []any:
		for _, x := range v {
			sizes = append(sizes, fmt.Sprint(x))
		}
	case nil:
	default:
		sizes = []string{fmt.Sprint(v)}
	}
	if len(sizes) == 0 || len(sizes) > 3 {
		return nil, fmt.Errorf("%s: state the size of the problem: problem_size = 1048576, or [4096, 4096]", t.At("problem_size"))
	}
	var err error
	for d, name := range names {
		if s.Block[d], err = parse("block_size_names", name); err != nil {
			return nil, err
		}
	}
	// As in Kernel Tuner, the grid in a dimension is the problem divided by the block there, rounded up, unless grid_div says
	// by what else; an empty list divides by nothing.
	for d, size := range sizes {
		by := [3][]string{t.GridDivX, t.GridDivY, t.GridDivZ}[d]
		if by == nil && d < len(names) {
			by = []string{names[d]}
		}
		if _, err = parse("problem_size", size); err != nil { // by itself, so that messages have the text of the table
			return nil, err
		}
		if len(by) == 0 {
			s.Grid[d], _ = space.Parse(size)
			continue
		}
		for _, divisor := range by {
			if _, err = parse([]string{"grid_div_x", "grid_div_y", "grid_div_z"}[d], divisor); err != nil {
				return nil, err
			}
		}
		product := "(" + strings.Join(by, ") * (") + ")"
		if s.Grid[d], err = parse("problem_size", fmt.Sprintf("((%s) + %s - 1) // (%s)", size, product, product)); err != nil {
			return nil, err
		}
		s.Grid[d].Text = fmt.Sprintf("%s / (%s), rounded up", size, strings.Join(by, " * "))
	}
	if t.Shared != "" {
		if s.Dynamic, err = parse("smem_args", t.Shared); err != nil {
			return nil, err
		}
	}
	if err := s.Check(); err != nil {
		return nil, atFault(t, err)
	}
	return s, nil
}

// atFault puts the place in the table before what is wrong with its space.
func atFault(t *config.SizedTable, err error) error {
	var f *space.Fault
	if !errors.As(err, &f) {
		return err
	}
	at := t.At(f.Key...)
	if f.Key[0] == "block_size_names" && t.Blocks == nil { // the names of parameters say it
		at = t.At("tune_params")
	}
	return fmt.Errorf("%s: %w", at, err)
}

// Count reads a source in all configurations of its table, and counts what a block does in each, for each size.
func (src KernelSource) Count(ctx context.Context) (Counts, error) {
	table, err := seam.Read(src.Table, func() (*config.KernelTable, error) { return config.ReadKernelTable(src.Table) })
	if err != nil {
		return nil, err
	}
	for _, line := range slices.Sorted(maps.Keys(table.Loops)) {
		if n, err := strconv.Atoi(line); err != nil || n < 1 {
			return nil, fmt.Errorf("%s: %q is not the line of a loop", table.At("loops", line), line)
		}
	}
	sizes, err := table.Sizes()
	if err != nil {
		return nil, err
	}
	device, figures, err := src.figures(table)
	if err != nil {
		return nil, err
	}
	var counters []*counter
	for _, size := range sizes {
		out := &Counted{Size: size.Size, Name: identifier(NameOf(src.File)), File: filepath.Base(src.File), At: map[string]string{}, Device: device, Figures: figures}
		for _, name := range table.Order {
			out.At[name] = filepath.Base(table.At("tune_params", name))
		}
		if out.Space, err = spaceOf(size); err != nil {
			return nil, err
		}
		var all []space.Configuration
		if all, out.Sampled, err = out.Space.Configurations(); err != nil {
			return nil, fmt.Errorf("%w%s", atFault(size, err), forSize(size.Size))
		}
		counters = append(counters, newCounter(size, all, out))
	}
	if err := src.compile(ctx, counters); err != nil {
		return nil, err
	}
	// Remembered counts may belong to another compiler or another header. All of them go then, since which ones are right is unknown.
	if slices.ContainsFunc(counters, func(k *counter) bool { return k.stale }) {
		src.Counts = CountStore{}
		return src.Count(ctx)
	}
	var out Counts
	for _, k := range counters {
		err := k.finish()
		if err == nil {
			err = k.unmet()
		}
		if err != nil {
			return nil, fmt.Errorf("%w%s", err, forSize(k.out.Size))
		}
		out = append(out, k.out)
	}
	return out, nil
}

// forSize names a size in a message; "" if there is only one.
func forSize(size []config.NamedSize) string {
	if size == nil {
		return ""
	}
	return fmt.Sprintf(" (for %s=%d)", size[0].Name, size[0].Value)
}

// figures are the device that a table or a flag names, and its figures with those that the table states.
func (src KernelSource) figures(table *config.KernelTable) (*config.Device, map[string]int64, error) {
	device, err := Device(filepath.Dir(src.Table), cmp.Or(src.Device, table.Device))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", src.Table, err)
	}
	figures := map[string]int64{}
	for name, f := range device.Figures {
		figures[name] = f.Value
	}
	if lacks := (&Counted{Figures: figures}).lacking(); len(lacks) > 0 {
		return nil, nil, fmt.Errorf("%s: the figures of device %s lack %s", src.Table, device.Name, strings.Join(lacks, ", "))
	}
	for name, v := range table.Figures {
		if _, ok := figures[name]; !ok && !slices.Contains(unneeded, name) {
			return nil, nil, fmt.Errorf("%s: %s is not a property of a device", table.At("figures", name), name)
		}
		if v <= 0 {
			return nil, nil, fmt.Errorf("%s: figure %s is %d, and not positive", table.At("figures", name), name, v)
		}
		figures[name] = v
	}
	for _, name := range table.Order {
		if _, ok := figures[name]; ok {
			return nil, nil, fmt.Errorf("%s: parameter %s has the name of a property of the device: rename it", table.At("tune_params", name), name)
		}
	}
	return device, figures, nil
}

// compile compiles all configurations of all sizes. Sizes that compilers are not told share what was compiled.
func (src KernelSource) compile(ctx context.Context, counters []*counter) error {
	compiler, err := clang.Find(ctx, src.Clang)
	if err != nil {
		return err
	}
	unit := clang.Source{Dir: filepath.Dir(src.File), File: filepath.Base(src.File), Language: clang.LanguageOf(src.File)}
	for _, k := range counters {
		k.out.Compiler = compiler.String()
		if k.out.Space.Template != "" && unit.Language == clang.OpenCL {
			return fmt.Errorf("%s: kernel_name has arguments of a template, and OpenCL has no templates", k.table.At("kernel_name"))
		}
		k.recall(ctx, k.remembered(src, unit, compiler))
	}
	for len(counters) > 0 {
		first := counters[0]
		variants := first.variants()
		// Sizes that compile the same configurations with the same macros share one compilation: only their arguments differ.
		n := 1
		for n < len(counters) && slices.Equal(counters[n].fresh, first.fresh) && reflect.DeepEqual(counters[n].variants(), variants) {
			n++
		}
		together := counters[:n]
		counters = counters[n:]
		take := func(c clang.Configured) error {
			for _, k := range together {
				if err := k.take(ctx, c); err != nil {
					return err
				}
			}
			return nil
		}
		options := clang.Options{Include: first.table.Include, Std: first.table.Std}
		if err := compiler.Configurations(ctx, unit, options, clang.Base(first.table.Kernel), variants, first.alike, take); err != nil {
			return err
		}
	}
	return nil
}

// identifier is a name that a context may have.
func identifier(name string) string {
	out := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' {
			return r
		}
		return '_'
	}, name)
	if out == "" || out[0] >= '0' && out[0] <= '9' {
		out = "k" + out
	}
	return out
}

// newCounter prepares the count of configurations.
func newCounter(table *config.SizedTable, all []space.Configuration, out *Counted) *counter {
	n := len(all)
	return &counter{table: table, all: all, warp: out.Figures["warp"], out: out, classes: map[string]int{}, digests: make([]string, n), rows: make([]*Row, n), failed: make([]string, n)}
}

// variants are what a compiler is told of each configuration that it compiles.
func (k *counter) variants() (out []clang.Variant) {
	for _, i := range k.fresh {
		out = append(out, clang.Variant{Macros: k.out.Space.Macros(k.all[i]), Instance: k.out.Space.Instance(k.all[i])})
	}
	return out
}

// recall takes configurations from what is remembered. The first one is compiled in any case: it tells what the kernel is,
// and whether what is remembered is of it.
func (k *counter) recall(ctx context.Context, memory rememberedCounts) {
	k.memory = memory
	for i := range k.all {
		found := memory.get(ctx, k.out.Space, k.all[i])
		if found != nil && k.classed(i, found.Digest) {
			k.blocks, k.refused = append(k.blocks, found.Counts), append(k.refused, found.Refused)
		}
		if found == nil || i == 0 {
			k.fresh = append(k.fresh, i)
		}
	}
	k.out.Compiled = len(k.fresh)
}

// classed puts a configuration into the class of its instructions and launch; it reports whether it is the first there.
func (k *counter) classed(i int, digest string) (first bool) {
	k.stale = k.stale || k.digests[i] != "" && k.digests[i] != digest
	k.digests[i] = digest
	key := fmt.Sprint(digest, k.all[i].Block, k.all[i].Grid, k.all[i].Dynamic)
	class, met := k.classes[key]
	if !met {
		class = len(k.classes)
		k.classes[key] = class
	}
	k.rows[i] = &Row{Configuration: k.all[i], Class: class}
	return !met
}

// among is what clang has compiled, with the numbers of the configurations among all.
func (k *counter) among(c clang.Configured) clang.Configured {
	of := make([]int, len(c.Of))
	for n, i := range c.Of {
		of[n] = k.fresh[i]
	}
	c.Of = of
	return c
}

// counter counts the configurations as they are compiled, for one size.
type counter struct {
	table   *config.SizedTable
	all     []space.Configuration
	warp    int64
	out     *Counted
	classes map[string]int // by instructions and launch
	blocks  []*count.Block
	refused []string
	digests []string
	rows    []*Row
	failed  []string
	memory  rememberedCounts
	fresh   []int // configurations that are compiled
	stale   bool  // what is remembered is of other instructions

	arguments error // about arguments that the kernel does not have
}

// take counts what one run of clang has compiled.
func (k *counter) take(ctx context.Context, c clang.Configured) error {
	c = k.among(c)
	// A failure where counts are remembered contradicts them: they are stale, and all is counted again without them.
	if c.Failed != nil {
		for _, i := range c.Of {
			k.failed[i], k.stale = c.Failed.Error(), k.stale || k.digests[i] != ""
		}
		return nil
	}
	m, problem := llvm.Parse(k.table.Kernel, c.IR)
	if problem != nil {
		return fmt.Errorf("the kernel's IR from clang is not supported: line %d: %s", problem.Line, problem.Construct)
	}
	kernels := k.kernels(m, c)
	type todo struct {
		f *llvm.Function
		i int
	}
	var news []todo
	for _, i := range c.Of {
		switch fs := kernels[i]; {
		case len(fs) == 0 && k.table.Kernel != "":
			return fmt.Errorf("there is no kernel %s at %s", k.table.Kernel, k.out.Space.Text(k.all[i]))
		case len(fs) == 0:
			return fmt.Errorf("there is no kernel at %s", k.out.Space.Text(k.all[i]))
		case len(fs) > 1:
			var names []string
			for _, f := range fs {
				names = append(names, strconv.Quote(f.SourceName()))
			}
			return fmt.Errorf("there are several kernels: choose one with kernel_name = %s", strings.Join(names, " or "))
		}
		f := kernels[i][0]
		k.out.Kernel, k.out.Parameters = cmp.Or(k.out.Space.Template, f.SourceName()), slices.Clone(f.Params)
		for n := range f.Params {
			k.out.Parameters[n].Name = f.ParamName(n)
		}
		k.arguments = count.Given([]*llvm.Function{f}, k.table.Arguments)
		if k.classed(i, m.Digest(f)) {
			news = append(news, todo{f, i})
		}
	}
	// Counts are those of the block in the middle of the grid: blocks at its edges may do less.
	for _, n := range news {
		c := k.all[n.i]
		l := count.Launch{Block: c.Block, Grid: c.Grid, Args: k.table.Arguments, Warp: k.warp, Dynamic: c.Dynamic, Trips: map[int]int64{}, Unroll: k.out.Figures["unroll_limit"]}
		for line, times := range k.table.Loops {
			if at, err := strconv.Atoi(line); err == nil {
				l.Trips[at] = times
			}
		}
		why := ""
		b, err := count.Kernel(m, n.f, l, [3]int64{c.Grid[0] / 2, c.Grid[1] / 2, c.Grid[2] / 2})
		if err != nil {
			why = err.Error()
		}
		k.blocks, k.refused = append(k.blocks, b), append(k.refused, why)
	}
	for _, i := range c.Of {
		class := k.rows[i].Class
		k.memory.put(ctx, k.out.Space, k.all[i], countFound{k.digests[i], k.blocks[class], k.refused[class]})
	}
	return nil
}

// kernels are the kernels of a module that may be meant, by configuration.
func (k *counter) kernels(m *llvm.Module, c clang.Configured) map[int][]*llvm.Function {
	out := map[int][]*llvm.Function{}
	for _, f := range m.Functions {
		if f.Defined && m.IsKernel(f) && (k.table.Kernel == "" || clang.Base(f.SourceName()) == clang.Base(k.table.Kernel)) {
			i := c.Of[0]
			if n := clang.OfConfiguration(f.Name); n >= 0 {
				i = k.fresh[n]
			}
			out[i] = append(out[i], f)
		}
	}
	if k.out.Space.Template == "" {
		return out
	}
	// The source may ask for other instances, too.
	spaceless := strings.NewReplacer(" ", "").Replace
	for i, fs := range out {
		instance := spaceless(k.out.Space.Instance(k.all[i]))
		if exact := slices.DeleteFunc(slices.Clone(fs), func(f *llvm.Function) bool { return spaceless(f.SourceName()) != instance }); len(exact) == 1 {
			out[i] = exact
		}
	}
	return out
}

// alike reports whether the kernels of a configuration are the same in IR for several and in IR for it alone.
func (k *counter) alike(together, alone clang.Configured) bool {
	var digests [2][]string
	together, alone = k.among(together), k.among(alone)
	for n, c := range []clang.Configured{together, alone} {
		m, problem := llvm.Parse(k.table.Kernel, c.IR)
		if problem != nil {
			return false
		}
		for _, f := range k.kernels(m, c)[alone.Of[0]] {
			digests[n] = append(digests[n], m.Digest(f))
		}
		slices.Sort(digests[n])
	}
	return slices.Equal(digests[0], digests[1])
}

// finish sums up.
func (k *counter) finish() error {
	for i, c := range k.all {
		row := k.rows[i]
		why := k.failed[i]
		if row != nil {
			if row.Counts = k.blocks[row.Class]; row.Counts == nil {
				why = k.refused[row.Class]
			}
		}
		if why != "" {
			k.out.Failed = append(k.out.Failed, FailedRow{c, why})
			continue
		}
		row.Promised = cmp.Or(row.Counts.Promised, k.out.Figures["promised_threads"])
		if need := k.out.Registers(*row); need.Block.Low > need.Device {
			k.out.Failed = append(k.out.Failed, FailedRow{c, fmt.Sprintf("%d threads with an estimated %d registers each: a multiprocessor has %d", row.Counts.Threads, need.Thread.Low, need.Device)})
			continue
		}
		k.out.Rows = append(k.out.Rows, *row)
	}
	classes := map[int]bool{}
	for _, row := range k.out.Rows {
		classes[row.Class] = true
	}
	k.out.Classes = len(classes)
	if len(k.out.Rows) == 0 {
		return errors.New("no configuration is counted: " + k.out.Failed[0].Why)
	}
	k.out.Idle = k.idle()
	return nil
}

// unmet is an error about a number in the table that is of nothing in the source.
func (k *counter) unmet() error {
	if k.arguments != nil {
		return fmt.Errorf("%s: %w", k.table.At("arguments"), k.arguments)
	}
	for _, line := range slices.Sorted(maps.Keys(k.table.Loops)) {
		met := slices.Contains(k.blocks, nil) // a loop of what is not counted is not known
		var lines []string
		for _, b := range k.blocks {
			if b == nil {
				continue
			}
			for _, l := range b.Loops {
				text := fmt.Sprint(l.Line)
				if met = met || text == line; !slices.Contains(lines, text) {
					lines = append(lines, text)
				}
			}
		}
		if !met {
			return fmt.Errorf("%s: there is no loop in line %s; there are loops in lines %s", k.table.At("loops", line), line, cmp.Or(strings.Join(lines, ", "), "none"))
		}
	}
	return nil
}

// idle are the parameters that never change the instructions, and not the launch either: those whose
// values, all others alike, give one class.
func (k *counter) idle() (out []string) {
	for p, parameter := range k.out.Space.Parameters {
		first := map[string]int{}
		changes, compared := false, false
		for i, row := range k.rows {
			if row == nil {
				continue
			}
			others := slices.Delete(slices.Clone(k.all[i].Values), p, p+1)
			key := fmt.Sprint(others)
			if class, met := first[key]; met {
				compared = true
				changes = changes || class != row.Class
			} else {
				first[key] = row.Class
			}
		}
		if compared && !changes {
			out = append(out, parameter.Name)
		}
	}
	return out
}
