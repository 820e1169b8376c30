package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// Formula is what is known about one formula that was read.
type Formula struct {
	OK       bool              `json:"ok"`
	Paren    string            `json:"paren,omitempty"`
	Typed    string            `json:"typed,omitempty"`
	Type     string            `json:"type,omitempty"`
	Inferred map[string]string `json:"inferred,omitempty"`
	WD       string            `json:"wd,omitempty"`
	Problems []FormulaProblem  `json:"problems"`
}

// FormulaProblem is one reason why a formula has no meaning.
type FormulaProblem struct {
	Code    string `json:"code"`
	From    int    `json:"from"`
	To      int    `json:"to"`
	Message string `json:"message"`
}

// Formulas writes one answer a line.
type Formulas struct{ out *Lines }

// NewFormulas returns a writer to w.
func NewFormulas(w io.Writer) *Formulas { return &Formulas{NewLines(w)} }

// Put writes one answer.
func (f *Formulas) Put(v Formula) error {
	if v.Problems == nil {
		v.Problems = []FormulaProblem{}
	}
	f.out.Put(v)
	return f.out.Err
}

// Action returns the canonical text of an assignment.
func Action(b *logic.Bank, a *model.Action) string {
	opts := text.Options{}
	list := func(ts []logic.Term) string {
		var out []string
		for _, t := range ts {
			out = append(out, opts.Term(b, t))
		}
		return strings.Join(out, ",")
	}
	return list(a.Left) + " " + [...]string{"≔", ":∈", ":∣"}[a.Kind] + " " + list(a.Right)
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
