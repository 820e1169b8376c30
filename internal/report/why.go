package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/infer"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/kernel"
)

// Why explains the verdict of one obligation: proof is that of a proved one, search
// that of an open one; either may be nil.
func Why(out io.Writer, style Style, result verdict.Result, proof *verdict.StoredProof, search *Search) {
	steps := fmt.Sprintf("%d steps", result.Steps)
	if result.Uncounted {
		steps = "steps not counted here"
	}
	if end := EndText(result.End); end != "" {
		steps += ": " + end
	}
	fmt.Fprintf(out, "%s  %s, %s\n", style.Bold(result.Path()), result.Verdict, steps)
	fmt.Fprintf(out, "  %s\n", style.Dim(strings.Join(strings.Fields(result.Nature), " ")))
	for _, source := range result.Sources {
		fmt.Fprintf(out, "  from %s %s  %s\n", source.Element, source.Label, style.Dim(source.Span().String()))
	}
	sequent := result.Sequent()
	fmt.Fprintf(out, "  ⊢ %s\n", indent(readable.Term(sequent.Bank, sequent.Goal)))
	used := func(list []int, what string) {
		for _, i := range list {
			place := ""
			if predicate := result.Hypothesis(i); predicate != nil {
				place = predicate.Origin.Span.String()
			}
			fmt.Fprintf(out, "  uses %s%s: %s  %s\n", what, result.HypothesisLabel(i), indent(readable.Term(sequent.Bank, sequent.Hyps[i])), style.Dim(place))
		}
	}
	used(result.Used, "")
	used(result.UsedWD, "well-definedness of ")
	// A proof may be known of what is refuted in another revision, say: the verdict
	// decides what is told.
	switch {
	case result.Verdict == verdict.Refuted:
		violation(out, style, explain.Lift(result))
	case proof != nil:
		if result.Verdict == verdict.Vacuous {
			fmt.Fprintln(out, "  The hypotheses are inconsistent; the proof does not use the goal.")
		}
		for i, line := range proofLines(proof) {
			fmt.Fprintf(out, "  %2d. %s\n", i+1, line)
		}
	case search != nil:
		open(out, style, result, search)
	}
}

// EndText says in words how a search for a proof ended in vain; "" if that is not known.
func EndText(end verdict.End) string {
	switch end {
	case verdict.Exhausted:
		return "nothing left to try"
	case verdict.Budget:
		return "out of budget"
	}
	return ""
}

// maxProofLines is how many steps of a proof are shown.
const maxProofLines = 10

// proofLines tells a proof in few lines: which facts it brings in, in order.
// Propositional reasoning is left to the reader.
func proofLines(p *verdict.StoredProof) []string {
	// Searches leave steps behind that lead nowhere; they are not part of the story.
	needed := make([]bool, len(p.Proof.Steps))
	needed[len(needed)-1] = true
	for i := len(needed) - 1; i >= 0; i-- {
		if needed[i] {
			for _, j := range p.Proof.Steps[i].From {
				needed[j] = true
			}
		}
	}
	var lines []string
	times := map[string]int{}
	propositional := 0
	for i, step := range p.Proof.Steps {
		if !needed[i] {
			continue
		}
		line := proofStep(p.Core, step)
		if line == "" {
			propositional++
			continue
		}
		if times[line]++; times[line] == 1 {
			lines = append(lines, line)
		}
	}
	left := len(lines) - maxProofLines
	if left > 0 {
		lines = append(lines[:maxProofLines], fmt.Sprintf("and %d similar steps", left))
	}
	return append(lines, fmt.Sprintf("together these are contradictory, by cases (%s)", Count(propositional, "propositional step")))
}

// proofStep says what a step of a proof brings in, or "" for propositional ones.
func proofStep(sequent logic.Sequent, step kernel.Step) string {
	show := func(term logic.Term) string { return shortText(sequent.Bank, term) }
	var terms []string
	for _, term := range step.Terms {
		terms = append(terms, show(term))
	}
	// A clause of the kernel is a disjunction that holds; people read more easily
	// what cannot all be true.
	switch step.Kind {
	case kernel.NegGoal:
		return "assume that the goal is false"
	case kernel.WDGoal:
		return "the goal is well-defined"
	case kernel.Hyp:
		return "given " + show(sequent.Hyps[step.Index])
	case kernel.WD:
		return "well-defined is " + show(sequent.Hyps[step.Index])
	case kernel.Axiom, kernel.Lemma:
		return fmt.Sprintf("by %s %s for %s", step.Kind, step.Name, strings.Join(terms, ", "))
	case kernel.Inst:
		return fmt.Sprintf("take %s in %s", strings.Join(terms[1:], ", "), terms[0])
	case kernel.Choose:
		return "choose values for " + terms[0]
	case kernel.Subst:
		return fmt.Sprintf("replace %s by %s", terms[1], terms[2])
	case kernel.Lin, kernel.Euf:
		var parts []string
		for _, literal := range step.Clause {
			t := show(literal.Atom())
			if !literal.Negated() {
				t = "¬(" + t + ")"
			}
			parts = append(parts, t)
		}
		how := "equality"
		if step.Kind == kernel.Lin {
			how = "arithmetic"
		}
		return fmt.Sprintf("by %s, not all of these hold: %s", how, strings.Join(parts, "; "))
	}
	return ""
}

// Excluding writes which invariants exclude the state that refutes an obligation, as found;
// nil says how to look for them.
func Excluding(out io.Writer, style Style, path string, found *infer.Report) {
	if found == nil {
		fmt.Fprintf(out, "  %s\n", style.Dim("to search for an invariant that excludes this state, run `gradine report why --infer "+path+"`"))
		return
	}
	for _, t := range found.Open {
		if t.Reach != nil && t.Reach.Verdict == verdict.Reached {
			fmt.Fprintf(out, "  the machine reaches this state%s: no invariant can exclude it\n", reachedBy(t.Reach))
			return
		}
	}
	if len(found.Worth) == 0 {
		fmt.Fprintf(out, "  no invariant found: tried %s\n", Count(len(found.Candidates), "candidate invariant"))
		return
	}
	fmt.Fprintln(out, "  an inductive invariant that excludes this state:")
	for _, i := range found.Worth {
		fmt.Fprintf(out, "    %s %s\n", style.Green("+"), text.Readable(found.Development.Bank, found.Kept[i].Term))
	}
	fmt.Fprintf(out, "  %s\n", style.Dim("gradine infer --write adds it"))
}
