package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
)

// TestKernelToTime goes from the source of a kernel to the size of its work-groups: what
// --counts reads off the kernels of the papers is put into the timing of the GPU
// development, and tuned.
func TestKernelToTime(t *testing.T) {
	counts := func(name string) gpu.Advice {
		var out, problems bytes.Buffer
		if code := Main([]string{"kernel", "--counts", "--format", "jsonl", filepath.Join(root, "kernels", name)}, strings.NewReader(""), &out, &problems); code != 0 {
			t.Fatalf("%s: exit code %d: %s%s", name, code, out.String(), problems.String())
		}
		var a gpu.Advice
		if err := json.Unmarshal(out.Bytes(), &a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	// An interval costs what the thread that accesses most takes; a local access takes 1.
	cost := func(a gpu.Advice) string {
		var of []string
		for _, i := range a.Intervals {
			of = append(of, fmt.Sprintf("GMT ∗ (%s) + (%s)", i.Global.Most, i.Local.Most))
		}
		return "{max({" + strings.Join(of, ", ") + "})}"
	}
	const entry = `
[tune.%[1]s]
project = "gpu"
machine = "timing"
parameters = { WG = "threads", blocks = "blocks" }
objective = "T_ev"
final = "finished = launches"
instances = [{ size = 8, SM = 2, PE = 1, GMT = 4 }]
[tune.%[1]s.search]
launches = "{1}"
slots = "{SM}"
threads = "{2, 4}"
blocks = "%[2]s"
steps = "{%[3]s}"
ports = "{PE}"
min_cost = "%[4]s"
max_cost = "%[4]s"
max_sync = "{0}"
`
	tiled, minimum := counts("tiled.cl"), counts("minimum.cl")
	dir := t.TempDir()
	text := "[project.gpu]\nsources = [\"contexts\", \"machines\"]\n[machine.timing]\nthreads = [\"0‥slots−1\"]\nenvironment = [\"rest\"]\n"
	// All elements are read: a tile has as many as a group, a thread looks at TS of them.
	inTiles := strings.NewReplacer("tiles", "(size ÷ threads)")
	text += fmt.Sprintf(entry, "tiled", "{size ÷ threads}", inTiles.Replace(tiled.Steps), inTiles.Replace(cost(tiled)))
	inParts := strings.NewReplacer("TS", "(size ÷ (blocks ∗ threads))")
	text += fmt.Sprintf(entry, "minimum", "{b· b ∈ 1‥size ∧ size mod (b ∗ threads) = 0 ∣ b}", minimum.Steps, inParts.Replace(cost(minimum)))
	must(os.WriteFile(filepath.Join(dir, "gradine.toml"), []byte(text), 0o666))
	for _, kind := range []string{"contexts", "machines"} {
		must(os.CopyFS(filepath.Join(dir, kind), os.DirFS(filepath.Join(root, kind, "gpu"))))
	}
	for name, want := range map[string]string{"tiled": "steps 2 ∗ tiles + 1", "minimum": "steps 2"} {
		if got := map[string]gpu.Advice{"tiled": tiled, "minimum": minimum}[name].Text; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		var out, problems bytes.Buffer
		code := Main([]string{"-C", dir, "tune", "--by", "exhaustive", name}, strings.NewReader(""), &out, &problems)
		if code != 0 || !strings.Contains(out.String(), "no point is better") {
			t.Errorf("%s: exit code %d: %s%s", name, code, out.String(), problems.String())
		}
		t.Logf("%s", out.String())
	}
}
