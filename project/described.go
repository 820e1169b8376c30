package project

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/gradine/gradine/contexts"
	"github.com/gradine/gradine/gpu/count"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/machines"
)

// base are the components that a counted kernel builds on.
var base = map[string][]string{
	"contexts": {"grid", "launches", "threads", "lock_step", "phases", "host", "residency", "limits", "counts", "program", "costs"},
	"machines": {"kernel", "block_scheduling", "block_execution", "thread_execution", "memory_access", "timing", "thread_timing", "clocks", "in_order", "lock_step", "two_phases", "submission", "counted"},
}

// quantities are the constants of Counts, and of what it extends, that come from the source.
var quantities = []struct {
	name string
	of   func(Row) int64
}{
	{"threads", func(r Row) int64 { return r.Counts.Threads }},
	{"blocks", func(r Row) int64 { return r.Grid[0] * r.Grid[1] * r.Grid[2] }},
	{"block_memory", func(r Row) int64 { return r.Counts.Shared }},
	{"first_arithmetic", func(r Row) int64 { return r.Counts.Work(0).Arithmetic }},
	{"second_arithmetic", func(r Row) int64 { return r.Counts.Work(1).Arithmetic }},
	{"first_special", func(r Row) int64 { return r.Counts.Work(0).Special }},
	{"second_special", func(r Row) int64 { return r.Counts.Work(1).Special }},
	{"first_double", func(r Row) int64 { return r.Counts.Work(0).Double }},
	{"second_double", func(r Row) int64 { return r.Counts.Work(1).Double }},
	{"first_integer", func(r Row) int64 { return r.Counts.Work(0).Integer }},
	{"second_integer", func(r Row) int64 { return r.Counts.Work(1).Integer }},
	{"first_shared", func(r Row) int64 { return r.Counts.Work(0).Shared }},
	{"second_shared", func(r Row) int64 { return r.Counts.Work(1).Shared }},
	{"first_global", func(r Row) int64 { return r.Counts.Work(0).Global }},
	{"second_global", func(r Row) int64 { return r.Counts.Work(1).Global }},
	{"first_bytes", func(r Row) int64 { return r.Counts.Work(0).Bytes }},
	{"second_bytes", func(r Row) int64 { return r.Counts.Work(1).Bytes }},
	{"first_asked", func(r Row) int64 { return r.Counts.Work(0).Asked }},
	{"second_asked", func(r Row) int64 { return r.Counts.Work(1).Asked }},
	{"first_issued", func(r Row) int64 { return r.Counts.Work(0).Issued }},
	{"second_issued", func(r Row) int64 { return r.Counts.Work(1).Issued }},
	{"first_waits", func(r Row) int64 { return r.Counts.Work(0).Waits }},
	{"second_waits", func(r Row) int64 { return r.Counts.Work(1).Waits }},
	{"barriers", func(r Row) int64 { return r.Counts.Barriers.High }},
	{"thread_values", func(r Row) int64 { return r.Counts.RegisterWords }},
	{"live_values", func(r Row) int64 { return r.Counts.Live.Low }},
	{"promised", func(r Row) int64 { return r.Promised }},
}

// parts are what a quantity of a phase, by the end of its name, is counted from.
var parts = map[string]struct {
	sorts  []count.Arithmetic
	spaces []count.Space
}{
	"arithmetic": {sorts: []count.Arithmetic{count.FusedFloat, count.AddFloat, count.Half}},
	"special":    {sorts: []count.Arithmetic{count.SpecialFloat}},
	"double":     {sorts: []count.Arithmetic{count.Double, count.SpecialDouble}},
	"integer":    {sorts: []count.Arithmetic{count.Integer, count.Index, count.Shuffle}},
	"shared":     {spaces: []count.Space{count.Shared}},
	"global":     {spaces: []count.Space{count.Global, count.Any, count.Constant}},
	"bytes":      {spaces: []count.Space{count.Global, count.Any, count.Constant}},
	"asked":      {spaces: []count.Space{count.Global, count.Any}},
	"issued":     {spaces: []count.Space{count.Global, count.Any, count.Shared}},
}

