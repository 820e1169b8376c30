package host

import (
	"math/big"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/llvm"
)

// local is a variable of the function that is in memory.
type local struct {
	register string
	name     string
	size     int64
	given    []where // where its address goes to something that may keep it
}

// cell is a part of a variable at the start of a block.
type cell struct {
	block, local string
	at, size     int64
}

// target is where in a local a pointer leads.
type target struct {
	l  *local
	at int64 // −1: anywhere within
}

// findLocals finds the variables in memory, and where their addresses go.
func (r *reader) findLocals() {
	r.locals = map[string]*local{}
	for _, b := range r.f.Blocks {
		for _, i := range b.Code {
			if i.Op != llvm.Alloca {
				continue
			}
			size := r.m.Layout.Size(i.Source)
			if len(i.Args) > 0 && (i.Args[0].Kind != llvm.IntConstant || !i.Args[0].Int.IsInt64() || i.Args[0].Int.Int64() != 1) {
				size = -1
			}
			name := r.names[i.Name]
			r.locals[i.Name] = &local{register: i.Name, name: name, size: size}
		}
	}
	for _, b := range r.f.Blocks {
		for k, i := range b.Code {
			if i.Declared() != nil {
				continue
			}
			for n, a := range i.Args {
				t, ok := r.target(a)
				if ok && r.keeps(i, n) {
					t.l.given = append(t.l.given, where{b, k})
				}
			}
		}
	}
}

// target is the local that an operand is the address of; ok says whether it is one, by its form.
func (r *reader) target(v *llvm.Value) (t target, ok bool) {
	at := int64(0)
	for range maxExpr {
		if v.Kind != llvm.Register {
			return t, false
		}
		if l := r.locals[v.Name]; l != nil {
			return target{l, at}, true
		}
		def, ok := r.at[v.Name]
		if !ok {
			return t, false
		}
		i := def.instr()
		switch i.Op {
		case llvm.GetElementPtr:
			if n, ok := r.fixed(i); ok && at >= 0 {
				at += n
			} else {
				at = -1
			}
		case llvm.BitCast, llvm.AddrSpaceCast, llvm.Freeze:
		default:
			return t, false
		}
		v = i.Args[0]
	}
	return t, false
}

// fixed is how far a getelementptr with constant indices goes.
func (r *reader) fixed(i *llvm.Instr) (n int64, ok bool) {
	t := i.Source
	for k, a := range i.Args[1:] {
		if a.Kind != llvm.IntConstant || !a.Int.IsInt64() {
			return 0, false
		}
		x := a.Int.Int64()
		switch {
		case k > 0 && t.Kind == llvm.Struct:
			at := r.m.Layout.Offset(t, int(x))
			if at < 0 {
				return 0, false
			}
			n, t = n+at, t.Fields[x]
		default:
			if k > 0 {
				if t.Kind != llvm.Array {
					return 0, false
				}
				t = t.Elem
			}
			n += x * r.m.Layout.Size(t)
		}
	}
	return n, n >= 0
}

// keeps reports whether an instruction may keep its operand n, an address, for later: or passes it on in a way that is not followed.
func (r *reader) keeps(i *llvm.Instr, n int) bool {
	switch i.Op {
	case llvm.Load, llvm.GetElementPtr, llvm.BitCast, llvm.AddrSpaceCast, llvm.Freeze, llvm.ICmp:
		return false
	case llvm.Store:
		return n == 0
	case llvm.Call:
		name := calleeName(i)
		return !forgetful(name) && !r.calmCL(i) && !has(i, n, "nocapture")
	}
	return true
}

func has(i *llvm.Instr, n int, word string) bool {
	return n < len(i.Given) && i.Given[n].Has(word)
}

func calleeName(i *llvm.Instr) string {
	if i.Op == llvm.Call && i.Callee != nil && i.Callee.Kind == llvm.GlobalName {
		if name := ofHIP[i.Callee.Name]; name != "" {
			return name
		}
		return i.Callee.Name
	}
	return ""
}

