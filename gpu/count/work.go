package count

import "slices"

// Work is what a block does in one phase, in units of what a multiprocessor begins for a warp. What is
// not known exactly is taken at its most.
type Work struct {
	Arithmetic int64 // operations on floats of 32 and 16 bits
	Special    int64
	Double     int64
	Integer    int64 // indices, and exchanges within a warp, among them
	Shared     int64 // turns over the banks
	Global     int64 // lines of 128 bytes, of constant memory among them where they differ in a warp
	Bytes      int64 // to and from global memory, if what was accessed once is kept
	Asked      int64 // of global memory that warps ask for, in parts of 32 bytes
	Issued     int64 // accesses of warps to shared and global memory
	Waits      int64 // of warps for loads in a branch of their own: where loads have no predicate, these return one by one
}

// Certainty says what counts are of what they count.
type Certainty int

// The certainties, from the strongest.
const (
	Exact   Certainty = iota // what happens
	Most                     // at least what happens
	Partial                  // something is left out, or its number was given
)

// Certainty is that of the weakest count.
func (b *Block) Certainty() (out Certainty) {
	weaken := func(r Range) {
		if !r.Exact() {
			out = max(out, Most)
		}
	}
	weaken(b.Barriers)
	for _, o := range b.Operations {
		weaken(o.Needed)
	}
	for _, a := range b.Accesses {
		for _, r := range []Range{a.Threads, a.Warps, a.Sectors, a.Lines, a.Passes} {
			weaken(r)
		}
	}
	for _, n := range b.Notes {
		if n.Omits {
			out = Partial
		}
	}
	return out
}

// Lines are the lines of the source that the parts of the work of a phase come from: those of kinds of arithmetic, or
// of accesses to spaces.
func (b *Block) Lines(phase int, sorts []Arithmetic, spaces []Space) (out []int) {
	for _, o := range b.Operations {
		if o.Phase == phase && slices.Contains(sorts, o.Sort) {
			for _, l := range o.Lines {
				out = withLine(out, l)
			}
		}
	}
	for _, a := range b.Accesses {
		if a.Phase == phase && slices.Contains(spaces, a.Space) {
			out = withLine(out, a.Line)
		}
	}
	return out
}

// Work sums up a phase.
func (b *Block) Work(phase int) (w Work) {
	for _, o := range b.Operations {
		if o.Phase != phase {
			continue
		}
		n := o.Needed.High
		switch o.Sort {
		case FusedFloat, AddFloat, Half:
			w.Arithmetic += n
		case SpecialFloat:
			w.Special += n
		case Double, SpecialDouble:
			w.Double += n
		default:
			w.Integer += n
		}
	}
	for _, a := range b.Accesses {
		if a.Phase != phase {
			continue
		}
		switch a.Space {
		case Shared:
			w.Shared += a.NeededPasses.High
			w.Issued += a.Needed.High
		case Global, Any:
			w.Global += a.NeededLines.High
			w.Issued += a.Needed.High
			w.Asked += sector * (a.Sectors.High * a.NeededLines.High / max(1, a.Lines.High))
		case Constant: // one place for a warp comes from a cache of its own, with the operation
			w.Global += max(0, a.NeededLines.High-a.Needed.High)
		}
	}
	w.Bytes, w.Waits = b.Read[phase]+b.Written[phase], b.Waits[phase]
	return w
}
