package queue

// keptJobs is how many jobs that are over a reader remembers, with their answers: more than can wait to be looked
// at. What comes later for others is passed over.
const keptJobs = 4096

// recent remembers the last digests of many, so that what is kept of them does not grow with the work.
type recent struct {
	order []Digest
	next  int // the oldest one, once there are keptJobs
}

// add adds a digest. If another one leaves for it, it is returned.
func (x *recent) add(d Digest) (old Digest, full bool) {
	if len(x.order) < keptJobs {
		x.order = append(x.order, d)
		return old, false
	}
	old, x.order[x.next] = x.order[x.next], d
	x.next = (x.next + 1) % keptJobs
	return old, true
}
