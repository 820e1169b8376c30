package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A scenario that is written step by step is the one that is laid out as a whole, however often its lines repeat, and what
// cannot be read again is refused.
func TestRecordedLineByLine(t *testing.T) {
	w := recorded{most: 100}
	whole := "scenario log of m\nwith n=3\nwith S = {a,b}\n"
	w.head.WriteString(whole)
	for i := range 500 {
		line := fmt.Sprintf("step(p=%d∧q = a )  then x=%d ∧ y = {1,2}", i%1000, i)
		switch {
		case i == 0:
			line = "INITIALISATION then x = 0"
		case i%7 == 0:
			line = "`odd name`"
		}
		whole += line + "\n"
		if err := w.step(line); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(t.TempDir(), "log.scenario")
	if err := w.write(name); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want, err := laidOut([]byte(whole + "end\n"))
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("the scenario differs from the one that is laid out as a whole (%v): %.200s", err, got)
	}
	if len(w.known) > w.most {
		t.Errorf("%d lines are remembered", len(w.known))
	}
	for _, wrong := range []string{"step(", "a then", "check x ="} {
		if err := w.step(wrong); err == nil {
			t.Errorf("%q is a step", wrong)
		}
	}
}
