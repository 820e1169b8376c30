package diag

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"invariants", "variables", "event", "events", "end", "inc", "dec", "capacity"}
	for word, want := range map[string]string{
		"invarients": "invariants", "evnt": "event", "envets": "events", "edn": "end", "ivnariants": "invariants", "Capacity": "capacity",
		"cap": "", "in": "", "inx": "inc", "x": "", "": "", "end": "inc", "machine": "",
	} {
		if word == "end" {
			want = "" // itself is not a hint
		}
		if got := Nearest(word, known); got != want {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}
