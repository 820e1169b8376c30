package encode

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/interval"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/preproc"
)

// Place is where something stands in the source of a kernel.
type Place = preproc.Place

// Parameters are the names of the integers that a launch chooses apart from sizes.
func (k *Kernel) Parameters() (names []string) {
	for _, p := range k.prog.Params {
		if p.Typ.Kind == ast.IntType {
			names = append(names, p.Term.Name)
		}
	}
	return names
}

// with is k with another body.
func (k *Kernel) with(body []*ast.Stmt) *Kernel {
	f := *k.function
	f.Body = body
	return k.lowered(&f, k.prog.Opts)
}

// edited copies statements; edit says what stands in the place of each in a list.
func edited(ss []*ast.Stmt, edit func(*ast.Stmt) []*ast.Stmt) []*ast.Stmt {
	var out []*ast.Stmt
	for _, s := range ss {
		c := *s
		c.Body, c.Other = edited(s.Body, edit), edited(s.Other, edit)
		out = append(out, edit(&c)...)
	}
	return out
}

// Barriers are the places of the barriers in the body of k itself.
func (k *Kernel) Barriers() (places []Place) {
	if k.function == nil {
		return nil
	}
	edited(k.function.Body, func(s *ast.Stmt) []*ast.Stmt {
		if ast.IsBarrier(s) {
			places = append(places, s.Cond.At)
		}
		return nil
	})
	return places
}

// Without is k without the barrier at a place.
func (k *Kernel) Without(at Place) *Kernel {
	return k.with(edited(k.function.Body, func(s *ast.Stmt) []*ast.Stmt {
		if ast.IsBarrier(s) && s.Cond.At == at {
			return []*ast.Stmt{{Kind: ast.EmptyStmt, At: s.At}}
		}
		return []*ast.Stmt{s}
	}))
}

// Gaps are the statements of k before which a barrier may stand: those of blocks.
func (k *Kernel) Gaps() (before []Place) {
	if k.function == nil {
		return nil
	}
	seen := map[Place]bool{}
	var list func(ss []*ast.Stmt)
	list = func(ss []*ast.Stmt) {
		for _, s := range ss {
			if s.Kind != ast.DeclStmt && s.Kind != ast.CaseStmt && s.Kind != ast.LabelStmt && s.Kind != ast.EmptyStmt && !seen[s.At] && !ast.IsBarrier(s) {
				seen[s.At] = true
				before = append(before, s.At)
			}
			list(s.Body)
			list(s.Other)
		}
	}
	list(k.function.Body)
	return before
}

// WithBarrier is k with a barrier for all memory before the statement at a place.
func (k *Kernel) WithBarrier(before Place) *Kernel {
	call := &ast.Expr{Kind: ast.Call, At: before, Args: []*ast.Expr{{Kind: ast.Name, Name: "__syncthreads", At: before}}}
	if !k.cuda() {
		flags := &ast.Expr{Kind: ast.Literal, Value: big.NewInt(3), Typ: ast.TInt, At: before}
		call.Args = []*ast.Expr{{Kind: ast.Name, Name: "barrier", At: before}, flags}
	}
	done := false
	return k.with(edited(k.function.Body, func(s *ast.Stmt) []*ast.Stmt {
		if s.At != before || done || ast.IsBarrier(s) {
			return []*ast.Stmt{s}
		}
		done = true
		return []*ast.Stmt{{Kind: ast.ExprStmt, At: before, Cond: call}, s}
	}))
}

// Condition is something that a launch may satisfy.
type Condition struct {
	Host string // in the C of the host: an expression over sizes and arguments
	term *ir.Term
	// Holds reports whether it holds of sizes and parameters, by their names in the machine.
	Holds func(values map[string]int64) bool
	// Room says that it keeps an index from wrapping that goes on by as many as there are threads.
	// Counterexamples are no guide to it: they begin where the index has wrapped long ago.
	Room bool
}

// quantity is a number of a launch.
type quantity struct {
	host  string
	term  *ir.Term
	value func(map[string]int64) int64

	size   bool // made of sizes, which have no sign in C
	signed bool // a parameter with a sign
}

func number(n int64) quantity {
	return quantity{host: fmt.Sprint(n), term: ir.Number(n), value: func(map[string]int64) int64 { return n }}
}

func named(host, name string) quantity {
	return quantity{host: host, term: &ir.Term{Op: ir.Sym, Name: name}, value: func(v map[string]int64) int64 { return v[name] }}
}

func times(a, b quantity) quantity {
	return quantity{host: a.host + " * " + b.host, size: a.size || b.size, term: ir.Product(a.term, b.term), value: func(v map[string]int64) int64 { return a.value(v) * b.value(v) }}
}

