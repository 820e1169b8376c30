package diag_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gradine/gradine/diag"
)

func TestSpan(t *testing.T) {
	for want, s := range map[string]diag.Span{
		"":      {},
		"a":     {File: "a", From: 3, To: 4},
		"a:2":   {File: "a", Line: 2},
		"a:2:5": {File: "a", Line: 2, Col: 5},
	} {
		if s.String() != want || s.IsZero() != (want == "") {
			t.Errorf("%+v: %q, no place: %t", s, s, s.IsZero())
		}
	}
}

func TestError(t *testing.T) {
	d := diag.Diagnostic{Code: "GR0001", Severity: diag.Warning, Span: diag.Span{File: "a", Line: 2, Col: 5}, Message: "odd"}
	if got, want := d.Error(), "a:2:5: warning: odd [GR0001]"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The order of diagnostics depends on what they say alone; what is said twice is
// listed once, and nothing else is lost.
func TestSorted(t *testing.T) {
	var all []diag.Diagnostic
	for _, file := range []string{"a", "b"} {
		for line := 1; line < 4; line++ {
			for _, s := range []diag.Severity{diag.Error, diag.Warning} {
				for _, code := range []string{"GR0001", "GR0002"} {
					all = append(all, diag.Diagnostic{Code: code, Severity: s, Span: diag.Span{File: file, Line: line, From: 10 * line}, Element: file + "/x", Message: s.String()})
				}
			}
		}
	}
	for seed := range 20 {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		mixed := slices.Concat(all, all[:r.IntN(len(all))])
		r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
		var first, second diag.List
		for i, d := range mixed {
			if i%2 == 0 {
				first.Add(d)
			} else {
				second.Add(d)
			}
		}
		first.Append(&second)
		if first.Len() != len(mixed) {
			t.Fatalf("%d diagnostics of %d", first.Len(), len(mixed))
		}
		sorted := first.Sorted()
		if len(sorted) != len(all) {
			t.Fatalf("seed %d: %d diagnostics, want %d", seed, len(sorted), len(all))
		}
		for i := range sorted {
			if sorted[i].Error() != all[i].Error() {
				t.Fatalf("seed %d: number %d is %v, want %v", seed, i, sorted[i], all[i])
			}
		}
	}
}

func TestHasErrors(t *testing.T) {
	var l diag.List
	if l.HasErrors() {
		t.Error("an empty list has errors")
	}
	l.Add(diag.Diagnostic{Severity: diag.Warning})
	if l.HasErrors() {
		t.Error("a warning is an error")
	}
	l.Add(diag.Diagnostic{})
	if !l.HasErrors() {
		t.Error("what has no severity is not an error")
	}
}
