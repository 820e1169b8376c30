package ir

import (
	"fmt"
	"strings"

	"github.com/gradine/gradine/gpu/ast"
	"github.com/gradine/gradine/gpu/launch"
	"github.com/gradine/gradine/gpu/preproc"
)

// Builder makes a program: readers of all languages end in it.
type Builder struct {
	Prog  *Program
	Now   *Node // the block that instructions go to
	names map[string]int
	size  int
}

// NewBuilder begins a program.
func NewBuilder(name, file string, at preproc.Place, opts launch.Options, taken []string) Builder {
	b := Builder{Prog: &Program{Name: name, File: file, At: at, Opts: opts, Taken: taken}, names: map[string]int{}}
	b.Prog.Accessed = b.NewVariable("acc", ast.TLong)
	b.Prog.Offset = b.NewVariable("off", ast.TLong)
	b.Prog.Entry = b.NewNode(at)
	b.Now = b.Prog.Entry
	return b
}

const maxInstructions = 20_000

// Fail refuses the kernel.
func (b *Builder) Fail(at preproc.Place, format string, args ...any) {
	panic(preproc.Refuse(b.Prog.File, at, fmt.Sprintf(format, args...)))
}

// NewMemory is an array of so many cells, −1 if that is not known. Its key tells it from others of its name.
func (b *Builder) NewMemory(name, key string, space ast.Space, elem *ast.Ctype, cells int64, at preproc.Place) *Memory {
	m := &Memory{name: name, Space: space, elem: elem, Cells: cells, at: at, Id: len(b.Prog.Mems), key: key}
	b.Prog.Mems = append(b.Prog.Mems, m)
	return m
}

// Barrier puts a barrier here, which orders accesses to local and global memory.
func (b *Builder) Barrier(local, global bool, at preproc.Place) {
	i := &Instr{Op: DoBarrier, At: at, id: b.Prog.Barriers, Local: local, Glob: global}
	b.Prog.Barriers++
	b.Emit(i)
}

// GridBarrier puts a barrier of the whole grid here.
func (b *Builder) GridBarrier(at preproc.Place) {
	b.Barrier(true, true, at)
	b.Now.Code[len(b.Now.Code)-1].Grid = true
}

// InnerBarrier puts a barrier here at which a function of a toolkit lets the threads of the group meet. It is not promised that it
// orders more than the stores of such functions.
func (b *Builder) InnerBarrier(at preproc.Place) {
	b.Barrier(false, false, at)
	b.Now.Code[len(b.Now.Code)-1].Inner = true
}

// Parameter is a number that the launch gives, equal for all threads.
func (b *Builder) Parameter(name string, t *ast.Ctype) *Term {
	p := &parameter{Name: name, Typ: t, Term: &Term{Op: Sym, Name: b.SymbolName(name)}}
	b.Prog.Params = append(b.Prog.Params, p)
	return p.Term
}

// Check puts a check here, unless it holds by its form.
func (b *Builder) Check(kind, why string, p *Term, at preproc.Place) {
	if p.Op != PTrue {
		b.Emit(&Instr{Op: DoAssert, At: at, Kind: kind, Why: why, E: p})
	}
}

// reserved are words of formulas that C programs use as names.
var reserved = map[string]bool{}

func init() {
	for _, w := range strings.Fields("mod dom ran min max card end event events then when where with any context machine sets constants axioms variables invariants theorem bool id pred succ union inter partition finite skip variant sees refines extends begin not or true false to from site turn off acc pc circ dprod pprod ordinary convergent anticipated status extended nat int pow") {
		reserved[w] = true
	}
}

// SymbolName is a name for the model, different from all others.
func (b *Builder) SymbolName(n string) string {
	var t strings.Builder
	for _, c := range n {
		if c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			t.WriteRune(c)
		}
	}
	n = strings.TrimLeft(t.String(), "_0123456789")
	if n == "" || reserved[strings.ToLower(n)] || taken(n) {
		n += "v"
	}
	b.names[n]++
	if k := b.names[n]; k > 1 {
		return b.SymbolName(fmt.Sprintf("%s%c", n, 'a'+rune((k-2)%26)))
	}
	return n
}

// NewVariable is a variable of one thread, with a name of its own.
func (b *Builder) NewVariable(n string, t *ast.Ctype) *Variable {
	if n == "" {
		n = "t"
	}
	v := &Variable{Name: b.SymbolName(n), Typ: t, Id: len(b.Prog.Vars)}
	b.Prog.Vars = append(b.Prog.Vars, v)
	return v
}

