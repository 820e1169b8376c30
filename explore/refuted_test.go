package explore_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
)

// Every refuted INV obligation is a step of the machine: from the state before,
// with the parameters, the explorer's event leads to the state after, and there
// its invariant is false. The counterexample comes from the evaluator, the step
// from compiled formulas.
func TestRefutedStepsReplay(t *testing.T) {
	projects, err := project.Open("..")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(projects, func(p *project.Project) bool { return p.Name == "published" })
	// gradine.toml states which obligations are refuted, and verify that no others are: to look for counterexamples to
	// those would be in vain.
	refuted := map[string]bool{}
	for _, e := range projects[i].Expectations() {
		refuted[e.Path] = e.Verdict == verdict.Refuted
	}
	r := newReplayer(t, projects[i].Dev, func(o *po.Obligation) bool { return refuted[o.Path()] })
	if r.replayed < 8 || len(r.skipped) > 0 {
		t.Errorf("%d steps replay; not looked at: %v", r.replayed, r.skipped)
	}
}

// The same over the reference models, with GRADINE_SWEEP.
func TestRefutedStepsReplayCorpus(t *testing.T) {
	if os.Getenv("GRADINE_SWEEP") == "" {
		t.Skip("GRADINE_SWEEP is not set")
	}
	dir := corpus.Path(t, "rodin-dev")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	replayed, skipped := 0, map[string]int{}
	for _, e := range entries {
		var problems diag.List
		projects, err := rodin.Read(filepath.Join(dir, e.Name()), &problems)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range projects {
			r := newReplayer(t, check.Development(p.Name, p.Files, &problems), func(*po.Obligation) bool { return true })
			replayed += r.replayed
			for _, why := range r.skipped {
				t.Logf("%s: %s", e.Name(), why)
				skipped[why[strings.LastIndex(why, ": ")+2:]]++
			}
		}
	}
	t.Logf("%d steps replay; others: %v", replayed, skipped)
	if replayed == 0 {
		t.Error("no step was replayed")
	}
}

type replayer struct {
	t        *testing.T
	dev      *model.Development
	replayed int
	skipped  []string // with the reason
}

// newReplayer replays the steps of those INV obligations of dev that are refuted, of some.
func newReplayer(t *testing.T, dev *model.Development, some func(*po.Obligation) bool) *replayer {
	obligations, err := po.All(dev, nil)
	if err != nil {
		t.Fatal(err)
	}
	obligations = slices.DeleteFunc(obligations, func(o *po.Obligation) bool {
		return o.Kind != po.INV || o.Machine == nil || o.Event == nil || o.Predicate == nil || !some(o)
	})
	r := &replayer{t: t, dev: dev}
	options := discharge.Options{RefuteSteps: 200_000, OnlyRefute: true}
	get := func(i int) logic.Sequent { return obligations[i].Sequent() }
	discharge.Run(context.Background(), len(obligations), get, options, func(i int, o verdict.Outcome) {
		if o.Verdict == verdict.Refuted {
			x := verdict.Result{Obligation: obligations[i], Outcome: o}
			if why := r.replay(x); why != "" {
				r.skipped = append(r.skipped, fmt.Sprintf("%s/%s: %s", x.Component, x.Name, why))
			} else {
				r.replayed++
			}
		}
	})
	return r
}

