package llvm

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
)

// Digest tells functions apart by what they and all that they call do: two with the same digest are the
// same instruction by instruction, whatever they and their variables are called. Places in the source do
// not count; what the source asks of loops does.
func (m *Module) Digest(f *Function) string {
	h := sha256.New()
	d := &digester{m: m, h: h, functions: map[string]int{}, globals: map[string]int{}, types: map[*Type]int{}}
	d.function(f)
	for k := 0; k < len(d.queue); k++ {
		d.body(d.queue[k])
	}
	return hex.EncodeToString(h.Sum(nil))
}

type digester struct {
	m         *Module
	h         io.Writer
	functions map[string]int
	globals   map[string]int
	types     map[*Type]int
	registers map[string]int
	queue     []*Function
}

func (d *digester) put(words ...any) { fmt.Fprintln(d.h, words...) }

// numbered is the number of a name, in the order in which names are met.
func numbered(in map[string]int, name string) (n int, met bool) {
	n, met = in[name]
	if !met {
		n = len(in)
		in[name] = n
	}
	return n, met
}

func (d *digester) function(f *Function) int {
	n, met := numbered(d.functions, f.Name)
	if !met {
		d.queue = append(d.queue, f)
	}
	return n
}

// body puts a function with its code into the digest.
func (d *digester) body(f *Function) {
	if f.Blocks == nil {
		d.put("declare", f.Name)
		return
	}
	d.registers = map[string]int{}
	d.put("define", d.typ(f.Ret), f.CC)
	for _, p := range f.Params {
		numbered(d.registers, p.Name)
		d.put("param", d.typ(p.Type), p.Attrs.ByVal != nil)
	}
	for _, b := range f.Blocks {
		numbered(d.registers, "block "+b.Name)
	}
	for _, b := range f.Blocks {
		d.put("block")
		for _, i := range b.Code {
			if i.Declared() == nil {
				d.instruction(i)
			}
		}
	}
}

// instruction puts an instruction into the digest.
func (d *digester) instruction(i *Instr) {
	// Registers and blocks count by their order, so that names do not matter.
	name := -1
	if i.Name != "" {
		name, _ = numbered(d.registers, i.Name)
	}
	d.put(i.Op, name, d.typ(i.Type), i.Pred, i.Flags, d.typ(i.Source), i.Index, i.Order, i.Volatile)
	for _, a := range i.Args {
		d.value(a)
	}
	for _, t := range i.To {
		n, _ := numbered(d.registers, "block "+t)
		d.put("to", n)
	}
	for _, c := range i.Cases {
		d.value(c)
	}
	if i.Callee != nil {
		d.value(i.Callee)
	}
	l := Attached(i.Meta, "llvm.loop")
	if l == nil {
		return
	}
	// Metadata of loops decides about unrolling, so it belongs to what is counted.
	for _, e := range l.Elems {
		if len(e.Elems) == 0 || e == l {
			continue
		}
		d.put("loop", e.Elems[0].Text)
		for _, x := range e.Elems[1:] {
			if x.Value != nil {
				d.value(x.Value)
			}
		}
	}
}

// value puts an operand into the digest.
func (d *digester) value(v *Value) {
	switch v.Kind {
	case Register:
		n, _ := numbered(d.registers, v.Name)
		d.put("%", n)
	case GlobalName:
		// Functions and globals count by what they contain.
		if f := d.m.Function(v.Name); f != nil {
			d.put("function", d.function(f))
			return
		}
		n, met := numbered(d.globals, v.Name)
		if d.put("global", n); met {
			return
		}
		if g := d.m.Global(v.Name); g != nil {
			d.put(d.typ(g.Type), g.Space, g.Constant)
			if g.Init != nil {
				d.value(g.Init)
			}
		}
	case IntConstant:
		d.put(d.typ(v.Type), v.Int)
	case Expression:
		d.put("expression")
		d.instruction(v.Expr)
	case MetadataValue:
		d.put("metadata")
	default:
		d.put(v.Kind, d.typ(v.Type), v.Name)
		for _, e := range v.Elems {
			d.value(e)
		}
	}
}

// typ is a type by its parts: names of structures do not count.
func (d *digester) typ(t *Type) string {
	if t == nil {
		return "-"
	}
	switch t.Kind {
	case Int, Pointer:
		return strconv.Itoa(int(t.Kind)) + "/" + strconv.Itoa(t.Bits) + "/" + strconv.Itoa(t.Space)
	case Float:
		return t.Name
	case Array, Vector:
		return fmt.Sprint(t.Kind, "×", t.N, d.typ(t.Elem))
	case Struct:
		if n, met := d.types[t]; met {
			return "s" + strconv.Itoa(n)
		}
		d.types[t] = len(d.types)
		out := fmt.Sprint("{", t.Packed)
		for _, f := range t.Fields {
			out += "," + d.typ(f)
		}
		return out + "}"
	case FunctionType:
		out := d.typ(t.Ret) + "("
		for _, f := range t.Fields {
			out += d.typ(f) + ","
		}
		return out + ")"
	}
	return strconv.Itoa(int(t.Kind)) + t.Name
}
