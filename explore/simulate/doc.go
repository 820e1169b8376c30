// Package simulate runs machines for tuning. It enumerates the points of their constants
// (Grid), runs a single schedule (Follow), and finds the final states of all schedules (AllEnds).
package simulate
