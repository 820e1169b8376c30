package tune

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxTable bounds a table of measurements, in bytes: tuners measure some million points.
const maxTable = 1 << 26

// ReadMeasurements reads the table of measurements in file name, which may be compressed: a
// line each, with columns named like the parameters and ms, separated by tabs. What is no
// positive time says why there is none.
func ReadMeasurements(name string, data []byte, parameters []string) ([]Measurement, error) {
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		unpacked, err := gzip.NewReader(bytes.NewReader(data))
		if err == nil {
			data, err = io.ReadAll(io.LimitReader(unpacked, maxTable+1))
		}
		if len(data) > maxTable {
			return nil, fmt.Errorf("%s: more than %d MB of measurements", name, maxTable>>20)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	var columns []int // of the parameters
	time := -1
	var out []Measurement
	lines := bufio.NewScanner(bytes.NewReader(data))
	for line := 1; lines.Scan(); line++ {
		fields := strings.Split(strings.TrimRight(lines.Text(), "\r"), "\t")
		if line == 1 {
			time = slices.Index(fields, "ms")
			for _, p := range append(slices.Clone(parameters), "ms") {
				i := slices.Index(fields, p)
				if i < 0 {
					return nil, fmt.Errorf("%s:1: there is no column %s; the columns are %s", name, p, strings.Join(fields, ", "))
				}
				columns = append(columns, i)
			}
			columns = columns[:len(parameters)]
			continue
		}
		if len(fields) == 1 && fields[0] == "" {
			continue
		}
		if len(fields) <= max(time, slices.Max(columns)) {
			return nil, fmt.Errorf("%s:%d: %d columns are too few", name, line, len(fields))
		}
		var m Measurement
		for _, i := range columns {
			m.At = append(m.At, strings.Replace(fields[i], "-", "−", 1))
		}
		// Tuners write inf or 0 where a point could not run, too.
		if ms, err := strconv.ParseFloat(fields[time], 64); err == nil && ms > 0 && !math.IsInf(ms, 0) {
			m.Time = ms
		} else {
			m.Failed = cmp.Or(fields[time], "no time")
		}
		out = append(out, m)
	}
	return out, lines.Err()
}
