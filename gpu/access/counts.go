// Package access counts, from the source of a kernel, the memory accesses of a thread between
// two barriers.
package access

import (
	"slices"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/ir"
	"github.com/gradine/gradine/gpu/preproc"
)

// Interval is what a thread does between two barriers, as formulas over the parameters of
// the kernel, threads (of a group) and blocks (groups).
type Interval struct {
	Times  string `json:"times"`  // how often a thread comes through it
	Global Range  `json:"global"` // accesses to global memory, each time
	Local  Range  `json:"local"`  // accesses to shared memory, each time
}

// Range is what a number lies between; Least and Most are the same where it is the same
// in all threads.
type Range struct {
	Least string `json:"least"`
	Most  string `json:"most"`
}

// Same reports whether all threads make the same number of accesses.
func (i Interval) Same() bool {
	return i.Global.Least == i.Global.Most && i.Local.Least == i.Local.Most
}

func (r Range) String() string {
	if r.Least == r.Most {
		return r.Most
	}
	return r.Least + " ‥ " + r.Most
}

// Of reads the intervals of a kernel off its source, and how many there are in all. What loops
// do must follow from parameters and sizes; why says what does not.
func Of(u *ast.Unit, kernel *ast.Function, sizes, groups [3]int64, write func(*ir.Term) string) (steps string, intervals []Interval, why string) {
	c := &counter{unit: u, spaces: map[string]ast.Space{}, numbers: map[string]ast.Space{}, fixed: map[string]bool{}, wide: map[string]bool{}, sizes: sizes, groups: groups, written: write}
	for _, p := range kernel.Params {
		switch p.Typ.Kind {
		case ast.PointerType:
			c.spaces[p.Name] = p.Typ.Space
			if p.Typ.Space == ast.Private { // CUDA does not say that what the host hands over is global
				c.spaces[p.Name] = ast.Global
			}
		case ast.IntType:
			c.fixed[p.Name] = true
			fallthrough
		default:
			c.numbers[p.Name] = ast.Private
		}
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case uncounted:
			steps, intervals, why = "", nil, e.at.Tell(e.what)
		default:
			panic(e) // a fault, and no reason why nothing is counted
		}
	}()
	c.unassigned(kernel.Body)
	c.block(kernel.Body)
	c.close()
	all := ir.Number(0)
	for _, s := range c.done {
		all = ir.Sum(all, s.times)
		intervals = append(intervals, Interval{Times: c.written(s.times), Global: c.between(s.global), Local: c.between(s.local)})
	}
	return c.written(all), intervals, ""
}

// amount is the least and the most of something.
type amount struct{ least, most *ir.Term }

func none() amount { return amount{ir.Number(0), ir.Number(0)} }

func (c *counter) between(a amount) Range { return Range{c.written(a.least), c.written(a.most)} }

func (a amount) plus(b amount) amount {
	return amount{ir.Sum(a.least, b.least), ir.Sum(a.most, b.most)}
}

func (a amount) times(n *ir.Term) amount {
	return amount{ir.Product(n, a.least), ir.Product(n, a.most)}
}

// tallied is an interval that is being counted.
type tallied struct {
	times         *ir.Term
	global, local amount
}

func (t tallied) empty() bool {
	return t.global.most.Is(0) && t.local.most.Is(0)
}

func once() tallied { return tallied{ir.Number(1), none(), none()} }

// counter walks the statements of a kernel.
type counter struct {
	unit          *ast.Unit
	spaces        map[string]ast.Space // of arrays and pointers
	numbers       map[string]ast.Space // of other variables
	fixed         map[string]bool      // parameters that keep their value
	wide          map[string]bool      // variables that hold each bound, see number
	sizes, groups [3]int64
	written       func(*ir.Term) string // a formula
	now           *tallied
	done          []tallied
}

// uncounted is what cannot be counted.
type uncounted struct {
	at   preproc.Place
	what string
}

func (c *counter) refuse(at preproc.Place, what string) { panic(uncounted{at, what}) }

// unassigned takes parameters from the fixed ones that are assigned somewhere.
func (c *counter) unassigned(ss []*ast.Stmt) {
	ast.Exprs(ss, func(e *ast.Expr) {
		if (e.Kind == ast.Assign || e.Kind == ast.Step || e.Kind == ast.Unary && e.Op == "&") && e.Args[0].Kind == ast.Name {
			delete(c.fixed, e.Args[0].Name)
		}
	})
}

