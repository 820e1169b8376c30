package interp

// signals are what threads have done that may order their accesses: fences, and atomic operations. Barriers are counted apart. Only where
// one order of atomic operations is followed can a thread wait for what another one has left there.
type signals struct {
	now     int // counts accesses, fences and atomic operations
	fences  []signal
	atomics map[*object]map[int64][]signal
}

// signal is a fence, or an atomic operation on one place.
type signal struct{ when, thread, group int }

// OrderedByAtomics is why a run does not decide on two accesses: the memory model may order them.
const OrderedByAtomics = "a fence and atomic operations between the two accesses may order them; this is not analysed"

// next notes a fence, or an atomic operation.
func (s *signals) next(t *thread) signal {
	s.now++
	return signal{s.now, t.id, t.group}
}

func (s *signals) fence(t *thread) {
	if t != nil {
		s.fences = append(s.fences, s.next(t))
	}
}

func (s *signals) atomic(t *thread, o *object, off int64) {
	if s.atomics == nil {
		s.atomics = map[*object]map[int64][]signal{}
	}
	if s.atomics[o] == nil {
		s.atomics[o] = map[int64][]signal{}
	}
	s.atomics[o][off] = append(s.atomics[o][off], s.next(t))
}

// ordered reports whether a thread that was at an access may have told another one, which comes to one now: behind a fence it, or one
// of its group, has changed a place atomically, and then the other one, or one of its group, has.
func (s *signals) ordered(was, now touch) bool {
	from := func(g signal, t touch) bool {
		return g.thread == t.thread || was.group != now.group && g.group == t.group
	}
	fenced := 0
	for _, f := range s.fences {
		if from(f, was) && f.when > was.when {
			fenced = f.when
			break
		}
	}
	if fenced == 0 {
		return false
	}
	for _, places := range s.atomics {
		for _, signals := range places {
			told := false
			for _, g := range signals { // in their order
				switch {
				case told && from(g, now):
					return true
				case from(g, was) && g.when > fenced:
					told = true
				}
			}
		}
	}
	return false
}
