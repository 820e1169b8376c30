package project

import (
	"context"
	"runtime"

	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/tune"
)

// Tuner makes the entries of all instances of one [tune.NAME]. What their answers
// rest on is proved once.
type Tuner struct {
	project *Project
	name    string
	conf    config.Tune
	closed  *tune.Closed // nil if values are found by running
	proved  tune.Proved
}

// Tuner prepares the search of entry name of p, of which first is an instance. why
// says why values are not found by the theorem that the entry names, unless by is
// "run" or "exhaustive", which want that.
func (p *Project) Tuner(ctx context.Context, name string, conf config.Tune, first []Assignment, proofs *tune.Proofs, by string) (t *Tuner, why string, err error) {
	e, err := p.Entry(name, conf, first)
	if err != nil {
		return nil, "", err
	}
	t = &Tuner{project: p, name: name, conf: conf, proved: proofs.Runs(ctx, e)}
	if by != "run" && by != "exhaustive" && conf.Theorem != "" {
		t.closed, why, err = proofs.ClosedForm(ctx, e, conf.Theorem)
	}
	return t, why, err
}

// TunedBy returns which machines the entries of some names are about: to read and check the
// others takes longer than many a search.
func TunedBy(args []string) func(*config.Config) []Target {
	return func(conf *config.Config) []Target {
		names, _ := EntriesNamed(conf, args) // what is wrong with them is said later
		var out []Target
		for _, name := range names {
			entry := conf.Tune[name]
			if _, ok := conf.Project[entry.Project]; !ok {
				return nil
			}
			out = append(out, Target{entry.Project, entry.Machine})
		}
		return out
	}
}

// AtOnce is how many instances are searched at the same time: values by theorem take little
// memory, and runs and explorations take all that there is.
func (t *Tuner) AtOnce() int {
	if t.closed == nil {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

// Entry is the entry of one instance, with the options to search it: the given
// ones, and what is proved.
func (t *Tuner) Entry(given []Assignment, opt tune.Options) (*tune.Entry, tune.Options, error) {
	e, err := t.project.Entry(t.name, t.conf, given)
	if err != nil {
		return nil, opt, err
	}
	opt.Proved = t.proved
	if t.closed != nil {
		// The term belongs to the bank of the development, which all entries share.
		again, err := e.ClosedForm(t.closed.Label)
		if err != nil {
			return nil, opt, err
		}
		again.Certificate = t.closed.Certificate
		opt.Closed = again
	}
	return e, opt, nil
}
