package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
)

// contradiction is what an assumption is called that contradicts itself.
const contradiction = "contradiction"

// Against is what speaks against success apart from verdicts.
type Against struct {
	What, Text string
	at         diag.Span // in a model, or in gradine.toml
	about      string    // its path
}

// AgainstSuccess lists contradictions, and expectations that are not met.
func AgainstSuccess(j judgement.Judgement) (out []Against) {
	for _, c := range j.Contradictions {
		out = append(out, Against{contradiction, ContradictionText(c), placeOf(c), c.Project + "/" + c.Path()})
	}
	unmet := func(what string, e verdict.Expectation, how string) {
		about := e.Project + "/" + e.Path
		out = append(out, Against{what, fmt.Sprintf("gradine.toml expects %s of %s, %s", e.Verdict, about, how), e.At, about})
	}
	for _, s := range j.Wrong {
		unmet("unexpected", s.Expectation, "but it is "+string(s.Is))
	}
	for _, e := range j.Stale {
		how := "which does not exist"
		if strings.Contains(e.Path, "*") {
			how += "; name a single obligation, COMPONENT/NAME: [[expect]] does not accept *"
		}
		unmet("stale", e, how)
	}
	for _, e := range j.Ambiguous {
		unmet("ambiguous", e, "which is ambiguous; rename a label")
	}
	return out
}

// placeOf is where the event or the component stands whose assumptions contradict
// themselves.
func placeOf(c judgement.Contradiction) diag.Span {
	switch {
	case c.Event != nil:
		return c.Event.Origin.Span
	case c.Of.Machine != nil:
		return c.Of.Machine.Origin.Span
	}
	return c.Of.Context.Origin.Span
}

// Judgement writes them.
func Judgement(out io.Writer, style Style, j judgement.Judgement) {
	for _, x := range AgainstSuccess(j) {
		colour := style.Red
		if x.What == contradiction {
			colour = style.Yellow
		}
		fmt.Fprintf(out, "%s: %s\n", colour(x.What), x.Text)
	}
}
