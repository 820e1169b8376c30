//go:build unix

package infer_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/infer"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
)

// stripped returns dev and m without the invariants that drop accepts.
func stripped(dev *model.Development, m *model.Machine, drop func(*model.Predicate) bool) (*model.Development, *model.Machine) {
	fewer, less := *dev, *m
	less.Invariants = slices.DeleteFunc(slices.Clone(m.Invariants), drop)
	fewer.Machines = slices.Clone(dev.Machines)
	fewer.Machines[slices.Index(dev.Machines, m)] = &less
	return &fewer, &less
}

// isTyping reports whether p says of one variable in which set it is.
func isTyping(dev *model.Development, m *model.Machine, p *model.Predicate) bool {
	b := dev.Bank
	if op := b.Op(p.Term); op != logic.In && op != logic.SubsetEq {
		return false
	}
	return slices.ContainsFunc(m.Variables, func(v model.Variable) bool { return v.Term == b.Arg(p.Term, 0) })
}

// provedOf returns the obligations of m that are proved, and those that are not.
func provedOf(ctx context.Context, t *testing.T, dev *model.Development, m *model.Machine, store *proofstore.Store) (yes, no map[string]bool) {
	t.Helper()
	all, err := po.Generate(dev, model.Component{Machine: m}, po.Options{})
	if err != nil {
		t.Fatal(err)
	}
	yes, no = map[string]bool{}, map[string]bool{}
	discharge.Run(ctx, len(all), func(i int) logic.Sequent { return all[i].Sequent() }, discharge.Options{Steps: infer.DefaultSteps, Store: store}, func(i int, o verdict.Outcome) {
		if o.Verdict.Holds() {
			yes[all[i].Name] = true
		} else {
			no[all[i].Name] = true
		}
	})
	return yes, no
}

// closedBy infers invariants of m and returns the obligations that they close. It is nil
// where ctx ended first.
func closedBy(ctx context.Context, t *testing.T, p *project.Project, dev *model.Development, m *model.Machine, of *model.Machine) (*infer.Report, map[string]bool) {
	t.Helper()
	opts := infer.Options{} // without a store: what an earlier case has proved saves no time here
	if setup, err := p.Setup(of, p.Scope(of), project.Overrides{}); err == nil {
		opts.Setups = []explore.Setup{setup}
	}
	r, err := infer.Infer(ctx, dev, m, opts)
	if ctx.Err() != nil {
		return nil, nil
	}
	if err != nil {
		t.Fatal(m.Name, err)
	}
	closed := map[string]bool{}
	for _, x := range r.Open {
		if x.Closed {
			closed[x.Name] = true
		}
	}
	return r, closed
}

// What inference alone gives back of a machine that has lost all invariants that are no
// types. GRADINE_MEASURE names what is measured: gpu, or corpus.
func TestMeasureRecovery(t *testing.T) {
	var projects []*project.Project
	each := func(of []*model.Machine) int { return len(of) } // how many are measured
	switch os.Getenv("GRADINE_MEASURE") {
	case "gpu":
		projects = opened(t, "..")[:1]
	case "corpus":
		// One machine of each project, for many are variants of each other.
		projects = corpusProjects(t)
		each = func([]*model.Machine) int { return 1 }
	default:
		t.Skip("a measurement")
	}
	store, err := proofstore.DefaultStore()
	if err != nil {
		t.Fatal(err)
	}
	dependent, recovered, machines, number := 0, 0, 0, 0
	for _, p := range projects {
		most := machines + each(p.Dev.Machines)
		for _, m := range p.Dev.Machines {
			if number++; !part(t, number) || !only(p, m) || machines >= most {
				continue
			}
			if len(projects) > 1 && !isSmall(m, 12) {
				continue
			}
			dev, less := stripped(p.Dev, m, func(x *model.Predicate) bool { return !isTyping(p.Dev, m, x) })
			if len(less.Invariants) == len(m.Invariants) {
				continue
			}
			ctx, stop := bounded(t, 10*caseTime)
			with, _ := provedOf(ctx, t, p.Dev, m, store)
			_, without := provedOf(ctx, t, dev, less, store)
			stop()
			var lost []string
			for name := range without {
				if with[name] {
					lost = append(lost, name)
				}
			}
			if len(lost) == 0 {
				continue
			}
			start := processorTime(t)
			ctx, stop = bounded(t, 10*caseTime)
			r, closed := closedBy(ctx, t, p, dev, less, m)
			if stop(); r == nil {
				dependent, machines = dependent+len(lost), machines+1
				fmt.Printf("%-16s %-22s   0 of %3d  cut after %.1fs\n", p.Name, m.Name, len(lost), (processorTime(t) - start).Seconds())
				continue
			}
			n := 0
			var open []string
			for _, name := range lost {
				if closed[name] {
					n++
				} else {
					open = append(open, name)
				}
			}
			slices.Sort(open)
			dependent, recovered, machines = dependent+len(lost), recovered+n, machines+1
			fmt.Printf("%-16s %-22s %3d of %3d  candidates %4d  kept %3d worth %2d set-ups %d  %5.1fs  open %s\n", p.Name, m.Name, n, len(lost), len(r.Candidates), len(r.Kept), len(r.Worth), r.SetUps, (processorTime(t) - start).Seconds(), strings.Join(open, " "))
		}
	}
	fmt.Printf("recovered %d of %d in %d machines\n", recovered, dependent, machines)
}

