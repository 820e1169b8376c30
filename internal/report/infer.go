package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/infer"
	"github.com/gradine/gradine/logic/text"
)

type jsonInference struct {
	Project    string       `json:"project"`                       // name of the project
	Machine    string       `json:"machine"`                       // name of the machine
	Candidates int          `json:"candidates"`                    // number of candidate invariants
	Rounds     int          `json:"rounds"`                        // number of proof rounds until no candidate was rejected
	Kept       []jsonKept   `json:"kept"`                          // proved invariants
	Killed     []jsonKilled `json:"killed"`                        // rejected candidates: not invariants, or not proved
	Open       []jsonTarget `json:"open"`                          // obligations that are open without the proposed invariants
	Fallen     []string     `json:"unproved_invariants,omitempty"` // labels of invariants declared in the machine that are not inductive
	Dead       []string     `json:"never_enabled,omitempty"`       // events that no run took
	Bounded    bool         `json:"bounded,omitempty"`             // a limit stopped the search, so more invariants may exist
}

type jsonKept struct {
	Predicate    string   `json:"predicate"`    // the invariant
	Rule         string   `json:"rule"`         // the rule that proposed it
	Worth        bool     `json:"proposed"`     // the invariant belongs to a smallest set that discharges the same obligations as all kept invariants
	Closes       []string `json:"closes"`       // names of the obligations that the invariant helps to prove
	Certificates []string `json:"certificates"` // proofs of the invariant, for cmd/recheck
}

type jsonKilled struct {
	Predicate string `json:"predicate"` // the candidate
	Rule      string `json:"rule"`      // the rule that proposed it
	By        string `json:"by"`        // what rejected the candidate: a run, or the prover
	Round     int    `json:"round"`     // proof round in which the candidate was rejected
	Why       string `json:"why"`       // the state or the obligation that rejects the candidate
}

type jsonTarget struct {
	Name        string `json:"name"`
	Verdict     string `json:"verdict"` // without what is kept
	Closed      bool   `json:"closed"`
	Certificate string `json:"certificate,omitempty"`
}

// InferenceJSON writes what was inferred as one line.
func InferenceJSON(w io.Writer, project string, r *infer.Report) error {
	j := jsonInference{
		Project: project, Machine: r.Machine.Name, Candidates: len(r.Candidates), Rounds: r.Rounds,
		Kept: []jsonKept{}, Killed: []jsonKilled{}, Open: []jsonTarget{}, Fallen: r.Fallen, Dead: r.Dead, Bounded: r.Bounded,
	}
	worth := map[int]bool{}
	for _, i := range r.Worth {
		worth[i] = true
	}
	for i, k := range r.Kept {
		certificates := k.Certificates
		// Who reads JSON expects a list, and not null.
		if certificates == nil {
			certificates = []string{}
		}
		j.Kept = append(j.Kept, jsonKept{text.Term(r.Development.Bank, k.Term), k.Rule, worth[i], r.Closes(i), certificates})
	}
	for _, k := range r.Killed {
		j.Killed = append(j.Killed, jsonKilled{text.Term(r.Development.Bank, k.Term), k.Rule, k.By, k.Round, k.Why})
	}
	for _, t := range r.Open {
		j.Open = append(j.Open, jsonTarget{t.Name, string(t.Verdict), t.Closed, t.Certificate})
	}
	out := NewLines(w)
	out.Put(j)
	return out.Err
}

