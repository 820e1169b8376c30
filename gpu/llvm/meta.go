package llvm

import (
	"strconv"
	"strings"
)

// MetadataKind sorts metadata.
type MetadataKind uint8

// The kinds of metadata.
const (
	Tuple      MetadataKind = iota // !{…}
	Special                        // !DILocation(…)
	Text                           // !"…", and strings in fields
	WordField                      // DW_TAG_member, true
	IntField                       //
	ValueField                     // i32 1, ptr @f
	NullField
)

// Metadata is a node, or what stands in one.
type Metadata struct {
	Kind    MetadataKind
	Name    string // of a special node: DILocation
	Text    string
	Int     int64
	Value   *Value
	Elems   []*Metadata
	fields  map[string]*Metadata
	defined bool
}

// Field is a field of a special node; nil if it has none of this name.
func (m *Metadata) Field(name string) *Metadata {
	if m == nil {
		return nil
	}
	return m.fields[name]
}

// String is the text of a field, "" if it has none.
func (m *Metadata) String() string {
	if m == nil {
		return ""
	}
	return m.Text
}

// Number is the number of a field, 0 if it has none.
func (m *Metadata) Number() int64 {
	if m == nil {
		return 0
	}
	return m.Int
}

func (p *parser) node(t token) *Metadata {
	p.use("!", t)
	n := p.m.metadata[t.text]
	if n == nil {
		n = &Metadata{}
		p.m.metadata[t.text] = n
	}
	return n
}

// metadataEntity reads !0 = !{…} and !name = !{…}.
func (p *parser) metadataEntity() {
	t := p.advance()
	p.expect("=", "metadata")
	if !digit(t.text[0]) {
		p.expect("!", "metadata")
		p.expect("{", "metadata")
		for !p.eat("}") {
			p.m.named[t.text] = append(p.m.named[t.text], p.metadata())
			if !p.eat(",") && !p.isPunct("}") {
				p.unexpected("metadata")
			}
		}
		return
	}
	p.eat("distinct")
	n := p.m.metadata[t.text]
	if n == nil {
		n = &Metadata{}
		p.m.metadata[t.text] = n
	}
	if n.defined {
		p.fail(t.line, t.col, "!%s is there twice", t.text)
	}
	p.depth = 0
	*n = *p.metadata()
	n.defined = true
}

// attachment reads !kind !0, at an instruction, function or variable.
func (p *parser) attachment() Attachment {
	kind := p.advance()
	return Attachment{kind.text, p.metadata()}
}

func (p *parser) metadata() (out *Metadata) {
	p.nested(func() { out = p.metadata1() })
	return out
}

func (p *parser) metadata1() *Metadata {
	// Fields of nodes are numbers, words, types with values, or other nodes.
	switch {
	case p.isPunct("!"):
		p.advance()
		if p.tok.kind == stringToken {
			return &Metadata{Kind: Text, Text: p.advance().text}
		}
		p.expect("{", "metadata")
		n := &Metadata{Kind: Tuple}
		for !p.eat("}") {
			n.Elems = append(n.Elems, p.metadata())
			if !p.eat(",") && !p.isPunct("}") {
				p.unexpected("metadata")
			}
		}
		return n
	case p.tok.kind == metadataToken:
		t := p.advance()
		if digit(t.text[0]) {
			return p.node(t)
		}
		return p.special(t)
	case p.tok.kind == labelToken, p.tok.kind == stringToken:
		return &Metadata{Kind: Text, Text: p.advance().text}
	case p.isWord("null"):
		p.advance()
		return &Metadata{Kind: NullField}
	case p.tok.kind == intToken:
		n, _ := strconv.ParseInt(p.tok.text, 10, 64)
		return &Metadata{Kind: IntField, Int: n, Text: p.advance().text}
	case p.startsType():
		return &Metadata{Kind: ValueField, Value: p.typedValue("metadata")}
	case p.tok.kind == wordToken:
		words := []string{p.advance().text}
		for p.eat("|") {
			words = append(words, p.advance().text)
		}
		return &Metadata{Kind: WordField, Text: strings.Join(words, " ")}
	}
	p.unexpected("metadata")
	return nil
}

// special reads the rest of !DILocation(line: 1, …).
func (p *parser) special(t token) *Metadata {
	n := &Metadata{Kind: Special, Name: t.text, fields: map[string]*Metadata{}}
	p.expect("(", "metadata")
	for !p.eat(")") {
		switch {
		case p.tok.kind == endOfFile:
			p.unexpected("metadata")
		case p.tok.kind == labelToken:
			name := p.advance().text
			n.fields[name] = p.metadata()
		default:
			n.Elems = append(n.Elems, p.metadata()) // of !DIExpression(…), !DIArgList(…)
			for p.tok.kind == wordToken || p.tok.kind == intToken {
				p.advance()
			}
		}
		if !p.eat(",") && !p.isPunct(")") {
			p.unexpected("metadata")
		}
	}
	return n
}
