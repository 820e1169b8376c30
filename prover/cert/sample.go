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
	args := params(b, s.Params)
	if s.Op == logic.Invalid {
		return args
	}
	last := special(b, s, args)
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
func special(b *logic.Bank, s *kernel.Schema, args []logic.Term) logic.Term {
	α, β := b.GivenType("α"), b.GivenType("β")
	z := b.Bound(0, α)
	p := b.App(logic.In, z, b.Free("p", b.PowType(α)))
	switch s.Op {
	case logic.Empty:
		return b.Atom(s.Op, b.PowType(α))
	case logic.Id:
		return b.Atom(s.Op, b.RelType(α, α))
	case logic.Prj1:
		return b.Atom(s.Op, b.RelType(b.ProdType(α, β), α))
	case logic.Prj2:
		return b.Atom(s.Op, b.RelType(b.ProdType(α, β), β))
	case logic.Compr:
		e := b.App(logic.Apply, b.Free("f", b.RelType(α, β)), z)
		if s.Name == "mem.pattern" {
			e = b.App(logic.Maplet, z, e)
		}
		return b.Quant(s.Op, []logic.Type{α}, nil, p, e)
	case logic.QUnion, logic.QInter:
		return b.Quant(s.Op, []logic.Type{α}, nil, p, b.App(logic.Apply, b.Free("f", b.RelType(α, b.PowType(β))), z))
	case logic.BoolOf:
		return b.App(s.Op, b.App(logic.In, b.Free("x", α), b.Free("p", b.PowType(α))))
	case logic.Forall:
		t := logic.IntType
		if s.Name == "finite.induction" {
			t = b.PowType(α)
		}
		return b.Quant(s.Op, []logic.Type{t}, nil, b.App(logic.In, b.Bound(0, t), b.Free("p", b.PowType(t))))
	}
	return b.App(s.Op, args...)
}

// params returns the free identifiers of a list "x:α s:ℙα f:ℙ(α×β)".
func params(b *logic.Bank, list string) []logic.Term {
	var out []logic.Term
	for _, p := range strings.Fields(list) {
		name, typ, _ := strings.Cut(p, ":")
		t, rest := parseType(b, []rune(typ))
		if len(rest) > 0 {
			panic(fmt.Sprintf("cert: malformed parameter %q", p))
		}
		out = append(out, b.Free(name, t))
	}
	return out
}

// parseType reads a type: ℤ, BOOL as B, a Greek letter, ℙτ or (σ×τ).
func parseType(b *logic.Bank, r []rune) (logic.Type, []rune) {
	switch r[0] {
	case 'ℤ':
		return logic.IntType, r[1:]
	case 'B':
		return logic.BoolType, r[1:]
	case 'ℙ':
		t, rest := parseType(b, r[1:])
		return b.PowType(t), rest
	case '(':
		s, rest := parseType(b, r[1:])
		t, rest := parseType(b, rest[1:])
		return b.ProdType(s, t), rest[1:]
	}
	return b.GivenType(string(r[0])), r[1:]
}
