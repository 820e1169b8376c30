package report

import (
	"io"
	"testing"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/gpu"
)

// TestKernelFingerprints: a finding that has only moved is the same.
func TestKernelFingerprints(t *testing.T) {
	key := func(line int, why string) string {
		r := gpu.Report{File: "a.cu", Kernel: "k", Verdict: gpu.Possible, Checks: []gpu.Finding{{Kind: "race-ww", Line: line, Verdict: verdict.Refuted, Why: why}}}
		return NewKernels(io.Discard, "text", ".", ".").findingsOf(r)[0].key
	}
	if a, b := key(4, "one thread writes a here, another writes it in line 4"), key(90, "one thread writes a here, another writes it in line 92"); a != b {
		t.Errorf("%q and %q", a, b)
	}
	if a, b := key(4, "one thread writes a here"), key(4, "one thread writes b here"); a == b {
		t.Errorf("different findings have the key %q", a)
	}
}
