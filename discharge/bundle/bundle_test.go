package bundle_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/bundle"
)

func answers(n int) (out []*answer.Answer) {
	for i := range n {
		a := &answer.Answer{Verdict: "proved", Steps: int64(i), Certificate: []byte(strings.Repeat("step ", i))}
		a.Question[0] = byte(i)
		out = append(out, a)
	}
	return out
}

// What is packed is unpacked: the same answers in the same order, of the same bytes each time.
func TestRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 300} {
		packed, err := bundle.Encode("search-1", answers(n))
		if err != nil {
			t.Fatal(err)
		}
		again, _ := bundle.Encode("search-1", answers(n))
		if !bytes.Equal(packed, again) {
			t.Error("two bundles of the same answers differ")
		}
		got, err := bundle.Decode("search-1", packed)
		if err != nil || len(got) != n {
			t.Fatalf("%d of %d answers: %v", len(got), n, err)
		}
		for i, a := range answers(n) {
			want, _ := a.Encode()
			if line, _ := got[i].Encode(); !bytes.Equal(line, want) {
				t.Errorf("answer %d: %s, want %s", i, line, want)
			}
		}
		if _, err := bundle.Decode("search-2", packed); !errors.Is(err, bundle.ErrVersion) {
			t.Error("a bundle of another version:", err)
		}
	}
}

// Of a damaged bundle as much is read as is whole, and the damage is said; nothing is made up.
func TestDamage(t *testing.T) {
	whole := answers(300)
	packed, err := bundle.Encode("search-1", whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "not a bundle of this version of gradine"},
		{"text", []byte("PK\x03\x04"), "not a bundle of this version of gradine"},
		{"nothing behind the first line", []byte("gradine bundle 1\n"), "an empty bundle"},
	} {
		if _, err := bundle.Decode("search-1", c.data); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	for cut := 17; cut < len(packed); cut += 1 + len(packed)/40 {
		for _, data := range [][]byte{packed[:cut], flipped(packed, cut)} {
			got, err := bundle.Decode("search-1", data)
			if err == nil && len(data) < len(packed) {
				t.Errorf("a bundle cut at %d is whole", cut)
			}
			for i, a := range got {
				if fmt.Sprint(*a) != fmt.Sprint(*whole[i]) && err == nil {
					t.Errorf("flipped at %d, answer %d: %v", cut, i, a)
				}
			}
		}
	}
}

func flipped(data []byte, at int) []byte {
	out := bytes.Clone(data)
	out[at] ^= 0x10
	return out
}
