package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var (
	inline  = regexp.MustCompile("`[^`\n]*`")
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// TestLinks: each relative link of a document leads to a file that exists, and its fragment to a heading of that file.
func TestLinks(t *testing.T) {
	adrs, err := filepath.Glob(filepath.Join(root, "docs", "adr", "*.md"))
	must(err)
	n := 0
	for _, name := range append(documents(t), append(adrs, filepath.Join(root, "CHANGELOG.md"), filepath.Join(root, "SECURITY.md"))...) {
		data, err := os.ReadFile(name)
		must(err)
		for _, m := range link.FindAllStringSubmatch(inline.ReplaceAllString(fenced.ReplaceAllString(string(data), ""), ""), -1) {
			file, fragment, _ := strings.Cut(m[1], "#")
			if strings.Contains(file, "://") || strings.HasPrefix(file, "mailto:") {
				continue
			}
			n++
			target := name
			if file != "" {
				target = filepath.Join(filepath.Dir(name), filepath.FromSlash(file))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s: no such file", name, m[1])
				continue
			}
			if fragment == "" {
				continue
			}
			text, err := os.ReadFile(target)
			must(err)
			found := false
			for _, h := range heading.FindAllStringSubmatch(string(text), -1) {
				found = found || anchor(h[1]) == fragment
			}
			if !found {
				t.Errorf("%s: %s: no such heading", name, m[1])
			}
		}
	}
	if n < 60 {
		t.Errorf("only %d links found", n)
	}
}

// anchor is the fragment by which a link names a heading, as forges derive it.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// TestDocumentsIndexed: docs/README.md links to each document.
func TestDocumentsIndexed(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "docs", "README.md"))
	must(err)
	for _, name := range documents(t) {
		path, err := filepath.Rel(filepath.Join(root, "docs"), name)
		must(err)
		if path = filepath.ToSlash(path); path != "README.md" && !strings.HasPrefix(path, "../") && !strings.Contains(string(data), "]("+path+")") {
			t.Errorf("docs/README.md does not link to %s", path)
		}
	}
}
