package edit_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/edit"
)

// layouts writes machines in layouts that people and tools make: clauses in pieces, comments
// at any place, several words on a line or each on its own, all ends of lines.
type layouts struct {
	*rand.Rand
	out strings.Builder
	n   int // of labels and comments
}

// gap separates two words.
func (l *layouts) gap() {
	switch l.IntN(9) {
	case 0:
		fmt.Fprintf(&l.out, " // comment %d\n", l.n)
	case 1:
		fmt.Fprintf(&l.out, "\n// comment %d\n  ", l.n)
	case 2:
		fmt.Fprintf(&l.out, " /* comment %d */ ", l.n)
	case 3:
		fmt.Fprintf(&l.out, " /* comment\n %d */ ", l.n)
	case 4:
		fmt.Fprintf(&l.out, " /* comment\n %d */\n\n", l.n)
	case 5, 6:
		l.out.WriteString("\n    ")
	case 7:
		l.out.WriteString("\n\n")
	default:
		l.out.WriteString(" ")
	}
	l.n++
}

func (l *layouts) word(s string) { l.out.WriteString(s); l.gap() }

func (l *layouts) machine(name string) {
	l.word("machine " + name)
	l.word("variables")
	l.word("x y")
	for range l.IntN(4) {
		l.word([]string{"invariants", "theorems", "INVARIANTS"}[l.IntN(3)])
		for range l.IntN(4) {
			l.n++
			label := fmt.Sprintf("@i%d x ∈ 0‥%d", l.n, l.n)
			if l.IntN(4) == 0 {
				label = "theorem " + label
			}
			l.word(label)
		}
	}
	if l.IntN(2) == 0 {
		l.word("variant")
		l.word("x")
	}
	if l.IntN(3) > 0 {
		l.word("events")
		l.word("event INITIALISATION")
		l.word("then")
		l.word("@a x ≔ 0")
		l.word("end")
	}
	l.word("end")
}

func layout(seed uint64) []byte {
	l := &layouts{Rand: rand.New(rand.NewPCG(seed, 29))}
	end := []string{"\n", "\n", "\r\n", "\r"}[l.IntN(4)]
	for i := range 1 + l.IntN(2) {
		if l.IntN(3) == 0 {
			l.gap()
		}
		l.machine(fmt.Sprintf("m%d", i))
	}
	text := l.out.String()
	if l.IntN(2) == 0 {
		text = strings.TrimRight(text, "\n ")
	}
	return []byte(strings.ReplaceAll(text, "\n", end))
}

func parse(t *testing.T, text []byte) *lang.File {
	t.Helper()
	var problems diag.List
	file := lang.Parse("m.eventb", text, &problems)
	if problems.HasErrors() {
		t.Fatalf("%v\n%q", problems.Sorted()[0], text)
	}
	return file
}

// said lists the invariants of all machines, and the comments: what a reader finds.
func said(file *lang.File) (out []string) {
	for _, c := range file.Components {
		out = append(out, c.Name.Text+" "+c.Doc)
		for _, p := range c.Invariants {
			out = append(out, fmt.Sprintf("%s theorem=%v %s", p.Label.Text, p.Theorem, p.Source.Text))
		}
		for _, e := range c.Events {
			out = append(out, e.Label.Text)
		}
	}
	return out
}

// TestInvariants inserts invariants in front of any other, in any layout: the text says then
// what it said, with these invariants at this place.
func TestInvariants(t *testing.T) {
	models := 6_000
	if testing.Short() {
		models = 1_000
	}
	inserted := 0
	for seed := range uint64(models) {
		src := layout(seed)
		file := parse(t, src)
		r := rand.New(rand.NewPCG(seed, 30))
		k := r.IntN(len(file.Components))
		at := r.IntN(len(file.Components[k].Invariants) + 1)
		var lines []string
		var added []*lang.Predicate
		for i := range 1 + r.IntN(2) {
			text := fmt.Sprintf("x ≤ %d", i)
			formula, _ := lang.ParsePredicate(text, lang.Text)
			lines = append(lines, fmt.Sprintf("  @new%d %s", i, text))
			added = append(added, &lang.Predicate{Label: lang.Name{Text: fmt.Sprint("new", i)}, Formula: formula, Source: lang.Source{Text: text}})
		}
		mean := func(f *lang.File) {
			f.Components[k].Invariants = slices.Insert(f.Components[k].Invariants, at, added...)
		}
		after, err := edit.Change("m.eventb", src, mean, edit.Invariants(src, file, file.Components[k], at, lines...))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s\n----\n%s", seed, err, src, after.Bytes())
		}
		// Without the comparison that Change makes: what a reader finds, and no text is lost.
		mean(file)
		is := parse(t, after.Bytes())
		if got, want := said(is), said(file); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %q instead of %q\n%s\n----\n%s", seed, got, want, src, after.Bytes())
		}
		rest := strings.Join(strings.Fields(string(after.Bytes())), " ")
		for _, word := range strings.Fields(string(src)) {
			i := strings.Index(rest, word)
			if i < 0 {
				t.Fatalf("seed %d: %q is lost\n%s\n----\n%s", seed, word, src, after.Bytes())
			}
			rest = rest[i+len(word):]
		}
		inserted++
	}
	t.Logf("%d insertions", inserted)
}

// TestChangeRefuses makes edits that say something else than is meant.
func TestChangeRefuses(t *testing.T) {
	const src = "machine m // about m\nvariables x\ninvariants\n  @i x ∈ ℤ /* two\n  lines */\ntheorems\n  @t x = x\nevents\n  event INITIALISATION\n  then\n    @a x ≔ 0\n  end\nend\n"
	for _, c := range []struct{ old, now string }{
		{"  @t x = x\n", "  @t x = x\n  @j x = x\n"},                                      // a theorem, not an invariant
		{"/* two\n", "/* two\n  @j x = x\n"},                                              // in a comment
		{"lines */\n", "lines */\n  @k x = x\n"},                                          // another label
		{"lines */\n", "lines */\n  @j x ≠ x\n"},                                          // another formula
		{"lines */\n", "lines */\n  @j x = x +\n"},                                        // not readable
		{"lines */\n", "lines\n  @j x = x */\n"},                                          // in a comment
		{"  @i x ∈ ℤ /* two\n  lines */\n", "  @i x ∈ ℤ\n  @j x = x\n"},                   // a comment less
		{"  @i x ∈ ℤ /*", "  @i x ∈ ℤ\n  @j x = x /*"},                                    // a comment that belongs to another now
		{"@a x ≔ 0", "@a x ≔ 1"},                                                          // something else
		{"lines */\n", "lines */\n  @j x = x\nend\nmachine n\nvariables x\ninvariants\n"}, // another component
	} {
		i := strings.Index(src, c.old)
		after, err := edit.Change("m.eventb", []byte(src), func(f *lang.File) {
			formula, _ := lang.ParsePredicate("x = x", lang.Text)
			f.Components[0].Invariants = slices.Insert(f.Components[0].Invariants, 1, &lang.Predicate{Label: lang.Name{Text: "j"}, Formula: formula})
		}, edit.Edit{From: i, To: i + len(c.old), With: c.now})
		if err == nil {
			t.Errorf("%q is taken for what is meant:\n%s", c.now, after.Bytes())
		}
	}
}
