package report

import (
	"fmt"
	"io"

	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/verdict"
)

type jsonSuggestion struct {
	ID          any             `json:"id,omitempty"`          // id of the sequent in the file of --sequents
	Project     string          `json:"project,omitempty"`     // name of the project
	Component   string          `json:"component,omitempty"`   // name of the context or machine
	Name        string          `json:"name,omitempty"`        // name of the obligation, without its component
	Verdict     verdict.Verdict `json:"verdict"`               // verdict with the hint
	Hint        []string        `json:"hint"`                  // lines for a file of hints
	Steps       int64           `json:"steps"`                 // search steps with the hint
	Minimal     bool            `json:"minimal"`               // every line of the hint is necessary
	Tried       int             `json:"tried"`                 // number of hints tried
	Certificate string          `json:"certificate,omitempty"` // the proof, for cmd/recheck
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

// SuggestionPatch writes a suggestion and the patch that adds it to a file of hints.
func SuggestionPatch(w io.Writer, style Style, name, patch string, s explain.Suggestion) {
	if !s.Verdict.Holds() {
		fmt.Fprintf(w, "%s: no hint found (%s, %d steps)\n", style.Bold(name), Count(s.Tried, "list")+" of hints tried", s.Steps)
		return
	}
	minimal := ""
	if !s.Minimal {
		minimal = "; parts may be unnecessary"
	}
	fmt.Fprintf(w, "# %s: %s in %d steps with this%s\n%s", name, s.Verdict, s.Steps, minimal, patch)
}
