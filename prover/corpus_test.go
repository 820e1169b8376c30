package prover_test

import (
	"flag"
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/prover/kernel"
)

var (
	corpusFile     = flag.String("corpus.file", "rodin-dev.sequents.jsonl.gz", "file of sequents under shared/corpus")
	corpusSample   = flag.Int("corpus.sample", 60, "number of sequents to try; 0 for all")
	corpusSeed     = flag.Int64("corpus.seed", 1, "seed of the sample")
	corpusOnly     = flag.String("corpus.only", "", "try only sequents whose id contains this, or, after @, stands in this file")
	corpusSteps    = flag.Int64("corpus.steps", 0, "budget of one sequent")
	corpusShow     = flag.Bool("corpus.show", false, "print open sequents, and what held at the end of the last attempt")
	corpusStrategy = flag.String("corpus.strategy", "", "show the last attempt of this strategy")
	corpusOpen     = flag.String("corpus.open", "", "file to write the open ids to")
)

// record is one sequent of a corpus file.
type record struct {
	ID        any               `json:"id"`
	Project   string            `json:"project"`
	Component string            `json:"component"`
	Kind      string            `json:"kind"`
	Status    string            `json:"status"`
	Expect    string            `json:"expect"`
	Types     map[string]string `json:"types"`
	Hyps      []string          `json:"hyps"`
	Selected  []int             `json:"selected"`
	Goal      string            `json:"goal"`
}

func (r record) name() string { return fmt.Sprint(r.ID) }

func readRecords(t testing.TB, name string) []record {
	wanted := func(id string) bool { return strings.Contains(id, *corpusOnly) }
	if file, ok := strings.CutPrefix(*corpusOnly, "@"); ok {
		list, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		ids := map[string]bool{}
		for line := range strings.Lines(string(list)) {
			id, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			ids[id] = true
		}
		wanted = func(id string) bool { return ids[id] }
	}
	var out []record
	for _, r := range corpus.All[record](t, name) {
		if wanted(r.name()) {
			out = append(out, r)
		}
	}
	return out
}

// sample returns n random records, all if n is 0.
func sample(rs []record, n int) []record {
	rand.New(rand.NewSource(*corpusSeed)).Shuffle(len(rs), func(i, j int) { rs[i], rs[j] = rs[j], rs[i] })
	if n > 0 && n < len(rs) {
		rs = rs[:n]
	}
	return rs
}

func read(t testing.TB, reader *check.Reader, r record) (logic.Sequent, bool) {
	s, err := reader.Sequent(r.Types, r.Hyps, r.Selected, r.Goal)
	if err != nil {
		t.Logf("%s: %v", r.name(), err)
		return s, false
	}
	return s, true
}

// tally counts proofs by a key.
type tally map[string]*[2]int

func (c tally) add(key string, proved bool) {
	if c[key] == nil {
		c[key] = new([2]int)
	}
	c[key][1]++
	if proved {
		c[key][0]++
	}
}

