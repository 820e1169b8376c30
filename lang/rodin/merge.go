package rodin

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
)

// update returns the content of a file that holds root and, of the old content
// data, all that the text of a model does not say: element names, by which other
// plug-ins refer to elements, and the elements and attributes of those plug-ins.
// If nothing else has changed, the answer is data itself, byte by byte.
func update(name string, data []byte, root *element) []byte {
	old, current := parseOwned(name, data)
	if !current || old.kind != root.kind {
		// A file of another version says things in other words, and one that
		// cannot be read has nothing to keep.
		root.nameChildren()
		return encode(root, "\t")
	}
	merged := merge(old, root)
	if old.same(merged) {
		return data
	}
	// A copy of the model as text is stale now: Camille makes it again.
	merged.attrs = slices.DeleteFunc(merged.attrs, func(attr attribute) bool { return strings.HasPrefix(attr.name, "org.eventb.texttools.") })
	merged.nameChildren()
	indent := "\t"
	if bytes.Contains(data, []byte("\n    <")) {
		indent = "    "
	}
	return encode(merged, indent)
}

// parseOwned reads a file, and marks as read what becomes a part of a component.
// It is current if its version is the newest.
func parseOwned(name string, data []byte) (root *element, current bool) {
	var problems diag.List
	root, f := parseXML(data, newLineTable(name, data))
	if f != nil {
		return nil, false
	}
	r := &reader{file: name, problems: &problems}
	c := r.component(root)
	return root, c != nil && !r.oldSyntax
}

// merge returns e with what old has that e, made from text, cannot say: attributes that gradine does not read, internal
// names, values spelled otherwise, and elements of plug-ins. Writing an unchanged project changes no byte.
func merge(old, e *element) *element {
	out := &element{kind: e.kind, raw: old.raw}
	for _, attr := range e.attrs {
		if was, ok := old.get(attr.name); ok && sameValue(attr.name, was.value, attr.value) {
			attr.value = was.value
		}
		out.attrs = append(out.attrs, attr)
	}
	for _, a := range old.attrs {
		if !slices.ContainsFunc(e.attrs, func(b attribute) bool { return a.name == b.name }) && (!a.read || a.name == "name" || isDefault(a)) {
			out.attrs = append(out.attrs, a)
		}
	}
	used := map[*element]bool{}
	for _, c := range e.children {
		match := slices.IndexFunc(old.children, func(o *element) bool { return !used[o] && o.read && o.kind == c.kind && o.base() == c.base() })
		if match >= 0 {
			used[old.children[match]] = true
			c = merge(old.children[match], c)
		}
		out.children = append(out.children, c)
	}
	// What was not understood is kept, behind what was written.
	for _, c := range old.children {
		if !c.read {
			out.children = append(out.children, c)
		}
	}
	return out
}

// isDefault reports whether a says what its absence says, too.
func isDefault(a attribute) bool {
	return a.name == "comment" && strings.TrimSpace(a.value) == "" || a.name == "theorem" && a.value == "false" || a.name == "label" && a.value == defaultVariant
}

// sameValue reports whether two values of an attribute say the same.
func sameValue(name, old, now string) bool {
	switch name {
	case "predicate":
		return sameFormula(old, now, lang.ParsePredicate)
	case "expression":
		return sameFormula(old, now, lang.ParseExpression)
	case "assignment":
		x, problems := lang.ParseAssignment(old, lang.Stored)
		y, more := lang.ParseAssignment(now, lang.Stored)
		return len(problems)+len(more) == 0 && x.StoredText() == y.StoredText()
	case "comment":
		return sameComment(old, now)
	case "configuration":
		return slices.Contains(strings.Split(old, ";"), now)
	}
	return old == now
}

func sameFormula(old, now string, parse parser) bool {
	x, problems := parse(old, lang.Stored)
	y, more := parse(now, lang.Stored)
	return len(problems)+len(more) == 0 && lang.StoredText(x) == lang.StoredText(y)
}

// sameComment compares comments as a text file keeps them: without the blanks
// around lines.
func sameComment(old, now string) bool {
	tidy := func(s string) (lines []string) {
		for line := range strings.Lines(strings.TrimSpace(strings.ReplaceAll(s, "\r", "\n"))) {
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, line)
			}
		}
		return lines
	}
	return slices.Equal(tidy(old), tidy(now))
}

// same reports whether two elements say the same. The order of elements has a
// meaning within one kind only.
func (e *element) same(other *element) bool {
	if e.kind != other.kind || len(e.attrs) != len(other.attrs) || len(e.children) != len(other.children) {
		return false
	}
	for _, a := range e.attrs {
		if b, ok := other.get(a.name); !ok || a.value != b.value {
			return false
		}
	}
	byKind := func(list []*element) []*element {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b *element) int { return strings.Compare(a.kind, b.kind) })
		return list
	}
	return slices.EqualFunc(byKind(e.children), byKind(other.children), (*element).same)
}
