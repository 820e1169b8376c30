// Package count reads off LLVM modules what a block of a launch does: its accesses by space with
// the transactions of its warps, arithmetic by kind, barriers, and how often loops run. Functions
// are inlined, variables become static single assignment, natural loops are found, and values are
// expressions over thread, block and loops. What it cannot count it names, with its line.
package count
