// Package program owns machines compiled for one set-up: events that visit their
// after-states, invariants, packed states, the abstract machine that goes along, and
// the cone of influence of what is asked about the ends of runs. It knows nothing of
// searches.
package program
