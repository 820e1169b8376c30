package project

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gradine/gradine/gpu/runner"
	"github.com/gradine/gradine/internal/config"
)

// TestDigest: measurements of another kernel of the same file are not these, and neither are those whose results
// were compared with another reference.
func TestDigest(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "k.cl")
	if err := os.WriteFile(source, []byte("__kernel void a() {}"), 0o600); err != nil {
		t.Fatal(err)
	}
	digest := func(change func(*Rig)) string {
		t.Helper()
		rig := &Rig{table: &config.SizedTable{KernelTable: &config.KernelTable{}}, Names: []string{"x", "y"}, Reference: []string{"1", "2"}, launch: runner.Launch{Kernel: "a"}}
		change(rig)
		if err := rig.identify(KernelSource{File: source}); err != nil {
			t.Fatal(err)
		}
		return rig.Digest()
	}
	same := digest(func(*Rig) {})
	for what, change := range map[string]func(*Rig){
		"kernel":    func(r *Rig) { r.launch.Kernel = "b" },
		"reference": func(r *Rig) { r.Reference = []string{"2", "1"} },
		"data":      func(r *Rig) { r.table.Arguments = map[string]int64{"n": 1} },
		"device":    func(r *Rig) { r.Device.Driver = "2" },
	} {
		if digest(change) == same {
			t.Errorf("another %s has the same digest", what)
		}
	}
	if again := digest(func(r *Rig) {
		r.table.Parameters = map[string][]int64{"x": {1, 2, 3}}
		r.table.Restrictions = []string{"x > 1"}
	}); again != same {
		t.Error("more values of a parameter are another digest")
	}
}
