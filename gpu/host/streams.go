package host

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/gpu/llvm"
)

// Beside is a pair of arguments, of a launch and of another one, that may lead into one array while both kernels run: they are in
// different streams, and nothing on some way from one launch to the other waits.
type Beside struct {
	Other        int // the launch, by its number; it may be the same one, come to again
	Mine, Theirs int // the arguments
}

// handle is a stream, or an event, where the host uses it: a key says how it comes by it, and its sources what may change meanwhile.
type handle struct {
	key     string // "" for the default stream
	from    []source
	unknown bool // it may differ from any other one, whatever the key says
}

// isDefault reports whether h is the default stream.
func (h *handle) isDefault() bool { return h.key == "" && !h.unknown }

// source is an instruction that a handle comes from.
type source struct {
	at  where
	l   *local // that it reads, nil if it reads none
	far bool   // it reads other memory
}

// handle is that of a value at an instruction.
func (r *reader) handle(v *llvm.Value) handle {
	switch v.Kind {
	case llvm.Register, llvm.GlobalName:
		var h handle
		key, ok := r.handleKey(v, maxExpr)
		h.key, h.unknown = key, !ok
		r.sources(v, maxExpr, &h)
		return h
	case llvm.NullPointer, llvm.Zero:
		return handle{}
	}
	return handle{key: "constant"} // that of a thread of the host, perhaps
}

// sources adds where the value of a stream may come from.
func (r *reader) sources(v *llvm.Value, depth int, h *handle) {
	if v.Kind != llvm.Register || r.locals[v.Name] != nil {
		return
	}
	at, ok := r.at[v.Name]
	if !ok { // a parameter
		return
	}
	if depth == 0 {
		h.unknown = true
		return
	}
	i := at.instr()
	s := source{at: at}
	switch {
	case i.Op == llvm.Load:
		t, ok := r.target(i.Args[0])
		s.far = !ok
		if ok {
			s.l = t.l
		}
		h.from = append(h.from, s)
	case !pure[i.Op]: // it may give another value when it runs again
		h.from = append(h.from, s)
		return
	}
	for _, a := range i.Args {
		r.sources(a, depth-1, h)
	}
}

// pure are the instructions whose results depend on their operands alone.
var pure = func() map[llvm.Op]bool {
	out := map[llvm.Op]bool{}
	for _, op := range []llvm.Op{
		llvm.Add, llvm.Sub, llvm.Mul, llvm.UDiv, llvm.SDiv, llvm.URem, llvm.SRem, llvm.Shl, llvm.LShr, llvm.AShr, llvm.And, llvm.Or, llvm.Xor,
		llvm.GetElementPtr, llvm.Trunc, llvm.ZExt, llvm.SExt, llvm.PtrToInt, llvm.IntToPtr, llvm.BitCast, llvm.AddrSpaceCast, llvm.ICmp, llvm.Select,
	} {
		out[op] = true
	}
	return out
}()

// handleKey says how a value is made. Two values with one key are equal as long as nothing changes their sources: this is the
// opposite of key in alias.go, where values with different keys differ. ok is false if part of the value is not followed.
func (r *reader) handleKey(v *llvm.Value, depth int) (key string, ok bool) {
	switch {
	case v.Kind == llvm.GlobalName:
		return "@" + v.Name, true
	case v.Kind == llvm.IntConstant:
		return v.Type.String() + " " + v.Int.String(), true
	case v.Kind != llvm.Register || depth == 0:
		return "", false
	}
	if t, local := r.target(v); local && t.at >= 0 {
		return fmt.Sprintf("address of %s at %d", t.l.register, t.at), true
	}
	if key, ok := r.forwardedKey(v.Name, r.value(v), depth); ok {
		return key, true
	}
	def, found := r.at[v.Name]
	if !found { // a parameter
		return "%" + v.Name, true
	}
	i := def.instr()
	if i.Op != llvm.Load && !pure[i.Op] { // only itself is known to give the same value
		return "%" + v.Name, true
	}
	if i.Volatile || i.Order != "" {
		return "", false
	}
	if i.Op == llvm.Load {
		if t, local := r.target(i.Args[0]); local && t.at >= 0 {
			return heldKey(t, i.Type), true
		}
	}
	key = fmt.Sprintf("%d %s %s", i.Op, i.Pred, i.Type)
	if i.Source != nil {
		key += " " + i.Source.String()
	}
	key += "("
	for _, a := range i.Args {
		operand, ok := r.handleKey(a, depth-1)
		if !ok {
			return "", false
		}
		key += operand + ", "
	}
	return key + ")", true
}

