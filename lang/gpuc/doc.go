// Package gpuc reads kernels: a file of OpenCL C or CUDA C is another spelling of
// contexts and machines, as a project of Rodin is one. Its rooms are source, which owns
// the text, syntax, which reads C, flow, which makes programs of cut points of it, and
// emulate, which runs it; here such a program becomes a machine of two threads. It knows
// nothing of obligations.
package gpuc

import (
	"github.com/gradine/gradine/lang/gpuc/internal/emulate"
	"github.com/gradine/gradine/lang/gpuc/internal/launch"
	"github.com/gradine/gradine/lang/gpuc/internal/source"
)

// Options say how a kernel is launched and what is checked.
type Options = launch.Options

// Problem is why a file or a kernel is not understood, and where.
type Problem = source.Problem

// Fault is what a run has found.
type Fault = emulate.Fault
