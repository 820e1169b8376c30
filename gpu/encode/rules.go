package encode

// Rule is a way of guessing: what a rule proposes is a candidate until a prover has decided on it.
type Rule uint8

// The rules, in the order in which tables list them. All but Alike guess invariants of one thread at a point of control.
const (
	Typed   Rule = iota // values fit their type
	Ranged              // values are in the range that interval analysis finds
	Kept                // a loop does not change a value
	Started             // a value that only grows or only shrinks stays on one side of its start
	Guarded             // a condition on the way to a loop still holds in it
	Counted             // start + step ∗ rounds
	Turned              // a stepped value keeps its remainder
	Bounded             // the condition of a loop held before the step
	Powered             // a value that is doubled or halved is a power of two
	Alike               // what threads that left a barrier together have in common
	NumRules
)

var ruleTexts = [NumRules]struct{ name, doc string }{
	Typed:   {"type", "a value fits its type"},
	Ranged:  {"range", "a value is in the range that interval analysis finds"},
	Kept:    {"kept", "a loop does not change a value"},
	Started: {"start", "a value that only grows (or only shrinks) stays above (or below) its start"},
	Guarded: {"guard", "a condition on the way to a loop holds in the loop"},
	Counted: {"count", "a value is its start plus its step times the rounds"},
	Turned:  {"turn", "a value that steps by a number of threads keeps its remainder"},
	Bounded: {"bound", "the condition of a loop held of the value before the step"},
	Powered: {"power", "a value that is doubled or halved is a power of two"},
	Alike:   {"relation", "threads that left a barrier together have values and branches in common"},
}

// String is the name of the rule.
func (r Rule) String() string { return ruleTexts[r].name }

// Doc says what the rule proposes.
func (r Rule) Doc() string { return ruleTexts[r].doc }

// Rules is a set of rules.
type Rules uint16

// AllRules are all rules.
const AllRules = Rules(1)<<NumRules - 1

// Only is the set of one rule.
func Only(r Rule) Rules { return 1 << r }

// Has reports whether r is in the set.
func (s Rules) Has(r Rule) bool { return s&Only(r) != 0 }

// Tally is how many guesses each rule has made, and how many of them live.
type Tally [NumRules]struct{ Made, Live int }

// Tally counts the guesses of a search as they stand.
func (s *Search) Tally() (t Tally) {
	count := func(r Rule, dead bool) {
		t[r].Made++
		if !dead {
			t[r].Live++
		}
	}
	for _, c := range s.b.cands {
		count(c.rule, c.dead)
	}
	for _, r := range s.b.relations {
		count(Alike, r.dead)
	}
	return t
}
