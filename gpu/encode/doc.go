// Package encode translates GPU kernels into Event-B. It reads a file through preproc, ast and
// ir, and writes each kernel as a context and a machine of two arbitrary threads. Checks
// become invariants and theorems of that machine. Proving its obligations proves the kernel
// safe for every launch that the options allow.
package encode

import (
	"github.com/gradine/gradine/gpu/interp"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/preproc"
)

// Options say how a kernel is launched and what is checked.
type Options = launch.Options

// Problem is why a file or a kernel is not understood, and where.
type Problem = preproc.Problem

// Fault is what a run has found.
type Fault = interp.Fault