// replay replays the step of one counterexample. It returns why it cannot be
// looked at; what contradicts it is an error of the test.
func (r *replayer) replay(x verdict.Result) (why string) {
	w, why := r.written(x)
	if why != "" {
		return why
	}
	trace, err := json.Marshal(map[string]any{"#meta": map[string]any{"carriers": w.carriers, "constants": w.values}, "vars": []string{}, "states": []any{}})
	if err != nil {
		r.t.Fatal(err)
	}
	// Choices from infinite sets are looked for around those of small countermodels.
	setup, err := explore.Setup{Bounds: map[string]explore.Bounds{"": {Low: -9, High: 40}}}.Of(trace)
	if err != nil {
		r.t.Fatal(err)
	}
	ctx := corpus.Granted(20_000)
	instances, _, err := explore.Solve(ctx, r.dev, x.Machine, setup, 1)
	if err != nil {
		return reasonOf(err)
	}
	label := x.Predicate.Label
	if c := x.Predicate.Origin.Component; c != "" && c != x.Machine.Name {
		label = c + "/" + label
	}
	for _, refinement := range []bool{true, false} {
		var states []explore.After
		var undefined string
		states, undefined, err = explore.Fire(ctx, x.Machine, instances[0], x.Event, w.values, w.values, refinement)
		if err != nil {
			why = reasonOf(err)
			continue
		}
		if undefined != "" {
			if r.definedEverywhere(x) {
				r.t.Errorf("%s/%s: the event is well-defined, but: %s", x.Component, x.Name, undefined)
			}
			return "" // another action has no value there, which its WD obligation says
		}
		known, agreed := false, false
		for _, s := range states {
			agreed = agreed || w.agrees(s)
			holds, evaluated := s.Invariants[label]
			if known = known || evaluated; evaluated && !holds && w.agrees(s) {
				return ""
			}
		}
		switch {
		case refinement && !agreed:
			why = "no abstract step matches"
			continue
		case len(states) == 0 && r.chooses(x.Event):
			return "an action chooses by a predicate on the state before, which is not a hypothesis"
		case !known && len(states) > 0:
			if why == "" {
				why = "the invariant cannot be evaluated"
			}
			continue
		}
		r.t.Errorf("%s/%s: %d steps of %s, and none that makes %s false; %v", x.Component, x.Name, len(states), x.Event.Label, label, w.values)
		return ""
	}
	return why
}

// definedEverywhere reports whether all that x's event does is proved to be well-defined.
func (r *replayer) definedEverywhere(x verdict.Result) bool {
	all, err := po.All(r.dev, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(o *po.Obligation) bool { return o.Kind != po.WD || o.Event != x.Event })
	defined := true
	get := func(i int) logic.Sequent { return all[i].Sequent() }
	discharge.Run(context.Background(), len(all), get, discharge.Options{RefuteSteps: 200_000}, func(_ int, o verdict.Outcome) {
		defined = defined && o.Verdict.Holds()
	})
	return defined
}

// chooses reports whether an action of e is x :∣ P where P says nothing of x'. Rodin
// leaves such a P out of the obligations, though the event cannot happen where it
// is false.
func (r *replayer) chooses(e *model.Event) bool {
	b := r.dev.Bank
	return slices.ContainsFunc(e.Actions, func(a *model.Action) bool {
		return a.Kind == model.BecomesSuch && !slices.ContainsFunc(b.FreeIdents(a.Right[0]), func(id logic.Term) bool {
			return strings.HasSuffix(b.Name(id), "'")
		})
	})
}

// reasonOf is a short reason for err.
func reasonOf(err error) string {
	if missing, ok := errors.AsType[explore.Unbounded](err); ok {
		return "no bound for " + missing.Variable
	}
	return strings.ReplaceAll(err.Error(), ": ", ", ")
}

// written is a counterexample in the form of ITF.
type written struct {
	carriers map[string][]string
	values   map[string]any
}

// agrees reports whether what the event chose in s is what it chose in the
// counterexample.
func (w written) agrees(s explore.After) bool {
	for name, v := range s.Values {
		if chosen, ok := w.values[name+"'"]; ok && !sameValues(v, chosen) {
			return false
		}
	}
	return true
}

// sameValues compares values up to the order of sets.
func sameValues(a, b any) bool {
	var norm func(x any) any
	norm = func(x any) any {
		data, err := json.Marshal(x)
		if err != nil {
			panic(err)
		}
		var generic any
		if json.Unmarshal(data, &generic) != nil {
			panic("cli: not JSON")
		}
		if m, ok := generic.(map[string]any); ok {
			if set, ok := m["#set"].([]any); ok {
				var members []string
				for _, e := range set {
					members = append(members, fmt.Sprint(norm(e)))
				}
				slices.Sort(members)
				return fmt.Sprint("{", slices.Compact(members))
			}
			if pair, ok := m["#tup"].([]any); ok {
				return fmt.Sprint("(", norm(pair[0]), norm(pair[1]))
			}
		}
		return generic
	}
	return reflect.DeepEqual(norm(a), norm(b))
}

