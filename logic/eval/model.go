package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/logic"
)

// Infinite as the size of a carrier set says that its elements are numbered by
// all integers.
const Infinite = -1

// Model gives carrier sets a size, at least 1 or Infinite, and free identifiers
// a value of Space. Evaluation adds values to Space, so a model and its clones
// serve one goroutine at a time.
type Model struct {
	Space    *Space
	Carriers map[string]int
	Values   map[string]Value

	bank *logic.Bank // of the terms that values speak of; nil if none does
}

// Clone returns a copy of m in the same space.
func (m *Model) Clone() *Model {
	return &Model{m.Space, maps.Clone(m.Carriers), maps.Clone(m.Values), m.bank}
}

// Define gives an identifier the value of a term of b, which may be symbolic: that of a
// comprehension speaks of the term.
func (m *Model) Define(b *logic.Bank, name string, value Value) {
	m.Values[name] = value
	if m.hasTerms(value) {
		m.bank = b
	}
}

// In returns m for terms of b: m itself if it has no value that speaks of terms of another bank,
// and otherwise a copy whose values speak of the same terms in b.
func (m *Model) In(b *logic.Bank) *Model {
	if m.bank == nil || m.bank == b {
		return m
	}
	return m.Settled(b)
}

// Settled returns a copy of m, for terms of b, in a space that depends on the values alone. What
// comes first of several, as the instance that makes a formula false, depends on the history of a
// space: so it is the same for a model that was searched and for one that was read.
func (m *Model) Settled(b *logic.Bank) *Model {
	out := &Model{Space: NewSpace(), Carriers: maps.Clone(m.Carriers), Values: map[string]Value{}}
	out.take(m, b)
	return out
}

// Join returns m with the carrier sets and values of another model, which come before those of m, for terms of b.
func (m *Model) Join(b *logic.Bank, other *Model) *Model {
	out := m.In(b).Settled(b)
	maps.Copy(out.Carriers, other.Carriers)
	out.take(other, b)
	return out
}

// take adds the values of m to out, for terms of b.
func (out *Model) take(m *Model, b *logic.Bank) {
	im := func(t logic.Term) logic.Term { return t }
	if m.bank != nil {
		out.bank = b
	}
	if m.bank != nil && m.bank != b {
		im = logic.NewImporter(b, m.bank, true).Term
	}
	known := map[Value]Value{0: 0}
	var move func(v Value) Value
	move = func(v Value) Value {
		if w, ok := known[v]; ok {
			return w
		}
		n := m.Space.nodes[v]
		extension := n.kind == Set || n.kind == Symbolic && n.op == logic.SetExt
		parts := slices.Clone(m.Space.Parts(v))
		if extension {
			parts = m.Space.Members(v)
		}
		for i, x := range parts {
			parts[i] = move(x)
		}
		// What a number means depends on the space, but for symbolic values by operators.
		var w Value
		switch {
		case n.kind == Integer:
			w = out.Space.Int(m.Space.Big(v))
		case n.kind == Element:
			w = out.Space.Element(m.Space.names[n.id], int(n.n))
		case extension:
			w = out.Space.Set(parts...)
		default:
			if n.kind == Symbolic && (n.op == logic.Compr || n.op == logic.QUnion || n.op == logic.QInter) {
				n.id = uint32(im(logic.Term(n.id)))
			}
			w = out.Space.intern(n, parts)
		}
		known[v] = w
		return w
	}
	for _, name := range slices.Sorted(maps.Keys(m.Values)) {
		out.Values[name] = move(m.Values[name])
	}
}

// Listed returns m for terms of b, with the members of finite comprehensions listed where that
// takes at most so many steps: such a value can be written, and compared.
func (m *Model) Listed(b *logic.Bank, steps int) *Model {
	if m.bank == nil {
		return m
	}
	out := m.Settled(b)
	e := New(b, out, steps)
	listed := out.Clone()
	for _, name := range slices.Sorted(maps.Keys(out.Values)) {
		if out.writable(out.Values[name]) {
			continue
		}
		if v, ok := e.list(out.Values[name]); ok {
			listed.Values[name] = v
		}
	}
	return listed
}

// NewModel returns a model without carriers and values in a space of its own.
func NewModel() *Model {
	return &Model{Space: NewSpace(), Carriers: map[string]int{}, Values: map[string]Value{}}
}