func opened(t *testing.T, path string) []*project.Project {
	t.Helper()
	ps, err := project.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return ps
}

// corpusProjects opens the projects of the corpus, but for those without a machine.
func corpusProjects(t *testing.T) (out []*project.Project) {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(corpus.Path(t, "rodin-dev"), "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		ps, err := project.Open(dir)
		if err != nil {
			continue
		}
		for _, p := range ps {
			if len(p.Dev.Machines) > 0 && !p.Problems.HasErrors() {
				out = append(out, p)
			}
		}
	}
	return out
}

// processorTime is what the process has used so far: other work on the machine does not
// make it longer.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// part reports whether number n belongs to the part i/k that GRADINE_PART names: a long
// measurement is made in k runs.
func part(t *testing.T, n int) bool {
	t.Helper()
	var i, k int
	if _, err := fmt.Sscanf(os.Getenv("GRADINE_PART"), "%d/%d", &i, &k); err != nil {
		return true
	}
	return n%k == i
}

// isSmall reports whether m is one of the machines that a measurement has time for.
func isSmall(m *model.Machine, most int) bool {
	return len(m.Events) <= most && len(m.Invariants) <= most && len(m.Inherited) <= most
}

// only reports whether m is the machine that GRADINE_ONLY names, as PROJECT/MACHINE.
func only(p *project.Project, m *model.Machine) bool {
	name := os.Getenv("GRADINE_ONLY")
	return name == "" || name == p.Name+"/"+m.Name
}

// How often inference closes all again when one invariant that is needed is taken away.
// GRADINE_MEASURE=removal; GRADINE_CASES bounds the cases, and the machines are taken from
// all over the corpus.
func TestMeasureRemoval(t *testing.T) {
	if os.Getenv("GRADINE_MEASURE") != "removal" {
		t.Skip("a measurement")
	}
	most := 200
	if n, err := strconv.Atoi(os.Getenv("GRADINE_CASES")); err == nil {
		most = n
	}
	store, err := proofstore.DefaultStore()
	if err != nil {
		t.Fatal(err)
	}
	cases, closed, late, number, unproved := 0, 0, 0, 0, 0
	for _, p := range append(opened(t, ".."), corpusProjects(t)...) {
		for _, m := range p.Dev.Machines {
			if number++; !part(t, number) || !only(p, m) {
				continue
			}
			if !isSmall(m, 24) {
				continue
			}
			within, stop := bounded(t, caseTime)
			yes, no := provedOf(within, t, p.Dev, m, store)
			if stop(); len(no) > 0 || len(yes) == 0 {
				continue
			}
			taken := 0
			for _, inv := range m.Invariants {
				if inv.Theorem || taken >= 8 || cases >= most {
					continue
				}
				dev, less := stripped(p.Dev, m, func(x *model.Predicate) bool { return x == inv })
				within, stop := bounded(t, caseTime)
				_, without := provedOf(within, t, dev, less, store)
				if stop(); len(without) == 0 {
					continue
				}
				taken++
				cases++
				start := processorTime(t)
				within, stop = bounded(t, caseTime)
				r, _ := closedBy(within, t, p, dev, less, m)
				stop()
				took := processorTime(t) - start
				if r == nil {
					late++
					fmt.Printf("%-20s %-14s %-14s cut after %.1fs\n", p.Name, m.Name, inv.Label, took.Seconds())
					continue
				}
				all := !slices.ContainsFunc(r.Open, func(x infer.Target) bool { return !x.Closed })
				if all {
					closed++
					// What is written into the source is proved by everyone who proves it again.
					if open := written(t, r, store); len(open) > 0 {
						unproved++
						fmt.Printf("%-20s %-14s %-14s not proved when written: %v\n", p.Name, m.Name, inv.Label, open)
					}
				}
				fmt.Printf("%-20s %-14s %-14s closed %t of %d  candidates %4d set-ups %2d  %5.1fs\n", p.Name, m.Name, inv.Label, all, len(r.Open), len(r.Candidates), r.SetUps, took.Seconds())
			}
		}
	}
	fmt.Printf("closed %d of %d, %d took more than %v; of those closed, %d are not proved when written\n", closed, cases, late, caseTime, unproved)
}

