// Package llvm parses LLVM's textual intermediate representation, as compilers write it for
// GPUs: with opaque pointers, from LLVM 14 to 21. It rejects unknown constructs by name.
package llvm
