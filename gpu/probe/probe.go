// Package probe measures what no data sheet of a device says: latencies, barriers, the start of blocks and the sizes
// of its caches in effect. It launches small kernels through the runner of `gradine tune --run`.
package probe

import (
	"context"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/gradine/gradine/gpu/runner"
)

//go:embed probe.cl
var sources embed.FS

// Device launches kernels: a runner, or a fake of one.
type Device interface {
	Run(ctx context.Context, l runner.Launch) (times []float64, failure *runner.Failure, err error)
}

// Figure is what was measured, in the unit of the figures of devices: thousandths of a cycle, warps, or bytes.
type Figure struct {
	Name             string
	Value, Low, High int64
}

// Figures are the names of those that every device has; those of caches follow.
var Figures = []string{"barrier", "start_block", "latency", "load_latency"}

// Known are the figures of a device that measurements are expressed in.
type Known struct {
	MHz  int64 // cycles in a microsecond
	SMs  int64 // multiprocessors
	Warp int64 // threads of a warp
}

// Result is what a device has answered. A figure that could not be told from noise, or whose kernel failed, is
// refused with the reason.
type Result struct {
	Figures []Figure
	Refused map[string]string // by figure
}

// The sizes of the pointer chase, in bytes, and the bytes between two of its elements: a line of a GPU's cache.
const (
	leastChase = 4 << 10
	mostChase  = 64 << 20
	line       = 128
)

// repeat is how many launches are timed.
const repeat = 5

// probe is a device that is asked.
type probe struct {
	ctx     context.Context
	device  Device
	dir     string
	options []string // for the compiler, with the language
	known   Known
}

// Measure asks a device. Files are written to dir. The error is about the device itself.
func Measure(ctx context.Context, device Device, runtime runner.Runtime, dir string, known Known) (*Result, error) {
	if known.MHz < 1 || known.SMs < 1 || known.Warp < 1 {
		return nil, errors.New("the figures mhz, sms and warp of the device must be positive: measurements are expressed in them")
	}
	p := &probe{ctx: ctx, device: device, dir: dir, known: known, options: []string{"-DIN_CUDA=0"}}
	if runtime == runner.CUDA {
		p.options = []string{"-DIN_CUDA=1"}
	}
	text, err := sources.ReadFile("probe.cl")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(p.source(), text, 0o600); err != nil {
		return nil, err
	}
	out := &Result{Refused: map[string]string{}}
	// Each probe stands alone: one that the device refuses, or whose times say nothing, leaves the others.
	for _, q := range []struct {
		name string
		of   func() ([]Figure, error)
	}{{"barrier", p.barrier}, {"start_block", p.startBlock}, {"latency", p.hidingWarps}, {"load_latency", p.chase}} {
		figures, err := q.of()
		refusal, refused := errors.AsType[*Refusal](err)
		switch {
		case refused:
			out.Refused[q.name] = refusal.Why
			continue
		case err != nil:
			return nil, err
		}
		out.Figures = append(out.Figures, figures...)
	}
	return out, nil
}

// Refusal is why a figure was not measured. It says nothing of others.
type Refusal struct{ Why string }

func (r *Refusal) Error() string { return r.Why }

func (p *probe) source() string { return filepath.Join(p.dir, "probe.cl") }

// span is a time in nanoseconds, and between which bounds it lies.
type span struct{ value, low, high float64 }

// times runs a launch: the median, the least and the greatest of its times.
func (p *probe) times(l runner.Launch) (span, error) {
	l.Source, l.Warmup, l.Repeat, l.Options = p.source(), 1, repeat, slices.Concat(p.options, l.Options)
	ms, failure, err := p.device.Run(p.ctx, l)
	switch {
	case err != nil:
		return span{}, err
	case failure != nil:
		return span{}, &Refusal{failure.Error()}
	}
	slices.Sort(ms)
	return span{ms[len(ms)/2] * 1e6, ms[0] * 1e6, ms[len(ms)-1] * 1e6}, nil
}

// each is the time of one of many steps: that of more − fewer steps, divided by their number. What launches cost
// in addition cancels out.
func (p *probe) each(fewer, more int64, launch func(steps int64) runner.Launch) (span, error) {
	a, err := p.times(launch(fewer))
	if err != nil {
		return span{}, err
	}
	b, err := p.times(launch(more))
	if err != nil {
		return span{}, err
	}
	n := float64(more - fewer)
	s := span{(b.value - a.value) / n, (b.low - a.high) / n, (b.high - a.low) / n}
	if !(s.value > 0) {
		return span{}, &Refusal{fmt.Sprintf("%d steps take no longer than %d: the times are too noisy", more, fewer)}
	}
	s.low = max(s.low, s.value/10) // noise may hide the lower bound
	return s, nil
}

// cycles is a figure in thousandths of a cycle.
func (p *probe) cycles(name string, s span) Figure {
	in := func(ns float64) int64 { return max(1, int64(math.Round(ns*float64(p.known.MHz)))) }
	return Figure{name, in(s.value), in(s.low), in(s.high)}
}

// result is the buffer that a kernel writes, so that no compiler leaves its work out.
func (p *probe) result(elements int64) (runner.Argument, error) {
	a := runner.Argument{Kind: runner.Buffer, Bytes: 4 * elements, File: filepath.Join(p.dir, "zero"), Out: filepath.Join(p.dir, "result")}
	return a, os.WriteFile(a.File, make([]byte, a.Bytes), 0o600)
}

