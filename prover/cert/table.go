package cert

import (
	"fmt"
	"strings"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/kernel"
)

// Statement returns what axiom schema s says, as a formula of its sample.
func Statement(s *kernel.Schema) string {
	b := logic.NewBank()
	f, err := s.Formula(b, Sample(b, s)...)
	if err != nil {
		panic("cert: " + err.Error())
	}
	return options.Term(b, f)
}

var options = text.Options{Spaced: true, Untyped: true}

// functional returns the other case of mem.pfun, between whole types.
func functional() string {
	b := logic.NewBank()
	σ, τ := b.GivenType("σ"), b.GivenType("τ")
	f, err := kernel.Membership(logic.PFun).Formula(b, b.Free("x", b.RelType(σ, τ)), b.App(logic.PFun, b.TypeExpr(σ), b.TypeExpr(τ)))
	if err != nil {
		panic("cert: " + err.Error())
	}
	return options.Term(b, f)
}

// LemmaStatement returns what lemma l says.
func LemmaStatement(l *kernel.Theorem) string {
	return options.Term(l.Bank.Extend(), l.Statement)
}

// Table returns everything proofs depend on apart from logic, equality and arithmetic:
// the axiom schemata, then the certified lemmas, each with its name and formula.
func Table() string {
	var out strings.Builder
	for _, s := range kernel.Axioms() {
		fmt.Fprintf(&out, "axiom %-18s %s\n", s.Name, Statement(s))
		if s.Op == logic.PFun {
			fmt.Fprintf(&out, "axiom %-18s %s\n", s.Name, functional())
		}
	}
	for _, name := range kernel.Lemmas() {
		if l, err := kernel.FindLemma(name); err == nil {
			fmt.Fprintf(&out, "lemma %-18s %s\n", name, LemmaStatement(l))
		} else {
			fmt.Fprintf(&out, "lemma %-18s without proof: %v\n", name, err)
		}
	}
	return out.String()
}
