// Package verdict says what became of an obligation, and what that rests on. Whatever a
// search, a store or a stranger claims, a proof counts once the kernel has accepted its
// certificate (Problem.Replay), and a counterexample once the evaluator has confirmed it
// (Problem.Accept).
//
// It knows nothing of searches, files and rendering.
package verdict