func (c *counter) block(ss []*ast.Stmt) {
	for _, s := range ss {
		c.statement(s)
	}
}

func (c *counter) open() *tallied {
	if c.now == nil {
		t := once()
		c.now = &t
	}
	return c.now
}

// close ends an interval, which may be one without accesses.
func (c *counter) close() {
	c.done = append(c.done, *c.open())
	c.now = nil
}

// statement counts the accesses of a statement.
func (c *counter) statement(s *ast.Stmt) {
	switch {
	case ast.IsBarrier(s):
		c.close()
	case s.Kind == ast.EmptyStmt:
	case s.Kind == ast.ExprStmt:
		c.expr(s.Cond)
	case s.Kind == ast.DeclStmt:
		for _, d := range s.Decls {
			switch {
			case d.Typ.Kind == ast.PointerType:
				c.refuse(d.At, pointed)
			case d.Static:
				c.refuse(d.At, "a static variable")
			}
			c.declare(d)
			c.expr(d.Init)
		}
	case s.Kind == ast.BlockStmt:
		c.block(s.Body)
	case s.Kind == ast.IfStmt:
		c.branch(s)
	case s.Kind == ast.ForStmt:
		c.loop(s)
	default:
		c.refuse(s.At, "a jump, or a loop that is not of the form for (i = a; i < b; i++)")
	}
}

const pointed = "a pointer dereference"

// declare notes a variable, which may hide a parameter.
func (c *counter) declare(d *ast.Decl) {
	_, array := c.spaces[d.Name]
	was, number := c.numbers[d.Name]
	if array || number && (was != d.Typ.Where || d.Typ.Kind == ast.ArrayType) {
		c.refuse(d.At, "a name that denotes two variables")
	}
	if d.Typ.Kind == ast.ArrayType {
		c.spaces[d.Name] = d.Typ.Where
	} else {
		c.numbers[d.Name] = d.Typ.Where
	}
	delete(c.fixed, d.Name)
	_, twice := c.wide[d.Name]
	c.wide[d.Name] = d.Typ.Kind == ast.IntType && d.Typ.Bits >= 32 && (!twice || c.wide[d.Name])
}

// within is a counter of statements that belong to one.
func (c *counter) within() *counter {
	inner := *c
	inner.now, inner.done = nil, nil
	return &inner
}

// apart counts statements on their own; they may have no barrier.
func (c *counter) apart(ss []*ast.Stmt, at preproc.Place) tallied {
	inner := c.within()
	inner.block(ss)
	if len(inner.done) > 0 {
		c.refuse(at, "a barrier in a branch")
	}
	return *inner.open()
}

// branch counts what is done in one case as what may be done.
func (c *counter) branch(s *ast.Stmt) {
	c.expr(s.Cond)
	yes, no := c.apart(s.Body, s.At), c.apart(s.Other, s.At)
	either := func(a, b amount) amount {
		switch {
		case a.least.Key() == b.least.Key() && a.most.Key() == b.most.Key():
			return a
		case b.most.Is(0):
			return amount{ir.Number(0), a.most}
		case a.most.Is(0):
			return amount{ir.Number(0), b.most}
		}
		// Which of two formulas is greater depends on the launch.
		return amount{ir.Number(0), ir.Sum(a.most, b.most)}
	}
	t := c.open()
	t.global, t.local = t.global.plus(either(yes.global, no.global)), t.local.plus(either(yes.local, no.local))
}

