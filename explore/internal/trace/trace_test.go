package trace_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/picture"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/sample"
	"github.com/gradine/gradine/explore/internal/trace"
)

// Jobs 1 and 2 run on two machines; a clock ticks in between.
const jobs = `machine jobs
variables clock run first last on
invariants
  @clock clock ∈ 0‥3
  @run run ⊆ 1‥2
  @first first ∈ 1‥2 ⇸ 0‥3
  @last last ∈ 1‥2 ⇸ ℤ
  @on on ∈ 1‥2 ⇸ 1‥2
events
  event INITIALISATION then
    @clock clock ≔ 0
    @run run ≔ ∅
    @first first ≔ ∅
    @last last ≔ ∅
    @on on ≔ ∅
  end
  event start any job lane where @job job ∈ 1‥2 @lane lane ∈ 1‥2 @new job ∉ dom(first) then
    @run run ≔ run ∪ {job}
    @first first(job) ≔ clock
    @last last(job) ≔ −1
    @on on(job) ≔ lane
  end
  event finish any job where @job job ∈ run then @run run ≔ run ∖ {job} @last last(job) ≔ clock end
  event tick when @more clock < 3 then @clock clock ≔ clock + 1 end
end`

// walk takes steps that are named EVENT or EVENT(ARGUMENTS).
func walk(t *testing.T, p *program.Program, steps ...string) *trace.Trace {
	t.Helper()
	out := trace.Empty(p)
	var before []byte
	for i, name := range append([]string{"INITIALISATION"}, steps...) {
		event := 0
		for k, e := range p.Events {
			if strings.HasPrefix(name, e.Model.Label) {
				event = k + 1
			}
		}
		step, after := trace.Find(p, context.Background(), event, before, func(f *formula.Frame) bool {
			var args []string
			for _, x := range p.EventOf(event).Params {
				args = append(args, p.Space.String(x.Shape, f.Slots[x.Slot]))
			}
			return len(args) == 0 || strings.HasSuffix(name, "("+strings.Join(args, ",")+")")
		})
		if after == nil {
			t.Fatalf("step %d, %s, cannot happen", i, name)
		}
		out.Append(step, after)
		before = after
	}
	return out
}

func shown(bs []picture.Binding) (out string) {
	for _, b := range bs {
		out += " " + b.Name + "=" + b.Value
	}
	return out
}

// A step says what changed, and with which parameters.
func TestSteps(t *testing.T) {
	run := walk(t, sample.Program(t, jobs), "start(1,2)", "tick", "finish(1)")
	var got []string
	for _, s := range run.Steps[1:] {
		got = append(got, s.Event+shown(s.Params)+":"+shown(s.Changed))
	}
	want := "start job=1 lane=2: run={1} first={1↦0} last={1↦−1} on={1↦2}\ntick: clock=1\nfinish job=1: run=∅ last={1↦1}"
	if strings.Join(got, "\n") != want {
		t.Error(strings.Join(got, "\n"))
	}
	if first := run.Steps[0]; len(first.Changed) != 5 || len(first.State) != 5 {
		t.Error("all that the initialisation sets has changed:", first.Changed)
	}
}

// Bars are read from events, or from functions in the last state.
func TestBars(t *testing.T) {
	run := walk(t, sample.Program(t, jobs), "start(2,1)", "tick", "start(1,2)", "tick", "finish(2)", "tick")
	for _, c := range []struct{ chart, want string }{
		{"start=start,end=finish,item=job,lane=lane,clock=clock", "2 in 1: 0‥2; 1 in 2: 1‥3 open"},
		{"start=start,end=finish,item=job,clock=clock", "2 in 1: 0‥2; 1 in 2: 1‥3 open"},
		{"start=first,end=last,lane=on,clock=clock", "1 in 2: 1‥3 open; 2 in 1: 0‥2"},
		{"start=first,end=last,clock=clock", "1 in 1: 1‥3 open; 2 in 2: 0‥2"},
		{"start=begin,end=finish,clock=clock", "no event begin in the trace"},
		{"start=start,end=finish,clock=run", "machine jobs has no integer variable run"},
		{"start=first,end=run,clock=clock", "machine jobs has no variable run that is a function to integers"},
		{"start=start,end=finish", "start, end and clock are needed"},
		{"start=start,until=finish", `unknown key "until": use start, end, item, lane or clock`},
		{"start", `"start" is not of the form KEY=VALUE`},
	} {
		if got := bars(run, c.chart); got != c.want {
			t.Errorf("%s: %s, want %s", c.chart, got, c.want)
		}
	}
}

