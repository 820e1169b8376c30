package explain

import (
	"context"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
)

// processorTime is what this process has used so far: the clock on the wall says little where
// other work runs at the same time.
func processorTime(t *testing.T) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// openSequents reads by id what closes a sequent that the search of before left open.
func openSequents(t *testing.T) map[string]string {
	data, err := os.ReadFile("../testdata/open.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) > 1 {
			out[fields[1]] = fields[0]
		}
	}
	return out
}

// A minute of processor time for each sequent that the search of before left open: how many
// does the search close by now, and how many do hints close that are suggested for it? The
// table is the measurement that docs/hints.md states; -run SuggestionsForOpen/PROJECT takes a
// part of it.
func TestSuggestionsForOpenSequents(t *testing.T) {
	if os.Getenv("GRADINE_SWEEP") == "" {
		t.Skip("GRADINE_SWEEP is not set: an hour of processor time")
	}
	known := openSequents(t)
	var reader check.Reader
	count := map[string]int{}
	for _, q := range corpus.Lines[recorded](t, "rodin-dev.sequents.jsonl.gz", 1) {
		x, ok := known[q.ID]
		if !ok {
			continue
		}
		t.Run(q.ID, func(t *testing.T) {
			s, err := reader.Sequent(q.Types, q.Hyps, q.Selected, q.Goal)
			if err != nil {
				t.Fatal(err)
			}
			labels := make([]string, len(s.Hyps))
			for i := range labels {
				labels[i] = strconv.Itoa(i)
			}
			count["all"]++
			if x == "search" {
				var o verdict.Outcome
				discharge.Run(t.Context(), 1, func(int) logic.Sequent { return s }, discharge.Options{}, func(_ int, found verdict.Outcome) { o = found })
				if !o.Verdict.Holds() {
					t.Error("the search does not close it any more")
				}
				count["search"]++
				t.Logf("%s by the search, %d steps", o.Verdict, o.Steps)
				return
			}
			ctx, cancel := context.WithCancel(t.Context())
			begin := processorTime(t)
			go func() {
				for processorTime(t)-begin < 90*time.Second && ctx.Err() == nil {
					time.Sleep(100 * time.Millisecond)
				}
				cancel()
			}()
			x := Suggest(ctx, s, labels, discharge.Options{})
			cancel()
			took := processorTime(t) - begin
			verdict := "open"
			if x.Verdict.Holds() {
				verdict = "suggested"
				if took > time.Minute {
					verdict = "late"
				}
			}
			count[verdict]++
			t.Logf("%s in %.1f s, %d lists tried: %s", verdict, took.Seconds(), x.Tried, strings.Join(x.Lines, "; "))
		})
	}
	t.Logf("%v", count)
}
