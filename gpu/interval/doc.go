// Package interval owns ranges of integers, and which of them the types of C hold. It knows
// nothing of terms or programs.
package interval
