package llvm

// Op is an instruction.
type Op uint8

// The instructions, in the order of the language reference.
const (
	Ret Op = iota
	Br
	Switch
	IndirectBr
	Invoke
	CallBr
	Resume
	CatchSwitch
	CatchRet
	CleanupRet
	Unreachable
	FNeg
	Add
	FAdd
	Sub
	FSub
	Mul
	FMul
	UDiv
	SDiv
	FDiv
	URem
	SRem
	FRem
	Shl
	LShr
	AShr
	And
	Or
	Xor
	ExtractElement
	InsertElement
	ShuffleVector
	ExtractValue
	InsertValue
	Alloca
	Load
	Store
	Fence
	CmpXchg
	AtomicRMW
	GetElementPtr
	Trunc
	ZExt
	SExt
	FPTrunc
	FPExt
	FPToUI
	FPToSI
	UIToFP
	SIToFP
	PtrToInt
	PtrToAddr
	IntToPtr
	BitCast
	AddrSpaceCast
	ICmp
	FCmp
	Phi
	Select
	Freeze
	Call
	VAArg
	LandingPad
	CatchPad
	CleanupPad
	opCount
)

// form is how an instruction is written.
type form uint8

const (
	refused    form = iota // it is no part of kernels: exceptions, and jumps to computed places
	own                    // a form of its own
	binary                 // op flags T a, b
	unary                  // op flags T a
	conversion             // op flags T a to U
)

// ops are the instructions that there are: their names, how they are written, and which
// flags they may have.
var ops = [opCount]struct {
	name  string
	form  form
	flags Flag
}{
	Ret: {"ret", own, 0}, Br: {"br", own, 0}, Switch: {"switch", own, 0}, IndirectBr: {"indirectbr", refused, 0},
	Invoke: {"invoke", refused, 0}, CallBr: {"callbr", refused, 0}, Resume: {"resume", refused, 0},
	CatchSwitch: {"catchswitch", refused, 0}, CatchRet: {"catchret", refused, 0}, CleanupRet: {"cleanupret", refused, 0},
	Unreachable: {"unreachable", own, 0},
	FNeg:        {"fneg", unary, FastMath},
	Add:         {"add", binary, NSW | NUW}, FAdd: {"fadd", binary, FastMath},
	Sub: {"sub", binary, NSW | NUW}, FSub: {"fsub", binary, FastMath},
	Mul: {"mul", binary, NSW | NUW}, FMul: {"fmul", binary, FastMath},
	UDiv: {"udiv", binary, Exact}, SDiv: {"sdiv", binary, Exact}, FDiv: {"fdiv", binary, FastMath},
	URem: {"urem", binary, 0}, SRem: {"srem", binary, 0}, FRem: {"frem", binary, FastMath},
	Shl: {"shl", binary, NSW | NUW}, LShr: {"lshr", binary, Exact}, AShr: {"ashr", binary, Exact},
	And: {"and", binary, 0}, Or: {"or", binary, Disjoint}, Xor: {"xor", binary, 0},
	ExtractElement: {"extractelement", own, 0}, InsertElement: {"insertelement", own, 0}, ShuffleVector: {"shufflevector", own, 0},
	ExtractValue: {"extractvalue", own, 0}, InsertValue: {"insertvalue", own, 0},
	Alloca: {"alloca", own, 0}, Load: {"load", own, 0}, Store: {"store", own, 0}, Fence: {"fence", own, 0},
	CmpXchg: {"cmpxchg", own, 0}, AtomicRMW: {"atomicrmw", own, 0}, GetElementPtr: {"getelementptr", own, InBounds | NUSW | NUW},
	Trunc: {"trunc", conversion, NSW | NUW}, ZExt: {"zext", conversion, NonNegative}, SExt: {"sext", conversion, 0},
	FPTrunc: {"fptrunc", conversion, FastMath}, FPExt: {"fpext", conversion, FastMath},
	FPToUI: {"fptoui", conversion, 0}, FPToSI: {"fptosi", conversion, 0},
	UIToFP: {"uitofp", conversion, NonNegative | FastMath}, SIToFP: {"sitofp", conversion, FastMath},
	PtrToInt: {"ptrtoint", conversion, 0}, PtrToAddr: {"ptrtoaddr", conversion, 0}, IntToPtr: {"inttoptr", conversion, 0},
	BitCast: {"bitcast", conversion, 0}, AddrSpaceCast: {"addrspacecast", conversion, 0},
	ICmp: {"icmp", own, SameSign}, FCmp: {"fcmp", own, FastMath}, Phi: {"phi", own, FastMath}, Select: {"select", own, FastMath},
	Freeze: {"freeze", unary, 0}, Call: {"call", own, FastMath}, VAArg: {"va_arg", refused, 0},
	LandingPad: {"landingpad", refused, 0}, CatchPad: {"catchpad", refused, 0}, CleanupPad: {"cleanuppad", refused, 0},
}

var opNames = func() map[string]Op {
	out := map[string]Op{}
	for i, o := range ops {
		out[o.name] = Op(i)
	}
	return out
}()

func (o Op) String() string { return ops[o].name }

// flagNames are the words of flags; those of floating numbers promise nothing that is relied on.
var flagNames = map[string]Flag{
	"nsw": NSW, "nuw": NUW, "exact": Exact, "inbounds": InBounds, "nusw": NUSW, "disjoint": Disjoint, "nneg": NonNegative, "samesign": SameSign,
	"fast": FastMath, "nnan": FastMath, "ninf": FastMath, "nsz": FastMath, "arcp": FastMath, "contract": FastMath, "afn": FastMath, "reassoc": FastMath,
}

// Known reports whether o is an instruction.
func (o Op) Known() bool { return o < opCount }
