// Package door limits the size of external input, in bytes. Larger input is rejected with an
// error that names the limit.
package door

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

const (
	// MaxText is the size of the largest file that is read whole, in bytes.
	MaxText = 64 << 20
	// MaxValue is the size of the largest value of a stream, in bytes: a request, a sequent, a formula.
	MaxValue = 64 << 20
)

// A TooLarge error refuses a text.
type TooLarge struct {
	Name  string // of the file; "" for a value of a stream
	Limit int64  // in bytes
}

func (e *TooLarge) Error() string {
	if e.Name == "" {
		return fmt.Sprintf("a value of more than %d MB", e.Limit>>20)
	}
	return fmt.Sprintf("%s: larger than %d MB", e.Name, e.Limit>>20)
}

// File is os.ReadFile for files of at most MaxText bytes; others are a *TooLarge error. What is no plain
// file, such as a pipe, does not say how large it is, and a device need not end.
func File(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return All(name, f, MaxText)
}

// All is io.ReadAll for at most limit bytes; more are a *TooLarge error.
func All(name string, in io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, limit+1))
	if int64(len(data)) > limit {
		return nil, &TooLarge{name, limit}
	}
	return data, err
}

// Values is a stream of values, such as JSON values. It ends with a *TooLarge error where one takes more
// than Limit bytes.
type Values struct {
	in    io.Reader
	limit int64
	taken int64 // bytes since the last value began
}

// NewValues returns a stream whose values have at most MaxValue bytes. Its reader calls Next before
// each value.
func NewValues(in io.Reader) *Values { return &Values{in: in, limit: MaxValue} }

// Limited is NewValues with another limit.
func Limited(in io.Reader, limit int64) *Values { return &Values{in: in, limit: limit} }

// Next begins a value. What a reader has taken ahead of it does not count.
func (v *Values) Next() { v.taken = 0 }

// Read reads from the stream.
func (v *Values) Read(p []byte) (int, error) {
	if v.taken > v.limit {
		return 0, &TooLarge{Limit: v.limit}
	}
	n, err := v.in.Read(p)
	v.taken += int64(n)
	return n, err
}

// Lines is a stream of values of one line each, as of JSON-RPC. It ends with a *TooLarge error where a line
// takes more than the limit.
type Lines struct {
	io.ReadCloser
	limit int64
	line  int64 // bytes since the last line began
}

// NewLines returns a stream whose lines have at most MaxValue bytes.
func NewLines(in io.ReadCloser) *Lines { return &Lines{ReadCloser: in, limit: MaxValue} }

// Read reads from the stream.
func (l *Lines) Read(p []byte) (int, error) {
	if l.line > l.limit {
		return 0, &TooLarge{Limit: l.limit}
	}
	n, err := l.ReadCloser.Read(p)
	l.line += int64(n)
	if i := bytes.LastIndexByte(p[:n], '\n'); i >= 0 {
		l.line = int64(n - 1 - i)
	}
	return n, err
}