func modulo(a, b quantity) quantity {
	return quantity{host: a.host + " % " + b.host, size: a.size || b.size, term: ir.Remainder(a.term, b.term), value: func(v map[string]int64) int64 {
		if d := b.value(v); d != 0 {
			return a.value(v) % d
		}
		return -1
	}}
}

// asInt is a as an int of C, which has room for the threads of each dimension.
func (a quantity) asInt() string {
	switch {
	case !a.size:
		return a.host
	case strings.Contains(a.host, " "):
		return "(int)(" + a.host + ")"
	}
	return "(int)" + a.host
}

// beside is a as C compares it with b: compared with a size, −1 would be the largest number.
func (a quantity) beside(b quantity) string {
	if b.signed {
		return a.asInt()
	}
	return a.host
}

func equal(a, b quantity) Condition {
	return Condition{Host: a.beside(b) + " == " + b.beside(a), term: ir.Compare(ir.PEq, a.term, b.term), Holds: func(v map[string]int64) bool { return a.value(v) == b.value(v) }}
}

func atMost(a, b quantity) Condition {
	return Condition{Host: b.beside(a) + " >= " + a.beside(b), term: ir.Compare(ir.PLe, a.term, b.term), Holds: func(v map[string]int64) bool { return a.value(v) <= b.value(v) }}
}

// below says that n + step is a value of the type of n.
func below(n, step quantity, t *ast.Ctype) Condition {
	_, top := interval.Within(t)
	unsigned := ""
	if !top.IsInt64() {
		unsigned = "u"
	}
	c := Condition{Host: fmt.Sprintf("%s <= %s%s - %s", n.host, top, unsigned, step.asInt()), Room: true}
	c.term = ir.Compare(ir.PLe, ir.Sum(n.term, step.term), ir.BigNumber(top))
	c.Holds = func(v map[string]int64) bool {
		return new(big.Int).Add(big.NewInt(n.value(v)), big.NewInt(step.value(v))).Cmp(top) <= 0
	}
	return c
}

// Conditions are those of a launch that may make k safe, the weaker ones first: one
// dimension, how parameters and sizes are related, and sizes that the kernel mentions.
func (k *Kernel) Conditions() (flat, others []Condition) {
	local, groups := k.prog.Opts.Local, k.prog.Opts.Groups
	size := func(of ir.Quantity, d int, known int64) quantity {
		if known > 0 {
			return number(known)
		}
		s := ir.Symbol{Of: of, Dim: d}
		q := named(k.sizeName(s), s.Name())
		q.term, q.size = s.Term(), true
		return q
	}
	// Weaker conditions come first: the search takes the first that a counterexample violates.
	one := number(1)
	var room []Condition
	for d := 1; d < 3; d++ {
		if local[d] == 0 {
			flat = append(flat, equal(size(ir.GroupThread, d, 0), one))
		}
		if groups[d] == 0 {
			flat = append(flat, equal(size(ir.GridGroups, d, 0), one))
		}
	}
	l, g := size(ir.GroupThread, 0, local[0]), size(ir.GridGroups, 0, groups[0])
	for _, p := range k.prog.Params {
		if p.Typ.Kind != ast.IntType {
			continue
		}
		n := named(p.Name, p.Term.Name)
		n.signed = p.Typ.Signed
		others = append(others, atMost(number(0), n), atMost(one, n), atMost(l, n), atMost(times(g, l), n), atMost(n, l))
		others = append(others, equal(n, l), equal(n, times(g, l)))
		room = append(room, below(n, times(g, l), p.Typ))
	}
	others = append(room, others...)
	if groups[0] == 0 {
		others = append(others, equal(g, one))
	}
	if local[0] == 0 {
		for _, n := range []int64{2, 32} {
			others = append(others, equal(modulo(l, number(n)), number(0)))
		}
		var mentioned []int64
		for _, n := range k.prog.Numbers() {
			if n > 1 && n <= 1024 {
				mentioned = append(mentioned, n)
			}
		}
		for _, n := range mentioned {
			others = append(others, atMost(l, number(n)))
		}
		for _, n := range mentioned {
			others = append(others, equal(l, number(n)))
		}
		others = append(others, equal(l, one))
	}
	return flat, others
}

// Under is k for launches that satisfy conditions.
func (k *Kernel) Under(conditions []Condition) *Kernel {
	some := *k
	some.under = slices.Clone(k.under)
	for _, c := range conditions {
		some.under = append(some.under, c.term)
	}
	return some.lowered(k.function, k.prog.Opts)
}

// Flat is k launched with one thread and one group in the dimensions given by name.
func (k *Kernel) Flat(dimensions []string) *Kernel {
	opts := k.prog.Opts
	for d := range 3 {
		if slices.Contains(dimensions, "xyz"[d:d+1]) {
			opts.Local[d], opts.Groups[d] = 1, 1
		}
	}
	return k.lowered(k.function, opts)
}
