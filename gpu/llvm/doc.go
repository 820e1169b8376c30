// Package llvm reads modules of LLVM's textual intermediate representation, as compilers
// write them for GPUs: with opaque pointers, from LLVM 14 to 21. What it does not know it
// refuses by name. It owns the syntax, and knows nothing of kernels as programs.
package llvm
