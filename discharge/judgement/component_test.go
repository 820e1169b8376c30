package judgement_test

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/po"
)

// Of a true development, take away or spoil one result at a time, of what every
// development has to prove and of what is also asked for: the component is not
// verified any more, nor what builds on it, and the reason names the obligation.
func TestEveryResultCounts(t *testing.T) {
	dev, _ := readProject(sourceFile{"true.eventb", readFile(t, "true.eventb")})
	all, err := po.All(dev, map[string]po.Options{"Shelf": {DeadlockFree: true, Enabled: []string{"clear"}}})
	if err != nil {
		t.Fatal(err)
	}
	results := make([]verdict.Result, len(all))
	for i, o := range all {
		results[i] = verdict.Result{Obligation: o, Outcome: verdict.Outcome{Verdict: verdict.Proved}}
	}
	check := func(what string, spoilt *po.Obligation, unknown bool, results []verdict.Result) {
		t.Helper()
		for _, s := range judgement.Components(dev, results) {
			wrong := spoilt != nil && (s.Of == spoilt.Of() || buildsOn(s.Component, spoilt.Component))
			if s.Verified == wrong || s.Unknown != (wrong && unknown) {
				t.Errorf("%s: %s is verified %t, unknown %t", what, s.Component, s.Verified, s.Unknown)
			}
			if wrong && s.Of == spoilt.Of() && !strings.Contains(s.Why, spoilt.Name) {
				t.Errorf("%s: %s is not verified, because %s", what, s.Component, s.Why)
			}
		}
	}
	check("all", nil, false, results)
	for i, r := range results {
		rest := append(append([]verdict.Result{}, results[:i]...), results[i+1:]...)
		if !r.Kind.Requested() {
			check("without "+r.Name, r.Obligation, true, rest)
		}
		for _, v := range []verdict.Verdict{verdict.Open, verdict.Refuted} {
			bad := verdict.Result{Obligation: r.Obligation, Outcome: verdict.Outcome{Verdict: v}}
			check(r.Name+" "+string(v), r.Obligation, false, append(rest[:len(rest):len(rest)], bad))
			check(r.Name+" proved and "+string(v), r.Obligation, false, append(results[:len(results):len(results)], bad))
		}
	}
	// Results of another reading of the same text are about other components.
	again, _ := readProject(sourceFile{"true.eventb", readFile(t, "true.eventb")})
	for _, s := range judgement.Components(again, results) {
		if s.Verified && len(requiredBy(t, again, s.Of)) > 0 {
			t.Errorf("%s is verified by results of another development", s.Component)
		}
	}
}

func requiredBy(t *testing.T, dev *model.Development, c model.Component) []*po.Obligation {
	out, err := po.Generate(dev, c, po.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
