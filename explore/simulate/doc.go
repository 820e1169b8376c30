// Package simulate evaluates machines for tuning: the points of their constants (Grid), the run
// of a single schedule (Follow), and the ends of all schedules (AllEnds).
package simulate
