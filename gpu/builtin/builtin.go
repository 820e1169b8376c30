// Package builtin defines the functions of the toolchains in one table. A row has one meaning,
// its spelling in each language, and the targets that have it. Kernels that call a function
// without a row are rejected.
package builtin

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Meaning is what a function does and gives.
type Meaning uint8

// The meanings. Where nothing else is said, a function accesses no memory.
const (
	AnyNumber     Meaning = iota // a number of its arguments alone; which one is not followed
	LocalID                      // of the thread in its group
	GroupID                      // of the group in the grid
	LocalSize                    // threads of a group
	NumGroups                    // groups of the grid
	GlobalID                     // group ∗ size + thread
	GlobalSize                   // threads of the grid
	GlobalOffset                 // 0
	Dimensions                   // 1, 2 or 3
	WarpSize                     // threads of a warp: of NVIDIA 32
	Barrier                      // of the group; orders all of its accesses
	BarrierFlags                 // … orders those that its first argument says: 1 local, 2 global
	BarrierBare                  // … orders those that fences around it say
	BarrierVote                  // … and gives a number of all threads
	BarrierGrid                  // of the whole grid; orders all accesses of its threads
	ScratchWrite                 // a function of a toolkit writes to its scratch memory: anything, anywhere in it
	ScratchMeet                  // … then lets the threads of the group meet, which orders those writes alone
	ScratchRead                  // … and then reads its scratch memory, anywhere
	Fence                        // orders the accesses of one thread: takes no race away
	Atomic                       // changes what its first argument leads to in one step; gives any value
	AtomicBlock                  // … in one step for threads of a group alone
	Warp                         // a value that depends on other threads of the warp
	WarpFence                    // a barrier of the lanes of a warp that a mask names
	Texel                        // what a texture holds at a place: any value
	Minimum                      // of two numbers
	Maximum                      //
	Clamp                        // of a number between two others
	Absolute                     // as a number without sign; of the least one it is 2ⁿ⁻¹
	AbsoluteFlag                 // … or poison, if the second argument says so
	Multiply24                   // of the low 24 bits of each
	MultiplyAdd24                //
	CountBits                    // 0 to the number of bits
	Reinterpret                  // the bits of its argument as another type
	Convert                      // its argument as another type
	ConvertSat                   // … the nearest value that the type has
	Argument                     // its first argument
	VectorLoad                   // lanes from what its second argument leads to, at so many times their number
	VectorStore                  // … of the first argument to what the third leads to
	ReadCell                     // what its first argument leads to
	CopyMemory                   // from the second argument to the first
	SetMemory                    // of the first argument to the second, byte by byte
	Allocate                     // memory that overlaps no other, whose first argument is its size in bytes; or null
	Release                      // that memory has no further use
	LifeStart                    // of a variable: it has no value
	LifeEnd                      //
	Nothing                      // it may be left out
	Assume                       // its argument holds, says the author
	Assert                       // its argument must hold
	AssertFail                   // an assertion has failed
	Trap                         // the kernel ends with an error
	Require                      // launches owe it, says the author
	Invariant                    // of a loop
	Candidate                    // a guess of another tool: nothing rests on it
	Implies                      // of truths
	Print                        // reads no memory but the text of its format
	Opaque                       // textures, images, surfaces, queues: known, and refused
)

// Gives says how the type of the value of a function follows from those of its arguments, in source.
type Gives uint8

// The ways. Where nothing else is said, vectors have it lane by lane.
const (
	Undeclared       Gives = iota
	OneType                // that of the arguments, which are all of one type
	Integers               // the same, of integers
	Floats                 // a floating type, in which all arguments are
	Float32s               // the same, of floats alone
	FirstFloat             // that of the first argument, a float; the other one is an integer
	Element                // that of the lanes of its arguments, or of them
	Element32              // the same, of floats alone
	Relation               // whether something holds of floats: of lanes, in each
	Signs                  // whether something holds of the signs of integers: an int
	IntOfEach              // an int, or one for each lane of floats
	Int                    // an int, whatever the arguments
	Uint                   //
	Long                   //
	Float                  //
	Double                 //
	Promoted               // that of an argument, which narrow integers are promoted for
	UnsignedOfNumber       // an unsigned int, of an argument that is a number
	WideNumber             // that of the argument, a scalar of 32 bits or more
	Selected               // that of the first two of three arguments, which are of one type
	Unsigned               // that of its arguments, integers of one type, without sign
	Permuted               // as many lanes as the last argument has, of the first one's type
)