func (c tally) String() string {
	var keys []string
	for k := range c {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var out []string
	for _, k := range keys {
		out = append(out, fmt.Sprintf("%s %d/%d", k, c[k][0], c[k][1]))
	}
	return strings.Join(out, "  ")
}

// show prints an open sequent and the literals of its last attempt.
func show(t *testing.T, r record, res prover.Result) {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n", r.name())
	for i, h := range r.Hyps {
		mark := " "
		if slices.Contains(r.Selected, i) {
			mark = "*"
		}
		fmt.Fprintf(&out, "  %s %s\n", mark, h)
	}
	fmt.Fprintf(&out, "  ⊢ %s\n", r.Goal)
	for _, a := range res.Tried {
		fmt.Fprintf(&out, "  %s: %d hypotheses, saturated %v, %+v\n", a.Strategy, len(a.Hyps), a.Saturated, a.Counters)
	}
	last := res.Tried[len(res.Tried)-1]
	for _, a := range res.Tried {
		if a.Strategy == *corpusStrategy {
			last = a
		}
	}
	out.WriteString(literals(res.Sequent.Bank, last.Model))
	t.Log(out.String())
}

// size returns the number of nodes of t as a tree, up to a million.
func size(b *logic.Bank, t logic.Term, memo map[logic.Term]int) int {
	if n, ok := memo[t]; ok {
		return n
	}
	n := 1
	for _, a := range b.Args(t) {
		n = min(n+size(b, a, memo), 1_000_000)
	}
	memo[t] = n
	return n
}

// literals prints ls but the long ones, one a line.
func literals(b *logic.Bank, ls []kernel.Lit) string {
	var out strings.Builder
	sizes := map[logic.Term]int{}
	for _, l := range ls {
		if size(b, l.Atom(), sizes) > 160 {
			continue
		}
		sign := "  "
		if l.Negated() {
			sign = "¬ "
		}
		fmt.Fprintf(&out, "      %s%s\n", sign, text.Options{Untyped: true}.Term(b, l.Atom()))
	}
	return out.String()
}

// TestCorpus proves a sample of a corpus file and prints how it went:
//
//	go test ./prover -run TestCorpus -v -corpus.sample=300 -corpus.seed=7
//
// It fails if a sequent that is marked as no theorem gets a proof, or if the kernel refuses
// a proof.
func TestCorpus(t *testing.T) {
	rs := sample(readRecords(t, *corpusFile), *corpusSample)
	reader := &check.Reader{}
	byStatus, byKind, byProject, byStrategy := tally{}, tally{}, tally{}, tally{}
	var times []time.Duration
	var open []string
	var slowest string
	var steps int64
	proved, tried := 0, 0
	for _, r := range rs {
		s, ok := read(t, reader, r)
		if !ok {
			continue
		}
		tried++
		start := time.Now()
		res := prover.Prove(s, prover.Options{Steps: *corpusSteps})
		steps += res.Steps
		if *corpusSteps == 0 && !kept(res.Steps, prover.DefaultSteps) {
			t.Errorf("%s: %d steps, more than the budget", r.name(), res.Steps)
		}
		took := time.Since(start)
		if times = append(times, took); took == slices.Max(times) {
			slowest = fmt.Sprintf("%s, %d steps", r.name(), res.Steps)
		}
		won := res.Verdict != prover.Open
		if won {
			proved++
			byStrategy.add(res.Tried[len(res.Tried)-1].Strategy, true)
		} else {
			last := res.Tried[len(res.Tried)-1]
			open = append(open, fmt.Sprintf("%s [%s] %v saturated=%v", r.name(), r.Status, took.Round(time.Millisecond), last.Saturated))
		}
		if !won && *corpusShow {
			show(t, r, res)
		}
		byStatus.add(r.Status, won)
		byKind.add(r.Kind, won)
		byProject.add(r.Project, won)
		if res.Uncertified > 0 {
			t.Errorf("%s: the kernel refused a proof: %v", r.name(), res.Refusal)
		}
		if won && (r.Expect == "not-theorem" || strings.Contains(*corpusFile, "mutants/") && !strings.Contains(*corpusFile, "valid")) {
			t.Errorf("%s: %v, but no theorem", r.name(), res.Verdict)
		}
	}
	slices.Sort(times)
	slices.Sort(open)
	if tried == 0 {
		t.Fatal("no sequent could be read")
	}
	var sum time.Duration
	for _, d := range times {
		sum += d
	}
	t.Logf("proved %d of %d = %.1f %%", proved, tried, 100*float64(proved)/float64(tried))
	t.Logf("status: %v\nkind: %v\nstrategy: %v\nproject: %v", byStatus, byKind, byStrategy, byProject)
	at := func(q float64) time.Duration { return times[int(q*float64(len(times)-1))].Round(10 * time.Microsecond) }
	t.Logf("time: mean %v median %v p90 %v p99 %v max %v", sum/time.Duration(len(times)), at(0.5), at(0.9), at(0.99), at(1))
	t.Logf("steps: %d thousand in all; slowest: %s", steps/1000, slowest)
	t.Logf("open:\n%s", strings.Join(open, "\n"))
	if *corpusOpen != "" {
		if err := os.WriteFile(*corpusOpen, []byte(strings.Join(open, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
