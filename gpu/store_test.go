package gpu_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/encode"
)

// TestStore changes the macros of a file one after the other while a store remembers what
// was proved before: each text has the verdict, the checks and the machine that it has
// without a store, also when it comes back.
func TestStore(t *testing.T) {
	const text = `//--local_size=8 --num_groups=2
#define STEP 1
#define SIZE 8
#define SYNC barrier(CLK_LOCAL_MEM_FENCE)
#define AT(x) (x)
__kernel void k(__global int *out, __local int *a) {
    int t = get_local_id(0);
    a[AT(t)] = t;
    SYNC;
    out[get_global_id(0)] = a[(t + STEP) % SIZE];
}
`
	edits := []struct {
		from, to string
		verdict  gpu.Verdict
	}{
		{"", "", gpu.Safe},
		{"SYNC barrier(CLK_LOCAL_MEM_FENCE)", "SYNC", gpu.Unsafe},
		{"SYNC barrier(CLK_LOCAL_MEM_FENCE)", "SYNC barrier(CLK_GLOBAL_MEM_FENCE)", gpu.Unsafe},
		{"AT(x) (x)", "AT(x) ((x) / 2)", gpu.Unsafe},
		{"AT(x) (x)", "AT(x) ((x) * 2)", gpu.Safe},
		{"STEP 1", "STEP 3", gpu.Safe},
		{"", "", gpu.Safe},
	}
	dir := t.TempDir()
	store := proofstore.OpenStore(dir)
	for _, e := range edits {
		src := []byte(strings.Replace(text, e.from, e.to, 1))
		judged := func(store *proofstore.Store) string {
			opts := gpu.Options{Discharge: discharge.Options{Store: store}}
			reports := gpu.File(context.Background(), "k.cl", src, opts)
			if reports[0].Verdict != e.verdict {
				t.Errorf("%s: %s, want %s: %s", e.to, reports[0].Verdict, e.verdict, reports[0].Why)
			}
			models, refused, err := gpu.Machines(context.Background(), "k.cl", src, opts)
			if err != nil || len(refused) > 0 {
				t.Fatal(e.to, refused, err)
			}
			return said(t, reports) + machines(models)
		}
		want := judged(nil)
		for range 2 { // with what the texts before have left, and with its own
			if got := judged(store); got != want {
				t.Errorf("%s: with a store\n%s\nwithout\n%s", e.to, got, want)
			}
		}
	}
	if kept, err := filepath.Glob(filepath.Join(dir, "*", "*")); err != nil || len(kept) == 0 {
		t.Error("the store is empty, so that nothing was tried: ", err)
	}
}

func said(t *testing.T, reports []gpu.Report) string {
	t.Helper()
	out, err := json.MarshalIndent(reports, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func machines(models []*encode.Model) string {
	var out strings.Builder
	for _, m := range models {
		fmt.Fprintln(&out, m.Text())
	}
	return out.String()
}
