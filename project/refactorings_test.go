package project_test

import (
	"context"
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/review"
	"github.com/gradine/gradine/review/gate"
)

// development is what the changes below start from: it verifies.
var development = map[string]string{
	"gradine.toml": `[project.yard]
sources = ["models"]

[machine.yard]
deadlock_free = true
enabled = ["close"]
leads_to = [{ name = "emptied", from = "open = TRUE", to = "open = FALSE", helpful = ["close"], fair = ["close"] }]

[machine.yard.carriers]
CAR = 3

[explore.small]
machine = "yard"
constants = { places = 2 }
`,
	"models/limits.eventb": `context limits
sets CAR
constants places
axioms
    @places places ∈ ℕ1
    @finite finite(CAR)
    theorem @some places ≥ 1
end
`,
	"models/yard.eventb": `// REQ-1: no more cars than places
machine yard
sees limits
variables cars open
invariants
    @cars cars ⊆ CAR
    @room card(cars) ≤ places ∧ finite(cars)
    @open open ∈ BOOL
    theorem @low card(cars) ≥ 0
events
    event INITIALISATION
        then
            @c cars ≔ ∅
            @o open ≔ TRUE
    end

    event enter
        any car
        where
            @new car ∈ CAR ∖ cars
            @free card(cars) < places
            @open open = TRUE
        then
            @c cars ≔ cars ∪ {car}
    end

    event leave
        any car
        where
            @is car ∈ cars
        then
            @c cars ≔ cars ∖ {car}
    end

    event close
        then
            @o open ≔ FALSE
    end

    event start
        then
            @o open ≔ TRUE
    end
end
`,
	"models/paid.eventb": `machine paid
refines yard
sees limits
variables cars open paid
invariants
    @paid paid ⊆ cars
    @fine card(paid) ≤ places
variant cars ∖ paid
events
    event INITIALISATION extends INITIALISATION
        then
            @p paid ≔ ∅
    end

    event enter extends enter
    end

    event leave extends leave
        then
            @p paid ≔ paid ∖ {car}
    end

    event close extends close
    end

    event start extends start
    end

    convergent event pay
        any car
        where
            @due car ∈ cars ∖ paid
        then
            @p paid ≔ paid ∪ {car}
    end
end
`,
}

// edit is one change of a development: of each file, texts and what stands in their place.
type edit map[string][]string

// made is the development after an edit. A file that is replaced as a whole has one text.
func (e edit) made(t *testing.T) map[string]string {
	t.Helper()
	out := maps.Clone(development)
	for file, texts := range e {
		if len(texts) == 1 {
			out[file] = texts[0]
			if texts[0] == "" {
				delete(out, file)
			}
			continue
		}
		for i := 0; i < len(texts); i += 2 {
			if !strings.Contains(out[file], texts[i]) {
				t.Fatalf("%s lacks %q", file, texts[i])
			}
			out[file] = strings.ReplaceAll(out[file], texts[i], texts[i+1])
		}
	}
	return out
}

