// Package trace represents runs of a compiled machine: their steps, as text, as a
// Gantt chart, and as ITF, which it writes and reads.
package trace
