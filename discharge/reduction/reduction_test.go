package reduction_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/reduction"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/golden"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/order"
	"github.com/gradine/gradine/po"
)

// opts has a budget that proves every true obligation of the tables, except those with more than one product.
var opts = discharge.Options{Steps: 20_000}

// A table is a development; what it shows is about its last machine, whose obligations are all attempted.
func TestTables(t *testing.T) {
	golden.Tables(t, func(t *testing.T, in string) string {
		var problems diag.List
		dev := check.Development("p", []*lang.File{lang.Parse("p.eventb", []byte(in), &problems)}, &problems)
		if len(dev.Machines) == 0 {
			t.Fatal(problems.Sorted())
		}
		m := dev.Machines[len(dev.Machines)-1]
		results := prove(t, dev)
		var out strings.Builder
		for _, s := range []reduction.Search{{}, {Abstract: true}, {KeepGoing: true}} {
			preserved, why := reduction.Preserved(dev, m, results, s)
			fmt.Fprintf(&out, "preserved abstract=%t keep-going=%t: %s (%s)\n", s.Abstract, s.KeepGoing, labels(preserved), why)
		}
		known := reduction.InductiveOf(dev, m, results)
		fmt.Fprintf(&out, "inductive: all but %s (%s)\n", known.Labels(), known.Why)
		fmt.Fprintf(&out, "without results: %s\n", reduction.InductiveOf(dev, m, nil).Why)
		for _, assume := range []bool{false, true} {
			fmt.Fprintf(&out, "assume=%t\n", assume)
			printOrder(&out, dev.Bank, reduction.Independence(t.Context(), dev, m, known, assume, opts))
		}
		return out.String()
	})
}

func prove(t *testing.T, dev *model.Development) (results []verdict.Result) {
	t.Helper()
	obligations, err := po.All(dev, nil)
	if err != nil {
		t.Fatal(err)
	}
	results = make([]verdict.Result, len(obligations))
	discharge.Run(t.Context(), len(obligations), func(i int) logic.Sequent { return obligations[i].Sequent() }, opts,
		func(i int, o verdict.Outcome) { results[i] = verdict.Result{Obligation: obligations[i], Outcome: o} })
	return results
}

func labels(invariants []*model.Predicate) string {
	var out []string
	for _, i := range invariants {
		out = append(out, i.Label)
	}
	return strings.Join(out, " ")
}

func printOrder(out *strings.Builder, bank *logic.Bank, x *order.Independence) {
	where := func(all []order.Different) (out string) {
		for _, d := range all {
			out += " if " + text.Term(bank, d.First) + " ≠ " + text.Term(bank, d.Second)
		}
		return out
	}
	fmt.Fprintf(out, "  verified %t, pairs: proved %d assumed %d unknown %d, guards assumed %d\n", x.Verified, x.Proved, x.Assumed, x.Unknown, x.Guards)
	for _, w := range x.Within {
		fmt.Fprintf(out, "  %s of %s in %s\n", text.Term(bank, w.Param), w.Event.Label, text.Term(bank, w.Set))
	}
	for _, c := range x.Commuting {
		fmt.Fprintf(out, "  %s commutes with %s%s\n", c.First.Label, c.Second.Label, where(c.Where))
	}
	for _, e := range x.Exclusive {
		fmt.Fprintf(out, "  %s excludes %s\n", e.First.Label, e.Second.Label)
	}
	for _, h := range x.Harmless {
		fmt.Fprintf(out, "  %s leaves false %s of %s%s\n", h.Event.Label, text.Term(bank, h.Guard), h.Other.Label, where(h.Where))
	}
}
