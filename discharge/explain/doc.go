// Package explain says more of an obligation than its verdict: a counterexample as states and
// events of the machine (Lift), whether the machine gets there (FindReach), which part of an
// open goal is left (Parts), and which hints would prove it (Suggest).
package explain
