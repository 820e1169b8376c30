// Package judgement draws conclusions from verdicts: which components are verified
// (Components), which assumptions are inconsistent (Contradictions), and which verdicts
// differ from gradine.toml's expectations (Judge). No other package decides whether a
// component is verified or whether a run succeeds.
package judgement
