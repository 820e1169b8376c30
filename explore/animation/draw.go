package animation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Element is an element of a picture that follows the state.
type Element struct {
	ID, Of     string     // of a part of a copied element: that element
	Each       logic.Term // the identifier of which it is copied for each value that satisfies In; 0: it is not
	In         logic.Term
	Attributes []Attribute
	Click      string     // the event that a click takes; ""
	Given      logic.Term // what its parameters satisfy; 0: anything
}

// Attribute is an attribute of an element: the text of the first case that holds.
type Attribute struct {
	Name  string
	Cases []Case
}

// Case is a text that an attribute has where a predicate holds; with 0 everywhere.
type Case struct {
	When  logic.Term
	Parts []Part
}

// Part is a text, or the value of an expression.
type Part struct {
	Text  string
	Value logic.Term
}

// Drawn is an element, or a copy of it, as it looks in a state.
type Drawn struct {
	ID         string            `json:"id"`
	Of         string            `json:"of,omitempty"`
	Copy       string            `json:"k,omitempty"` // for which value
	Attributes map[string]string `json:"at,omitempty"`
	Click      []int             `json:"click,omitempty"` // the steps that it takes, by number
}

// Drawing is a picture that is compiled for the state of one level.
type Drawing struct {
	level    int
	elements []drawnElement
}

type drawnElement struct {
	Element
	search     formula.Searcher
	each       []program.Param
	attributes [][]drawnCase
	click      *program.Property
}

type drawnCase struct {
	holds *program.Property
	parts []drawnPart
}

type drawnPart struct {
	text  string
	value formula.Expr
	shape *value.Shape
}

// mostCopies bounds the copies of one element.
const mostCopies = 2000

// Compile compiles a picture of machine m, which is animated or is one of those that the animated one refines.
func (a *Animation) Compile(m *model.Machine, elements []Element) (d *Drawing, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	d = &Drawing{level: slices.IndexFunc(a.Levels, func(l *Level) bool { return l.Machine == m && l.Why == "" })}
	if d.level < 0 {
		return nil, fmt.Errorf("machine %s is not animated", m.Name)
	}
	for _, e := range elements {
		x, err := a.Levels[d.level].element(e)
		if err != nil {
			return nil, fmt.Errorf("element %s: %w", e.ID, err)
		}
		d.elements = append(d.elements, x)
	}
	return d, nil
}

// apart is e with a name of its own in place of that of Each: a machine that refines the one of the picture may have a constant
// of the same name.
func (e Element) apart(bank *logic.Bank) Element {
	if e.Each == 0 {
		return e
	}
	own := map[logic.Term]logic.Term{e.Each: bank.Free(bank.Name(e.Each)+copyMark, bank.Type(e.Each))}
	rename := func(t logic.Term) logic.Term {
		if t == 0 {
			return 0
		}
		return bank.Subst(t, own)
	}
	e.Each, e.In, e.Given = rename(e.Each), rename(e.In), rename(e.Given)
	attributes := slices.Clone(e.Attributes)
	for i, a := range attributes {
		cases := slices.Clone(a.Cases)
		for k, c := range cases {
			parts := slices.Clone(c.Parts)
			for n := range parts {
				parts[n].Value = rename(parts[n].Value)
			}
			cases[k] = Case{rename(c.When), parts}
		}
		attributes[i].Cases = cases
	}
	e.Attributes = attributes
	return e
}

// copyMark marks the name of the value for which an element is copied. No identifier of a model ends with it.
const copyMark = "⁼"

// element compiles the formulas of an element of a picture.
func (l *Level) element(e Element) (x drawnElement, err error) {
	p := l.p
	e = e.apart(p.Compiler.Bank)
	x = drawnElement{Element: e}
	names := map[string]int{}
	if e.Each != 0 {
		// The element is drawn once for each value of Each, which the attributes and Given may name.
		if x.search, x.each, err = p.Search([]logic.Term{e.Each}, []logic.Term{e.In}); err != nil {
			return x, err
		}
		names[x.each[0].Name] = x.each[0].Slot
	}
	if e.Click != "" && e.Given != 0 {
		// In Given, a name means a parameter of the clicked event, and only then a variable.
		clicked := map[string]int{}
		for _, event := range p.Events {
			for _, param := range event.Params {
				if event.Model.Label == e.Click {
					clicked[param.Name] = param.Slot
				}
			}
		}
		for name, slot := range names {
			clicked[name] = slot
		}
		p.Naming(clicked, func() {
			var property program.Property
			property, err = p.Goal(e.Given)
			x.click = &property
		})
	}
	// An error does not end the loop, so that each attribute keeps its place; the first error is returned.
	p.Naming(names, func() {
		for _, attribute := range e.Attributes {
			var cases []drawnCase
			for _, c := range attribute.Cases {
				drawn, wrong := compiledCase(p, c)
				if wrong != nil && err == nil {
					err = wrong
				}
				cases = append(cases, drawn)
			}
			x.attributes = append(x.attributes, cases)
		}
	})
	return x, err
}

