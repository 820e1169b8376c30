package order

import (
	"testing"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// TestAmong keeps what speaks of the events that are asked for, and of no other.
func TestAmong(t *testing.T) {
	a, b, c := &model.Event{}, &model.Event{}, &model.Event{}
	unproved := []*model.Predicate{{Label: "inv"}}
	x := &Independence{
		Verified: true, Unproved: unproved,
		Commuting: []Commuting{{First: a, Second: b}, {First: a, Second: c}, {First: c, Second: c}},
		Exclusive: []Exclusive{{b, c}, {a, a}},
		Harmless:  []Harmless{{Event: b, Other: a}, {Event: c, Other: a}, {Event: a, Other: c}},
		Within:    []Within{{a, logic.Term(1), logic.Term(2)}, {c, logic.Term(3), logic.Term(4)}},
		Proved:    7,
	}
	got := x.Among(map[*model.Event]bool{a: true, b: true})
	if !got.Verified || len(got.Unproved) != 1 {
		t.Errorf("what holds of the machine is lost: %+v", got)
	}
	if len(got.Commuting) != 1 || got.Commuting[0].Second != b {
		t.Errorf("commuting: %v", got.Commuting)
	}
	if len(got.Exclusive) != 1 || got.Exclusive[0].Second != a {
		t.Errorf("exclusive: %v", got.Exclusive)
	}
	if len(got.Harmless) != 1 || got.Harmless[0].Event != b {
		t.Errorf("harmless: %v", got.Harmless)
	}
	if len(got.Within) != 1 || got.Within[0].Event != a {
		t.Errorf("within: %v", got.Within)
	}
	if none := x.Among(nil); len(none.Commuting)+len(none.Exclusive)+len(none.Harmless)+len(none.Within) != 0 {
		t.Errorf("of no events something is known: %+v", none)
	}
}
