// Package interval implements ranges of integers, and the ranges of the types of C.
package interval
