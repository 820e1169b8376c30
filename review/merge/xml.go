package merge

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/review"
)

// core begins the names of Rodin's elements and attributes.
const core = "org.eventb.core."

// element is what the tree of a file of Rodin's keeps of an element.
type element struct {
	internal string // the name by which Rodin's database knows it
	label    string // what people call it; "" if it has no label
}

// Rodin joins two edits of a context or a machine of Rodin: elements are known by their
// internal names, and new ones by their labels. Where both sides give new elements one
// internal name, that of theirs gets another: Rodin wants them unique.
func Rodin(name string, base, ours, theirs []byte) (Result, error) {
	var trees [3]*node
	known := map[*node]element{}
	read := func(src string) (*node, error) { return xmlTree([]byte(src), known) }
	for i, src := range [][]byte{base, ours, theirs} {
		var err error
		if trees[i], err = read(string(src)); err != nil {
			return Result{}, fmt.Errorf("%s of %s: %w", texts[i], name, err)
		}
	}
	if text, ok := unchanged(trees); ok {
		return Result{Text: []byte(text)}, nil
	}
	x := &rodinMatch{known: known}
	x.internal(trees[0])
	j := &joiner{heads: attributes}
	for i := range j.torn {
		split := splitEvents(name, base, [][]byte{ours, theirs}[i])
		j.torn[i] = map[string][]string{}
		x.match(trees[0], trees[i+1], split, j.torn[i])
	}
	x.distinct(trees[0], trees[1], trees[2])
	x.distinct(trees[0], trees[2], trees[1])
	return j.join(name, trees, read)
}

// splitEvents are the labels of events that are several on a side, with those of what they
// are there.
func splitEvents(name string, base, side []byte) map[string][]string {
	out := map[string][]string{}
	var problems diag.List
	was, is := rodin.ParseRenamed(name, base, &problems), rodin.ParseRenamed(name, side, &problems)
	if was == nil || is == nil {
		return out
	}
	for _, s := range review.MatchTexts(was, is).Splits {
		for _, e := range s.New {
			out[s.Old.Label] = append(out[s.Old.Label], e.Label)
		}
	}
	return out
}

// xmlTree is the tree of a file of Rodin's.
func xmlTree(src []byte, known map[*node]element) (*node, error) {
	d := xml.NewDecoder(bytes.NewReader(src))
	root := &node{}
	open := []*node{root}
	at := 0
	cut := func() string {
		text := string(src[at:d.InputOffset()])
		at = int(d.InputOffset())
		return text
	}
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, errUnreadable
		}
		top := open[len(open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			n := &node{kind: strings.TrimPrefix(token.Name.Local, core), at: -1, head: cut()}
			e := element{attribute(token, "name"), attribute(token, core+"label")}
			if e.label == "" {
				e.label = attribute(token, core+"identifier")
			}
			if e.label == "" {
				e.label = attribute(token, core+"target")
			}
			n.name = e.label
			n.heads = n.kind == "event"
			known[n] = e
			top.children = append(top.children, n)
			open = append(open, n)
		case xml.EndElement:
			// An end tag begins its line, and its text is that of the element.
			top.tail = cut()
			open = open[:len(open)-1]
		}
	}
	if len(root.children) == 0 {
		return nil, errUnreadable
	}
	root.tail += string(src[at:])
	settle(root)
	return root, nil
}

