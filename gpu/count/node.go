package count

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/gpu/llvm"
	"github.com/gradine/gradine/gpu/preproc"
)

// op is what a node computes.
type op uint8

const (
	opNumber  op = iota // k
	opThread            // the id of the thread in dimension k
	opBlock             // the id of the block in dimension k
	opObject            // the address of an object: 0, for objects are aligned
	opUnknown           // what the launch does not decide: contents of memory, floats
	opPhi               // one of args, by the way into its block
	opAdd
	opSub
	opMul
	opUDiv
	opSDiv
	opURem
	opSRem
	opShl
	opLShr
	opAShr
	opAnd
	opOr
	opXor
	opZExt // of args[0], which has k bits
	opTrunc
	opCompare // by pred
	opSelect
	opMin
	opMax
	opUMin
	opUMax
	opAbs
)

// node is a value of a thread: an expression over the thread, its block, and loops.
type node struct {
	op   op
	k    int64
	bits int // width; 64 of pointers
	pred string
	args []*node
	obj  *object
	at   *block // of a phi
	home *node  // what a trivial phi stands for

	varies          bool  // opUnknown: threads of a warp may differ in it
	uniformArgument bool  // opUnknown: a parameter without value, called pred
	product         *inst // opUnknown: the product that it is

	// While a block of the launch is followed:
	val              vec
	checked, changed int // clocks
	computed         int
}

// object is what pointers lead into.
type object struct {
	name    string
	space   Space
	bytes   int64 // −1: not known
	local   bool  // a variable of the thread
	demoted bool  // … that is no register: an array, or one whose bytes are accessed at several widths
	typ     *llvm.Type
	at      preproc.Place
	node    *node
	stored  bool // its address is stored somewhere
	key     demotion
}

// Space is where an access goes.
type Space uint8

// The spaces.
const (
	Global Space = iota
	Shared
	Constant
	Local // arrays of a thread
	Any   // a pointer that may lead to several of them
)

func number(k int64, bits int) *node { return &node{op: opNumber, k: wrap(k, bits), bits: bits} }

// wrap is the number of so many bits, with sign, that k is in two's complement.
func wrap(k int64, bits int) int64 {
	if bits >= 64 || bits <= 0 {
		return k
	}
	return k << (64 - bits) >> (64 - bits)
}

func unsigned(k int64, bits int) uint64 {
	if bits >= 64 || bits <= 0 {
		return uint64(k)
	}
	return uint64(k) & (1<<bits - 1)
}

// resolve follows trivial phis.
func (n *node) resolve() *node {
	for n.home != nil {
		n = n.home
	}
	return n
}

func (n *node) isNumber() bool { return n.op == opNumber }

// made is a node of an operation, folded as far as its arguments are numbers.
func made(o op, bits int, k int64, pred string, args ...*node) *node {
	numbers := true
	for i := range args {
		args[i] = args[i].resolve()
		numbers = numbers && args[i].isNumber()
	}
	n := &node{op: o, bits: bits, k: k, pred: pred, args: args}
	if numbers {
		values := make([]int64, len(args))
		for i, a := range args {
			values[i] = a.k
		}
		width := bits
		if len(args) > 0 {
			width = args[0].bits
		}
		if v, ok := apply(n, width, values); ok {
			return number(v, bits)
		}
		return &node{op: opUnknown, bits: bits}
	}
	// Constants move to the right, where chains of additions meet them.
	switch {
	case o == opAdd && args[1].isNumber() && args[1].k == 0, o == opSub && args[1].isNumber() && args[1].k == 0,
		o == opMul && args[1].isNumber() && args[1].k == 1:
		return args[0]
	case o == opAdd && args[0].isNumber():
		return made(opAdd, bits, 0, "", args[1], args[0])
	case o == opMul && args[0].isNumber():
		return made(opMul, bits, 0, "", args[1], args[0])
	case (o == opMul || o == opAnd) && args[1].isNumber() && args[1].k == 0:
		return number(0, bits)
	case o == opAdd && args[1].isNumber() && args[0].op == opAdd && args[0].args[1].isNumber():
		return made(opAdd, bits, 0, "", args[0].args[0], number(args[0].args[1].k+args[1].k, bits))
	case o == opSelect && args[0].isNumber():
		if args[0].k != 0 {
			return args[1]
		}
		return args[2]
	}
	return n
}

