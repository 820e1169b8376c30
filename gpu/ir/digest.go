package ir

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Digest tells programs apart by what they do: two with the same digest are the same program, at other places of a source perhaps, and
// with other names of local variables. Names of parameters and arrays count, since findings have them.
func (p *Program) Digest() string {
	// Everything that the encoding reads is written, each kind with a word in front, so that no two programs give the same text.
	// Places in the source are left out: an edit elsewhere in the file moves them, and changes no verdict.
	h := sha256.New()
	put := func(words ...any) { fmt.Fprintln(h, words...) }
	key := func(t *Term) string {
		if t == nil {
			return "-"
		}
		return t.Key()
	}
	id := func(n *Node) int {
		if n == nil {
			return -1
		}
		return n.Id
	}
	for _, q := range p.Params {
		put("parameter", q.Name, q.Typ.Bits, q.Typ.Signed, q.of != nil)
	}
	for _, m := range p.Mems {
		put("memory", m.Id, m.name, m.Space, m.elem.Cells(), m.Cells, m.Content)
	}
	for _, v := range p.Vars {
		put("variable", v.Id, v.Typ != nil && v.Typ.Signed, v.Ghost)
	}
	for _, a := range p.Axioms {
		put("axiom", key(a))
	}
	for _, n := range p.Nodes {
		put("node", n.Id, id(n.Then), id(n.Other), key(n.Cond), n.End, n.Head)
		for _, i := range n.Code {
			put(i.Op, i.Kind, i.Local, i.Glob, i.Inner, key(i.E), key(i.Off))
			if i.Lanes > 0 {
				put("lanes", i.Lanes)
			}
			if i.V != nil {
				put("of", i.V.Id)
			}
			if i.Mem != nil {
				put("in", i.Mem.Id)
			}
		}
	}
	put("entry", id(p.Entry))
	return hex.EncodeToString(h.Sum(nil)[:16])
}
