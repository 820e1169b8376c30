// Package question owns files of sequents, one JSON value each, that somebody wants proved:
// how they are read, with hints for them, and how much memory that may take. It knows nothing
// of projects, and renders nothing.
package question

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/hinted"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/parallel"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/derive"
)

// Sequent is a sequent in JSON: what `po --format jsonl` writes, or the same
// with hyps for hypotheses. docs/output.md describes it.
type Sequent struct {
	ID         any               `json:"id"`
	Project    string            `json:"project"`
	Component  string            `json:"component"`
	Name       string            `json:"name"`
	Types      map[string]string `json:"types"`
	Hyps       *[]string         `json:"hyps"`
	Hypotheses *[]string         `json:"hypotheses"`
	Selected   []int             `json:"selected"`
	Goal       *string           `json:"goal"`
}

// readKeys are the keys of a line that are read, and poKeys those that po writes besides.
var (
	readKeys = []string{"id", "project", "component", "name", "types", "hyps", "hypotheses", "selected", "goal"}
	poKeys   = []string{"kind", "nature", "accurate", "sources"}
)

// check refuses a line that lacks something, or misspells it: a sequent that has lost
// its hypotheses is another one. It returns the keys that nobody reads.
func (q *Sequent) check(keys map[string]json.RawMessage) (unread []string, err error) {
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if slices.Contains(readKeys, k) || slices.Contains(poKeys, k) {
			continue
		}
		if near := diag.Nearest(k, readKeys); near != "" {
			return nil, fmt.Errorf("unknown key %q; did you mean %q?", k, near)
		}
		unread = append(unread, k)
	}
	switch {
	case q.Goal == nil:
		return nil, errors.New(`it lacks "goal"`)
	case q.Hyps == nil && q.Hypotheses == nil:
		return nil, errors.New(`it lacks "hyps"; write [] if there are none`)
	case q.Hyps != nil && q.Hypotheses != nil:
		return nil, errors.New(`it has both "hyps" and "hypotheses"`)
	}
	return unread, nil
}

// All are the hypotheses, under whichever name.
func (q *Sequent) All() []string {
	if q.Hyps != nil {
		return *q.Hyps
	}
	return *q.Hypotheses
}

// Path is the given id, or else the path of the obligation.
func (q *Sequent) Path() any {
	if q.ID != nil || q.Project == "" {
		return q.ID
	}
	return q.Project + "/" + q.Component + "/" + q.Name
}

// ReadFile is Read of a file, which is compressed if its name ends in .gz, or
// of stdin, whose name is -.
func ReadFile(name string, stdin io.Reader) (list []Sequent, unread []string, err error) {
	in := stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, nil, err
		}
		defer f.Close()
		in = f
	}
	if strings.HasSuffix(name, ".gz") {
		if in, err = gzip.NewReader(in); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	if list, unread, err = Read(in); err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return list, unread, err
}

// Read reads sequents, one JSON value each, and names the keys that nobody
// reads. Values are read, not lines: the hypotheses of one sequent may take megabytes.
func Read(in io.Reader) (list []Sequent, unread []string, err error) {
	lines, broken := values(in)
	others := map[string]bool{}
	seen := map[string]string{}
	for i, q := range parallel.InOrder(len(lines), runtime.GOMAXPROCS(0), func(i int) decoded { return decode(lines[i]) }) {
		if q.err != nil {
			return nil, nil, fmt.Errorf("sequent %d: %w", i+1, q.err)
		}
		for _, k := range q.unread {
			others[k] = true
		}
		q.share(seen)
		list = append(list, q.Sequent)
	}
	if broken != nil {
		return nil, nil, fmt.Errorf("sequent %d: %w", len(list)+1, broken)
	}
	return list, slices.Sorted(maps.Keys(others)), nil
}

// values reads JSON values until there are no more, or one is broken.
func values(in io.Reader) (list []json.RawMessage, broken error) {
	stream := door.NewValues(in)
	dec := json.NewDecoder(bufio.NewReaderSize(stream, 1<<20))
	for {
		stream.Next()
		var value json.RawMessage
		switch err := dec.Decode(&value); {
		case errors.Is(err, io.EOF):
			return list, nil
		case err != nil:
			return list, err
		}
		list = append(list, value)
	}
}

// share replaces hypotheses and types by equal ones seen before: sequents of one component have
// most of them in common.
func (q *Sequent) share(seen map[string]string) {
	same := func(text string) string {
		if before, ok := seen[text]; ok {
			return before
		}
		seen[text] = text
		return text
	}
	for i, text := range q.All() {
		q.All()[i] = same(text)
	}
	types := make(map[string]string, len(q.Types))
	for name, text := range q.Types {
		types[same(name)] = same(text)
	}
	q.Types = types
}

