package lsp

import (
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/internal/lsp/protocol"
)

// source is a text with its lines, to translate places. It never changes.
type source struct {
	text  string
	lines []int // byte at which each line begins
}

func newSource(text string) *source {
	s := &source{text: text, lines: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	return s
}

// lineEnd is the byte behind the last character of a line.
func (s *source) lineEnd(line int) int {
	if line+1 >= len(s.lines) {
		return len(s.text)
	}
	end := s.lines[line+1] - 1
	if end > s.lines[line] && s.text[end-1] == '\r' {
		end--
	}
	return end
}

// offset is the byte of a place; one behind the end of its line or of the text is
// taken for that end.
func (s *source) offset(p protocol.Position) int {
	if p.Line < 0 {
		return 0
	}
	if p.Line >= len(s.lines) {
		return len(s.text)
	}
	at, end := s.lines[p.Line], s.lineEnd(p.Line)
	for units := 0; at < end && units < p.Character; {
		char, n := utf8.DecodeRuneInString(s.text[at:])
		units += utf16Units(char)
		if units > p.Character {
			break // in the middle of a pair
		}
		at += n
	}
	return at
}

func utf16Units(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// position is the place of a byte.
func (s *source) position(at int) protocol.Position {
	at = max(0, min(at, len(s.text)))
	line, found := slices.BinarySearch(s.lines, at)
	if !found {
		line--
	}
	p := protocol.Position{Line: line}
	for _, char := range s.text[s.lines[line]:at] {
		p.Character += utf16Units(char)
	}
	return p
}

func (s *source) span(from, to int) protocol.Range {
	return protocol.Range{Start: s.position(from), End: s.position(to)}
}

// all is the range of the whole text.
func (s *source) all() protocol.Range { return s.span(0, len(s.text)) }

// changed returns the text after a change.
func (s *source) changed(c protocol.TextChange) string {
	if c.Range == nil {
		return c.Text
	}
	from, to := s.offset(c.Range.Start), s.offset(c.Range.End)
	if to < from {
		from, to = to, from
	}
	return s.text[:from] + c.Text + s.text[to:]
}

// pathOf is the path that a URI of a file names, "" if it names none on this machine.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || u.Path == "" {
		return ""
	}
	path := u.Path
	if runtime.GOOS == "windows" && len(path) > 2 && path[2] == ':' {
		path = path[1:] // /C:/…
	}
	return filepath.Clean(filepath.FromSlash(path))
}

// uriOf is the URI of a file.
func uriOf(path string) string {
	if abs, err := filepath.Abs(filepath.FromSlash(path)); err == nil {
		path = abs
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
