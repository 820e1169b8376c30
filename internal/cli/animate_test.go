package cli

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/corpus"
)

// A page that an editor opens shows the text as it is open, not as the file has it, and says so; it follows what is typed,
// errors included, and knows when the text is saved.
func TestAnimateOpenTexts(t *testing.T) {
	const model = "machine m\nvariables x\ninvariants\n@x x ∈ ℤ\nevents\nevent INITIALISATION\nthen\n@a x ≔ 0\nend\nend\n"
	dir := t.TempDir()
	name := filepath.Join(dir, "m.eventb")
	write := func(text string) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(model)
	open := map[string][]byte{}
	r := &run{ctx: t.Context()}
	url, serve, err := r.served(func() map[string][]byte { return open }, dir, "m")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- serve(ctx) }()
	defer func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	type told struct {
		Count    int
		Problems []struct{ Message string }
		Model    struct {
			Unsaved []string
			Levels  []struct{ Invs []struct{ T string } }
		}
	}
	ask := func(question string) (out told) {
		q, _ := http.NewRequest("POST", url+"ask", strings.NewReader(question))
		q.Header.Set("Origin", url[:strings.LastIndex(strings.TrimSuffix(url, "/"), "/")])
		q.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if err := json.NewDecoder(answer.Body).Decode(&out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	// until waits until the model is another one than that of an answer, and returns it.
	until := func(before told) told {
		t.Helper()
		if !corpus.Until(func() bool { return ask(`{"op":"poll","known":-1}`).Count != before.Count }) {
			t.Fatal("the page does not follow")
		}
		return ask(`{"op":"model","state":-1}`)
	}
	at := ask(`{"op":"model","state":-1}`)
	if got := at.Model.Levels[0].Invs[0].T; got != "x ∈ ℤ" || len(at.Model.Unsaved) > 0 {
		t.Fatalf("the page begins with %s, unsaved %v", got, at.Model.Unsaved)
	}
	edited := strings.Replace(model, "x ∈ ℤ", "x ∈ ℕ", 1)
	open = map[string][]byte{name: []byte(edited)}
	at = until(at)
	if got := at.Model.Levels[0].Invs[0].T; got != "x ∈ ℕ" || len(at.Model.Unsaved) != 1 || at.Model.Unsaved[0] != "m.eventb" {
		t.Errorf("the page shows %s, unsaved %v", got, at.Model.Unsaved)
	}
	write(edited)
	if at = until(at); len(at.Model.Unsaved) > 0 {
		t.Errorf("after it was saved, %v is unsaved", at.Model.Unsaved)
	}
	open = map[string][]byte{name: []byte(strings.Replace(model, "x ∈ ℤ", "x ∈", 1))}
	if at = until(at); len(at.Problems) == 0 {
		t.Error("the page shows no problem of a text that has one")
	}
	open = map[string][]byte{}
	if at = until(at); len(at.Problems) > 0 || at.Model.Levels[0].Invs[0].T != "x ∈ ℕ" {
		t.Errorf("the page does not recover: %+v", at)
	}
}
