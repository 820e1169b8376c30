// Package predictions holds predictions that were committed before anybody measured them: README.md says how to compare.
package predictions

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/tune/loop"
)

var (
	update  = flag.Bool("update", false, "write predictions.tsv")
	measure = flag.String("measure", "", "measure all kernels on the device of this computer, and compare with the predictions for this `device`")
)

// devices are those with predictions.
var devices = []string{"rtx-a6000", "a100-pcie-40gb", "h200-sxm", "radeon-pro-w6600"}

// prediction is a line of predictions.tsv.
type prediction struct {
	kernel, device string
	points         int
	best           []string // NAME=VALUE …
	time           string   // picoseconds
	certificate    string   // digest of the answer with the values of all points
}

func (p prediction) line() string {
	return strings.Join([]string{p.kernel, p.device, fmt.Sprint(p.points), strings.Join(p.best, " | "), p.time, p.certificate}, "\t")
}

const head = "kernel\tdevice\tpoints\tbest\tpicoseconds\tcertificate"

// kernels are the names of the sources.
func kernels(t *testing.T) (out []string) {
	t.Helper()
	files, err := filepath.Glob("*.cl")
	if err != nil || len(files) != 10 {
		t.Fatalf("%d kernels, %v", len(files), err)
	}
	for _, f := range files {
		out = append(out, strings.TrimSuffix(f, ".cl"))
	}
	return out
}

// program builds gradine.
func program(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "gradine")
	if text, err := exec.CommandContext(t.Context(), "go", "build", "-o", out, "../../cmd/gradine").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

// predict asks gradine; compiler is the clang that read the kernel.
func predict(t *testing.T, gradine, kernel, device string) (p prediction, compiler string) {
	t.Helper()
	text, err := exec.CommandContext(t.Context(), gradine, "tune", kernel+".cl", "--device", device, "--format", "jsonl").Output()
	if err != nil {
		t.Fatalf("%s on %s: %v", kernel, device, err)
	}
	var answer struct {
		Best        []json.RawMessage
		TEv         json.Number `json:"T_ev"`
		Points      int
		Certificate string
		Notes       []string
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	p = prediction{kernel: kernel, device: device, points: answer.Points, time: answer.TEv.String(), certificate: answer.Certificate}
	for _, b := range answer.Best {
		p.best = append(p.best, strings.NewReplacer("{", "", "}", "", "\"", "", ":", "=", ",", " ").Replace(string(b)))
	}
	_, compiler, _ = strings.Cut(answer.Notes[0], " by ")
	compiler, _, _ = strings.Cut(compiler, ":")
	return p, compiler
}

// committed are the lines of predictions.tsv, without the first two: the compiler and the names of columns.
func committed(t *testing.T) (compiler string, lines []string) {
	t.Helper()
	data, err := os.ReadFile("predictions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	lines = strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) != 2+10*len(devices) || lines[1] != head {
		t.Fatalf("predictions.tsv has %d lines, or other columns", len(lines))
	}
	return strings.TrimPrefix(lines[0], "# counted by "), lines[2:]
}

// TestPredictions: the committed predictions are those of today's program. The full form asks for two kernels, a sweep
// for all. A change of the model changes predictions: then -update writes them, before anybody measures.
func TestPredictions(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles kernels")
	}
	gradine := program(t)
	if text, err := exec.CommandContext(t.Context(), gradine, "tune", "scale.cl").CombinedOutput(); err != nil {
		t.Skipf("%s", bytes.TrimSpace(text))
	}
	names, some := kernels(t), *update || os.Getenv("GRADINE_SWEEP") != ""
	if !some {
		names = []string{"matmul", "scale"}
	}
	var lines []string
	compiler := ""
	for _, kernel := range names {
		for i, device := range devices {
			if !some && i > 0 {
				continue
			}
			var p prediction
			p, compiler = predict(t, gradine, kernel, device)
			lines = append(lines, p.line())
		}
	}
	if *update {
		text := "# counted by " + compiler + "\n" + head + "\n" + strings.Join(lines, "\n") + "\n"
		if err := os.WriteFile("predictions.tsv", []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	by, want := committed(t)
	if by != compiler {
		t.Skipf("the predictions rest on %s, and this is %s", by, compiler)
	}
	for _, line := range lines {
		if !slices.Contains(want, line) {
			t.Errorf("no longer predicted, or not committed; go test ./bench/predictions -update writes it:\n%s", line)
		}
	}
}

// TestMeasured measures every configuration of every kernel, and says what the committed predictions for a device cost.
func TestMeasured(t *testing.T) {
	if *measure == "" {
		t.Skip("-measure DEVICE measures the kernels on the device of this computer")
	}
	gradine := program(t)
	_, lines := committed(t)
	t.Log("| kernel | points | regret of the prediction | best measured |")
	for _, line := range lines {
		cells := strings.Split(line, "\t")
		if cells[1] != *measure {
			continue
		}
		kernel := cells[0]
		command := exec.CommandContext(t.Context(), gradine, "tune", kernel+".cl", "--run", "--run-points", "0", "--run-gain", "0", "--device", *measure)
		if text, err := command.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", kernel, err, text)
			continue
		}
		compare(t, kernel, strings.Split(cells[3], " | "))
	}
}

// compare says how much longer the predicted configurations take than the fastest.
func compare(t *testing.T, kernel string, best []string) {
	t.Helper()
	data, err := os.ReadFile(kernel + ".measured.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, setting := range strings.Fields(best[0]) {
		name, _, _ := strings.Cut(setting, "=")
		names = append(names, name)
	}
	rows, _, ok, err := loop.Measurements(kernel+".measured.tsv", data, names, nil)
	if err != nil || !ok {
		t.Fatalf("%s: %v", kernel, err)
	}
	least, predicted, where := math.Inf(1), math.Inf(1), ""
	for _, r := range rows {
		if r.Failed != "" {
			continue
		}
		var parts []string
		for i, name := range names {
			parts = append(parts, name+"="+r.At[i])
		}
		at := strings.Join(parts, " ")
		if r.Time < least {
			least, where = r.Time, at
		}
		if slices.Contains(best, at) {
			predicted = min(predicted, r.Time)
		}
	}
	t.Logf("| %s | %d | %.2f | %s, %.4g ms |", kernel, len(rows), predicted/least, where, least)
}
