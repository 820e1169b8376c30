package review_test

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/review"
)

// projects returns the folders of the projects of the corpus.
func projects(t *testing.T) []string {
	found, err := filepath.Glob(filepath.Join(corpus.Path(t, "rodin-dev"), "*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// side checks files and generates their obligations.
func side(t *testing.T, files []*lang.File) *review.Side {
	t.Helper()
	var problems diag.List
	dev := check.Development("p", files, &problems)
	obligations, err := po.All(dev, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &review.Side{Files: files, Dev: dev, Obligations: obligations}
}

func never(string, string) bool { return false }

// TestCorpus renames all identifiers; renames all events and labels; turns the
// order of components and events around: all obligations must be the same, without
// one question to the prover.
func TestCorpus(t *testing.T) {
	for name, d := range map[string]disguiser{
		"identifiers": {names: map[string]string{}}, "labels": {labels: true}, "order": {order: true},
	} {
		t.Run(name, func(t *testing.T) { testCorpus(t, d) })
	}
}

func testCorpus(t *testing.T, d disguiser) {
	opts := review.Options{Discharge: discharge.Options{Replay: true}}
	obligations, kept := 0, 0
	for i, dir := range projects(t) {
		if i%corpus.Effort(8, 3, 1) != 0 {
			continue
		}
		var problems diag.List
		projects, err := rodin.Read(dir, &problems)
		if err != nil {
			continue
		}
		for _, p := range projects {
			old := side(t, p.Files)
			now := side(t, d.disguise(p.Files))
			if len(now.Obligations) != len(old.Obligations) {
				t.Errorf("%s: %d obligations became %d: the disguise is faulty", dir, len(old.Obligations), len(now.Obligations))
				continue
			}
			r := review.Compare(context.Background(), p.Name, old, now, never, opts)
			for _, o := range r.Obligations {
				if o.New == nil {
					continue
				}
				obligations++
				if o.Fate == review.Same {
					kept++
				} else {
					t.Errorf("%s: %s/%s: %s", dir, o.New.Component, o.New.Name, o.Fate)
				}
			}
		}
	}
	t.Logf("%d of %d obligations are the same", kept, obligations)
}

// disguiser changes what should not matter to proofs.
type disguiser struct {
	names         map[string]string // of identifiers; nil to leave them
	labels, order bool
}

func (d disguiser) disguise(files []*lang.File) []*lang.File {
	names := map[string]string{}
	declare := func(ns []lang.Name) {
		for _, n := range ns {
			names[n.Text] = n.Text + "_now"
		}
	}
	for _, f := range files {
		for _, c := range f.Components {
			declare(c.Constants)
			declare(c.Variables)
			declare(c.Sets)
		}
	}
	for _, f := range files {
		for _, c := range f.Components {
			for _, e := range c.Events {
				for _, n := range e.Parameters {
					delete(names, n.Text)
				}
			}
		}
	}
	if d.names != nil {
		d.names = names
	}
	var out []*lang.File
	for _, f := range files {
		g := *f
		g.Components = nil
		for _, c := range f.Components {
			g.Components = append(g.Components, d.component(c))
		}
		out = append(out, &g)
	}
	if d.order {
		slices.Reverse(out)
	}
	return out
}

func (d disguiser) component(c *lang.Component) *lang.Component {
	x := *c
	x.Constants, x.Variables, x.Sets = d.list(c.Constants), d.list(c.Variables), d.list(c.Sets)
	x.Axioms, x.Invariants = d.predicates(c.Axioms), d.predicates(c.Invariants)
	x.Variants = nil
	for _, v := range c.Variants {
		w := *v
		w.Formula = d.formula(v.Formula, nil)
		x.Variants = append(x.Variants, &w)
	}
	x.Events = nil
	for _, e := range c.Events {
		y := *e
		y.Label = d.label(e.Label)
		y.Refines = nil
		for _, r := range e.Refines {
			y.Refines = append(y.Refines, d.label(r))
		}
		y.Guards = d.predicates(e.Guards)
		y.Witnesses = nil
		for _, w := range e.Witnesses {
			v := *w
			v.Label, v.Formula = d.name(w.Label), d.formula(w.Formula, nil)
			y.Witnesses = append(y.Witnesses, &v)
		}
		y.Actions = nil
		for _, a := range e.Actions {
			b := *a
			b.Assignment = d.assignment(a.Assignment)
			y.Actions = append(y.Actions, &b)
		}
		x.Events = append(x.Events, &y)
	}
	if d.order && len(x.Events) > 1 {
		slices.Reverse(x.Events[1:])
	}
	return &x
}

func (d disguiser) label(n lang.Name) lang.Name {
	if d.labels && n.Text != model.InitLabel && !n.Absent {
		n.Text += "_now"
	}
	return n
}

func (d disguiser) name(n lang.Name) lang.Name {
	n.Text = proofstore.Names(d.names).Of(n.Text)
	return n
}

func (d disguiser) list(ns []lang.Name) []lang.Name {
	var out []lang.Name
	for _, n := range ns {
		out = append(out, d.name(n))
	}
	return out
}

func (d disguiser) predicates(ps []*lang.Predicate) []*lang.Predicate {
	var out []*lang.Predicate
	for _, p := range ps {
		q := *p
		q.Label, q.Formula = d.label(p.Label), d.formula(p.Formula, nil)
		out = append(out, &q)
	}
	return out
}

func (d disguiser) assignment(a *lang.Assignment) *lang.Assignment {
	if a == nil {
		return nil
	}
	b := *a
	b.Left, b.Right = d.formulas(a.Left, nil), d.formulas(a.Right, nil)
	b.Index = d.formula(a.Index, nil)
	return &b
}

func (d disguiser) formulas(fs []*lang.Formula, bound map[string]bool) []*lang.Formula {
	var out []*lang.Formula
	for _, f := range fs {
		out = append(out, d.formula(f, bound))
	}
	return out
}

func (d disguiser) formula(f *lang.Formula, bound map[string]bool) *lang.Formula {
	if f == nil {
		return nil
	}
	g := *f
	if f.Op == logic.Free && !bound[f.Name] {
		g.Name = proofstore.Names(d.names).Of(f.Name)
	}
	inner := bound
	if len(f.Decls) > 0 {
		inner = maps.Clone(bound)
		if inner == nil {
			inner = map[string]bool{}
		}
		g.Decls = nil
		for _, x := range f.Decls {
			x.Oftype = d.formula(x.Oftype, bound)
			g.Decls = append(g.Decls, x)
			inner[x.Name] = true
		}
	}
	g.Args = d.formulas(f.Args, inner)
	g.Oftype = d.formula(f.Oftype, bound)
	return &g
}
