package tune

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// measure gives the points that a device has measured their values: a prediction does not
// stand against them, and a point that failed there cannot be launched. Of several rows of
// one point the last counts.
func (a *Answer) measure(rows []Measurement, unit float64) error {
	switch {
	case len(rows) == 0:
		return nil
	case len(a.Objectives) > 1 || a.Objectives[0].Maximise:
		return errors.New("measured times need exactly one objective, to minimise")
	case !(unit > 0) || math.IsInf(unit, 0):
		return errors.New("measured times cannot be compared with the objective: its unit of time is unknown")
	}
	last := map[string]Measurement{}
	for _, row := range rows {
		last[row.key()] = row
	}
	known := map[string]bool{}
	for i := range a.Points {
		point := &a.Points[i]
		row, ok := last[point.key()]
		known[point.key()] = true
		switch {
		case !ok:
		case point.Illegal != "":
			if row.Failed == "" {
				a.Invalid++
			}
		case row.Failed != "":
			point.Illegal = failed + row.Failed
		default:
			point.took(row.Time, unit)
		}
	}
	for _, row := range rows {
		if !known[row.key()] {
			a.Elsewhere++
		}
	}
	// The machine is the same at points that the device tells apart.
	for i := range a.Points {
		if k := a.Points[i].SameAs; k >= 0 && (a.Points[i].told() || a.Points[k].told()) {
			a.Points[i].SameAs = -1
		}
	}
	return nil
}

// took gives a point the time that the device took, in units of the objective: the nearest
// number of them, and what is beyond it.
func (p *Point) took(time, unit float64) {
	exact := new(big.Float).SetPrec(128).Mul(big.NewFloat(time), big.NewFloat(unit))
	value, _ := new(big.Float).Add(exact, big.NewFloat(0.5)).Int(nil)
	p.Ranges, p.By, p.ms, p.Found = []Range{{value, value}}, Device, time, 0 // no step of the search gives it
	p.rest, _ = exact.Sub(exact, new(big.Float).SetInt(value)).Float64()
}

// failed begins the reason why a point that a device refused is none.
const failed = "fails on the device: "

// told reports whether a device has spoken of the point.
func (p *Point) told() bool { return p.By == Device || strings.HasPrefix(p.Illegal, failed) }

// key is the values of a point's parameters, as tables of measurements have them.
func (p *Point) key() string {
	var texts []string
	for _, v := range p.Values {
		texts = append(texts, v.Text)
	}
	return strings.Join(texts, "\t")
}

// key is that of the point that was measured.
func (m Measurement) key() string { return strings.Join(m.At, "\t") }

// Interrupted stands in place of a time where the program was ended while a point ran: that says nothing of the point.
const Interrupted = "interrupted"

// maxTable bounds a table of measurements, in bytes: tuners measure some million points.
const maxTable = 1 << 26

// unpacked is the text of a table, which may be compressed.
func unpacked(name string, data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		return data, nil
	}
	packed, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		data, err = io.ReadAll(io.LimitReader(packed, maxTable+1))
	}
	if len(data) > maxTable {
		return nil, fmt.Errorf("%s: more than %d MB of measurements", name, maxTable>>20)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}

// Columns are the names in the first line of a table of measurements, which may be compressed.
func Columns(name string, data []byte) ([]string, error) {
	data, err := unpacked(name, data)
	if err != nil {
		return nil, err
	}
	first, _, _ := strings.Cut(string(bytes.TrimPrefix(data, []byte("\ufeff"))), "\n")
	return strings.Split(strings.TrimRight(first, "\r"), "\t"), nil
}

// Where says which rows of a table are of an instance: those that have these values in the columns of these names. A
// column that the table does not have selects nothing.
type Where map[string]string

// Selects reports whether the instance has the value of a cell.
func (w Where) Selects(column, cell string) bool {
	want, ok := w[column]
	return !ok || valueText(want) == valueText(cell)
}

