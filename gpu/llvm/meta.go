package llvm

import (
	"slices"
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

// NoUnroll is the number in llvm.loop.unroll.count of a loop for which the source asks for 0 rounds or fewer. LLVM has no
// such number; it stands for a loop of which nothing is asked.
const NoUnroll = 1<<31 - 256

// Metadata is a node, or what stands in one.
type Metadata struct {
	Kind   MetadataKind
	Name   string // of a special node: DILocation
	Text   string
	Int    int64
	Value  *Value
	Elems  []*Metadata
	fields map[string]*Metadata
}

// kept are the fields of special nodes that are asked for: all others are passed over.
var kept = words("tag baseType size line column scope file filename name arg type var elements offset encoding producer")

// Field is a field of a special node; nil if it has none of this name.
func (m *Metadata) Field(name string) *Metadata {
	if !kept[name] {
		panic("llvm: field " + name + " of metadata is not kept")
	}
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

// node is the node of a number: settle reads it.
func (p *parser) node(t token) *Metadata {
	k := p.numberOf(t)
	n := p.nodes[k]
	if n != nil {
		return n
	}
	if _, ok := p.found[k]; !ok && p.indexed {
		p.cutOff(t, "metadata %s, which is not defined", t)
	}
	n = &Metadata{}
	p.nodes[k] = n
	p.unread = append(p.unread, k)
	return n
}

func (p *parser) numberOf(t token) int {
	k, err := strconv.Atoi(t.text)
	if err != nil {
		p.fail(t.line, t.col, "metadata %s", t)
	}
	return k
}

// passing are the nodes that stand in one function alone, though others may refer to it.
var passing = words("DILocation DILocalVariable DILexicalBlock DILexicalBlockFile DILabel")

// settle reads the nodes that were mentioned, and those that they mention.
func (p *parser) settle() {
	for len(p.unread) > 0 {
		last := len(p.unread) - 1
		k := p.unread[last]
		p.unread = p.unread[:last]
		at, ok := p.found[k]
		if !ok {
			p.cutOff(token{line: 1, col: 1}, "metadata !%d, which is not defined", k)
		}
		p.seek(at)
		p.expect("=", "metadata")
		p.eat("distinct")
		*p.nodes[k] = *p.metadata()
		if p.tok.kind != endOfFile && p.tok.line == at.line {
			p.unexpected("metadata")
		}
		if passing[p.nodes[k].Name] {
			p.passing = append(p.passing, k)
		}
	}
}

// forget drops the nodes that no other function uses, and those that could not be read.
func (p *parser) forget() {
	for _, k := range slices.Concat(p.passing, p.unread) {
		delete(p.nodes, k)
	}
	p.passing, p.unread = p.passing[:0], p.unread[:0]
}

// seek goes to the beginning of a part of the text.
func (p *parser) seek(at span) {
	p.pos, p.line, p.depth = at.from, at.line, 0
	p.bol = strings.LastIndexByte(p.src[:at.from], '\n') + 1
	p.advance()
}

// metadataEntity reads !name = !{…}, and finds !0 = !{…}.
func (p *parser) metadataEntity() {
	t := p.tok
	if digit(t.text[0]) {
		k := p.numberOf(t)
		if _, ok := p.found[k]; ok {
			p.fail(t.line, t.col, "!%s is there twice", t.text)
		}
		p.found[k] = span{from: p.pos, line: p.line}
		if end := strings.IndexByte(p.src[p.pos:], '\n'); end >= 0 {
			p.pos += end
		} else if rest := strings.TrimRight(p.src[p.pos:], " \t\r"); strings.HasSuffix(rest, "}") || strings.HasSuffix(rest, ")") {
			p.pos = len(p.src)
		} else {
			p.fail(t.line, t.col, "the file ends within metadata !%d: it is cut off", k)
		}
		p.advance()
		return
	}
	p.advance()
	p.expect("=", "metadata")
	p.expect("!", "metadata")
	p.expect("{", "metadata")
	for !p.eat("}") {
		p.m.named[t.text] = append(p.m.named[t.text], p.metadata())
		if !p.eat(",") && !p.isPunct("}") {
			p.unexpected("metadata")
		}
	}
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

// metadata1 reads a piece of metadata; metadata bounds how deeply it is nested.
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
	n := &Metadata{Kind: Special, Name: t.text}
	p.expect("(", "metadata")
	for !p.eat(")") {
		switch {
		case p.tok.kind == endOfFile:
			p.unexpected("metadata")
		case p.tok.kind == labelToken:
			name := p.advance().text
			if !kept[name] {
				p.pass()
				break
			}
			if n.fields == nil {
				n.fields = map[string]*Metadata{}
			}
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

// pass skips the value of a field, up to the comma or bracket behind it.
func (p *parser) pass() {
	for depth := 0; depth > 0 || !p.isPunct(",") && !p.isPunct(")"); {
		switch {
		case p.tok.kind == endOfFile:
			p.unexpected("metadata")
		case p.isPunct("("), p.isPunct("{"), p.isPunct("["):
			depth++
		case p.isPunct(")"), p.isPunct("}"), p.isPunct("]"):
			depth--
		}
		p.advance()
	}
}
