package po_test

import (
	"fmt"
	"testing"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
)

// counters returns a machine with n counters, and for each an invariant and an
// event that steps it.
func counters(n int) *model.Development {
	b := logic.NewBank()
	m := &model.Machine{Name: "m", Accurate: true}
	init := &model.Event{Label: model.InitLabel, Accurate: true}
	m.Events = append(m.Events, init)
	nat := b.App(logic.Natural)
	for i := range n {
		v := b.Free(fmt.Sprintf("v%d", i), logic.IntType)
		m.Variables = append(m.Variables, model.Variable{Ident: model.Ident{Name: b.Name(v), Term: v}, Concrete: true})
		m.Invariants = append(m.Invariants, &model.Predicate{Label: fmt.Sprintf("inv%d", i), Term: b.App(logic.In, v, nat)})
		act := func(e logic.Term) *model.Action {
			return &model.Action{Label: fmt.Sprintf("act%d", i), Left: []logic.Term{v}, Right: []logic.Term{e}}
		}
		init.Actions = append(init.Actions, act(b.Int64(0)))
		m.Events = append(m.Events, &model.Event{
			Label: fmt.Sprintf("step%d", i), Accurate: true,
			Guards:  []*model.Predicate{{Label: "grd1", Term: b.App(logic.Lt, v, b.Int64(9))}},
			Actions: []*model.Action{act(b.App(logic.Plus, v, b.Int64(1)))},
		})
	}
	b.Freeze()
	return &model.Development{Project: "p", Bank: b, Machines: []*model.Machine{m}}
}

func BenchmarkGenerate(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("events=%d", n), func(b *testing.B) {
			d := counters(n)
			made := 0
			for b.Loop() {
				os, err := po.Generate(d, model.Component{Machine: d.Machine("m")}, po.Options{})
				if err != nil || len(os) != 2*n {
					b.Fatalf("%d obligations, %v", len(os), err)
				}
				made += len(os)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(made), "ns/obligation")
		})
	}
}