// ReadModel reads the written form of a model, in which the given free
// identifiers of b get values; values of other names are skipped. The form is
//
//	{"carriers": {"S": 2, "T": "ℤ"}, "values": {"x": 3, "y": "S#1", "b": "TRUE", "r": {"set": [["S#0", 1]]}}}
//
// where sets are written {"set": […]}, {"interval": [lo, hi]} with null for no
// bound, {"product": [A, B]}, {"rule": {"variables": 1, "where": ["lt", 0, "x0"], "each": "x0"}} for
// {x·0<x∣x}, or an operator of writtenOps with its arguments,
// such as {"pfun": [A, B]}, and pairs [x, y].
func ReadModel(bank *logic.Bank, idents []logic.Term, data []byte) (*Model, error) {
	var j struct {
		Carriers map[string]any
		Values   map[string]any
	}
	d := json.NewDecoder(bytes.NewReader(data))
	// Integers may be of any size; float64 would round them.
	d.UseNumber()
	if err := d.Decode(&j); err != nil {
		return nil, err
	}
	model := NewModel()
	for name, size := range j.Carriers {
		n, err := strconv.Atoi(fmt.Sprint(size))
		switch {
		case size == "ℤ":
			n = Infinite
		case err != nil || n < 1:
			return nil, fmt.Errorf("eval: %v is not a size of carrier set %s", size, name)
		}
		model.Carriers[name] = n
	}
	for _, id := range idents {
		name := bank.Name(id)
		if x, ok := j.Values[name]; ok {
			value, err := model.decode(bank, bank.Type(id), x)
			if err != nil {
				return nil, fmt.Errorf("value of %s: %w", name, err)
			}
			model.Values[name] = value
		}
	}
	return model, nil
}

// decode returns the value of type typ that x stands for.
func (m *Model) decode(bank *logic.Bank, typ logic.Type, x any) (Value, error) {
	bad := fmt.Errorf("eval: %v is not a value of its type", x)
	switch bank.TypeKind(typ) {
	case logic.KindInt:
		if n, ok := x.(json.Number); ok {
			if z, ok := new(big.Int).SetString(n.String(), 10); ok {
				return m.Space.Int(z), nil
			}
		}
	case logic.KindBool:
		if x == "TRUE" || x == "FALSE" {
			return m.Space.Bool(x == "TRUE"), nil
		}
	case logic.KindGiven:
		name := bank.GivenName(typ)
		text, isText := x.(string)
		// An element is written S#i; it must be one that the carrier set has.
		text, found := strings.CutPrefix(text, name+"#")
		size := m.Carriers[name]
		if n, err := strconv.Atoi(text); isText && found && err == nil && (0 <= n && n < size || size == Infinite) {
			return m.Space.Element(name, n), nil
		}
	case logic.KindProd:
		left, right := bank.Pair(typ)
		if list, ok := x.([]any); ok && len(list) == 2 {
			v, err := m.decode(bank, left, list[0])
			if err != nil {
				return 0, err
			}
			w, err := m.decode(bank, right, list[1])
			return m.Space.Pair(v, w), err
		}
	case logic.KindPow:
		if object, ok := x.(map[string]any); ok && len(object) == 1 {
			return m.decodeSet(bank, bank.Elem(typ), object)
		}
	}
	return 0, bad
}

// decodeSet reads a set with elements of a type, listed or symbolic.
func (m *Model) decodeSet(bank *logic.Bank, elem logic.Type, object map[string]any) (Value, error) {
	all := func(x any, types ...logic.Type) ([]Value, error) {
		list, ok := x.([]any)
		if !ok || types != nil && len(types) != len(list) {
			return nil, fmt.Errorf("eval: malformed set %v", object)
		}
		vs := make([]Value, len(list))
		for i, y := range list {
			typ := elem
			if types != nil {
				typ = types[i]
			}
			if y == nil && types != nil {
				continue
			}
			value, err := m.decode(bank, typ, y)
			if err != nil {
				return nil, err
			}
			vs[i] = value
		}
		return vs, nil
	}
	kind := bank.TypeKind(elem)
	for key, x := range object {
		switch {
		case key == "set":
			vs, err := all(x)
			return m.Space.Set(vs...), err
		case key == "interval" && (kind == logic.KindInt || kind == logic.KindGiven):
			origin := m.Space.Int64(0)
			if kind == logic.KindGiven { // its bounds are written as numbers
				name := bank.GivenName(elem)
				origin = m.Space.Element(name, 0)
				if list, ok := x.([]any); ok {
					x = elementBounds(name, list)
				}
			}
			vs, err := all(x, elem, elem)
			if err != nil {
				return 0, err
			}
			return m.Space.Interval(vs[0], vs[1], origin), nil
		case key == "rule":
			t, err := readRule(bank, x)
			if err != nil {
				return 0, err
			}
			v, ok := m.Rule(bank, t)
			if !ok || bank.Type(t) != bank.PowType(elem) {
				return 0, fmt.Errorf("eval: malformed set %v", object)
			}
			return v, nil
		case key == "product" && kind == logic.KindProd:
			left, right := bank.Pair(elem)
			vs, err := all(x, bank.PowType(left), bank.PowType(right))
			if err != nil || vs[0] == 0 || vs[1] == 0 {
				return 0, fmt.Errorf("eval: malformed set %v", object)
			}
			return m.Space.symbolic(logic.CProd, vs...), nil
		}
		for _, op := range writtenOps {
			if types := operandTypes(bank, op, elem); key == op.String() && types != nil {
				vs, err := all(x, types...)
				if err == nil && slices.Contains(vs, 0) {
					err = fmt.Errorf("eval: malformed set %v", object)
				}
				if err != nil {
					return 0, err
				}
				return m.Space.symbolic(op, vs...), nil
			}
		}
	}
	return 0, fmt.Errorf("eval: malformed set %v", object)
}

