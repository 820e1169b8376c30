package tune

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore/simulate"
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
		{"n\tms\n1\t 2.5 \n", "1:2.5"},
		{"n\tms\n1\t2\n2\t3,5\n", "f:3: 3,5 is not a time in milliseconds, such as 3.5, or an error of the device in words"},
		{"n\tms\n1\t3.5 ms\n", "f:2: 3.5 ms is not a time in milliseconds, such as 3.5, or an error of the device in words"},
		{"n\tms\n1\t1e400\n", "f:2: 1e400 is not a time in milliseconds, such as 3.5, or an error of the device in words"},
		{"n\tms\tof\n1\t2\tx\n2\t3\tx\n1\tinterrupted\tx\n", "1:2 2:3"},
		{"n\tms\tof\n1\t2\tx\n2\t3\ty\n", "f:3: this row is of y, and those above are of x: keep the rows of one source, kernel, reference, device and data"},
		{"n\tms\tof\n1\t2\n", "f:2: too few columns: 2"},
		{"n\n1\n", "f:1: there is no column ms; the columns are n"},
		{"\ufeffn\tms\n 07\t1\n-2 \t1\n−3\t2\nTRUE\t1\n", "7:1 −2:1 −3:2 TRUE:1"},
		{"", "f: the table is empty; its first line names the columns, n and ms"},
		{"n\tn\tms\n1\t2\t3\n", "f:1: the name n is ambiguous: two columns or two parameters have it"},
		{"n\tms\tms\n1\t2\t3\n", "f:1: the name ms is ambiguous: two columns or two parameters have it"},
		{"n\tms\n1\n", "f:2: too few columns: 1"},
		{"\x1f\x8bno archive", "f: gzip: invalid header"},
	} {
		rows, err := ReadMeasurements("f", []byte(test.table), []string{"n"}, nil)
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
	if _, err := ReadMeasurements("f", packed.Bytes(), []string{"n"}, nil); err == nil || !strings.Contains(err.Error(), "more than 64 MB") {
		t.Errorf("a table without end: %v", err)
	}
}

func timeOrCause(m Measurement) string {
	if m.Failed != "" {
		return m.Failed
	}
	return strconv.FormatFloat(m.Time, 'g', -1, 64)
}

// TestMeasured gives answers random times, in random units: what is best is what a comparison of fractions
// says, and each row is of a point or counted as one of none.
func TestMeasured(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for round := range 300 {
		a := &Answer{Objectives: []Objective{{Text: "t"}}}
		unit := []float64{1, 0.25, 3, 1e-9, 1e9, 1e200}[r.IntN(6)]
		exact := map[int]*big.Rat{}
		var rows []Measurement
		n := 2 + r.IntN(6)
		for i := range n {
			predicted := big.NewInt(int64(r.IntN(4)))
			a.Points = append(a.Points, Point{Values: []simulate.Constant{{Text: strconv.Itoa(i)}}, Ranges: []Range{{predicted, predicted}}, By: Theorem, SameAs: -1})
			exact[i] = new(big.Rat).SetInt(predicted)
		}
		elsewhere := 0
		for range r.IntN(2 * n) {
			i := r.IntN(n + 2)
			m := Measurement{At: []string{strconv.Itoa(i)}, Time: []float64{0.3, 0.5, 0.75, 1.25, 1.5, 2, 1e-300, 1e300}[r.IntN(8)]}
			if r.IntN(3) > 0 {
				m.Time = float64(1+r.IntN(8)) / unit / 4
			}
			rows = append(rows, m)
			if i >= n {
				elsewhere++
			} else {
				exact[i] = new(big.Rat).Mul(new(big.Rat).SetFloat64(m.Time), new(big.Rat).SetFloat64(unit))
			}
		}
		if err := a.measure(rows, unit); err != nil {
			t.Fatal(err)
		}
		a.Judge()
		var best []int
		for i := range n {
			least := true
			for k := range n {
				least = least && exact[i].Cmp(exact[k]) <= 0
			}
			if least {
				best = append(best, i)
			}
		}
		if !slices.Equal(a.Best, best) || a.Elsewhere != elsewhere {
			t.Fatalf("round %d, unit %g: best %v, not %v; %d rows elsewhere, not %d\n%v", round, unit, a.Best, best, a.Elsewhere, elsewhere, rows)
		}
	}
}

// TestWhere: rows belong to an instance by the columns that are named like its constants.
func TestWhere(t *testing.T) {
	table := []byte("n\tsize\tother\tms\n1\t8\t5\t2.5\n1\t16\t5\t3\n2\t−8\t5\t4\n2\t08\t6\t5\n")
	for _, test := range []struct {
		where Where
		want  string
	}{
		{nil, "[[1] 2.5] [[1] 3] [[2] 4] [[2] 5]"},
		{Where{"size": "8"}, "[[1] 2.5] [[2] 5]"},
		{Where{"size": "-8"}, "[[2] 4]"},
		{Where{"size": "8", "other": "5"}, "[[1] 2.5]"},
		{Where{"size": "7"}, ""},
		{Where{"absent": "7", "n": "1"}, "[[1] 2.5] [[1] 3] [[2] 4] [[2] 5]"}, // n is a parameter
	} {
		rows, err := ReadMeasurements("f", table, []string{"n"}, test.where)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range rows {
			got = append(got, fmt.Sprint([]any{r.At, r.Time}))
		}
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%v: %s, want %s", test.where, text, test.want)
		}
	}
}
