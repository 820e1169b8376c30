package gpu_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
)

// proved are the kernels of testdata/idioms that are safe; those that take long are proved with IDIOMS=all alone.
var proved = map[string]struct{ long bool }{
	"any_of_group.cl": {true}, "broadcast.cu": {}, "constant_branch.cl": {}, "constant_loop.cu": {}, "global_bound.cl": {}, "work_dim.cl": {},
	"bitonic_step.cl": {}, "blocked_rows.cl": {true}, "bound_block.cu": {true}, "double_buffer.cu": {}, "pointer_swap.cu": {}, "toggle_apart.cu": {}, "double_buffer_swap.cl": {}, "doubling.cl": {true}, "grid_stride.cu": {true}, "grid_stride_plane.cl": {true},
	"fft_steps.cl": {true}, "scan_tree.cu": {true}, "histogram.cl": {}, "histogram_private.cu": {}, "matmul.cu": {true}, "matmul_edges.cl": {true}, "nchw_nested.cl": {true}, "odd_even.cl": {true},
	"odd_step.cl": {}, "reduce.cl": {}, "reduce_wide.cu": {}, "row_fill.cl": {}, "row_loop.cl": {}, "scan.cl": {}, "softmax.cu": {true},
	"layer_norm.cu": {true}, "transpose.cu": {true}, "transpose_square.cl": {true}, "triangular.cl": {}, "stencil.cl": {}, "unique_slots.cl": {}, "unique_slots.cu": {}, "vector_add.cl": {}, "vector_add_plane.cu": {true}, "vector_add_size.cl": {}, "volume.cu": {true}, "warp_reduce.cu": {}, "warp_shared.cu": {}, "warp_tail.cu": {true},
}

// TestIdioms: kernels as people write them. Where «a¦b¦c» stands in one, a is right, and with any one of the others it has a
// fault: such a twin is never safe. To search in vain for a proof costs most, so that one twin of every other kernel is judged, the next
// one of each in turn. IDIOMS=all takes all twins, and those that are not proved or take long, too, IDIOMS=NAME those whose name has that in it.
func TestIdioms(t *testing.T) {
	only := os.Getenv("IDIOMS")
	files, err := filepath.Glob("testdata/idioms/*")
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	for at, file := range files {
		name := filepath.Base(file)
		p, safe := proved[name]
		if only == "" && (!safe || p.long || testing.Short() && name > "h") || only != "all" && !strings.Contains(name, only) {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		verdict := func(src string) gpu.Verdict {
			v, why := worst(gpu.File(context.Background(), name, []byte(src), gpu.Options{}))
			t.Logf("%s: %s %.200s", name, v, why)
			return v
		}
		right, twins := twinsOf(string(text))
		if len(twins) < 2 {
			t.Errorf("%s has %d twins", name, len(twins))
		}
		if v := verdict(right); safe && v != gpu.Safe || v == gpu.Unsafe {
			t.Errorf("%s is %s", name, v)
		}
		for i, twin := range twins {
			if only == "" && (at%2 != 0 || i != at/2%len(twins)) {
				continue
			}
			if v := verdict(twin); v == gpu.Safe || v == gpu.Unsupported {
				t.Errorf("%s: twin %d is %s:\n%s", name, i+1, v, twin)
			}
		}
	}
}

// twinsOf is a text with the first of each choice, and with one other at one place.
func twinsOf(text string) (right string, twins []string) {
	var parts [][]string // of which every other one is a choice
	for i, s := range strings.FieldsFunc(text, func(r rune) bool { return r == '«' || r == '»' }) {
		if i%2 == 0 {
			parts = append(parts, []string{s})
			continue
		}
		parts = append(parts, strings.Split(s, "¦"))
	}
	with := func(at, choice int) string {
		var out strings.Builder
		for i, p := range parts {
			if i == at {
				out.WriteString(p[choice])
			} else {
				out.WriteString(p[0])
			}
		}
		return out.String()
	}
	for i, p := range parts {
		for c := range p[1:] {
			twins = append(twins, with(i, c+1))
		}
	}
	return with(0, 0), slices.Clip(twins)
}
