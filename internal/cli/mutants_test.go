package cli

import (
	"context"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
)

// mutation drops one guard or action from an event, and puts it back.
type mutation struct {
	component, name string
	drop, restore   func()
}

// TestMutants drops the guards and actions of the GPU development one at a time,
// those that an event inherits excepted, and asks whether some obligation is then
// no longer proved. GRADINE_MUTANTS names the projects or machines to do this
// for, separated by commas; it takes seconds a mutant.
func TestMutants(t *testing.T) {
	asked := os.Getenv("GRADINE_MUTANTS")
	if asked == "" {
		t.Skip("GRADINE_MUTANTS is not set")
	}
	store, err := proofstore.DefaultStore()
	if err != nil {
		t.Fatal(err)
	}
	r := &run{ctx: context.Background(), out: io.Discard, err: io.Discard, dir: "../.."}
	projects, _, err := r.projects(nil)
	if err != nil {
		t.Fatal(err)
	}
	count := map[verdict.Verdict]int{}
	total := 0
	for _, p := range projects {
		names := strings.Split(asked, ",")
		proved := provedSequents(t, p)
		for _, m := range mutations(p.Files) {
			if !slices.Contains(names, p.Name) && !slices.Contains(names, m.component) {
				continue
			}
			m.drop()
			verdict, where := judgeMutant(t, p, m.component, proved, store)
			m.restore()
			if verdict == "" {
				t.Logf("%s: not well-formed", m.name)
				continue
			}
			total++
			count[verdict]++
			t.Logf("%s: %s %s", m.name, verdict, where)
		}
	}
	noticed := count[verdict.Refuted] + count[verdict.Open]
	t.Logf("%d of %d mutants noticed: %d refuted, %d open", noticed, total, count[verdict.Refuted], count[verdict.Open])
	if total == 0 || 100*noticed < 95*total {
		t.Errorf("fewer than 95 %% of the mutants are noticed, or there are none: contexts, and machines whose events are all inherited as they are, have none")
	}
}

func mutations(files []*lang.File) []mutation {
	var out []mutation
	for _, f := range files {
		for _, c := range f.Components {
			for _, e := range c.Events {
				for i, g := range e.Guards {
					if !g.Theorem {
						out = append(out, dropping(&e.Guards, i, c.Name.Text, e.Label.Text+"/"+g.Label.Text))
					}
				}
				for i, a := range e.Actions {
					out = append(out, dropping(&e.Actions, i, c.Name.Text, e.Label.Text+"/"+a.Label.Text))
				}
			}
		}
	}
	return out
}

func dropping[T any](list *[]T, i int, component, name string) mutation {
	whole := *list
	return mutation{
		component: component,
		name:      component + "/" + name,
		drop:      func() { *list = slices.Delete(slices.Clone(whole), i, i+1) },
		restore:   func() { *list = whole },
	}
}

func fingerprint(s logic.Sequent) text.Fingerprint {
	s = s.Bare()
	return text.NewFingerprinter(s.Bank).Sequent(s)
}

// provedSequents are those of the project as it is, which are all proved; the
// test of the requirements' table sees to that.
func provedSequents(t *testing.T, p *project.Project) map[text.Fingerprint]bool {
	opts, err := p.Options()
	if err != nil {
		t.Fatal(err)
	}
	all, err := po.All(p.Dev, opts)
	if err != nil {
		t.Fatal(err)
	}
	out := map[text.Fingerprint]bool{}
	for _, o := range all {
		out[fingerprint(o.Sequent())] = true
	}
	return out
}

// judgeMutant says what became of the project: refuted or open if an obligation
// is, which it names; proved if all of them still are; "" if the static checker
// finds an error. A short search looks everywhere for a refutation first.
func judgeMutant(t *testing.T, p *project.Project, component string, proved map[text.Fingerprint]bool, store *proofstore.Store) (verdict.Verdict, string) {
	var problems diag.List
	dev := check.Development(p.Name, p.Files, &problems)
	if problems.HasErrors() {
		return "", ""
	}
	changed := changedObligations(t, dev, p, component, proved)
	var left []*po.Obligation
	refuted := ""
	short := discharge.Options{Steps: 400_000, RefuteSteps: flags.RefuteSteps, Store: store}
	judge(changed, short, func(o *po.Obligation, v verdict.Verdict) bool {
		if v == verdict.Refuted {
			refuted = o.Path()
		}
		if v == verdict.Open {
			left = append(left, o)
		}
		return refuted == ""
	})
	if refuted != "" {
		return verdict.Refuted, refuted
	}
	open := ""
	judge(left, discharge.Options{Store: store}, func(o *po.Obligation, v verdict.Verdict) bool {
		if v == verdict.Open {
			open = o.Path()
		}
		return open == ""
	})
	if open != "" {
		return verdict.Open, open
	}
	return verdict.Proved, ""
}

// judge hands the verdicts of obligations to each until it returns false.
func judge(list []*po.Obligation, opts discharge.Options, each func(*po.Obligation, verdict.Verdict) bool) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	going := true
	discharge.Run(ctx, len(list), func(i int) logic.Sequent { return list[i].Sequent() }, opts, func(i int, o verdict.Outcome) {
		if going && !each(list[i], o.Verdict) {
			going = false
			cancel()
		}
	})
}

// changedObligations are those of a machine and of its refinements that are not
// among the sequents proved, the machine's own first.
func changedObligations(t *testing.T, dev *model.Development, p *project.Project, component string, proved map[text.Fingerprint]bool) []*po.Obligation {
	opts, err := p.Options()
	if err != nil {
		t.Fatal(err)
	}
	var out []*po.Obligation
	for _, m := range dev.Machines {
		if !refinesOrIs(m, component) {
			continue
		}
		list, err := po.Generate(dev, model.Component{Machine: m}, opts[m.Name])
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range list {
			if !proved[fingerprint(o.Sequent())] {
				out = append(out, o)
			}
		}
	}
	return out
}

func refinesOrIs(m *model.Machine, name string) bool {
	for ; m != nil; m = m.Refines {
		if m.Name == name {
			return true
		}
	}
	return false
}
