package host

import (
	"cmp"

	"github.com/gradine/gradine/gpu/llvm"
)

// released says which array of a launch the host may have released before; "" if there is none that it may.
func (r *reader) released(l *Launch, at where) string {
	for _, b := range r.f.Blocks {
		for k, i := range b.Code {
			s := where{b, k}
			p := r.releases(i, s)
			if p == nil {
				continue
			}
			for _, a := range l.Args {
				for _, q := range a.pointers() {
					// Behind a new call of the allocation it is another array.
					again := p.Root == q.Root && q.Root.made.b != nil && !r.way(s, at, q.Root.made)
					if (p.Root == q.Root || p.Root.mixed && q.Root.made.b != nil) && r.may(s, at) && !again {
						return cmp.Or(q.Root.Name, "an array")
					}
				}
			}
		}
	}
	return ""
}

// releases is the pointer that a call gives back; nil if it gives back nothing, or what is not known.
func (r *reader) releases(i *llvm.Instr, at where) *Pointer {
	name := calleeName(i)
	if len(i.Args) == 0 {
		return nil
	}
	switch {
	case name == "clReleaseMemObject", name == "gradine_frees":
		return r.value(i.Args[0]).ptr
	case ofAPI(name, "Free"), ofAPI(name, "FreeAsync"), ofAPI(name, "FreeHost"): // they take the variable by reference
		if t, ok := r.target(i.Args[0]); ok && t.at >= 0 {
			return r.read(at, t, 8, &llvm.Type{Kind: llvm.Pointer}).ptr
		}
	}
	return nil
}
