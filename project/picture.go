package project

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/explore/animation"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/internal/svg"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// PicturesDir is the folder of pictures: next to gradine.toml, or next to the model.
const PicturesDir = "pictures"

// Picture is an SVG, or a Gantt chart, that follows the state of a machine.
type Picture struct {
	Name, Title string
	Machine     *model.Machine // whose state it shows: the animated one, or one that it refines
	of          *model.Machine // that it was written for
	SVG         string         // without what could run or load anything; "" for a Gantt chart
	Dropped     []string       // what that was
	Elements    []animation.Element
}

// The elements of a Gantt chart and their attributes, where an SVG has those of its own.
const (
	GanttBar   = "bar" // item, lane, start, end, open
	GanttClock = "clock"
)

// pictureFiles lists the files of bindings that may be about m.
func (p *Project) pictureFiles(m *model.Machine) (out []string) {
	folders := []string{filepath.Dir(m.Origin.Span.File)}
	if p.Config != nil {
		folders = append(folders, p.Config.Dir)
	}
	for _, folder := range folders {
		found, _ := filepath.Glob(filepath.Join(folder, PicturesDir, "*.toml")) // the pattern is well-formed
		out = append(out, found...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// readPicture reads the bindings of a picture.
func readPicture(name string) (*config.Picture, error) {
	return seam.Read(name, func() (*config.Picture, error) { return config.ReadPicture(name) })
}

// Pictures reads the pictures of a machine: its own, and those of the machines that it refines. These show the state of m
// where their formulas mean something there, and otherwise the abstract state, in which a click takes no step. Terms are
// of the bank of scope. An error names the file and the element that is wrong.
func (p *Project) Pictures(m *model.Machine, scope Scope) (out []*Picture, err error) {
	for _, name := range p.pictureFiles(m) {
		conf, err := readPicture(name)
		if err != nil {
			return nil, err
		}
		of := p.Dev.Machine(conf.Machine)
		if of == nil || !refines(m, of) {
			continue
		}
		picture, err := seam.Read(name, func() (*Picture, error) { return scope.picture(m, name, conf) })
		if err != nil && of != m {
			if picture, err = p.scopeIn(scope.bank, of).picture(of, name, conf); err == nil {
				picture.unclick()
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		picture.of = of
		out = append(out, picture)
	}
	// Those of the machine itself come first, then those of what is nearest to it.
	slices.SortStableFunc(out, func(a, b *Picture) int { return cmp.Compare(steps(m, a.of), steps(m, b.of)) })
	return out, nil
}

// steps is the number of refinement steps from a machine up to one that it refines.
func steps(m, abstract *model.Machine) (n int) {
	for ; m != abstract && m != nil; m = m.Refines {
		n++
	}
	return n
}

// unclick takes its clicks from a picture: the events that they name are not those of the animated machine.
func (p *Picture) unclick() {
	for i := range p.Elements {
		p.Elements[i].Click, p.Elements[i].Given = "", 0
	}
}

// picture reads the formulas of a picture.
func (s Scope) picture(m *model.Machine, name string, conf *config.Picture) (*Picture, error) {
	out := &Picture{Name: strings.TrimSuffix(filepath.Base(name), ".toml"), Title: conf.Title, Machine: m}
	if conf.Gantt != nil {
		if conf.SVG != "" || len(conf.Element) > 0 {
			return nil, fmt.Errorf("gantt and svg exclude each other: write two files")
		}
		return out, s.gantt(conf.Gantt, out)
	}
	if conf.SVG == "" || filepath.Base(conf.SVG) != conf.SVG || !filepath.IsLocal(conf.SVG) {
		return nil, fmt.Errorf("svg = %q: name a file in the same folder", conf.SVG)
	}
	text, err := ReadText(filepath.Join(filepath.Dir(name), conf.SVG))
	if err != nil {
		return nil, err
	}
	if out.SVG, out.Dropped, err = svg.Clean(text); err != nil {
		return nil, fmt.Errorf("%s: %w", conf.SVG, err)
	}
	copied := map[string]Scope{}
	for i := range conf.Element {
		e, err := s.element(m, &conf.Element[i], copied, out)
		if err != nil {
			return nil, fmt.Errorf("element %q: %w", conf.Element[i].ID, err)
		}
		out.Elements = append(out.Elements, e)
	}
	return out, nil
}

// element reads the formulas of an element; copied are the scopes of the elements that are copied.
func (s Scope) element(m *model.Machine, conf *config.PictureElement, copied map[string]Scope, picture *Picture) (e animation.Element, err error) {
	e = animation.Element{ID: conf.ID}
	if !strings.Contains(picture.SVG, fmt.Sprintf(` id="%s"`, conf.ID)) {
		return e, fmt.Errorf("the SVG has no element with this id")
	}
	// The variable of the copies is known only inside the element.
	inner := Scope{s.bank, maps.Clone(s.env)}
	switch {
	case conf.Each != "" && conf.In != "":
		return e, fmt.Errorf("each and in exclude each other")
	case conf.Each != "":
		if err := inner.each(&e, conf.Each); err != nil {
			return e, err
		}
		copied[conf.ID] = inner
	case conf.In != "":
		at := slices.IndexFunc(picture.Elements, func(x animation.Element) bool { return x.ID == conf.In && x.Each != 0 })
		if at < 0 {
			return e, fmt.Errorf("in = %q: no element before it is copied", conf.In)
		}
		inner = copied[conf.In]
		e.Of, e.Each, e.In = conf.In, picture.Elements[at].Each, picture.Elements[at].In
	}
	for _, name := range slices.Sorted(maps.Keys(conf.Set)) {
		if name != "text" && name != "move" && !svg.Attribute(name, "") {
			return e, fmt.Errorf("%s: this attribute cannot be set", name)
		}
		attribute, err := inner.attribute(name, conf.Set[name])
		if err != nil {
			return e, fmt.Errorf("%s: %w", name, err)
		}
		e.Attributes = append(e.Attributes, attribute)
	}
	if conf.Click == "" {
		return e, nil
	}
	// A click fires the event, with the parameters that the formula in parentheses determines.
	label, given, called := strings.Cut(strings.TrimSuffix(conf.Click, ")"), "(")
	event := m.Event(label)
	if event == nil {
		return e, fmt.Errorf("click: machine %s has no event %s", m.Name, label)
	}
	e.Click = label
	if called {
		for _, x := range event.Parameters {
			if e.Each != 0 && x.Name == s.bank.Name(e.Each) {
				return e, fmt.Errorf("click: %s is also a parameter of %s; rename the copies", x.Name, label)
			}
		}
		e.Given, err = inner.Of(event).Predicate(given)
	}
	return e, err
}

// each makes e an element that is copied for each value of a name, which comes into scope.
func (s Scope) each(e *animation.Element, text string) error {
	term, own, err := s.declare(text)
	if err != nil {
		return err
	}
	if len(own) != 1 {
		return fmt.Errorf("each = %q: write NAME ∈ SET with a new name", text)
	}
	e.Of, e.Each, e.In = e.ID, own[0].Term, term
	return nil
}

// gantt reads the formulas of a Gantt chart as elements: bars, and the clock.
func (s Scope) gantt(conf *config.PictureGantt, out *Picture) error {
	inner := Scope{s.bank, maps.Clone(s.env)}
	bar, clock := animation.Element{ID: GanttBar}, animation.Element{ID: GanttClock}
	if err := inner.each(&bar, conf.Each); err != nil {
		return fmt.Errorf("gantt: %w", err)
	}
	values := []struct {
		name  string
		value any
		of    *animation.Element
		scope Scope
	}{
		{"item", conf.Item, &bar, inner}, {"lane", conf.Lane, &bar, inner}, {"start", conf.Start, &bar, inner}, {"end", conf.End, &bar, inner},
		{"open", []any{conf.Open + " → true", "else → false"}, &bar, inner}, {"clock", conf.Clock, &clock, s},
	}
	for _, x := range values {
		if x.name == "open" && conf.Open == "" {
			continue
		}
		a, err := x.scope.attribute(x.name, x.value)
		if err != nil {
			return fmt.Errorf("gantt: %s: %w", x.name, err)
		}
		x.of.Attributes = append(x.of.Attributes, a)
	}
	out.Elements = []animation.Element{bar, clock}
	return nil
}

// attribute reads the text of an attribute, or its cases.
func (s Scope) attribute(name string, value any) (a animation.Attribute, err error) {
	a.Name = name
	var cases []string
	switch x := value.(type) {
	case string:
		parts, err := s.parts(name, x)
		a.Cases = []animation.Case{{Parts: parts}}
		return a, err
	case []any:
		for _, one := range x {
			text, ok := one.(string)
			if !ok {
				return a, fmt.Errorf("a case is a text, PREDICATE → text")
			}
			cases = append(cases, text)
		}
	default:
		return a, fmt.Errorf("write a text, or a list of PREDICATE → text")
	}
	// Cases are tried in order, so that the last one must be else: an element always has a value.
	for i, text := range cases {
		when, then, ok := cutArrow(text)
		last := i == len(cases)-1
		if !ok || last != (when == "else") {
			return a, fmt.Errorf("%q: write PREDICATE → text, and else → text last", text)
		}
		var c animation.Case
		if !last {
			if c.When, err = s.Predicate(when); err != nil {
				return a, err
			}
		}
		if c.Parts, err = s.parts(name, then); err != nil {
			return a, err
		}
		a.Cases = append(a.Cases, c)
	}
	return a, nil
}

// cutArrow cuts a case at its last arrow: predicates may have arrows, too.
func cutArrow(text string) (when, then string, ok bool) {
	i := strings.LastIndex(text, "→")
	if i < 0 {
		return "", "", false
	}
	return strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+len("→"):]), true
}

// parts reads a text with {EXPRESSION} in it.
func (s Scope) parts(name, text string) (out []animation.Part, err error) {
	fixed := ""
	for text != "" {
		before, rest, found := strings.Cut(text, "{")
		fixed += before
		part := animation.Part{Text: before}
		if text = ""; found {
			end := closing(rest)
			if end < 0 {
				return nil, fmt.Errorf("{%s has no closing brace", rest)
			}
			var term logic.Term
			if term, err = s.Formula(rest[:end], lang.ParseExpression); err != nil {
				return nil, err
			}
			part.Value, text = term, rest[end+1:]
		}
		out = append(out, part)
	}
	if name != "text" && !svg.Attribute("x", fixed) {
		return nil, fmt.Errorf("%q refers to something outside the picture", fixed)
	}
	return out, nil
}

// closing is where the brace is that closes one before text, or −1.
func closing(text string) int {
	open := 0
	for i, r := range text {
		switch {
		case r == '{':
			open++
		case r == '}' && open == 0:
			return i
		case r == '}':
			open--
		}
	}
	return -1
}

// pictureCode is the code of what is wrong with a picture.
const pictureCode = "GR0962"

// checkPictures reports what is wrong with pictures: names, types, and SVG that cannot be read.
func (p *Project) checkPictures() {
	for _, m := range p.Dev.Machines {
		for _, name := range p.pictureFiles(m) {
			lang.Understand(filepath.ToSlash(name), &p.Problems, func(problems *diag.List) {
				conf, err := config.ReadPicture(name)
				if err == nil && conf.Machine == m.Name {
					_, err = p.Scope(m).picture(m, name, conf)
				}
				if err != nil {
					problems.Add(diag.Diagnostic{Code: pictureCode, Span: diag.Span{File: filepath.ToSlash(name)}, Message: err.Error(), Help: "docs/animator.md shows what a picture can contain"})
				}
			})
		}
	}
}

// pictureStamp names the files of pictures, for Stamp.
func (p *Project) pictureStamp(stat func(string)) {
	if p.Dev == nil {
		return
	}
	seen := map[string]bool{}
	for _, m := range p.Dev.Machines {
		for _, name := range p.pictureFiles(m) {
			if seen[name] {
				continue
			}
			seen[name] = true
			stat(name)
			if conf, err := readPicture(name); err == nil && conf.SVG != "" && filepath.IsLocal(conf.SVG) {
				stat(filepath.Join(filepath.Dir(name), conf.SVG))
			}
		}
	}
}
