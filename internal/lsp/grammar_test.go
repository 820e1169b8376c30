package lsp

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/gradine/gradine/logic/notation"
)

var update = flag.Bool("update", false, "write the grammar of the extension anew")

const extension = "../../editors/vscode"

// The grammar of TextMate is made from the table of operators, so that it cannot drift.
func TestGrammar(t *testing.T) {
	var words, signs, spellings []string
	add := func(texts ...string) {
		for _, text := range texts {
			switch first := []rune(text + " ")[0]; {
			case text == "" || slices.Contains(spellings, text):
			case unicode.IsLetter(first) && first != 'λ':
				words, spellings = append(words, text), append(spellings, text)
			default:
				signs, spellings = append(signs, text), append(spellings, text)
			}
		}
	}
	for _, e := range notation.All() {
		add(append([]string{e.Unicode}, e.ASCII...)...)
	}
	for _, s := range []notation.Sign{notation.Dot, notation.SuchThat, notation.BecomesEqual, notation.BecomesIn, notation.BecomesSuch} {
		add(s.Unicode, s.ASCII)
	}
	pattern := func(list []string) string {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b string) int { return len(b) - len(a) })
		for i := range list {
			list[i] = regexp.QuoteMeta(list[i])
		}
		return strings.Join(list, "|")
	}
	keywords := slices.Clone(reserved)
	slices.Sort(keywords)
	word := func(list []string) string {
		return `(?<![\p{L}\p{N}_])(?:` + pattern(list) + `)(?![\p{L}\p{N}_'])`
	}
	grammar := map[string]any{
		"scopeName": "source.eventb", "name": "Event-B", "fileTypes": []string{"eventb", "bucx", "bumx"},
		"patterns": []map[string]string{
			{"name": "comment.line.double-slash.eventb", "match": "//.*$"},
			{"name": "comment.block.eventb", "begin": `/\*`, "end": `\*/`},
			{"name": "entity.name.tag.eventb", "match": "@(?:`(?:[^`]|``)*`|[^`:@\\s]+):?"},
			{"name": "variable.other.quoted.eventb", "match": "`(?:[^`]|``)*`'?"},
			{"name": "keyword.control.eventb", "match": `(?i)` + word(keywords)},
			{"name": "support.function.eventb", "match": word(words)},
			{"name": "constant.numeric.eventb", "match": `(?<![\p{L}\p{N}_])\p{Nd}+`},
			{"name": "keyword.operator.eventb", "match": pattern(signs)},
		},
	}
	for name, value := range map[string]any{"eventb.tmLanguage.json": grammar, "operators.json": map[string]any{"spellings": spellings}} {
		var want bytes.Buffer
		encoder := json.NewEncoder(&want)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		if err := encoder.Encode(value); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(extension, "syntaxes", name)
		want = *bytes.NewBufferString(escaped(want.String()))
		if *update {
			if err := os.WriteFile(path, want.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s is not what the table of operators says (%v); run go test ./internal/lsp -run Grammar -update", path, err)
		}
	}
}

// What npm installs comes from wherever the user's npm looks: no host is written down.
func TestNoRegistry(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(extension, "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte(`"resolved"`)) {
		t.Error("package-lock.json names where packages come from; run npm install with --omit-lockfile-registry-resolved")
	}
}

// escaped writes the private characters of Rodin as JSON spells them in ASCII: no font
// shows them.
func escaped(text string) string {
	var w strings.Builder
	for _, r := range text {
		if unicode.Is(unicode.Co, r) {
			fmt.Fprintf(&w, "\\u%04x", r)
		} else {
			w.WriteRune(r)
		}
	}
	return w.String()
}
