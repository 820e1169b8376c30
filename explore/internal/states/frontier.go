package states

// Frontier is a list of states that are still to be expanded. States that were reached in one go stand
// together in the store, so that few spans name many of them.
type Frontier []span

// span is so many states of a shard, from one on.
type span struct {
	first ID
	n     int
}

// Of is the frontier of some states.
func Of(ids []ID) (f Frontier) {
	for _, id := range ids {
		f = append(f, span{id, 1})
	}
	return f
}

// Take appends the first most states to buf, and returns the rest of the frontier.
func (f Frontier) Take(buf []ID, most int) ([]ID, Frontier) {
	for len(f) > 0 && most > 0 {
		n := min(most, f[0].n)
		for k := range n {
			buf = append(buf, f[0].first+ID(k))
		}
		most -= n
		if n < f[0].n {
			// The caller may hold the list as well: it is not changed.
			return buf, append(Frontier{{f[0].first + ID(n), f[0].n - n}}, f[1:]...)
		}
		f = f[1:]
	}
	return buf, f
}

// States lists the frontier.
func (f Frontier) States() []ID {
	n := 0
	for _, s := range f {
		n += s.n
	}
	out, _ := f.Take(nil, n)
	return out
}

// Some are at most so many states, from all over the frontier.
func (f Frontier) Some(most int) []ID {
	n := 0
	for _, s := range f {
		n += s.n
	}
	var ids []ID
	every, skip := max(1, (n+most-1)/most), 0
	for _, s := range f {
		for ; skip < s.n; skip += every {
			ids = append(ids, s.first+ID(skip))
		}
		skip -= s.n
	}
	return ids
}
