package explore

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gradine/gradine/explore/internal/sample"
)

// millions are the models of bench/spin, and of the trials next to the checkout. All but two have more than 10⁶ states.
var millions = []struct{ name, consts string }{
	{"philosophers", "N=16"},
	{"peterson", "N=5"},
	{"buffer", "K=7 P=3 C=3"},
	{"blocks", "B=10 M=7 D=4"},
	{"queue", "K=5 P=3 M=7"},
	{"bakery", "N=4 T=4 BUG=FALSE"},
	{"window", "M=16 W=4 S=5 C=5"},
}

// mostOfMillions bounds the states of each search: one that the bound ends must see the same on all cores, too.
const mostOfMillions = 1_500_000

// seen is what a search has in its store: the digest of all states, in their order, and of the state that each was reached from
// first, and the traces to some of them, the last one included.
func seen(s *search) string {
	all := sha256.New()
	ids := s.st.IDs()
	var record []byte
	for _, id := range ids {
		record = binary.LittleEndian.AppendUint64(s.st.Load(id, record[:0]), uint64(s.st.Parent(id)))
		all.Write(record)
	}
	text := fmt.Sprintf("%x", all.Sum(nil))
	for k := 0; k <= 20; k++ {
		text += fmt.Sprint("\n", s.trace(s.parents(ids[k*(len(ids)-1)/20])).Steps)
	}
	return text
}

// TestCoresOfModels explores larger models on 1, 2, 4 and 16 workers: counts, findings, states and the traces to all of them are
// the same. It prints which part of the processor time is spent in neither of the phases that all workers share, and wall times,
// for the reader: no clock decides.
func TestCoresOfModels(t *testing.T) {
	wanted := os.Getenv("GRADINE_CORES")
	if wanted == "" {
		t.Skip("GRADINE_CORES=all, or the names of models, explores some with a million states: minutes")
	}
	processor := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			t.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	for _, m := range millions {
		if wanted != "all" && !strings.Contains(wanted, m.name) {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			text := modelText(t, m.name)
			for c := range strings.FieldsSeq(m.consts) {
				name, value, _ := strings.Cut(c, "=")
				text = strings.Replace(text, "axioms\n", fmt.Sprintf("axioms\n  @given_%s %s = %s\n", name, name, value), 1)
			}
			machine, set := sample.Machine(t, text)
			first, states, walls := "", "", map[int]time.Duration{}
			for i, workers := range []int{1, 2, 4, 16, 1, 2, 4, 16} {
				// States and traces are compared in the first half, time in the second: to look at the states takes time of its own.
				options := Options{NoDeadlock: true, KeepGoing: true, MaxStates: mostOfMillions, Workers: workers}
				timed := i >= 4
				var within time.Duration
				options.shared = func() func() {
					began := processor()
					return func() { within += processor() - began }
				}
				began, at := processor(), time.Now()
				s, err := newSearch(t.Context(), machine, &Instance{Set: set}, options)
				if err != nil {
					t.Fatal(err)
				}
				r := s.run(t.Context())
				spent, wall := processor()-began, time.Since(at)
				walls[workers] = wall
				outside := 100 * (spent - within).Seconds() / spent.Seconds()
				t.Logf("%d workers: %d states, %d transitions, %v of processor time, %v of wall time, %.1f %% outside the shared phases", workers, r.States, r.Transitions, spent.Round(time.Millisecond), wall.Round(time.Millisecond), outside)
				got := fmt.Sprintf("%s %s %d %d %d %v", r.Verdict, r.Why, r.States, r.Transitions, r.Depth, r.Fired)
				for _, f := range r.Findings {
					got += fmt.Sprint(f.Kind, f.Label, f.Trace.Steps)
				}
				if first == "" {
					first = got
				}
				if got != first {
					t.Errorf("%d workers\n%s\none\n%s", workers, got, first)
				}
				if !timed {
					is := seen(s)
					if states == "" {
						states = is
					}
					if is != states {
						t.Errorf("%d workers see other states, in another order, or by other traces", workers)
					}
				}
			}
			t.Logf("two workers are %.2f times as fast as one, by wall time", walls[1].Seconds()/walls[2].Seconds())
		})
	}
}

// modelText is the text of a model, its components separated by empty lines; a test without it is skipped.
func modelText(t *testing.T, name string) string {
	for _, dir := range []string{"../bench/spin", "../../shared/trials/models/explore", "../../../shared/trials/models/explore"} {
		if data, err := os.ReadFile(filepath.Join(dir, name+".eventb")); err == nil {
			context, machine, ok := strings.Cut(string(data), "\nmachine ")
			if !ok {
				return string(data)
			}
			return strings.ReplaceAll(context, "\n\n", "\n") + "\n\nmachine " + strings.ReplaceAll(machine, "\n\n", "\n")
		}
	}
	t.Skip("no model " + name)
	return ""
}
