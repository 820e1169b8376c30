package llvm

import (
	"maps"
	"math/big"
	"slices"

	"github.com/gradine/gradine/gpu/preproc"
)

// TypeKind sorts types.
type TypeKind uint8

// The kinds of types.
const (
	Void TypeKind = iota
	Int
	Float
	Pointer
	Array
	Vector
	Struct
	FunctionType
	Label
	MetadataType
	Opaque // a structure without parts, or a type of the target
)

// Type is a type. Named structures are one Type for each name.
type Type struct {
	Kind     TypeKind
	Bits     int    // of integers and floats
	Name     string // of a named structure, and of floats
	Space    int    // the address space of a pointer
	N        int64  // elements of arrays and vectors
	Elem     *Type
	Fields   []*Type // of structures; the parameters of a function type
	Ret      *Type
	Packed   bool
	Variadic bool
}

// ValueKind sorts operands.
type ValueKind uint8

// The kinds of operands.
const (
	Register ValueKind = iota
	GlobalName
	IntConstant
	FloatConstant
	NullPointer
	Undef
	Poison
	Zero      // zeroinitializer, of any type
	Aggregate // of a structure, an array or a vector
	Bytes     // c"…"
	Expression
	MetadataValue
	AssemblyText
	Unknown // what is read and refused where it is used: blockaddress and its kin
)

// Value is an operand.
type Value struct {
	Kind     ValueKind
	Type     *Type
	Name     string // of a register or global; the text of a float, of assembly and of what is unknown
	Int      *big.Int
	Elems    []*Value
	Expr     *Instr
	Metadata *Metadata
	Effect   bool // of assembly: it says sideeffect
	Requires string
}

// Flag is a promise of an instruction; where it is broken, the result is poison.
type Flag uint16

// The flags.
const (
	NSW Flag = 1 << iota
	NUW
	Exact
	InBounds
	NUSW
	Disjoint
	NonNegative
	SameSign
	FastMath
)

// Instr is an instruction, or a constant expression.
type Instr struct {
	Op       Op
	Name     string // of its result; "" if it has none
	Type     *Type  // of its result
	Args     []*Value
	Flags    Flag
	Pred     string  // of a comparison; what an atomicrmw does
	Source   *Type   // what getelementptr counts, alloca makes, a call calls
	Index    []int64 // of extractvalue, insertvalue
	To       []string
	Cases    []*Value // of switch: one for each of To but the first
	Callee   *Value
	Given    []Attributes // of the arguments of a call
	Attrs    Attributes   // of a call
	Order    string       // of an atomic access, "" if it is none
	Scope    string       // of an atomic access: syncscope
	Volatile bool
	Tail     bool
	Debug    *Metadata
	Meta     []Attachment
	Line     int // of the text
}

// Attachment is metadata at an instruction, function or global.
type Attachment struct {
	Kind string
	Node *Metadata
}

// Attached is the metadata of a kind, nil if there is none.
func Attached(all []Attachment, kind string) *Metadata {
	for _, a := range all {
		if a.Kind == kind {
			return a.Node
		}
	}
	return nil
}

// Attributes are those of a function, a parameter or a call.
type Attributes struct {
	Words  map[string]string // readnone: ""; align: 4; "target-cpu": sm_80
	ByVal  *Type             // byval, byref and sret say what they point at
	SRet   *Type
	ByRef  *Type
	groups []string
	odd    string // one that is not known, or changes what a call means
}

// set puts an attribute there.
func (a *Attributes) set(word, value string) {
	if a.Words == nil {
		a.Words = map[string]string{}
	}
	a.Words[word] = value
}

// Has reports whether an attribute is there.
func (a Attributes) Has(word string) bool {
	_, ok := a.Words[word]
	return ok
}

// Place says where in the source an instruction stands.
type Place struct {
	preproc.Place
	File string // as the compiler was given it
}

// Param is a parameter.
type Param struct {
	Name  string
	Type  *Type
	Attrs Attributes
}

// Block is a basic block.
type Block struct {
	Name  string
	Code  []*Instr
	Debug []*DebugRecord
}

// DebugRecord says which variable of the source a value or place is.
type DebugRecord struct {
	Declare  bool // of a place; otherwise of a value
	Value    *Value
	Variable *Metadata
	Before   int // the instruction of the block that it stands before
}

// Function is a function, with a body or without.
type Function struct {
	Name    string
	Ret     *Type
	Params  []Param
	Varargs bool
	CC      string // the calling convention
	Linkage string
	Attrs   Attributes
	Blocks  []*Block
	Meta    []Attachment
	Line    int
	Problem *preproc.Problem // why its body is not understood
	Defined bool
	unread  *span // its body, where that is not read
	number  int   // … the first number of a value there
}

// Global is a variable of the module.
type Global struct {
	Name     string
	Type     *Type
	Space    int
	Constant bool
	Init     *Value // nil: it is declared elsewhere
	Linkage  string
	External bool // externally_initialized: the host may set it
	Meta     []Attachment
	Line     int
	Alias    bool
}

