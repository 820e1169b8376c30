package encode_test

import (
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/lang"
)

// TestPlaces: what is read of a kernel stands in its file, on the lines of the C; a
// character before the place that takes several bytes is one column.
func TestPlaces(t *testing.T) {
	src := "//--local_size=8 --num_groups=1\n" +
		"__kernel void k(__local int *a) {\n" +
		"    a[get_local_id(0)] = 1;\n" +
		"    /* é */ barrier(CLK_LOCAL_MEM_FENCE);\n" +
		"}\n"
	ks, p := encode.Read("k.cl", []byte(src), encode.Options{})
	if p != nil {
		t.Fatal(p)
	}
	s, p := ks[0].Search(encode.Group)
	if p != nil {
		t.Fatal(p)
	}
	file := s.Pair().Tree([]byte(src))
	if !file.Complete || file.Path != "k.cl" {
		t.Fatalf("%+v", file)
	}
	found := map[string]string{} // the word at the place of a check, by what its comment says first
	check := func(p *lang.Predicate) {
		s := p.Label.Span
		if s.File != "k.cl" || s.Line < 2 || s.Line > 5 || s.To > len(src) {
			t.Errorf("%s stands at %v", p.Label.Text, s)
			return
		}
		if p.Doc != "" {
			found[strings.SplitN(p.Doc, ": ", 2)[0]] = s.String() + " " + src[s.From:s.To]
		}
	}
	for _, c := range file.Components {
		for _, p := range c.Invariants {
			check(p)
		}
		for _, e := range c.Events {
			if e.Path == (e.Label.Text == lang.Initialisation) {
				t.Errorf("event %s: a path: %t", e.Label.Text, e.Path)
			}
			for _, p := range e.Guards {
				check(p)
			}
		}
	}
	for kind, want := range map[string]string{"race-ww": "k.cl:3:5 a", "divergence": "k.cl:4:13 barrier"} {
		if found[kind] != want {
			t.Errorf("%s is at %q, want %q", kind, found[kind], want)
		}
	}
}
