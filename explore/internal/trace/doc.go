// Package trace owns runs of a compiled machine: their steps, as they are shown, as a
// Gantt chart, and as ITF, in which they are written and read again. It knows nothing
// of how a run was found.
package trace
