package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge/answer"
)

// claimsIn lists the files of the store that claim what cannot be checked.
func claimsIn(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(os.Getenv("GRADINE_CACHE"), "*", "*.claim"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestRememberedTuning: what tuning has found counts again under the key of its finder, for the same sources,
// and otherwise it is found again.
func TestRememberedTuning(t *testing.T) {
	dir := smallProject(t)
	fresh(t, "a")
	want, _, code := shell(t, "-C", dir, "verify")
	claims := claimsIn(t)
	if len(claims) == 0 || !strings.Contains(want, "no point is better") {
		t.Fatalf("nothing is remembered:\n%s", want)
	}
	// A claim that is false, under the key of the reader: where it counts, it is printed.
	const lie = "no point is worse"
	key, err := answer.NewKey(strings.Repeat("a", 32))
	if err != nil {
		t.Fatal(err)
	}
	lied := func(k *answer.Key) {
		for _, name := range claims {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			q := filepath.Base(strings.TrimSuffix(name, ".claim"))
			var digest answer.Digest
			if err := digest.UnmarshalText([]byte(q)); err != nil || !bytes.Contains(data, []byte(q)) {
				t.Fatalf("%v: %s", err, data)
			}
			c, err := answer.NewClaim(digest, map[string]string{"claim": lie, "way": "by magic"}, k)
			if err != nil {
				t.Fatal(err)
			}
			if data, err = json.Marshal(c); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	lied(key)
	if got, _, _ := shell(t, "-C", dir, "verify"); !strings.Contains(got, lie) {
		t.Errorf("the reader's own claim is not read:\n%s", got)
	}
	check := func(what string, args ...string) {
		t.Helper()
		if got, errs, is := shell(t, append([]string{"-C", dir, "verify"}, args...)...); strings.Contains(got, lie) || is != code {
			t.Errorf("%s: exit code %d, want %d\n%s%s", what, is, code, errs, got)
		}
	}
	check("without the store", "--no-cache")
	check("another budget of proofs", "--steps", "8000000")
	t.Setenv("GRADINE_KEY", strings.Repeat("b", 32))
	check("another key")
	t.Setenv("GRADINE_KEY", strings.Repeat("a", 32))
	other, err := answer.NewKey(strings.Repeat("c", 32))
	if err != nil {
		t.Fatal(err)
	}
	lied(other)
	check("claims of others")
	lied(nil)
	check("claims of nobody")
	lied(key)
	name := filepath.Join(dir, "gradine.toml")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(data, "# other sources\n"...), 0o666); err != nil {
		t.Fatal(err)
	}
	check("other sources")
}
