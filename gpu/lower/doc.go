// Package lower turns kernels of LLVM modules into programs: calls are inlined, variables of functions
// taken out of memory, pointers traced to what they point at. What it does not know it refuses by name.
package lower
