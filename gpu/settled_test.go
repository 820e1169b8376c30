package gpu

import (
	"strings"
	"testing"
)

// TestSettled: which answer about a kernel stands, of the reader of C and of that of modules.
func TestSettled(t *testing.T) {
	r := func(v Verdict, reader string) Report { return Report{Kernel: "k", Verdict: v, Reader: reader} }
	for _, x := range []struct {
		c, l   Verdict
		chosen Reader
		want   Verdict
		reader string // of the answer that stands
		fault  bool
	}{
		{Safe, Safe, EitherReader, Safe, "", false},
		{Unsupported, Safe, EitherReader, Safe, "llvm", false},
		{Unsupported, Unsafe, EitherReader, Unsafe, "llvm", false},
		{Unsupported, Unsupported, EitherReader, Unsupported, "llvm", false}, // with the reason of clang
		{Safe, Unsupported, EitherReader, Safe, "", false},
		{Safe, Possible, EitherReader, Safe, "", false},
		{Possible, Safe, EitherReader, Possible, "", false}, // as on machines without clang
		{Open, Unsafe, EitherReader, Open, "", false},
		{Safe, Unsafe, EitherReader, Open, "", true},
		{Unsafe, Safe, EitherReader, Open, "", true},
		{Safe, Unsafe, CReader, Safe, "", false},
		{Safe, Unsafe, LLVMReader, Unsafe, "llvm", false},
		{Safe, Unsupported, LLVMReader, Unsupported, "llvm", false},
	} {
		got := settled(r(x.c, ""), []Report{r(x.l, "llvm")}, x.chosen)
		if len(got) != 1 || got[0].Verdict != x.want || got[0].Reader != x.reader || got[0].Fault != "" != x.fault {
			t.Errorf("%+v: %+v", x, got)
		}
		differs := x.chosen == EitherReader && x.c != x.l && x.c != Unsupported && !x.fault
		if (got[0].Other != "") != differs {
			t.Errorf("%+v: other answer %q", x, got[0].Other)
		}
		if x.fault && !strings.Contains(got[0].Fault, "the readers disagree") {
			t.Errorf("%+v: %s", x, got[0].Fault)
		}
	}
	// One instance of several that fails is enough.
	got := settled(r(Safe, ""), []Report{r(Safe, "llvm"), r(Unsafe, "llvm")}, EitherReader)
	if got[0].Fault == "" {
		t.Errorf("%+v", got)
	}
	if got := settled(r(Safe, ""), nil, LLVMReader); got[0].Verdict != Unsupported {
		t.Errorf("without a module: %+v", got)
	}
}
