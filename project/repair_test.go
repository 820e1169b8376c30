package project

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/review"
)

// someHints writes hints for o at random that speak of its hypotheses and identifiers.
func someHints(r *rand.Rand, o *po.Obligation) []string {
	s, labels := o.Sequent(), Labels(o)
	b := s.Bank
	var out []string
	if len(s.Hyps) == 0 {
		return nil
	}
	term := func(t logic.Term) string { return text.Options{Spaced: true}.Term(b, t) }
	for range 1 + r.IntN(3) {
		i := r.IntN(len(s.Hyps))
		switch r.IntN(4) {
		case 0:
			out = append(out, "have "+term(s.Hyps[i]))
		case 1:
			out = append(out, "cases "+term(s.Hyps[i]))
		case 2:
			line := "use"
			for range 3 {
				line += " " + hints.Label(labels[r.IntN(len(labels))])
			}
			out = append(out, line)
		case 3:
			hint, ok := b.Hint(s.Hyps[i])
			if b.Op(s.Hyps[i]) != logic.Forall || !ok || slices.Index(labels[i+1:], labels[i]) >= 0 {
				continue
			}
			var values []string
			for k, typ := range b.Decls(s.Hyps[i]) {
				for _, x := range b.FreeIdents(s.Goal) {
					if b.Type(x) == typ && k < len(hint.Names) {
						values = append(values, hints.Identifier(hint.Names[k])+" ≔ "+term(x))
						break
					}
				}
			}
			if len(values) > 0 {
				out = append(out, "inst "+hints.Label(labels[i])+" "+strings.Join(values, ", "))
			}
		}
	}
	return out
}

// hintedTexts are the texts of a project of the reference data with hints for some of its
// obligations, and the names in it.
func hintedTexts(t *testing.T, r *rand.Rand, dir string) (texts map[string]string, names []string, hinted int) {
	projects, err := Open(dir)
	if err != nil || len(projects) != 1 || projects[0].Problems.HasErrors() {
		return nil, nil, 0
	}
	p := projects[0]
	texts = map[string]string{}
	note := func(n lang.Name) {
		if n.Text != "" && !slices.Contains(names, n.Text) && regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]*$`).MatchString(n.Text) {
			names = append(names, n.Text)
		}
	}
	for _, f := range p.Files {
		for _, c := range f.Components {
			texts["p/"+c.Name.Text+".eventb"] += string(lang.Format(&lang.File{Components: []*lang.Component{c}}, lang.Options{})) + "\n"
			note(c.Name)
			for _, list := range [][]lang.Name{c.Sets, c.Constants, c.Variables} {
				for _, n := range list {
					note(n)
				}
			}
			for _, x := range append(c.Axioms, c.Invariants...) {
				note(x.Label)
			}
			for _, e := range c.Events {
				note(e.Label)
				for _, n := range e.Parameters {
					note(n)
				}
				for _, g := range e.Guards {
					note(g.Label)
				}
			}
		}
	}
	all, err := p.Obligations()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, o := range all {
		if lines := someHints(r, o); r.IntN(4) == 0 && len(lines) > 0 {
			fmt.Fprintf(&b, "for %s\n    %s\n\n", hints.Label(o.Path()), strings.Join(lines, "\n    "))
			hinted++
		}
	}
	texts["p/all.hints"] = b.String()
	return texts, names, hinted
}

// Variables, events, labels and machines get other names: hints follow the obligations, and say
// the same there.
func TestRenamesKeepHints(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	dirs, err := filepath.Glob(filepath.Join(corpus.Path(t, "rodin-dev"), "*"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(dirs)
	r.Shuffle(len(dirs), func(i, j int) { dirs[i], dirs[j] = dirs[j], dirs[i] })
	kept, all, renames := 0, 0, 0
	for _, dir := range dirs[:min(len(dirs), corpus.Effort(4, 6, len(dirs)))] {
		texts, names, n := hintedTexts(t, r, dir)
		if n == 0 || len(names) == 0 {
			continue
		}
		for range corpus.Effort(1, 1, 12) {
			name := names[r.IntN(len(names))]
			renames++
			k, a := renamedHints(t, texts, name)
			if kept, all = kept+k, all+a; k < a {
				t.Logf("%s: %s: %d of %d kept", filepath.Base(dir), name, k, a)
			}
		}
	}
	t.Logf("%d renames: %d of %d hinted obligations keep their hints", renames, kept, all)
	if all > 0 && 100*kept < 95*all {
		t.Error("too few")
	}
	if all == 0 && os.Getenv("GRADINE_SWEEP") != "" {
		t.Error("nothing was renamed")
	}
}

// renamedHints gives what is called name another name in all models, and counts the
// obligations with hints, and those whose hints follow and make the same facts.
func renamedHints(t *testing.T, texts map[string]string, name string) (kept, all int) {
	ctx := context.Background()
	word := regexp.MustCompile(`(^|[^\pL\pN_'])` + name + `($|[^\pL\pN_])`)
	replace := func(s string) string {
		// Twice, since matches share the character between two words.
		for range 2 {
			s = word.ReplaceAllString(s, "${1}"+name+"_anew${2}")
		}
		return s
	}
	was, is := fstest.MapFS{}, fstest.MapFS{}
	for file, text := range texts {
		was[file] = &fstest.MapFile{Data: []byte(text)}
		if !IsHints(file) {
			text = replace(text)
		}
		is[file] = &fstest.MapFile{Data: []byte(text)}
	}
	a, err := ReadRevision(was, "p")
	if err != nil {
		t.Fatal(err)
	}
	b, err := ReadRevision(is, "p")
	if err != nil {
		t.Fatal(err)
	}
	for _, pair := range pairRevisions(a, b) {
		old, _, err := pair[0].side(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		now, _, err := pair[1].side(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		was := pair[0].Project
		all += len(was.planned.whole)
		follow := repairs(was)
		opts := review.Options{Discharge: discharge.Options{Replay: true}, Repair: func(o, p *po.Obligation, names proofstore.Names) *review.Repair {
			x := follow(o, p, names)
			switch {
			case was.planned.whole[o.ID()] == nil:
			case x != nil && sameFacts(was, o, p, names):
				kept++
			default:
				t.Logf("%s is lost as %s", o.Path(), p.Path())
			}
			return nil
		}}
		review.Compare(ctx, "p", old, now, func(_, _ string) bool { return true }, opts)
	}
	return kept, all
}

// sameFacts reports whether the hints for an obligation of before make the facts that they
// made, under the new names.
func sameFacts(was *Project, o, p *po.Obligation, names proofstore.Names) bool {
	old := was.planned.whole[o.ID()]
	_, now := followed(old.Top, o, p, names)
	if len(old.Facts) != len(now.Facts) {
		return false
	}
	bank := logic.NewBank()
	for i, f := range old.Facts {
		s, _ := f.Node.Sequent()
		u, _ := now.Facts[i].Node.Sequent()
		if proofstore.NewRenamer(bank, s.Bank, names, true).Term(s.Goal) != proofstore.NewRenamer(bank, u.Bank, nil, true).Term(u.Goal) {
			return false
		}
	}
	return true
}
