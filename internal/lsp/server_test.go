package lsp

import (
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/internal/scaffold"
)

// counter is a small development with a refinement: the one that gradine init writes.
var counter = func() string {
	files := scaffold.Files{}
	files.Starter()
	return string(files["models/counter.eventb"])
}()

func TestVerdictsFollowTheText(t *testing.T) {
	c := begin(t, map[string]string{"counter.eventb": counter}, Options{})
	c.open("counter.eventb")
	c.settled("counter.eventb")
	if m := c.messages("counter.eventb"); len(m) > 0 {
		t.Errorf("of a text that verifies: %q", m)
	}
	want := []string{
		"@type n ∈ ℕ ← 3/3", "event INITIALISATION ← 1/1", "event up ← 1/1", "event down ← 1/1",
		"@limit n ≤ most ← 3/3", "event INITIALISATION extends INITIALISATION ← 1/1", "event up extends up ← 1/1", "event down extends down ← 1/1",
	}
	if got := c.hints("counter.eventb"); !slices.Equal(got, want) {
		t.Errorf("hints\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}

	c.replace("counter.eventb", "@positive n > 0", "@positive n ≥ 0")
	c.settled("counter.eventb")
	if m := c.messages("counter.eventb"); len(m) != 1 || m[0] != "event down ← down/type/INV is refuted: n − 1 ∈ ℕ is false" {
		t.Errorf("of a guard that is too weak: %q", m)
	}
	d := c.shown["counter.eventb"].Diagnostics[0]
	if d.Severity != protocol.SeverityError || len(d.Related) != 3 || d.Related[0].Message != "before: n = 0" || d.Related[1].Message != "after: n = −1" || d.Related[2].Message != "invariant type" {
		t.Errorf("the counterexample: %+v", d)
	}
	if got := c.hints("counter.eventb"); !slices.Contains(got, "event down ← 0/1 · 1 refuted") || !slices.Contains(got, "@type n ∈ ℕ ← 2/3 · 1 refuted") {
		t.Errorf("hints of a guard that is too weak: %q", got)
	}

	// A mistake: what it touches is never shown as proved.
	c.replace("counter.eventb", "@positive n ≥ 0", "@positive n ≥ m")
	c.settled("counter.eventb")
	if m := c.messages("counter.eventb"); len(m) == 0 || !strings.Contains(m[0], "m") {
		t.Errorf("of an unknown name: %q", m)
	}
	for _, h := range c.hints("counter.eventb") {
		if !strings.Contains(h, "inaccurate") && !strings.Contains(h, "most ∈ ℕ1") {
			t.Errorf("shown of a machine with an error: %s", h)
		}
	}

	c.replace("counter.eventb", "@positive n ≥ m", "@positive n > 0")
	c.settled("counter.eventb")
	if m := c.messages("counter.eventb"); len(m) > 0 {
		t.Errorf("once all is well again: %q", m)
	}
}
