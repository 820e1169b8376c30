// Package judgement draws the conclusions that rest on verdicts: which components are verified
// (Components, the only place that decides it), which assumptions contradict themselves
// (Contradictions), and what was found otherwise than gradine.toml expects (Judge, the only
// place that decides what speaks against success).
package judgement
