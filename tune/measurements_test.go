package tune

import (
	"bytes"
	"compress/gzip"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestReadMeasurements(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte("ms\tn\n2.5\t3\n"))
	z.Close()
	for _, test := range []struct {
		table, want string // of each row its parameter, and its time or why it has none
	}{
		{"n\tms\n1\t2\n\n-4\t0.5\r\n", "1:2 −4:0.5"},
		{packed.String(), "3:2.5"},
		{"n\tms\n1\tout of memory\n2\tinf\n3\tNaN\n4\t0\n5\t-1\n6\t\n", "1:out of memory 2:inf 3:NaN 4:0 5:-1 6:no time"},
		{"n\n1\n", "f:1: there is no column ms; the columns are n"},
		{"n\tms\n1\n", "f:2: 1 columns are too few"},
		{"\x1f\x8bno archive", "f: gzip: invalid header"},
	} {
		rows, err := ReadMeasurements("f", []byte(test.table), []string{"n"})
		var got []string
		for _, m := range rows {
			got = append(got, m.At[0]+":"+timeOrCause(m))
		}
		if err != nil {
			got = []string{err.Error()}
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%q reads %q, want %q", test.table, s, test.want)
		}
	}
	bomb := slices.Repeat([]byte{0}, 1<<20)
	packed.Reset()
	z = gzip.NewWriter(&packed)
	for range maxTable>>20 + 1 {
		z.Write(bomb)
	}
	z.Close()
	if _, err := ReadMeasurements("f", packed.Bytes(), []string{"n"}); err == nil || !strings.Contains(err.Error(), "more than 64 MB") {
		t.Errorf("a table without end: %v", err)
	}
}

func timeOrCause(m Measurement) string {
	if m.Failed != "" {
		return m.Failed
	}
	return strconv.FormatFloat(m.Time, 'g', -1, 64)
}
