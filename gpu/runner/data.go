package runner

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
)

// Type is that of the elements of a buffer.
type Type struct {
	Name   string
	Bytes  int64
	Float  bool
	Signed bool
}

// Types are those of elements, as C and OpenCL name them, smallest first.
var Types = []Type{
	{"char", 1, false, true}, {"uchar", 1, false, false}, {"short", 2, false, true}, {"ushort", 2, false, false},
	{"int", 4, false, true}, {"uint", 4, false, false}, {"float", 4, true, true},
	{"long", 8, false, true}, {"ulong", 8, false, false}, {"double", 8, true, true},
}

// Encode is a number as memory has it. The error says that the type has no such number.
func (t Type) Encode(x float64) ([]byte, error) {
	out := make([]byte, 8)
	if t.Float {
		if t.Bytes == 4 {
			binary.LittleEndian.PutUint32(out, math.Float32bits(float32(x)))
		} else {
			binary.LittleEndian.PutUint64(out, math.Float64bits(x))
		}
		return out[:t.Bytes], nil
	}
	bits := float64(8 * t.Bytes)
	low, high := 0.0, math.Exp2(bits)
	if t.Signed {
		low, high = -math.Exp2(bits-1), math.Exp2(bits-1)
	}
	switch {
	case x != math.Trunc(x):
		return nil, fmt.Errorf("%v is not an integer, which %s needs", x, t.Name)
	case x < low || x >= high:
		return nil, fmt.Errorf("%v is outside the range of %s", x, t.Name)
	case x < 0:
		binary.LittleEndian.PutUint64(out, uint64(int64(x)))
	default:
		binary.LittleEndian.PutUint64(out, uint64(x))
	}
	return out[:t.Bytes], nil
}

// decode is an element as a number, and the bytes it consists of as an integer.
func (t Type) decode(data []byte) (number float64, exact uint64) {
	for i := range t.Bytes {
		exact |= uint64(data[i]) << (8 * i)
	}
	switch shift := 64 - 8*t.Bytes; {
	case t.Float && t.Bytes == 4:
		number = float64(math.Float32frombits(uint32(exact)))
	case t.Float:
		number = math.Float64frombits(exact)
	case t.Signed:
		number = float64(int64(exact<<shift) >> shift)
	default:
		number = float64(exact)
	}
	return number, exact
}

// Fill says what a buffer has at first.
type Fill struct {
	Random    bool   // between Low and High, the same for the same Seed
	Seed      uint64 //
	Low, High float64
	Constant  float64 // where it is not random
}

// Write writes count elements to a file.
func (f Fill) Write(path string, t Type, count int64) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	out := bufio.NewWriterSize(file, 1<<16)
	r := rand.New(rand.NewPCG(f.Seed, 1))
	one, err := t.Encode(f.Constant)
	if err != nil {
		return err
	}
	for range count {
		if f.Random {
			x := f.Low + (f.High-f.Low)*r.Float64()
			if !t.Float {
				x = math.Floor(x)
			}
			if one, err = t.Encode(x); err != nil {
				return err
			}
		}
		if _, err = out.Write(one); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Difference is where results differ from what is expected.
type Difference struct {
	At        int64 // index of the first element
	Got, Want float64
	Count     int64 // elements that differ
}

func (d *Difference) Error() string {
	return fmt.Sprintf("element %d is %v, and not %v; %d differ", d.At, d.Got, d.Want, d.Count)
}

// Compare compares the contents of two files. Integers are equal; floating-point numbers differ by at most tolerance,
// times the number that is expected where that is more than 1. A *Difference says where they are not.
func Compare(got, want string, t Type, tolerance float64) error {
	d := &Difference{}
	err := pairs(got, want, t, func(i int64, g, w []byte) error {
		a, x := t.decode(g)
		b, y := t.decode(w)
		same := x == y
		if t.Float && !same {
			same = math.Abs(a-b) <= tolerance*max(1, math.Abs(b)) // false for NaN
		}
		if !same {
			if d.Count == 0 {
				d.At, d.Got, d.Want = i, a, b
			}
			d.Count++
		}
		return nil
	})
	if err == nil && d.Count > 0 {
		return d
	}
	return err
}

// Changed reports whether results differ anywhere from what stood there before, in bytes.
func Changed(got, before string, t Type) (changed bool, err error) {
	err = pairs(got, before, t, func(_ int64, g, w []byte) error {
		_, x := t.decode(g)
		_, y := t.decode(w)
		changed = changed || x != y
		return nil
	})
	return changed, err
}

// Finite says which element of a file is no finite number, with an error: nothing can be compared with it.
func Finite(path string, t Type) error {
	if !t.Float {
		return nil
	}
	return pairs(path, path, t, func(i int64, g, _ []byte) error {
		if x, _ := t.decode(g); math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("element %d is %v, with which nothing can be compared: choose other data", i, x)
		}
		return nil
	})
}

// pairs calls f for the elements of two files.
func pairs(a, b string, t Type, f func(i int64, x, y []byte) error) error {
	first, err := os.Open(a)
	if err != nil {
		return err
	}
	defer first.Close()
	second, err := os.Open(b)
	if err != nil {
		return err
	}
	defer second.Close()
	one, two := bufio.NewReaderSize(first, 1<<16), bufio.NewReaderSize(second, 1<<16)
	x, y := make([]byte, t.Bytes), make([]byte, t.Bytes)
	for i := int64(0); ; i++ {
		_, firstErr := io.ReadFull(one, x)
		_, secondErr := io.ReadFull(two, y)
		switch {
		case firstErr == io.EOF && secondErr == io.EOF:
			return nil
		case firstErr != nil || secondErr != nil:
			return fmt.Errorf("%s and %s have different sizes", a, b)
		}
		if err := f(i, x, y); err != nil {
			return err
		}
	}
}
