package project

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
)

// Hints at random, of which many are false and most are of no use, change no other obligation,
// and lose no proof: neither of those that they are for nor of others.
func TestHintsLoseNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	dirs, err := filepath.Glob(filepath.Join(corpus.Path(t, "rodin-dev"), "*"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(dirs)
	r.Shuffle(len(dirs), func(i, j int) { dirs[i], dirs[j] = dirs[j], dirs[i] })
	obligations, hinted, proved := 0, 0, 0
	// Nothing else is as quick to prove as what the smallest projects say.
	const most = 120
	for _, dir := range dirs[:min(len(dirs), corpus.Effort(6, 12, len(dirs)))] {
		texts, _, n := hintedTexts(t, r, dir)
		if n == 0 {
			continue
		}
		with := verdicts(t, texts, most)
		texts["p/all.hints"] = ""
		without := verdicts(t, texts, most)
		hinted += n * min(1, len(with))
		for name, before := range without {
			obligations++
			now, ok := with[name]
			switch {
			case !ok || now.sequent != before.sequent:
				t.Errorf("%s of %s is another one with hints", name, filepath.Base(dir))
			case before.Holds() && !now.Holds():
				t.Errorf("%s of %s is %s with hints, and %s without", name, filepath.Base(dir), now.Verdict, before.Verdict)
			case now.Holds():
				proved++
			}
		}
	}
	t.Logf("%d obligations, %d with hints: %d are proved", obligations, hinted, proved)
}

// judged is a sequent and what became of it.
type judged struct {
	verdict.Verdict
	sequent text.Fingerprint
}

// verdicts proves what texts state with a small budget, facts of hints apart; nothing if that is
// more than most.
func verdicts(t *testing.T, texts map[string]string, most int) map[string]judged {
	dir := t.TempDir()
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	projects, err := Open(dir)
	if err != nil || len(projects) != 1 {
		t.Fatal(len(projects), err)
	}
	p := projects[0]
	all, err := p.Obligations()
	if err != nil {
		t.Fatal(err)
	}
	own := slices.DeleteFunc(slices.Clone(all), func(o *po.Obligation) bool { return o.PartOf() != nil })
	if len(own) > most {
		return nil
	}
	results, err := p.Prove(t.Context(), own, discharge.Options{Steps: 60_000}, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]judged{}
	for _, x := range results {
		out[x.Path()] = judged{x.Verdict, text.SequentFingerprint(x.Sequent())}
	}
	return out
}