// apply computes an operation; ok is false where it has no value. width is that of the first argument.
func apply(n *node, width int, a []int64) (v int64, ok bool) {
	bits := n.bits
	switch n.op {
	case opAdd:
		v = a[0] + a[1]
	case opSub:
		v = a[0] - a[1]
	case opMul:
		v = a[0] * a[1]
	case opSDiv, opSRem:
		if a[1] == 0 {
			return 0, false
		}
		if v = a[0] / a[1]; n.op == opSRem {
			v = a[0] % a[1]
		}
	case opUDiv, opURem:
		x, y := unsigned(a[0], bits), unsigned(a[1], bits)
		if y == 0 {
			return 0, false
		}
		if v = int64(x / y); n.op == opURem {
			v = int64(x % y)
		}
	case opShl, opLShr, opAShr:
		s := unsigned(a[1], bits)
		if s >= uint64(bits) {
			return 0, false
		}
		switch n.op {
		case opShl:
			v = a[0] << s
		case opLShr:
			v = int64(unsigned(a[0], bits) >> s)
		default:
			v = a[0] >> s
		}
	case opAnd:
		v = a[0] & a[1]
	case opOr:
		v = a[0] | a[1]
	case opXor:
		v = a[0] ^ a[1]
	case opZExt:
		return int64(unsigned(a[0], int(n.k))), true
	case opTrunc:
		v = a[0]
	case opCompare:
		if compares(n.pred, a[0], a[1], width) {
			return -1, true // one bit, with sign
		}
		return 0, true
	case opSelect:
		if v = a[2]; a[0] != 0 {
			v = a[1]
		}
	case opMin:
		v = min(a[0], a[1])
	case opMax:
		v = max(a[0], a[1])
	case opUMin, opUMax:
		v = a[0]
		if less := unsigned(a[1], bits) < unsigned(a[0], bits); less == (n.op == opUMin) {
			v = a[1]
		}
	case opAbs:
		v = max(a[0], -a[0])
	default:
		panic(fmt.Sprintf("count: an operation %d of numbers", n.op))
	}
	return wrap(v, bits), true
}

// compares is a comparison of two integers of so many bits.
func compares(pred string, x, y int64, bits int) bool {
	u, w := unsigned(x, bits), unsigned(y, bits)
	switch pred {
	case "eq":
		return x == y
	case "ne":
		return x != y
	case "slt":
		return x < y
	case "sle":
		return x <= y
	case "sgt":
		return x > y
	case "sge":
		return x >= y
	case "ult":
		return u < w
	case "ule":
		return u <= w
	case "ugt":
		return u > w
	}
	return u >= w
}

// opaque is a value that the launch does not decide.
func opaque(bits int, varies bool, of ...*node) *node {
	return &node{op: opUnknown, bits: bits, varies: varies, args: of}
}

// look says what a search in values does at a node.
type look uint8

const (
	further look = iota // go on with what it is made of
	found               // this is what is searched for
	leave               // nothing that it is made of counts
)

// madeOf reports whether a value is something for which at says found, or is made of it. Each node is looked at once.
func (n *node) madeOf(at func(*node) look) bool {
	seen := map[*node]bool{}
	var visit func(*node) bool
	visit = func(n *node) bool {
		n = n.resolve()
		if seen[n] {
			return false
		}
		seen[n] = true
		switch at(n) {
		case found:
			return true
		case leave:
			return false
		}
		return slices.ContainsFunc(n.args, visit)
	}
	return visit(n)
}

// isOf looks for nodes of some kinds.
func isOf(kinds ...op) func(*node) look {
	return func(n *node) look {
		if slices.Contains(kinds, n.op) {
			return found
		}
		return further
	}
}

// reads reports whether a value depends on the rounds of a loop: it is not known before the loop begins.
func (n *node) reads(l *loop) bool {
	return n.madeOf(func(n *node) look {
		if n.op == opPhi && l.in[n.at] {
			return found
		}
		return further
	})
}

// steady reports whether a value is the same in all rounds of a loop, as far as it is known.
func (n *node) steady(l *loop) bool {
	return !n.madeOf(func(n *node) look {
		switch {
		case n.op == opPhi && n.at == l.head:
			return found
		case n.op == opUnknown:
			return leave // not known in any of them
		}
		return further
	})
}

// evaluable reports whether a value is known at the beginning of a round: ways within it that meet do
// not count in.
func (n *node) evaluable(l *loop) bool {
	return !n.madeOf(func(n *node) look {
		switch {
		case n.op != opPhi || !l.in[n.at]:
			return further
		case n.at == l.head:
			return leave
		}
		return found
	})
}

// dependsOnData reports whether a value is computed from contents of memory.
func (n *node) dependsOnData() bool {
	return n.madeOf(func(n *node) look {
		if n.op == opUnknown && !n.uniformArgument {
			return found
		}
		return further
	})
}

// valueless names the integer parameters without values from which a value is computed, in order. It names none if the
// value also depends on data: then values for the parameters would not make it known.
func (n *node) valueless() (names []string) {
	data := n.madeOf(func(n *node) look {
		if n.op != opUnknown {
			return further
		}
		if !n.uniformArgument || n.pred == "" || n.bits == 0 {
			return found
		}
		names = append(names, n.pred)
		return further
	})
	if data {
		return nil
	}
	slices.Sort(names)
	return slices.Compact(names)
}
