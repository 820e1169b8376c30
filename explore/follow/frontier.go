package follow

import (
	"fmt"

	"github.com/gradine/gradine/explore/internal/abort"
)

// frontier holds the points of a search, by the number of lines that they explain. Those of the deepest level come
// first, so that a log that some run explains is soon seen to its end. Where memory is short, those of the lowest level
// come first, and levels behind which nothing waits are forgotten.
type frontier struct {
	levels  []*level
	base    int    // the depth of the first of levels
	top     [2]int // no point of a run that holds, or breaks, an invariant waits above
	most    int    // points that are kept; 0: any number
	runs    bool   // points are kept until their run is told
	short   bool   // memory is short
	kept    int
	waiting int
	visited int
}

// level is the points of one depth.
type level struct {
	points []*point
	seen   map[string]bool
	queues [2][2][]*point // by whether an invariant is violated, and whether only silent events are left to try
}

func newFrontier(most int, runs bool) *frontier { return &frontier{most: most, runs: runs} }

// add adds a point, unless one like it was there before.
func (f *frontier) add(p *point) {
	for len(f.levels) <= p.depth-f.base {
		f.levels = append(f.levels, &level{seen: map[string]bool{}})
	}
	l := f.levels[p.depth-f.base]
	key := p.key()
	if l.seen[key] {
		return
	}
	l.seen[key] = true
	l.points = append(l.points, p)
	f.put(l, p, 0)
	if p.state != nil {
		f.visited++
	}
	if f.kept++; f.most > 0 && f.kept > f.most {
		panic(abort.Limit{What: fmt.Sprintf("%d states that are kept at once", f.most)})
	}
	f.short = f.short || f.most > 0 && f.kept > f.most-f.most/4
}

func (f *frontier) put(l *level, p *point, later int) {
	broken := index(p.broken != "")
	l.queues[broken][later] = append(l.queues[broken][later], p)
	f.top[broken] = max(f.top[broken], p.depth)
	f.waiting++
}

// later lets a point wait for its silent events.
func (f *frontier) later(p *point) { f.put(f.levels[p.depth-f.base], p, 1) }

// take takes the next point, nil if none waits; holding: only of runs that violate no invariant. again: its lines were
// tried before.
func (f *frontier) take(holding bool) (p *point, again bool) {
	kinds := 2
	if holding {
		kinds = 1
	}
	f.forget(kinds)
	if f.short {
		f.short = f.kept > f.most/2
		for broken := range kinds {
			if p, again := f.from(f.levels[0], broken); p != nil {
				return p, again
			}
		}
	}
	for broken := range kinds {
		for at := min(f.top[broken], f.base+len(f.levels)-1); at >= f.base; at-- {
			f.top[broken] = at
			if p, again := f.from(f.levels[at-f.base], broken); p != nil {
				return p, again
			}
		}
	}
	return nil, false
}

func (f *frontier) from(l *level, broken int) (p *point, again bool) {
	for later := range 2 {
		if queue := l.queues[broken][later]; len(queue) > 0 {
			l.queues[broken][later] = queue[1:]
			f.waiting--
			return queue[0], later == 1
		}
	}
	return nil, false
}

// forget forgets the levels to which nothing comes any more.
func (f *frontier) forget(kinds int) {
	for len(f.levels) > 1 {
		for broken := range kinds {
			if len(f.levels[0].queues[broken][0])+len(f.levels[0].queues[broken][1]) > 0 {
				return
			}
		}
		if !f.runs {
			f.kept -= len(f.levels[0].points)
		}
		f.levels[0] = nil
		f.levels, f.base = f.levels[1:], f.base+1
	}
}

// flushed notes that the runs to the points that are left are told up to one of them.
func (f *frontier) flushed() {
	f.kept = 0
	for _, l := range f.levels {
		f.kept += len(l.points)
	}
}

// front are the points that explain most lines.
func (f *frontier) front() []*point {
	if len(f.levels) == 0 {
		return nil
	}
	return f.levels[len(f.levels)-1].points
}

func (p *point) key() string {
	var key []byte
	if len(p.cut) > 1 {
		for _, n := range p.cut {
			key = append(key, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
		}
	}
	key = append(append(key, p.silent...), byte(index(p.broken != "")))
	return string(append(key, p.state...))
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}
