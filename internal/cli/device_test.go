package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore/simulate"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
)

// numbersOf are the values of a named instance of an entry of gradine.toml.
func numbersOf(t *testing.T, name, instance string) map[string]int64 {
	t.Helper()
	found, err := project.InstanceOf(entryConf(t, name), instance)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]int64{}
	for _, g := range found.Given {
		if values[g.Name], err = strconv.ParseInt(g.Value, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	return values
}

// bestOf searches an entry by its closed form.
func bestOf(t *testing.T, entry *tune.Entry, theorem string) (*tune.Answer, []*tune.Point) {
	t.Helper()
	closed, err := entry.ClosedForm(theorem)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := tune.Search(t.Context(), entry, tune.Options{Closed: closed})
	if err != nil {
		t.Fatal(err)
	}
	if len(answer.Best) == 0 {
		t.Fatalf("%s has no best point", entry.Name)
	}
	var best []*tune.Point
	for i := range answer.Points {
		// Points at which the machine is the same are best, too, if one of them is.
		if slices.Contains(answer.Best, i) || slices.Contains(answer.Best, answer.Points[i].SameAs) {
			best = append(best, &answer.Points[i])
		}
	}
	return answer, best
}

// TestBestPointsLaunch holds every best point, of each instance that describes a device,
// against the limits of a launch, computed here from the description of the kernel and not
// from the model. Where all points were measured on the device, the best ones ran there.
func TestBestPointsLaunch(t *testing.T) {
	kernels := map[string]func(at, device map[string]int64) (threads, shared, blocks int64){
		"convolution": func(at, _ map[string]int64) (threads, shared, blocks int64) {
			wide, high := at["block_size_x"]*at["tile_size_x"], at["block_size_y"]*at["tile_size_y"]
			row := wide + 14
			if at["use_padding"] == 1 {
				row += 31 // at most
			}
			return at["block_size_x"] * at["block_size_y"], at["use_shmem"] * row * (high + 14) * 4, ((4096 + wide - 1) / wide) * ((4096 + high - 1) / high)
		},
		"resident_minimum": func(at, _ map[string]int64) (threads, shared, blocks int64) {
			return at["WG"], 4 * at["WG"], at["global"] / at["WG"]
		},
	}
	for name, kernel := range kernels {
		conf := entryConf(t, name)
		instances, err := project.Instances(conf)
		if err != nil {
			t.Fatal(err)
		}
		for _, instance := range instances {
			device := numbersOf(t, name, instance.Name)
			answer, best := bestOf(t, entryFor(t, name, device), conf.Theorem)
			for _, point := range best {
				at := map[string]int64{}
				for i, n := range answer.Names {
					at[n] = point.Values[i].Int.Int64()
				}
				threads, shared, blocks := kernel(at, device)
				// A thread has 24 registers at least; a grid has at most 2^31 − 1 blocks.
				switch {
				case threads < 1 || threads > min(1024, device["block_threads"]):
					t.Errorf("%s %s: %s: %d threads a block", name, instance.Name, joined(point.Values), threads)
				case shared > min(device["block_shared"], device["sm_memory"]):
					t.Errorf("%s %s: %s: %d bytes of shared memory", name, instance.Name, joined(point.Values), shared)
				case (threads+31)/32*32*24 > device["sm_registers"]:
					t.Errorf("%s %s: %s: %d threads have too few registers", name, instance.Name, joined(point.Values), threads)
				case blocks < 1 || blocks > 1<<31-1:
					t.Errorf("%s %s: %s: %d blocks", name, instance.Name, joined(point.Values), blocks)
				}
			}
			if name == "convolution" {
				t.Run(instance.Name, func(t *testing.T) { ran(t, instance.Name, best) })
			}
		}
	}
}

// ran reports best points that the device itself refused, or that was not measured though all points were.
func ran(t *testing.T, gpu string, best []*tune.Point) {
	table, sample := filepath.Join("../../bench/gpu", "convolution-"+gpu+".tsv"), true
	if _, err := os.Stat(table); err != nil {
		table, sample = filepath.Join(corpus.Path(t, "tuning"), "convolution-"+gpu+".tsv.gz"), false
	}
	rows, err := readMeasurements(table, entryConf(t, "convolution").Shown, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	took := map[string]tune.Measurement{}
	for _, row := range rows {
		took[strings.Join(row.At, " ")] = row
	}
	for _, point := range best {
		if row, ok := took[joined(point.Values)]; !ok && !sample || row.Failed != "" {
			t.Errorf("%s: %s did not run: %q", gpu, joined(point.Values), row.Failed)
		}
	}
}

// hardware are constants of the convolution that describe the device, each with a value at
// which another point becomes best.
var hardware = []struct {
	name  string
	value int64
	means string
}{
	{"sms", 128, "multiprocessors"},
	{"sm_memory", 51_200, "shared memory of a multiprocessor"},
	{"block_shared", 32_768, "shared memory that a block may have"},
	{"sm_threads", 768, "threads that a multiprocessor holds"},
	{"block_threads", 512, "threads that a block may have"},
	{"sm_registers", 32_768, "registers of a multiprocessor"},
	{"sm_blocks", 1, "blocks that a multiprocessor holds"},
	{"warp", 128, "threads that execute an instruction together"},
	{"multiply_add", 125, "time of a warp's multiply-adds"},
	{"shared_access", 1_000, "time to read shared memory"},
	{"global_access", 250, "time to read global memory through the cache"},
	{"read_only_percent", 25, "of it through the read-only cache"},
	{"copy_access", 20_000, "time to copy an element to shared memory"},
	{"byte_time", 98, "time of a byte between memory and a multiprocessor"},
	{"latency", 40, "warps that hide the latency of each other"},
	{"start_block", 4_000_000, "time to start a block"},
	{"barrier", 600_000, "time of a barrier"},
	{"thread_registers", 48, "registers of a thread"},
	{"output_registers", 4, "registers for each of its outputs"},
}

// thin leaves a tenth of the points of the convolution, for tests that search it often.
func thin(entry *tune.Entry) {
	sets := map[string][]int64{"block_size_x": {16, 32, 64, 128, 256}, "block_size_y": {1, 4, 16}, "tile_size_x": {1, 2, 4}, "tile_size_y": {1, 2, 4}}
	for i, c := range entry.Choices {
		if values := sets[c.Name]; values != nil {
			var terms []logic.Term
			for _, v := range values {
				terms = append(terms, entry.Bank.Int64(v))
			}
			entry.Choices[i].Set = entry.Bank.App(logic.SetExt, terms...)
		}
	}
}

// TestHardwareMovesOptimum writes the table of docs/evaluation/tuning.md: no constant of the device is
// there for nothing.
func TestHardwareMovesOptimum(t *testing.T) {
	conf := entryConf(t, "convolution")
	device := numbersOf(t, "convolution", "A6000")
	device["shared_access"] = 125
	entry := entryFor(t, "convolution", device)
	thin(entry)
	choice := func(changed string, value int64) string {
		entry := *entry
		entry.Given = slices.Clone(entry.Given)
		for i, g := range entry.Given {
			if g.Name == changed {
				entry.Given[i].Term = entry.Bank.Int64(value)
			}
		}
		answer, best := bestOf(t, &entry, conf.Theorem)
		return shape(answer.Names, best[0].Values)
	}
	var table strings.Builder
	before := choice("", 0)
	fmt.Fprintf(&table, "| constant | means | was | is | best |\n|---|---|---|---|---|\n| | | | | %s |\n", before)
	for _, h := range hardware {
		after := choice(h.name, h.value)
		if after == before {
			t.Errorf("%s = %d moves nothing", h.name, h.value)
		}
		fmt.Fprintf(&table, "| `%s` | %s | %d | %d | %s |\n", h.name, h.means, device[h.name], h.value, after)
	}
	const name, begin, end = "../../docs/evaluation/tuning.md", "<!-- hardware -->\n", "<!-- end -->"
	old, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, found := strings.Cut(string(old), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s lacks the marks", name)
	}
	text := head + begin + table.String() + end + tail
	switch {
	case text == string(old):
	case !*update:
		t.Errorf("the table in %s is not what tune says; run go test ./internal/cli -run HardwareMoves -update", name)
	default:
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// shape is a point of the convolution as people write it.
func shape(names []string, values []simulate.Constant) string {
	at := map[string]string{}
	for i, n := range names {
		at[n] = values[i].Text
	}
	out := fmt.Sprintf("%s × %s threads, %s × %s outputs each", at["block_size_x"], at["block_size_y"], at["tile_size_x"], at["tile_size_y"])
	switch {
	case at["use_shmem"] == "1" && at["use_padding"] == "1":
		return out + ", shared and padded"
	case at["use_shmem"] == "1":
		return out + ", shared"
	case at["read_only"] == "1":
		return out + ", read-only cache"
	}
	return out + ", global"
}
