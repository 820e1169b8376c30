package preproc

import (
	"bytes"
	"fmt"
	"strings"
)

// Place is where something stands in the source.
type Place struct {
	Line, Col int
}

// placeOf is the place of an offset in a text.
func placeOf(src []byte, offset int) Place {
	line := 1 + bytes.Count(src[:offset], []byte("\n"))
	return Place{line, offset - bytes.LastIndexByte(src[:offset], '\n')}
}

// Tell is a text about a place, with its line if there is one: what compilers make, and launches, have none.
func (p Place) Tell(text string) string {
	if p.Line == 0 {
		return text
	}
	return fmt.Sprintf("line %d: %s", p.Line, text)
}

// Problem is why a file or kernel is not understood.
type Problem struct {
	File      string
	Line, Col int
	Construct string
}

func (p *Problem) Error() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: unsupported: %s", p.File, p.Construct)
	}
	return fmt.Sprintf("%s:%d:%d: unsupported: %s", p.File, p.Line, p.Col, p.Construct)
}

// Where says which line p is in, of which file if that is another one.
func (p *Problem) Where(file string) string {
	if p.File != file {
		return fmt.Sprintf("line %d of %s", p.Line, p.File)
	}
	return fmt.Sprintf("line %d", p.Line)
}

// Refuse is the problem that a construct at a place is not understood.
func Refuse(file string, at Place, construct string) *Problem {
	return &Problem{File: file, Line: at.Line, Col: at.Col, Construct: strings.TrimSpace(construct)}
}

// Catch ends a panic with a Problem, which is how a reader refuses from deep inside. It is
// to be deferred; any other panic goes on.
func Catch(problem **Problem) {
	switch e := recover().(type) {
	case nil:
	case *Problem:
		*problem = e
	default:
		panic(e)
	}
}
