package eval_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
)

// Rules are written, read, evaluated, and told by a term that denotes the same.
func TestRules(t *testing.T) {
	types := map[string]string{"f": "ℙ(ℤ×ℤ)", "u": "ℙ(ℤ)", "d": "ℙ(ℤ×ℤ×ℤ)"}
	value := map[string]string{
		"f": `{"domres":[{"interval":[0,null]},{"rule":{"variables":1,"where":["true"],"each":["maplet","x0",["plus",["times",2,"x0"],1]]}}]}`,
		"u": `{"rule":{"variables":1,"where":["and",["le",0,"x0"],["neq","x0",7]],"each":"x0"}}`,
		"d": `{"rule":{"variables":2,"where":["true"],"each":["maplet",["maplet","x0","x1"],["minus","x0","x1"]]}}`,
	}
	var entries []string
	for _, name := range []string{"d", "f", "u"} {
		entries = append(entries, fmt.Sprintf("%q:%s", name, value[name]))
	}
	written := `{"carriers":{},"values":{` + strings.Join(entries, ",") + "}}"
	for predicate, want := range map[string]eval.Truth{
		"f(3)=7": eval.True, "f(0)=0": eval.False, "−1∈dom(f)": eval.False, "6∈u": eval.True, "7∈u": eval.False, "−2∈u": eval.False,
		"d(5↦2)=3": eval.True, "d(2↦5)=3": eval.False, "f=(λn·n∈ℕ∣n+n+1)∧f(2)=5": eval.Unknown,
	} {
		s, err := check.ReadSequent(types, nil, nil, predicate)
		if err != nil {
			t.Fatal(err)
		}
		s = s.Bare()
		m, err := eval.ReadModel(s.Bank, s.Bank.FreeIdents(s.Goal), []byte(written))
		if err != nil {
			t.Fatal(err)
		}
		if got := eval.New(s.Bank, m, 10_000).Pred(s.Goal); got != want {
			t.Errorf("%s: %v, want %v", predicate, got, want)
		}
		// A term instead of the value says the same.
		terms := map[logic.Term]logic.Term{}
		for _, id := range s.Bank.FreeIdents(s.Goal) {
			term, ok := m.Term(s.Bank, s.Bank.Type(id), m.Values[s.Bank.Name(id)], nil)
			if !ok {
				t.Fatalf("no term for %s", s.Bank.Name(id))
			}
			terms[id] = term
		}
		if got := eval.New(s.Bank, eval.NewModel(), 10_000).Pred(s.Bank.Subst(s.Goal, terms)); got != want && got != eval.Unknown {
			t.Errorf("%s with terms: %v, want %v", predicate, got, want)
		}
		data, err := m.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range s.Bank.FreeIdents(s.Goal) {
			if name := s.Bank.Name(id); !strings.Contains(string(data), fmt.Sprintf("%q:%s", name, value[name])) {
				t.Errorf("%s is written %s, want %s", name, data, value[name])
			}
		}
	}
	bank := logic.NewBank()
	for _, bad := range []string{
		`1`, `{}`, `{"variables":1,"where":["true"],"each":"x1"}`, `{"variables":0,"where":["true"],"each":1}`, `{"variables":9,"where":["true"],"each":1}`,
		`{"variables":1,"where":"x0","each":"x0"}`, `{"variables":1,"where":["true"],"each":["div",1,"x0"]}`, `{"variables":1,"where":["le","x0"],"each":"x0"}`,
		`{"variables":1,"where":["true"],"each":["maplet","x0","x0"]}`, `{"variables":1,"where":["true"],"each":[]}`, `{"variables":1,"where":["true"],"each":null}`,
		`{"variables":1,"where":["true"],"each":` + strings.Repeat(`["neg",`, 200) + `"x0"` + strings.Repeat("]", 200) + `}`,
		`{"variables":1,"where":["true","x0"],"each":"x0","more":1}`,
	} {
		u := bank.Free("u", bank.PowType(logic.IntType))
		if _, err := eval.ReadModel(bank, []logic.Term{u}, []byte(`{"carriers":{},"values":{"u":{"rule":`+bad+`}}}`)); err == nil {
			t.Errorf("%s is read", bad)
		}
	}
}