// loop counts for (i = a; i < b; i++): its body as often as b − a says, which the launch
// must not make negative.
func (c *counter) loop(s *ast.Stmt) {
	name, from, to := c.bounds(s)
	ast.Exprs(s.Body, func(e *ast.Expr) {
		if (e.Kind == ast.Assign || e.Kind == ast.Step) && e.Args[0].Kind == ast.Name && e.Args[0].Name == name {
			c.refuse(e.At, "the loop changes its variable")
		}
	})
	rounds := ir.Minus(to, from)
	if rounds.IsNum() && rounds.Val.Sign() < 0 {
		rounds = ir.Number(0)
	}
	inner := c.within()
	inner.block(s.Body)
	last := *inner.open()
	if len(inner.done) == 0 {
		t := c.open()
		t.global, t.local = t.global.plus(last.global.times(rounds)), t.local.plus(last.local.times(rounds))
		return
	}
	// The end of a round and the beginning of the next are one interval.
	if !last.empty() || c.now != nil && !c.now.empty() {
		c.refuse(s.At, "accesses between the barriers of two rounds of a loop, or before its first barrier")
	}
	for _, t := range inner.done {
		t.times = ir.Product(rounds, t.times)
		c.done = append(c.done, t)
	}
	c.now = nil
}

// bounds reads the counter of a loop and its bounds, or refuses the loop.
func (c *counter) bounds(s *ast.Stmt) (name string, from, to *ir.Term) {
	const form = "a loop that is not of the form for (i = a; i < b; i++)"
	switch {
	case s.Init == nil || s.Cond == nil || s.Post == nil:
		c.refuse(s.At, form)
	case s.Init.Kind == ast.DeclStmt && len(s.Init.Decls) == 1 && s.Init.Decls[0].Init != nil:
		c.declare(s.Init.Decls[0]) // first: it is in scope in its own initial value
		name, from = s.Init.Decls[0].Name, c.number(s.Init.Decls[0].Init)
	case s.Init.Kind == ast.ExprStmt && s.Init.Cond.Kind == ast.Assign && s.Init.Cond.Op == "" && s.Init.Cond.Args[0].Kind == ast.Name:
		name, from = s.Init.Cond.Args[0].Name, c.number(s.Init.Cond.Args[1])
	default:
		c.refuse(s.At, form)
	}
	up := s.Post.Kind == ast.Step && s.Post.Op == "+" && s.Post.Args[0].Kind == ast.Name && s.Post.Args[0].Name == name
	if !up || s.Cond.Kind != ast.Binary || !slices.Contains([]string{"<", "<="}, s.Cond.Op) || s.Cond.Args[0].Kind != ast.Name || s.Cond.Args[0].Name != name {
		c.refuse(s.At, form)
	}
	to = c.number(s.Cond.Args[1])
	if c.numbers[name] != ast.Private || c.spaces[name] != ast.Private || !c.wide[name] {
		c.refuse(s.At, form)
	}
	if s.Cond.Op == "<=" {
		to = ir.Sum(to, ir.Number(1))
	}
	return name, from, to
}

// number is an expression over parameters and sizes. Its numbers are such that they keep their value in all types of 32 bits.
func (c *counter) number(e *ast.Expr) *ir.Term {
	n := c.formula(e)
	if n.IsNum() && (n.Val.Sign() < 0 || n.Val.BitLen() > 31) {
		c.refuse(e.At, "a loop bound that is negative or not an int")
	}
	return n
}

// formula is an expression as a formula over sizes and parameters, or refuses it.
func (c *counter) formula(e *ast.Expr) *ir.Term {
	size := func(name string, known [3]int64) *ir.Term {
		switch {
		case known[0] > 0:
			return ir.Number(known[0])
		case known[1] != 1 || known[2] != 1: // then it is more than the size in one dimension
			c.refuse(e.At, "a loop bound that is the size in one of several dimensions; fix the others, as in --local-size '*,1,1' --num-groups '*,1,1'")
		}
		return &ir.Term{Op: ir.Sym, Name: name}
	}
	switch {
	case e.Kind == ast.Literal:
		return ir.BigNumber(e.Value)
	case e.Kind == ast.Cast && e.Typ.Kind == ast.IntType && e.Typ.Bits >= 32:
		return c.number(e.Args[0])
	case e.Kind == ast.Name && c.fixed[e.Name]:
		return &ir.Term{Op: ir.Sym, Name: e.Name}
	case e.Kind == ast.Binary && e.Op == "+":
		return ir.Sum(c.number(e.Args[0]), c.number(e.Args[1]))
	case e.Kind == ast.Binary && e.Op == "-":
		return ir.Minus(c.number(e.Args[0]), c.number(e.Args[1]))
	case e.Kind == ast.Binary && e.Op == "*":
		return ir.Product(c.number(e.Args[0]), c.number(e.Args[1]))
	case e.Kind == ast.Call && e.Args[0].Kind == ast.Name && len(e.Args) == 2 && e.Args[1].Kind == ast.Literal && e.Args[1].Value.Sign() == 0:
		switch e.Args[0].Name {
		case "get_local_size":
			return size("threads", c.sizes)
		case "get_num_groups":
			return size("blocks", c.groups)
		}
	case e.Kind == ast.Member && e.Name == "x" && e.Args[0].Kind == ast.Name:
		switch e.Args[0].Name {
		case "blockDim":
			return size("threads", c.sizes)
		case "gridDim":
			return size("blocks", c.groups)
		}
	}
	c.refuse(e.At, "a loop bound that does not follow from parameters and sizes")
	return nil
}

