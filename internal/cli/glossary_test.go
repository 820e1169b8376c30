package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ordinary are terms of the glossary that are also everyday words. Authors decide where these are links.
var ordinary = []string{"accurate", "bounded", "budget", "complete", "element", "entry", "inconsistent", "instance", "open", "point", "proved", "refuted", "scope", "strategy", "trace", "variant", "verified"}

// unlinked matches the parts of a page that get no links: code, generated tables, comments, headings and texts of links.
var unlinked = regexp.MustCompile("(?ms)^```.*?^```$|^<!-- [a-z]+(?::[^>]*)? -->$.*?^<!-- end[^>]*-->$|^(?:    |\t)[^\n]*|^#[^\n]*|<!--.*?-->|`[^`\n]*`|!?\\[[^\\]]*\\]\\([^)\\s]*\\)")

// TestGlossary: the first use of each term on a page is a link to its definition. With -update the missing links are added.
func TestGlossary(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "docs", "glossary.md"))
	must(err)
	var terms []string
	for _, m := range heading.FindAllStringSubmatch(string(data), -1) {
		if slices.Contains(terms, m[1]) {
			t.Errorf("docs/glossary.md defines %s twice", m[1])
		}
		terms = append(terms, m[1])
	}
	// The longest terms come first, so that a shorter one is not linked inside them.
	slices.SortStableFunc(terms, func(a, b string) int { return len(b) - len(a) })
	n := 0
	for _, page := range documents(t) {
		rel, err := filepath.Rel(filepath.Join(root, "docs"), page)
		must(err)
		if rel = filepath.ToSlash(rel); strings.HasPrefix(rel, "../") || rel == "README.md" || rel == "glossary.md" {
			continue
		}
		data, err := os.ReadFile(page)
		must(err)
		text, rest, cut := strings.Cut(string(data), generated)
		to := strings.Repeat("../", strings.Count(rel, "/")) + "glossary.md#"
		old, skip := text, unlinked.FindAllStringIndex(text, -1)
		for _, term := range terms {
			if slices.Contains(ordinary, term) || strings.Contains(text, "]("+to+anchor(term)+")") {
				n++
				continue
			}
			from, end := firstUse(text, term, skip)
			if from < 0 {
				continue
			}
			n++
			if !*update {
				t.Errorf("%s: the first %q is no link to the glossary; go test ./internal/cli -run TestGlossary -update adds it", rel, term)
				continue
			}
			text = text[:from] + "[" + text[from:end] + "](" + to + anchor(term) + ")" + text[end:]
			skip = unlinked.FindAllStringIndex(text, -1)
		}
		if text != old {
			if cut {
				text += generated + rest
			}
			must(os.WriteFile(page, []byte(text), 0o666))
		}
	}
	if n < 500 {
		t.Errorf("only %d uses found", n)
	}
}

// firstUse finds the first use of a term, in the singular or plural, outside of the parts to skip; -1 if there is none.
func firstUse(text, term string, skip [][]int) (from, end int) {
	letter := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] >= 'a' && text[i] <= 'z' || text[i] >= 'A' && text[i] <= 'Z' || text[i] >= 0x80)
	}
	stem, y := strings.CutSuffix(term, "y")
	endings := []string{"s", ""}
	if y {
		endings = []string{"ies", "y"}
	}
	for from := 0; from+len(stem) <= len(text); from++ {
		if text[from]|0x20 != stem[0]|0x20 || letter(from-1) || !strings.EqualFold(text[from:from+len(stem)], stem) {
			continue
		}
		for _, e := range endings {
			end := from + len(stem) + len(e)
			if strings.HasPrefix(text[from+len(stem):], e) && !letter(end) && !slices.ContainsFunc(skip, func(s []int) bool { return from < s[1] && s[0] < end }) {
				return from, end
			}
		}
	}
	return -1, -1
}
