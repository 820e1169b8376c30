package probe

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/gpu/runner"
)

// fake is a device whose figures are known.
type fake struct {
	r       *rand.Rand
	noise   float64
	fails   string // kernel
	barrier float64
	start   float64 // nanoseconds of a block on one of 10 multiprocessors
	hidden  float64 // warps
	caches  map[int64]float64
	memory  float64
}

func (f *fake) Run(_ context.Context, l runner.Launch) ([]float64, *runner.Failure, error) {
	if l.Kernel == f.fails {
		return nil, &runner.Failure{Stage: "compilation", Why: "no " + l.Kernel}, nil
	}
	last := l.Arguments[len(l.Arguments)-1].Value
	n := float64(binary.LittleEndian.Uint32(last))
	ns := 5_000.0 // of any launch
	switch l.Kernel {
	case "barriers":
		ns += n * f.barrier
	case "blocks":
		ns += math.Ceil(float64(l.Grid[0])/10) * f.start
	case "chain":
		ns += n * 4 * max(1, float64(l.Block[0])/32/f.hidden)
	case "chase":
		took := f.memory
		for _, size := range slices.Backward(slices.Sorted(maps.Keys(f.caches))) {
			if l.Arguments[0].Bytes <= size {
				took = f.caches[size]
			}
		}
		ns += n * took
	}
	var out []float64
	for range l.Repeat {
		out = append(out, ns*math.Exp(f.noise*f.r.NormFloat64())/1e6)
	}
	return out, nil, nil
}

func newFake(noise float64) *fake {
	return &fake{r: rand.New(rand.NewPCG(1, 2)), noise: noise, barrier: 20, start: 1500, hidden: 8, caches: map[int64]float64{128 << 10: 20, 4 << 20: 150}, memory: 400}
}

// TestFake: the figures of a device come out, within its noise, and within their bounds.
func TestFake(t *testing.T) {
	want := map[string]int64{"barrier": 40_000, "start_block": 3_000_000, "latency": 8, "load_latency": 800_000, "cache_1": 128 << 10, "cache_2": 4 << 20}
	for _, noise := range []float64{0, 0.02} {
		found, err := Measure(t.Context(), newFake(noise), runner.CUDA, t.TempDir(), Known{MHz: 2000, SMs: 10, Warp: 32})
		if err != nil || len(found.Refused) > 0 {
			t.Fatalf("%v, %v", found, err)
		}
		if len(found.Figures) != len(want) {
			t.Errorf("%+v", found.Figures)
		}
		for _, f := range found.Figures {
			if w := float64(want[f.Name]); math.Abs(float64(f.Value)-w) > 4*noise*w || float64(f.Low) > w*(1+noise) || float64(f.High) < w*(1-noise) {
				t.Errorf("noise %v: %+v, want %v", noise, f, w)
			}
		}
	}
}

// TestRefused: what cannot be measured is named, and the other figures stand.
func TestRefused(t *testing.T) {
	device := newFake(0)
	device.fails, device.barrier = "chain", 0
	found, err := Measure(t.Context(), device, runner.OpenCL, t.TempDir(), Known{MHz: 2000, SMs: 10, Warp: 32})
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(found.Refused)
	if want := "map[barrier:10000 steps take no longer than 2000: the times are too noisy latency:compilation: no chain]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, f := range found.Figures {
		if f.Name == "barrier" || f.Name == "latency" {
			t.Errorf("%+v", f)
		}
	}
	if _, err := Measure(t.Context(), device, runner.OpenCL, t.TempDir(), Known{SMs: 10, Warp: 32}); err == nil || !strings.Contains(err.Error(), "mhz, sms and warp") {
		t.Errorf("%v", err)
	}
}

// TestCycle: an array leads through all of its lines.
func TestCycle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "next")
	if err := writeCycle(path, 1<<12); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint32]bool{}
	for at := uint32(0); !seen[at]; at = binary.LittleEndian.Uint32(data[4*at:]) {
		seen[at] = true
	}
	if len(seen) != 1<<12/line {
		t.Errorf("%d lines of %d", len(seen), 1<<12/line)
	}
}

// TestOpenCL: on a real runtime, each figure is positive and within its bounds, or refused with a reason. The full form
// asks for one figure.
func TestOpenCL(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	dir := t.TempDir()
	device, err := runner.New(t.Context(), runner.OpenCL, dir, "", runner.Limits{Time: time.Minute, Memory: 4 << 30})
	if err != nil {
		t.Skip(err)
	}
	known := Known{MHz: 2000, SMs: 2, Warp: 8}
	if os.Getenv("GRADINE_SWEEP") == "" {
		asked := &probe{ctx: t.Context(), device: device, dir: dir, known: known, options: []string{"-DIN_CUDA=0"}}
		text, err := sources.ReadFile("probe.cl")
		if err == nil {
			err = os.WriteFile(asked.source(), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		figures, err := asked.barrier()
		if _, refused := errors.AsType[*Refusal](err); !refused && (err != nil || len(figures) != 1 || figures[0].Low < 1) {
			t.Errorf("%+v, %v", figures, err)
		}
		return
	}
	found, err := Measure(t.Context(), device, runner.OpenCL, dir, known)
	if err != nil {
		t.Fatal(err)
	}
	names := slices.Collect(maps.Keys(found.Refused))
	for _, f := range found.Figures {
		t.Logf("%+v", f)
		names = append(names, f.Name)
		if f.Low < 1 || f.Low > f.Value || f.Value > f.High {
			t.Errorf("%+v", f)
		}
	}
	t.Logf("%v %v", device.Device, found.Refused)
	for _, name := range []string{"barrier", "start_block", "latency", "load_latency"} {
		if !slices.Contains(names, name) {
			t.Errorf("nothing is said of %s", name)
		}
	}
}
