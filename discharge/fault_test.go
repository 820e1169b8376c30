package discharge_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
)

// A panic costs one obligation its verdict; the others have theirs.
func TestFaultCostsOneObligation(t *testing.T) {
	good, err := check.ReadSequent(map[string]string{"x": "ℤ"}, []string{"x>1"}, nil, "x>0")
	if err != nil {
		t.Fatal(err)
	}
	bad := logic.Sequent{Bank: good.Bank, Goal: logic.Term(1 << 30)} // a term that the bank does not have
	var got []verdict.Outcome
	n := discharge.Run(context.Background(), 3, func(i int) logic.Sequent {
		if i == 1 {
			return bad
		}
		return good
	}, discharge.Options{}, func(_ int, o verdict.Outcome) { got = append(got, o) })
	if n != 3 || got[0].Verdict != verdict.Proved || got[2].Verdict != verdict.Proved {
		t.Fatalf("%d results: %+v", n, got)
	}
	if o := got[1]; o.Verdict != verdict.Open || !strings.Contains(o.Fault, "index out of range") || !strings.Contains(o.Fault, ", in text.(*Fingerprinter)") {
		t.Errorf("%+v", o)
	}
}