// Addend is what an atomic operation adds.
type Addend uint8

// The addends.
const (
	NoAddend  Addend = iota // it is no addition
	AddOne                  //
	AddSecond               // the second argument
)

// Row is one meaning.
type Row struct {
	Means   Meaning
	Signed  int      // of numbers: 1 with sign, −1 without, 0 as the arguments say
	Ignores bool     // of numbers: nothing is read through pointers among its arguments
	Writes  []int    // arguments that lead to a number that it sets, to any value
	Gives   Gives    // in source: how the type of its value follows; Undeclared where source has no use of it
	Of      int      // … the argument that it follows from, where one does
	Bits    int      // of CountBits: the width of the argument, 0 where that has one of its own
	Adds    Addend   // of Atomic: what is added, where it gives the number that was there
	Fresh   bool     // of AnyNumber: each call gives another one, whatever its arguments are
	Doc     string   // what it gives and does
	Spell   Spelling // in each language and for each target
}

// Spelling are the names of a meaning, by language and target, apart by spaces. {xyz} stands for
// each of the three dimensions. A name that ends in <> is that of a template. A name that ends in * stands for all that begin so, of which none may
// have a pointer as an argument.
type Spelling struct {
	OpenCL string // as the source has it; modules have it mangled
	CUDA   string // as the source has it
	HIP    string // … where it is not as in CUDA
	NVPTX  string // in modules for nvptx64
	AMDGPU string // in modules for amdgcn
	SPIR   string // in modules for spir and spirv, where it is not OpenCL's
	LLVM   string // in all modules; without the types at its end

	OpenCLText string // as the source alone has it: modules have a body of it, or another name
	CUDAText   string //
}

// Language is a column of the table.
type Language uint8

// The columns.
const (
	OpenCL Language = iota
	CUDA
	HIP
	NVPTX
	AMDGPU
	SPIR
	LLVM
	OpenCLText
	CUDAText
	languages
)

func (s Spelling) of(l Language) string {
	return [languages]string{s.OpenCL, s.CUDA, s.HIP, s.NVPTX, s.AMDGPU, s.SPIR, s.LLVM, s.OpenCLText, s.CUDAText}[l]
}

// entry is what a name stands for.
type entry struct {
	row *Row
	dim int
}

type prefix struct {
	text string
	row  *Row
}

var (
	names    [languages]map[string]entry
	prefixes [languages][]prefix
)

func init() {
	for l := range languages {
		names[l] = map[string]entry{}
		for i := range Rows {
			r := &Rows[i]
			for _, n := range strings.Fields(r.Spell.of(l)) {
				switch {
				case strings.Contains(n, "{xyz}"):
					for d, c := range []string{"x", "y", "z"} {
						put(l, strings.Replace(n, "{xyz}", c, 1), entry{r, d})
					}
				case strings.HasSuffix(n, "*"):
					prefixes[l] = append(prefixes[l], prefix{strings.TrimSuffix(n, "*"), r})
				default:
					put(l, n, entry{r, -1})
				}
			}
		}
	}
}

func put(l Language, n string, e entry) {
	if _, ok := names[l][n]; ok {
		panic("builtin: " + n + " has two rows")
	}
	names[l][n] = e
}

// Call is what a name in a module stands for.
type Call struct {
	*Row
	Dim      int    // the dimension that the name says, −1 if it says none
	Name     string // without mangling
	Unsigned bool   // its first argument has no sign, says the mangled name
	Said     bool   // the mangled name says whether it has
	Prefix   bool   // the row is for all names that begin so
}

