package loop

import (
	"bytes"
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
	names   []string // of the parameters
	of      string   // what the measurements are of: rows of anything else are kept, and not used
	lines   []string // of the file, with those of something else
	written []byte   // what stands in the file, as far as this program knows
	rows    []Row
	Others  int // rows of another source, table or device
}

// own are the columns after the parameters.
var own = []string{"ms", "low", "high", "runs", "role", "launch", "of"}

// underWay is the time of a configuration that was begun, and not ended: the program was killed while it ran.
const underWay = tune.Interrupted

// OpenLog reads the measurements of a file, which need not exist. Those of the same of are used again. The error
// names the line that cannot be read.
func OpenLog(path string, names []string, of string) (*Log, error) {
	l := &Log{path: path, names: names, of: of}
	data, err := door.File(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l.lines = []string{l.header()}
		return l, nil
	case err != nil:
		return nil, err
	}
	l.written = data
	l.lines = strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if l.lines[0] != l.header() {
		return nil, fmt.Errorf("%s:1: the columns are not those of this table's parameters: move the file away to start again", path)
	}
	for i, line := range l.lines[1:] {
		row, of, err := l.parse(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+2, err)
		}
		if of != l.of {
			l.Others++
			continue
		}
		l.rows = append(l.rows, row)
	}
	return l, nil
}

func (l *Log) header() string { return strings.Join(slices.Concat(l.names, own), "\t") }

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
	fields := slices.Clone(r.At)
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
	if len(fields) != len(l.names)+len(own) {
		return r, "", fmt.Errorf("%d columns, where the first line has %d", len(fields), len(l.names)+len(own))
	}
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
