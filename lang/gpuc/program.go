package gpuc

import "math/big"

// instrOp is what an instruction does.
type instrOp uint8

const (
	doAssign    instrOp = iota // v := e
	doHavoc                    // v := any value of its type
	doUndef                    // v has no value yet
	doLoad                     // v := mem[off]
	doStore                    // mem[off] := e; nil: any value
	doAtomic                   // mem[off] changes, v := any value
	doAssert                   // check e
	doAssume                   // e holds
	doInvariant                // check e; at a loop head an invariant
	doBarrier                  // flags: the spaces that are ordered
)

// instr is one instruction.
type instr struct {
	op    instrOp
	at    place
	v     *variable
	e     *term
	mem   *memory
	off   *term
	kind  string // of a check
	why   string
	local bool // a barrier orders local memory
	glob  bool // a barrier orders global memory
	id    int  // of a barrier
}

// node is a basic block.
type node struct {
	id      int
	code    []*instr
	cond    *term // nil: goes on to then
	then    *node
	other   *node
	end     bool
	head    bool // the head of a loop
	at      place
	count   *variable             // how often the loop of this head has come round
	stepped map[*variable][]*term // what variables change by in the loop of this head
}

// memory is an array, or what a pointer parameter points at.
type memory struct {
	name    string
	space   space
	elem    *ctype
	cells   int64 // −1: unknown
	content []*big.Int
	at      place
	id      int
	written bool
	fixed   []*variable // one a cell, where all accesses are to fixed cells
}

// parameter is a scalar of the launch, equal for all threads.
type parameter struct {
	name string
	typ  *ctype
	term *term
}

// program is a kernel as a graph of basic blocks.
type program struct {
	name      string
	file      string
	at        place
	entry     *node
	nodes     []*node
	params    []*parameter
	mems      []*memory
	vars      []*variable
	barriers  int
	axioms    []*term
	relations bool // some check is about two threads
	opts      Options
	accessed  *variable // which access thread 1 has logged, for annotations
	offset    *variable
	annotated bool
}
