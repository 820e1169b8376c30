// Package config reads gradine.toml: projects, checks of their machines, expected verdicts,
// instances for exploration, and tuning entries. It is the only importer of the TOML library.
package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// Name is the file's name.
const Name = "gradine.toml"

// Config is one gradine.toml.
type Config struct {
	Dir     string             `toml:"-"` // the folder it stands in
	text    string             `toml:"-"`
	Project map[string]Project `toml:"project"`
	Machine map[string]Machine `toml:"machine"`
	Kernel  map[string]Kernel  `toml:"kernel"`
	Expect  []Expect           `toml:"expect"`
	Waiver  []Waiver           `toml:"waiver"`
	Explore map[string]Explore `toml:"explore"`
	Tune    map[string]Tune    `toml:"tune"`
	Cache   Cache              `toml:"cache"`
}

// Cache is a server that shares what searches found.
type Cache struct {
	Remote   string `toml:"remote"`    // its URL, without credentials
	Name     string `toml:"name"`      // of the bundle; the names of the projects if it is empty
	ReadOnly bool   `toml:"read_only"` // nothing is written to it
}

// Project names the sources of one project: files and folders, relative to Dir.
// Folders are not searched recursively.
type Project struct {
	Sources []string `toml:"sources"`
	Steps   int64    `toml:"steps"` // budget of a search; 0 for the default
	// Certificates asks prove --lock for all of them, so that --replay needs no search.
	Certificates bool `toml:"certificates"`
}

// Machine says what is asked of a machine beyond Rodin's obligations, and how
// it is set up for exploration.
type Machine struct {
	DeadlockFree bool      `toml:"deadlock_free"` // generate DLF
	Enabled      []string  `toml:"enabled"`       // generate ENB for these events
	Environment  []string  `toml:"environment"`   // events that need not terminate
	Ends         string    `toml:"terminal"`      // where the machine may stop: no deadlock
	LeadsTo      []LeadsTo `toml:"leads_to"`      // generate LTO for these claims

	Log *Log `toml:"log"` // how logs of implementations are read

	Carriers  map[string]any    `toml:"carriers"`  // a size, or a list of element names
	Constants map[string]any    `toml:"constants"` // an integer, or an expression as text
	Threads   []string          `toml:"threads"`   // sets over the constants whose elements are interchangeable
	Bounds    map[string][2]int `toml:"bounds"`    // least and greatest value of an identifier
}

// Kernel says how a kernel is launched, and what else is checked of it. Sizes are
// those of the flags of `gradine kernel`: 64 or 16,16, with * for any number.
type Kernel struct {
	LocalSize string   `toml:"local_size"` // threads of a group
	NumGroups string   `toml:"num_groups"` // groups of the grid
	Checks    []string `toml:"checks"`     // bounds, overflow

	Reader    string   `toml:"reader"`    // c, llvm, or either
	IR        string   `toml:"ir"`        // a file that gradine kernel --emit-ll wrote
	Instances []string `toml:"instances"` // of a template, that clang compiles
	Flags     []string `toml:"flags"`     // that pass through to clang: -DN=4, -Iinclude
}

// LeadsTo claims that where From holds To does in the end; see docs/liveness.md.
type LeadsTo struct {
	Name    string   `toml:"name"`
	Any     string   `toml:"any"` // what is known of identifiers for all of whose values it is claimed
	From    string   `toml:"from"`
	To      string   `toml:"to"`
	By      string   `toml:"variant"`       // decreases with each helpful event
	Helpful []string `toml:"helpful"`       // events that bring To nearer; none: all
	Fair    []string `toml:"fair"`          // events that happen in the end if they stay enabled
	Strong  []string `toml:"strongly_fair"` // events that do if they are enabled again and again
	Through []string `toml:"through"`       // claims before this one that lead to a helpful event, or all the way
}

// Expect is an obligation whose verdict is meant to be other than proved.
type Expect struct {
	Project string `toml:"project"`
	PO      string `toml:"po"` // component/name
	Verdict string `toml:"verdict"`
	Why     string `toml:"why"`
}

