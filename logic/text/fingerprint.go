package text

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/gradine/gradine/logic"
)

// Fingerprint is a SHA-256 digest of the structure of a formula.
type Fingerprint [sha256.Size]byte

// Fingerprinter computes fingerprints of the terms of one bank and remembers
// them. Fingerprints are the same for the same formula in any bank; names of
// bound variables and concrete forms do not count.
type Fingerprinter struct {
	b     *logic.Bank
	terms []*[page]Fingerprint // by term, zero where none is known; a few of many terms are asked for
	types map[logic.Type]Fingerprint
	buf   []byte
}

// NewFingerprinter returns a fingerprinter for terms of b.
func NewFingerprinter(b *logic.Bank) *Fingerprinter {
	return &Fingerprinter{b: b, types: map[logic.Type]Fingerprint{}}
}

// page is how many terms there is room for where one of them is asked for.
const page = 64

// at is the place of the fingerprint of t.
func (f *Fingerprinter) at(t logic.Term) *Fingerprint {
	n := int(t) / page
	if n >= len(f.terms) {
		f.terms = append(f.terms, make([]*[page]Fingerprint, f.b.Len()/page+1-len(f.terms))...)
	}
	if f.terms[n] == nil {
		f.terms[n] = new([page]Fingerprint)
	}
	return &f.terms[n][int(t)%page]
}

// TermFingerprint returns the fingerprint of t.
func TermFingerprint(b *logic.Bank, t logic.Term) Fingerprint { return NewFingerprinter(b).Term(t) }

// SequentFingerprint returns the fingerprint of s: of its goal and of the set of
// its hypotheses.
func SequentFingerprint(s logic.Sequent) Fingerprint { return NewFingerprinter(s.Bank).Sequent(s) }

// Term returns the fingerprint of t.
func (f *Fingerprinter) Term(t logic.Term) Fingerprint {
	at := f.at(t)
	if *at != (Fingerprint{}) { // which no digest is
		return *at
	}
	op, args := f.b.Op(t), f.b.Args(t)
	// {} and ∅ are one formula.
	if op == logic.SetExt && len(args) == 0 {
		op = logic.Empty
	}
	// Those of the parts come first: all are written into one buffer.
	typ := f.Type(f.b.Type(t))
	for _, a := range args {
		f.Term(a)
	}
	// The type is part of it: ∅ of two types, and x of two types, are different. The empty set has two
	// forms, one with the brackets of its author.
	buf := append(append(f.buf[:0], 't', byte(op)), typ[:]...)
	switch {
	case op == logic.Free || op == logic.Given:
		buf = append(buf, f.b.Name(t)...)
	case op == logic.Int:
		buf = f.b.Value(t).Append(buf, 10)
	case op == logic.Bound:
		buf = binary.AppendUvarint(buf, uint64(f.b.Index(t)))
	case op.IsBinder():
		if op == logic.Eps {
			buf = binary.AppendUvarint(buf, uint64(f.b.Index(t)))
		}
		buf = binary.AppendUvarint(buf, uint64(len(f.b.Decls(t))))
		for _, u := range f.b.Decls(t) {
			d := f.Type(u)
			buf = append(buf, d[:]...)
		}
	}
	for _, a := range args {
		buf = append(buf, f.at(a)[:]...)
	}
	f.buf, *at = buf, sha256.Sum256(buf)
	return *at
}

// Type returns the fingerprint of t.
func (f *Fingerprinter) Type(t logic.Type) Fingerprint {
	if d, ok := f.types[t]; ok {
		return d
	}
	kind := f.b.TypeKind(t)
	buf := []byte{'y', byte(kind)}
	var parts []logic.Type
	switch kind {
	case logic.KindGiven:
		buf = append(buf, f.b.GivenName(t)...)
	case logic.KindPow:
		parts = []logic.Type{f.b.Elem(t)}
	case logic.KindProd:
		left, right := f.b.Pair(t)
		parts = []logic.Type{left, right}
	}
	for _, u := range parts {
		d := f.Type(u)
		buf = append(buf, d[:]...)
	}
	d := Fingerprint(sha256.Sum256(buf))
	f.types[t] = d
	return d
}

// Sequent returns the fingerprint of s, a sequent of the same bank.
func (f *Fingerprinter) Sequent(sequent logic.Sequent) Fingerprint {
	hyps := make([]Fingerprint, len(sequent.Hyps))
	for i, hypothesis := range sequent.Hyps {
		hyps[i] = f.Term(hypothesis)
	}
	return JoinFingerprints(f.Term(sequent.Goal), hyps)
}

// JoinFingerprints returns the fingerprint of a sequent from those of its goal and its hypotheses.
func JoinFingerprints(goal Fingerprint, hyps []Fingerprint) Fingerprint {
	hyps = slices.Clone(hyps)
	slices.SortFunc(hyps, func(x, y Fingerprint) int { return bytes.Compare(x[:], y[:]) })
	buf := append([]byte{'s'}, goal[:]...)
	for _, print := range slices.Compact(hyps) {
		buf = append(buf, print[:]...)
	}
	return sha256.Sum256(buf)
}

// BankFingerprinter computes fingerprints of sequents that come bank by bank,
// such as the obligations of one component after the other. The zero value is
// ready for use.
type BankFingerprinter struct{ f *Fingerprinter }

// Sequent returns the fingerprint of s.
func (x *BankFingerprinter) Sequent(s logic.Sequent) Fingerprint { return x.Of(s.Bank).Sequent(s) }

// Of returns the fingerprinter of b.
func (x *BankFingerprinter) Of(b *logic.Bank) *Fingerprinter {
	if x.f == nil || x.f.b != b {
		x.f = NewFingerprinter(b)
	}
	return x.f
}
