package rules

import "testing"

// Each row of the table is about an axiom or a lemma that there is.
func TestTable(t *testing.T) {
	for _, r := range table {
		if _, ok := compile(r); !ok {
			t.Errorf("rule %s: no such axiom or lemma", r.name)
		}
	}
}
