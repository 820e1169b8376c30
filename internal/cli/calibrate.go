package cli

import (
	"fmt"

	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/report/figures"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
	"github.com/gradine/gradine/tune/loop"
	"github.com/spf13/cobra"
)

// calibrateFlags are the flags of the calibrate command.
type calibrateFlags struct {
	flags.Prove
	instance string
	measured string
	plan     int
	device   string // to measure: its name, or a file of its figures
	runtime  string
	part     string // of the name of the device that the runtime has
}

func (r *run) calibrateCommand() *cobra.Command {
	var f calibrateFlags
	command := &cobra.Command{
		Use:   "calibrate NAME | --device DEVICE",
		Short: "Fit the costs of a [tune.NAME] entry to measurements, or plan measurements",
		Long: `Chooses the constants in [tune.NAME.calibrate.constants] so that the proved formula for the objective best
predicts the measured times. Prints the constants as an instance, the quality of the fit, and the constants that
the measurements do not determine. The table of measurements is tab-separated. The table has a column for each
parameter of the entry, and a column ms with the time in milliseconds. If the device failed, its error message
replaces the time. With --plan N, proposes the next N points to measure.

With --device, measures on the device of this computer what no data sheet says, in about a minute: the latency of
memory, barriers, the start of blocks, and the sizes of caches in effect. Writes these figures to FILE.toml, which has
the other figures of the device. For the name of a device that gradine brings, makes such a file first.`,
		Example: "  gradine calibrate convolution --instance A100 --plan 5",
		Args: func(c *cobra.Command, args []string) error {
			if f.device != "" {
				return cobra.NoArgs(c, args)
			}
			return oneArgument("the entry to calibrate")(c, args)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if f.device != "" {
				return r.probe(f)
			}
			if f.plan < 0 {
				return flags.Usagef("--plan cannot be negative")
			}
			if f.plan == 0 && f.measured == "" {
				return flags.Usagef("nothing to do: use --measured FILE to calibrate, or --plan N to plan measurements")
			}
			if err := r.calibrate(args[0], f); err != nil {
				return modelErrorf("tune.%s: %w", args[0], err)
			}
			return nil
		},
	}
	command.Flags().StringVar(&f.instance, "instance", "", "start from `INSTANCE`, written NAME=VALUE,… or by its name (default: the first instance in gradine.toml)")
	command.Flags().StringVar(&f.measured, "measured", "", "read measured times from `FILE`, a tab-separated table")
	command.Flags().IntVar(&f.plan, "plan", 0, "propose the next `N` points to measure")
	command.Flags().StringVar(&f.device, "device", "", "measure the device of this computer: `NAME` of a device, or FILE.toml with its figures")
	command.Flags().StringVar(&f.runtime, "runtime", "opencl", "with --device: `RUNTIME` to use, opencl or cuda")
	command.Flags().StringVar(&f.part, "named", "", "with --device: choose the device whose name in the runtime contains `PART` (default: the first device)")
	f.Add(command.Flags())
	r.formatFlag(command, "text", "jsonl")
	return command
}

// calibrate fits one entry.
func (r *run) calibrate(name string, f calibrateFlags) error {
	projects, _, err := r.wanted(nil, project.TunedBy([]string{name}))
	if err != nil {
		return err
	}
	conf := projects[0].Config
	if conf == nil {
		return flags.Usagef("gradine.toml has no [tune.%s] entry", name)
	}
	if _, err := project.EntriesNamed(conf, []string{name}); err != nil {
		return flags.Usagef("%w", err)
	}
	entryConf := conf.Tune[name]
	// Which constants may be corrected is a decision of the author, not of the program.
	if entryConf.Calibrate == nil || len(entryConf.Calibrate.Constants) == 0 {
		return flags.Usagef("nothing to calibrate: list the constants and their ranges under [tune.%s.calibrate.constants]", name)
	}
	opened, err := project.Tuned(projects, entryConf)
	if err != nil {
		return err
	}
	r.judgeAccuracy([]*project.Project{opened}, only(opened.Dev.Machine(entryConf.Machine)))
	instances, err := instancesOf(entryConf, f.instance)
	if err != nil {
		return err
	}
	var rows []tune.Measurement
	if f.measured != "" {
		if rows, err = readMeasurements(r.path(f.measured), entryConf.Shown, whereOf(instances[0].Given), r.warn); err != nil {
			return err
		}
	}
	proofs, err := r.proofs(opened, opened.Dev.Machine(entryConf.Machine), f.Prove)
	if err != nil {
		return err
	}
	out, err := opened.Calibrate(r.ctx, name, entryConf, instances[0].Given, rows, proofs)
	if err != nil {
		return err
	}
	out.From = f.measured
	if f.measured != "" && out.Measured == 0 {
		if f.plan == 0 {
			r.fail(exitNoVerdict)
		}
		fmt.Fprintf(r.err, "gradine: %s has no time of a valid point, so nothing can be calibrated\n", f.measured)
	}
	if f.plan > 0 {
		if out.Plan, err = out.Calibration.Plan(f.plan); err != nil {
			return err
		}
	}
	if r.format == "jsonl" {
		return figures.CalibrationJSON(r.out, out)
	}
	figures.CalibrationText(r.out, r.style(), out)
	return nil
}

// readMeasurements reads a table of measurements, which may be compressed, for an instance. Those of a log of
// `gradine tune --run` are scaled by its reference; warn is told if the device has changed.
func readMeasurements(path string, parameters []string, where tune.Where, warn func(string)) ([]tune.Measurement, error) {
	data, err := door.File(path)
	if err != nil {
		return nil, flags.Usagef("%w", err)
	}
	return seam.Read(path, func() ([]tune.Measurement, error) {
		rows, drift, ok, err := loop.Measurements(path, data, parameters, where)
		if !ok {
			return tune.ReadMeasurements(path, data, parameters, where)
		}
		if drift.Noticed && warn != nil {
			warn(fmt.Sprintf("%s: the device changed during the measurements: the reference took %.2f to %.2f × its first time, and times are scaled accordingly", path, drift.Least, drift.Most))
		}
		return rows, err
	})
}

// warn prints a warning.
func (r *run) warn(text string) { fmt.Fprintf(r.err, "gradine: %s\n", text) }

// whereOf selects the rows of an instance.
func whereOf(given []project.Assignment) tune.Where {
	out := tune.Where{}
	for _, g := range given {
		out[g.Name] = g.Value
	}
	return out
}
