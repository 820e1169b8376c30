// Package question reads files of sequents to prove, one JSON value per line, with their
// hints. It limits the memory that they take.
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
	"iter"
	"maps"
	"os"
	"runtime"
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

// readKeys are the keys of a line that are read, and poKeys those that po also writes.
var (
	readKeys = []string{"id", "project", "component", "name", "types", "hyps", "hypotheses", "selected", "goal"}
	poKeys   = []string{"kind", "nature", "accurate", "sources"}
)

// check refuses a line that lacks something, or misspells it: a sequent that has lost
// its hypotheses is another one. It returns the keys that are not read.
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

// batchBytes is the text of the sequents that are read together, a little more if the last is long: they share
// what they have in common, and nothing is kept of them when they are done.
const batchBytes = 1 << 20

// batchesAhead bounds the batches that are read while another is proved. With those in memory are the batch
// that is handed out, and one for each search that still works on an earlier batch. Reading is a small part of the work.
const batchesAhead = 1

// Batch is some sequents of a file, one behind the other.
type Batch struct {
	Questions []Sequent
	Sequents  []logic.Sequent // what they state, all in one bank, which is frozen
	Err       error           // why the sequent behind them cannot be read; it ends the file

	unread []string
}

// File is a file of sequents. It is read once.
type File struct {
	in     io.Reader
	closer io.Closer
	unread map[string]bool
}

// Open opens a file, which is compressed if its name ends in .gz, or stdin, whose name is -.
func Open(name string, stdin io.Reader) (*File, error) {
	f := &File{in: stdin, closer: io.NopCloser(nil), unread: map[string]bool{}}
	if name != "-" {
		opened, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		f.in, f.closer = opened, opened
	}
	if strings.HasSuffix(name, ".gz") {
		unpacked, err := gzip.NewReader(f.in)
		if err != nil {
			f.closer.Close()
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		f.in = unpacked
	}
	return f, nil
}

// Close closes the file.
func (f *File) Close() error { return f.closer.Close() }

// Unread names the unknown keys of the batches so far.
func (f *File) Unread() []string { return slices.Sorted(maps.Keys(f.unread)) }

// Batches reads the sequents, one JSON value each: values and not lines, as the hypotheses of one sequent may
// take megabytes. It reads one batch ahead, and ends behind the first that has an error.
func (f *File) Batches() iter.Seq[Batch] {
	return func(yield func(Batch) bool) {
		for b := range parallel.Stream(lines(f.in), batchesAhead, batchesAhead, text.read) {
			for _, k := range b.unread {
				f.unread[k] = true
			}
			if !yield(b) || b.Err != nil {
				return
			}
		}
	}
}

// text is the JSON values of a batch.
type text struct {
	first  int // the number of the first
	values []json.RawMessage
	broken error // what comes behind them
}

// lines reads JSON values up to the end of the file or the first broken one.
func lines(in io.Reader) iter.Seq[text] {
	return func(yield func(text) bool) {
		stream := door.NewValues(in)
		dec := json.NewDecoder(bufio.NewReaderSize(stream, 1<<20))
		for x := (text{first: 1}); ; x = (text{first: x.first + len(x.values)}) {
			bytes := 0
			for bytes < batchBytes && x.broken == nil {
				stream.Next()
				var value json.RawMessage
				if x.broken = dec.Decode(&value); x.broken == nil {
					x.values = append(x.values, value)
					bytes += len(value)
				}
			}
			last := x.broken != nil
			if errors.Is(x.broken, io.EOF) {
				x.broken = nil
			}
			if !yield(x) || last {
				return
			}
		}
	}
}

// read reads a batch up to the first sequent that is wrong.
func (x text) read() Batch {
	var b Batch
	seen := map[string]string{}
	reader := check.Reader{Bank: logic.NewBank()}
	defer reader.Bank.Freeze()
	for _, value := range x.values {
		q := decode(value)
		if b.Err = q.err; b.Err == nil {
			q.share(seen)
			var sequent logic.Sequent
			if sequent, b.Err = reader.Sequent(q.Types, q.All(), q.Selected, *q.Goal); b.Err == nil {
				b.Questions, b.Sequents = append(b.Questions, q.Sequent), append(b.Sequents, sequent)
				b.unread = append(b.unread, q.unread...)
				continue
			}
		}
		break
	}
	if b.Err == nil {
		b.Err = x.broken
	}
	if b.Err != nil {
		b.Err = fmt.Errorf("sequent %d: %w", x.first+len(b.Questions), b.Err)
	}
	return b
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

// decoded is a sequent, and what else its line has.
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

// Hints are hints for sequents.
type Hints struct {
	Source   []byte // the text of the file
	set      *hinted.Set
	problems diag.List
}

// ReadHints reads the hints of a file.
func ReadHints(file string, data []byte) *Hints {
	h := &Hints{Source: data}
	h.set = hinted.NewSet([]*hints.File{hints.Parse(file, data, &h.problems)})
	return h
}

// Problems are what is wrong with the hints, once all sequents are read.
func (h *Hints) Problems() *diag.List {
	h.set.Report(&h.problems)
	return &h.problems
}

// Task is a sequent to prove: one that was given, or a fact of hints for it.
type Task struct {
	Of      *Sequent
	Fact    string // its name behind that of the sequent that it is for
	Sequent logic.Sequent
	Labels  []string // of the hypotheses
	Hints   *derive.Node
}

// Tasks lists the sequents of b, each with the facts of its plan behind it. There may be no hints.
func (b Batch) Tasks(h *Hints) iter.Seq[Task] {
	return func(yield func(Task) bool) {
		for i, s := range b.Sequents {
			q := &b.Questions[i]
			whole := Task{Of: q, Sequent: s, Labels: NumberedHypotheses(s)}
			var facts []hinted.Fact
			if h != nil {
				if plan := h.set.Plan(fmt.Sprint(q.Path()), s, whole.Labels); plan != nil {
					whole.Hints, facts = plan.Root, plan.Facts
				}
			}
			if !yield(whole) {
				return
			}
			for _, f := range facts {
				part, labels := f.Node.Sequent()
				if !yield(Task{q, f.Name, part, labels, f.Node}) {
					return
				}
			}
		}
	}
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

// Suggest looks for hints for the sequents of tasks, several at a time, and hands what it finds to
// each in their order. When ctx ends, it hands over no more.
func Suggest(ctx context.Context, tasks iter.Seq[Task], opts discharge.Options, each func(*Sequent, explain.Suggestion)) {
	type found struct {
		of *Sequent
		explain.Suggestion
	}
	suggest := func(t Task) found { return found{t.Of, explain.Suggest(ctx, t.Sequent, t.Labels, opts)} }
	atOnce := cmp.Or(opts.Workers, runtime.GOMAXPROCS(0))
	for x := range parallel.Stream(tasks, atOnce, atOnce, suggest) {
		if ctx.Err() == nil {
			each(x.of, x.Suggestion)
		}
	}
}
