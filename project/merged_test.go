package project_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/review/merge"
)

// gauge is a machine whose parts rest on each other.
const gauge = `machine gauge
variables n k
invariants
  @n n ∈ ℕ
  @k k ∈ ℕ
events
  event INITIALISATION
  then
    @n n ≔ 0
    @k k ≔ 0
  end

  event up
  where
    @up n < 9
    @room n + k < 20
  then
    @n n ≔ n + 1
  end

  event fill
  where
    @room n + k < 20
  then
    @k k ≔ k + 1
  end

  event move
  where
    @some k > 0
    @up n < 9
  then
    @n n ≔ n + 1
    @k k ≔ k − 1
  end
end
`

// TestLostTogether joins random edits of one component, as two people make them: what the
// join leaves unproved that each side proves or lacks is told, and nothing else. What the
// sides prove is asked of them one by one, by the names of obligations.
func TestLostTogether(t *testing.T) {
	type folder struct {
		name  string
		files map[string][]byte
	}
	pairs := 60
	folders := []folder{{"gauge", map[string][]byte{"gauge.eventb": []byte(gauge)}}}
	if os.Getenv("GRADINE_SWEEP") != "" {
		pairs = 500
		folders = nil
		dirs, err := filepath.Glob(filepath.Join(corpus.Path(t, "rodin-dev"), "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range dirs {
			var problems diag.List
			projects, err := rodin.Read(dir, &problems)
			if err != nil || problems.HasErrors() {
				continue
			}
			for _, p := range projects {
				f := folder{p.Name, map[string][]byte{}}
				size := 0
				for _, file := range p.Files {
					text := lang.Format(file, lang.Options{})
					size += len(text)
					f.files[file.Components[0].Name.Text+".eventb"] = text
				}
				if size < 12_000 { // each pair is proved three times
					folders = append(folders, f)
				}
			}
		}
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	store := proofstore.OpenStore(t.TempDir())
	joined, collided, worse := 0, 0, 0
	for n := range pairs {
		f := folders[rnd.IntN(len(folders))]
		dir := t.TempDir()
		var names []string
		for name, text := range f.files {
			names = append(names, name)
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		slices.Sort(names)
		name := names[rnd.IntN(len(names))]
		base := f.files[name]
		ours, theirs := mutate(t, rnd, base), mutate(t, rnd, base)
		r, err := merge.Text(name, base, ours, theirs)
		if err != nil || len(r.Conflicts)+len(r.Together) > 0 {
			collided++
			continue
		}
		if bytes.Equal(r.Text, ours) || bytes.Equal(r.Text, theirs) {
			continue
		}
		joined++
		file := filepath.Join(dir, name)
		opts := discharge.Options{Store: store, RefuteSteps: 100_000}
		lost, err := project.LostTogether(context.Background(), file, ours, theirs, r.Text, opts)
		if err != nil {
			t.Fatal(err)
		}
		verdicts := func(text []byte) map[string]verdict.Verdict {
			if err := os.WriteFile(file, text, 0o666); err != nil {
				t.Fatal(err)
			}
			return verdictsOf(t, dir, opts)
		}
		a, b, c := verdicts(ours), verdicts(theirs), verdicts(r.Text)
		var want, vacuous []string
		for po, v := range c {
			x, inA := a[po]
			y, inB := b[po]
			holds := func(v verdict.Verdict, there bool) bool { return !there || v == verdict.Proved }
			if v != verdict.Proved && holds(x, inA) && holds(y, inB) {
				want = append(want, po)
			}
			if v == verdict.Vacuous {
				vacuous = append(vacuous, po)
			}
		}
		slices.Sort(want)
		var got []string
		for _, what := range lost.Lost {
			if name, _, _ := strings.Cut(what, " "); !strings.HasSuffix(name, ":") {
				got = append(got, name)
			}
		}
		if len(lost.Lost) > 0 {
			worse++
		}
		// Of what contradicts itself a search may find the contradiction first, where a proof
		// of one side would do: either answer is true.
		unclear := func(po string) bool { return slices.Contains(vacuous, po) }
		if got, want = slices.DeleteFunc(got, unclear), slices.DeleteFunc(want, unclear); !slices.Equal(got, want) {
			t.Errorf("pair %d, %s/%s: told %q, lost are %q\nours\n%s\ntheirs\n%s\njoined\n%s", n, f.name, name, lost.Lost, want, ours, theirs, r.Text)
		}
	}
	if worse == 0 {
		t.Error("no pair loses anything: the test sees nothing")
	}
	t.Logf("%d pairs: %d collide, %d join, %d of those lose something only together", pairs, collided, joined, worse)
}

// verdictsOf proves a folder; obligations that rest on errors are left out.
func verdictsOf(t *testing.T, dir string, opts discharge.Options) map[string]verdict.Verdict {
	t.Helper()
	out := map[string]verdict.Verdict{}
	projects, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range projects {
		obligations, err := p.Obligations()
		if err != nil {
			t.Fatal(err)
		}
		results, err := p.Prove(context.Background(), obligations, opts, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			if r.Accurate {
				out[r.Path()] = r.Verdict
			}
		}
	}
	return out
}

// mutate makes one random change that people make: a predicate goes, another number
// stands in one, or it is made an invariant.
func mutate(t *testing.T, rnd *rand.Rand, text []byte) []byte {
	t.Helper()
	var problems diag.List
	f := lang.Parse("m.eventb", text, &problems)
	if problems.HasErrors() {
		t.Fatal(problems.Sorted())
	}
	var lists []*[]*lang.Predicate
	for _, c := range f.Components {
		lists = append(lists, &c.Invariants, &c.Axioms)
		for _, e := range c.Events {
			lists = append(lists, &e.Guards)
		}
	}
	lists = slices.DeleteFunc(lists, func(l *[]*lang.Predicate) bool { return len(*l) == 0 })
	if len(lists) == 0 {
		return text
	}
	last := f.Components[len(f.Components)-1]
	if n := len(last.Events); n > 0 && rnd.IntN(6) == 0 { // one that does less carefully what another does
		e := *last.Events[n-1]
		e.Label.Text += fmt.Sprint("_", rnd.IntN(1000))
		if e.Label.Text = strings.Replace(e.Label.Text, lang.Initialisation, "again", 1); len(e.Refines) == 0 && len(last.Refines) == 0 {
			e.Guards, e.Extended = nil, false
			last.Events = append(slices.Clone(last.Events), &e)
			return lang.Format(f, lang.Options{})
		}
	}
	list := lists[rnd.IntN(len(lists))]
	i := rnd.IntN(len(*list))
	p := *(*list)[i]
	switch kind := rnd.IntN(3); {
	case kind == 0:
		*list = slices.Delete(slices.Clone(*list), i, i+1)
	case kind == 1 && strings.ContainsAny(p.Source.Text, "0123456789") && !strings.Contains(p.Source.Text, "ℕ1"):
		at := strings.IndexAny(p.Source.Text, "0123456789")
		p.Source.Text, p.Formula = p.Source.Text[:at]+string('0'+byte(rnd.IntN(10)))+p.Source.Text[at+1:], nil
		(*list)[i] = &p
	default:
		// A bound that holds as long as all events are guarded so.
		q := p
		q.Label.Text += "_more"
		q.Label.Absent = false
		q.Source.Text, q.Formula, q.Theorem = strings.Replace(p.Source.Text, " < ", " ≤ ", 1), nil, false
		list = &f.Components[0].Invariants
		*list = append(slices.Clone(*list), &q)
	}
	return lang.Format(f, lang.Options{})
}
