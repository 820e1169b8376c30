// Package ir owns kernels as programs: expressions with exact arithmetic, memory
// accesses, and a graph of basic blocks. It knows nothing of obligations, nor of how two
// threads become a machine.
package ir