// Waiver is a loss that somebody agreed to, for a review.
type Waiver struct {
	Project string `toml:"project"` // that the element is of; "" for a setting, and for the only project
	Gate    string `toml:"gate"`    // weakened-claim, removed-claim, new-assumption, more, less, smaller
	Element string `toml:"element"` // its path, or that of the obligation or of the setting
	Says    string `toml:"says"`    // holds as long as the element says this, or is "removed"
	Until   string `toml:"until"`   // the last day on which it holds, YYYY-MM-DD
	Why     string `toml:"why"`
}

// waivable are the gates that a waiver opens.
var waivable = []string{"weakened-claim", "removed-claim", "new-assumption", "more", "less", "smaller"}

func (w Waiver) check() error {
	switch _, err := time.Parse(time.DateOnly, w.Until); {
	case w.Element == "" || w.Gate == "":
		return fmt.Errorf("a [[waiver]] lacks gate or element")
	case w.Project != "" && w.OfSetting():
		return fmt.Errorf("[[waiver]] of %s: a setting is of no project; remove project", w.Element)
	case !slices.Contains(waivable, w.Gate):
		return fmt.Errorf("[[waiver]] of %s: gate %q; use one of %s", w.Element, w.Gate, strings.Join(waivable, ", "))
	case w.Why == "":
		return fmt.Errorf("[[waiver]] of %s lacks why, the reason", w.Element)
	case w.Until == "" && w.Says == "":
		return fmt.Errorf("[[waiver]] of %s never ends; give until = \"2030-12-31\", or says = the text of the element for which it holds", w.Element)
	case w.Until != "" && err != nil:
		return fmt.Errorf("[[waiver]] of %s: until = %q; write a day as \"2030-12-31\"", w.Element, w.Until)
	}
	return nil
}

// OfSetting reports whether a waiver is about a setting of gradine.toml, whose path begins with a
// table: machine.m.deadlock_free.
func (w Waiver) OfSetting() bool {
	table, _, dotted := strings.Cut(w.Element, ".")
	return dotted && slices.Contains(keysOf(reflect.TypeFor[Config]()), table)
}

// OfProject returns the project whose element w is about, "" if it is about a setting.
func (c *Config) OfProject(w Waiver) string {
	if w.Project != "" || w.OfSetting() || len(c.Project) != 1 {
		return w.Project
	}
	for name := range c.Project {
		return name
	}
	return ""
}

// Explore is a search through all states of a machine, with the result that is expected.
type Explore struct {
	Project   string         `toml:"project"` // of the machine; may be missing if there is only one
	Machine   string         `toml:"machine"`
	Carriers  map[string]int `toml:"carriers"`  // sizes, instead of those of the machine's table
	Constants map[string]any `toml:"constants"` // values, instead of those of the machine's table

	Verdict     string   `toml:"verdict"`     // complete (default) or counterexample
	Finds       []string `toml:"finds"`       // all that is violated: "invariant cap", "deadlock"
	States      *int     `toml:"states"`      // of all solutions of the axioms; nil if any number will do
	Transitions *int     `toml:"transitions"` // likewise
	Why         string   `toml:"why"`         // the reason for what it finds
}

func (e Explore) check(c *Config) error {
	switch _, known := c.Project[e.Project]; {
	case e.Machine == "":
		return errors.New("lacks machine")
	case e.Project == "" && len(c.Project) > 1:
		return fmt.Errorf("write project = with one of %s", strings.Join(slices.Sorted(maps.Keys(c.Project)), ", "))
	case e.Project != "" && !known:
		return fmt.Errorf("names project %q, which is not defined", e.Project)
	case !slices.Contains([]string{"", "complete", "counterexample"}, e.Verdict):
		return fmt.Errorf("verdict %q; use one of complete, counterexample", e.Verdict)
	case e.Verdict == "counterexample" && len(e.Finds) == 0:
		return errors.New("lacks finds, the list of expected findings: finds = [\"invariant cap\"]")
	case e.Verdict != "counterexample" && len(e.Finds) > 0:
		return errors.New("finds needs verdict = \"counterexample\"")
	case len(e.Finds) > 0 && e.Why == "":
		return errors.New("needs why, the reason for its findings")
	}
	return nil
}