func number(n int64) runner.Argument {
	return runner.Argument{Kind: runner.Value, Value: binary.LittleEndian.AppendUint32(nil, uint32(n))}
}

// blockThreads is the size of the blocks that meet at barriers and that are started.
const blockThreads = 256

// barrier measures a barrier of one block.
func (p *probe) barrier() ([]Figure, error) {
	out, err := p.result(1)
	if err != nil {
		return nil, err
	}
	s, err := p.each(2_000, 10_000, func(n int64) runner.Launch {
		return runner.Launch{Kernel: "barriers", Block: [3]int64{blockThreads, 1, 1}, Grid: [3]int64{1, 1, 1}, Arguments: []runner.Argument{out, number(n)}}
	})
	return []Figure{p.cycles("barrier", s)}, err
}

// startBlock measures the start of a block on a multiprocessor, which all others do at the same time.
func (p *probe) startBlock() ([]Figure, error) {
	out, err := p.result(1)
	if err != nil {
		return nil, err
	}
	s, err := p.each(100, 500, func(n int64) runner.Launch {
		return runner.Launch{Kernel: "blocks", Block: [3]int64{blockThreads, 1, 1}, Grid: [3]int64{n * p.known.SMs, 1, 1}, Arguments: []runner.Argument{out, number(1)}}
	})
	return []Figure{p.cycles("start_block", s)}, err
}

// hidingWarps measures how many warps of a block hide the latency of each other: by how much more work they do in the
// same time than one warp.
func (p *probe) hidingWarps() ([]Figure, error) {
	var one, best span
	for warps := int64(1); warps <= 32 && warps*p.known.Warp <= 1024; warps *= 2 {
		out, err := p.result(warps * p.known.Warp)
		if err != nil {
			return nil, err
		}
		s, err := p.each(20_000, 100_000, func(n int64) runner.Launch {
			return runner.Launch{Kernel: "chain", Block: [3]int64{warps * p.known.Warp, 1, 1}, Grid: [3]int64{1, 1, 1}, Arguments: []runner.Argument{out, number(n)}}
		})
		if err != nil {
			return nil, err
		}
		w := float64(warps)
		work := span{w / s.value, w / s.high, w / s.low} // of all warps, in a nanosecond
		if warps == 1 {
			one, best = work, work
		}
		if work.value > best.value {
			best = work
		}
	}
	in := func(x float64) int64 { return max(1, int64(math.Round(x))) }
	return []Figure{{"latency", in(best.value / one.value), in(best.low / one.high), in(best.high / one.low)}}, nil
}

// loaded is the time of a load from an array of some bytes.
type loaded struct {
	bytes int64
	took  span
}

// chase measures loads that wait for each other, from arrays of more and more bytes: those of the largest go to
// memory, and jumps are sizes of caches.
func (p *probe) chase() ([]Figure, error) {
	var all []loaded
	for bytes := int64(leastChase); bytes <= mostChase; bytes *= 2 {
		next := runner.Argument{Kind: runner.Buffer, Bytes: bytes, File: filepath.Join(p.dir, "next")}
		if err := writeCycle(next.File, bytes); err != nil {
			return nil, err
		}
		out, err := p.result(1)
		if err != nil {
			return nil, err
		}
		lines := max(1<<16, bytes/line)
		s, err := p.each(lines, 3*lines, func(n int64) runner.Launch {
			return runner.Launch{Kernel: "chase", Block: [3]int64{1, 1, 1}, Grid: [3]int64{1, 1, 1}, Arguments: []runner.Argument{next, out, number(n)}}
		})
		if err != nil {
			return nil, err
		}
		all = append(all, loaded{bytes, s})
	}
	figures := []Figure{p.cycles("load_latency", all[len(all)-1].took)}
	for i, bytes := range caches(all) {
		figures = append(figures, Figure{fmt.Sprintf("cache_%d", i+1), bytes, bytes, 2 * bytes})
	}
	return figures, nil
}

// writeCycle writes an array whose elements lead through all of its lines, in an order that no prefetcher foresees.
func writeCycle(path string, bytes int64) error {
	lines := int(bytes / line)
	order := rand.New(rand.NewPCG(uint64(bytes), 1)).Perm(lines)
	data := make([]byte, bytes)
	for i, from := range order {
		binary.LittleEndian.PutUint32(data[from*line:], uint32(order[(i+1)%lines]*(line/4)))
	}
	return os.WriteFile(path, data, 0o600)
}

// The factors by which the time of a load grows beyond a cache, and by which it no longer grows within the next one.
const (
	beyond = 1.35
	within = 1.15
)

// caches are the greatest arrays whose loads are as fast as those of smaller ones.
func caches(all []loaded) (out []int64) {
	for i := 0; i < len(all); {
		base, last := all[i].took.value, i
		for last+1 < len(all) && all[last+1].took.value <= beyond*base {
			last++
		}
		if last+1 == len(all) {
			return out
		}
		out = append(out, all[last].bytes)
		// The next level begins where times have stopped to rise.
		for i = last + 1; i+1 < len(all) && all[i+1].took.value > within*all[i].took.value; i++ {
		}
		if i+1 == len(all) {
			return out
		}
	}
	return out
}
