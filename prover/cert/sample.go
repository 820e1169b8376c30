package cert

import (
	"fmt"
	"strings"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// Sample returns arguments that show what schema s says: free identifiers over
// carrier sets α, β, γ, δ, and operators applied to some. Its formula of these
// arguments is the one to print.
func Sample(b *logic.Bank, s *kernel.Schema) []logic.Term {
	if s.Op == logic.Invalid {
		return params(b, s.Params)
	}
	last := special(b, s)
	if !s.Member {
		return []logic.Term{last}
	}
	names := []string{"x", "y", "z", "w"}
	return []logic.Term{member(b, b.Elem(b.Type(last)), &names), last}
}

// member returns a value of type t: a free identifier, or a pair of such. It takes
// names from the list.
func member(b *logic.Bank, t logic.Type, names *[]string) logic.Term {
	if l, r := b.Pair(t); l != logic.NoType {
		x := member(b, l, names)
		return b.App(logic.Maplet, x, member(b, r, names))
	}
	name := (*names)[0]
	*names = (*names)[1:]
	return b.Free(name, t)
}

// special returns a term of the operator of s.
func special(bank *logic.Bank, s *kernel.Schema) logic.Term {
	α, β := bank.GivenType("α"), bank.GivenType("β")
	letters := logic.Letters{α, β, bank.GivenType("γ"), bank.GivenType("δ")}
	term := bank.Bound(0, α)
	predicate := bank.App(logic.In, term, bank.Free("p", bank.PowType(α)))
	switch s.Op {
	case logic.Compr:
		expr := bank.App(logic.Apply, bank.Free("f", bank.RelType(α, β)), term)
		if s.Name == "mem.pattern" {
			expr = bank.App(logic.Maplet, term, expr)
		}
		return bank.Quant(s.Op, []logic.Type{α}, nil, predicate, expr)
	case logic.QUnion, logic.QInter:
		return bank.Quant(s.Op, []logic.Type{α}, nil, predicate, bank.App(logic.Apply, bank.Free("f", bank.RelType(α, bank.PowType(β))), term))
	case logic.BoolOf:
		return bank.App(s.Op, bank.App(logic.In, bank.Free("x", α), bank.Free("p", bank.PowType(α))))
	case logic.Forall:
		t := logic.IntType
		if s.Name == "finite.induction" {
			t = bank.PowType(α)
		}
		return bank.Quant(s.Op, []logic.Type{t}, nil, bank.App(logic.In, bank.Bound(0, t), bank.Free("p", bank.PowType(t))))
	}
	rule := s.Op.Signature()
	if s.Op.IsGeneric() {
		return bank.Atom(s.Op, bank.Instance(rule.Result, &letters))
	}
	patterns := rule.Args
	if rule.More && len(patterns) == 1 {
		patterns = []*logic.Pattern{patterns[0], patterns[0], patterns[0]} // enough to see how it goes on
	}
	names := map[string]int{}
	var args []logic.Term
	for _, pattern := range patterns {
		args = append(args, argument(bank, bank.Instance(pattern, &letters), names))
	}
	return bank.App(s.Op, args...)
}

// argument returns a free identifier of type t, with a letter that is usual for such a
// type; names counts those in use.
func argument(b *logic.Bank, t logic.Type, names map[string]int) logic.Term {
	usual := "abc"
	if l, _ := b.RelPair(t); l != logic.NoType {
		usual = "rqp"
	} else if b.Elem(t) != logic.NoType {
		usual = "stu"
	}
	names[usual]++
	return b.Free(usual[names[usual]-1:names[usual]], t)
}

// params returns the free identifiers of a list "x:α s:ℙα f:ℙ(α×β)".
func params(bank *logic.Bank, list string) []logic.Term {
	var out []logic.Term
	for _, p := range strings.Fields(list) {
		name, typ, _ := strings.Cut(p, ":")
		t, rest := parseType(bank, []rune(typ))
		if len(rest) > 0 {
			panic(fmt.Sprintf("cert: malformed parameter %q", p))
		}
		out = append(out, bank.Free(name, t))
	}
	return out
}

// parseType reads a type: ℤ, BOOL as B, a Greek letter, ℙτ or (σ×τ).
func parseType(bank *logic.Bank, r []rune) (logic.Type, []rune) {
	switch r[0] {
	case 'ℤ':
		return logic.IntType, r[1:]
	case 'B':
		return logic.BoolType, r[1:]
	case 'ℙ':
		typ, rest := parseType(bank, r[1:])
		return bank.PowType(typ), rest
	case '(':
		s, rest := parseType(bank, r[1:])
		t, rest := parseType(bank, rest[1:])
		return bank.ProdType(s, t), rest[1:]
	}
	return bank.GivenType(string(r[0])), r[1:]
}
