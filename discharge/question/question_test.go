package question_test

import (
	"io"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/gradine/gradine/discharge/question"
)

func batches(t *testing.T, in io.Reader) (out []question.Batch) {
	t.Helper()
	f, err := question.Open("-", in)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return slices.Collect(f.Batches())
}

// TestSequentsShare reads two sequents of one component: what both say is in memory once.
func TestSequentsShare(t *testing.T) {
	line := `{"types": {"x": "ℤ"}, "hyps": ["x∈ℕ", "x<7"], "goal": "x<8"}` + "\n"
	list := batches(t, strings.NewReader(line+line))
	if len(list) != 1 || list[0].Err != nil || len(list[0].Sequents) != 2 {
		t.Fatal(list)
	}
	first, second := &list[0].Questions[0], &list[0].Questions[1]
	for i, hyp := range first.All() {
		if unsafe.StringData(hyp) != unsafe.StringData(second.All()[i]) {
			t.Errorf("hypothesis %s is there twice", hyp)
		}
	}
	if unsafe.StringData(first.Types["x"]) != unsafe.StringData(second.Types["x"]) {
		t.Error("the type is there twice")
	}
	sequents := list[0].Sequents
	if sequents[0].Bank != sequents[1].Bank || !slices.Equal(sequents[0].Hyps, sequents[1].Hyps) {
		t.Error("the terms are there twice")
	}
}

// TestBatches reads more than one batch, up to what is broken: all sequents before it, in their order, and
// which one it is.
func TestBatches(t *testing.T) {
	long := strings.Repeat(" ", 200_000)
	line := func(id string) string { return `{"id":` + id + `,"types":{},"hyps":[],"goal":"1<2"` + long + "}\n" }
	all := line("1") + line("2") + line("3") + line("4") + line("5") + line("6") + line("7")
	for _, c := range []struct{ rest, err string }{
		{"", ""},
		{`{"goal":"1<2"}`, `sequent 8: it lacks "hyps"; write [] if there are none`},
		{`{"hyps":[],"goal":"1<"}`, "sequent 8: goal: "},
		{`{"hyps"`, "sequent 8: unexpected EOF"},
		{"x", "sequent 8: invalid character 'x' looking for beginning of value"},
	} {
		list := batches(t, strings.NewReader(all+c.rest))
		if len(list) < 2 {
			t.Fatalf("%d batches", len(list))
		}
		var ids string
		for _, b := range list {
			for _, q := range b.Questions {
				ids += q.Path().(interface{ String() string }).String()
			}
		}
		got := ""
		if err := list[len(list)-1].Err; err != nil {
			got = err.Error()
		}
		if ids != "1234567" || !strings.HasPrefix(got, c.err) || (c.err == "") != (got == "") {
			t.Errorf("%s: %s, %s", c.rest, ids, got)
		}
	}
}
