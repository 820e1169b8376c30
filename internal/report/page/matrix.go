package page

import (
	"slices"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
)

// matrixView is obligations in rows and columns.
type matrixView struct {
	Name    string // what it shows
	Corner  string
	Up      bool // the names of columns stand upright
	Columns []string
	Rows    []matrixRow
}

type matrixRow struct {
	Name  string
	Cells []cell
}

type cell struct {
	ID            string // of the first of the worst obligations of the cell: that is what its reader looks for
	Verdict, Sign string
	Count, Proved int
}

// matricesOf arranges the obligations of a component: events by kinds, and, of a
// machine, its invariants by the events that have to keep them.
func matricesOf(p *findings, of model.Component, own []int, ids []string) []matrixView {
	events := []string{""} // the component's own part
	if of.Machine != nil {
		for _, e := range of.Machine.Events {
			events = append(events, e.Label)
		}
	}
	eventOf := func(i int) string {
		if e := p.Results[i].Event; e != nil {
			return e.Label
		}
		return ""
	}
	var kinds []string
	for _, k := range kindsOf(p, own) {
		kinds = append(kinds, k.String())
	}
	byKind := matrixView{Name: "events by kinds of obligations", Corner: "event", Columns: kinds}
	byKind.fill(p, ids, own, events, kinds, eventOf, func(i int) string { return p.Results[i].Kind.String() })
	for i, r := range byKind.Rows {
		if r.Name == "" {
			byKind.Rows[i].Name = "—"
		}
	}
	out := []matrixView{byKind}
	if of.Machine == nil {
		return out
	}
	var keep []int
	var invariants []string
	for _, i := range own {
		if r := p.Results[i]; r.Kind == po.INV && r.Event != nil && r.Predicate != nil {
			keep = append(keep, i)
			if label := r.Predicate.Label; !slices.Contains(invariants, label) {
				invariants = append(invariants, label)
			}
		}
	}
	if len(invariants) == 0 {
		return out
	}
	events = slices.DeleteFunc(events[1:], func(e string) bool {
		return !slices.ContainsFunc(keep, func(i int) bool { return eventOf(i) == e })
	})
	// In the order of the machine: that is how its author looks for them.
	place := func(label string) int {
		return slices.IndexFunc(of.Machine.Invariants, func(x *model.Predicate) bool { return x.Label == label })
	}
	slices.SortStableFunc(invariants, func(a, b string) int { return place(a) - place(b) })
	byInvariant := matrixView{Name: "invariants by events", Corner: "invariant", Columns: events, Up: true}
	byInvariant.fill(p, ids, keep, invariants, events, func(i int) string { return p.Results[i].Predicate.Label }, eventOf)
	return append(out, byInvariant)
}

// fill puts obligations into the cells; rows without any are left out.
func (m *matrixView) fill(p *findings, ids []string, own []int, rows, columns []string, rowOf, columnOf func(int) string) {
	type at struct{ row, column string }
	cells := map[at]*cell{}
	for _, i := range own {
		k := at{rowOf(i), columnOf(i)}
		x := cells[k]
		if x == nil {
			x = &cell{}
			cells[k] = x
		}
		verdict := shown(p.Results[i])
		// A cell shows its gravest obligation, and leads to it.
		if x.Count++; x.Count == 1 || grave[verdict] > grave[x.Verdict] {
			x.ID, x.Verdict, x.Sign = ids[i], verdict, signOf(verdict)
		}
		if grave[verdict] < 2 {
			x.Proved++
		}
	}
	for _, r := range rows {
		row := matrixRow{Name: r}
		any := false
		for _, c := range columns {
			if x := cells[at{r, c}]; x != nil {
				row.Cells, any = append(row.Cells, *x), true
			} else {
				row.Cells = append(row.Cells, cell{})
			}
		}
		if any {
			m.Rows = append(m.Rows, row)
		}
	}
}
