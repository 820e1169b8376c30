package check

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
)

var (
	words    = regexp.MustCompile(`[A-Za-z_][A-Za-z_0-9]*|@\S+|[0-9]+|[^\sA-Za-z_0-9@]`)
	clauses  = regexp.MustCompile(`(?i)\b(context|machine|extends|sets|constants|axioms|refines|sees|variables|invariants|variant|events|event|ordinary|convergent|anticipated|any|where|when|with|then|end)\b`)
	comments = regexp.MustCompile(`//[^\n]*`)
)

// TestCorruptedToken spoils one token of a model. There is an error in the clause
// of that token, and few others: of what follows from it nothing is shown.
func TestCorruptedToken(t *testing.T) {
	n := 150
	if os.Getenv("GRADINE_SWEEP") != "" {
		n = 20_000
	}
	var sources []string
	for _, pattern := range []string{"../../machines/gpu/*.eventb", "../../contexts/gpu/*.eventb"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			sources = append(sources, comments.ReplaceAllString(string(data), ""))
		}
	}
	parsed := make([]*lang.File, len(sources))
	for i, src := range sources {
		parsed[i] = lang.Parse(fmt.Sprint(i), []byte(src), &diag.List{})
	}
	r := rand.New(rand.NewPCG(1, 2))
	var counts []int
	elsewhere, many := 0, 0
	for range n {
		i := r.IntN(len(sources))
		spoilt, at := corrupt(r, sources[i])
		var diags diag.List
		files := slices.Clone(parsed)
		files[i] = lang.Parse(fmt.Sprint(i), []byte(spoilt), &diags)
		Development("p", files, &diags)
		if !diags.HasErrors() {
			continue // another model
		}
		from, to := clauseAround(spoilt, at)
		shown, near := 0, false
		var texts []string
		for _, d := range diags.Sorted() {
			near = near || d.Span.File == fmt.Sprint(i) && from <= d.Span.From && d.Span.From <= to
			for _, note := range d.Notes {
				near = near || note.Span.File == fmt.Sprint(i) && from <= note.Span.From && note.Span.From <= to
			}
			// A name that is gone is missed where it is used.
			near = near || strings.Contains(sources[i][from:min(to, len(sources[i]))], strings.Trim(quoted(d.Message), "`"))
			if !d.Follows {
				shown++
				texts = append(texts, d.Error())
			}
		}
		counts = append(counts, shown)
		if shown > 3 {
			many++
			t.Logf("%d messages: %s\n  %s", shown, line(spoilt, at), strings.Join(texts, "\n  "))
		}
		if !near {
			elsewhere++
			t.Logf("elsewhere: %s\n  %s", line(spoilt, at), strings.Join(texts, "\n  "))
		}
	}
	slices.Sort(counts)
	t.Logf("%d corrupted models: median of %d messages, more than 3 in %d, the error elsewhere in %d", len(counts), counts[len(counts)/2], many, elsewhere)
	// One in fifty, and two by chance: the short form looks at a hundred.
	if most := 2 + len(counts)/50; counts[len(counts)/2] != 1 || many > most || elsewhere > most {
		t.Errorf("of %d: %d have more than three messages, %d none at the place; the median is %d", len(counts), many, elsewhere, counts[len(counts)/2])
	}
}

func quoted(message string) string {
	if i := strings.IndexByte(message, '`'); i >= 0 {
		if j := strings.IndexByte(message[i+1:], '`'); j >= 0 {
			return message[i : i+j+2]
		}
	}
	return "\x00"
}

func line(src string, at int) string {
	from := strings.LastIndexByte(src[:at], '\n') + 1
	rest, _, _ := strings.Cut(src[from:], "\n")
	return fmt.Sprintf("%d: %s", strings.Count(src[:at], "\n")+1, rest)
}

// clauseAround is the range of the clause that offset at stands in, with the
// keywords on both sides.
func clauseAround(src string, at int) (from, to int) {
	to = len(src)
	for _, m := range clauses.FindAllStringIndex(src, -1) {
		if m[1] <= at {
			from = m[0]
		}
		if m[0] > at {
			return from, m[1]
		}
	}
	return from, to
}

// corrupt spoils a token of src, and says where.
func corrupt(r *rand.Rand, src string) (string, int) {
	all := words.FindAllStringIndex(src, -1)
	i := r.IntN(len(all))
	from, to := all[i][0], all[i][1]
	word := []rune(src[from:to])
	other := all[r.IntN(len(all))]
	switch k := r.IntN(len(word)); r.IntN(6) {
	case 0:
		word = nil
	case 1:
		word = slices.Delete(slices.Clone(word), k, k+1)
	case 2:
		word = slices.Insert(slices.Clone(word), k, word[k])
	case 3:
		word[k], word[max(0, k-1)] = word[max(0, k-1)], word[k]
	case 4:
		word = []rune(src[other[0]:other[1]])
	case 5:
		word = append(append(slices.Clone(word), ' '), word...)
	}
	return src[:from] + string(word) + src[to:], from
}
