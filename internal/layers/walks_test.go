package layers

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var stepOfWalk = regexp.MustCompile(`[→↩]|[a-z][a-z0-9/]*`)

// TestWalks compares the walks in docs/architecture.md with the import clauses: a package hands data on to packages that it imports,
// and gets back what it handed on. The numbers are those of the rows.
func TestWalks(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, walks, _ := strings.Cut(string(text), "\n## Three walks\n")
	walks, _, _ = strings.Cut(walks, "\n## ")
	imported := imports(t)
	seen := 0
	for line := range strings.Lines(walks) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || !strings.ContainsRune(cells[2], '→') {
			continue
		}
		seen++
		met, returns := map[string]bool{}, 0
		var stack []string // the packages that have handed the datum on, and wait for it
		back := false
		for _, step := range stepOfWalk.FindAllString(cells[2], -1) {
			switch {
			case step == "→" || step == "↩":
				back = step == "↩"
				continue
			case back:
				returns++
				if stack = stack[:len(stack)-1]; len(stack) == 0 || stack[len(stack)-1] != step {
					t.Errorf("%s: the datum returns to %s, which did not hand it on", cells[1], step)
					return
				}
			default:
				if len(stack) > 0 && !slices.Contains(imported[stack[len(stack)-1]], module+step) {
					t.Errorf("%s: %s does not import %s", cells[1], stack[len(stack)-1], step)
				}
				stack = append(stack, step)
			}
			met[step] = true
		}
		if got, want := [2]string{strconv.Itoa(len(met)), strconv.Itoa(returns)}, [2]string{strings.TrimSpace(cells[3]), strings.TrimSpace(cells[4])}; got != want {
			t.Errorf("%s: %s packages and %s returns, and the document says %s and %s", cells[1], got[0], got[1], want[0], want[1])
		}
	}
	if seen != 3 {
		t.Errorf("%d walks", seen)
	}
}
