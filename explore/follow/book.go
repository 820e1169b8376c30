package follow

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/lang/model"
)

// book is the lines of a log by source, each in its order. A log of one source is read as far as it is needed, and
// forgotten behind that; one of several sources is read before the search, since any source may come first.
type book struct {
	e       *explainer
	sources []*source
}

// source is the lines of one source.
type source struct {
	name     string
	lines    []*logged
	gone     int // lines that are forgotten
	claiming int // lines up to the last one that claim something
	ended    bool
}

// logged is a line of a log, in values.
type logged struct {
	expected
	line     int
	source   int
	claiming int     // lines of its source up to this one that claim something
	own      uint64  // its place in its own clock
	needs    []int32 // lines of each source that come before it; nil: those of its own
}

func newBook(e *explainer) (*book, error) {
	b := &book{e: e}
	if !e.log.Sources {
		b.sources = []*source{{}}
		return b, nil
	}
	return b, b.readAll()
}

// line reads one line; nil at the end.
func (b *book) line() (*logged, *Observation, error) {
	o, err := b.e.log.Next()
	if errors.Is(err, io.EOF) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	w, err := b.e.read(o)
	if err != nil {
		return nil, nil, &BadLine{o.Line, err}
	}
	return &logged{expected: w, line: o.Line}, o, nil
}

func (s *source) append(l *logged) error {
	if l.event == 0 && len(s.lines)+s.gone > 0 {
		return &BadLine{l.line, fmt.Errorf("%s happens once, first of all", model.InitLabel)}
	}
	if l.claims {
		s.claiming++
	}
	l.claiming = s.claiming
	s.lines = append(s.lines, l)
	return nil
}

// at is a line of a source by number, nil behind the last one.
func (b *book) at(number, i int) (*logged, error) {
	s := b.sources[number]
	for !b.e.log.Sources && !s.ended && i >= s.gone+len(s.lines) {
		l, _, err := b.line()
		if err != nil {
			return nil, err
		}
		if l == nil {
			s.ended = true
			break
		}
		if err := s.append(l); err != nil {
			return nil, err
		}
	}
	if i >= s.gone+len(s.lines) {
		return nil, nil
	}
	return s.lines[i-s.gone], nil
}

// next are the lines that may come next behind a cut, in their order in the log; none behind the last one.
func (b *book) next(cut []int32) (out []*logged, err error) {
	for number := range b.sources {
		l, err := b.at(number, int(cut[number]))
		if err != nil {
			return nil, err
		}
		if l != nil && l.ready(cut) {
			out = append(out, l)
		}
	}
	slices.SortFunc(out, func(x, y *logged) int { return x.line - y.line })
	if begin := slices.IndexFunc(out, func(l *logged) bool { return l.event == 0 }); begin >= 0 {
		return out[begin : begin+1], nil
	}
	return out, nil
}

func (l *logged) ready(cut []int32) bool {
	for number, n := range l.needs {
		if cut[number] < n {
			return false
		}
	}
	return true
}

// claims counts the lines before a cut that claim something.
func (b *book) claims(cut []int32) (n int) {
	for number, s := range b.sources {
		if i := int(cut[number]) - 1 - s.gone; i >= 0 {
			n += s.lines[i].claiming
		}
	}
	return n
}

// forget forgets the lines of the only source before a depth, all but the last of them.
func (b *book) forget(depth int) {
	if s := b.sources[0]; !b.e.log.Sources && depth-1 > s.gone {
		n := depth - 1 - s.gone
		clear(s.lines[:n])
		s.lines, s.gone = s.lines[n:], depth-1
	}
}

// readAll reads the lines of all sources, and finds out which come before others.
func (b *book) readAll() error {
	numbers := map[string]int{}
	var clocks []map[string]uint64
	var all []*logged
	for {
		l, o, err := b.line()
		if err != nil {
			return err
		}
		if l == nil {
			break
		}
		if b.e.log.Most > 0 && len(all) == b.e.log.Most {
			panic(abort.Limit{What: fmt.Sprintf("%d lines of several sources", b.e.log.Most)})
		}
		number, known := numbers[o.Source]
		if !known {
			number = len(b.sources)
			numbers[o.Source] = number
			b.sources = append(b.sources, &source{name: o.Source})
		}
		l.source = number
		if o.Clock != nil {
			// A vector clock counts the lines of its own source, so a line without this count has no place in the order.
			if l.own = o.Clock[o.Source]; l.own == 0 {
				return &BadLine{l.line, fmt.Errorf("its clock has no place for its own source %s", o.Source)}
			}
		}
		all, clocks = append(all, l), append(clocks, o.Clock)
	}
	if len(b.sources) == 0 {
		b.sources = []*source{{}}
	}
	return b.order(all, clocks, numbers)
}

// order sorts the lines of each source by its own clock, and counts what comes before each line.
func (b *book) order(all []*logged, clocks []map[string]uint64, numbers map[string]int) error {
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(x, y *logged) int {
		switch {
		case x.own < y.own:
			return -1
		case x.own > y.own:
			return 1
		}
		return 0
	})
	begins := 0
	for _, l := range order {
		s := b.sources[l.source]
		if n := len(s.lines); n > 0 && l.own > 0 && s.lines[n-1].own == l.own {
			return &BadLine{l.line, fmt.Errorf("line %d of source %s has the same place in its clock", s.lines[n-1].line, s.name)}
		}
		if err := s.append(l); err != nil {
			return err
		}
		if l.event == 0 {
			if begins++; begins > 1 {
				return &BadLine{l.line, fmt.Errorf("%s happens once, first of all", model.InitLabel)}
			}
		}
	}
	for i, l := range all {
		for _, name := range slices.Sorted(maps.Keys(clocks[i])) {
			number, known := numbers[name]
			if !known || number == l.source {
				continue // the node has logged nothing
			}
			lines := b.sources[number].lines
			n := sort.Search(len(lines), func(k int) bool { return lines[k].own > clocks[i][name] })
			if l.needs == nil {
				l.needs = make([]int32, len(b.sources))
			}
			l.needs[number] = int32(n)
			if l.event == 0 && n > 0 {
				return &BadLine{l.line, fmt.Errorf("%s happens once, first of all", model.InitLabel)}
			}
		}
	}
	return b.possible(all)
}

// possible refuses clocks by which two lines each come before the other.
func (b *book) possible(all []*logged) error {
	cut := make([]int32, len(b.sources))
	for done := 0; done < len(all); {
		before := done
		for number, s := range b.sources {
			for int(cut[number]) < len(s.lines) && s.lines[cut[number]].ready(cut) {
				cut[number]++
				done++
			}
		}
		if done == before {
			for number, s := range b.sources {
				if int(cut[number]) < len(s.lines) {
					return &BadLine{s.lines[cut[number]].line, errors.New("its clock contradicts the order of the lines")}
				}
			}
		}
	}
	return nil
}
