// Package syntax owns the text of kernels: the pre-pass over OpenCL C and CUDA C, the
// parser, which is modernc.org/cc, and the syntax tree that the rest works on. It
// knows nothing of threads, control flow or machines.
package syntax
