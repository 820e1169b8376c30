// Package program represents a machine compiled for one instance: events that visit their
// after-states, invariants, packed states, the abstract machine that runs with it, and the
// cone of influence of questions about final states.
package program