// linesOf says which lines of the source a quantity comes from, in all configurations, as a comment; "" if none does.
func (all Counts) linesOf(name string) string {
	if name == "live_values" {
		return " # assumed: an estimate"
	}
	phase, what, _ := strings.Cut(name, "_")
	met := map[int]bool{}
	for _, r := range all.rows() {
		lines := r.Counts.BarrierLines
		if name != "barriers" {
			lines = r.Counts.Lines(slices.Index([]string{"first", "second"}, phase), parts[what].sorts, parts[what].spaces)
		}
		for _, l := range lines {
			met[l] = true
		}
	}
	if len(met) == 0 {
		return ""
	}
	var out []string
	for _, l := range slices.Sorted(maps.Keys(met)) {
		out = append(out, fmt.Sprint(l))
	}
	return fmt.Sprintf(" # %s:%s", all[0].File, strings.Join(out, ", "))
}

// rows are those of all sizes.
func (all Counts) rows() (out []Row) {
	for _, c := range all {
		out = append(out, c.Rows...)
	}
	return out
}

// Has reports whether an instance has this size.
func (c *Counted) Has(given []Assignment) bool {
	return !slices.ContainsFunc(c.Size, func(s config.NamedSize) bool { return !slices.Contains(given, Assignment{s.Name, fmt.Sprint(s.Value)}) })
}

// Of is the size that an instance has.
func (all Counts) Of(given []Assignment) (*Counted, error) {
	for _, c := range all {
		if c.Has(given) {
			return c, nil
		}
	}
	return nil, errors.New("the instance is not one of the sizes in the table; operations were counted only for these sizes")
}

// unneeded are the figures that a device may lack: it waits for no such loads, and has no such limit.
var unneeded = []string{"load_latency", "unroll_limit", "promised_threads", "register_unit", "issue_time", "cache_size", "cache_shared", "cache_time"}

// lacking are the figures without which nothing can be predicted, of those that a device does not have.
func (c *Counted) lacking() (out []string) {
	asked := *c
	asked.asked = func(name string) {
		if _, ok := c.Figures[name]; !ok && !slices.Contains(unneeded, name) && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	asked.instance()
	return out
}

// figure is one of the device.
func (c *Counted) figure(name string) int64 {
	if c.asked != nil {
		c.asked(name)
	}
	return c.Figures[name]
}

// instance are the size and the constants of the device.
func (c *Counted) instance() (out [][2]any) {
	f := c.figure
	add := func(name string, v int64) { out = append(out, [2]any{name, v}) }
	for _, s := range c.Size {
		add(s.Name, s.Value)
	}
	per := func(lanes string) int64 { return 1000 * f("warp") / max(1, f(lanes)) }
	for _, n := range []string{"warp", "sms", "sm_memory", "sm_threads", "sm_registers", "sm_blocks", "block_threads", "block_shared", "mhz"} {
		add(n, f(n))
	}
	add("float_time", per("float_lanes"))
	add("special_time", per("special_lanes"))
	add("double_time", per("double_lanes"))
	add("integer_time", per("integer_lanes"))
	add("shared_time", 32000/max(1, f("shared_lanes")))
	add("global_time", per("global_lanes"))
	// Thousandths of a cycle for a byte: what all multiprocessors share, for one.
	add("byte_time", f("mhz")*f("sms")/max(1, f("bandwidth")))
	add("wait_time", f("load_latency"))
	add("register_unit", max(1, f("register_unit")))
	for _, n := range []string{"issue_time", "cache_size", "cache_shared", "cache_time"} {
		add(n, f(n))
	}
	for _, n := range []string{"latency", "launch_time", "start_block", "barrier", "spill_time", "thread_registers", "output_registers", "kept_limit", "register_limit"} {
		add(n, f(n))
	}
	return out
}

// Text are the files of a project that tunes the kernel: the proved development, a context with what was
// counted, its machine, and an entry. Names are relative to its folder, with slashes.
func (all Counts) Text() map[string][]byte {
	out := map[string][]byte{}
	c := all[0]
	collect := func(dir string, fsys fs.FS) {
		_ = fs.WalkDir(fsys, "gpu", func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				stem, _, _ := strings.Cut(d.Name(), ".")
				if slices.Contains(base[dir], stem) {
					out[dir+"/"+d.Name()], err = fs.ReadFile(fsys, name)
				}
			}
			return err
		})
	}
	collect("contexts", contexts.FS)
	collect("machines", machines.FS)
	out["contexts/"+c.Name+"_source.eventb"] = []byte(c.context())
	machine := string(out["machines/counted.eventb"])
	at := strings.Index(machine, "machine counted")
	machine = strings.Replace(strings.Replace(machine[at:], "machine counted", "machine "+c.Name, 1), "sees Counts", "sees "+c.Name+"_source", 1)
	out["machines/"+c.Name+".eventb"] = []byte("// The kernel " + c.Kernel + ", whose work was counted from its source.\n" + machine)
	out["gradine.toml"] = []byte(all.entry())
	return out
}

