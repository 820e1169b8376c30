// Package simulate owns what tuning asks of machines: the points of their constants
// (Grid), the run along an only schedule (Follow), and the ends of all schedules
// (AllEnds). It knows nothing of what is optimal.
package simulate