// ofHIP are the functions of which clang makes a launch in HIP, and those of CUDA that do the same.
var ofHIP = map[string]string{"hipConfigureCall": "cudaConfigureCall", "hipSetupArgument": "cudaSetupArgument", "hipLaunchByPtr": "cudaLaunch"}

// forgetful reports whether a function keeps no address that it is given: functions of the host API, of the
// C library, and of streams, which read or set what they are given and return.
func forgetful(name string) bool {
	return strings.HasPrefix(name, "llvm.") || strings.HasPrefix(name, "gradine_") || name == "cudaSetupArgument" || name == "cudaConfigureCall" ||
		ofC[name] || ofStream(name) || quietAPI(name)
}

// ofC are functions of the C library that keep no address, and set nothing but what they are given.
var ofC = func() map[string]bool {
	out := map[string]bool{}
	for _, n := range strings.Fields("printf fprintf puts putchar fputs fputc fwrite putc fflush scanf __isoc99_scanf sscanf __isoc99_sscanf fscanf __isoc99_fscanf " +
		"strtol strtoul strtoll strtoull strtod strtof atoi atol atof strcmp strncmp strlen malloc calloc free abs rand srand time clock gettimeofday " +
		"memcpy memset memcmp memmove sqrt sqrtf pow powf ceil ceilf floor floorf fabs fabsf exp expf log logf log2 log2f sin sinf cos cosf fmax fmin fmaxf fminf round lround exit abort " +
		"_Znwm _Znam _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm fopen fclose fread fgetc feof perror") {
		out[n] = true
	}
	return out
}()

