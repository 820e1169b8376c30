// Package ir represents kernels as programs: expressions with exact arithmetic, memory
// accesses, and a graph of basic blocks.
package ir