func (c *Counted) context() string {
	var b strings.Builder
	fmt.Fprintf(&b, "/*\n * What a block of kernel %s does, counted from its source as %s reads it.\n */\n", c.Kernel, c.Compiler)
	fmt.Fprintf(&b, "context %s_source\nextends Counts\nconstants\n    configuration // number of the configuration\n", c.Name)
	for _, p := range c.Space.Parameters {
		fmt.Fprintf(&b, "    %s\n", p.Name)
	}
	for _, s := range c.Size {
		fmt.Fprintf(&b, "    %s // size of the problem\n", s.Name)
	}
	fmt.Fprintf(&b, "axioms\n    @configuration configuration ∈ ℕ1\n")
	for _, s := range c.Size {
		fmt.Fprintf(&b, "    @%s %s ∈ ℤ\n", s.Name, s.Name)
	}
	for _, p := range c.Space.Parameters {
		fmt.Fprintf(&b, "    @%s %s ∈ ℤ // %s\n", p.Name, p.Name, c.At[p.Name])
	}
	b.WriteString("end\n")
	return b.String()
}

func (all Counts) entry() string {
	var b strings.Builder
	c := all[0]
	fmt.Fprintf(&b, "[project.%s]\nsources = [\"contexts\", \"machines\"]\n\n", c.Name)
	for _, m := range []string{"two_phases", "submission", "counted", c.Name} {
		fmt.Fprintf(&b, "[machine.%s]\ndeadlock_free = true\nenvironment = [\"rest\"]\n\n", m)
	}
	fmt.Fprintf(&b, "[tune.%s]\nmachine = \"%s\"\nobjective = \"elapsed\"\nfinal = \"finished = launches\"\ntheorem = \"closed_form\"\n\n[tune.%s.parameters]\n", c.Name, c.Name, c.Name)
	for _, p := range c.Space.Parameters {
		fmt.Fprintf(&b, "%s = \"%s\"\n", p.Name, p.Name)
	}
	t := all.tables()
	fmt.Fprintf(&b, "\n[tune.%s.search]\nlaunches = \"{1}\"\nconfiguration = \"%s\"\n", c.Name, t.numbers())
	for i, p := range c.Space.Parameters {
		fmt.Fprintf(&b, "%s = \"%s\"\n", p.Name, t.of(func(r Row) int64 { return r.Values[i] }))
	}
	for _, q := range quantities {
		fmt.Fprintf(&b, "%s = \"%s\"%s\n", q.name, t.of(q.of), all.linesOf(q.name))
	}
	fmt.Fprintf(&b, `capacity = "{max({1} ∪ {c· c ∈ 1‥sm_blocks ∧ c∗block_memory ≤ sm_memory ∧ c∗(warps∗warp) ≤ sm_threads ∧ c∗block_registers ≤ sm_registers ∣ c})}"
waves = "{(blocks + slots − 1) ÷ slots}"
min_cost = "{0}"
max_cost = "{start_time + first_time + second_time}"
max_sync = "{sync}"

%s`, all.calibrated())
	for _, c := range all {
		name := c.Device.Name
		if c.Size != nil { // names of instances are told apart
			name = fmt.Sprintf("%s %s %d", name, c.Size[0].Name, c.Size[0].Value)
		}
		fmt.Fprintf(&b, "\n[[tune.%s.instances]]\nname = %q\n", c.Name, name)
		for _, x := range c.instance() {
			fmt.Fprintf(&b, "%s = %d\n", x[0], x[1])
		}
	}
	return b.String()
}

// correctable are the constants of the device that measurements may correct, each with the counts that it
// is the time of, and with the figure that says its bounds where it is assumed.
var correctable = []struct {
	name, figure string
	of           []string // quantities; without one of these measurements do not tell it
}{
	{"float_time", "", []string{"first_arithmetic", "second_arithmetic"}},
	{"special_time", "", []string{"first_special", "second_special"}},
	{"double_time", "", []string{"first_double", "second_double"}},
	{"integer_time", "", []string{"first_integer", "second_integer"}},
	{"shared_time", "", []string{"first_shared", "second_shared"}},
	{"global_time", "", []string{"first_global", "second_global"}},
	{"byte_time", "", []string{"first_bytes", "second_bytes"}},
	{"wait_time", "load_latency", []string{"first_waits", "second_waits"}},
	{"latency", "latency", nil},
	{"start_block", "start_block", nil},
	{"barrier", "barrier", []string{"barriers"}},
	{"spill_time", "spill_time", []string{"thread_values"}},
}

