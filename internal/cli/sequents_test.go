package cli

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"
	"testing"
	"weak"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/question"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/logic"
)

// manySequents is a file of n sequents that differ in all they say.
type manySequents struct {
	n, next int
	line    bytes.Buffer
}

func (a *manySequents) Read(p []byte) (int, error) {
	if a.line.Len() == 0 {
		if a.next == a.n {
			return 0, io.EOF
		}
		fmt.Fprintf(&a.line, `{"id":%d,"types":{"s":"ℙ(ℤ)"},"hyps":[`, a.next)
		fmt.Fprintf(&a.line, `"s≠{%d`, a.next)
		for i := range 400 {
			fmt.Fprintf(&a.line, `,%d`, 1000*a.next+i)
		}
		a.line.WriteString(`}",`)
		fmt.Fprintf(&a.line, `"%d∈s"],"goal":"%d∈s"}`+"\n", a.next, a.next)
		a.next++
	}
	return a.line.Read(p)
}

// TestSequentsInFlight counts the banks of sequents that are in memory while others are proved: their number does
// not grow with that of the sequents. The answers come in their order.
func TestSequentsInFlight(t *testing.T) {
	const n = 4_000
	file, err := question.Open("-", &manySequents{n: n})
	if err != nil {
		t.Fatal(err)
	}
	asking := &asking{name: "-", file: file}
	var mu sync.Mutex // of banks
	var banks []weak.Pointer[logic.Bank]
	var last *logic.Bank
	tasks := func(yield func(question.Task) bool) {
		for task := range asking.all {
			if task.Sequent.Bank != last {
				last = task.Sequent.Bank
				mu.Lock()
				banks = append(banks, weak.Make(last))
				mu.Unlock()
			}
			if !yield(task) {
				return
			}
		}
		last = nil
	}
	done, most := 0, 0
	proveTasks(t.Context(), tasks, discharge.Options{Workers: 2}, false, func(v report.Verdict) {
		if v.Verdict != verdict.Proved || fmt.Sprint(v.ID) != fmt.Sprint(done) {
			t.Fatalf("answer %d: %v is %s", done, v.ID, v.Verdict)
		}
		if done++; done%500 == 0 || done == n {
			runtime.GC()
			mu.Lock()
			defer mu.Unlock()
			most = max(most, len(slices.DeleteFunc(slices.Clone(banks), func(b weak.Pointer[logic.Bank]) bool { return b.Value() == nil })))
		}
	})
	t.Logf("%d sequents, %d batches, at most %d in memory", done, len(banks), most)
	if done != n || len(banks) < 6 {
		t.Fatalf("%d sequents in %d batches", done, len(banks))
	}
	if most > 4 {
		t.Errorf("%d of %d batches are in memory", most, len(banks))
	}
}