// written writes the countermodel of x, and says why if that cannot be done.
func (r *replayer) written(x verdict.Result) (w written, why string) {
	data, err := x.Counterexample.Model.MarshalJSON()
	if err != nil {
		r.t.Fatal(err)
	}
	var m struct {
		Carriers map[string]any
		Values   map[string]any
	}
	if err := json.Unmarshal(data, &m); err != nil {
		r.t.Fatal(err)
	}
	names := r.elements(x.Machine, m.Values)
	w = written{carriers: map[string][]string{}, values: map[string]any{}}
	for s, n := range m.Carriers {
		size, ok := n.(float64)
		if !ok {
			return w, "a carrier set is infinite"
		}
		for i := range int(size) {
			element := fmt.Sprintf("%s#%d", s, i)
			if names[element] == "" {
				names[element] = element
			}
			w.carriers[s] = append(w.carriers[s], names[element])
		}
	}
	for name := range x.Counterexample.Model.Values {
		v, ok := m.Values[name]
		if ok {
			w.values[name], ok = itf(v, names)
		}
		if !ok {
			return w, "an infinite set is a value"
		}
	}
	return w, ""
}

// elements names the elements of carrier sets that an axiom enumerates after the
// constants that have them as values.
func (r *replayer) elements(m *model.Machine, values map[string]any) map[string]string {
	b := r.dev.Bank
	names := map[string]string{}
	for _, c := range m.Contexts {
		for _, a := range c.Axioms {
			if b.Op(a.Term) != logic.Partition {
				continue
			}
			for _, part := range b.Args(a.Term)[1:] {
				if b.Op(part) == logic.SetExt && len(b.Args(part)) == 1 && b.Op(b.Arg(part, 0)) == logic.Free {
					name := b.Name(b.Arg(part, 0))
					if element, ok := values[name].(string); ok {
						names[element] = name
					}
				}
			}
		}
	}
	return names
}

// itf turns a value as eval writes it into one of ITF.
func itf(v any, names map[string]string) (any, bool) {
	switch x := v.(type) {
	case float64:
		return map[string]any{"#bigint": fmt.Sprintf("%.0f", x)}, x < 1<<53 && x > -1<<53
	case string:
		if x == "TRUE" || x == "FALSE" {
			return x == "TRUE", true
		}
		return names[x], names[x] != ""
	case []any:
		l, ok := itf(x[0], names)
		r, also := itf(x[1], names)
		return map[string]any{"#tup": []any{l, r}}, ok && also
	case map[string]any:
		list, ok := members(x, names)
		return map[string]any{"#set": list}, ok
	}
	return nil, false
}

// members lists a finite set.
func members(x map[string]any, names map[string]string) (list []any, ok bool) {
	list = []any{}
	switch key := slices.Collect(maps.Keys(x))[0]; key {
	case "set":
		for _, e := range x[key].([]any) {
			v, ok := itf(e, names)
			if !ok {
				return nil, false
			}
			list = append(list, v)
		}
		return list, true
	case "interval":
		ends := x[key].([]any)
		low, ok := ends[0].(float64)
		high, bounded := ends[1].(float64)
		if !ok || !bounded || high-low > 1000 {
			return nil, false
		}
		for i := low; i <= high; i++ {
			v, _ := itf(i, names)
			list = append(list, v)
		}
		return list, true
	case "product":
		sides := x[key].([]any)
		l, ok := sides[0].(map[string]any)
		r, also := sides[1].(map[string]any)
		if !ok || !also {
			return nil, false
		}
		ls, ok := members(l, names)
		rs, also := members(r, names)
		for _, a := range ls {
			for _, b := range rs {
				list = append(list, map[string]any{"#tup": []any{a, b}})
			}
		}
		return list, ok && also && len(list) < 10_000
	}
	return nil, false
}
