package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gradine/gradine/lang/analysis"
	"github.com/gradine/gradine/logic/text"
)

// Formulas writes one answer a line.
type Formulas struct{ out *Lines }

// NewFormulas returns a writer to w.
func NewFormulas(w io.Writer) *Formulas { return &Formulas{NewLines(w)} }

// Put writes one answer.
func (f *Formulas) Put(v analysis.Formula) error {
	if v.Problems == nil {
		v.Problems = []analysis.Problem{}
	}
	f.out.Put(v)
	return f.out.Err
}

// Shorten cuts a long set behind an element.
func Shorten(value string) string {
	if len(value) <= maxValue {
		return value
	}
	cut := strings.LastIndex(value[:maxValue], ", ")
	if cut < 0 {
		return value
	}
	return value[:cut] + fmt.Sprintf(", … %d more}", strings.Count(value[cut:], ", "))
}

// readable is how formulas are written for people.
var readable = text.Options{Untyped: true, Spaced: true, Width: 76}

// maxValue is the length, in bytes, beyond which a value is cut in text.
const maxValue = 120