// Inference writes for people what is worth adding, and what it closes.
func Inference(w io.Writer, style Style, r *infer.Report) {
	fmt.Fprintf(w, "%s  %s, %d kept, in %s\n", style.Bold(r.Machine.Name), Count(len(r.Candidates), "candidate"), len(r.Kept), Count(r.Rounds, "round"))
	if r.Bounded {
		fmt.Fprintf(w, "  %s: more candidates may be inductive\n", style.Yellow("the limit on proof searches was reached"))
	}
	for _, label := range r.Fallen {
		fmt.Fprintf(w, "  %s %s is not proved even with the kept candidates; no kept candidate relies on it\n", style.Yellow("invariant"), label)
	}
	for _, label := range r.Dead {
		fmt.Fprintf(w, "  %s %s is never enabled: its guards contradict the invariants\n", style.Yellow("event"), label)
	}
	bank := r.Development.Bank
	// All that is kept is inductive; only what closes something is worth the reader's time.
	for _, i := range r.Worth {
		k := r.Kept[i]
		fmt.Fprintf(w, "  %s %s  (%s)\n", style.Green("+"), text.Readable(bank, k.Term), k.Rule)
		fmt.Fprintf(w, "      closes %s\n", strings.Join(r.Closes(i), ", "))
	}
	closed := 0
	for _, t := range r.Open {
		if t.Closed {
			closed++
		} else {
			fmt.Fprintf(w, "  %s %s\n", style.Yellow("still "+string(t.Verdict)), t.Name)
		}
	}
	for _, t := range r.Open {
		if t.Reach != nil {
			fmt.Fprintf(w, "  the counterexample of %s %s\n", t.Name, reach(t.Reach))
		}
	}
	switch {
	case len(r.Open) == 0:
		fmt.Fprintf(w, "  no open obligations: no invariant is missing\n")
	default:
		fmt.Fprintf(w, "  %d of %s closed\n", closed, Count(len(r.Open), "open obligation"))
	}
}

// InferenceWhy writes why candidates fell, and all that is kept.
func InferenceWhy(w io.Writer, r *infer.Report) {
	bank := r.Development.Bank
	for _, k := range r.Kept {
		fmt.Fprintf(w, "  kept  %s  (%s)\n", text.Readable(bank, k.Term), k.Rule)
	}
	for _, k := range r.Killed {
		fmt.Fprintf(w, "  fell  %s  (%s, %s %d): %s\n", text.Readable(bank, k.Term), k.Rule, k.By, k.Round, k.Why)
		// The last state is the one where the candidate is false.
		if n := len(k.Trace); n > 0 {
			var state []string
			for _, b := range k.Trace[n-1].State {
				state = append(state, b.Name+"="+Shorten(b.Value))
			}
			fmt.Fprintf(w, "          after %s: %s\n", eventsOf(k.Trace), strings.Join(state, "  "))
		}
		if x := k.Counterexample; x != nil {
			var state []string
			for _, row := range x.State() {
				value := row.Name + "=" + Shorten(row.Before)
				if row.Before == "" {
					value = row.Name + "=" + Shorten(row.After)
				} else if row.Change != nil {
					value += "→" + Shorten(row.After)
				}
				state = append(state, value)
			}
			fmt.Fprintf(w, "          as with %s\n", strings.Join(state, "  "))
		}
	}
}

// shownEvents is how many events of a run are named, the last ones.
const shownEvents = 4

// eventsOf names the last events of a run.
func eventsOf(trace []infer.Step) string {
	var events []string
	for _, s := range trace[max(0, len(trace)-shownEvents):] {
		events = append(events, s.Event)
	}
	out := strings.Join(events, ", ")
	if n := len(trace) - len(events); n > 0 {
		out = Count(n, "event") + ", " + out
	}
	return out
}

// reachedBy names the events that lead to a state that is reached.
func reachedBy(r *verdict.Reach) string {
	if r.Verdict == verdict.Reached {
		return " by " + strings.Join(r.Trace, ", ")
	}
	return ""
}

// reach says whether the machine gets into a state.
func reach(r *verdict.Reach) string {
	switch r.Verdict {
	case verdict.Reached:
		return "is reached" + reachedBy(r) + "; no invariant can discharge the obligation: change the model"
	case verdict.Elsewhere:
		return "was not reached: the machine fails earlier, in another state (" + r.Fails + "); fix that first"
	case verdict.NotFound:
		return fmt.Sprintf("is not among the %d explored states", r.States)
	case verdict.Untried:
		return "was not searched for: " + r.Why
	}
	return "is " + r.Verdict
}