// ReadMeasurements reads the table of measurements in file name, which may be compressed: a
// line each, with columns named like the parameters and ms, separated by tabs. A word
// instead of a time says why there is none. Rows of other instances are left out. The column of, which the tables of
// `gradine tune --run` have, says what was measured: rows of several things are refused.
func ReadMeasurements(name string, data []byte, parameters []string, where Where) ([]Measurement, error) {
	data, err := unpacked(name, data)
	if err != nil {
		return nil, err
	}
	var others []int // columns that say which instance a row is of
	var head []string
	var columns []int // of the parameters, and of the time
	time, of := -1, -1
	measured := "" // what the rows are of
	var out []Measurement
	lines := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	for line := 1; lines.Scan(); line++ {
		fields := strings.Split(strings.TrimRight(lines.Text(), "\r"), "\t")
		if line == 1 {
			for _, p := range append(slices.Clone(parameters), "ms") {
				i := slices.Index(fields, p)
				switch {
				case i < 0:
					return nil, fmt.Errorf("%s:1: there is no column %s; the columns are %s", name, p, strings.Join(fields, ", "))
				case slices.Contains(fields[i+1:], p) || slices.Contains(columns, i):
					return nil, fmt.Errorf("%s:1: the name %s is ambiguous: two columns or two parameters have it", name, p)
				}
				columns = append(columns, i)
			}
			columns, time = columns[:len(parameters)], columns[len(parameters)]
			if !slices.Contains(parameters, "of") {
				of = slices.Index(fields, "of")
			}
			head = fields
			for i, column := range fields {
				if _, ok := where[column]; ok && !slices.Contains(parameters, column) {
					others = append(others, i)
				}
			}
			continue
		}
		if len(fields) == 1 && fields[0] == "" {
			continue
		}
		if len(fields) <= max(time, of, slices.Max(append(slices.Clone(columns), others...))) {
			return nil, fmt.Errorf("%s:%d: too few columns: %d", name, line, len(fields))
		}
		if slices.ContainsFunc(others, func(i int) bool { return !where.Selects(head[i], fields[i]) }) {
			continue
		}
		if of >= 0 {
			if measured = cmp.Or(measured, fields[of]); measured != fields[of] {
				return nil, fmt.Errorf("%s:%d: this row is of %s, and those above are of %s: keep the rows of one source, kernel, reference, device and data", name, line, fields[of], measured)
			}
		}
		var m Measurement
		for _, i := range columns {
			m.At = append(m.At, valueText(fields[i]))
		}
		if err := m.read(strings.TrimSpace(fields[time])); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, line, err)
		}
		if of >= 0 && m.Failed == Interrupted {
			continue
		}
		out = append(out, m)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if time < 0 {
		return nil, fmt.Errorf("%s: the table is empty; its first line names the columns, %s and ms", name, strings.Join(parameters, ", "))
	}
	return out, nil
}

// read reads a time, or the device's error instead. What looks like a number and is no time is
// neither: taken for an error, it would take a point away that runs.
func (m *Measurement) read(text string) error {
	ms, err := strconv.ParseFloat(text, 64)
	switch {
	case err == nil && ms > 0 && !math.IsInf(ms, 0):
		m.Time = ms
	case err == nil:
		m.Failed = text // tuners write these, too, where a point could not run
	case strings.IndexAny(text, "0123456789.,+-−") == 0:
		return fmt.Errorf("%s is not a time in milliseconds, such as 3.5, or an error of the device in words", text)
	default:
		m.Failed = cmp.Or(text, "no time")
	}
	return nil
}

// valueText is what a table says of a parameter, written as points have it.
func valueText(s string) string {
	s = strings.TrimSpace(s)
	if n, ok := new(big.Int).SetString(strings.Replace(s, "−", "-", 1), 10); ok {
		s = n.String()
	}
	return strings.Replace(s, "-", "−", 1)
}

// Measurement is one row of a table of measurements.
type Measurement struct {
	At     []string // the values of the shown parameters
	Time   float64
	Failed string // the device's error instead of a time
}
