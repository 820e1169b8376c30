package loop

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/tune"
)

// Role is why a configuration was measured.
type Role string

// The roles.
const (
	Control Role = "control" // the reference, to notice that the device has changed
	Planned Role = "planned" // proposed by the model
	Again   Role = "again"   // one of the fastest, to tell them apart
)

// Row is one measurement of a configuration.
type Row struct {
	At     []string // values of the parameters, in their order
	Role   Role
	MS     float64 // median of the launches, in milliseconds; 0 if it failed
	Low    float64 // the fastest launch
	High   float64 // the slowest one
	Runs   int     // launches that were timed
	Failed string  // the cause; "" if it has a time
	Launch string  // the verdict about the launch: safe, possible, open, unsupported or unsafe
}

// Log is a file of measurements: a table that `gradine calibrate --measured` reads, too. A row is written before the
// next configuration begins, at once or not at all.
type Log struct {
	path    string
	fixed   []Fixed
	names   []string // of the parameters
	of      string   // what the measurements are of: rows of anything else are kept, and not used
	lines   []string // of the file, with those of something else
	written []byte   // what stands in the file, as far as this program knows
	rows    []Row
	Others  int // rows of another source, table or device
}

// Fixed is a column that has one value in all measurements of a log: a size of the problem.
type Fixed struct{ Name, Value string }

// own are the columns after the parameters.
var own = []string{"ms", "low", "high", "runs", "role", "launch", "of"}

// underWay is the time of a configuration that was begun, and not ended: the program was killed while it ran.
const underWay = tune.Interrupted

// OpenLog reads the measurements of a file, which need not exist. Those of the same of are used again. The columns
// fixed come before those of the parameters. The error names the line that cannot be read.
func OpenLog(path string, fixed []Fixed, names []string, of string) (*Log, error) {
	l := &Log{path: path, fixed: fixed, names: names, of: of}
	data, err := door.File(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l.lines = []string{l.header()}
		return l, nil
	case err != nil:
		return nil, err
	}
	l.written = data
	return l, l.read(data, func(_ []string, of string) bool { return of == l.of })
}

// read takes the rows of a text that are used.
func (l *Log) read(data []byte, used func(fields []string, of string) bool) error {
	l.lines = strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if l.lines[0] != l.header() {
		return fmt.Errorf("%s:1: the columns are not those of this table's parameters: move the file away to start again", l.path)
	}
	for i, line := range l.lines[1:] {
		row, of, err := l.parse(line)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", l.path, i+2, err)
		}
		if !used(strings.Split(line, "\t"), of) {
			l.Others++
			continue
		}
		l.rows = append(l.rows, row)
	}
	return nil
}

// Measurements are those of a log with columns head, as the loop itself uses them: the median of each configuration,
// scaled by the reference where the device has changed. Rows of other instances are left out. The error says that rows
// are of several things, or cannot be read. ok is false if the text is no log.
func Measurements(name string, data []byte, parameters []string, where tune.Where) (rows []tune.Measurement, drift Drift, ok bool, err error) {
	first, _, _ := strings.Cut(string(data), "\n")
	head := strings.Split(first, "\t")
	n := len(head) - len(own)
	if n < 1 || !slices.Equal(head[n:], own) {
		return nil, Drift{}, false, nil
	}
	l := &Log{path: name, names: head[:n]}
	var at []int // columns of the parameters
	for _, p := range parameters {
		i := slices.Index(l.names, p)
		if i < 0 {
			return nil, Drift{}, true, fmt.Errorf("%s:1: there is no column %s; the columns are %s", name, p, strings.Join(head, ", "))
		}
		at = append(at, i)
	}
	of := ""
	var several error
	err = l.read(data, func(fields []string, this string) bool {
		for i, column := range l.names {
			if !slices.Contains(parameters, column) && !where.Selects(column, fields[i]) {
				return false
			}
		}
		if of = cmp.Or(of, this); of != this {
			several = fmt.Errorf("%s: rows are of %s and of %s: keep those of one source, kernel, reference, device and data", name, of, this)
		}
		return true
	})
	if err = cmp.Or(err, several); err != nil {
		return nil, Drift{}, true, err
	}
	for _, s := range standings(l.rows, nil) {
		m := tune.Measurement{Time: s.MS, Failed: s.Failed}
		for _, i := range at {
			m.At = append(m.At, s.At[i])
		}
		rows = append(rows, m)
	}
	return rows, drifts(l.rows), true, nil
}

