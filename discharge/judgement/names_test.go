package judgement_test

import (
	"slices"
	"testing"

	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/reduction"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic/text"
)

// Two things may have one name, or names that run together: what is false of one of
// them is not taken for proved of the other. Each model has one component that is
// false, and others that are true.
func TestSharedNames(t *testing.T) {
	const initialised = "events event INITIALISATION then @a x ≔ 0 end "
	for name, test := range map[string]struct{ text, wrong, right string }{
		"context and machine": {
			"context M constants c axioms @a c ∈ ℕ end machine M variables x invariants @i x ∈ ℤ @j x = 3 " + initialised + "end",
			"machine M", "context M",
		},
		"machine and context": {
			"context M constants c axioms theorem @t 1 = 1 @c c ∈ ℕ theorem @u c > 0 end machine M variables x invariants @i x ∈ ℤ theorem @t 1 = 1 " + initialised + "end",
			"context M", "machine M",
		},
		"the same obligation in both": {
			"context M constants c axioms @c c ∈ ℕ theorem @t c > 0 end machine M sees N variables x invariants @c x ∈ ℤ theorem @t c > 0 " + initialised + "end " +
				"context N constants c axioms @c c ∈ ℕ1 end",
			"context M", "machine M",
		},
		"equal up to case": {
			"machine m variables x invariants @i x ∈ ℤ " + initialised + "end machine M variables x invariants @i x ∈ ℕ1 " + initialised + "end",
			"machine M", "machine m",
		},
		"events equal up to case": {
			"machine M variables x invariants @i x ≤ 1 " + initialised + "event e where @g x < 1 then @a x ≔ x + 1 end event E then @a x ≔ x + 1 end end",
			"machine M", "",
		},
		"slashes in labels": {
			"machine M variables x invariants @i/j x ≤ 0 @j x ∈ ℤ " + initialised + "event e then @a x ≔ x + 1 end event `e/i` then @a x ≔ 0 end end",
			"machine M", "",
		},
		"slashes in labels, the other way": {
			"machine M variables x invariants @j x ≤ 0 @i/j x ∈ ℤ " + initialised + "event `e/i` then @a x ≔ x + 1 end event e then @a x ≔ 0 end end",
			"machine M", "",
		},
		"a label like the name of another obligation": {
			"machine M variables x invariants theorem @`e/i` 0 = 0 @i x ≤ 0 " + initialised + "event `e/i` where theorem @THM x > 0 then @a x ≔ 0 end end",
			"machine M", "",
		},
		"an event like an invariant": {
			"machine M variables x invariants @i x ≤ 0 " + initialised + "event i then @a x ≔ x + 1 end end",
			"machine M", "",
		},
		"variable and constant of components apart": {
			"context C constants x axioms @i x ∈ ℕ1 theorem @t x > 0 end machine M variables x invariants @i x ∈ ℕ theorem @t x > 0 " + initialised + "end",
			"machine M", "context C",
		},
		"set and constant of components apart": {
			"context C sets s end context D constants s axioms @a s = 0 theorem @t s ≠ 0 end",
			"context D", "context C",
		},
		"parameter and variable of machines apart": {
			"machine M variables x invariants @i x ∈ ℕ " + initialised + "event e any y where @g y > 0 then @a x ≔ y end end " +
				"machine N variables y invariants @i y ∈ ℕ1 events event INITIALISATION then @a y ≔ 0 end end",
			"machine N", "machine M",
		},
	} {
		dev, found := readProject(sourceFile{"m.eventb", test.text})
		results := proveAll(t, dev)
		statuses := judgement.Components(dev, results)
		verified := map[string]bool{}
		for _, s := range statuses {
			verified[s.Of.Kind()+" "+s.Component] = s.Verified
		}
		if is, known := verified[test.wrong]; is || !known {
			t.Errorf("%s: %s is verified %t, known %t; %v", name, test.wrong, is, known, found)
		}
		if test.right != "" && !verified[test.right] {
			t.Errorf("%s: %s is not verified; %v", name, test.right, found)
		}
		for _, m := range dev.Machines {
			spared(t, name, dev, m, results)
		}
		locked(t, name, results)
	}
}

// spared checks that no invariant with an obligation that is not proved is one that
// a search need not check.
func spared(t *testing.T, name string, dev *model.Development, m *model.Machine, results []verdict.Result) {
	preserved, _ := reduction.Preserved(dev, m, results, reduction.Search{})
	for _, r := range results {
		if !r.Verdict.Holds() && r.Machine == m && slices.Contains(preserved, r.Predicate) {
			t.Errorf("%s: %s is spared, but %s is %s", name, r.Predicate.Label, r.Name, r.Verdict)
		}
	}
}

// locked checks that the lock of results has a line for each, and finds it by what
// the sequent says, not by the name.
func locked(t *testing.T, name string, results []verdict.Result) {
	lock := proofstore.NewLock(results)
	again, err := proofstore.DecodeLock(lock.Encode())
	if err != nil || len(again.Lines) != len(results) {
		t.Fatalf("%s: %d lines, %v", name, len(again.Lines), err)
	}
	for _, r := range results {
		x, ok := again.Find(r.Path(), proofstore.ShortFingerprint(text.SequentFingerprint(r.Sequent())))
		if !ok || x.Verdict != r.Verdict {
			t.Errorf("%s: the line of %s/%s says %q, want %q", name, r.Component, r.Name, x.Verdict, r.Verdict)
		}
	}
}
