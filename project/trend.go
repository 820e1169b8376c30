package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/review"
	"github.com/gradine/gradine/review/git"
	"github.com/gradine/gradine/tune"
)

// Trend is how the projects of a branch stood over its commits.
type Trend struct {
	Points []TrendPoint // those commits that change a model, gradine.toml or proofs, and the first and the last
	Passed int          // commits that change none of these
}

// TrendPoint is how the projects stand at one commit: the sums over all of them.
type TrendPoint struct {
	git.Commit
	Components, Verified int
	Errors               int // of the models
	Totals               judgement.Totals
	Debt                 review.Debt
	Optima               []Optimum
	Bad                  string // why the revision cannot be read; "" if it can
}

// Obligations is how many there are.
func (p TrendPoint) Obligations() int { return p.Totals.Asked + p.Totals.Expected }

// Optimum is the answer for one instance of an entry to tune.
type Optimum struct {
	Entry     string // the entry and the instance
	Best      string // the first of the best points; "" if no point has a value
	Objective string
	Low, High *big.Int // nil if no point has a value
	Complete  bool
}

// TrendOf finds how the projects stand at each of some commits, the oldest first, with
// verdicts as `gradine prove` would give them there. read returns the projects of a
// commit; bounds are those of searches for optima; each is called when a commit is
// done. When ctx ends, what was found so far is returned.
func TrendOf(ctx context.Context, commits []git.Commit, read func(hash string) (Revision, error), opts discharge.Options, bounds tune.Options, each func()) (*Trend, error) {
	t := &Trend{}
	var before Revision
	var point TrendPoint
	for i, c := range commits {
		rev, err := read(c.Hash)
		changed := i == 0 || err != nil || point.Bad != "" || !rev.equal(before)
		switch {
		case err != nil:
			point = TrendPoint{Bad: err.Error()}
		case changed:
			if point, err = rev.stand(ctx, opts, bounds); err != nil {
				return t, err
			}
		}
		if ctx.Err() != nil {
			return t, nil // half of a commit says nothing
		}
		before, point.Commit = rev, c
		if changed || i == len(commits)-1 {
			t.Points = append(t.Points, point)
		} else {
			t.Passed++
		}
		each()
	}
	return t, nil
}

// equal reports whether two revisions have the same text.
func (x Revision) equal(y Revision) bool {
	return maps.EqualFunc(x, y, func(a, b *revision) bool {
		return maps.EqualFunc(a.text, b.text, func(s, t []byte) bool { return string(s) == string(t) })
	})
}

// stand finds how the projects of a revision stand.
func (x Revision) stand(ctx context.Context, opts discharge.Options, bounds tune.Options) (TrendPoint, error) {
	var point TrendPoint
	var projects []*Project
	for _, name := range slices.Sorted(maps.Keys(x)) {
		r := x[name]
		side, faults, err := r.side(ctx, opts.Store)
		if err == nil && len(faults) > 0 {
			err = faults[0]
		}
		r.Faulted(func(file, why string) { err = cmp.Or(err, errors.New(file+": "+why)) })
		if err != nil {
			return TrendPoint{Bad: err.Error()}, nil
		}
		point.Errors += errorsOf(side)
		results := r.proveWith(ctx, r.record, r.certificates, side.Obligations, opts, false, nil)
		r.Results = results
		projects = append(projects, r.Project)
		t := judgement.Count(results)
		point.Totals.Asked += t.Asked
		point.Totals.Proved += t.Proved
		point.Totals.Expected += t.Expected
		for _, y := range results {
			point.Debt.Add(y.Verdict, y.Expected != nil)
		}
		point.Debt.Axioms += review.Axioms(r.Dev)
		for _, s := range judgement.Components(r.Dev, results) {
			point.Components++
			if s.Verified {
				point.Verified++
			}
		}
	}
	if len(projects) > 0 && projects[0].Config != nil {
		for _, name := range slices.Sorted(maps.Keys(projects[0].Config.Tune)) {
			found, err := x.optima(ctx, projects, name, opts, bounds)
			if err != nil {
				found = []Optimum{{Entry: name}} // an entry that means nothing at this revision
			}
			point.Optima = append(point.Optima, found...)
		}
	}
	return point, nil
}

func errorsOf(side *review.Side) int {
	n := 0
	for _, p := range side.Problems {
		if p.Severity == diag.Error {
			n++
		}
	}
	return n
}

// optima are the answers for all instances of an entry.
func (x Revision) optima(ctx context.Context, projects []*Project, name string, opts discharge.Options, bounds tune.Options) ([]Optimum, error) {
	conf := projects[0].Config.Tune[name]
	p, err := Tuned(projects, conf)
	if err != nil {
		return nil, err
	}
	instances, err := Instances(conf)
	if err != nil || len(instances) == 0 {
		return nil, err
	}
	// The certificates are those that were committed at that revision.
	certificates := x[p.Name].certificates
	proofs := p.Proofs(p.Dev.Machine(conf.Machine), opts, func(ctx context.Context, obligations []*po.Obligation) ([]verdict.Result, error) {
		return p.proveWith(ctx, nil, certificates, obligations, opts, false, nil), nil
	})
	tuner, _, err := p.Tuner(ctx, name, conf, instances[0].Given, proofs, "auto")
	if err != nil {
		return nil, err
	}
	var out []Optimum
	for _, instance := range instances {
		e, opt, err := tuner.Entry(instance.Given, bounds)
		if err != nil {
			return nil, err
		}
		a, err := tune.Search(ctx, e, opt)
		if err != nil {
			return nil, err
		}
		x := Optimum{Entry: name, Objective: a.Objectives[0].Text, Complete: a.Complete}
		for _, g := range a.Given {
			x.Entry += fmt.Sprintf(" %s=%s", g.Name, g.Value.Text)
		}
		if len(a.Best) > 0 {
			for i, v := range a.Points[a.Best[0]].Values {
				if i > 0 {
					x.Best += " "
				}
				x.Best += a.Names[i] + "=" + v.Text
			}
			x.Low, x.High = a.Value()
		}
		out = append(out, x)
	}
	return out, nil
}
