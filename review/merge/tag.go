package merge

import (
	"encoding/xml"
	"slices"
	"strings"
)

// tag is the start tag in a text, and its attributes in their order.
type tag struct {
	from, to   int
	attributes []attribute
}

// attribute is an attribute of a tag: what it says, and where it stands with the space before it
// and where its value does, between the quotes.
type attribute struct {
	name, value                  string
	from, valueFrom, valueTo, to int
}

// startTag finds the first start tag of a text; the root stands behind the declaration of its file.
func startTag(text string) (t tag) {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		t.from = int(d.InputOffset())
		token, err := d.Token()
		if err != nil {
			return tag{}
		}
		if start, ok := token.(xml.StartElement); ok {
			t.to = int(d.InputOffset())
			t.find(text, start.Attr)
			return t
		}
	}
}

// find notes where the attributes of a tag stand; they stand in their order, and XML allows no
// second one of a name.
func (t *tag) find(text string, attributes []xml.Attr) {
	space := func(i int) int { return i + len(text[i:t.to]) - len(strings.TrimLeft(text[i:t.to], " \t\r\n")) }
	at := t.from + strings.IndexAny(text[t.from:t.to], " \t\r\n/>")
	for _, a := range attributes {
		found := attribute{value: a.Value, from: at}
		name := space(at)
		equals := name + strings.IndexByte(text[name:t.to], '=')
		found.name = strings.TrimSpace(text[name:equals])
		found.valueFrom = space(equals+1) + 1
		found.valueTo = found.valueFrom + strings.IndexByte(text[found.valueFrom:t.to], text[found.valueFrom-1])
		found.to = found.valueTo + 1
		at = found.to
		t.attributes = append(t.attributes, found)
	}
}

func (t tag) attribute(name string) *attribute {
	for i := range t.attributes {
		if t.attributes[i].name == name {
			return &t.attributes[i]
		}
	}
	return nil
}

// said is what an attribute says, and whether there is one.
func (a *attribute) said() (string, bool) {
	if a == nil {
		return "", false
	}
	return a.value, true
}

// attributes joins what stands before the children of an element attribute by attribute. What
// stands around the tag is one decision.
func attributes(base, ours, theirs string) (string, bool) {
	b, o, t := startTag(base), startTag(ours), startTag(theirs)
	before, ok := three(base[:b.from], ours[:o.from], theirs[:t.from])
	after, fits := three(base[b.to:], ours[o.to:], theirs[t.to:])
	if !ok || !fits || b.to == 0 || o.to == 0 || t.to == 0 {
		return "", false
	}
	type change struct {
		from, to int
		text     string
	}
	var changes []change
	for _, a := range o.attributes {
		was, had := b.attribute(a.name).said()
		is, has := t.attribute(a.name).said()
		switch {
		case has == had && is == was || has && is == a.value: // ours, or both alike
		case !had || a.value != was:
			return "", false
		case !has:
			changes = append(changes, change{a.from, a.to, ""})
		default:
			r := t.attribute(a.name)
			changes = append(changes, change{a.valueFrom - 1, a.to, theirs[r.valueFrom-1 : r.to]})
		}
	}
	end := o.from + len(strings.TrimRight(strings.TrimSuffix(ours[o.from:o.to], ">"), "/ \t\r\n"))
	for _, a := range t.attributes {
		if o.attribute(a.name) != nil {
			continue
		}
		switch was, had := b.attribute(a.name).said(); {
		case !had:
			changes = append(changes, change{end, end, theirs[a.from:a.to]})
		case was != a.value:
			return "", false // ours removed it
		}
	}
	out := ours[:o.to]
	for _, c := range slices.Backward(changes) {
		out = out[:c.from] + c.text + out[c.to:]
	}
	return before + out[o.from:] + after, true
}

// escaped is a value between double quotes, as Rodin writes it.
func escaped(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\"", "&quot;").Replace(text)
}