// settle makes the tail of an element without children part of its head, so that it is one text.
func settle(n *node) {
	if len(n.children) == 0 {
		n.head, n.tail = n.head+n.tail, ""
	}
	for _, c := range n.children {
		settle(c)
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// rodinMatch gives the elements of files of Rodin's their ids.
type rodinMatch struct{ known map[*node]element }

// internal gives the elements of the common ancestor ids by their internal names.
func (x *rodinMatch) internal(n *node) {
	taken := map[string]bool{}
	for _, c := range n.children {
		unique(c, c.kind+" "+x.known[c].internal, taken)
		x.internal(c)
	}
}

// match gives the elements of a side the ids that they have in the common ancestor: by
// internal name, or else by label. An event that is several there is none of these.
func (x *rodinMatch) match(base, side *node, split map[string][]string, torn map[string][]string) {
	taken := map[string]bool{}
	from := map[*node]*node{}
	for _, same := range []func(old, now element) bool{
		func(old, now element) bool { return old.internal == now.internal },
		func(old, now element) bool { return old.label != "" && old.label == now.label },
	} {
		for _, c := range side.children {
			if from[c] != nil || base == nil {
				continue
			}
			i := slices.IndexFunc(base.children, func(o *node) bool {
				return o.kind == c.kind && !taken[o.id] && same(x.known[o], x.known[c]) && !(o.kind == "event" && len(split[o.name]) > 0)
			})
			if i >= 0 {
				from[c] = base.children[i]
				c.id = from[c].id
				taken[c.id] = true
			}
		}
	}
	for _, c := range side.children {
		if from[c] == nil {
			name := c.name
			if name == "" {
				name = x.known[c].internal
			}
			unique(c, "+"+c.kind+" "+name, taken)
		}
		x.match(from[c], c, split, torn)
	}
	if base == nil {
		return
	}
	for _, o := range base.children {
		for _, label := range split[o.name] {
			i := slices.IndexFunc(side.children, func(c *node) bool { return c.kind == "event" && c.name == label })
			if o.kind == "event" && i >= 0 {
				torn[o.id] = append(torn[o.id], side.children[i].id)
			}
		}
	}
}

// distinct gives the new elements of a side internal names that nothing else at their place has.
func (x *rodinMatch) distinct(base, other, side *node) {
	taken := map[string]string{} // internal name with kind → id
	names := map[string]bool{}
	for _, n := range []*node{base, other} {
		if n == nil {
			continue
		}
		for _, c := range n.children {
			taken[c.kind+" "+x.known[c].internal] = c.id
			names[x.known[c].internal] = true
		}
	}
	for _, c := range side.children {
		names[x.known[c].internal] = true
	}
	for _, c := range side.children {
		e := x.known[c]
		if id, ok := taken[c.kind+" "+e.internal]; ok && id != c.id && strings.HasPrefix(c.id, "+") {
			fresh := e.internal
			for i := 1; names[fresh]; i++ {
				fresh = fmt.Sprintf("%s_%d", e.internal, i)
			}
			names[fresh] = true
			c.head = withName(c.head, fresh)
			x.known[c] = element{fresh, e.label}
		}
		x.distinct(find(base, c.id), find(other, c.id), c)
	}
}

func find(n *node, id string) *node {
	if n == nil {
		return nil
	}
	for _, c := range n.children {
		if c.id == id {
			return c
		}
	}
	return nil
}

// withName is a start tag with another internal name.
func withName(head, name string) string {
	at := strings.Index(head, " name=")
	if at < 0 || at+len(" name=")+1 > len(head) {
		return head
	}
	value := head[at+len(" name="):]
	end := strings.IndexByte(value[1:], value[0])
	if end < 0 {
		return head
	}
	return head[:at] + " name=" + value[:1] + escaped(name) + value[end+1:]
}

func escaped(text string) string {
	var out bytes.Buffer
	xml.EscapeText(&out, []byte(text)) //nolint:errcheck // a buffer takes everything
	return out.String()
}

// attributes joins what stands before the children of an element attribute by attribute.
func attributes(base, ours, theirs string) (string, bool) {
	var tags [3]xml.StartElement
	for i, text := range []string{base, ours, theirs} {
		// The root stands behind the declaration of the file.
		d := xml.NewDecoder(strings.NewReader(text))
		for {
			token, err := d.Token()
			if err != nil {
				return "", false
			}
			if start, ok := token.(xml.StartElement); ok {
				tags[i] = start
				break
			}
		}
	}
	out := ours
	seen := map[string]bool{}
	for _, tag := range tags {
		for _, a := range tag.Attr {
			name := a.Name.Local
			if seen[name] {
				continue
			}
			seen[name] = true
			o, n, t := attribute(tags[0], name), attribute(tags[1], name), attribute(tags[2], name)
			switch {
			case n == t || t == o:
			case n != o:
				return "", false
			default: // theirs alone changed it
				was, is := fmt.Sprintf("%s=\"%s\"", name, escaped(n)), fmt.Sprintf("%s=\"%s\"", name, escaped(t))
				if strings.Count(out, was) != 1 {
					return "", false // new, or spelt in another way
				}
				out = strings.Replace(out, was, is, 1)
			}
		}
	}
	return out, true
}
