package eval

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/logic"
)

// A comprehension over integers that mentions nothing else is a rule: {x·P∣E} with P and E of integers,
// variables and ruleOps. It denotes the same set in every model, and it is defined everywhere.

// ruleOps are the operators that rules are made of. They are total, so that rules need no condition of
// well-definedness.
var ruleOps = []logic.Op{
	logic.True, logic.And, logic.Or, logic.Eq, logic.Neq, logic.Lt, logic.Le, logic.In,
	logic.Plus, logic.Minus, logic.Neg, logic.Times, logic.Maplet, logic.UpTo, logic.SetExt,
	logic.Integer, logic.Natural, logic.Natural1,
}

// maxRuleTerms bounds the operators of a rule that is read or written.
const maxRuleTerms = 100

// maxRuleVariables bounds the variables of a rule.
const maxRuleVariables = 8

// rule returns the term of v if v is a rule. m is a model of terms of its bank.
func (m *Model) rule(v Value) (logic.Term, bool) {
	n := &m.Space.nodes[v]
	if n.kind != Symbolic || n.op != logic.Compr || n.len > 0 || m.bank == nil {
		return 0, false
	}
	return logic.Term(n.id), isRule(m.bank, logic.Term(n.id))
}

// isRule reports whether comprehension t is a rule.
func isRule(b *logic.Bank, t logic.Term) bool {
	decls := b.Decls(t)
	if len(decls) > maxRuleVariables || slices.ContainsFunc(decls, func(typ logic.Type) bool { return typ != logic.IntType }) {
		return false
	}
	left := maxRuleTerms
	var fits func(t logic.Term) bool
	fits = func(t logic.Term) bool {
		left--
		switch op := b.Op(t); {
		case left < 0:
			return false
		case op == logic.Int:
			return true
		case op == logic.Bound:
			return b.Index(t) < len(decls)
		case !slices.Contains(ruleOps, op):
			return false
		}
		return !slices.ContainsFunc(b.Args(t), func(a logic.Term) bool { return !fits(a) })
	}
	return fits(b.Arg(t, 0)) && fits(b.Arg(t, 1))
}

// writtenRule is the written form of a rule: variable i is "x" and i, an operator is a list of its name
// and its operands.
type writtenRule struct {
	Variables int `json:"variables"`
	Where     any `json:"where"`
	Each      any `json:"each"`
}

// writeRule is a comprehension of integers as JSON, with its variables numbered from the outermost.
func writeRule(b *logic.Bank, t logic.Term) writtenRule {
	n := len(b.Decls(t))
	var write func(t logic.Term) any
	write = func(t logic.Term) any {
		switch b.Op(t) {
		case logic.Int:
			return json.Number(b.Value(t).String())
		case logic.Bound:
			return "x" + strconv.Itoa(n-1-b.Index(t))
		}
		out := []any{b.Op(t).String()}
		for _, a := range b.Args(t) {
			out = append(out, write(a))
		}
		return out
	}
	return writtenRule{n, write(b.Arg(t, 0)), write(b.Arg(t, 1))}
}

// readRule returns the comprehension that x, a decoded writtenRule, stands for.
func readRule(b *logic.Bank, x any) (logic.Term, error) {
	bad := fmt.Errorf("eval: malformed rule %v", x)
	object, ok := x.(map[string]any)
	if !ok || len(object) != 3 {
		return 0, bad
	}
	n, err := strconv.Atoi(fmt.Sprint(object["variables"]))
	if err != nil || n < 1 || n > maxRuleVariables {
		return 0, bad
	}
	// Counterexamples come from files: one budget for all terms bounds what a forged one can cost.
	left := maxRuleTerms
	var read func(x any) (logic.Term, error)
	read = func(x any) (logic.Term, error) {
		if left--; left < 0 {
			return 0, bad
		}
		switch x := x.(type) {
		case json.Number:
			if z, ok := new(big.Int).SetString(x.String(), 10); ok {
				return b.Int(z), nil
			}
		case string:
			text, found := strings.CutPrefix(x, "x")
			if i, err := strconv.Atoi(text); found && err == nil && 0 <= i && i < n {
				// Bound variables are numbered from the innermost, and the text numbers them from the outermost.
				return b.Bound(n-1-i, logic.IntType), nil
			}
		case []any:
			i := -1
			if len(x) > 0 {
				i = slices.IndexFunc(ruleOps, func(op logic.Op) bool { return op.String() == x[0] })
			}
			if i < 0 {
				return 0, bad
			}
			var args []logic.Term
			for _, y := range x[1:] {
				t, err := read(y)
				if err != nil {
					return 0, err
				}
				args = append(args, t)
			}
			return b.TryApp(ruleOps[i], args...)
		}
		return 0, bad
	}
	where, err := read(object["where"])
	if err != nil {
		return 0, err
	}
	each, err := read(object["each"])
	if err != nil {
		return 0, err
	}
	t, err := b.TryQuant(logic.Compr, slices.Repeat([]logic.Type{logic.IntType}, n), nil, where, each)
	if err == nil && !isRule(b, t) {
		err = bad
	}
	return t, err
}

// Rule returns the value of comprehension t of b, and false if t is no rule. It may be written and read.
func (m *Model) Rule(b *logic.Bank, t logic.Term) (Value, bool) {
	if b.Op(t) != logic.Compr || !isRule(b, t) || m.bank != nil && m.bank != b {
		return 0, false
	}
	m.bank = b
	return m.Space.intern(vnode{kind: Symbolic, op: logic.Compr, id: uint32(t)}, nil), true
}

// hasTerms reports whether v speaks of terms of a bank.
func (m *Model) hasTerms(v Value) bool {
	n := &m.Space.nodes[v]
	switch {
	case n.exact || v == 0:
		return false
	case n.kind == Symbolic && (n.op == logic.Compr || n.op == logic.QUnion || n.op == logic.QInter):
		return true
	}
	return slices.ContainsFunc(m.Space.Parts(v), m.hasTerms)
}

// Restricted returns dom◁r.
func (s *Space) Restricted(dom, r Value) Value { return s.symbolic(logic.DomRes, dom, r) }

// Overridden returns r overridden by table.
func (s *Space) Overridden(r, table Value) Value { return s.symbolic(logic.Ovr, r, table) }

// Identity returns the identity on an infinite type.
func (s *Space) Identity() Value { return s.symbolic(logic.Id) }
