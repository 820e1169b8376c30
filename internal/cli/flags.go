package cli

import (
	"github.com/gradine/gradine/discharge"
	"github.com/spf13/cobra"
)

// proveFlags are the flags of the prove command.
type proveFlags struct {
	sequents string
	hints    string
	suggest  bool
	steps    int64
	workers  int
	timing   bool
	replay   bool
	refute   bool
	noStore  bool
	watch    bool
	lock     bool
	smtlib   string
}

// add defines the flags that verify has, too.
func (f *proveFlags) add(c *cobra.Command) {
	c.Flags().Int64Var(&f.steps, "steps", 0, "budget of a search in steps, instead of that of gradine.toml, or 30,000,000")
	c.Flags().IntVar(&f.workers, "workers", 0, "number of searches at a time (no influence on results)")
	c.Flags().BoolVar(&f.refute, "refute", false, "look for counterexamples only, prove nothing")
	c.Flags().BoolVar(&f.noStore, "no-store", false, "neither read nor write the store")
}

// refuteSteps is the budget of a search for a counterexample.
const refuteSteps = 1_000_000

func (f proveFlags) options() (discharge.Options, error) {
	switch {
	case f.steps < 0, f.workers < 0:
		return discharge.Options{}, usagef("--steps and --workers cannot be negative")
	case f.replay && f.refute:
		return discharge.Options{}, usagef("--replay searches nothing, and --refute only searches")
	case f.replay && f.lock:
		return discharge.Options{}, usagef("--lock records what searches find, and --replay searches nothing")
	}
	opts := discharge.Options{Steps: f.steps, Workers: f.workers, Replay: f.replay, OnlyRefute: f.refute, RefuteSteps: refuteSteps}
	if f.noStore || f.replay {
		return opts, nil
	}
	var err error
	opts.Store, err = discharge.DefaultStore()
	return opts, err
}

// reportFlags are the flags of the report command.
type reportFlags struct {
	proveFlags
	output string
	tuning string
	since  string
}

// flags defines those that say how to prove what is shown.
func (f *reportFlags) flags(c *cobra.Command) {
	c.Flags().Int64Var(&f.steps, "steps", 0, "budget of a search in steps, as for prove")
	c.Flags().IntVar(&f.workers, "workers", 0, "number of searches at a time (no influence on results)")
	c.Flags().BoolVar(&f.noStore, "no-store", false, "neither read nor write the store")
}
