// Package count predicts from LLVM modules what a block of a launch does: memory accesses per
// space with the transactions of its warps, arithmetic by kind, barriers, and loop trip
// counts. It inlines functions, converts variables to static single assignment, and finds
// natural loops. Values are expressions over thread, block and loops. Quantities that it
// cannot count are listed with their lines.
package count
