// Package clang compiles kernels to LLVM IR with the clang that is installed.
//
// clang is a separate program, run with fixed flags, a time limit and a memory limit.
// Sources that need a toolkit see the headers under include, unless a toolkit is given.
// A source that clang does not accept as it is written is compiled in a repaired copy:
// statements of host code that fail are blanked, a device function that fails loses its
// body, and a header that is not found is empty. The repairs are part of the answer, and
// never change the meaning of the code that remains.
package clang
