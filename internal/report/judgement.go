package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gradine/gradine/discharge"
)

// Against is what speaks against success besides verdicts.
type Against struct{ What, Text string }

// AgainstSuccess lists contradictions, and expectations that are not met.
func AgainstSuccess(j discharge.Judgement) (out []Against) {
	for _, c := range j.Contradictions {
		out = append(out, Against{"contradiction", ContradictionText(c)})
	}
	for _, s := range j.Wrong {
		out = append(out, Against{"unexpected", fmt.Sprintf("gradine.toml expects %s of %s/%s, but it is %s", s.Verdict, s.Project, s.Path, s.Is)})
	}
	for _, e := range j.Stale {
		hint := ""
		if strings.Contains(e.Path, "*") {
			hint = "; an [[expect]] takes no patterns: it speaks of one obligation, COMPONENT/NAME, so that no other is excused"
		}
		out = append(out, Against{"stale", fmt.Sprintf("gradine.toml expects %s of %s/%s, which is not an obligation%s", e.Verdict, e.Project, e.Path, hint)})
	}
	for _, e := range j.Ambiguous {
		out = append(out, Against{"ambiguous", fmt.Sprintf("gradine.toml expects %s of %s/%s, but several obligations have this path; rename a label", e.Verdict, e.Project, e.Path)})
	}
	return out
}

// Judgement writes them.
func Judgement(out io.Writer, style Style, j discharge.Judgement) {
	for _, x := range AgainstSuccess(j) {
		colour := style.Red
		if x.What == "contradiction" {
			colour = style.Yellow
		}
		fmt.Fprintf(out, "%s: %s\n", colour(x.What), x.Text)
	}
}