// Find is what a name means in one of several columns, the first that has it; nil if none does.
func Find(name string, columns ...Language) *Call {
	for _, l := range columns {
		switch l {
		case OpenCL, CUDA, HIP: // modules have them mangled
			n, unsigned, said := Demangle(name)
			if e, ok := names[l][n]; ok {
				return &Call{Row: e.row, Dim: e.dim, Name: n, Unsigned: unsigned, Said: said}
			}
			for _, p := range prefixes[l] {
				if strings.HasPrefix(n, p.text) && !strings.HasSuffix(n, "<>") {
					return &Call{Row: p.row, Dim: -1, Name: n, Unsigned: unsigned, Said: said, Prefix: true}
				}
			}
		default:
			n := name
			if strings.HasPrefix(n, "llvm.") {
				n = untyped(n)
			}
			for _, n := range []string{name, n} {
				if e, ok := names[l][n]; ok {
					return &Call{Row: e.row, Dim: e.dim, Name: name, Unsigned: e.row.Signed < 0, Said: e.row.Signed != 0}
				}
			}
			for _, p := range prefixes[l] {
				if strings.HasPrefix(name, p.text) {
					return &Call{Row: p.row, Dim: -1, Name: name, Prefix: true}
				}
			}
		}
	}
	return nil
}

// Source is what a name means in the source of OpenCL C, or of CUDA C; nil if it has no meaning there.
func Source(name string, cuda bool) *Call {
	columns := []Language{OpenCL, OpenCLText}
	if cuda {
		columns = []Language{CUDA, CUDAText}
	}
	for _, l := range columns {
		if e, ok := names[l][name]; ok {
			return &Call{Row: e.row, Dim: e.dim, Name: name}
		}
	}
	for _, l := range columns {
		for _, p := range prefixes[l] {
			if strings.HasPrefix(name, p.text) {
				return &Call{Row: p.row, Dim: -1, Name: name, Prefix: true}
			}
		}
	}
	return nil
}

// Typed are the functions whose value has a type that the table says, of one language, in order.
func Typed(cuda bool) (out []string) {
	columns := []Language{OpenCL, OpenCLText}
	if cuda {
		columns = []Language{CUDA, CUDAText}
	}
	for _, l := range columns {
		for n, e := range names[l] {
			if e.row.Gives != Undeclared {
				out = append(out, n)
			}
		}
	}
	slices.Sort(out)
	return out
}

var typeSuffix = regexp.MustCompile(`^(v\d+)?(i\d+|f\d+|bf16|p\d+)$`)

// untyped is the name of an intrinsic without the types that it is for.
func untyped(n string) string {
	for {
		at := strings.LastIndexByte(n, '.')
		if at < 0 || !typeSuffix.MatchString(n[at+1:]) {
			return n
		}
		n = n[:at]
	}
}

// Readable is the name of a function as messages have it: that of the source, with its namespaces or classes, as far as the
// mangled name begins with them.
func Readable(n string) string {
	rest, nested := strings.CutPrefix(n, "_ZN")
	if !nested {
		name, _, _ := Demangle(n)
		return name
	}
	rest = strings.TrimLeft(rest, "KV") // const and volatile members
	var names []string
	for {
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		size, err := strconv.Atoi(digits)
		if err != nil || size == 0 || size > len(rest)-len(digits) {
			break
		}
		names, rest = append(names, rest[len(digits):len(digits)+size]), rest[len(digits)+size:]
	}
	if len(names) == 0 {
		return n
	}
	return strings.Join(names, "::")
}

// Demangle is the name of a plain function as C++ and OpenCL mangle it, and whether its first
// parameter is a number without sign, if that is said; that of a template ends in <>. Other names are as they are.
func Demangle(n string) (name string, unsigned, said bool) {
	rest, ok := strings.CutPrefix(n, "_Z")
	if !ok {
		return n, false, false
	}
	rest = strings.TrimPrefix(rest, "L") // of a file alone
	digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
	size, err := strconv.Atoi(digits)
	if err != nil || size > len(rest)-len(digits) || size == 0 {
		return n, false, false
	}
	name, rest = rest[len(digits):len(digits)+size], rest[len(digits)+size:]
	if strings.HasPrefix(rest, "I") {
		return name + "<>", false, false
	}
	if strings.HasPrefix(rest, "Dv") {
		_, rest, _ = strings.Cut(rest, "_")
	}
	if rest == "" {
		return name, false, false
	}
	switch rest[0] {
	case 'h', 't', 'j', 'm', 'b':
		return name, true, true
	case 'a', 'c', 's', 'i', 'l':
		return name, false, true
	}
	return name, false, false
}
