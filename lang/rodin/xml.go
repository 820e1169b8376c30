package rodin

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/diag"
)

// Limits on one file. Rodin's own files nest two deep below the root.
const (
	maxFileSize = 64 << 20
	maxDepth    = 16
)

// prefix begins the names of all elements and attributes of Event-B.
const prefix = "org.eventb.core."

// element is an element of a Rodin file.
type element struct {
	kind     string // element name, without prefix
	raw      string // the name as the file has it; "" if it was not read from one
	attrs    []attribute
	children []*element
	span     diag.Span // the start tag
	read     bool      // it has become a part of the component
}

// attribute is an attribute as the file has it; span covers its raw value.
type attribute struct {
	name, value string
	raw         string // the name as the file has it; "" if it was not read from one
	span        diag.Span
	read        bool
}

// get returns the attribute called name, and whether e has it.
func (e *element) get(name string) (attribute, bool) {
	for i, a := range e.attrs {
		if a.name == name {
			e.attrs[i].read = true
			return a, true
		}
	}
	return attribute{span: e.span}, false
}

// twice returns the name of an attribute that e has twice, or "".
func (e *element) twice() string {
	for i, a := range e.attrs {
		if slices.ContainsFunc(e.attrs[:i], func(b attribute) bool { return a.name == b.name }) {
			return a.name
		}
	}
	return ""
}

// text returns the value of the attribute called name, or "".
func (e *element) text(name string) string {
	a, _ := e.get(name)
	return a.value
}

// fault says why a file is not a readable Rodin file.
type fault struct {
	code   string
	offset int
	msg    string
}

func (f *fault) Error() string { return f.msg }

// parseXML reads the elements of a file. Document types, and with them
// entities, are refused.
func parseXML(data []byte, lines *lineTable) (*element, *fault) {
	return parseNested(data, lines, maxDepth)
}

// parseNested is parseXML for elements that nest depth deep.
func parseNested(data []byte, lines *lineTable, depth int) (*element, *fault) {
	if len(data) > maxFileSize {
		return nil, &fault{TooLarge, 0, fmt.Sprintf("the file is larger than %d MB", maxFileSize>>20)}
	}
	if f := checkEncoding(data); f != nil {
		return nil, f
	}
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(charset string, in io.Reader) (io.Reader, error) {
		if c := strings.ToLower(charset); c == "us-ascii" || c == "ascii" {
			return in, nil
		}
		return nil, &fault{BadEncoding, 0, fmt.Sprintf("encoding %q is not supported; save the file as UTF-8", charset)}
	}
	// Raw tokens: names keep their prefixes, namespaces mean nothing to Rodin, and
	// offsets stay those of the file.
	var root *element
	var open []*element
	for {
		from := int(d.InputOffset())
		tok, err := d.RawToken()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, xmlFault(err, from)
		}
		switch tok := tok.(type) {
		case xml.Directive:
			return nil, &fault{BadXML, from, "a document type declaration is not allowed"}
		case xml.StartElement:
			to := int(d.InputOffset())
			e := newElement(tok, data, from, to, lines)
			switch {
			case e.twice() != "":
				return nil, &fault{BadXML, from, "attribute " + e.twice() + " occurs twice in one element"}
			case len(open) > depth:
				return nil, &fault{TooLarge, from, fmt.Sprintf("elements are nested deeper than %d levels", depth)}
			case len(open) > 0:
				parent := open[len(open)-1]
				parent.children = append(parent.children, e)
			case root != nil:
				return nil, &fault{BadXML, from, "more than one root element"}
			default:
				root = e
			}
			open = append(open, e)
		case xml.CharData:
			if text := bytes.TrimSpace(tok); len(text) > 0 {
				return nil, &fault{BadXML, from, "text between elements is not allowed"}
			}
		case xml.EndElement:
			if len(open) == 0 || open[len(open)-1].kind != elementName(tok.Name) {
				return nil, &fault{BadXML, from, fmt.Sprintf("end tag </%s> closes no element", rawName(tok.Name))}
			}
			open = open[:len(open)-1]
		}
	}
	switch {
	case len(open) > 0:
		return nil, &fault{BadXML, len(data), "the file ends within element " + open[len(open)-1].kind}
	case root == nil:
		return nil, &fault{BadXML, 0, "the file has no root element"}
	}
	return root, nil
}