// writtenOps are the operators that symbolic sets are written with, under their names, in addition to
// intervals and products.
var writtenOps = []logic.Op{
	logic.Pow, logic.Pow1, logic.Id, logic.DomRes, logic.Ovr, logic.Rel, logic.TRel, logic.SRel, logic.STRel, logic.PFun, logic.TFun,
	logic.PInj, logic.TInj, logic.PSur, logic.TSur, logic.TBij,
}

// operandTypes returns the types of the operands of op, one of writtenOps or ×, where it makes a set of
// elements of the given type, and nil if it makes no such set.
func operandTypes(bank *logic.Bank, op logic.Op, elem logic.Type) []logic.Type {
	_, arrow := op.Arrow()
	switch op {
	case logic.CProd:
		if bank.TypeKind(elem) == logic.KindProd {
			left, right := bank.Pair(elem)
			return []logic.Type{bank.PowType(left), bank.PowType(right)}
		}
	case logic.Id:
		if left, right := bank.Pair(elem); left != logic.NoType && left == right {
			return []logic.Type{}
		}
	case logic.DomRes:
		if left, _ := bank.Pair(elem); left != logic.NoType {
			return []logic.Type{bank.PowType(left), bank.PowType(elem)}
		}
	case logic.Ovr:
		if bank.TypeKind(elem) == logic.KindProd {
			return []logic.Type{bank.PowType(elem), bank.PowType(elem)}
		}
	case logic.Pow, logic.Pow1:
		if bank.TypeKind(elem) == logic.KindPow {
			return []logic.Type{elem}
		}
	default:
		if left, right := bank.RelPair(elem); arrow && left != logic.NoType {
			return []logic.Type{bank.PowType(left), bank.PowType(right)}
		}
	}
	return nil
}

func elementBounds(carrier string, bounds []any) []any {
	out := slices.Clone(bounds)
	for i, x := range out {
		if n, ok := x.(json.Number); ok {
			out[i] = carrier + "#" + n.String()
		}
	}
	return out
}

// MarshalJSON writes m in the form that ReadModel reads, without the values that
// this form cannot express.
func (m *Model) MarshalJSON() ([]byte, error) {
	carriers, values := map[string]any{}, map[string]any{}
	for name, n := range m.Carriers {
		carriers[name] = n
		if n == Infinite {
			carriers[name] = "ℤ"
		}
	}
	for name, value := range m.Values {
		if m.writable(value) {
			values[name] = m.encode(value)
		}
	}
	return json.Marshal(map[string]any{"carriers": carriers, "values": values})
}

// elementsExist reports whether values are made of elements that their carrier sets have.
func (m *Model) elementsExist() bool {
	known := map[Value]bool{}
	var exist func(v Value) bool
	exist = func(v Value) bool {
		if ok, seen := known[v]; seen || v == 0 {
			return ok || v == 0
		}
		ok := true
		if n := &m.Space.nodes[v]; n.kind == Element {
			size := m.Carriers[m.Space.names[n.id]]
			ok = size == Infinite || 0 <= n.n && n.n < int64(size)
		}
		for _, part := range m.Space.Parts(v) {
			ok = ok && exist(part)
		}
		known[v] = ok
		return ok
	}
	for _, value := range m.Values {
		if !exist(value) {
			return false
		}
	}
	return true
}

// Writes reports whether m has a value of that name which MarshalJSON writes.
func (m *Model) Writes(name string) bool { return m.Values[name] != 0 && m.writable(m.Values[name]) }

// writable reports whether v has a written form.
func (m *Model) writable(v Value) bool {
	n := &m.Space.nodes[v]
	if _, ok := m.rule(v); ok {
		return true
	}
	switch {
	case n.exact || v == 0:
		return true
	case n.kind == Symbolic && (!slices.Contains(writtenOps, n.op) && n.op != logic.UpTo && n.op != logic.CProd && n.op != logic.SetExt || n.op == logic.Ovr && n.len != 2):
		return false
	}
	return !slices.ContainsFunc(m.Space.Parts(v), func(x Value) bool { return !m.writable(x) })
}

