// Package verdict defines the verdict on an obligation and its evidence. A proof counts once
// the proof kernel has accepted its certificate (Problem.Replay). A counterexample counts
// once the evaluator has confirmed it (Problem.Accept). The origin of an answer never matters.
package verdict