func bars(run *trace.Trace, text string) string {
	chart, err := trace.ReadChart(text)
	if err != nil {
		return err.Error()
	}
	found, err := run.Bars(chart)
	if err != nil {
		return err.Error()
	}
	var out []string
	for _, b := range found {
		s := fmt.Sprintf("%s in %s: %s‥%s", b.Item, b.Lane, b.From, b.To)
		if b.Open {
			s += " open"
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

// What is written as ITF is read again: the machine, each event with its parameters, each value.
func TestITF(t *testing.T) {
	p := sample.Program(t, jobs)
	run := walk(t, p, "start(1,2)", "tick")
	data, err := run.ITF()
	if err != nil {
		t.Fatal(err)
	}
	machine, states, err := trace.ReadITF(data)
	if err != nil || machine != "jobs" || len(states) != len(run.Steps) {
		t.Fatal(machine, len(states), err)
	}
	for i, s := range states {
		params := map[string]string{}
		for _, b := range run.Steps[i].Params {
			params[b.Name] = b.Value
		}
		if s.Event != run.Steps[i].Event || len(s.Params) != len(params) {
			t.Errorf("state %d: %s %v", i, s.Event, s.Params)
		}
		for k, v := range p.Variables {
			x, err := p.Space.Read(v.Shape, s.Values[v.Name])
			if got := p.Space.String(v.Shape, x); err != nil || got != run.Steps[i].State[k].Value {
				t.Errorf("state %d: %s is %s, want %s (%v)", i, v.Name, got, run.Steps[i].State[k].Value, err)
			}
		}
	}
	for _, c := range []struct{ text, want string }{
		{`{"vars":[]`, "no ITF trace: unexpected EOF"},
		{`{"vars":["x"],"states":[]}`, "no ITF trace: it has no states"},
		{`{"vars":["x"],"states":[{"x":1}]}`, "state 0 of the trace names no event in its #meta"},
	} {
		if _, _, err := trace.ReadITF([]byte(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}

// A trace brings the elements of its carrier sets and its constants.
func TestSetup(t *testing.T) {
	p := sample.Program(t, "context c\nsets P\nconstants n\naxioms @p card(P) = 2 @n n = 7\nend\n\nmachine m sees c\nvariables q\ninvariants @q q ∈ P\nevents\n  event INITIALISATION then @q q :∈ P end\nend")
	data, err := walk(t, p).ITF()
	if err != nil {
		t.Fatal(err)
	}
	carriers, constants, err := trace.Setup(data)
	if err != nil {
		t.Fatal(err)
	}
	said, _ := json.Marshal([]any{carriers, constants})
	if want := `[{"P":["P1","P2"]},{"n":{"#bigint":"7"}}]`; string(said) != want {
		t.Errorf("%s, want %s", said, want)
	}
}

// The run of a view is completed to one of the whole machine, with the same events and parameters.
func TestWhole(t *testing.T) {
	machine, set := sample.Machine(t, jobs)
	clock := machine.Variables[0].Term
	p, err := program.CompileInto(set, machine, &program.Program{Cone: program.ConeOf(set.Bank, machine, nil)})
	if err != nil {
		t.Fatal(err)
	}
	if !p.Cone.Keeps(clock) || len(p.Variables) == len(machine.Variables) {
		t.Fatal("the view leaves nothing out")
	}
	whole, err := walk(t, p, "start(2,1)", "tick", "finish(2)").Whole(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	last := whole.Steps[len(whole.Steps)-1]
	if got := shown(last.State); got != " clock=1 run=∅ first={2↦0} last={2↦1} on={2↦1}" || shown(whole.Steps[1].Params) != " job=2 lane=1" {
		t.Error(got, shown(whole.Steps[1].Params))
	}
}
