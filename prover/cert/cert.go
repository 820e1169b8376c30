// Package cert writes proofs as certificates, in the text form that kernel.Decode reads, and
// prints the axiom schemata. It is not trusted: the proof kernel checks its output.
package cert

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// Encode returns the certificate of p, whose terms belong to b.
func Encode(b *logic.Bank, p *kernel.Proof) []byte { return encode(b, p, 0) }

// EncodeLemma returns the certificate of a lemma: p proves goal, without hypotheses.
func EncodeLemma(b *logic.Bank, goal logic.Term, p *kernel.Proof) []byte { return encode(b, p, goal) }

// EncodeSequent returns what a proof of s as text begins with: the sequent, by the name of
// the obligation that it is and the verdict that its certificate, which follows, is for.
func EncodeSequent(s logic.Sequent, obligation, verdict string) []byte {
	e := encoder{bank: s.Bank, ids: map[logic.Term]int{}}
	var formulas bytes.Buffer
	for _, h := range s.Hyps {
		fmt.Fprintln(&formulas, "hyp", e.term(h))
	}
	fmt.Fprintln(&formulas, "goal", e.term(s.Goal))
	return fmt.Appendf(nil, "gradine sequent 1\nobligation %q\nverdict %s\nterms\n%ssequent\n%send\n", obligation, verdict, &e.terms, &formulas)
}

// encoder numbers the terms of a proof in order of need.
type encoder struct {
	bank  *logic.Bank
	terms bytes.Buffer
	lines int
	ids   map[logic.Term]int
}

// encode writes a proof as text. Terms come before the steps that mention them, and each is written once.
func encode(b *logic.Bank, proof *kernel.Proof, last logic.Term) []byte {
	e := encoder{bank: b, ids: map[logic.Term]int{}}
	var steps bytes.Buffer
	for _, step := range proof.Steps {
		steps.WriteString(step.Kind.String())
		switch step.Kind {
		case kernel.Hyp, kernel.WD, kernel.Prop:
			fmt.Fprint(&steps, " ", step.Index)
		case kernel.Axiom, kernel.Lemma:
			fmt.Fprint(&steps, " ", step.Name, " ", step.Index)
		}
		for _, term := range step.Terms {
			fmt.Fprint(&steps, " ", e.term(term))
		}
		for _, literal := range step.Clause {
			fmt.Fprintf(&steps, " %c%d", "+-"[literal&1], e.term(literal.Atom()))
		}
		if step.Kind >= kernel.Lin {
			steps.WriteString(" :")
		}
		for _, c := range step.Coef {
			fmt.Fprint(&steps, " ", c)
		}
		for _, i := range step.From {
			fmt.Fprint(&steps, " ", i)
		}
		steps.WriteByte('\n')
	}
	// The last term is the statement of a lemma: it is written again if steps mentioned it before.
	if last != 0 {
		e.term(last)
		delete(e.ids, last)
		e.term(last)
	}
	return fmt.Appendf(nil, "%s\nterms\n%ssteps\n%send\n", kernel.Header, &e.terms, &steps)
}

// typ returns t in prefix notation.
func (e *encoder) typ(t logic.Type) string {
	switch bank := e.bank; bank.TypeKind(t) {
	case logic.KindInt:
		return "Z"
	case logic.KindBool:
		return "B"
	case logic.KindGiven:
		return strconv.Quote(bank.GivenName(t))
	case logic.KindPow:
		return "P " + e.typ(bank.Elem(t))
	default:
		left, right := bank.Pair(t)
		return "* " + e.typ(left) + " " + e.typ(right)
	}
}

// term returns the number of t and writes its line, and those that it refers to,
// if it has none.
func (e *encoder) term(t logic.Term) int {
	if id, ok := e.ids[t]; ok {
		return id
	}
	bank := e.bank
	op := bank.Op(t)
	line := op.String()
	switch {
	case op == logic.Int:
		line += " " + bank.Value(t).String()
	case op == logic.Free:
		line += " " + strconv.Quote(bank.Name(t)) + " " + e.typ(bank.Type(t))
	case op == logic.Given:
		line += " " + strconv.Quote(bank.Name(t))
	case op == logic.Bound:
		line += " " + strconv.Itoa(bank.Index(t)) + " " + e.typ(bank.Type(t))
	case op.IsGeneric():
		line += " " + e.typ(bank.Type(t))
	case op == logic.Eps:
		line += " " + strconv.Itoa(bank.Index(t))
	}
	if op.IsBinder() {
		for _, typ := range bank.Decls(t) {
			line += " " + e.typ(typ)
		}
		line += " :"
	}
	// Arguments have their lines first: terms refer to earlier ones only.
	for _, a := range bank.Args(t) {
		line += " " + strconv.Itoa(e.term(a))
	}
	fmt.Fprintln(&e.terms, line)
	id := e.lines
	e.lines++
	e.ids[t] = id
	return id
}
