// Package explain explains verdicts. It shows a counterexample as states and events of the
// machine (Lift) and decides whether the machine can reach it (FindReach). For an open goal,
// it finds the parts that are not proved (Parts) and hints that would prove it (Suggest).
package explain
