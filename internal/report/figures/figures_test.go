package figures

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"
)

// Where schedules differ, what is best depends on the criterion: the answer says it,
// not the page.
func TestGridOfRanges(t *testing.T) {
	for criterion, want := range map[string]string{"worst": "P=2:5 ", "best": "P=1:1 P=3:1 "} {
		best := map[string]string{"worst": `{"P":2}`, "best": `{"P":1}`}[criterion]
		line := `{"tune":"either","instance":{"layout":"row"},"carriers":{"S":3},"complete":true,"by":"exhaustive","criterion":"` + criterion + `","best":[` + best + `],"range":[1,10],"table":[` +
			`{"point":{"P":1},"range":[1,10]},{"point":{"P":2},"T_ev":5},{"point":{"P":3},"same_as":{"P":1},"range":[1,10]}]}`
		ts, err := ReadTunings(strings.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		g := GridOf(ts[0])
		got := ""
		for c, name := range g.Columns {
			if x := g.Cells[[2]int{c, 0}]; x.Best {
				got += "P=" + name + ":" + x.Worth.String() + " "
			}
		}
		if got != want || g.Given() != "layout = row, card(S) = 3" {
			t.Errorf("%s: best %q, want %q; %q", criterion, got, want, g.Given())
		}
	}
}

// A grid with more values than a picture has room for keeps its best points.
func TestThinnedGrid(t *testing.T) {
	x := Tuned{Tune: "long", Best: []json.RawMessage{json.RawMessage(`{"P":777,"Q":1}`)}}
	for p := range 1000 {
		x.Table = append(x.Table, TuningPoint{Point: json.RawMessage(fmt.Sprintf(`{"P":%d,"Q":1}`, p)), TEv: big.NewInt(int64(1000 + (p-777)*(p-777)))})
	}
	heat, note, err := GridOf(x).HeatMap()
	if err != nil || len(heat.Columns) > 2*mostTicks || !strings.Contains(note, "of 1000 values of P") {
		t.Fatal(len(heat.Columns), note, err)
	}
	best := 0
	for at, c := range heat.Cells {
		if c.Best && heat.Columns[at[0]] == "777" {
			best++
		}
	}
	if best != 1 {
		t.Errorf("%d best points are drawn", best)
	}
	if _, _, err := GridOf(Tuned{Tune: "none"}).HeatMap(); err == nil {
		t.Error("a picture of nothing")
	}
}
