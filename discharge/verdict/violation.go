package verdict

import "slices"

// Binding is a name and its value, printed.
type Binding struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Violation is a counterexample lifted to the machine: the whole state before
// the event and after it, the parameters, and which part of the goal is false.
// It satisfies the hypotheses, invariants among them; whether the machine gets
// into the state is another question, which Reach answers.
type Violation struct {
	Constants []Binding `json:"constants,omitempty"` // carrier sets and constants that matter
	Params    []Binding `json:"params,omitempty"`
	Before    []Binding `json:"before,omitempty"` // all variables; none for INITIALISATION
	After     []Binding `json:"after,omitempty"`  // all variables; none where no event takes place
	Changed   []Change  `json:"changed,omitempty"`
	Failing   string    `json:"failing"` // the part of the goal that is false
	Reach     *Reach    `json:"reach,omitempty"`
	Fault     string    `json:"error,omitempty"` // an error of this program, for which nothing else is shown
}

// Change is a variable that the event changes; of a set, also the members that
// leave it and that enter it.
type Change struct {
	Name    string   `json:"name"`
	Removed []string `json:"removed,omitempty"`
	Added   []string `json:"added,omitempty"`
}

// Row is what becomes of one variable; a value is "" where there is none.
type Row struct {
	Name, Before, After string
	Change              *Change // nil if it keeps its value
}

// State lists the variables with their values before and after the event.
func (v *Violation) State() []Row {
	var rows []Row
	for _, x := range v.Before {
		rows = append(rows, Row{Name: x.Name, Before: x.Value})
	}
	for _, x := range v.After {
		i := slices.IndexFunc(rows, func(r Row) bool { return r.Name == x.Name })
		if i < 0 {
			i = len(rows)
			rows = append(rows, Row{Name: x.Name})
		}
		rows[i].After = x.Value
		if j := slices.IndexFunc(v.Changed, func(c Change) bool { return c.Name == x.Name }); j >= 0 {
			rows[i].Change = &v.Changed[j]
		}
	}
	return rows
}

// Reach says whether a machine gets into the state of a counterexample, with the
// carrier sets and constants that the counterexample has.
type Reach struct {
	Verdict string   `json:"verdict"`         // see the constants
	States  int      `json:"states"`          // how many states were seen
	Trace   []string `json:"trace,omitempty"` // the events that lead to the state, or to what fails
	Fails   string   `json:"fails,omitempty"` // what fails elsewhere
	Why     string   `json:"why,omitempty"`   // the state was not looked for
	Fault   string   `json:"error,omitempty"` // an error of this program, the reason why it was not
}

// The verdicts of Reach.
const (
	Reached     = "reached"
	Elsewhere   = "elsewhere"   // the machine fails in a state that it gets into, but not in this one
	Unreachable = "unreachable" // the machine does not get there, and never fails
	NotFound    = "not found"   // not among the states that were seen
	Untried     = "untried"     // not looked for
)
