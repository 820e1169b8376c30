package merge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/lang/scenario"
)

// Hints joins two edits of a file of proof hints: block by block.
func Hints(name string, base, ours, theirs []byte) (Result, error) {
	return blocks(name, base, ours, theirs, func(src string) ([]block, error) {
		var problems diag.List
		var out []block
		for _, b := range hints.Parse(name, []byte(src), &problems).Blocks {
			var patterns []string
			for _, p := range b.Patterns {
				patterns = append(patterns, p.Text)
			}
			out = append(out, block{"for", strings.Join(patterns, " "), b.Span})
		}
		return out, unreadable(&problems)
	})
}

// Scenarios joins two edits of a file of scenarios: scenario by scenario.
func Scenarios(name string, base, ours, theirs []byte) (Result, error) {
	return blocks(name, base, ours, theirs, func(src string) ([]block, error) {
		var problems diag.List
		var out []block
		for _, s := range scenario.Parse(name, []byte(src), &problems).Scenarios {
			out = append(out, block{"scenario", s.Name.Text + " of " + s.Machine.Text, s.Span})
		}
		return out, unreadable(&problems)
	})
}

func unreadable(problems *diag.List) error {
	if problems.HasErrors() {
		return errUnreadable
	}
	return nil
}

// block is a part of a file that begins on a line of its own and goes on until the next one.
type block struct {
	kind, name string
	first      diag.Span // its first line
}

// blocks joins texts that are lists of blocks. A block is one decision with its body; one
// that only has another first line is known by its body.
func blocks(name string, base, ours, theirs []byte, list func(src string) ([]block, error)) (Result, error) {
	read := func(src string) (*node, error) {
		all, err := list(src)
		if err != nil {
			return nil, err
		}
		return blockTree(src, all), nil
	}
	return outlined(name, base, ours, theirs, read)
}

// outlined joins texts whose trees have elements that are known by kind and name, or else by
// what stands below them.
func outlined(name string, base, ours, theirs []byte, read func(src string) (*node, error)) (Result, error) {
	var trees [3]*node
	for i, src := range [][]byte{base, ours, theirs} {
		var err error
		if trees[i], err = read(string(src)); err != nil {
			return Result{}, fmt.Errorf("%s of %s: %w", texts[i], name, err)
		}
		if twice := trees[i].twice(""); twice != "" {
			return Result{}, fmt.Errorf("%s of %s: two elements are called %s", texts[i], name, strings.Trim(twice, "/"))
		}
		byName(trees[i])
	}
	byBody(trees[0], trees[1])
	byBody(trees[0], trees[2])
	return (&joiner{}).join(name, trees, read)
}

// blockTree is the tree of a text of blocks, each with the comments in front of it.
func blockTree(src string, all []block) *node {
	root := &node{}
	// Comments and empty lines in front of a block belong to it.
	var starts []int
	for _, b := range all {
		starts = append(starts, above(src, b.first.From))
	}
	for i, b := range all {
		end := len(src)
		if i+1 < len(all) {
			end = starts[i+1]
		}
		if i == 0 {
			starts[0] = 0
		}
		line := lineEndOf(src, b.first.From)
		n := &node{kind: b.kind, name: b.name, heads: true, atomic: true, at: -1, head: src[starts[i]:line]}
		if body := src[line:end]; body != "" {
			n.children = []*node{{kind: "body", id: "body", at: -1, head: body}}
		}
		root.children = append(root.children, n)
	}
	if len(all) == 0 {
		root.tail = src
	}
	return root
}

// lineEndOf is where the line ends that has the given place, its line feed included.
func lineEndOf(src string, at int) int {
	if i := strings.IndexByte(src[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(src)
}

// above is where the empty lines and lines of comments begin that stand directly above a line.
func above(src string, at int) int {
	at = strings.LastIndexByte(src[:at], '\n') + 1
	for at > 0 {
		start := strings.LastIndexByte(src[:at-1], '\n') + 1
		line := src[start:at]
		// What is indented belongs to the block above.
		if text := strings.TrimSpace(line); text != "" && (!strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "#")) {
			break
		}
		at = start
	}
	return at
}

// byBody gives children of a side that no child of base is called like the id of one that is
// gone and has the same below it: it only has another name.
func byBody(base, side *node) {
	old, now := index(base), index(side)
	body := func(n *node) string {
		var out strings.Builder
		for _, c := range n.children {
			out.WriteString(c.raw())
		}
		return says(out.String())
	}
	for _, o := range base.children {
		if now[o.id] != nil || body(o) == "" {
			continue
		}
		i := slices.IndexFunc(side.children, func(c *node) bool { return old[c.id] == nil && c.kind == o.kind && body(c) == body(o) })
		if i >= 0 {
			delete(now, side.children[i].id)
			side.children[i].id = o.id
			now[o.id] = side.children[i]
		}
	}
	for _, c := range side.children {
		if old[c.id] == nil {
			c.id = "+" + c.id
		}
	}
}
