// Package corpus finds the public reference data that tests measure against. The data lies
// next to the checkout, in shared/corpus. If it is absent, the tests are skipped. Files hold
// one JSON value per line.
package corpus

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"iter"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"testing"
)

// Tests of provers and explorers leave garbage as the command does, which collects it less
// often than Go's default, too: see cli.Main.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// Path returns the place of a file or folder of the reference data, looked for
// in the working directory and upward; it skips the test if there is none, or if
// GRADINE_REFERENCE is none: so the tests run as in a checkout without the data.
func Path(tb testing.TB, name string) string {
	tb.Helper()
	if os.Getenv("GRADINE_REFERENCE") == "none" {
		tb.Skip("the reference data is not to be used")
	}
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		path := filepath.Join(dir, "shared", "corpus", name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
		up := filepath.Dir(dir)
		if up == dir {
			tb.Skip("no reference data beside the repository")
		}
		dir = up
	}
}

// Lines reads every step-th line of a compressed file of the reference data, the
// first line first, as a T; it yields their numbers, from 1 on. It skips the test
// if the file is absent, and ends it if it does not read as that.
func Lines[T any](tb testing.TB, name string, step int) iter.Seq2[int, T] {
	tb.Helper()
	path := Path(tb, name)
	return func(yield func(int, T) bool) {
		tb.Helper()
		file, err := os.Open(path)
		if err != nil {
			tb.Fatal(err)
		}
		defer file.Close()
		z, err := gzip.NewReader(file)
		if err != nil {
			tb.Fatal(name, err)
		}
		in := bufio.NewScanner(z)
		// The longest line, a sequent with its countermodel, has some megabytes.
		in.Buffer(nil, 1<<26)
		for n := 1; in.Scan(); n++ {
			if (n-1)%step != 0 {
				continue
			}
			var v T
			if err := json.Unmarshal(in.Bytes(), &v); err != nil {
				tb.Fatal(name, n, err)
			}
			if !yield(n, v) {
				return
			}
		}
		if err := in.Err(); err != nil {
			tb.Fatal(name, err)
		}
	}
}

// All reads a whole compressed file of the reference data, as Lines does.
func All[T any](tb testing.TB, name string) (all []T) {
	tb.Helper()
	for _, v := range Lines[T](tb, name, 1) {
		all = append(all, v)
	}
	return all
}

// Effort is how much a test does, or how far apart the lines are that it reads: few with
// -short, many with GRADINE_SWEEP set, and otherwise some, which every change can wait for.
func Effort(few, some, many int) int {
	switch {
	case testing.Short():
		return few
	case os.Getenv("GRADINE_SWEEP") != "":
		return many
	}
	return some
}

// Seeds are as many seeds as Effort says, from GRADINE_SEED on, or 0: so an attack is repeated with fresh ones.
func Seeds(few, some, many int) iter.Seq[int] {
	first, _ := strconv.Atoi(os.Getenv("GRADINE_SEED"))
	return func(yield func(int) bool) {
		for i := range Effort(few, some, many) {
			if !yield(first + i) {
				return
			}
		}
	}
}
