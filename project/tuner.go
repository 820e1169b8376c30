package project

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gradine/gradine/gpu/tuner"
	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/tune"
)

// TunerFile is what became of a file in which tuners exchange their work.
type TunerFile struct {
	To         string // the file that was written
	Problem    bool   // it has a problem; otherwise results
	Kernel     string // path of the kernel, as seen from where the file of the problem is
	Parameters int
	Rows       int // of results
	Failed     int // … without a time
	Left       []string
}

// ImportTuner writes what a tuner's file in JSON has into dir: a problem in format T1 as the table of its kernel,
// results in format T4 as a table of measurements. The error names what is not understood; then nothing is written.
func ImportTuner(name, dir string, force bool) (*TunerFile, error) {
	text, err := door.File(name)
	if err != nil {
		return nil, err
	}
	if tuner.AreResults(text) {
		r, err := seam.Read(name, func() (*tuner.Results, error) { return tuner.ReadResults(text) })
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out := &TunerFile{To: filepath.Join(dir, NameOf(name)+".measured.tsv"), Rows: r.Rows, Failed: r.Failed}
		// What is written is what --measured reads: the same rows, of which as many have no time.
		read, err := seam.Read(name, func() ([]tune.Measurement, error) { return tune.ReadMeasurements(out.To, r.Table, r.Parameters, nil) })
		if err != nil {
			return nil, fmt.Errorf("%s: its table is not accepted: %w", name, err)
		}
		failed := 0
		for _, m := range read {
			if m.Failed != "" {
				failed++
			}
		}
		if len(read) != r.Rows || failed != r.Failed {
			return nil, fmt.Errorf("%s: its table reads as %d measurements, %d without a time, and has %d and %d", name, len(read), failed, r.Rows, r.Failed)
		}
		return out, writeNew(out.To, r.Table, force)
	}
	p, err := seam.Read(name, func() (*tuner.Problem, error) { return tuner.ReadProblem(text) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	kernel := filepath.FromSlash(p.KernelFile)
	table := append([]byte(fmt.Sprintf("# Made from %s by gradine import: the table of %s.\n", filepath.Base(name), filepath.Base(kernel))), p.Table...)
	out := &TunerFile{
		To: filepath.Join(dir, strings.TrimSuffix(filepath.Base(kernel), filepath.Ext(kernel))+".toml"), Problem: true, Kernel: filepath.Join(filepath.Dir(name), kernel),
		Parameters: p.Parameters, Left: p.Left,
	}
	// What the table says is checked before it is written: its names and conditions may not fit together.
	parsed, err := config.ParseKernelTable(out.To, table)
	var sizes []*config.SizedTable
	if err == nil {
		sizes, err = parsed.Sizes()
	}
	if err == nil {
		_, err = spaceOf(sizes[0])
	}
	if err != nil {
		return nil, fmt.Errorf("%s: its table is not accepted: %w", name, err)
	}
	return out, writeNew(out.To, table, force)
}

// writeNew writes a file, unless another text would be overwritten and force is not given.
func writeNew(to string, data []byte, force bool) error {
	if err := readyFor(to, data, force); err != nil {
		return err
	}
	return atomic.Write(to, data, 0o666)
}

// readyFor makes the folder of a file that may be written.
func readyFor(to string, data []byte, force bool) error {
	if err := mayWrite(to, data, force); err != nil {
		return err
	}
	return os.MkdirAll(filepath.Dir(to), 0o777)
}

// mayWrite reports why a file may not be written: another text would be overwritten and force is not given, or what is there
// cannot be read.
func mayWrite(to string, data []byte, force bool) error {
	old, err := door.File(to)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !force && !bytes.Equal(old, data):
		return fmt.Errorf("%s exists; --force overwrites it", to)
	}
	return nil
}
