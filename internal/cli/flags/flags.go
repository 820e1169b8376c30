// Package flags defines the flags of the larger commands, which flags exclude each other, and
// the options that they set in other packages.
package flags

import (
	"fmt"
	"runtime/debug"
)

// Usage is a mistake of the caller: exit code 2.
type Usage struct{ error }

// Unwrap is what went wrong.
func (e Usage) Unwrap() error { return e.error }

// Usagef is a mistake of the caller in words.
func Usagef(format string, args ...any) error { return Usage{fmt.Errorf(format, args...)} }

// UsageOf makes an error one of the caller.
func UsageOf(err error) error { return Usage{err} }

// LimitMemory bounds the memory of the process to some megabytes, and returns how
// many bytes of it states may take: the rest is for what becomes garbage. 0 is no
// bound.
func LimitMemory(mb int) int {
	if mb == 0 {
		return 0
	}
	// The collector works harder near the limit; it does not end the program, and what is
	// explored also counts its own memory.
	debug.SetMemoryLimit(int64(mb) << 20)
	return mb << 20 / 2
}
