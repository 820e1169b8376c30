package launch_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/launch"
)

// What a file says in its first lines is a launch and what is checked, or a flag that is not known.
func TestHeader(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"//--local_size=64 --num_groups=128\n", "local [64 1 1] groups [128 1 1]"},
		{"//pass\n//--blockDim=[8,8] --gridDim=4\n__global__ void k();", "local [8 8 1] groups [4 1 1]"},
		{"//--local_size=64 --global_size=256\n", "local [64 1 1] groups [4 1 1]"},
		{"//--local_size=64 --global_size=100\n", "local [64 1 1] groups [0 0 0] unknown a global size of 100 in groups of 64"},
		{"//--local_size=* --num_groups=2\n", "local [0 1 1] groups [2 1 1]"},
		{"//--check-array-bounds --only-intra-group --no-benign-tolerance\n", "bounds intra no-benign"},
		{"//--only-divergence --warp-sync=32\n", "divergence warps"},
		{"//--kernel-args=[foo,12,*]\n", "foo=12 *"},
		{"//--no-inline --loop-unwind=2\n", ""},
		{"//--assume-the-best\n", "unknown option --assume-the-best"},
		{"__kernel void k();\n//--local_size=64\n", ""},
		{"//--local_size=0\n", "unknown launch size \"0\""},
	} {
		o, unknown := launch.HeaderOptions([]byte(c.text))
		if err := o.Settle(); err != nil {
			unknown += err.Error()
		}
		if got := show(o, unknown); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func show(o launch.Options, unknown string) string {
	var out []string
	add := func(is bool, format string, args ...any) {
		if is {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	sized := o.Local != [3]int64{} || o.Groups != [3]int64{}
	add(sized, "local %v groups %v", o.Local, o.Groups)
	add(o.Bounds, "bounds")
	add(o.IntraGroup, "intra")
	add(o.OnlyDivergence, "divergence")
	add(o.WarpSync, "warps")
	add(o.NoBenign, "no-benign")
	for name, args := range o.Arguments {
		add(true, "%s=%s", name, strings.Join(args, " "))
	}
	add(unknown != "", "unknown %s", unknown)
	return strings.Join(out, " ")
}

// Sizes are those of the flags, or those of the file, not some of each: they belong together. A launch
// with groups of another size than the kernel is compiled for fails.
func TestPrecedence(t *testing.T) {
	flags := launch.Options{Local: [3]int64{32, 0, 0}}
	file := launch.Options{Local: [3]int64{64, 1, 1}, Groups: [3]int64{2, 1, 1}}
	if got := flags.With(file); got.Local[0] != 32 || got.Groups[0] != 0 {
		t.Error(got.Local, got.Groups)
	}
	for _, c := range []struct {
		options launch.Options
		group   [3]int64
		want    string
	}{
		{launch.Options{}, [3]int64{64, 1, 1}, "[64 1 1]"},
		{flags, [3]int64{32, 1, 1}, "[32 1 1]"},
		{flags, [3]int64{64, 1, 1}, "groups of 32, which the kernel does not allow: its reqd_work_group_size is 64"},
		{flags, [3]int64{}, "[32 0 0]"},
	} {
		o, err := c.options.Of("k", launch.Options{}, c.group)
		got := fmt.Sprint(o.Local)
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v for groups of %v: %s, want %s", c.options.Local, c.group, got, c.want)
		}
	}
}

// A verdict names the checks that were switched off.
func TestSkipped(t *testing.T) {
	o := launch.Options{IntraGroup: true, OnlyDivergence: true, NoAssumptions: true}
	if got := strings.Join(o.Skipped(), "; "); got != "races between groups are not checked; races are not checked" {
		t.Error(got)
	}
	if got := (&launch.Options{}).Skipped(); len(got) > 0 {
		t.Error(got)
	}
	if err := o.Check("bounds", "everything"); err == nil || err.Error() != `check "everything"; use bounds or overflow` {
		t.Error(err)
	}
}