// interposable are the linkages of what a definition in another file may replace. Those that end in _odr are not among them: all
// definitions of such a name mean the same.
var interposable = words("weak linkonce common extern_weak")

// Final reports whether the body of f is what runs when f is called.
func (f *Function) Final() bool { return f.Defined && !interposable[f.Linkage] }

// Settled reports whether g has its initial value in all runs.
func (g *Global) Settled() bool {
	return g.Constant && g.Init != nil && !g.External && !interposable[g.Linkage]
}

// Module is a file.
type Module struct {
	File      string
	Source    string // source_filename
	Triple    string
	Layout    Layout
	Producer  string // the compiler, as the module names it
	Globals   []*Global
	Functions []*Function

	functions map[string]*Function
	globals   map[string]*Global
	read      map[string]*Function // of functions those that replace these, or are added to them
	text      *parser              // where functions are not read
	named     map[string][]*Metadata
	groups    map[string]Attributes
	types     map[string]*Type
}

// Function is the function of a name, nil if there is none.
func (m *Module) Function(name string) *Function {
	if f := m.read[name]; f != nil {
		return f
	}
	return m.functions[name]
}

// Global is the variable of a name, nil if there is none.
func (m *Module) Global(name string) *Global { return m.globals[name] }

// With is m with functions that replace those of their names, or are added.
func (m *Module) With(functions ...*Function) *Module {
	out := *m
	out.Functions = slices.Clone(m.Functions)
	out.read = maps.Clone(m.read)
	if out.read == nil {
		out.read = map[string]*Function{}
	}
	at := map[string]int{}
	for i, f := range m.Functions {
		at[f.Name] = i
	}
	for _, f := range functions {
		if i, ok := at[f.Name]; ok {
			out.Functions[i] = f
		} else {
			out.Functions = append(out.Functions, f)
		}
		out.read[f.Name] = f
	}
	return &out
}

// mostReached bounds the instructions of all functions that Reading reads: no kernel that is judged has as many.
const mostReached = 200_000

// Read is a function of a module that Open opened, with its body.
func (m *Module) Read(f *Function) *Function {
	out := *f
	if out.unread != nil {
		m.text.count, m.text.most = 0, mostReached
		m.text.body(&out)
	}
	return &out
}

// Reading is a module that Open opened, with the bodies of some functions and of all that these mention, in their code or in the
// variables that they use, unless it has these already. No other function of it may be asked for its body.
func (m *Module) Reading(roots ...string) *Module {
	if m.text == nil {
		return m
	}
	// Large modules are read function by function: only what the roots reach is, so that memory follows the kernel and not the module.
	m.text.count, m.text.most = 0, mostReached
	met := map[string]bool{}
	var out []*Function
	todo := slices.Clone(roots)
	var reach func(v *Value)
	reach = func(v *Value) {
		if v.Kind != GlobalName || met[v.Name] {
			return
		}
		if g := m.globals[v.Name]; g != nil && g.Init != nil {
			met[v.Name] = true
			g.Init.each(reach)
			return
		}
		todo = append(todo, v.Name)
	}
	for len(todo) > 0 {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		f := m.Function(name)
		if met[name] || f == nil || f.unread == nil {
			continue
		}
		met[name] = true
		f = m.copied(f)
		out = append(out, f)
		f.each(reach)
	}
	return m.With(out...)
}

// copied is a copy of a function, with its body.
func (m *Module) copied(f *Function) *Function {
	out := *f
	m.text.body(&out)
	return &out
}

// each visits all operands in the body of a function.
func (f *Function) each(visit func(*Value)) {
	for _, b := range f.Blocks {
		for _, i := range b.Code {
			i.EachValue(visit)
		}
	}
}

// AddressTaken are the functions that are mentioned otherwise than to be called, in a body or in the initial value of a variable: the
// targets that a call through a pointer may have in this module, in the order of the file.
func (m *Module) AddressTaken() []string {
	if m.text != nil && m.text.taken != nil {
		return *m.text.taken
	}
	// A callee does not count, and everything else that names a function does. The answer needs all functions once, and is kept.
	met := map[string]bool{}
	note := func(v *Value) {
		if v.Kind == GlobalName {
			met[v.Name] = true
		}
	}
	for _, g := range m.Globals {
		if g.Init != nil {
			g.Init.each(note)
		}
	}
	for _, f := range m.Functions {
		for _, b := range m.Read(f).Blocks {
			for _, i := range b.Code {
				for _, a := range i.Args {
					a.each(note)
				}
			}
		}
	}
	var out []string
	for _, f := range m.Functions {
		if met[f.Name] {
			out = append(out, f.Name)
		}
	}
	if m.text != nil {
		m.text.taken = &out
	}
	return out
}

// Named is the list of metadata of a name, such as llvm.ident.
func (m *Module) Named(name string) []*Metadata { return m.named[name] }

// Extent is a function that no source has: it says that the memory at its first argument begins as many bytes before it as the
// second argument says, and ends as many behind it as the third one says.
const Extent = "gradine.extent"
