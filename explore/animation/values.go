package animation

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// table gives things numbers, in the order in which they are met.
type table[T comparable] struct {
	of   map[T]int
	list []json.RawMessage
}

func (t *table[T]) number(x T, write func() json.RawMessage) int {
	n, ok := t.of[x]
	if !ok {
		n = len(t.list)
		t.of[x] = n
		t.list = append(t.list, write())
	}
	return n
}

// shaped is a value with its type.
type shaped struct {
	shape *value.Shape
	v     value.Value
}

// Values are those of which somebody was told, by number, as JSON: a text for what has no parts,
// {"p": [x, y]} for a pair, {"s": [x, …]} for a set.
func (a *Animation) Values() []json.RawMessage { return a.values.list }

func (a *Animation) valueOf(shape *value.Shape, v value.Value) int {
	return a.values.number(shaped{shape, v}, func() json.RawMessage {
		var b bytes.Buffer
		a.write(&b, shape, v)
		return b.Bytes()
	})
}

// write writes a value as JSON for the page.
func (a *Animation) write(b *bytes.Buffer, shape *value.Shape, v value.Value) {
	space := a.space.Space
	switch {
	case shape.Left != nil:
		l, r := space.Split(shape, v)
		b.WriteString(`{"p":[`)
		a.write(b, shape.Left, l)
		b.WriteByte(',')
		a.write(b, shape.Right, r)
		b.WriteString("]}")
	case shape.Elem != nil:
		b.WriteString(`{"s":[`)
		for i, x := range space.Elems(shape, v, nil) {
			if i > 0 {
				b.WriteByte(',')
			}
			a.write(b, shape.Elem, x)
		}
		b.WriteString("]}")
	default:
		text, _ := json.Marshal(space.String(shape, v))
		b.Write(text)
	}
}

// Worth is a name, or a formula, with its value as text.
type Worth [2]string

// Typed is the name of something with its type, as text.
type Typed struct {
	Name string `json:"n"`
	Type string `json:"t"`
}

// Variables are those of a level.
func (a *Animation) Variables(level int) (out []Typed) {
	if a.Levels[level].p == nil {
		return nil
	}
	for _, v := range a.Levels[level].p.Variables {
		out = append(out, Typed{v.Name, text.Type(a.space.Bank, v.Shape.Type)})
	}
	return out
}

// Constant is a constant, or a carrier set, with the number of its value; −1 where only its definition
// is known, which stands in Text.
type Constant struct {
	Typed
	Value int    `json:"v"`
	Text  string `json:"x,omitempty"`
}

// Constants are the carrier sets and the constants.
func (a *Animation) Constants(in *explore.Instance) (out []Constant) {
	space := a.space.Space
	texts := in.Bindings(a.Concrete())
	for _, c := range a.Concrete().Contexts {
		for _, s := range c.Sets {
			typ := a.space.Bank.Type(s.Term)
			shape := space.Shape(typ)
			out = append(out, Constant{Typed{s.Name, text.Type(a.space.Bank, typ)}, a.valueOf(shape, space.Set(shape, value.Full(shape.Elem))), ""})
		}
		for _, x := range c.Constants {
			typ := a.space.Bank.Type(x.Term)
			constant := Constant{Typed: Typed{x.Name, text.Type(a.space.Bank, typ)}, Value: -1}
			if v, ok := a.space.Values[x.Name]; ok {
				constant.Value = a.valueOf(space.Shape(typ), v)
			} else {
				constant.Text = texts[len(out)].Value
			}
			out = append(out, constant)
		}
	}
	return out
}

// State is what is seen of a state.
type State struct {
	Values [][]int  // the numbers of the values of the variables, of each level in step
	Taken  []string // the event of each level that led here first; "" if nothing happened there
	Lost   string   // why further levels are not in step
}

// State returns what is seen of a state.
func (a *Animation) State(number int) State {
	s := a.states[number]
	out := State{Taken: s.taken, Lost: s.lost}
	for level, packed := range s.packed {
		p := a.Levels[level].p
		f := p.Frame(context.Background())
		p.Unpack(f, packed)
		values := []int{}
		for i, v := range p.Variables {
			values = append(values, a.valueOf(v.Shape, f.Slots[i]))
		}
		out.Values = append(out.Values, values)
	}
	return out
}

// Evaluated is the value of a formula: of an expression by number, of a predicate with its reason.
type Evaluated struct {
	Value  int
	Type   string
	Reason *Reason
}

// Evaluate evaluates a formula in a state. The term is of a bank, which must be that of the instance; another is an error.
func (a *Animation) Evaluate(ctx context.Context, number int, bank *logic.Bank, t logic.Term) (out Evaluated, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	if bank != a.space.Bank {
		return out, errForeign
	}
	if a.space.Bank.Op(t).IsPredicate() {
		reason, err := a.reason(ctx, number, 0, t)
		return Evaluated{Reason: reason}, err
	}
	p := a.Levels[0].p
	expr, err := p.Value(t)
	if err != nil {
		return out, err
	}
	shape := p.Space.Shape(a.space.Bank.Type(t))
	f := p.Frame(ctx)
	f.Most = mostTried
	p.Unpack(f, a.states[number].packed[0])
	limit := abort.Bounded(func() {
		v, why := f.Value(expr)
		if why != "" {
			err = undefined(why)
			return
		}
		out.Value, out.Type = a.valueOf(shape, v), text.Type(a.space.Bank, shape.Type)
	})
	if limit != "" {
		return out, undefined(limit + " ended the evaluation")
	}
	return out, err
}

type undefined string

func (u undefined) Error() string { return "undefined: " + string(u) }
