package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gradine/gradine/project"
)

// Expected says what an exploration of gradine.toml found, and where that is not what is expected. What
// is not expected is shown with its trace.
func Expected(w io.Writer, style Style, x *project.Exploration, is *project.Explored) {
	found := string(is.Verdict())
	if len(is.Finds) > 0 {
		found += " (" + strings.Join(is.Finds, ", ") + ")"
	}
	head := fmt.Sprintf("exploration %s of %s: %s, %s, %s", x.Name, x.Machine.Name, found, Count(is.States, "state"), Count(is.Transitions, "transition"))
	unmet := x.Unmet(is)
	switch {
	case is.Open != "":
		fmt.Fprintf(w, "%s: %s\n", head, style.Yellow("no verdict: "+is.Open))
	case len(unmet) > 0:
		fmt.Fprintf(w, "%s: %s\n", head, style.Red("not as expected"))
	case len(is.Finds) > 0:
		fmt.Fprintf(w, "%s: %s\n", head, style.Green("as expected: "+x.Why))
	default:
		fmt.Fprintf(w, "%s: %s\n", head, style.Green("as expected"))
	}
	for _, text := range unmet {
		fmt.Fprintf(w, "    %s\n", text)
	}
	for _, f := range is.Findings {
		what := f.Kind
		if f.Label != "" {
			what += " " + f.Label
		}
		if !slices.Contains(x.Finds, what) {
			fmt.Fprintf(w, "    %s\n", findingText(style, f))
			Steps(w, f.Trace.Steps, 0)
		}
	}
}
