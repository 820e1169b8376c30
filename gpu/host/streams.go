package host

import (
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

// stream says how the host comes by a stream; "" for the default one.
func (r *reader) stream(v *llvm.Value) string {
	if v.Kind != llvm.Register && v.Kind != llvm.GlobalName { // null, or one of the constants for the default stream
		return ""
	}
	return r.key(v, maxExpr)
}

// compareStreams notes which launches of a function may run at the same time and use one array.
func (r *reader) compareStreams(ls []Launch, at map[int]where) {
	if !slices.ContainsFunc(ls, func(l Launch) bool { return l.Stream != "" }) {
		return
	}
	for i := range ls {
		for j := range ls {
			a, b := &ls[i], &ls[j]
			from, ok1 := at[i]
			to, ok2 := at[j]
			if !ok1 || !ok2 || !r.apart(a, b, i == j) || !r.unordered(from, to, a, b) {
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
// that were made without flags, and they for it.
func (r *reader) apart(a, b *Launch, again bool) bool {
	switch {
	case again:
		return a.Stream != "" && !strings.HasPrefix(a.Stream, "root ") // read anew each time
	case a.Stream == "" || b.Stream == "":
		return a.Stream != b.Stream && !r.blocking()
	}
	return a.Stream != b.Stream
}

// blocking reports whether the module makes streams without flags alone.
func (r *reader) blocking() bool {
	made := false
	for _, f := range r.m.Functions {
		for _, n := range []string{"StreamCreateWithFlags", "StreamCreateWithPriority"} {
			if strings.Contains(f.Name, apiName(n)) {
				return false
			}
		}
		made = made || strings.Contains(f.Name, apiName("StreamCreate"))
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

// unordered reports whether a way leads from one launch to another on which the host, or the later stream, does not wait for the first.
func (r *reader) unordered(from, to where, a, b *Launch) bool {
	seen := map[*llvm.Block]bool{}
	type state struct {
		b *llvm.Block
		k int
	}
	todo := []state{{from.b, from.k + 1}}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		waited := false
		for k := s.k; k < len(s.b.Code) && !waited; k++ {
			if s.b == to.b && k == to.k {
				return true
			}
			waited = r.waits(where{s.b, k}, a, b)
		}
		if waited {
			continue
		}
		for _, n := range successors(s.b) {
			if next := r.blocks[n]; next != nil && !seen[next] {
				seen[next] = true
				todo = append(todo, state{next, 0})
			}
		}
	}
	return false
}

// waits reports whether behind an instruction a launch b does not run beside an earlier one, a. Of an event it is asked that it is
// recorded in the stream of a somewhere.
func (r *reader) waits(at where, a, b *Launch) bool {
	i := at.instr()
	switch {
	case calls(i, "DeviceSynchronize"), calls(i, "ThreadSynchronize"), calls(i, "DeviceReset"):
		return true
	case calls(i, "StreamSynchronize"):
		return r.passed(at, 0) == a.Stream
	case calls(i, "StreamWaitEvent"):
		return r.passed(at, 0) == b.Stream && r.records(a.Stream)
	case calls(i, "EventSynchronize"):
		return r.records(a.Stream)
	}
	return false
}

// calls reports whether an instruction calls a function of the host API.
func calls(i *llvm.Instr, function string) bool {
	name := calleeName(i)
	return strings.HasPrefix(name, "_Z") && strings.Contains(name, apiName(function))
}

// passed is the stream that a function of the API is passed, as a value or by reference.
func (r *reader) passed(at where, n int) string {
	i := at.instr()
	if n >= len(i.Args) {
		return ""
	}
	t, ok := r.target(i.Args[n])
	if !ok || t.at < 0 || t.l.size < t.at+8 {
		return r.stream(i.Args[n])
	}
	v := r.read(at, t, 8, i.Args[n].Type)
	if v.ptr == nil {
		return "?"
	}
	return r.pointerKey(v.ptr, maxExpr)
}

// records reports whether an event is recorded in a stream.
func (r *reader) records(stream string) bool {
	for _, b := range r.f.Blocks {
		for k, i := range b.Code {
			if calls(i, "EventRecord") && r.passed(where{b, k}, 1) == stream {
				return true
			}
		}
	}
	return false
}
