package queue

const (
	// keptJobs is how many jobs that are over a run remembers, with their answers: more than can wait to be looked
	// at. What comes later for others is passed over.
	keptJobs = 4096
	// keptBytes bounds what their answers take: a stranger may send a megabyte for each job.
	keptBytes = 64 << 20
)

// recent maps the last digests that were added to values, so that what is kept does not grow with the work. The zero
// value is empty.
type recent[V any] struct {
	of    map[Digest]sized[V]
	order []Digest // the oldest first
	bytes int      // of all values
}

// sized is a value and the bytes that it takes.
type sized[V any] struct {
	value V
	bytes int
}

// get returns the value of a digest, or the zero value.
func (x *recent[V]) get(d Digest) V { return x.of[d].value }

// put gives a digest a value that takes some bytes. The oldest ones are forgotten where there are too many, or where they take
// too much; the last one stays.
func (x *recent[V]) put(d Digest, v V, bytes int) {
	if x.of == nil {
		x.of = map[Digest]sized[V]{}
	}
	before, known := x.of[d]
	x.of[d] = sized[V]{v, bytes}
	x.bytes += bytes - before.bytes
	if !known {
		x.order = append(x.order, d)
	}
	for len(x.order) > keptJobs || x.bytes > keptBytes && len(x.order) > 1 {
		oldest := x.order[0]
		x.order = x.order[1:]
		x.bytes -= x.of[oldest].bytes
		delete(x.of, oldest)
	}
}