// within is by which factor a figure of a data sheet may miss what a kernel meets.
const within = 4

// calibrated says which constants measurements may correct, and how far. The time is in picoseconds, times are
// in milliseconds.
func (all Counts) calibrated() string {
	var b strings.Builder
	c := all[0]
	fmt.Fprintf(&b, "[tune.%s.calibrate]\nunit = 1000000000 # picoseconds\n\n[tune.%[1]s.calibrate.constants]\n", c.Name)
	values := map[string]int64{}
	for _, x := range c.instance() {
		values[x[0].(string)] = x[1].(int64)
	}
	for _, k := range correctable {
		used := k.of == nil
		for _, q := range quantities {
			used = used || slices.Contains(k.of, q.name) && slices.ContainsFunc(all.rows(), func(r Row) bool { return q.of(r) != 0 })
		}
		if !used || values[k.name] == 0 {
			continue
		}
		low, high := max(1, values[k.name]/within), max(1, values[k.name])*within
		if f, ok := c.Device.Figures[k.figure]; ok && f.Assumed != "" {
			low, high = min(f.Low, values[k.name]), max(f.High, values[k.name])
		}
		fmt.Fprintf(&b, "%s = \"%d‥%d\"\n", k.name, low, high)
	}
	return b.String()
}

// tables writes what was counted of configurations as sets. Configurations of all sizes have numbers from 1.
type tables struct {
	all    Counts
	number map[string]int // of a configuration, by its values
}

func (all Counts) tables() tables {
	t := tables{all, map[string]int{}}
	for _, r := range all.rows() {
		if key := fmt.Sprint(r.Values); t.number[key] == 0 {
			t.number[key] = len(t.number) + 1
		}
	}
	return t
}

// pair is a number and the value that belongs to it.
type pair struct {
	from int64
	to   string
}

// written is the set of some pairs.
func written(pairs []pair) string {
	var parts []string
	for _, p := range pairs {
		parts = append(parts, fmt.Sprintf("%d ↦ %s", p.from, p.to))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// bySize is an expression that differs between the sizes.
func (t tables) bySize(texts []string) string {
	if !slices.ContainsFunc(texts, func(x string) bool { return x != texts[0] }) {
		return texts[0]
	}
	var out []pair
	for i, c := range t.all {
		out = append(out, pair{c.Size[0].Value, texts[i]})
	}
	return written(out) + "(" + t.all[0].Size[0].Name + ")"
}

// numbers are those of the configurations that a size has.
func (t tables) numbers() string {
	var texts []string
	for _, c := range t.all {
		text := fmt.Sprintf("1‥%d", len(t.number))
		if len(c.Rows) < len(t.number) {
			var all []string
			for _, r := range c.Rows {
				all = append(all, fmt.Sprint(t.number[fmt.Sprint(r.Values)]))
			}
			text = "{" + strings.Join(all, ", ") + "}"
		}
		texts = append(texts, text)
	}
	return t.bySize(texts)
}

// of is a set with the value of a quantity in the configuration, for the size.
func (t tables) of(quantity func(Row) int64) string {
	values := map[int64]int64{} // by configuration, for the sizes met so far
	alike, constant := true, true
	var tables, constants []string
	for _, c := range t.all {
		var pairs []pair
		for _, r := range c.Rows {
			n, v := int64(t.number[fmt.Sprint(r.Values)]), quantity(r)
			old, met := values[n]
			alike = alike && (!met || old == v)
			constant = constant && v == quantity(c.Rows[0])
			values[n] = v
			pairs = append(pairs, pair{n, fmt.Sprint(v)})
		}
		tables, constants = append(tables, written(pairs)), append(constants, fmt.Sprint(quantity(c.Rows[0])))
	}
	switch {
	case constant:
		return "{" + t.bySize(constants) + "}"
	case alike: // what does not depend on the size is written once
		var pairs []pair
		for _, n := range slices.Sorted(maps.Keys(values)) {
			pairs = append(pairs, pair{n, fmt.Sprint(values[n])})
		}
		return "{" + written(pairs) + "(configuration)}"
	}
	return "{" + t.bySize(tables) + "(configuration)}"
}