// Formulas returns the sequents that questions state, all in one bank, which is frozen: what the sequents of a component share
// is there once, and several goroutines may read it.
func Formulas(questions []Sequent) ([]logic.Sequent, error) {
	reader := check.Reader{Bank: logic.NewBank()}
	sequents := make([]logic.Sequent, len(questions))
	for i := range questions {
		q := &questions[i]
		var err error
		if sequents[i], err = reader.Sequent(q.Types, q.All(), q.Selected, *q.Goal); err != nil {
			return nil, fmt.Errorf("sequent %d: %w", i+1, err)
		}
	}
	reader.Bank.Freeze()
	return sequents, nil
}

// decoded is a sequent, and what its line has besides.
type decoded struct {
	Sequent
	unread []string
	err    error
}

func decode(line []byte) (q decoded) {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.UseNumber() // an id is written as it came
	if q.err = dec.Decode(&q.Sequent); q.err != nil {
		return q
	}
	var keys map[string]json.RawMessage
	if q.err = json.Unmarshal(line, &keys); q.err == nil {
		q.unread, q.err = q.check(keys)
	}
	return q
}

// Plans reads the hints of a file for sequents and returns what they plan, nil for those
// that no block names.
func Plans(file string, data []byte, questions []Sequent, sequents []logic.Sequent) ([]*hinted.Plan, *diag.List) {
	var problems diag.List
	set := hinted.NewSet([]*hints.File{hints.Parse(file, data, &problems)})
	plans := make([]*hinted.Plan, len(sequents))
	for i, q := range questions {
		plans[i] = set.Plan(fmt.Sprint(q.Path()), sequents[i], NumberedHypotheses(sequents[i]))
	}
	set.Report(&problems)
	return plans, &problems
}

// Task is a sequent to prove: one that was given, or a fact of hints for it.
type Task struct {
	Of      *Sequent
	Fact    string // its name behind that of the sequent that it is for
	Sequent logic.Sequent
	Labels  []string // of the hypotheses
	Hints   *derive.Node
}

// Tasks lists sequents, each with the facts of its plan behind it.
func Tasks(questions []Sequent, sequents []logic.Sequent, plans []*hinted.Plan) []Task {
	var out []Task
	for i, s := range sequents {
		whole := Task{Of: &questions[i], Sequent: s, Labels: numbered(len(questions[i].All()))}
		if plans[i] == nil {
			out = append(out, whole)
			continue
		}
		whole.Hints = plans[i].Root
		out = append(out, whole)
		for _, f := range plans[i].Facts {
			part, labels := f.Node.Sequent()
			out = append(out, Task{&questions[i], f.Name, part, labels, f.Node})
		}
	}
	return out
}

// NumberedHypotheses labels the hypotheses of a sequent, which have no names, by number.
func NumberedHypotheses(s logic.Sequent) []string { return numbered(len(s.Hyps)) }

func numbered(n int) []string {
	labels := make([]string, n)
	for i := range labels {
		labels[i] = strconv.Itoa(i)
	}
	return labels
}

// memoryBound is the memory that proving a file of sequents takes before the collector works
// harder than it is set to: the largest searches would else leave some 600 MB behind.
const memoryBound = 350 << 20

// searches is room for what two searches work with at a time, and the garbage that they make.
const searches = 240 << 20

// rarely is how much garbage, in percent of what is in use, may collect below that bound: searches
// use little and throw away much.
const rarely = 400

// BoundMemory sets that bound until the function it returns is called, with room for what is in
// memory already, and has the collector work the less below it; GOMEMLIMIT and GOGC override that.
func BoundMemory() (unbound func()) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	// What reading the file left behind is not what stays: without it, the room is for what does.
	runtime.GC()
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	limit := debug.SetMemoryLimit(max(memoryBound, searches+int64(now.HeapAlloc)))
	restore := func() { debug.SetMemoryLimit(limit) }
	if os.Getenv("GOGC") != "" {
		return restore
	}
	percent := debug.SetGCPercent(rarely)
	return func() { debug.SetGCPercent(percent); restore() }
}

// Suggest looks for hints for sequents, several at a time, and hands what it finds to
// each in their order. When ctx ends, it hands over no more.
func Suggest(ctx context.Context, sequents []logic.Sequent, opts discharge.Options, each func(int, explain.Suggestion)) {
	suggest := func(i int) explain.Suggestion {
		return explain.Suggest(ctx, sequents[i], NumberedHypotheses(sequents[i]), opts)
	}
	for i, one := range parallel.InOrder(len(sequents), cmp.Or(opts.Workers, runtime.GOMAXPROCS(0)), suggest) {
		if ctx.Err() == nil {
			each(i, one)
		}
	}
}
