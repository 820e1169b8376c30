// Package clang compiles kernels to LLVM IR with an installed clang.
//
// clang is a separate program, run with fixed flags, a time limit and a memory limit. Sources
// that need a toolkit get the headers under include, unless a toolkit is given. If clang
// rejects a source, a repaired copy is compiled: host statements with errors are blanked,
// device functions with errors lose their bodies, and missing headers are empty. The answer
// lists the repairs. They never change the meaning of the remaining code.
package clang
