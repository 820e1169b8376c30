package explore

// frontier is a list of states that are still to be expanded. States that were reached in one go stand
// together in the store, so that few spans name many of them.
type frontier []span

// span is so many states of a shard, from one on.
type span struct {
	first stateID
	n     int
}

// take appends the first most states to buf, and returns the rest of the frontier.
func (f frontier) take(buf []stateID, most int) ([]stateID, frontier) {
	for len(f) > 0 && most > 0 {
		n := min(most, f[0].n)
		for k := range n {
			buf = append(buf, f[0].first+stateID(k))
		}
		most -= n
		if n < f[0].n {
			// The caller may hold the list as well: it is not changed.
			return buf, append(frontier{{f[0].first + stateID(n), f[0].n - n}}, f[1:]...)
		}
		f = f[1:]
	}
	return buf, f
}

// states lists the frontier.
func (f frontier) states() []stateID {
	n := 0
	for _, s := range f {
		n += s.n
	}
	out, _ := f.take(nil, n)
	return out
}
