package judgement

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/refute"
)

var update = flag.Bool("update", false, "rewrite walked.txt; stored answers with guesses are then searched again")

// fixed are the machines of testdata/walked.eventb.
func fixed(t *testing.T) *model.Development {
	t.Helper()
	const name = "testdata/walked.eventb"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var problems diag.List
	dev := check.Development("p", []*lang.File{lang.Parse(name, data, &problems)}, &problems)
	if problems.HasErrors() {
		t.Fatal(problems.Sorted())
	}
	return dev
}

// TestWalked compares where runs of fixed machines meet their events with walked.txt, whose text is part of the questions with
// guesses: answers of a program whose runs are others must not be taken from a store.
func TestWalked(t *testing.T) {
	dev := fixed(t)
	var got bytes.Buffer
	for _, a := range Assumptions(Premises{Dev: dev}) {
		if !a.own() || a.Of.Machine == nil {
			continue
		}
		runs := walks{}
		discharge.Run(t.Context(), 1, func(int) logic.Sequent { return a.Sequent }, discharge.Options{Steps: contradictionSteps, RefuteSteps: modelSteps}, func(_ int, o verdict.Outcome) {
			if o.Counterexample == nil {
				t.Fatalf("%s has no model", a.Of.Name())
			}
			runs.add(a, dev, o.Counterexample)
		})
		w := runs[a.Of.Machine]
		w.run(context.Background())
		for _, label := range slices.Sorted(maps.Keys(w.enabled)) {
			text, err := w.enabled[label].MarshalJSON()
			fmt.Fprintln(&got, a.Of.Name(), label, string(text), err)
		}
	}
	if bytes.Equal(got.Bytes(), walked) {
		return
	}
	if *update {
		if err := os.WriteFile("walked.txt", got.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("runs meet events elsewhere than discharge/judgement/walked.txt says; `go test ./discharge/judgement -run Walked -update` writes the file:\n%s", got.Bytes())
}

// TestRunsOfStoredModels: runs from a model that a search has found, and from the same model as a store returns it, are guesses
// with one digest, and meet the same events in the same states. What stores do not keep, as values of names that the assumption
// does not have, is no part of either.
func TestRunsOfStoredModels(t *testing.T) {
	dev := fixed(t)
	ran := 0
	for _, a := range Assumptions(Premises{Dev: dev}) {
		if !a.own() || a.Of.Machine == nil {
			continue
		}
		discharge.Run(t.Context(), 1, func(int) logic.Sequent { return a.Sequent }, discharge.Options{Steps: contradictionSteps, RefuteSteps: modelSteps}, func(_ int, o verdict.Outcome) {
			o.Counterexample.Model.Values["aside"] = o.Counterexample.Model.Space.Int64(7)
			stored, ok := o.Answer(answer.Digest{})
			if !ok {
				t.Fatal("no answer")
			}
			read, why := verdict.NewProblem(a.Sequent).Accept(a.Sequent, answer.Digest{}, stored, nil)
			if why != "" {
				t.Fatal(why)
			}
			var ons, met []string
			for _, x := range []*refute.Counterexample{o.Counterexample, read.Counterexample} {
				runs := walks{}
				runs.add(a, dev, x)
				w := runs[a.Of.Machine]
				w.run(t.Context())
				text := ""
				for _, label := range slices.Sorted(maps.Keys(w.enabled)) {
					state, err := w.enabled[label].MarshalJSON()
					text += fmt.Sprintln(label, string(state), err)
				}
				ons, met = append(ons, w.on.String()), append(met, text)
			}
			if ons[0] != ons[1] || met[0] != met[1] || met[0] == "" {
				t.Errorf("%s: found %s\n%sstored %s\n%s", a.Of.Name(), ons[0], met[0], ons[1], met[1])
			}
			ran++
		})
	}
	if ran == 0 {
		t.Error("nothing ran")
	}
}

// TestClosure changes everything in the model of two machines and of what they see, one thing after the other: the digest changes
// with each of it, but for what is listed here.
func TestClosure(t *testing.T) {
	dev := fixed(t)
	m := dev.Machine("logger")
	want := closureOf(dev, m)
	if got := closureOf(fixed(t), fixed(t).Machine("logger")); got != want {
		t.Error("the same text has another digest")
	}
	passed := map[string]bool{
		"Machine.Origin": true, "Context.Origin": true, "Event.Origin": true, "Predicate.Origin": true, "Witness.Origin": true,
		"Action.Origin": true, "Ident.Origin": true, "Variant.Origin": true, // places and comments
	}
	other := m.Events[1].Guards[0].Term
	changed := map[string]int{}
	seen := map[any]bool{}
	var visit func(name string, v reflect.Value)
	differs := func(name string, v reflect.Value, to any) {
		old := reflect.ValueOf(v.Interface())
		v.Set(reflect.ValueOf(to).Convert(v.Type()))
		if closureOf(dev, m) == want {
			t.Errorf("%s does not count", name)
		}
		v.Set(old)
		changed[name]++
	}
	visit = func(name string, v reflect.Value) {
		if passed[name] {
			return
		}
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() || seen[v.Interface()] {
				return
			}
			seen[v.Interface()] = true
			visit(name, v.Elem())
		case reflect.Struct:
			for i := range v.NumField() {
				name, x := v.Type().Name()+"."+v.Type().Field(i).Name, v.Field(i)
				if x.Kind() == reflect.Pointer && !x.IsNil() {
					differs(name, x, reflect.Zero(x.Type()).Interface())
				}
				visit(name, x)
			}
		case reflect.Slice:
			if v.Len() > 0 {
				differs(name, v, v.Slice(1, v.Len()).Interface())
			}
			for i := range v.Len() {
				visit(name, v.Index(i))
			}
		case reflect.Bool:
			differs(name, v, !v.Bool())
		case reflect.String:
			differs(name, v, v.String()+"x")
		default:
			if term, ok := v.Interface().(logic.Term); ok {
				if term != other {
					differs(name, v, other)
				}
				return
			}
			differs(name, v, (v.Uint()+1)%3) // one of three kinds
		}
	}
	visit("", reflect.ValueOf(m))
	for _, name := range []string{"Machine.Refines", "Machine.Events", "Context.Axioms", "Predicate.Term", "Action.Right", "Event.Refines", "Variable.Concrete", "Ident.Name", "Witness.Term", "Variant.Term", "Event.Convergence"} {
		if changed[name] == 0 {
			t.Errorf("nothing was changed at %s", name)
		}
	}
}