// NewNode is a new basic block.
func (b *Builder) NewNode(at preproc.Place) *Node {
	n := &Node{Id: len(b.Prog.Nodes), At: at}
	b.Prog.Nodes = append(b.Prog.Nodes, n)
	return n
}

// Emit puts an instruction behind those of the block. It fails where the program becomes too large.
func (b *Builder) Emit(i *Instr) {
	if b.size++; b.size > maxInstructions {
		b.Fail(i.At, "a kernel of more than %d instructions", maxInstructions)
	}
	if i.Op == DoStore || i.Op == DoAtomic {
		i.Mem.Written = true
	}
	b.Now.Code = append(b.Now.Code, i)
}

// GoTo ends the block; what follows without a label is dead.
func (b *Builder) GoTo(n *Node) {
	b.Now.Then = n
	b.Now = n
}

// Branch ends the block with a condition.
func (b *Builder) Branch(cond *Term, then, other *Node) {
	switch cond.Op {
	case PTrue:
		b.Now.Then = then
	case PFalse:
		b.Now.Then = other
	default:
		b.Now.Cond, b.Now.Then, b.Now.Other = cond, then, other
	}
}

// Anything is an arbitrary value of a type.
func (b *Builder) Anything(t *ast.Ctype, at preproc.Place) *Term {
	v := b.NewVariable("any", t)
	b.Emit(&Instr{Op: DoHavoc, At: at, V: v})
	return VariableTerm(v)
}

// FloatConstant is the constant that stands for a number: one for each text and type, for
// what is one number as a double may be another as a float.
func (b *Builder) FloatConstant(text string, t *ast.Ctype) *Term {
	text = strings.TrimRight(strings.ToLower(text), "f")
	name := "fl" + strings.NewReplacer(".", "p", "-", "m", "+", "").Replace(text)
	for _, p := range b.Prog.Params {
		if p.Name == "float "+text && p.Typ.Bits == t.Bits {
			return p.Term
		}
	}
	p := &parameter{Name: "float " + text, Typ: t, Term: &Term{Op: Sym, Name: b.SymbolName(name)}}
	b.Prog.Params = append(b.Prog.Params, p)
	return p.Term
}

// LocalID is the id of the thread in its group.
func (b *Builder) LocalID(d int) *Term {
	if b.Prog.Opts.Local[d] == 1 {
		return Number(0)
	}
	return Symbol{OfThread, d}.Term()
}

// GroupID is the id of the group.
func (b *Builder) GroupID(d int) *Term {
	if b.Prog.Opts.Groups[d] == 1 {
		return Number(0)
	}
	return Symbol{OfGroup, d}.Term()
}

// LocalSize is how many threads a group has.
func (b *Builder) LocalSize(d int) *Term {
	if n := b.Prog.Opts.Local[d]; n > 0 {
		return Number(n)
	}
	return Symbol{GroupThread, d}.Term()
}

// Groups is how many groups the grid has.
func (b *Builder) Groups(d int) *Term {
	if n := b.Prog.Opts.Groups[d]; n > 0 {
		return Number(n)
	}
	return Symbol{GridGroups, d}.Term()
}

// GlobalID is the id of the thread in the grid.
func (b *Builder) GlobalID(d int) *Term {
	return Sum(Product(b.GroupID(d), b.LocalSize(d)), b.LocalID(d))
}

// GlobalSize is how many threads the grid has.
func (b *Builder) GlobalSize(d int) *Term {
	if n := b.Prog.Opts.Global[d]; n > 0 {
		return Number(n)
	}
	return Product(b.LocalSize(d), b.Groups(d))
}

// Choose is a where p holds, otherwise b.
func Choose(p, a, b *Term) *Term { return choose(p, a, b) }

// Into is the integer e as a value of type t, which it wraps to.
func Into(t *ast.Ctype, e *Term) *Term { return into(t, e) }

// TruthValue is 1 where p holds, otherwise 0.
func TruthValue(p *Term) *Term { return truthValue(p) }

// IsTrue is t ≠ 0.
func IsTrue(t *Term) *Term { return truthOf(t) }

// WithinType says that e is a value of type t.
func WithinType(t *ast.Ctype, e *Term) *Term { return within(t, e) }

// Plain reports whether a formula is arithmetic without choices and bit operations.
func Plain(t *Term) bool { return plain(t) }
