package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/verdict"
)

type jsonSuggestion struct {
	ID          any             `json:"id,omitempty"`
	Project     string          `json:"project,omitempty"`
	Component   string          `json:"component,omitempty"`
	Name        string          `json:"name,omitempty"`
	Verdict     verdict.Verdict `json:"verdict"`
	Hint        []string        `json:"hint"`
	Steps       int64           `json:"steps"`
	Minimal     bool            `json:"minimal"`
	Tried       int             `json:"tried"`
	Certificate string          `json:"certificate,omitempty"`
}

// Suggestions writes one suggestion a line.
type Suggestions struct{ out *Lines }

// NewSuggestions returns a writer to w.
func NewSuggestions(w io.Writer) *Suggestions { return &Suggestions{NewLines(w)} }

// Put writes what a search for hints came to, for the sequent of an id, or an obligation.
func (x *Suggestions) Put(id any, project, component, name string, s explain.Suggestion) {
	hint := s.Lines
	if hint == nil {
		hint = []string{}
	}
	x.out.Put(jsonSuggestion{id, project, component, name, s.Verdict, hint, s.Steps, s.Minimal, s.Tried, s.Certificate})
}

// Err is the first error of writing.
func (x *Suggestions) Err() error { return x.out.Err }

// SuggestionPatch writes a suggestion as a patch that adds it to a file of hints, whose text
// is nil if there is none.
func SuggestionPatch(w io.Writer, style Style, name, file string, text []byte, s explain.Suggestion) {
	if !s.Verdict.Holds() {
		fmt.Fprintf(w, "%s: no hint was found (%s, %d steps)\n", style.Bold(name), Count(s.Tried, "list")+" of hints tried", s.Steps)
		return
	}
	added := append([]string{"for " + name}, s.Lines...)
	for i := range added[1:] {
		added[i+1] = "    " + added[i+1]
	}
	minimal := ""
	if !s.Minimal {
		minimal = "; some of it may not be needed"
	}
	fmt.Fprintf(w, "# %s: %s in %d steps with this%s\n", name, s.Verdict, s.Steps, minimal)
	old := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(text) == 0 {
		fmt.Fprintf(w, "--- /dev/null\n+++ b/%s\n@@ -0,0 +1,%d @@\n", file, len(added))
	} else {
		// Behind the last lines, which tell where that is.
		const around = 3
		context := old[max(0, len(old)-around):]
		added = append([]string{""}, added...)
		from := len(old) - len(context) + 1
		fmt.Fprintf(w, "--- a/%s\n+++ b/%s\n@@ -%d,%d +%d,%d @@\n", file, file, from, len(context), from, len(context)+len(added))
		for _, line := range context {
			fmt.Fprintf(w, " %s\n", line)
		}
	}
	for _, line := range added {
		fmt.Fprintf(w, "+%s\n", line)
	}
}
