package ast_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/sample"
	"github.com/gradine/gradine/internal/golden"
)

// What the parser makes of a file: each function with its parameters, statements as a tree, names
// resolved to what they mean, types of C.
func TestTrees(t *testing.T) {
	golden.Tables(t, func(t *testing.T, in string) string {
		u := sample.Unit(t, in)
		var out strings.Builder
		for _, g := range u.Globals {
			fmt.Fprintf(&out, "global %s\n", declared(g))
		}
		for _, f := range u.Functions {
			var params []string
			for _, p := range f.Params {
				params = append(params, declared(p))
			}
			fmt.Fprintf(&out, "%s(%s) %s kernel=%t defined=%t group=%v\n", f.Name, strings.Join(params, ", "), typ(f.Ret), f.Kernel, f.Defined, f.Group)
			statements(&out, "  ", f.Body)
		}
		for _, x := range u.Unread {
			fmt.Fprintf(&out, "unread %v\n", x)
		}
		return out.String()
	})
}

func declared(d *ast.Decl) string {
	text := d.Name + " " + typ(d.Typ)
	if d.Konst {
		text = "const " + text
	}
	if d.Init != nil {
		text += " = " + expression(d.Init)
	}
	return text
}

func typ(t *ast.Ctype) string {
	if t == nil {
		return "?"
	}
	switch t.Kind {
	case ast.PointerType:
		return fmt.Sprintf("%s*%s", typ(t.Elem), t.Space)
	case ast.ArrayType:
		return fmt.Sprintf("%s[%d]%s", typ(t.Elem), t.N, t.Where)
	case ast.VectorType:
		return fmt.Sprintf("%s×%d", typ(t.Elem), t.N)
	}
	if t.Name != "" {
		return t.Name
	}
	return fmt.Sprintf("kind%d:%d", t.Kind, t.Bits)
}

var names = map[int]string{
	int(ast.EmptyStmt): "empty", int(ast.ExprStmt): "do", int(ast.DeclStmt): "declare", int(ast.BlockStmt): "block", int(ast.IfStmt): "if", int(ast.WhileStmt): "while",
	int(ast.DoStmt): "do-while", int(ast.ForStmt): "for", int(ast.SwitchStmt): "switch", int(ast.CaseStmt): "case", int(ast.LabelStmt): "label", int(ast.GotoStmt): "goto",
	int(ast.BreakStmt): "break", int(ast.ContinueStmt): "continue", int(ast.ReturnStmt): "return",
}

func statements(out *strings.Builder, indent string, ss []*ast.Stmt) {
	for _, s := range ss {
		fmt.Fprintf(out, "%s%s", indent, names[int(s.Kind)])
		if s.Label != "" {
			fmt.Fprintf(out, " %s", s.Label)
		}
		if s.Cond != nil {
			fmt.Fprintf(out, " %s", expression(s.Cond))
		}
		for _, d := range s.Decls {
			fmt.Fprintf(out, " %s", declared(d))
		}
		fmt.Fprintln(out)
		if s.Init != nil {
			statements(out, indent+"  first ", []*ast.Stmt{s.Init})
		}
		statements(out, indent+"  ", s.Body)
		if s.Post != nil {
			fmt.Fprintf(out, "%s  then %s\n", indent, expression(s.Post))
		}
		if len(s.Other) > 0 {
			fmt.Fprintf(out, "%selse\n", indent)
			statements(out, indent+"  ", s.Other)
		}
	}
}

func expression(e *ast.Expr) string {
	var parts []string
	for _, a := range e.Args {
		parts = append(parts, expression(a))
	}
	args := strings.Join(parts, " ")
	switch e.Kind {
	case ast.Literal:
		return e.Value.String() + ":" + typ(e.Typ)
	case ast.FloatLiteral, ast.StringLiteral:
		return e.Name + e.Op
	case ast.Name:
		if e.Decl == nil {
			return e.Name
		}
		return fmt.Sprintf("%s@%d", e.Name, e.Decl.At.Line)
	case ast.Call:
		return fmt.Sprintf("(call %s%s)", e.Name, strings.TrimRight(" "+args, " "))
	case ast.Index:
		return "(at " + args + ")"
	case ast.Member:
		return "(" + args + " " + e.Op + "." + e.Name + ")"
	case ast.Cast:
		return "(to " + typ(e.Typ) + " " + args + ")"
	case ast.Assign:
		return "(" + e.Op + "= " + args + ")"
	case ast.Step:
		if e.Postfix {
			return "(" + args + " " + e.Op + ")"
		}
	case ast.Ternary:
		return "(? " + args + ")"
	case ast.SizeOf:
		return "(sizeof " + typ(e.Typ) + args + ")"
	case ast.InitList:
		return "{" + args + "}"
	}
	return "(" + e.Op + " " + args + ")"
}

// A file that is not understood is refused with its place and what it says.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"__kernel void k() { int a[ }", "1:26: unexpected '[', expected direct declarator"},
	} {
		file := "k.cl"
		if strings.Contains(c.text, "__global__") {
			file = "k.cu"
		}
		_, problem := ast.Parse(ast.Source{File: file, Text: []byte(c.text)})
		got := "read"
		if problem != nil {
			got = sample.Problem(problem)
		}
		if got != c.want {
			t.Errorf("%s\n\t%s, want %s", c.text, got, c.want)
		}
	}
}

// Integer constant expressions are folded exactly, and not where C leaves open what they are.
func TestFold(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1 + 2 * 3", "7"}, {"-7 / 2", "-3"}, {"-7 % 2", "-1"}, {"1 << 4", "16"}, {"5 > 3 ? 10 : 20", "10"}, {"~0", "-1"}, {"!5", "0"},
		{"1 / 0", "none"}, {"2147483647 + 1", "none"}, {"4294967295u + 1u", "none"}, {"x", "none"}, {"sizeof(int) * 3", "12"}, {"(char)1", "1"},
	} {
		u := sample.Unit(t, "__kernel void k(int x, __global int *p) { p[0] = "+c.text+"; }")
		assign := u.Function("k").Body[0].Cond
		got := "none"
		if v, ok := ast.Fold(assign.Args[1], func(*ast.Expr) (*big.Int, bool) { return nil, false }); ok {
			got = v.String()
		}
		if got != c.want {
			t.Errorf("%s is %s, want %s", c.text, got, c.want)
		}
	}
}
