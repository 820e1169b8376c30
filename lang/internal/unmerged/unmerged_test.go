package unmerged

import (
	"strings"
	"testing"
)

// TestOurs shows what is left of texts with conflicts: · stands for a blank of what is not ours.
func TestOurs(t *testing.T) {
	for _, c := range []struct {
		text, want string
		at         int
	}{
		{"a\nb\n", "a\nb\n", -1},
		{"a\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\nb\n", "a\n············\nours\n·······\n······\n·············\nb\n", 2},
		{"<<<<<<< HEAD\r\nours\r\n=======\r\n>>>>>>> topic\r\n", "············\r\nours\r\n·······\r\n·············\r\n", 0},
		{"<<<<<<< HEAD\nours\n||||||| base\nold\n=======\ntheirs\n>>>>>>> t\n", "············\nours\n············\n···\n·······\n······\n·········\n", 0},
		{"<<<<<<< a\n1\n=======\n2\n>>>>>>> b\nx\n<<<<<<< a\n3\n=======\n4\n>>>>>>> b\n", "·········\n1\n·······\n·\n·········\nx\n·········\n3\n·······\n·\n·········\n", 0},
		// What Git does not write is no conflict.
		{"<<<<<<< HEAD\nours\n", "<<<<<<< HEAD\nours\n", -1},
		{"<<<<<<< HEAD\nours\n>>>>>>> b\n", "<<<<<<< HEAD\nours\n>>>>>>> b\n", -1},
		{"<<<<<<<HEAD\nours\n=======\n>>>>>>> b\n", "<<<<<<<HEAD\nours\n=======\n>>>>>>> b\n", -1},
		{"=======\ntitle\n>>>>>>> <<<<<<<\n", "=======\ntitle\n>>>>>>> <<<<<<<\n", -1},
	} {
		got, at := Ours(c.text)
		if want := strings.ReplaceAll(c.want, "·", " "); got != want || at != c.at {
			t.Errorf("%q\n%q at %d, want\n%q at %d", c.text, got, at, want, c.at)
		}
		if len(got) != len(c.text) {
			t.Errorf("%q: places move: %d bytes, %d before", c.text, len(got), len(c.text))
		}
	}
}