func (l *Log) header() string {
	var fixed []string
	for _, f := range l.fixed {
		fixed = append(fixed, f.Name)
	}
	return strings.Join(slices.Concat(fixed, l.names, own), "\t")
}

// Rows are the measurements, in their order.
func (l *Log) Rows() []Row { return l.rows }

// begin notes that a configuration is about to run.
func (l *Log) begin(at []string, role Role, launch string) error {
	return l.put(Row{At: at, Role: role, Failed: underWay, Launch: launch}, false)
}

// end notes what became of it.
func (l *Log) end(r Row) error { return l.put(r, true) }

// cancel takes back what begin has noted: the user has ended the program before there was a result.
func (l *Log) cancel() error {
	l.lines, l.rows = l.lines[:len(l.lines)-1], l.rows[:len(l.rows)-1]
	return l.write()
}

// put adds a row, or puts it into the place of the last one.
func (l *Log) put(r Row, replace bool) error {
	if replace {
		l.lines, l.rows = l.lines[:len(l.lines)-1], l.rows[:len(l.rows)-1]
	}
	l.lines, l.rows = append(l.lines, l.text(r)), append(l.rows, r)
	return l.write()
}

func (l *Log) write() error {
	// Two programs that measure on one device disturb each other, and one would lose what the other writes.
	if now, err := door.File(l.path); err == nil && !bytes.Equal(now, l.written) {
		return fmt.Errorf("%s has changed: another program writes it", l.path)
	}
	data := []byte(strings.Join(l.lines, "\n") + "\n")
	if err := atomic.Write(l.path, data, 0o666); err != nil {
		return err
	}
	l.written = data
	return nil
}

// text is the line of a row.
func (l *Log) text(r Row) string {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 9, 64) }
	var fields []string
	for _, f := range l.fixed {
		fields = append(fields, f.Value)
	}
	fields = append(fields, r.At...)
	if r.Failed != "" {
		fields = append(fields, cause(r.Failed), "", "", "0")
	} else {
		fields = append(fields, number(r.MS), number(r.Low), number(r.High), strconv.Itoa(r.Runs))
	}
	return strings.Join(append(fields, string(r.Role), r.Launch, l.of), "\t")
}

// mostCause bounds the cause of a failure in the log, in bytes.
const mostCause = 300

// cause is the cause of a failure as a cell of the table: a line that begins with a letter.
func cause(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "?")), " ")
	if s == "" || strings.IndexAny(s, "0123456789.,+-−") == 0 || isNumber(s) {
		s = "failed: " + s
	}
	if len(s) > mostCause {
		s = strings.ToValidUTF8(s[:mostCause], "") + " …"
	}
	return s
}

func isNumber(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// parse reads a line.
func (l *Log) parse(line string) (r Row, of string, err error) {
	fields := strings.Split(line, "\t")
	if n := len(l.fixed) + len(l.names) + len(own); len(fields) != n {
		return r, "", fmt.Errorf("%d columns, where the first line has %d", len(fields), n)
	}
	// A log may be cut off or edited by hand. A row that is not understood is refused, because it could become the best point.
	fields = fields[len(l.fixed):]
	r.At = fields[:len(l.names):len(l.names)]
	cells := fields[len(l.names):]
	r.Role, r.Launch, of = Role(cells[4]), cells[5], cells[6]
	if !slices.Contains([]Role{Control, Planned, Again}, r.Role) {
		return r, "", fmt.Errorf("%q is not a role: control, planned or again", cells[4])
	}
	if !isNumber(cells[0]) {
		r.Failed = cells[0]
		if r.Failed == "" {
			return r, "", errors.New("the column ms is empty")
		}
		return r, of, nil
	}
	for i, to := range []*float64{&r.MS, &r.Low, &r.High} {
		if *to, err = strconv.ParseFloat(cells[i], 64); err != nil || !(*to > 0) || math.IsInf(*to, 0) {
			return r, "", fmt.Errorf("%q is not a time in milliseconds", cells[i])
		}
	}
	if r.MS < r.Low || r.MS > r.High {
		return r, "", fmt.Errorf("the time %s is not between those of the fastest and of the slowest launch, %s and %s", cells[0], cells[1], cells[2])
	}
	if r.Runs, err = strconv.Atoi(cells[3]); err != nil || r.Runs < 1 {
		return r, "", fmt.Errorf("%q is not a number of launches", cells[3])
	}
	return r, of, nil
}
