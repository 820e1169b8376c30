package merge

import (
	"fmt"
	"strings"
)

// Settings joins two edits of gradine.toml: table by table and key by key. Tables of a list are
// known by the obligation, the claim, the element of a gate or the name that they are about.
func Settings(name string, base, ours, theirs []byte) (Result, error) {
	return outlined(name, base, ours, theirs, tomlTree)
}

// tomlTree is the tree of a text in TOML: tables, and their keys with their values.
func tomlTree(src string) (*node, error) {
	root := &node{}
	table := root
	at := 0
	cut := func(end int) string {
		text := src[at:end]
		at = end
		return text
	}
	for here := 0; here < len(src); {
		line := lineEndOf(src, here)
		text := strings.TrimSpace(src[here:line])
		switch {
		// Blank lines and comments belong to what comes after them.
		case text == "" || strings.HasPrefix(text, "#"):
		case strings.HasPrefix(text, "["):
			header, _, _ := strings.Cut(text, "#")
			n := &node{kind: strings.TrimSpace(header), at: -1, heads: true, head: cut(line)}
			if !strings.HasPrefix(header, "[[") {
				n.kind, n.name = "table", strings.Trim(n.kind, "[] ")
			}
			root.children = append(root.children, n)
			table = n
		default:
			key, _, ok := strings.Cut(text, "=")
			end, closed := valueEnd(src, here+strings.Index(src[here:], "=")+1)
			if !ok || !closed {
				return nil, errUnreadable
			}
			line = lineEndOf(src, end)
			table.children = append(table.children, &node{kind: "key", name: strings.TrimSpace(key), at: -1, head: cut(line)})
		}
		here = line
	}
	root.tail = src[at:]
	// Tables of an array have no name, so one of their keys must tell them apart.
	for _, n := range root.children {
		if strings.HasPrefix(n.kind, "[[") {
			n.name = about(n)
		}
	}
	return root, nil
}

// about is what tells a table of a list from the others.
func about(n *node) string {
	value := func(key string) string {
		for _, c := range n.children {
			if c.name == key {
				_, v, _ := strings.Cut(c.head[strings.LastIndex(strings.TrimRight(c.head, "\n"), "\n")+1:], "=")
				return says(v)
			}
		}
		return ""
	}
	var parts []string
	for _, key := range []string{"project", "machine", "po", "claim", "gate", "element", "name"} {
		if v := value(key); v != "" {
			parts = append(parts, v)
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("%q", says(n.raw()))
	}
	return strings.Join(parts, " ")
}

// valueEnd is where the value that begins at a place ends: behind all brackets and quotes that
// it opens, on its last line. It reports false if something stays open.
func valueEnd(src string, at int) (int, bool) {
	depth := 0
	for at < len(src) {
		switch c := src[at]; {
		case c == '#':
			at = lineEndOf(src, at) - 1
			if depth == 0 || at < 0 {
				return max(at, 0), depth == 0
			}
		case c == '"' || c == '\'':
			end, ok := quoteEnd(src, at)
			if !ok {
				return 0, false
			}
			at = end
			continue
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == '\n' && depth == 0:
			return at, true
		}
		at++
	}
	return len(src), depth == 0
}

// quoteEnd is the place behind a text in quotes.
func quoteEnd(src string, at int) (int, bool) {
	mark := src[at : at+1]
	if strings.HasPrefix(src[at:], strings.Repeat(mark, 3)) {
		mark = strings.Repeat(mark, 3)
	}
	for i := at + len(mark); i < len(src); i++ {
		switch {
		case src[i] == '\\' && mark[0] == '"':
			i++
		case strings.HasPrefix(src[i:], mark):
			return i + len(mark), true
		case src[i] == '\n' && len(mark) == 1:
			return 0, false
		}
	}
	return 0, false
}
