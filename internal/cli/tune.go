package cli

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/tune"
	"github.com/spf13/cobra"
)

// tuneFlags are the flags of the tune command.
type tuneFlags struct {
	proveFlags
	instance string
	by       string
	maxSteps int
	all      bool
	method   string
	seed     uint64
	plots    string
	point    string
	trace    string
	chart    chartFlags
}

func (r *run) tuneCommand() *cobra.Command {
	var f tuneFlags
	c := &cobra.Command{
		Use:   "tune [NAME]",
		Short: "Find the parameters with the least T_ev, with a proof that none is better",
		Long: `Searches the points of the [tune.NAME] entries of gradine.toml, without a name all of them.
The value of a point comes from a proved theorem of the machine, from running it along its only
schedule, or from exploring all schedules; the answer says which.`,
		Example: "  gradine tune\n  gradine tune tiling --instance size=64,NP=8,NU=1,ND=1,GMT=16,barrier=2",
		Args:    oneAtMost("the NAME of a [tune.NAME] entry"),
		RunE: func(_ *cobra.Command, args []string) error {
			projects, _, err := r.projects(nil)
			if err != nil {
				return err
			}
			conf := projects[0].config
			if conf == nil || len(conf.Tune) == 0 {
				return usagef("nothing to tune: there is no gradine.toml with a [tune.NAME] entry")
			}
			names := slices.Sorted(maps.Keys(conf.Tune))
			if len(args) == 1 {
				if names = args; conf.Tune[args[0]].Machine == "" {
					return usagef("no entry [tune.%s] in gradine.toml; there are %s", args[0], strings.Join(slices.Sorted(maps.Keys(conf.Tune)), ", "))
				}
			}
			for _, name := range names {
				if err := r.tune(projects, name, conf.Tune[name], f); err != nil {
					return modelErrorf("tune.%s: %w", name, err)
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&f.instance, "instance", "", "tune this instance, NAME=VALUE,…, instead of those of gradine.toml")
	c.Flags().StringVar(&f.by, "by", "auto", "how values are found: auto, theorem or run")
	c.Flags().IntVar(&f.maxSteps, "max-steps", 0, "bound on the steps of all runs and on the states of all explorations of one instance")
	c.Flags().StringVar(&f.method, "method", "search", "search; or for comparison the methods of the published work: bisection, swarm")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed of swarm")
	c.Flags().StringVar(&f.plots, "plots", "", "draw heat maps and curves of T_ev into `DIR`, as SVG and PNG")
	c.Flags().StringVar(&f.trace, "trace", "", "write a run at a best point to `FILE`, as ITF, for explore --replay")
	c.Flags().StringVar(&f.point, "point", "", "trace and chart show this point, NAME=VALUE,…")
	f.chart.add(c, "the run of --trace")
	c.Flags().BoolVar(&f.all, "all-points", false, "show every point, and run each to its end")
	f.add(c)
	r.formatFlag(c, "text", "jsonl")
	return c
}

// tune searches the instances of one entry.
func (r *run) tune(projects []*project, name string, conf config.Tune, f tuneFlags) error {
	p, err := projectOf(projects, conf)
	if err != nil {
		return err
	}
	r.judgeAccuracy([]*project{p}, only(p.dev.Machine(conf.Machine)))
	instances, err := instancesOf(conf, f.instance)
	if err != nil {
		return err
	}
	if len(instances) > 1 && (f.trace != "" || f.chart.svg != "") {
		return usagef("a trace is of one instance; name it with --instance")
	}
	first, err := entryOf(p, name, conf, instances[0])
	if err != nil {
		return err
	}
	opt := tune.Options{MaxSteps: f.maxSteps, NoPruning: f.all, Proved: r.proved(p, first, f)}
	var closed *tune.Closed
	if f.by != "run" && conf.Theorem != "" {
		switch closed, err = r.closedForm(p, first, conf, f); {
		case err != nil && f.by == "theorem":
			return err
		case err != nil:
			fmt.Fprintf(r.err, "gradine: tune.%s: not by theorem: %v\n", name, err)
		}
	} else if f.by == "theorem" {
		return usagef("the entry names no theorem")
	}
	for _, given := range instances {
		e, err := entryOf(p, name, conf, given)
		if err != nil {
			return err
		}
		if opt.Closed = nil; closed != nil {
			// The term belongs to the bank of the development, which all entries share.
			again, err := e.ClosedForm(closed.Label)
			if err != nil {
				return err
			}
			again.Certificate = closed.Certificate
			opt.Closed = again
		}
		answer, err := r.answer(e, given, opt, f)
		if err != nil {
			return err
		}
		if err := r.writeWitness(e, answer, opt, f); err != nil {
			return err
		}
		if f.plots != "" {
			if err := drawAnswer(r.path(f.plots), answer); err != nil {
				return err
			}
		}
		if !answer.Complete {
			r.fail(exitNoVerdict)
		} else if len(answer.Best) == 0 {
			r.fail(exitNo)
		}
		if r.format == "jsonl" {
			err = report.TuningJSON(r.out, answer)
		} else {
			report.Tuning(r.out, r.style(), answer, f.all)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// answer searches one instance by the chosen method.
func (r *run) answer(e *tune.Entry, given []tune.Given, opt tune.Options, f tuneFlags) (*tune.Answer, error) {
	switch f.method {
	case "bisection":
		a, asked, err := tune.Bisect(r.ctx, e, given, opt)
		if err == nil {
			fmt.Fprintf(r.err, "gradine: tune.%s: %d questions\n", e.Name, asked)
		}
		return a, err
	case "swarm":
		return tune.Swarm(r.ctx, e, given, f.seed, opt)
	case "search":
	default:
		return nil, usagef("--method %s: possible are search, bisection, swarm", f.method)
	}
	return tune.Search(r.ctx, e, given, opt)
}

// writeWitness writes the run at the first best point, or at that of --point, if a
// flag asks for it.
func (r *run) writeWitness(e *tune.Entry, a *tune.Answer, opt tune.Options, f tuneFlags) error {
	if f.trace == "" && f.chart.svg == "" {
		return nil
	}
	p, err := pointOf(a, f.point)
	if err != nil {
		return err
	}
	t, err := e.Witness(r.ctx, p, opt)
	if err != nil {
		return err
	}
	if f.trace != "" {
		data, err := t.ITF()
		if err != nil {
			return err
		}
		if err := replaceFile(r.path(f.trace), append(data, '\n')); err != nil {
			return err
		}
	}
	return f.chart.draw(t)
}

// pointOf returns the point with the parameters that text gives, or the first of
// the best.
func pointOf(a *tune.Answer, text string) (*tune.Point, error) {
	if text == "" {
		if len(a.Best) == 0 {
			return nil, modelErrorf("there is no best point to trace; name one with --point")
		}
		return &a.Points[a.Best[0]], nil
	}
	given, err := assignments("--point", text)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(a.Points, func(p tune.Point) bool {
		return !slices.ContainsFunc(given, func(g tune.Given) bool {
			i := slices.Index(a.Names, g.Name)
			return i < 0 || p.Values[i].Cmp(g.Value) != 0
		})
	})
	if i < 0 {
		return nil, usagef("--point %s: there is no such point", text)
	}
	return &a.Points[i], nil
}

// drawAnswer writes the pictures of an answer.
func drawAnswer(dir string, a *tune.Answer) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	name := a.Entry
	for _, g := range a.Given {
		name += fmt.Sprintf("-%s%s", g.Name, g.Value)
	}
	for _, format := range []string{"svg", "png"} {
		for kind, draw := range map[string]func(io.Writer, *tune.Answer, string) error{"heat": report.HeatMap, "curves": report.Curves} {
			var w bytes.Buffer
			if err := draw(&w, a, format); err != nil {
				return err
			}
			if err := replaceFile(filepath.Join(dir, name+"-"+kind+"."+format), w.Bytes()); err != nil {
				return err
			}
		}
	}
	return nil
}

func projectOf(projects []*project, conf config.Tune) (*project, error) {
	var found *project
	for _, p := range projects {
		if conf.Project != "" && conf.Project != p.name || p.dev.Machine(conf.Machine) == nil {
			continue
		}
		if found != nil {
			return nil, modelErrorf("projects %s and %s both have a machine %s; say which by project = \"NAME\"", found.name, p.name, conf.Machine)
		}
		found = p
	}
	if found == nil {
		return nil, modelErrorf("there is no machine %s", conf.Machine)
	}
	return found, nil
}

// instancesOf reads the instances of an entry, or the one of --instance.
func instancesOf(conf config.Tune, flag string) ([][]tune.Given, error) {
	if flag != "" {
		given, err := assignments("--instance", flag)
		return [][]tune.Given{given}, err
	}
	var out [][]tune.Given
	for _, in := range conf.Instances {
		var given []tune.Given
		for _, name := range conf.Given {
			value, has := in[name]
			if !has {
				continue
			}
			v, ok := value.(int64)
			if !ok {
				return nil, modelErrorf("instance value %s = %v is no integer", name, value)
			}
			given = append(given, tune.Given{Name: name, Value: big.NewInt(v)})
		}
		out = append(out, given)
	}
	if len(out) == 0 {
		return nil, usagef("the entry has no instances; give one with --instance")
	}
	return out, nil
}

// assignments reads NAME=NUMBER,…, the value of a flag.
func assignments(flag, text string) (out []tune.Given, err error) {
	for pair := range strings.SplitSeq(text, ",") {
		name, number, ok := strings.Cut(pair, "=")
		v, isInt := new(big.Int).SetString(strings.TrimSpace(number), 10)
		if !ok || !isInt {
			return nil, usagef("%s %s: %q is not of the form NAME=NUMBER", flag, text, pair)
		}
		name = strings.TrimSpace(name)
		if slices.ContainsFunc(out, func(g tune.Given) bool { return g.Name == name }) {
			return nil, usagef("%s %s: %s has two values", flag, text, name)
		}
		out = append(out, tune.Given{Name: name, Value: v})
	}
	return out, nil
}

// scope types the formulas of an entry.
type scope struct {
	bank *logic.Bank
	env  check.Env
}

func (s scope) formula(text string, parse func(string, lang.Dialect) (*lang.Formula, []lang.Problem)) (logic.Term, error) {
	f, problems := parse(text, lang.Text)
	if len(problems) > 0 {
		return 0, modelErrorf("%q: %s", text, problems[0].Message)
	}
	t, inferred, found := check.Formula(s.bank, s.env, f)
	if len(found) > 0 {
		return 0, modelErrorf("%q: %s", text, found[0].Message)
	}
	if len(inferred) > 0 {
		return 0, modelErrorf("%q: nothing is called %s", text, inferred[0].Name)
	}
	return t, nil
}

// threads reads the sets that are declared to be interchangeable.
func (s scope) threads(conf config.Machine) (out []explore.Threads, err error) {
	for _, name := range conf.Threads {
		set, err := s.formula(name, lang.ParseExpression)
		if err != nil {
			return nil, err
		}
		out = append(out, explore.Threads{Name: name, Set: set})
	}
	return out, nil
}

// scopeOf is the scope of machine m, with variables.
func scopeOf(dev *model.Development, m *model.Machine) scope {
	s := scope{dev.Bank.Extend(), check.Env{}}
	for _, c := range m.Contexts {
		for _, x := range c.Sets {
			s.env[x.Name] = s.bank.Type(x.Term)
		}
		for _, x := range c.Constants {
			s.env[x.Name] = s.bank.Type(x.Term)
		}
	}
	for _, v := range m.Variables {
		if v.Concrete {
			s.env[v.Name] = s.bank.Type(v.Term)
		}
	}
	return s
}

// entryOf builds the entry for one instance: names of the instance that are no
// constants are integers.
func entryOf(p *project, name string, conf config.Tune, given []tune.Given) (*tune.Entry, error) {
	m := p.dev.Machine(conf.Machine)
	s := scopeOf(p.dev, m)
	loose := map[string]bool{} // given, but no constants of the machine
	for _, g := range given {
		if _, ok := s.env[g.Name]; !ok {
			s.env[g.Name] = logic.IntType
			loose[g.Name] = true
		}
	}
	e := &tune.Entry{Name: name, Dev: p.dev, Machine: m, Bank: s.bank, Objective: conf.Objective}
	var err error
	if e.Threads, err = s.threads(p.config.Machine[m.Name]); err != nil {
		return nil, err
	}
	if e.Final, err = s.formula(conf.Final, lang.ParsePredicate); err != nil {
		return nil, err
	}
	for _, shown := range conf.Shown {
		t, err := s.formula(conf.Parameters[shown], lang.ParseExpression)
		if err != nil {
			return nil, err
		}
		e.Shown = append(e.Shown, tune.Parameter{Name: shown, Term: t})
	}
	for _, c := range conf.Searched {
		typ, ok := s.env[c]
		if !ok {
			return nil, modelErrorf("search: machine %s has no constant %s", m.Name, c)
		}
		t, err := s.formula(conf.Search[c], lang.ParseExpression)
		if err != nil {
			return nil, err
		}
		if s.bank.Elem(s.bank.Type(t)) != typ {
			return nil, modelErrorf("search: the values of %s have another type than it", c)
		}
		e.Choices = append(e.Choices, explore.Choice{Name: c, Type: typ, Set: t})
		for _, x := range s.bank.FreeIdents(t) {
			delete(loose, s.bank.Name(x))
		}
	}
	for _, g := range given {
		if loose[g.Name] {
			return nil, usagef("instance: machine %s has no constant %s, and no set in [tune.%s.search] mentions it", m.Name, g.Name, name)
		}
	}
	return e, nil
}
