package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gradine/gradine/discharge"
)

// Judgement writes contradictions, and expectations that are not met.
func Judgement(out io.Writer, style Style, j discharge.Judgement) {
	for _, c := range j.Contradictions {
		fmt.Fprintf(out, "%s: %s\n", style.Yellow("contradiction"), ContradictionText(c))
	}
	for _, s := range j.Wrong {
		fmt.Fprintf(out, "%s: gradine.toml expects %s of %s/%s, but it is %s\n", style.Red("unexpected"), s.Verdict, s.Project, s.Path, s.Is)
	}
	for _, e := range j.Stale {
		hint := ""
		if strings.Contains(e.Path, "*") {
			hint = "; an [[expect]] takes no patterns: it speaks of one obligation, COMPONENT/NAME, so that no other is excused"
		}
		fmt.Fprintf(out, "%s: gradine.toml expects %s of %s/%s, which is not an obligation%s\n", style.Red("stale"), e.Verdict, e.Project, e.Path, hint)
	}
	for _, e := range j.Ambiguous {
		fmt.Fprintf(out, "%s: gradine.toml expects %s of %s/%s, but several obligations have this path; rename a label\n", style.Red("ambiguous"), e.Verdict, e.Project, e.Path)
	}
}