// heldKey is the key of what a local holds at an offset.
func heldKey(t target, typ *llvm.Type) string {
	kind := "a pointer"
	if typ.Kind != llvm.Pointer {
		kind = typ.String()
	}
	return fmt.Sprintf("%s held by %s at %d", kind, t.l.register, t.at)
}

// forwardedKey is the key of what x, the value of a register or of a local, was set to; ok is false if that is only the register itself.
func (r *reader) forwardedKey(register string, x value, depth int) (key string, ok bool) {
	if x.ptr == nil || x.ptr.Root.register == register && register != "" {
		return "", false
	}
	if off, ok := x.ptr.Off.Number(); !ok || off != 0 {
		return "", false
	}
	if x.ptr.Root.register == "" {
		return r.id(x.ptr.Root), true
	}
	return r.handleKey(&llvm.Value{Kind: llvm.Register, Name: x.ptr.Root.register, Type: &llvm.Type{Kind: llvm.Pointer}}, depth-1)
}

// one reports whether two handles are one, the first of them from where it is made up to an instruction that uses the other.
func (r *reader) one(a, b *handle, to where) bool {
	if a.unknown || b.unknown || a.key != b.key || len(a.from) != len(b.from) {
		return false
	}
	for n, s := range a.from {
		if s.l != b.from[n].l || r.changes(s, to) {
			return false
		}
	}
	return true
}

// changes reports whether a source may give another value behind the one that it has given, before an instruction.
func (r *reader) changes(s source, to where) bool {
	for _, b := range r.f.Blocks {
		for k, i := range b.Code {
			at := where{b, k}
			if !r.may(s.at, at) || !r.may(at, to) {
				continue
			}
			switch {
			case s.l != nil && r.sets(at, s.l), s.far && r.writes(at), s.l == nil && !s.far && i == s.at.instr():
				return true
			}
		}
	}
	return false
}

// writes reports whether an instruction may change memory that is no local.
func (r *reader) writes(at where) bool {
	switch i := at.instr(); i.Op {
	case llvm.Store:
		_, ok := r.target(i.Args[1])
		return !ok
	case llvm.AtomicRMW, llvm.CmpXchg:
		return true
	case llvm.Call:
		name := calleeName(i)
		return i.Declared() == nil && !slices.ContainsFunc(takeStreams, func(f string) bool { return calls(i, f) }) &&
			(!forgetful(name) || creates(name) || strings.Contains(name, "mem") || strings.Contains(name, "scanf") || strings.Contains(name, "read"))
	}
	return false
}

// compareStreams notes which launches of a function may run at the same time and use one array.
func (r *reader) compareStreams(ls []Launch, at map[int]where) {
	if !slices.ContainsFunc(ls, func(l Launch) bool { return l.InStream() }) {
		return
	}
	for i := range ls {
		for j := range ls {
			a, b := &ls[i], &ls[j]
			from, ok1 := at[i]
			to, ok2 := at[j]
			if !ok1 || !ok2 || !r.apart(a, b, to) || !r.unordered(from, to, a, b) {
				continue
			}
			for n, p := range a.Args {
				for m, q := range b.Args {
					if r.meeting(&p, &q, i == j) {
						a.Beside = append(a.Beside, Beside{j, n, m})
						if i != j {
							b.Beside = append(b.Beside, Beside{i, m, n})
						}
					}
				}
			}
		}
	}
}

// apart reports whether two launches may be in streams that do not wait for each other. The default stream waits for those
// that are made here without flags, and they for it.
func (r *reader) apart(a, b *Launch, to where) bool {
	if a.InStream() != b.InStream() {
		h := a.stream
		if !a.InStream() {
			h = b.stream
		}
		made := slices.ContainsFunc(h.from, func(s source) bool { return s.l != nil && r.made(s.l) })
		return !made || !r.blocking()
	}
	return !r.one(&a.stream, &b.stream, to)
}

// made reports whether a local holds a stream that is made here: its address is passed, by itself or by reference.
func (r *reader) made(l *local) bool {
	for _, b := range r.f.Blocks {
		for k, i := range b.Code {
			if creates(calleeName(i)) && r.sets(where{b, k}, l) {
				return true
			}
		}
	}
	return false
}

// creates reports whether a function makes a stream or an event.
func creates(name string) bool {
	return slices.ContainsFunc([]string{"cudaStreamCreate", "cudaEventCreate", "hipStreamCreate", "hipEventCreate"}, func(f string) bool { return strings.Contains(name, f) })
}

// blocking reports whether the module makes streams without flags alone.
func (r *reader) blocking() bool {
	made := false
	for _, f := range r.m.Functions {
		for _, n := range []string{"StreamCreateWithFlags", "StreamCreateWithPriority"} {
			if ofAPI(f.Name, n) {
				return false
			}
		}
		made = made || ofAPI(f.Name, "StreamCreate")
	}
	return made
}

