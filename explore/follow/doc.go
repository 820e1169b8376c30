// Package follow finds runs of a machine that somebody describes: line by line, as scenarios do.
// An event has no steps where a guard or an action is undefined for some values of what the line leaves open; what the line
// fixes is known before that is asked. A search fixes nothing.
package follow
