package queue

// keptJobs is how many jobs that are over a run remembers, with their answers: more than can wait to be looked
// at. What comes later for others is passed over.
const keptJobs = 4096

// recent maps the last digests that were added to values, so that what is kept does not grow with the work. The zero
// value is empty.
type recent[V any] struct {
	of    map[Digest]V
	order []Digest
	next  int // in order, the oldest one once there are keptJobs
}

// get returns the value of a digest, or the zero value.
func (x *recent[V]) get(d Digest) V { return x.of[d] }

// put gives a digest a value. If it is new, the oldest one is forgotten where there are too many.
func (x *recent[V]) put(d Digest, v V) {
	if x.of == nil {
		x.of = map[Digest]V{}
	}
	_, known := x.of[d]
	x.of[d] = v
	switch {
	case known:
	case len(x.order) < keptJobs:
		x.order = append(x.order, d)
	default:
		delete(x.of, x.order[x.next])
		x.order[x.next] = d
		x.next = (x.next + 1) % keptJobs
	}
}
