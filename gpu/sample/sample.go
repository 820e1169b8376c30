// Package sample provides kernels for tests of packages below the proofs: it reads and lowers
// source text, and prints programs. Only tests import it.
package sample

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/llvm"
	"github.com/gradine/gradine/gpu/lower"
	"github.com/gradine/gradine/gpu/preproc"
)

// Unit reads a file of OpenCL C, or of CUDA C if it names __global__.
func Unit(t testing.TB, text string) *ast.Unit {
	t.Helper()
	file := "k.cl"
	if strings.Contains(text, "__global__") {
		file = "k.cu"
	}
	u, problem := ast.Parse(ast.Source{File: file, Text: []byte(text)})
	if problem != nil {
		t.Fatal(Problem(problem))
	}
	return u
}

// Program lowers kernel k of a file.
func Program(t testing.TB, text string, o launch.Options) *ir.Program {
	t.Helper()
	u := Unit(t, text)
	p, problem := ir.Lower(u, u.Function("k"), o)
	if problem != nil {
		t.Fatal(Problem(problem))
	}
	return p
}

// Module reads a module of LLVM IR.
func Module(t testing.TB, text string) *llvm.Module {
	t.Helper()
	m, problem := llvm.Parse("k.ll", []byte(text))
	if problem != nil {
		t.Fatal(Problem(problem))
	}
	return m
}

// Lowered lowers the function k of a module; "" stands for no problem.
func Lowered(t testing.TB, text string, o launch.Options) (p *ir.Program, problem string) {
	t.Helper()
	m := Module(t, text)
	p, refused := lower.Kernel(m, m.Function("k"), o)
	if refused != nil {
		return nil, Problem(refused)
	}
	return p, ""
}

// Problem prints a problem with its place.
func Problem(p *preproc.Problem) string {
	return fmt.Sprintf("%d:%d: %s", p.Line, p.Col, p.Construct)
}

// Print prints a program, a line for each instruction.
func Print(p *ir.Program) string {
	var out []string
	for _, n := range p.Nodes {
		out = append(out, Node(n)+":"+marks(n))
		for _, i := range n.Code {
			out = append(out, "  "+Instr(i))
		}
		switch {
		case n.End:
			out = append(out, "  end")
		case n.Cond != nil:
			out = append(out, fmt.Sprintf("  if %s then %s else %s", Term(n.Cond), Node(n.Then), Node(n.Other)))
		case n.Then != nil:
			out = append(out, "  to "+Node(n.Then))
		}
	}
	return strings.Join(out, "\n")
}

// Node is the name of a basic block.
func Node(n *ir.Node) string { return fmt.Sprintf("n%d", n.Id) }

func marks(n *ir.Node) (out string) {
	if n.Head {
		out += " loop"
	}
	if n.Asks {
		out += " asks"
	}
	return out
}

// Instr prints an instruction.
func Instr(i *ir.Instr) string {
	place := func() string { return fmt.Sprintf("%s[%s]", strings.TrimSpace(ir.Describe(i.Mem)), Term(i.Off)) }
	switch i.Op {
	case ir.DoAssign:
		return i.V.Name + " := " + Term(i.E)
	case ir.DoHavoc:
		return i.V.Name + " := any"
	case ir.DoUndef:
		return i.V.Name + " := none"
	case ir.DoLoad:
		return i.V.Name + " := " + place()
	case ir.DoStore:
		return place() + " := " + value(i.E)
	case ir.DoAtomic:
		return i.V.Name + " := atomic " + place()
	case ir.DoAssert:
		return "check " + i.Kind + " " + Term(i.E)
	case ir.DoAssume:
		return "assume " + Term(i.E)
	case ir.DoInvariant:
		return "invariant " + Term(i.E)
	case ir.DoWarp:
		if i.Lanes > 0 {
			return fmt.Sprint("tile ", i.Lanes)
		}
		return "warp " + Term(i.E)
	case ir.DoBarrier:
		return fmt.Sprintf("barrier local=%t global=%t", i.Local, i.Glob)
	}
	return fmt.Sprintf("instruction %d", i.Op)
}

func value(t *ir.Term) string {
	if t == nil {
		return "any"
	}
	return Term(t)
}

var operators = map[int]string{
	int(ir.Add): "+", int(ir.Mul): "∗", int(ir.Quo): "÷", int(ir.Rem): "rem", int(ir.Band): "band", int(ir.Bor): "bor", int(ir.Bxor): "bxor",
	int(ir.Shl): "shl", int(ir.Shr): "shr", int(ir.Ite): "choose", int(ir.Other): "other", int(ir.Modulo): "mod", int(ir.PEq): "=", int(ir.PNe): "≠",
	int(ir.PLe): "≤", int(ir.PLt): "<", int(ir.PAnd): "∧", int(ir.POr): "∨", int(ir.PNot): "¬", int(ir.PSame): "same", int(ir.PUniform): "uniform",
}

// Term prints a term in prefix form.
func Term(t *ir.Term) string {
	switch t.Op {
	case ir.Num:
		return t.Val.String()
	case ir.Sym:
		return t.Name
	case ir.Local_:
		return t.V.Name
	case ir.PTrue:
		return "⊤"
	case ir.PFalse:
		return "⊥"
	}
	name := operators[int(t.Op)]
	if t.Op == ir.Wrap {
		name = "wrap"
	}
	if t.Typ != nil {
		sign := "u"
		if t.Typ.Signed {
			sign = "i"
		}
		name += fmt.Sprintf(":%s%d", sign, t.Typ.Bits)
	}
	var args []string
	for _, a := range t.Args {
		args = append(args, Term(a))
	}
	return strings.TrimSpace("("+name+" "+strings.Join(args, " ")) + ")"
}
