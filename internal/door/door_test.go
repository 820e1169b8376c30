package door

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// endless is a text that does not end.
type endless struct{ text byte }

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.text
	}
	return len(p), nil
}

func tooLarge(err error) bool {
	_, ok := errors.AsType[*TooLarge](err)
	return ok
}

func TestLimits(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(name, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	if data, err := File(name); string(data) != "text" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if data, err := All("x", strings.NewReader("text"), 4); string(data) != "text" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := All("x", endless{'a'}, 1000); !tooLarge(err) {
		t.Error(err)
	}
	// A value of the limit is read, as often as there are some, and a larger one is not.
	in := Limited(strings.NewReader(strings.Repeat(`"`+strings.Repeat("a", 700)+`"`, 20)+`"`+strings.Repeat("a", 100_000)+`"`), 5_000)
	dec := json.NewDecoder(in)
	n := 0
	for ; ; n++ {
		in.Next()
		var text string
		if err := dec.Decode(&text); err != nil {
			if !tooLarge(err) {
				t.Error(err)
			}
			break
		}
	}
	if n != 20 {
		t.Errorf("%d values are read", n)
	}
	lines := NewLines(io.NopCloser(io.MultiReader(strings.NewReader(strings.Repeat("a line\n", 1000)), endless{'a'})))
	lines.limit = 10_000
	if data, err := io.ReadAll(lines); !tooLarge(err) || len(data) < 7000+10_000 || len(data) > 7000+20_000 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}