func revisionOf(t *testing.T, files map[string]string) project.Revision {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	r, err := project.ReadRevision(fsys, ".")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// failing are the default gates that a change fails.
func failing(t *testing.T, files map[string]string) (names []string, why []string) {
	t.Helper()
	reviews, broken, err := project.Review(context.Background(), revisionOf(t, development), revisionOf(t, files), discharge.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if broken {
		t.Fatal("the model has errors")
	}
	review.Waive(reviews, nil, nil, "2026-01-01")
	gates, err := gate.Parse(gate.Default)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range reviews {
		for _, g := range gates {
			if text := g.Failing(x, false); text != "" {
				names, why = append(names, g.Name()), append(why, text)
			}
		}
		for _, c := range x.Claims {
			why = append(why, c.Text)
		}
	}
	return names, why
}

const (
	toml, limits, yard, paid = "gradine.toml", "models/limits.eventb", "models/yard.eventb", "models/paid.eventb"

	pay = "    convergent event pay\n        any car\n        where\n            @due car ∈ cars ∖ paid\n        then\n            @p paid ≔ paid ∪ {car}\n    end\n"
)

// The development proves what it promises, so that a change can lose it.
func TestDevelopmentVerifies(t *testing.T) {
	reviews, broken, err := project.Review(context.Background(), project.Revision{}, revisionOf(t, development), discharge.Options{})
	if err != nil || broken {
		t.Fatal(broken, err)
	}
	n := 0
	for _, x := range reviews {
		for _, o := range x.Obligations {
			if n++; o.Is.Verdict != verdict.Proved {
				t.Errorf("%s is %s", o.New.Path(), o.Is.Verdict)
			}
		}
	}
	if n < 20 {
		t.Errorf("it has only %d obligations", n)
	}
}

// Work that takes nothing away from what was promised passes the gates without a waiver.
func TestHonestRefactorings(t *testing.T) {
	if testing.Short() {
		t.Skip("proves a development many times")
	}
	for name, e := range map[string]edit{
		"rename a variable":         {yard: {"cars", "inside"}, paid: {"cars", "inside"}},
		"rename an event":           {yard: {"event close", "event shut"}, paid: {"event close extends close", "event shut extends shut"}, toml: {`"close"`, `"shut"`}},
		"rename a machine":          {yard: {"machine yard", "machine depot"}, paid: {"refines yard", "refines depot"}, toml: {"machine.yard", "machine.depot", `machine = "yard"`, `machine = "depot"`}},
		"rename a context":          {limits: {"context limits", "context bounds"}, yard: {"sees limits", "sees bounds"}, paid: {"sees limits", "sees bounds"}},
		"rename a set and constant": {limits: {"CAR", "VEHICLE", "places", "slots"}, yard: {"CAR", "VEHICLE", "places", "slots"}, paid: {"places", "slots"}, toml: {"CAR", "VEHICLE", "places", "slots"}},
		"rename labels":             {yard: {"@room", "@fits", "@free", "@gap"}},
		"rename a parameter":        {yard: {"any car\n        where\n            @is car ∈ cars\n        then\n            @c cars ≔ cars ∖ {car}", "any x\n        where\n            @is x ∈ cars\n        then\n            @c cars ≔ cars ∖ {x}"}, paid: {"paid ∖ {car}", "paid ∖ {x}"}},
		"split an invariant":        {yard: {"    @room card(cars) ≤ places ∧ finite(cars)\n", "    @some finite(cars)\n    @room card(cars) ≤ places\n"}},
		"join two invariants":       {paid: {"    @paid paid ⊆ cars\n    @fine card(paid) ≤ places\n", "    @paid paid ⊆ cars ∧ card(paid) ≤ places\n"}},
		"split a context":           {limits: {"context limits\nsets CAR\nconstants places\naxioms\n    @places places ∈ ℕ1\n    @finite finite(CAR)\n", "context cars\nsets CAR\naxioms\n    @finite finite(CAR)\nend\n\ncontext limits\nextends cars\nconstants places\naxioms\n    @places places ∈ ℕ1\n"}},
		"move a machine to another file": {paid: {""}, yard: {"events\n    event INIT", "events\n    event INIT"},
			"models/fees.eventb": {development[paid]}},
		"move the sources":                    {limits: {""}, yard: {""}, paid: {""}, "src/limits.eventb": {development[limits]}, "src/yard.eventb": {development[yard]}, "src/paid.eventb": {development[paid]}, toml: {`["models"]`, `["src"]`}},
		"move an invariant up":                {paid: {"    @paid paid ⊆ cars\n    @fine card(paid) ≤ places\n", "    @paid paid ⊆ cars\n    @fine card(paid) ≤ places\n    @ok open ∈ BOOL\n"}, yard: {"    @open open ∈ BOOL\n", "    @open open ∈ BOOL\n    @more card(cars) ≤ places + 1\n"}},
		"strengthen an invariant":             {paid: {"card(paid) ≤ places", "card(paid) ≤ card(cars) ∧ card(paid) ≤ places"}},
		"replace an invariant by a stronger":  {paid: {"@fine card(paid) ≤ places", "@exact card(paid) ≤ places ∧ finite(paid)"}},
		"strengthen a guard":                  {yard: {"@free card(cars) < places", "@free card(cars) + 1 < places + 1 ∧ card(cars) < places"}},
		"write a guard otherwise":             {yard: {"@free card(cars) < places", "@free places > card(cars)"}},
		"write an action otherwise":           {yard: {"@c cars ≔ cars ∪ {car}", "@c cars :∣ cars' = cars ∪ {car}"}},
		"add a theorem":                       {yard: {"    theorem @low", "    theorem @none cars = ∅ ⇒ card(cars) = 0\n    theorem @low"}},
		"add a refinement":                    {"models/last.eventb": {strings.NewReplacer("machine paid\nrefines yard", "machine last\nrefines paid", "    @paid paid ⊆ cars\n    @fine card(paid) ≤ places\nvariant cars ∖ paid\n", "    @all finite(paid)\n", "        then\n            @p paid ≔ ∅\n", "", "        then\n            @p paid ≔ paid ∖ {car}\n", "", pay, "    event pay extends pay\n    end\n").Replace(development[paid])}},
		"put a refinement in between":         {"models/middle.eventb": {strings.NewReplacer("machine paid", "machine middle", "variables cars open paid", "variables cars open", "    @paid paid ⊆ cars\n    @fine card(paid) ≤ places\nvariant cars ∖ paid\n", "    @twice card(cars) ≤ places + places\n", "        then\n            @p paid ≔ ∅\n", "", "        then\n            @p paid ≔ paid ∖ {car}\n", "", pay, "").Replace(development[paid])}, paid: {"refines yard", "refines middle"}},
		"split an event of a refinement":      {paid: {"    event close extends close\n    end\n", "    event close_full extends close\n        where\n            @f cars ≠ ∅\n    end\n\n    event close_empty extends close\n        where\n            @e cars = ∅\n    end\n"}},
		"write an inherited event out":        {paid: {"    event close extends close\n    end\n", "    event close refines close\n        then\n            @o open ≔ FALSE\n    end\n"}},
		"replace an axiom by equivalent ones": {limits: {"    @places places ∈ ℕ1\n", "    @places places ∈ ℤ\n    @more places ≥ 1\n"}},
		"explore a larger instance":           {toml: {"CAR = 3", "CAR = 4", "places = 2 }", "places = 3 }"}},
		"reorder and comment":                 {yard: {"    @cars cars ⊆ CAR\n    @room card(cars) ≤ places ∧ finite(cars)\n    @open open ∈ BOOL\n", "    @open open ∈ BOOL // the gate\n    @cars cars ⊆ CAR\n    @room card(cars) ≤ places ∧ finite(cars)\n"}},
		"add a project":                       {toml: {"[machine.yard]\n", "[project.other]\nsources = [\"other\"]\n\n[machine.yard]\n", "[explore.small]\n", "[explore.small]\nproject = \"yard\"\n"}, "other/c.eventb": {"context c\nend\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			if names, why := failing(t, e.made(t)); names != nil {
				t.Errorf("it fails %v:\n%s", names, strings.Join(why, "\n"))
			}
		})
	}
}

// Whatever was promised and is no longer is red by default, each by the gate that is about it.
func TestDroppedClaims(t *testing.T) {
	if testing.Short() {
		t.Skip("proves a development many times")
	}
	for name, c := range map[string]struct {
		gate string
		edit edit
	}{
		"deadlock freedom":             {"removed-claim", edit{toml: {"deadlock_free = true\n", ""}}},
		"enabledness":                  {"removed-claim", edit{toml: {`enabled = ["close"]`, `enabled = []`}}},
		"a leads-to property":          {"removed-claim", edit{toml: {"leads_to = [{ name = \"emptied\", from = \"open = TRUE\", to = \"open = FALSE\", helpful = [\"close\"], fair = [\"close\"] }]\n", ""}}},
		"less of a leads-to property":  {"weakened-claim", edit{toml: {`from = "open = TRUE"`, `from = "open = TRUE ∧ cars = ∅"`}}},
		"stronger fairness":            {"new-assumption", edit{toml: {`fair = ["close"]`, `strongly_fair = ["close"]`}}},
		"a theorem":                    {"removed-claim", edit{limits: {"    theorem @some places ≥ 1\n", ""}}},
		"a theorem is an axiom":        {"new-assumption", edit{limits: {"theorem @some", "@some"}}},
		"a stronger axiom":             {"new-assumption", edit{limits: {"places ∈ ℕ1", "places ∈ 2 ‥ 9"}}},
		"a new axiom":                  {"new-assumption", edit{limits: {"    theorem @some", "    @most places < 100\n    theorem @some"}}},
		"convergence":                  {"removed-claim", edit{paid: {"convergent event pay", "event pay", "variant cars ∖ paid\n", ""}}},
		"a machine":                    {"removed-claim", edit{paid: {""}}},
		"a refinement":                 {"removed-claim", edit{paid: {strings.NewReplacer("refines yard\n", "", " extends INITIALISATION\n        then\n", "\n        then\n            @c cars ≔ ∅\n            @o open ≔ TRUE\n", "event enter extends enter", "event enter", "event close extends close", "event close", "event start extends start", "event start", "event leave extends leave\n", "event leave\n        any car\n        where\n            @l car ∈ cars\n", "@paid paid ⊆ cars", "@cars cars ⊆ CAR\n    @open open ∈ BOOL\n    @paid paid ⊆ cars", "@fine card(paid) ≤ places", "@fine finite(cars)", "            @p paid ≔ paid ∖ {car}", "            @p paid ≔ paid ∖ {car}").Replace(development[paid])}}},
		"an invariant":                 {"weakened-claim", edit{paid: {"    @fine card(paid) ≤ places\n", "    @fin finite(paid)\n"}, yard: {"card(cars) ≤ places ∧ finite(cars)", "finite(cars) ∧ card(cars) ≤ places + 1"}}},
		"an invariant moved down":      {"weakened-claim", edit{yard: {"    @open open ∈ BOOL\n", "    @open open ∈ BOOL\n    @one card(cars) ≥ 0\n", "    @room card(cars) ≤ places ∧ finite(cars)\n", "    @fin finite(cars)\n"}, paid: {"    @paid", "    @room card(cars) ≤ places ∧ finite(cars)\n    @paid"}}},
		"a guard":                      {"more", edit{yard: {"            @open open = TRUE\n", ""}}},
		"a weaker guard":               {"more", edit{yard: {"@is car ∈ cars", "@is car ∈ CAR"}}},
		"a guard moved":                {"more", edit{yard: {"            @open open = TRUE\n", "", "            @is car ∈ cars\n", "            @is car ∈ cars\n            @open open = TRUE\n"}}},
		"an action does more":          {"more", edit{yard: {"@o open ≔ FALSE", "@o open :∈ BOOL"}}},
		"an event sets more":           {"more", edit{yard: {"            @o open ≔ FALSE\n", "            @o open ≔ FALSE\n            @c cars ≔ ∅\n"}, paid: {"event close extends close\n", "event close extends close\n        then\n            @p paid ≔ ∅\n"}}},
		"an event":                     {"less", edit{yard: {"    event start\n        then\n            @o open ≔ TRUE\n    end\n", ""}, paid: {"    event start extends start\n    end\n", ""}}},
		"a smaller carrier set":        {"smaller", edit{toml: {"CAR = 3", "CAR = 2"}}},
		"a smaller instance":           {"smaller", edit{toml: {"places = 2", "places = 1"}}},
		"an exploration":               {"removed-claim", edit{toml: {"[explore.small]\nmachine = \"yard\"\nconstants = { places = 2 }\n", ""}}},
		"a known violation":            {"new-assumption", edit{toml: {"constants = { places = 2 }\n", "constants = { places = 2 }\nverdict = \"counterexample\"\nfinds = [\"deadlock\"]\nwhy = \"so it is\"\n"}}},
		"a source":                     {"removed-claim", edit{toml: {`sources = ["models"]`, `sources = ["models/yard.eventb", "models/limits.eventb"]`}}},
		"an expectation, and its loss": {"lost-proof", edit{yard: {"@free card(cars) < places", "@free card(cars) ≤ places"}, toml: {"[explore.small]", "[[expect]]\nproject = \"yard\"\npo = \"yard/enter/room/INV\"\nverdict = \"refuted\"\nwhy = \"later\"\n\n[explore.small]"}}},
		"an expectation":               {"new-waiver", edit{yard: {"@free card(cars) < places", "@free card(cars) ≤ places"}, toml: {"[explore.small]", "[[expect]]\nproject = \"yard\"\npo = \"yard/enter/room/INV\"\nverdict = \"refuted\"\nwhy = \"later\"\n\n[explore.small]"}}},
	} {
		t.Run(name, func(t *testing.T) {
			names, why := failing(t, c.edit.made(t))
			if !strings.Contains(","+strings.Join(names, ",")+",", ","+c.gate+",") {
				t.Errorf("it fails %v, not %s:\n%s", names, c.gate, strings.Join(why, "\n"))
			}
		})
	}
}