// encode is a value as JSON.
func (m *Model) encode(v Value) any {
	all := func(vs []Value) []any {
		list := make([]any, len(vs))
		for i, x := range vs {
			list[i] = m.encode(x)
		}
		return list
	}
	switch n := &m.Space.nodes[v]; {
	case v == 0:
		return nil
	case n.kind == Integer:
		return json.Number(m.Space.Big(v).String())
	case n.kind == Pair:
		return all(m.Space.Parts(v))
	case n.kind == Set || n.kind == Symbolic && n.op == logic.SetExt:
		return map[string]any{"set": all(m.Space.Members(v))}
	case n.op == logic.UpTo && n.kind == Symbolic:
		list := all(m.Space.Parts(v)[:2])
		for i, x := range list {
			// Ends that are elements of a carrier set are written by their number.
			if text, ok := x.(string); ok {
				list[i] = json.Number(text[strings.LastIndexByte(text, '#')+1:])
			}
		}
		return map[string]any{"interval": list}
	case n.op == logic.CProd && n.kind == Symbolic:
		return map[string]any{"product": all(m.Space.Parts(v))}
	case n.kind == Symbolic && n.op == logic.Compr:
		return map[string]any{"rule": writeRule(m.bank, logic.Term(n.id))}
	case n.kind == Symbolic && slices.Contains(writtenOps, n.op):
		return map[string]any{n.op.String(): all(m.Space.Parts(v))}
	}
	return m.Space.String(v)
}

// cardinality returns the number of values of a type, if it is finite, not 0 and at most limit.
func (m *Model) cardinality(bank *logic.Bank, typ logic.Type, limit int) (int, bool) {
	n := 0
	switch bank.TypeKind(typ) {
	case logic.KindBool:
		n = 2
	case logic.KindGiven:
		n = m.Carriers[bank.GivenName(typ)]
	case logic.KindPow:
		// 2^30 is beyond any limit in use, and fits an int.
		k, ok := m.cardinality(bank, bank.Elem(typ), 30)
		if !ok {
			return 0, false
		}
		n = 1 << k
	case logic.KindProd:
		left, right := bank.Pair(typ)
		i, ok1 := m.cardinality(bank, left, limit)
		j, ok2 := m.cardinality(bank, right, limit)
		if !ok1 || !ok2 {
			return 0, false
		}
		n = i * j
	default:
		return 0, false
	}
	return n, 0 < n && n <= limit
}

// isFinite reports whether type t has finitely many values.
func (m *Model) isFinite(bank *logic.Bank, typ logic.Type) bool {
	switch bank.TypeKind(typ) {
	case logic.KindBool:
		return true
	case logic.KindGiven:
		return m.Carriers[bank.GivenName(typ)] > 0
	case logic.KindPow:
		return m.isFinite(bank, bank.Elem(typ))
	case logic.KindProd:
		left, right := bank.Pair(typ)
		return m.isFinite(bank, left) && m.isFinite(bank, right)
	}
	return false
}

// All returns the values of type t, and false if there are more than limit.
func (m *Model) All(bank *logic.Bank, typ logic.Type, limit int) ([]Value, bool) {
	if _, ok := m.cardinality(bank, typ, limit); !ok {
		return nil, false
	}
	var out []Value
	switch bank.TypeKind(typ) {
	case logic.KindBool:
		return []Value{m.Space.Bool(false), m.Space.Bool(true)}, true
	case logic.KindGiven:
		name := bank.GivenName(typ)
		for i := range m.Carriers[name] {
			out = append(out, m.Space.Element(name, i))
		}
	case logic.KindPow:
		elems, _ := m.All(bank, bank.Elem(typ), limit)
		return m.Space.subsets(elems), true
	case logic.KindProd:
		left, right := bank.Pair(typ)
		ls, _ := m.All(bank, left, limit)
		rs, _ := m.All(bank, right, limit)
		// In the order of values, as every listed set is.
		for _, x := range ls {
			for _, y := range rs {
				out = append(out, m.Space.Pair(x, y))
			}
		}
	}
	return out, true
}

// subsets returns the sets of some of the given values, at most 30.
func (s *Space) subsets(elems []Value) []Value {
	out := make([]Value, 0, 1<<len(elems))
	for mask := range 1 << len(elems) {
		var vs []Value
		for i, value := range elems {
			if mask>>i&1 == 1 {
				vs = append(vs, value)
			}
		}
		out = append(out, s.Set(vs...))
	}
	return out
}
