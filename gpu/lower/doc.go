// Package lower translates kernels of LLVM modules into programs. It inlines calls, promotes
// memory variables of functions, and traces pointers to their objects. It rejects unknown
// constructs by name.
package lower
