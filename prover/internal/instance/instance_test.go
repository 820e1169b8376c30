package instance

import (
	"math/big"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

func table(t *testing.T, goal string) (*Table, logic.Term) {
	t.Helper()
	q, err := check.ReadSequent(map[string]string{"S": "ℙ(S)", "A": "ℙ(S)", "a": "S", "m": "ℤ", "n": "ℤ"}, nil, nil, goal)
	if err != nil {
		t.Fatal(err)
	}
	return NewTable(q.Bank), q.Goal
}

// TestOf asks for an instance of a schema: what it states is what the kernel states, a second
// answer is the first one, and terms that it does not fit have none.
func TestOf(t *testing.T) {
	tab, goal := table(t, "a∈A∪A")
	schema := kernel.Lookup("mem.union")
	if schema == nil {
		t.Fatal("no schema mem.union")
	}
	args := tab.Bank.Args(goal)
	first, step, ok := tab.Of(schema, args...)
	want, err := schema.Clauses(tab.Bank, args...)
	if err != nil || !ok || len(first) != len(want) || step.Name != schema.Name || step.Kind != kernel.Axiom || len(step.Terms) != 2 {
		t.Fatalf("%v %v %v, want %v %v", first, step, ok, want, err)
	}
	if again, _, ok := tab.Of(schema, args...); !ok || &again[0] != &first[0] {
		t.Error("the same instance is made twice")
	}
	if _, _, ok := tab.Of(schema, args[1], args[0]); ok {
		t.Error("an instance of terms that do not fit")
	}
	if _, _, ok := tab.Of(schema, args[0]); ok {
		t.Error("an instance of too few terms")
	}
}

// TestBody puts values for the variables of a formula: of their types, once for each.
func TestBody(t *testing.T) {
	tab, goal := table(t, "∀x,i·x∈A⇒i>n")
	b := tab.Bank
	ident := func(name string, typ logic.Type) logic.Term { return b.Free(name, typ) }
	set := b.Decls(goal)[0]
	a, m := ident("a", set), ident("m", logic.IntType)
	body := tab.Body(goal, []logic.Term{a, m})
	if body == nil || body.Term != b.Instantiate(b.Arg(goal, 0), []logic.Term{a, m}) {
		t.Fatalf("%+v", body)
	}
	if tab.Body(goal, []logic.Term{a, m}) != body {
		t.Error("the same body is made twice")
	}
	if tab.Body(goal, []logic.Term{a, ident("n", logic.IntType)}) == body {
		t.Error("other values have the same body")
	}
	for _, vals := range [][]logic.Term{{m, a}, {a}, {a, m, m}} {
		if tab.Body(goal, vals) != nil {
			t.Errorf("a body with values that do not fit: %v", vals)
		}
	}
	clause, ok := tab.Clause(body)
	if want, err := kernel.InstClause(b, goal, []logic.Term{a, m}); !ok || err != nil || len(clause) != len(want) {
		t.Errorf("%v %v, want %v %v", clause, ok, want, err)
	}
	if _, ok := tab.Clause(nil); ok {
		t.Error("a clause of no body")
	}
}

// TestBound reads inequalities as bounds, and memberships not at all.
func TestBound(t *testing.T) {
	for goal, want := range map[string]struct{ equal, ok bool }{
		"m < n": {false, true}, "m = n": {true, true}, "a ∈ A": {false, false},
	} {
		tab, term := table(t, goal)
		for range 2 {
			if _, equal, ok := tab.Bound(kernel.LitOf(tab.Bank, tab.Bank.Not(term))); ok != want.ok || equal != want.equal {
				t.Errorf("%s: %v %v", goal, equal, ok)
			}
		}
	}
}

// TestInt makes literals of any size, equal ones once.
func TestInt(t *testing.T) {
	tab, _ := table(t, "m=n")
	huge := new(big.Int).Lsh(big.NewInt(1), 200)
	for _, v := range []*big.Int{big.NewInt(0), big.NewInt(-7), huge, new(big.Int).Neg(huge)} {
		x := tab.Int(v)
		if tab.Bank.Value(x).Cmp(v) != 0 || tab.Int(new(big.Int).Set(v)) != x {
			t.Errorf("%v is %v", v, tab.Bank.Value(x))
		}
	}
}

// TestTriggers keeps the choice for a formula, one for each way of asking.
func TestTriggers(t *testing.T) {
	tab, goal := table(t, "∀x·x∈A⇒x=a")
	c := tab.Triggers(goal, true, false)
	if len(c.Triggers) != 1 || tab.Triggers(goal, true, false) != c || tab.Triggers(goal, true, true) == c || tab.Triggers(goal, false, false) == c {
		t.Errorf("%+v", c)
	}
}