// Tune is a search for the parameters with the least objective.
type Tune struct {
	Project     string            `toml:"project"`
	Machine     string            `toml:"machine"`
	Parameters  map[string]string `toml:"parameters"` // name shown → constant or expression over constants
	Search      map[string]string `toml:"search"`     // constant → set of values to try, as text over the instance
	Objective   Objectives        `toml:"objective"`
	Order       string            `toml:"order"`       // of several objectives: lexicographic (default), pareto
	Constraints []string          `toml:"constraints"` // predicates that are to hold at the end
	Final       string            `toml:"final"`
	Criterion   string            `toml:"criterion"` // what counts of a point whose schedules differ: worst (default), best
	Theorem     string            `toml:"theorem"`   // label of the theorem that gives the variables of the objective at the end
	Instances   []map[string]any  `toml:"instances"` // constant → value; also name → what --instance calls it
	Calibrate   *Calibrate        `toml:"calibrate"`

	// The keys of Parameters, Search and Instances, in the order in which the file
	// first has them.
	Shown, Searched, Given []string `toml:"-"`
}

// Objectives are integer expressions, each behind minimise or maximise; minimise if it
// says neither. One may stand without a list around it.
type Objectives []string

// UnmarshalTOML reads a text or a list of texts.
func (o *Objectives) UnmarshalTOML(data any) error {
	list, ok := data.([]any)
	if !ok {
		list = []any{data}
	}
	*o = nil
	for _, item := range list {
		text, ok := item.(string)
		if !ok {
			return fmt.Errorf("an objective is an expression in quotes, or a list of such, not %v", item)
		}
		*o = append(*o, text)
	}
	return nil
}

// Calibrate says which constants of an instance measurements may correct.
type Calibrate struct {
	Unit      float64           `toml:"unit"`      // of the objective in a millisecond; 0: sought as well
	Constants map[string]string `toml:"constants"` // constant → range of its values, low‥high
}

// InstanceName is the key of an instance that is its name.
const InstanceName = "name"

// Find returns the path of the nearest gradine.toml in dir or above, or "".
func Find(dir string) string {
	dir, err := filepath.Abs(dir)
	for err == nil {
		file := filepath.Join(dir, Name)
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			return file
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
	return ""
}

// Log says how a line of a log, a JSON object, is read. Paths name fields of objects in objects: "state.car".
type Log struct {
	Event      string            `toml:"event"`      // path of what happened; "": event
	Events     map[string]string `toml:"events"`     // its name in the log → event
	Ignore     []string          `toml:"ignore"`     // names in the log that are no events of the machine
	Parameters map[string]string `toml:"parameters"` // parameter → path; none: the fields of params
	Values     map[string]string `toml:"values"`     // variable → path; none: the fields of state
	Silent     map[string]int    `toml:"silent"`     // event → how often it may happen unlogged between two lines
	Source     string            `toml:"source"`     // path of the node or thread that wrote the line; lines are in order for each of them
	Clock      string            `toml:"clock"`      // path of the vector clock of the line, an object of sources and numbers
}

// ReadLog reads a file that says how logs are read.
func ReadLog(path string) (*Log, error) {
	return ReadTable[Log](path)
}

// ReadTable reads a file that is one table, with the keys of T and no others. Errors name the place and the cause.
func ReadTable[T any](path string) (*T, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	var all map[string]any
	if _, err := toml.Decode(string(data), &all); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if key, err := misfit(nil, all, reflect.TypeFor[T]()); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", path, lineOf(string(data), key), err)
	}
	table := new(T)
	if _, err := toml.Decode(string(data), table); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return table, nil
}

// Read reads and checks the file at path. Errors name the place, the cause and
// the next step.
func Read(path string) (*Config, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	return Parse(path, data)
}

// maxBytes is the size of the largest file that is read.
const maxBytes = 16 << 20

// readFile is os.ReadFile for files of at most maxBytes: what is no plain file need not end.
func readFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxBytes+1))
	if len(data) > maxBytes {
		return nil, &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("larger than %d MB", maxBytes>>20)}
	}
	return data, err
}