// expr counts the accesses of an expression. An expression whose accesses depend on values, or that hides an access behind a
// pointer or a call, is refused: a count must be exact.
func (c *counter) expr(e *ast.Expr) {
	if e == nil {
		return
	}
	switch e.Kind {
	case ast.SizeOf: // its operand is not evaluated
		return
	case ast.Name:
		c.variable(e)
		return
	case ast.Member:
		if e.Op == "->" {
			c.refuse(e.At, pointed)
		}
	case ast.Assign:
		if _, pointer := c.spaces[e.Args[0].Name]; pointer && e.Args[0].Kind == ast.Name {
			c.refuse(e.At, pointed)
		}
		c.expr(e.Args[0])
		if e.Op != "" {
			c.again(e.Args[0]) // it is read, and then written
		}
		c.expr(e.Args[1])
		return
	case ast.Step:
		c.expr(e.Args[0])
		c.again(e.Args[0])
		return
	case ast.Index:
		c.access(e)
		for at := e; at.Kind == ast.Index; at = at.Args[0] {
			c.expr(at.Args[1])
		}
		return
	case ast.Ternary:
		c.refuse(e.At, "a conditional expression")
	case ast.Unary:
		if e.Op == "*" || e.Op == "&" {
			c.refuse(e.At, pointed)
		}
	case ast.Binary:
		if e.Op == "&&" || e.Op == "||" {
			c.expr(e.Args[0])
			right := c.within()
			right.expr(e.Args[1])
			if !right.open().empty() {
				c.refuse(e.At, "an access that depends on a condition within an expression")
			}
			return
		}
	case ast.Call:
		if n := e.Args[0]; n.Kind != ast.Name || !slices.Contains([]string{"get_local_id", "get_group_id", "get_global_id", "get_local_size", "get_num_groups", "get_global_size", "min", "max"}, n.Name) || c.unit.Declares(n.Name) {
			c.refuse(e.At, "a call")
		}
		for _, a := range e.Args[1:] {
			c.expr(a)
		}
		return
	}
	for _, a := range e.Args {
		c.expr(a)
	}
}

// access counts one access to an array.
func (c *counter) access(e *ast.Expr) {
	base := e
	for base.Kind == ast.Index {
		base = base.Args[0]
	}
	space, ok := c.spaces[base.Name]
	if base.Kind != ast.Name || !ok {
		c.refuse(e.At, "an access to something that is not an array")
	}
	c.one(space)
}

// again counts an access to the same place once more.
func (c *counter) again(e *ast.Expr) {
	for e.Kind == ast.Member {
		e = e.Args[0]
	}
	switch e.Kind {
	case ast.Index:
		c.access(e)
	case ast.Name:
		c.variable(e)
	}
}

// variable counts an access to a variable that is no array, if it lies in memory that others share.
func (c *counter) variable(e *ast.Expr) {
	space, known := c.numbers[e.Name]
	if _, array := c.spaces[e.Name]; array {
		return
	}
	if g := c.unit.Global(e.Name); !known && g != nil && !(g.Konst && g.Typ.Where == ast.Private) {
		c.refuse(e.At, "a variable of the file")
	}
	c.one(space)
}

// one counts one access.
func (c *counter) one(space ast.Space) {
	one := amount{ir.Number(1), ir.Number(1)}
	switch t := c.open(); space {
	case ast.Global, ast.Constant:
		t.global = t.global.plus(one)
	case ast.Local:
		t.local = t.local.plus(one)
	}
}
