package animator_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gradine/gradine/internal/animator"
	"github.com/gradine/gradine/internal/seam"
)

// TestFaultsOfPages injects each kind of fault into each question of the page, and into the reading of the model: the
// page is told of it, and the next question has its answer.
func TestFaultsOfPages(t *testing.T) {
	source, err := os.ReadFile("session.go")
	if err != nil {
		t.Fatal(err)
	}
	_, dispatch, _ := strings.Cut(string(source), ") dispatch(")
	dispatch, _, _ = strings.Cut(dispatch, "errUnknown")
	var questions []string
	for _, found := range regexp.MustCompile(`case "(\w+)":`).FindAllStringSubmatch(dispatch, -1) {
		questions = append(questions, found[1])
	}
	if len(questions) < 10 {
		t.Fatalf("questions: %q", questions)
	}
	url := serve(t, animator.Options{Open: opener(folder(t, map[string]string{"m.eventb": strings.ReplaceAll(lights, "WITNESS", "FALSE")}), "lights", nil)})
	type answer struct {
		Count         int
		Error, Failed string
		Model         json.RawMessage
	}
	ask := func(question string, count int) (out answer) {
		t.Helper()
		body := fmt.Sprintf(`{"op":%q,"count":%d,"state":-1,"known":-1}`, question, count)
		r, err := http.NewRequest("POST", url+"ask", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Origin", url[:strings.LastIndex(strings.TrimSuffix(url, "/"), "/")])
		r.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		if err == nil {
			err = json.Unmarshal(data, &out)
		}
		if err != nil {
			t.Fatal(err, string(data))
		}
		return out
	}
	inject := func(kind seam.Kind, about string, do func()) {
		var met atomic.Int64
		end := seam.Inject(func(s seam.Seam, of string) seam.Kind {
			if s == seam.Exploration && of == about {
				met.Add(1)
				return kind
			}
			return seam.None
		})
		do()
		end()
		if met.Load() == 0 {
			t.Errorf("there is no seam about %s", about)
		}
	}
	kinds := []seam.Kind{seam.Panic, seam.Memory, seam.Nesting, seam.Cancelled}
	// The first look reads the model.
	inject(seam.Panic, "the model", func() {
		if a := ask("model", 0); !strings.HasPrefix(a.Failed, "internal error: ") {
			t.Errorf("the model cannot be read: %+v", a)
		}
	})
	count := ask("model", 0).Count
	for _, question := range questions {
		for _, kind := range kinds {
			inject(kind, "the animation", func() {
				if a := ask(question, count); !strings.HasPrefix(a.Error, "internal error: ") {
					t.Errorf("%s, kind %d: %+v", question, kind, a)
				}
			})
			if a := ask("model", count); a.Error != "" || a.Failed != "" || a.Model == nil {
				t.Errorf("after a fault in %s, kind %d: %+v", question, kind, a)
			}
		}
	}
}
