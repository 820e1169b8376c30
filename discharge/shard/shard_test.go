package shard

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/logic/text"
)

func items(n int, seed uint64) []Item {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]Item, n)
	for i := range out {
		// Steps as they are: a few searches take most of them.
		out[i] = Item{text.Fingerprint(sha256.Sum256(fmt.Append(nil, i*9/10))), r.IntN(10) > 0, int64(372 / (1 - r.Float64()))}
	}
	return out
}

// TestAssign: every item has one shard, equal ones the same, whatever their order; the
// shards have nearly equal steps where these are known.
func TestAssign(t *testing.T) {
	for n := 1; n <= 16; n++ {
		list := items(1000, uint64(n))
		got := Assign(list, n)
		by := map[text.Fingerprint]int{}
		load := make([]int64, n+1)
		for i, k := range got {
			if k < 1 || k > n || by[list[i].Fingerprint] != 0 && by[list[i].Fingerprint] != k {
				t.Fatalf("item %d is in shard %d, another one like it in %d", i, k, by[list[i].Fingerprint])
			}
			by[list[i].Fingerprint] = k
			if list[i].Known {
				load[k] += list[i].Steps
			}
		}
		// No shard has more than its share and one search.
		var sum, longest int64
		counted := map[text.Fingerprint]bool{}
		for _, x := range list {
			if x.Known {
				sum, longest = sum+x.Steps, max(longest, x.Steps)
				counted[x.Fingerprint] = true
			}
		}
		if most := slices.Max(load[1:]); most > sum/int64(n)+2*longest+overhead*int64(len(counted)) {
			t.Errorf("%d shards: %d steps in one, of %d; the longest search takes %d", n, most, sum, longest)
		}
		turned := slices.Clone(list)
		slices.Reverse(turned)
		for i, k := range Assign(turned, n) {
			if k != by[turned[i].Fingerprint] {
				t.Fatalf("%d shards: another order, another split", n)
			}
		}
	}
}

func TestParsePart(t *testing.T) {
	if p, err := ParsePart("3/8"); err != nil || p != (Part{3, 8}) {
		t.Errorf("%v, %v", p, err)
	}
	for _, s := range []string{"", "3", "0/8", "9/8", "-1/8", "1/0", "a/b", "1/8/2", "1/99999999999999999999", "1/10001"} {
		if p, err := ParsePart(s); err == nil {
			t.Errorf("%q is %v", s, p)
		}
	}
}

// TestHostileFiles: what is no shard is named, costs little memory, and stops nothing.
func TestHostileFiles(t *testing.T) {
	want := Header{Search: "s", Part: 1, Of: 1, Work: "w"}
	w := NewWriter(Header{Search: "s", Part: 1, Of: 1, Work: "w"})
	w.Put(&answer.Answer{Question: answer.Digest{1}, Verdict: "open"})
	good, err := w.Encode(true)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ text, note string }{
		"empty":         {"", "the file is empty"},
		"no line":       {strings.Repeat("x", 100), "the file is empty"},
		"other":         {"{}\n", "not a shard"},
		"number":        {`{"gradine":"shard 1","search":"s","shard":2,"of":1,"work":"w"}` + "\n", "not a shard"},
		"many":          {`{"gradine":"shard 1","search":"s","shard":2,"of":1000000000,"work":"w"}` + "\n", "not a shard"},
		"unknown key":   {`{"gradine":"shard 1","search":"s","shard":1,"of":1,"work":"w","path":"../../x"}` + "\n", "not a shard"},
		"a long line":   {string(good[:strings.Index(string(good), "\n")+1]) + strings.Repeat("[", answer.MaxLine+2) + "\n", "a line of more than"},
		"nested":        {string(good[:strings.Index(string(good), "\n")+1]) + strings.Repeat("[", 1<<20) + "\n", "truncated"},
		"no footer":     {string(good[:strings.LastIndex(string(good), "{")]), "truncated after 1 answers"},
		"two footers":   {string(good) + string(good[strings.LastIndex(string(good), "{"):]), "changed since it was written"},
		"interrupted":   {strings.Replace(string(good), `"complete":true`, `"complete":false`, 1), "was interrupted"},
		"binary":        {"\x00\xff\n\x00", "not a shard"},
		"another count": {strings.Replace(string(good), `"answers":1`, `"answers":7`, 1), "changed since it was written"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "a"+Ext), []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Read(dir, want)
		if err != nil || !strings.Contains(strings.Join(s.Notes(), "\n"), test.note) {
			t.Errorf("%s: %v, %q", name, err, s.Notes())
		}
	}
	dir := t.TempDir()
	if s, err := Read(dir, want); err != nil || !strings.Contains(strings.Join(s.Notes(), ""), "no shards; everything is searched here") {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := Read(filepath.Join(dir, "missing"), want); err == nil {
		t.Error("no folder, and no error")
	}
	if err := os.Mkdir(filepath.Join(dir, "artefact"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "artefact", "a"+Ext), good, 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := Read(dir, want); err != nil || len(s.Notes()) != 0 || len(s.Answers(answer.Question{Digest: answer.Digest{1}})) != 1 {
		t.Errorf("%v, %v", err, s.Notes())
	}
}
