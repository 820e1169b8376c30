// Package follow finds runs of a machine that somebody describes: line by line, as scenarios do.
// It runs events as a search does: an event with an undefined guard or action has no steps.
package follow
