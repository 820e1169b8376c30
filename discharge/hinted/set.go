package hinted

import (
	"fmt"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/logic"
)

// NothingCode is the code of a block for nothing.
const NothingCode = "GR0951"

// Set is what files of hints say of a list of sequents.
type Set struct {
	blocks []*block
}

// block is a block of hints, and what became of it.
type block struct {
	*hints.Block
	named   []bool // by pattern: it names something
	fits    bool   // its hints fit some sequent
	problem *diag.Diagnostic
}

// NewSet returns the hints of files, in the order of the files.
func NewSet(files []*hints.File) *Set {
	s := &Set{}
	for _, f := range files {
		for _, b := range f.Blocks {
			s.blocks = append(s.blocks, &block{Block: b, named: make([]bool, len(b.Patterns))})
		}
	}
	return s
}

// Plan makes the plan for the sequent of a name; nil if no hints fit it. A block with a
// hint that does not fit is left out; the others follow each other.
func (s *Set) Plan(name string, q logic.Sequent, labels []string) *Plan {
	var list []*hints.Hint
	var plan *Plan
	for _, b := range s.blocks {
		if !b.names(name) || len(b.Hints) == 0 {
			continue
		}
		more := append(list[:len(list):len(list)], b.Hints...)
		p, problem := Make(q, labels, more)
		if problem != nil {
			if b.problem == nil {
				b.problem = problem
			}
			continue
		}
		b.fits, list, plan = true, more, p
	}
	return plan
}

// Names reports whether some hints are for the sequent of a name.
func (s *Set) Names(name string) bool {
	found := false
	for _, b := range s.blocks {
		found = b.names(name) || found // each notes that it names something
	}
	return found
}

// names reports whether a pattern of b stands for a name.
func (b *block) names(name string) bool {
	found := false
	for i, p := range b.Patterns {
		if Matches(p.Text, name) {
			b.named[i], found = true, true
		}
	}
	return found
}

// Report adds the problems of the blocks that Plan was asked about: patterns that name
// nothing, and hints that fit nothing that they are for.
func (s *Set) Report(problems *diag.List) {
	for _, b := range s.blocks {
		for i, p := range b.Patterns {
			if !b.named[i] {
				problems.Add(diag.Diagnostic{Code: NothingCode, Span: p.Span, Message: fmt.Sprintf("no obligation matches %s", p.Text),
					Help: "`gradine po` lists the names; * stands for any text"})
			}
		}
		if b.problem != nil && !b.fits {
			problems.Add(*b.problem)
		}
	}
}

// Matches reports whether name is pattern, or ends with it behind a slash; * in it stands
// for any text.
func Matches(pattern, name string) bool {
	if covers(pattern, name) {
		return true
	}
	for i := range len(name) {
		if name[i] == '/' && covers(pattern, name[i+1:]) {
			return true
		}
	}
	return false
}

// covers reports whether name is pattern, with text for each *.
func covers(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	last := len(parts) - 1
	if last == 0 {
		return pattern == name
	}
	rest, ok := strings.CutPrefix(name, parts[0])
	if !ok {
		return false
	}
	// The leftmost place of each part leaves most to those behind it.
	for _, p := range parts[1:last] {
		i := strings.Index(rest, p)
		if i < 0 {
			return false
		}
		rest = rest[i+len(p):]
	}
	return strings.HasSuffix(rest, parts[last])
}
