package proofstore_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
)

// TestRenamedCertificates renames every name of a development, to names that stand before
// all others and behind them: each certificate of the old one is one of the new one. What
// is written under a wrong name is refused.
func TestRenamedCertificates(t *testing.T) {
	data, err := os.ReadFile("../judgement/testdata/true.eventb")
	if err != nil {
		t.Fatal(err)
	}
	before := obligationsIn(t, string(data))
	get := func(list []*po.Obligation) func(int) logic.Sequent {
		return func(i int) logic.Sequent { return list[i].Sequent() }
	}
	results := make([]verdict.Result, len(before))
	discharge.Run(context.Background(), len(before), get(before), discharge.Options{}, func(i int, o verdict.Outcome) {
		o.Committed = true
		results[i] = verdict.Result{Obligation: before[i], Outcome: o}
	})
	certificates := proofstore.NewCertificates(results)
	if certificates.Len() != len(before) {
		t.Fatalf("%d certificates of %d obligations", certificates.Len(), len(before))
	}
	names := []string{"THING", "most", "least", "twice", "count", "things", "held", "last", "t", "s"}
	for i, old := range names {
		for _, now := range []string{"Aa0", "zz_9"} {
			if testing.Short() && (now == "Aa0") == (i%2 == 0) {
				continue
			}
			after := obligationsIn(t, renamed(string(data), old, now))
			fresh, err := certificates.Renamed(proofstore.Names{old: now}, before, after)
			if err != nil {
				t.Fatalf("%s → %s: %v", old, now, err)
			}
			read, err := proofstore.DecodeCertificates(fresh.Encode())
			if err != nil || fresh.Len() < certificates.Len() {
				t.Fatalf("%s → %s: %d certificates, %v", old, now, fresh.Len(), err)
			}
			discharge.Run(context.Background(), len(after), get(after), discharge.Options{Committed: read, Replay: true}, func(i int, o verdict.Outcome) {
				if o.Verdict != results[i].Verdict {
					t.Errorf("%s → %s: %s is %s, was %s", old, now, after[i].Path(), o.Verdict, results[i].Verdict)
				}
			})
			// The proofs need no parameter by its name alone; of the others some do.
			if _, err := certificates.Renamed(proofstore.Names{old: "wrong"}, before, after); err == nil && len(old) > 1 {
				t.Errorf("%s → wrong is taken for %s", old, now)
			}
		}
	}
}

func obligationsIn(t *testing.T, text string) []*po.Obligation {
	t.Helper()
	var problems diag.List
	dev := check.Development("p", []*lang.File{lang.Parse("m.eventb", []byte(text), &problems)}, &problems)
	if problems.Len() > 0 {
		t.Fatalf("%v\n%s", problems.Sorted(), text)
	}
	obligations, err := po.All(dev, nil)
	if err != nil {
		t.Fatal(err)
	}
	return obligations
}

// renamed is a text with another name.
func renamed(text, old, now string) string {
	var out strings.Builder
	at := 0
	for _, tok := range lang.Tokens(text) {
		from, word := tok.From, text[tok.From:tok.To]
		if tok.Kind == lang.LabelToken { // those of witnesses are names
			from, word = from+1, word[1:]
		}
		if strings.TrimSuffix(word, "'") == old {
			out.WriteString(text[at:from] + now + word[len(old):])
			at = tok.To
		}
	}
	return out.String() + text[at:]
}
