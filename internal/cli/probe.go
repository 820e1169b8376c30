package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gradine/gradine/devices"
	"github.com/gradine/gradine/gpu/probe"
	"github.com/gradine/gradine/gpu/runner"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/project"
)

// probeLimits bound the process of each launch.
var probeLimits = runner.Limits{Time: time.Minute, Memory: 8 << 30}

// probe measures the device of this computer, and writes its figures.
func (r *run) probe(f calibrateFlags) error {
	runtime := runner.Runtime(f.runtime)
	if runtime != runner.OpenCL && runtime != runner.CUDA {
		return flags.Usagef("--runtime %s: use one of opencl, cuda", f.runtime)
	}
	if f.measured != "" || f.plan != 0 || f.instance != "" {
		return flags.Usagef("--device measures a device, and --measured, --plan and --instance are for an entry")
	}
	// The file is parsed before anything is measured, and written after everything was: an error in it costs no minutes on
	// the device, and an interrupted run leaves it as it was.
	file, text, err := r.deviceFile(f.device)
	if err != nil {
		return err
	}
	before, err := config.ParseDevice(file, text)
	if err != nil {
		return modelError{err}
	}
	if err := prepared(file, text, before); err != nil {
		return modelError{err}
	}
	dir, err := os.MkdirTemp("", "gradine-probe-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	on, err := runner.New(r.ctx, runtime, dir, f.part, probeLimits)
	if err != nil {
		return modelError{err}
	}
	if words := strings.Fields(before.Name); len(words) > 0 && !strings.Contains(strings.ToLower(on.Device.Name), strings.ToLower(words[len(words)-1])) {
		r.warn(fmt.Sprintf("%s has the figures of %q, and the device calls itself %q: check that they are the same", f.device, before.Name, on.Device.Name))
	}
	known := probe.Known{MHz: before.Figures["mhz"].Value, SMs: before.Figures["sms"].Value, Warp: before.Figures["warp"].Value}
	found, err := probe.Measure(r.ctx, on, runtime, dir, known)
	if err != nil {
		return modelErrorf("%s: %w", f.device, err)
	}
	on.Device.Name = cmp.Or(on.Device.Name, "a device without a name")
	measured := fmt.Sprintf("%s on %s, driver %s, %s", time.Now().UTC().Format(time.DateOnly), on.Device.Name, on.Device.Driver, on.Device.Runtime)
	var figures []config.NamedFigure
	for _, x := range found.Figures {
		figures = append(figures, config.NamedFigure{Name: x.Name, Figure: config.Figure{Value: x.Value, Low: x.Low, High: x.High, Measured: measured}})
		fmt.Fprintf(r.out, "%s = %d (%d‥%d)%s\n", x.Name, x.Value, x.Low, x.High, instead(before.Figures[x.Name]))
	}
	for _, name := range slices.Sorted(maps.Keys(found.Refused)) {
		fmt.Fprintf(r.out, "%s: not measured: %s\n", name, found.Refused[name])
		r.fail(exitNoVerdict)
	}
	if len(figures) == 0 {
		return nil
	}
	// Measuring takes a minute, in which somebody may edit the file.
	if now, err := door.File(file); err == nil {
		text = now
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	after, err := config.WithFigures(file, text, figures)
	if err != nil {
		return modelError{err}
	}
	if err := replaceFile(file, after); err != nil {
		return err
	}
	fmt.Fprintf(r.out, "written to %s: measured %s\n", filepath.ToSlash(file), measured)
	return nil
}

// prepared says why a file of a device cannot take what is measured, before a minute is spent on that.
func prepared(file string, text []byte, device *config.Device) error {
	for _, name := range []string{"mhz", "sms", "warp"} {
		if _, ok := device.Figures[name]; !ok {
			return fmt.Errorf("%s has no figure %s, in which measurements are expressed: the file may be cut off", file, name)
		}
	}
	var all []config.NamedFigure
	for _, name := range probe.Figures {
		all = append(all, config.NamedFigure{Name: name, Figure: config.Figure{Value: 1, Low: 1, High: 1, Measured: "now"}})
	}
	_, err := config.WithFigures(file, text, all)
	return err
}

// instead says what a measured figure replaces.
func instead(old config.Figure) string {
	switch {
	case old.Assumed != "":
		return fmt.Sprintf(", assumed before: %d (%d‥%d)", old.Value, old.Low, old.High)
	case old.Measured != "":
		return fmt.Sprintf(", measured before: %d (%d‥%d)", old.Value, old.Low, old.High)
	case old.Source != "":
		return fmt.Sprintf(", before: %d, from %s", old.Value, old.Source)
	}
	return ""
}

// deviceFile is the file of a device's figures and its text: that of a name comes from gradine.
func (r *run) deviceFile(name string) (string, []byte, error) {
	file := r.path(name)
	if !strings.HasSuffix(name, ".toml") {
		file = r.path(name + ".toml")
	}
	text, err := door.File(file)
	switch {
	case err == nil:
		return file, text, nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", nil, err
	case strings.HasSuffix(name, ".toml"):
		return "", nil, flags.Usagef("%s: no such file: give the name of a device to make one: %s", name, strings.Join(project.Devices(), ", "))
	}
	if text, err = devices.FS.ReadFile(name + ".toml"); err != nil {
		return "", nil, flags.Usagef("there are no figures of a device %q; name a file of them, or one of %s", name, strings.Join(project.Devices(), ", "))
	}
	return file, text, nil
}
