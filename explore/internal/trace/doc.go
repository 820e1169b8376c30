// Package trace represents runs of a compiled machine. It renders them as text and as a Gantt
// chart, and reads and writes them as ITF.
package trace