// meeting reports whether two arguments may lead into one array.
func (r *reader) meeting(p, q *Argument, again bool) bool {
	for _, x := range p.pointers() {
		for _, y := range q.pointers() {
			if x.Root == y.Root {
				return true
			}
			if x.Root.known() && y.Root.known() {
				continue
			}
			a, b := origins{equal: map[string]bool{}, given: map[string]bool{}}, origins{equal: map[string]bool{}, given: map[string]bool{}}
			r.trace(x.Root, &a, map[string]bool{}, false)
			r.trace(y.Root, &b, map[string]bool{}, false)
			if a.meets(&b) {
				return true
			}
		}
	}
	return false
}

// maxWays bounds what is looked at of the ways between two launches.
const maxWays = 4096

// unordered reports whether a way leads from one launch to another on which the host, or the later stream, does not wait for the first.
func (r *reader) unordered(from, to where, a, b *Launch) bool {
	type state struct {
		b        *llvm.Block
		k        int
		recorded []where // in the stream of a, behind it, in events that are not recorded again
	}
	seen := map[string]bool{}
	todo := []state{{b: from.b, k: from.k + 1}}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		waited := false
		for k := s.k; k < len(s.b.Code) && !waited; k++ {
			at := where{s.b, k}
			if at == to {
				return true
			}
			if calls(at.instr(), "EventRecord") {
				s.recorded = r.records(s.recorded, at, a)
			}
			waited = r.waits(at, to, a, b, s.recorded)
		}
		if waited {
			continue
		}
		for _, n := range successors(s.b) {
			next := r.blocks[n]
			if next == nil {
				continue
			}
			key := n
			for _, at := range s.recorded {
				key += fmt.Sprintf(" %s:%d", at.b.Name, at.k)
			}
			if !seen[key] {
				seen[key] = true
				todo = append(todo, state{next, 0, s.recorded})
			}
		}
		if len(seen) > maxWays {
			return true
		}
	}
	return false
}

// waits reports whether behind an instruction a launch b does not run at the same time as an earlier one, a.
func (r *reader) waits(at, to where, a, b *Launch, recorded []where) bool {
	i := at.instr()
	switch {
	case calleeName(i) == "clFinish":
		s := r.handle(i.Args[0])
		return r.one(&a.stream, &s, at)
	case calls(i, "DeviceSynchronize"), calls(i, "ThreadSynchronize"), calls(i, "DeviceReset"):
		return true
	case calls(i, "StreamSynchronize"):
		s := r.passed(at, 0)
		return r.one(&a.stream, &s, at)
	case calls(i, "StreamWaitEvent"):
		s := r.passed(at, 0)
		return r.one(&s, &b.stream, to) && r.recorded(at, 1, recorded)
	case calls(i, "EventSynchronize"):
		return r.recorded(at, 0, recorded)
	}
	return false
}

// recorded reports whether the event that a function is passed is one of those that are recorded at some instructions.
func (r *reader) recorded(at where, n int, recorded []where) bool {
	e := r.passed(at, n)
	return slices.ContainsFunc(recorded, func(w where) bool {
		was := r.passed(w, 0)
		return !was.isDefault() && r.one(&was, &e, at)
	})
}

// records are the instructions that have recorded a launch in events, behind one that records an event.
func (r *reader) records(recorded []where, at where, a *Launch) []where {
	e, s := r.passed(at, 0), r.passed(at, 1)
	out := slices.DeleteFunc(slices.Clone(recorded), func(w where) bool {
		was := r.passed(w, 0)
		own := func(h handle) bool { return len(h.from) == 1 && h.from[0].l != nil }
		return was.key == e.key || !own(was) || !own(e) // it may be the same
	})
	if r.one(&a.stream, &s, at) {
		out = append(out, at)
	}
	return out
}

// calls reports whether an instruction calls a function of the host API.
func calls(i *llvm.Instr, function string) bool {
	return ofAPI(calleeName(i), function)
}

// passed is the stream or the event that a function of the API is passed, as a value or by reference.
func (r *reader) passed(at where, n int) handle {
	i := at.instr()
	if n >= len(i.Args) {
		return handle{}
	}
	t, ok := r.target(i.Args[n])
	if !ok || t.at < 0 || t.l.size < t.at+8 {
		return r.handle(i.Args[n])
	}
	h := handle{from: []source{{at: at, l: t.l}}}
	key, known := r.forwardedKey("", r.read(at, t, 8, i.Args[n].Type), maxExpr)
	h.key, h.unknown = key, !known
	return h
}