// written returns the obligations that are not proved, with the budget that they have
// everywhere, of the machine of r with what is worth adding.
func written(t *testing.T, r *infer.Report, store *proofstore.Store) (open []string) {
	t.Helper()
	var worth []infer.Candidate
	for _, i := range r.Worth {
		worth = append(worth, r.Kept[i].Candidate)
	}
	dev, m := infer.With(r.Development, r.Machine, worth)
	own := len(r.Machine.Invariants)
	if at := slices.Index(m.Invariants, r.Before); at >= 0 {
		m.Invariants = slices.Concat(m.Invariants[:at], m.Invariants[own:], m.Invariants[at:own])
	}
	all, err := po.Generate(dev, model.Component{Machine: m}, po.Options{})
	if err != nil {
		t.Fatal(err)
	}
	discharge.Run(t.Context(), len(all), func(i int) logic.Sequent { return all[i].Sequent() }, discharge.Options{Store: store}, func(i int, o verdict.Outcome) {
		if !o.Verdict.Holds() {
			open = append(open, all[i].Name)
		}
	})
	return open
}

// caseTime is the processor time that one case of a measurement may take, and ten times
// that a machine without all its invariants; GRADINE_SECONDS changes it.
var caseTime = 30 * time.Second

func init() {
	if n, err := strconv.Atoi(os.Getenv("GRADINE_SECONDS")); err == nil {
		caseTime = time.Duration(n) * time.Second
	}
}

// bounded returns a context that ends when the process has used some more processor time.
func bounded(t *testing.T, most time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	start := processorTime(t)
	go func() {
		for ctx.Err() == nil {
			time.Sleep(100 * time.Millisecond)
			if processorTime(t)-start > most {
				cancel()
			}
		}
	}()
	return ctx, cancel
}

// What engines cost and spare, on small machines of the corpus. GRADINE_MEASURE=engines.
func TestMeasureEngines(t *testing.T) {
	if os.Getenv("GRADINE_MEASURE") != "engines" {
		t.Skip("a measurement")
	}
	most := 20
	if n, err := strconv.Atoi(os.Getenv("GRADINE_CASES")); err == nil {
		most = n
	}
	number := 0
	var plain, together time.Duration
	worst := 0.0
	for _, p := range corpusProjects(t) {
		for _, m := range p.Dev.Machines {
			if len(m.Events) > 8 || len(m.Invariants) > 8 || len(m.Inherited) > 8 || len(m.Events) < 3 {
				continue // for time
			}
			if number++; !part(t, number) || most == 0 {
				continue
			}
			most--
			s := infer.Subject{Development: p.Dev, Machine: m}
			if setup, err := p.Setup(m, p.Scope(m), project.Overrides{}); err == nil {
				s.Setups = []explore.Setup{setup}
			}
			// What is cut counts with the time that it had: the ratio is more to the favour of
			// the slower one then.
			var took [2]time.Duration
			for k, engines := range [][]string{{}, {infer.DYN, infer.SBASE}} {
				within, stop := bounded(t, 2*caseTime)
				start := processorTime(t)
				var err error
				if took[k], err = infer.Took(within, s, infer.Options{Engines: engines, Clock: func() time.Duration { return processorTime(t) }}); err != nil {
					took[k] = processorTime(t) - start
				}
				stop()
			}
			plain, together = plain+took[0], together+took[1]
			worst = max(worst, took[1].Seconds()/took[0].Seconds())
			fmt.Printf("%-20s %-14s H %6.2f DYN|SBASE|H %6.2f ratio %.2f\n", p.Name, m.Name, took[0].Seconds(), took[1].Seconds(), took[1].Seconds()/took[0].Seconds())
		}
	}
	fmt.Printf("H %.1f s, DYN|SBASE|H %.1f s: %.2f times as fast, at worst %.2f times as slow\n", plain.Seconds(), together.Seconds(), plain.Seconds()/together.Seconds(), worst)
}