// ofStream reports whether a function reads from or writes to a stream of C++: what it sets, it is given.
func ofStream(name string) bool {
	for _, p := range []string{"_ZNSo", "_ZNSi", "_ZStlsI", "_ZStrsI", "_ZSt4endl", "_ZSt16__ostream_insert", "_ZNKSo", "_ZNKSi"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// quietAPI reports whether a function of the host API neither keeps an address nor sets anything but what it is given.
func quietAPI(name string) bool {
	for _, p := range []string{
		"DeviceSynchronize", "GetLastError", "PeekAtLastError", "GetErrorString", "GetErrorName", "EventCreate", "EventCreateWithFlags", "EventRecord", "EventSynchronize", "EventElapsedTime", "EventDestroy",
		"StreamCreate", "StreamCreateWithFlags", "StreamSynchronize", "StreamDestroy", "StreamWaitEvent", "SetDevice", "GetDevice", "GetDeviceCount", "GetDeviceProperties", "DeviceGetAttribute", "DeviceReset", "MemGetInfo",
		"DeviceSetCacheConfig", "FuncSetCacheConfig", "FuncSetAttribute", "FuncGetAttributes", "MemPrefetchAsync", "ThreadSynchronize", "HostAlloc", "MallocHost", "FreeHost", "DeviceSetLimit",
		"OccupancyMaxActiveBlocksPerMultiprocessor", "OccupancyMaxPotentialBlockSize", "ProfilerStart", "ProfilerStop",
	} {
		if ofAPI(name, p) {
			return true
		}
	}
	return false
}

// ofAPI reports whether a mangled name is that of a function of the host API, in CUDA or in HIP.
func ofAPI(name, function string) bool {
	return strings.HasPrefix(name, "_Z") && slices.ContainsFunc([]string{"cuda", "hip"}, func(p string) bool {
		return strings.Contains(name, itoa(len(p)+len(function))+p+function)
	})
}

func itoa(n int) string { return big.NewInt(int64(n)).String() }

// sets reports whether an instruction may change a local: by its address, or by an address that something has kept.
func (r *reader) sets(at where, l *local) bool {
	i := at.instr()
	switch i.Op {
	// An address that the host has given away may be written through by anything that is not known to keep still.
	case llvm.Store:
		if t, ok := r.target(i.Args[1]); ok {
			return t.l == l
		}
		return r.kept(at, l) && !r.elsewhere(i.Args[1])
	case llvm.AtomicRMW, llvm.CmpXchg:
		return true
	case llvm.Call:
		if i.Declared() != nil {
			return false
		}
		name := calleeName(i)
		for n, a := range i.Args {
			t, ok := r.target(a)
			if !ok || t.l != l || has(i, n, "readonly") || has(i, n, "readnone") {
				continue
			}
			switch name {
			case "cudaSetupArgument", "gradine_uses", "gradine_frees", "gradine_launch", "gradine_launch_together", "clSetKernelArg", "clBuildProgram", "clWaitForEvents":
				continue
			case "clEnqueueNDRangeKernel":
				if n < 8 { // the last one is set to an event
					continue
				}
			}
			if slices.ContainsFunc(takeStreams, func(f string) bool { return calls(i, f) }) {
				continue
			}
			// The source of a copy is read only.
			if strings.HasPrefix(name, "llvm.memcpy") || strings.HasPrefix(name, "llvm.memmove") {
				if n == 1 {
					continue
				}
			} else if strings.HasPrefix(name, "llvm.lifetime") || strings.HasPrefix(name, "llvm.invariant") {
				if strings.HasPrefix(name, "llvm.lifetime") {
					return true
				}
				continue
			}
			return true
		}
		if !r.kept(at, l) {
			return false
		}
		switch {
		case name == "cudaSetupArgument", name == "cudaConfigureCall", name == "gradine_uses", name == "gradine_frees", name == "gradine_allocate", name == "gradine_launch", name == "gradine_launch_together", name == "cudaLaunch":
			return false
		case strings.HasPrefix(name, "llvm.lifetime"), strings.HasPrefix(name, "llvm.dbg"), strings.HasPrefix(name, "llvm.assume"), strings.HasPrefix(name, "llvm.umin"), strings.HasPrefix(name, "llvm.umax"), strings.HasPrefix(name, "llvm.smin"), strings.HasPrefix(name, "llvm.smax"):
			return false
		case i.Attrs.Has("readnone") || i.Attrs.Has("readonly") || i.Attrs.Words["memory"] == "none" || i.Attrs.Words["memory"] == "read":
			return false
		case quietAPI(name), r.calmCL(i):
			return r.passesOn(i, l)
		case ofC[name] && name != "memcpy" && name != "memmove" && name != "memset" && name != "fread" && !strings.Contains(name, "scanf"):
			return false
		}
		return true
	}
	return false
}

// passesOn reports whether a call is passed, by reference, the address of a local.
func (r *reader) passesOn(i *llvm.Instr, l *local) bool {
	return slices.ContainsFunc(i.Args, func(a *llvm.Value) bool {
		t, ok := r.target(a)
		return ok && slices.ContainsFunc(l.given, func(g where) bool {
			if g.instr().Op != llvm.Store {
				return false
			}
			to, ok := r.target(g.instr().Args[1])
			return ok && to.l == t.l
		})
	})
}

// takeStreams are functions of the host API that are passed streams and events, by reference, and change none.
var takeStreams = []string{"StreamSynchronize", "StreamWaitEvent", "StreamQuery", "EventRecord", "EventSynchronize", "EventQuery"}

// kept reports whether something may have kept the address of a local before an instruction runs.
func (r *reader) kept(at where, l *local) bool {
	for _, g := range l.given {
		if g == at || r.may(g, at) {
			return true
		}
	}
	return false
}

// elsewhere reports whether an address leads to new memory or to a variable of the module, and so into no local.
func (r *reader) elsewhere(v *llvm.Value) bool {
	for range maxExpr {
		switch v.Kind {
		case llvm.GlobalName:
			return true
		case llvm.Register:
		default:
			return false
		}
		def, ok := r.at[v.Name]
		if !ok {
			return false
		}
		switch i := def.instr(); i.Op {
		case llvm.GetElementPtr:
			v = i.Args[0]
		case llvm.Call:
			switch calleeName(i) {
			case "malloc", "calloc", "_Znwm", "_Znam":
				return true
			}
			return false
		default:
			return false
		}
	}
	return false
}

// load is what a load reads.
func (r *reader) load(at where, i *llvm.Instr) value {
	t, ok := r.target(i.Args[0])
	size := r.m.Layout.Store(i.Type)
	if !ok || t.at < 0 || t.l.size < 0 || t.at+size > t.l.size || size > 8 {
		return value{}
	}
	return r.read(at, t, size, i.Type)
}

// read is what a part of a local holds before an instruction, as a value of a type.
func (r *reader) read(at where, t target, size int64, typ *llvm.Type) value {
	if typ.Kind == llvm.Int && typ.Bits == 64 { // two numbers of 32 bits, as those of dim3
		lo := r.scan(at, target{t.l, t.at}, 8, typ)
		if lo.num == nil || lo.num.IsUnknown() {
			word := llvm.IntType(32)
			a, b := r.scan(at, target{t.l, t.at}, 4, word), r.scan(at, target{t.l, t.at + 4}, 4, word)
			if a.num != nil && b.num != nil && !(a.num.IsUnknown() && a.num.Name == "" && b.num.IsUnknown() && b.num.Name == "") {
				return value{num: operation(llvm.Or, 64, "", operation(llvm.ZExt, 64, "", a.num), operation(llvm.Shl, 64, "", operation(llvm.ZExt, 64, "", b.num), constant(64, big.NewInt(32))))}
			}
		}
		return lo
	}
	return r.scan(at, t, size, typ)
}

// scan looks back for what has set a part of a local.
func (r *reader) scan(at where, t target, size int64, typ *llvm.Type) value {
	for k := at.k - 1; k >= 0; k-- {
		here := where{at.b, k}
		if !r.sets(here, t.l) {
			continue
		}
		return r.set(here, t, size, typ, func() value { return r.scan(here, t, size, typ) })
	}
	return r.start(at.b, t, size, typ)
}

// set is what a part of a local holds behind an instruction that may change it.
func (r *reader) set(at where, t target, size int64, typ *llvm.Type, before func() value) value {
	i := at.instr()
	if i.Op == llvm.Store {
		to, ok := r.target(i.Args[1])
		if ok && to.at >= 0 {
			n := r.m.Layout.Store(i.Args[0].Type)
			switch {
			case to.at+n <= t.at || t.at+size <= to.at:
				return before()
			case to.at == t.at && n == size && (i.Args[0].Type.Kind == typ.Kind):
				if v := r.value(i.Args[0]); v.num != nil && v.num.Bits == typ.Bits || v.ptr != nil && typ.Kind == llvm.Pointer {
					return v
				}
			// Clang stores two 32-bit sizes of a grid as one 64-bit number.
			case to.at <= t.at && t.at+size <= to.at+n && i.Args[0].Type.Kind == llvm.Int && typ.Kind == llvm.Int && n == 8 && size == 4:
				if v := r.value(i.Args[0]); v.num != nil {
					if t.at == to.at {
						return value{num: v.num.low(32)}
					}
					return value{num: v.num.upper()}
				}
			}
		}
	}
	if name := calleeName(i); name == "gradine_allocate" && typ.Kind == llvm.Pointer {
		if to, ok := r.target(i.Args[0]); ok && to.l == t.l && to.at == t.at {
			return r.allocated(at)
		}
	} else if strings.HasPrefix(name, "llvm.memcpy") {
		if v, ok := r.copied(i, at, t, size, typ, before); ok {
			return v
		}
	}
	return r.changed(at, t, size, typ)
}

// copied is a part of a local behind a copy from another one.
func (r *reader) copied(i *llvm.Instr, at where, t target, size int64, typ *llvm.Type, before func() value) (v value, ok bool) {
	to, ok := r.target(i.Args[0])
	from, ok2 := r.target(i.Args[1])
	if !ok || to.at < 0 || i.Args[2].Kind != llvm.IntConstant || !i.Args[2].Int.IsInt64() {
		return v, false
	}
	n := i.Args[2].Int.Int64()
	switch {
	case to.l != t.l:
		return v, false
	case to.at+n <= t.at || t.at+size <= to.at:
		return before(), true
	case ok2 && from.at >= 0 && to.at <= t.at && t.at+size <= to.at+n && from.l.size >= 0 && from.at+(t.at-to.at)+size <= from.l.size:
		return r.read(at, target{from.l, from.at + t.at - to.at}, size, typ), true
	}
	return v, false
}

// allocated is the pointer that an allocation gives: each time that it comes to pass a new one.
func (r *reader) allocated(at where) value {
	key := cell{block: at.b.Name, local: "allocation", at: int64(at.k)}
	if v, ok := r.memory[key]; ok {
		return v
	}
	i := at.instr()
	root := &Root{Bytes: unknown(64, ""), made: at}
	r.memory[key] = value{ptr: &Pointer{root, constant(64, new(big.Int))}} // a size may mention it
	if t, ok := r.target(i.Args[0]); ok {
		root.Name = t.l.name
	}
	if n := r.value(i.Args[1]); n.num != nil && n.num.Bits == 64 {
		root.Bytes = n.num
	}
	return r.memory[key]
}

// changed is a part of a local behind an instruction that may set it to anything: one value, for every reader.
func (r *reader) changed(at where, t target, size int64, typ *llvm.Type) value {
	key := cell{block: at.b.Name, local: "changed " + itoa(at.k) + " " + t.l.register + " " + typ.String(), at: t.at, size: size}
	if v, ok := r.memory[key]; ok {
		return v
	}
	v := r.nothing(typ, t.l.name)
	r.mixed(v, t.l)
	r.memory[key] = v
	return v
}

// mixed notes of a pointer that is not known which variable held it, and that it may be one of the allocations that set
// the variable.
func (r *reader) mixed(v value, l *local) {
	if v.ptr == nil {
		return
	}
	v.ptr.Root.local = l
	for _, b := range r.f.Blocks {
		for _, i := range b.Code {
			if calleeName(i) == "gradine_allocate" {
				if to, ok := r.target(i.Args[0]); ok && to.l == l {
					v.ptr.Root.mixed = true
				}
			}
		}
	}
}

// start is what a part of a local holds at the start of a block: what all ways to it agree on, or one value that
// is not known.
func (r *reader) start(b *llvm.Block, t target, size int64, typ *llvm.Type) value {
	key := cell{block: b.Name, local: t.l.register + " " + typ.String(), at: t.at, size: size}
	if v, ok := r.memory[key]; ok {
		return v
	}
	preds := r.preds[b.Name]
	end := func(p *llvm.Block) where { return where{p, len(p.Code)} }
	switch len(preds) {
	case 0: // it has no value yet: another one each time
		return r.nothing(typ, t.l.name)
	case 1:
		if len(r.busy) > maxExpr {
			return r.nothing(typ, t.l.name)
		}
		v := r.scan(end(preds[0]), t, size, typ)
		r.memory[key] = v
		return v
	}
	phi := r.nothing(typ, t.l.name)
	r.mixed(phi, t.l)
	r.memory[key] = phi
	var one value
	for _, p := range preds {
		v := r.scan(end(p), t, size, typ)
		switch {
		case v.same(phi):
		case one.num == nil && one.ptr == nil:
			one = v
		case !one.same(v):
			return phi
		}
	}
	if one.num == nil && one.ptr == nil {
		return phi
	}
	r.memory[key] = one
	return one
}
