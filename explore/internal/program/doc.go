// Package program represents machines compiled for one instance: events that visit their
// after-states, invariants, packed states, the abstract machine that follows, and
// the cone of influence of questions about the ends of runs.
package program