func xmlFault(err error, at int) *fault {
	var f *fault
	if errors.As(err, &f) {
		return f
	}
	if i := strings.Index(err.Error(), ": "); strings.HasPrefix(err.Error(), "XML syntax error") && i >= 0 {
		return &fault{BadXML, at, err.Error()[i+2:]}
	}
	return &fault{BadXML, at, strings.TrimPrefix(err.Error(), "xml: ")}
}

// checkEncoding refuses files that are not UTF-8, and says where they stop being so.
func checkEncoding(data []byte) *fault {
	for _, bom := range []string{"\xFE\xFF", "\xFF\xFE", "\x00<", "<\x00"} {
		if bytes.HasPrefix(data, []byte(bom)) {
			return &fault{BadEncoding, 0, "the file is encoded in UTF-16; save it as UTF-8"}
		}
	}
	if !utf8.Valid(data) {
		i := 0
		for i < len(data) {
			char, n := utf8.DecodeRune(data[i:])
			if char == utf8.RuneError && n <= 1 {
				break
			}
			i += n
		}
		return &fault{BadEncoding, i, "the file is not valid UTF-8; save it as UTF-8"}
	}
	return nil
}

func rawName(n xml.Name) string {
	if n.Space != "" {
		return n.Space + ":" + n.Local
	}
	return n.Local
}

func elementName(n xml.Name) string { return strings.TrimPrefix(rawName(n), prefix) }

// newElement makes the element of a start tag, data[from:to].
func newElement(tok xml.StartElement, data []byte, from, to int, lines *lineTable) *element {
	e := &element{kind: elementName(tok.Name), raw: rawName(tok.Name), span: lines.span(from, to)}
	at := from + 1 + len(rawName(tok.Name))
	for _, a := range tok.Attr {
		at += bytes.IndexByte(data[at:to], '=')
		at += bytes.IndexAny(data[at:to], `"'`)
		end := at + 1 + bytes.IndexByte(data[at+1:to], data[at])
		e.attrs = append(e.attrs, attribute{name: elementName(a.Name), raw: rawName(a.Name), value: a.Value, span: lines.span(at+1, end)})
		at = end + 1
	}
	return e
}

// lineTable turns offsets of one file into spans.
type lineTable struct {
	file   string
	data   []byte
	shift  int   // bytes before data that are not part of it
	starts []int // offset of each line but the first

	line, at, col int // of the span made last: spans are mostly made in order
}

func newLineTable(file string, data []byte) *lineTable {
	t := &lineTable{file: file, data: data}
	if bytes.HasPrefix(data, []byte("\uFEFF")) {
		t.shift = len("\uFEFF")
		t.data = data[t.shift:]
	}
	for i, c := range t.data {
		if c == '\n' {
			t.starts = append(t.starts, i+1)
		}
	}
	return t
}

// span is the place of a range of bytes. Asking for places in order is cheap.
func (t *lineTable) span(from, to int) diag.Span {
	from = min(from, len(t.data))
	line, found := slices.BinarySearch(t.starts, from)
	if found {
		line++
	}
	if line != t.line || from < t.at {
		t.line, t.at, t.col = line, 0, 0
		if line > 0 {
			t.at = t.starts[line-1]
		}
	}
	t.col += utf8.RuneCount(t.data[t.at:from])
	t.at = from
	return diag.Span{
		File: t.file, From: from + t.shift, To: min(to, len(t.data)) + t.shift,
		Line: line + 1, Col: t.col + 1,
	}
}