// compiledCase compiles one case of an attribute.
func compiledCase(p *program.Program, c Case) (out drawnCase, err error) {
	if c.When != 0 {
		property, err := p.Goal(c.When)
		if err != nil {
			return out, err
		}
		out.holds = &property
	}
	for _, part := range c.Parts {
		drawn := drawnPart{text: part.Text}
		if part.Value != 0 {
			if drawn.value, err = p.Value(part.Value); err != nil {
				return out, err
			}
			drawn.shape = p.Space.Shape(p.Compiler.Bank.Type(part.Value))
		}
		out.parts = append(out.parts, drawn)
	}
	return out, nil
}

// Draw says how a picture looks in a state, in which the given steps are possible; nil: the machine of the picture is not
// in step. An attribute whose formulas are undefined is left as it is.
func (a *Animation) Draw(ctx context.Context, number int, d *Drawing, steps []Successor) (out []Drawn, err error) {
	defer abort.Contain(a.Concrete().Name, &err)
	packed := a.states[number].packed
	if d.level >= len(packed) {
		return nil, nil
	}
	out = []Drawn{}
	p := a.Levels[d.level].p
	f := p.Frame(ctx)
	f.Most = mostTried
	p.Unpack(f, packed[d.level])
	// The values of parameters are read back from steps: their slots belong to the search for steps.
	for i := range d.elements {
		x := &d.elements[i]
		one := func(f *formula.Frame) bool {
			drawn := Drawn{ID: x.ID, Of: x.Of, Attributes: map[string]string{}}
			if x.search != nil {
				drawn.Copy = p.Space.String(x.each[0].Shape, f.Slots[x.each[0].Slot])
			}
			for k, cases := range x.attributes {
				name := x.Attributes[k].Name
				if text, ok := chosen(p, f, cases, name == "text"); ok {
					drawn.Attributes[name] = text
				}
			}
			if x.Click != "" {
				drawn.Click = a.clicked(p, f, x, steps)
			}
			out = append(out, drawn)
			return len(out) < mostCopies
		}
		if x.search == nil {
			one(f)
			continue
		}
		abort.Bounded(func() { f.Visit(x.search, one) })
	}
	return out, ctx.Err()
}

// clicked are the steps that an element takes.
func (a *Animation) clicked(p *program.Program, f *formula.Frame, x *drawnElement, steps []Successor) (out []int) {
	for i, s := range steps {
		if s.Event != x.Click {
			continue
		}
		if x.click == nil {
			out = append(out, i)
			continue
		}
		for k, param := range p.EventOf(s.event).Params {
			f.Slots[param.Slot] = s.args[k]
		}
		if holds, why := f.Try(x.click.Holds); holds && why == "" {
			out = append(out, i)
		}
	}
	return out
}

// chosen is the text of the first case that holds.
func chosen(p *program.Program, f *formula.Frame, cases []drawnCase, people bool) (text string, ok bool) {
	limit := abort.Bounded(func() {
		for _, c := range cases {
			if c.holds != nil {
				if holds, why := f.Try(c.holds.Holds); why != "" {
					return
				} else if !holds {
					continue
				}
			}
			text, ok = c.text(p, f, people)
			return
		}
	})
	return text, ok && limit == ""
}

// text is the text of a case, with the values of its formulas; false if one has none.
func (c drawnCase) text(p *program.Program, f *formula.Frame, people bool) (string, bool) {
	var b strings.Builder
	for _, part := range c.parts {
		b.WriteString(part.text)
		if part.value == nil {
			continue
		}
		v, why := f.Value(part.value)
		if why != "" {
			return "", false
		}
		printed := p.Space.String(part.shape, v)
		if !people {
			printed = strings.ReplaceAll(printed, "−", "-") // numbers as SVG writes them
		}
		b.WriteString(printed)
	}
	return b.String(), true
}
