package discharge

import (
	"strings"

	"github.com/gradine/gradine/logic"
)

// Names maps identifiers and carrier sets to their new names.
type Names map[string]string

// Of returns the new name of an identifier; a primed one changes with its variable.
func (n Names) Of(name string) string {
	stem := strings.TrimRight(name, "'")
	if to, ok := n[stem]; ok {
		return to + name[len(stem):]
	}
	return name
}

// Renamer copies terms of one bank to another under new names.
type Renamer struct {
	names    Names
	dst, src *logic.Bank
	im       *logic.Importer
	known    map[logic.Term]bool
}

// NewRenamer returns a renamer of terms of src into dst; a bare one leaves hints behind.
func NewRenamer(dst, src *logic.Bank, names Names, bare bool) *Renamer {
	return &Renamer{names: names, dst: dst, src: src, im: logic.NewImporter(dst, src, bare), known: map[logic.Term]bool{}}
}

// Term returns the copy of t.
func (r *Renamer) Term(t logic.Term) logic.Term {
	if len(r.names) > 0 {
		r.prepare(t)
	}
	return r.im.Term(t)
}

// prepare tells the importer the new names of what occurs in t.
func (r *Renamer) prepare(t logic.Term) {
	if r.known[t] {
		return
	}
	r.known[t] = true
	r.typ(r.src.Type(t))
	if r.src.Op(t).IsBinder() {
		for _, typ := range r.src.Decls(t) {
			r.typ(typ)
		}
	}
	for _, a := range r.src.Args(t) {
		r.prepare(a)
	}
	if r.src.Op(t) == logic.Free {
		if name := r.src.Name(t); r.names.Of(name) != name {
			r.im.Put(t, r.dst.Free(r.names.Of(name), r.im.Type(r.src.Type(t))))
		}
	}
}

func (r *Renamer) typ(t logic.Type) {
	switch r.src.TypeKind(t) {
	case logic.KindGiven:
		if name := r.src.GivenName(t); r.names.Of(name) != name {
			r.im.PutType(t, r.dst.GivenType(r.names.Of(name)))
		}
	case logic.KindPow:
		r.typ(r.src.Elem(t))
	case logic.KindProd:
		a, b := r.src.Pair(t)
		r.typ(a)
		r.typ(b)
	}
}
