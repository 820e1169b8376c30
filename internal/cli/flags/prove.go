package flags

import (
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/spf13/pflag"
)

// Prove are the flags of the prove command.
type Prove struct {
	Sequents     string
	Hints        string
	Suggest      bool
	Steps        int64
	Workers      int
	Timing       bool
	Replay       bool
	Refute       bool
	NoStore      bool
	Watch        bool
	Lock         bool
	Certificates bool // of all proofs, with Lock
	SMTLIB       string
	Shard        string
	Output       string // of a shard
	From         string
	NATS         string
}

// Add defines the flags that verify has, too.
func (f *Prove) Add(flags *pflag.FlagSet) {
	flags.Int64Var(&f.Steps, "steps", 0, "budget of each search, in steps (default: the budget in gradine.toml, or 9,000,000)")
	flags.IntVar(&f.Workers, "workers", 0, "number of parallel searches (does not affect results)")
	flags.BoolVar(&f.Refute, "refute", false, "search for counterexamples only; prove nothing")
	flags.BoolVar(&f.NoStore, "no-cache", false, "neither read nor write the proof cache")
}

// AddShards defines the flags of commands whose work can be split.
func (f *Prove) AddShards(flags *pflag.FlagSet) {
	flags.StringVar(&f.Shard, "shard", "", "search only shard `K/N` of the work, such as 3/8; write the answers to the file of -o")
	flags.StringVarP(&f.Output, "output", "o", "", "with --shard: write the answers to `FILE`, such as shard-3.gradine")
	f.AddFrom(flags)
}

// AddFrom defines the flag of commands that join shards.
func (f *Prove) AddFrom(flags *pflag.FlagSet) {
	flags.StringVar(&f.From, "from", "", "use the answers of the shards in `DIR`, after checking each answer; search for missing answers")
}

// AddNATS defines the flag of commands that workers help.
func (f *Prove) AddNATS(flags *pflag.FlagSet) {
	flags.StringVar(&f.NATS, "nats", "", "use the workers at `URL`, such as nats://host:4222; \"embedded\" starts a server on this computer")
}

// RefuteSteps is the budget of a search for a counterexample.
const RefuteSteps = 1_000_000

// Options are those of a search for proofs that the flags give.
func (f Prove) Options() (discharge.Options, error) {
	switch {
	case f.Steps < 0, f.Workers < 0:
		return discharge.Options{}, Usagef("--steps and --workers cannot be negative")
	case f.Shard != "" && (f.Output == "" || f.Lock || f.Replay || f.From != ""):
		return discharge.Options{}, Usagef("--shard needs -o FILE, and not --lock, --replay or --from")
	case f.Shard == "" && f.Output != "":
		return discharge.Options{}, Usagef("-o needs --shard K/N")
	case f.Replay && f.From != "":
		return discharge.Options{}, Usagef("--replay checks only proofs.certs, so it cannot be combined with --from")
	case f.Replay && f.NATS != "":
		return discharge.Options{}, Usagef("--replay searches nothing, so no worker can help")
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
	opts.Store, err = proofstore.DefaultStore()
	return opts, err
}

// Verdicts are Options of a command that shows verdicts. Proofs of others count for it once they
// are checked; but a lock records steps, so it takes only what is counted, or refuses what shards have not counted.
func (f Prove) Verdicts() (discharge.Options, error) {
	opts, err := f.Options()
	opts.Foreign = !f.Lock || f.From != ""
	return opts, err
}
