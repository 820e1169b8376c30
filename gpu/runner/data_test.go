package runner

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// TestEncode: what memory has of a number is that number again, and what a type does not have is refused.
func TestEncode(t *testing.T) {
	for _, c := range []struct {
		kind string
		x    float64
		ok   bool
	}{
		{"char", -128, true}, {"char", 128, false}, {"uchar", 255, true}, {"uchar", -1, false}, {"short", -3, true}, {"ushort", 65536, false},
		{"int", math.MinInt32, true}, {"int", math.MaxInt32 + 1, false}, {"uint", math.MaxUint32, true}, {"int", 0.5, false},
		{"long", math.MinInt64, true}, {"long", math.Exp2(63), false}, {"ulong", math.Exp2(63), true}, {"ulong", math.Exp2(64), false},
		{"float", 0.5, true}, {"double", -1e300, true}, {"int", math.NaN(), false},
	} {
		kind := named(t, c.kind)
		data, err := kind.Encode(c.x)
		if (err == nil) != c.ok {
			t.Errorf("%s %v: %v", c.kind, c.x, err)
			continue
		}
		if !c.ok {
			continue
		}
		if got, _ := kind.decode(data); got != c.x || int64(len(data)) != kind.Bytes {
			t.Errorf("%s %v is read as %v from %d bytes", c.kind, c.x, got, len(data))
		}
	}
}

func named(t *testing.T, name string) Type {
	for _, k := range Types {
		if k.Name == name {
			return k
		}
	}
	t.Fatalf("no type %s", name)
	return Type{}
}

// TestCompare: integers are exact, tolerance is of floating-point numbers, and NaN is equal to nothing.
func TestCompare(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, kind Type, values ...float64) string {
		var data []byte
		for _, v := range values {
			one, err := kind.Encode(v)
			if err != nil {
				t.Fatal(err)
			}
			data = append(data, one...)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	float, double, integer := named(t, "float"), named(t, "double"), named(t, "int")
	for _, c := range []struct {
		name      string
		kind      Type
		got, want []float64
		tolerance float64
		count     int64 // elements that differ; -1: another error
	}{
		{"equal", float, []float64{1, 2}, []float64{1, 2}, 0, 0},
		{"absolute below 1", double, []float64{0.009}, []float64{0}, 0.01, 0},
		{"absolute below 1, too far", double, []float64{0.011}, []float64{0}, 0.01, 1},
		{"relative above 1", double, []float64{1009, -1009}, []float64{1000, -1000}, 0.01, 0},
		{"relative above 1, too far", double, []float64{1011, -1000}, []float64{1000, -1011}, 0.01, 2},
		{"NaN", float, []float64{math.NaN()}, []float64{1}, 1e9, 1},
		{"NaN expected", float, []float64{math.NaN()}, []float64{math.NaN()}, 1e9, 0}, // the same bytes; Finite refuses it before
		{"infinite", float, []float64{math.Inf(1)}, []float64{1}, 1e9, 1},
		{"integers", integer, []float64{7}, []float64{8}, 1e9, 1},
		{"sizes", integer, []float64{7}, []float64{7, 8}, 1e9, -1},
	} {
		err := Compare(file("got", c.kind, c.got...), file("want", c.kind, c.want...), c.kind, c.tolerance)
		d, differ := errors.AsType[*Difference](err)
		switch {
		case c.count == 0 && err != nil, c.count > 0 && (!differ || d.Count != c.count), c.count < 0 && (err == nil || differ):
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if err := Finite(file("nan", float, 1, math.NaN()), float); err == nil {
		t.Error("NaN is finite")
	}
	if err := Finite(file("inf", double, math.Inf(-1)), double); err == nil {
		t.Error("∞ is finite")
	}
	if err := Finite(file("one", double, 1), double); err != nil {
		t.Error(err)
	}
}

// TestFill: the same seed fills alike, others do not, and numbers are within their range.
func TestFill(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for _, kind := range Types {
		for seed, same := range map[uint64]bool{1: true, 2: false} {
			low, high := 3.0, 90.0
			for path, s := range map[string]uint64{a: 1, b: seed} {
				if err := (Fill{Random: true, Seed: s, Low: low, High: high}).Write(path, kind, 1000); err != nil {
					t.Fatal(err)
				}
			}
			changed, err := Changed(a, b, kind)
			if err != nil || changed == same {
				t.Errorf("%s, seed %d: changed %v, %v", kind.Name, seed, changed, err)
			}
			data, err := os.ReadFile(b)
			if err != nil || int64(len(data)) != 1000*kind.Bytes {
				t.Fatalf("%d bytes, %v", len(data), err)
			}
			distinct := map[float64]bool{}
			for i := int64(0); i < int64(len(data)); i += kind.Bytes {
				x, _ := kind.decode(data[i:])
				if distinct[x] = true; x < low || x >= high {
					t.Fatalf("%s: %v is not in %v‥%v", kind.Name, x, low, high)
				}
			}
			if len(distinct) < 50 {
				t.Errorf("%s: only %d different numbers", kind.Name, len(distinct))
			}
		}
	}
}
