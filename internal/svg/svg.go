// Package svg sanitises pictures: it keeps drawing elements, and removes anything that could
// execute, load or link.
package svg

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// drawing are the elements that are kept; all others are dropped with what is in them.
var drawing = strings.Fields("svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title desc linearGradient radialGradient stop clipPath mask pattern marker")

var (
	plainName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
	local     = regexp.MustCompile(`^\s*url\(\s*["']?#[A-Za-z0-9_.-]+["']?\s*\)\s*$`)
	reference = regexp.MustCompile(`^#[A-Za-z0-9_.-]+$`)
)

// Attribute reports whether an attribute with this value only draws.
func Attribute(name, value string) bool {
	lower, text := strings.ToLower(name), strings.ToLower(value)
	switch {
	case !plainName.MatchString(name), strings.HasPrefix(lower, "on"), lower == "style", lower == "src", lower == "srcdoc", lower == "xmlns":
		return false
	case lower == "href":
		return reference.MatchString(value)
	case strings.Contains(text, "url"), strings.Contains(text, `\`): // a reference, or an escape that could spell one
		return local.MatchString(value)
	}
	return true
}

// maxDepth bounds the nesting of elements.
const maxDepth = 200

// Clean returns the picture without what does not draw, and the names of what was dropped. An error says why the text
// is no picture.
func Clean(data []byte) (out string, dropped []string, err error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	var b strings.Builder
	depth := 0
	drop := func(what string) {
		if !slices.Contains(dropped, what) {
			dropped = append(dropped, what)
		}
	}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", nil, fmt.Errorf("no SVG: %w", err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			if depth == 0 && (b.Len() > 0 || x.Name.Local != "svg") {
				return "", nil, errors.New("no SVG: it needs one element svg")
			}
			if !slices.Contains(drawing, x.Name.Local) || x.Name.Space != "" && x.Name.Space != "http://www.w3.org/2000/svg" {
				drop("element " + x.Name.Local)
				if err := d.Skip(); err != nil {
					return "", nil, fmt.Errorf("no SVG: %w", err)
				}
				continue
			}
			if depth++; depth > maxDepth {
				return "", nil, fmt.Errorf("elements are nested more than %d deep", maxDepth)
			}
			begin(&b, x, drop)
		case xml.EndElement:
			depth--
			fmt.Fprintf(&b, "</%s>", x.Name.Local)
		case xml.CharData:
			if depth > 0 {
				_ = xml.EscapeText(&b, x) // a builder takes all
			}
		}
	}
	if b.Len() == 0 {
		return "", nil, errors.New("no SVG: it is empty")
	}
	return b.String(), dropped, nil
}

// begin writes the start of an element with the attributes that draw.
func begin(b *strings.Builder, x xml.StartElement, drop func(string)) {
	b.WriteString("<" + x.Name.Local)
	for _, a := range x.Attr {
		switch {
		case a.Name.Space == "xmlns" || a.Name.Local == "xmlns": // the page knows what svg is
			continue
		case a.Name.Space != "" && a.Name.Local != "href", !Attribute(a.Name.Local, a.Value):
			drop("attribute " + a.Name.Local)
			continue
		}
		fmt.Fprintf(b, ` %s="`, a.Name.Local)
		_ = xml.EscapeText(b, []byte(a.Value)) // a builder takes all
		b.WriteByte('"')
	}
	b.WriteByte('>')
}
