package po

import "strings"

// Kind is the kind of an obligation: the last part of its name.
type Kind uint8

// The kinds.
const (
	WD   Kind = iota // well-definedness
	THM              // theorem
	INV              // invariant establishment or preservation
	FIS              // feasibility of a non-deterministic action
	GRD              // guard strengthening
	MRG              // guard strengthening of a merge
	SIM              // simulation of an abstract action
	EQL              // a variable that the abstract event keeps
	WFIS             // feasibility of a non-deterministic witness
	WWD              // well-definedness of a witness
	VWD              // well-definedness of a variant
	FIN              // finiteness of a variant
	NAT              // a variant is a natural number
	VAR              // a variant decreases
	DLF              // deadlock freedom; on request
	ENB              // enabledness of an event; on request
	LTO              // one thing leads to another; on request
	COM              // two events commute; for explore
	DIS              // an event leaves another one disabled; for explore
	PAR              // values of a parameter; for explore
)

// Concern is what obligations of a kind are good for: an argument about runs of a
// machine needs those of some concerns, and does without the others.
type Concern uint8

// The concerns.
const (
	Steps      Concern = iota // formulas have values, theorems follow, each step has an abstract one
	Invariance                // steps keep an invariant
	Progress                  // events can happen, and not for ever
	Order                     // of two events; not among the obligations of a model
)

// kinds say what each kind is about, and what to do if it does not hold. This is all
// that is said of kinds anywhere, but for how docs/obligations.md defines their goals.
var kinds = [...]struct {
	name              string
	concern           Concern
	title, asks, open string
}{
	WD: {"WD", Steps, "Well-definedness",
		"The formula is defined whenever it is evaluated: no division by 0, no function outside its domain, no min or max of a set without one.",
		"State the condition before the formula, such as x ≠ 0 or x ∈ dom(f): in an earlier clause, or on the left of ⇒ or ∧ in the formula."},
	THM: {"THM", Steps, "Theorem",
		"The theorem follows from the clauses before it.",
		"Add intermediate theorems before it, or move it after the clauses that it needs."},
	INV: {"INV", Invariance, "Invariant",
		"The event preserves the invariant: if all invariants and the guards hold before it, the invariant holds after it. The initialisation establishes it.",
		"A counterexample shows a state from which the event violates it. If the state is reachable, correct a guard or an action. If not, add an invariant that excludes it."},
	FIS: {"FIS", Progress, "Feasibility",
		"The action x :∈ S or x :∣ P has a result: S is not empty, or some x' satisfies P.",
		"Strengthen the guards so that a result exists."},
	GRD: {"GRD", Steps, "Guard strengthening",
		"Whenever the concrete event is enabled, so is the abstract event that it refines.",
		"Add a guard, an invariant that relates concrete and abstract variables, or correct the witness of a parameter."},
	MRG: {"MRG", Steps, "Guard strengthening of merged events",
		"Whenever the event is enabled, so is at least one of the abstract events that it merges.",
		"As for GRD."},
	SIM: {"SIM", Steps, "Simulation",
		"The abstract action allows everything that the concrete event does.",
		"Correct the action, or add an invariant that relates concrete and abstract variables; a parameter or after-value of the abstract event may need another witness."},
	EQL: {"EQL", Steps, "Unchanged variable",
		"The event assigns a variable that the abstract event (or skip) does not change, so it must keep its value.",
		"Remove the action, or refine an event that assigns the variable."},
	WFIS: {"WFIS", Steps, "Feasibility of a witness",
		"Some value satisfies the witness.",
		"Give the value itself: x = E."},
	WWD: {"WWD", Steps, "Well-definedness of a witness",
		"The witness is defined whenever the event occurs.",
		"As for WD."},
	VWD: {"VWD", Progress, "Well-definedness of a variant",
		"The variant is defined in every state.",
		"As for WD; usually an invariant is missing."},
	FIN: {"FIN", Progress, "Finiteness of a variant",
		"The variant is a finite set, so it can decrease only finitely often.",
		"Add an invariant or axiom finite(S)."},
	NAT: {"NAT", Progress, "Natural variant",
		"The variant is not negative when the event occurs.",
		"Add a guard or an invariant that bounds it from below."},
	VAR: {"VAR", Progress, "Decreasing variant",
		"A convergent event makes the variant smaller; an anticipated one does not make it larger. So convergent events cannot occur forever.",
		"Correct the variant: it should count the remaining steps."},
	DLF: {"DLF", Progress, "Deadlock freedom",
		"Some event is enabled in every state that satisfies the invariants. Generated if gradine.toml has deadlock_free = true for the machine.",
		"A counterexample shows a state in which no event is enabled. If it is reachable, add an event or weaken a guard; if not, add an invariant."},
	ENB: {"ENB", Progress, "Enabledness",
		"The event is enabled in every state that satisfies the invariants. Generated for the events in enabled = [\"…\"] of gradine.toml.",
		"As for DLF."},
	LTO: {"LTO", Progress, "Leads to",
		"Every state that satisfies the trigger is eventually followed by one that satisfies the target: all events on the way decrease the variant, or fair ones do. Generated for [[machine.m.leads_to]] of gradine.toml.",
		"A counterexample shows a step that does not decrease the variant, or a state in which no helpful event is enabled. Correct variant, helpful or fair, or add an invariant."},
	COM: {"COM", Order, "Commuting events",
		"Two events have the same effect in either order. explore --partial-order proves this, so it can skip one of the orders.",
		"No action is needed: the events are explored in both orders."},
	DIS: {"DIS", Order, "Disabled stays disabled",
		"An event cannot enable another one. explore --partial-order proves it.",
		"As for COM."},
	PAR: {"PAR", Order, "Values of a parameter",
		"The parameter takes its values from a set of constants. explore --partial-order proves it.",
		"As for COM."},
}

func (k Kind) String() string { return kinds[k].name }

// Requested reports whether gradine.toml asks for obligations of the kind; Rodin does not
// have them.
func (k Kind) Requested() bool { return k == DLF || k == ENB || k == LTO }

// Concern is what obligations of the kind are good for.
func (k Kind) Concern() Concern { return kinds[k].concern }

// Title is what the kind is called.
func (k Kind) Title() string { return kinds[k].title }

// Asks says what obligations of the kind ask.
func (k Kind) Asks() string { return kinds[k].asks }

// IfOpen says what to do about an obligation of the kind that does not hold, or is
// not proved.
func (k Kind) IfOpen() string { return kinds[k].open }

// Kinds returns all kinds, in order.
func Kinds() []Kind {
	out := make([]Kind, len(kinds))
	for i := range out {
		out[i] = Kind(i)
	}
	return out
}

// KindOf returns the kind of a name in any case, such as INV.
func KindOf(name string) (Kind, bool) {
	for _, k := range Kinds() {
		if strings.EqualFold(k.String(), name) {
			return k, true
		}
	}
	return 0, false
}
