package flags

import (
	"github.com/gradine/gradine/discharge"
	"github.com/spf13/pflag"
)

// Prove are the flags of the prove command.
type Prove struct {
	Sequents string
	Hints    string
	Suggest  bool
	Steps    int64
	Workers  int
	Timing   bool
	Replay   bool
	Refute   bool
	NoStore  bool
	Watch    bool
	Lock     bool
	SMTLIB   string
}

// Add defines the flags that verify has, too.
func (f *Prove) Add(flags *pflag.FlagSet) {
	flags.Int64Var(&f.Steps, "steps", 0, "budget of a search in steps, instead of that of gradine.toml, or 9,000,000")
	flags.IntVar(&f.Workers, "workers", 0, "number of searches at a time (no influence on results)")
	flags.BoolVar(&f.Refute, "refute", false, "look for counterexamples only, prove nothing")
	flags.BoolVar(&f.NoStore, "no-store", false, "neither read nor write the store")
}

// RefuteSteps is the budget of a search for a counterexample.
const RefuteSteps = 1_000_000

// Options are those of a search for proofs that the flags give.
func (f Prove) Options() (discharge.Options, error) {
	switch {
	case f.Steps < 0, f.Workers < 0:
		return discharge.Options{}, Usagef("--steps and --workers cannot be negative")
	case f.Replay && f.Refute:
		return discharge.Options{}, Usagef("--replay searches nothing, and --refute only searches")
	case f.Replay && f.Lock:
		return discharge.Options{}, Usagef("--lock records what searches find, and --replay searches nothing")
	}
	opts := discharge.Options{Steps: f.Steps, Workers: f.Workers, Replay: f.Replay, OnlyRefute: f.Refute, RefuteSteps: RefuteSteps}
	if f.NoStore || f.Replay {
		return opts, nil
	}
	var err error
	opts.Store, err = discharge.DefaultStore()
	return opts, err
}

// Verdicts are Options of a command that shows verdicts. Proofs of others count for it once they
// are checked; but a lock records steps, so it takes only what is counted.
func (f Prove) Verdicts() (discharge.Options, error) {
	opts, err := f.Options()
	opts.Foreign = !f.Lock
	return opts, err
}
