package text

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"hash"
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
	h     hash.Hash
	terms map[logic.Term]Fingerprint
	types map[logic.Type]Fingerprint
}

// NewFingerprinter returns a fingerprinter for terms of b.
func NewFingerprinter(b *logic.Bank) *Fingerprinter {
	return &Fingerprinter{b, sha256.New(), map[logic.Term]Fingerprint{}, map[logic.Type]Fingerprint{}}
}

// TermFingerprint returns the fingerprint of t.
func TermFingerprint(b *logic.Bank, t logic.Term) Fingerprint { return NewFingerprinter(b).Term(t) }

// SequentFingerprint returns the fingerprint of s: of its goal and of the set of
// its hypotheses.
func SequentFingerprint(s logic.Sequent) Fingerprint { return NewFingerprinter(s.Bank).Sequent(s) }

// Term returns the fingerprint of t.
func (f *Fingerprinter) Term(t logic.Term) Fingerprint {
	if d, ok := f.terms[t]; ok {
		return d
	}
	op, args := f.b.Op(t), f.b.Args(t)
	// {} and ∅ are one formula.
	if op == logic.SetExt && len(args) == 0 {
		op = logic.Empty
	}
	// The empty set has two forms, one with the brackets of its author; the type tells
	// empty sets of different types apart.
	typ := f.Type(f.b.Type(t))
	// The type is part of it: ∅ of two types, and x of two types, are different.
	buf := append([]byte{'t', byte(op)}, typ[:]...)
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
		d := f.Term(a)
		buf = append(buf, d[:]...)
	}
	d := Fingerprint(f.sum(buf))
	f.terms[t] = d
	return d
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
	d := Fingerprint(f.sum(buf))
	f.types[t] = d
	return d
}

// Sequent returns the fingerprint of s, a sequent of the same bank.
func (f *Fingerprinter) Sequent(sequent logic.Sequent) Fingerprint {
	hyps := make([]Fingerprint, len(sequent.Hyps))
	for i, hypothesis := range sequent.Hyps {
		hyps[i] = f.Term(hypothesis)
	}
	slices.SortFunc(hyps, func(x, y Fingerprint) int { return bytes.Compare(x[:], y[:]) })
	goal := f.Term(sequent.Goal)
	buf := append([]byte{'s'}, goal[:]...)
	for _, print := range slices.Compact(hyps) {
		buf = append(buf, print[:]...)
	}
	return f.sum(buf)
}

func (f *Fingerprinter) sum(buf []byte) (d Fingerprint) {
	f.h.Reset()
	f.h.Write(buf)
	f.h.Sum(d[:0])
	return d
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