// Parse is Read of a text that a file at path would have.
func Parse(path string, data []byte) (*Config, error) { return parse(path, string(data), false) }

// ReadFS is Read in a file system, for the development that the program carries.
func ReadFS(fsys fs.FS, path string) (*Config, error) {
	data, err := fs.ReadFile(fsys, path)
	if err != nil {
		return nil, err
	}
	return parse(path, string(data), false)
}

// ReadPastFS is ReadFS of an earlier revision: keys that this program does not know are left out.
func ReadPastFS(fsys fs.FS, path string) (*Config, error) {
	data, err := fs.ReadFile(fsys, path)
	if err != nil {
		return nil, err
	}
	return parse(path, string(data), true)
}

// parse reads a text. If it is past, keys that this program does not know are left out.
func parse(path, text string, past bool) (*Config, error) {
	c := &Config{Dir: filepath.Dir(path), text: text}
	var read toml.Primitive // once for both of what is made of it
	meta, err := toml.Decode(text, &read)
	if perr, ok := errors.AsType[toml.ParseError](err); ok {
		return nil, fmt.Errorf("%s:%d: %s", path, perr.Position.Line, perr.Message)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var all map[string]any
	if err := meta.PrimitiveDecode(read, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if past {
		leaveOut(all, reflect.TypeFor[Config]())
	}
	// The library speaks of types of Go where a value does not fit, so that it gets only what does.
	if key, err := misfit(nil, all, reflect.TypeFor[Config]()); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", path, lineOf(text, key), err)
	}
	if err := meta.PrimitiveDecode(read, c); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for name, t := range c.Tune {
		t.Shown, t.Searched, t.Given = inOrder(meta, name, "parameters"), inOrder(meta, name, "search"), inOrder(meta, name, "instances")
		c.Tune[name] = t
	}
	if key, err := c.check(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", path, lineOf(text, key), err)
	}
	return c, nil
}

// At is the place of a key, for messages: the file and the line.
func (c *Config) At(key ...string) string {
	return fmt.Sprintf("%s:%d", filepath.Join(c.Dir, Name), lineOf(c.text, key))
}

// ExpectLine is the line on which the i-th expectation stands.
func (c *Config) ExpectLine(i int) int {
	for n, line := range strings.Split(c.text, "\n") {
		if strings.ReplaceAll(strings.TrimSpace(line), " ", "") == "[[expect]]" {
			if i--; i < 0 {
				return n + 1
			}
		}
	}
	return lineOf(c.text, toml.Key{"expect"}) // a list in one place
}

// inOrder lists the keys in a table of a tuning entry, or in its tables of one
// name.
func inOrder(meta toml.MetaData, entry, table string) []string {
	var out []string
	for _, key := range meta.Keys() {
		if len(key) == 4 && key[0] == "tune" && key[1] == entry && key[2] == table && !slices.Contains(out, key[3]) {
			out = append(out, key[3])
		}
	}
	return out
}

// check finds the first key whose value cannot be meant, which the types of the fields do not say: names, bounds, and what
// one table says of another.
func (c *Config) check() (toml.Key, error) {
	// Names in order: of several mistakes the same one is reported each time.
	for _, name := range slices.Sorted(maps.Keys(c.Project)) {
		if strings.ContainsAny(name, `/\`) || strings.HasPrefix(name, ".") || name == "" || name == Name {
			return toml.Key{"project", name}, fmt.Errorf("project.%q: the name of a project begins those of files and obligations; write it without / and \\, not with a dot first, and not as this file", name)
		}
		if len(c.Project[name].Sources) == 0 {
			return toml.Key{"project", name}, fmt.Errorf("project.%s names no sources; write sources = [\"folder\"]", name)
		}
		if c.Project[name].Steps < 0 {
			return toml.Key{"project", name}, fmt.Errorf("project.%s.steps = %d: a budget is a positive number of steps", name, c.Project[name].Steps)
		}
		if i := slices.IndexFunc(c.Project[name].Sources, filepath.IsAbs); i >= 0 {
			return toml.Key{"project", name}, fmt.Errorf("project.%s: %s is an absolute path; sources are relative to the folder of this file", name, c.Project[name].Sources[i])
		}
		for i, source := range c.Project[name].Sources {
			if slices.ContainsFunc(c.Project[name].Sources[:i], func(other string) bool { return filepath.Clean(other) == filepath.Clean(source) }) {
				return toml.Key{"project", name, "sources"}, fmt.Errorf("project.%s.sources names %s twice; remove one", name, source)
			}
		}
	}
	for i, e := range c.Expect {
		if slices.ContainsFunc(c.Expect[:i], func(other Expect) bool { return other.Project == e.Project && other.PO == e.PO }) {
			return toml.Key{"expect"}, fmt.Errorf("two [[expect]] speak of %s of project %s; remove one", e.PO, e.Project)
		}
		if _, ok := c.Project[e.Project]; !ok {
			return toml.Key{"expect"}, fmt.Errorf("an [[expect]] names project %q, which is not defined", e.Project)
		}
		if !slices.Contains([]string{"refuted", "open", "vacuous"}, e.Verdict) {
			return toml.Key{"expect"}, fmt.Errorf("[[expect]] of %s: verdict %q; use one of refuted, open, vacuous", e.PO, e.Verdict)
		}
		if e.Why == "" {
			return toml.Key{"expect"}, fmt.Errorf("[[expect]] of %s lacks why, the reason", e.PO)
		}
	}
	for _, w := range c.Waiver {
		if err := w.check(); err != nil {
			return toml.Key{"waiver"}, err
		}
		// Elements of several projects may have one path.
		if len(c.Project) > 1 && c.OfProject(w) == "" && !w.OfSetting() {
			return toml.Key{"waiver"}, fmt.Errorf("[[waiver]] of %s: write project = with one of %s", w.Element, strings.Join(slices.Sorted(maps.Keys(c.Project)), ", "))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Machine)) {
		for i, claim := range c.Machine[name].LeadsTo {
			if claim.Name == "" || claim.From == "" || claim.To == "" {
				return toml.Key{"machine", name, "leads_to"}, fmt.Errorf("number %d of [[machine.%s.leads_to]] lacks name, from or to", i+1, name)
			}
			if slices.ContainsFunc(c.Machine[name].LeadsTo[:i], func(other LeadsTo) bool { return other.Name == claim.Name }) {
				return toml.Key{"machine", name, "leads_to"}, fmt.Errorf("machine.%s.leads_to: two claims are called %s", name, claim.Name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Explore)) {
		if err := c.Explore[name].check(c); err != nil {
			return toml.Key{"explore", name}, fmt.Errorf("explore.%s: %w", name, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Tune)) {
		switch t := c.Tune[name]; {
		case t.Machine == "":
			return toml.Key{"tune", name}, fmt.Errorf("tune.%s lacks machine", name)
		case len(t.Objective) == 0:
			return toml.Key{"tune", name}, fmt.Errorf("tune.%s lacks objective, the variable or expression to minimise", name)
		case !slices.Contains([]string{"", "lexicographic", "pareto"}, t.Order):
			return toml.Key{"tune", name}, fmt.Errorf("tune.%s: order %q; use one of lexicographic, pareto", name, t.Order)
		case t.Order != "" && len(t.Objective) == 1:
			return toml.Key{"tune", name}, fmt.Errorf("tune.%s: order compares several objectives, but there is only one", name)
		case !slices.Contains([]string{"", "worst", "best"}, t.Criterion):
			return toml.Key{"tune", name}, fmt.Errorf("tune.%s: criterion %q; use one of worst, best", name, t.Criterion)
		case t.Final == "":
			return toml.Key{"tune", name}, fmt.Errorf("tune.%s lacks final, the predicate at which the objective is read", name)
		}
	}
	return nil, nil
}

// lineOf finds the line on which key is defined: the first line that begins
// with its last part, after the header of its table, or that of the key that it stands below.
func lineOf(text string, key toml.Key) int {
	table := strings.Join(key[:len(key)-1], ".")
	last, seen := key[len(key)-1], table == ""
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		header := strings.Trim(line, "[] ")
		switch {
		case strings.HasPrefix(line, "[") && (header == key.String()):
			return i + 1
		case strings.HasPrefix(line, "["):
			seen = seen || header == table
		case seen && isKey(line, last):
			return i + 1
		}
	}
	if len(key) > 1 {
		return lineOf(text, key[:len(key)-1])
	}
	return 1
}

// isKey reports whether a line gives a value to a key, or to one below it. Elements of lists, which may begin alike, do not.
func isKey(line, key string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, "\"'"), key)
	rest = strings.TrimLeft(rest, "\"' \t")
	return ok && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "=="))
}

// Settings returns the values of a gradine.toml by their keys, such as
// machine.timing.deadlock_free, in the order of keys. An expectation is keyed by
// what it is about, so that adding one does not change those that follow.
func Settings(path string, data []byte) ([][2]string, error) {
	if _, err := parse(path, string(data), true); err != nil {
		return nil, err
	}
	var all map[string]any
	if _, err := toml.Decode(string(data), &all); err != nil {
		return nil, err
	}
	var out [][2]string
	flatten("", all, func(key, value string) { out = append(out, [2]string{key, value}) })
	return out, nil
}

// ofForm gives a list of tables one form, whether it is written in brackets or as [[key]]: instances are
// values, others have settings of their own.
func ofForm(key string, value any) any {
	instances := strings.HasSuffix(key, ".instances")
	switch list := value.(type) {
	case []map[string]any:
		if instances {
			values := make([]any, len(list))
			for i, table := range list {
				values[i] = table
			}
			return values
		}
	case []any:
		var tables []map[string]any
		for _, x := range list {
			if table, ok := x.(map[string]any); ok && !instances {
				tables = append(tables, table)
			}
		}
		if len(tables) > 0 && len(tables) == len(list) {
			return tables
		}
	}
	return value
}

// waiverText is what a waiver says apart from what it is about.
func waiverText(table map[string]any) string {
	var parts []string
	for _, key := range []string{"says", "until"} {
		if v, ok := table[key]; ok {
			parts = append(parts, fmt.Sprintf("%s %v", key, v))
		}
	}
	return fmt.Sprintf("%s: %v", strings.Join(parts, ", "), table["why"])
}

// flatten yields the values below a table, in the order of keys. Lists of tables
// have no keys of their own: an expectation takes its obligation's, others their
// name, or their number.
func flatten(key string, value any, yield func(key, value string)) {
	about := func(what string) string {
		if key == "" {
			return what
		}
		return key + "." + what
	}
	below := func(name string) string {
		if strings.ContainsAny(name, `."`) { // a dot separates keys
			name = strconv.Quote(name)
		}
		return about(name)
	}
	switch v := ofForm(key, value).(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			flatten(below(name), v[name], yield)
		}
	case []map[string]any:
		for i, table := range v {
			if element, ok := table["element"].(string); ok {
				parts := []string{fmt.Sprint(table["gate"]), element}
				if project, ok := table["project"].(string); ok {
					parts = slices.Insert(parts, 1, project)
				}
				yield(about(strings.Join(parts, " ")), waiverText(table))
			} else if po, ok := table["po"].(string); ok {
				yield(about(fmt.Sprintf("%v/%s", table["project"], po)), fmt.Sprintf("%v: %v", table["verdict"], table["why"]))
			} else if name, ok := table["name"].(string); ok {
				flatten(below(name), table, yield)
			} else {
				flatten(below(fmt.Sprint(i+1)), table, yield)
			}
		}
	case []any:
		var items []string
		for _, x := range v {
			item := fmt.Sprint(x)
			if table, ok := x.(map[string]any); ok { // an inline table, such as an instance to tune
				var pairs []string
				for _, name := range slices.Sorted(maps.Keys(table)) {
					pairs = append(pairs, fmt.Sprintf("%s = %v", name, table[name]))
				}
				item = "{ " + strings.Join(pairs, ", ") + " }"
			}
			items = append(items, item)
		}
		yield(key, strings.Join(items, ", "))
	default:
		yield(key, fmt.Sprint(v))
	}
}
