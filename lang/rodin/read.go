package rodin

import (
	"path"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/internal/unmerged"
	"github.com/gradine/gradine/logic"
)

// The newest file versions, which Encode writes. Formulas of older files are
// in the first version of the mathematical language.
const (
	contextVersion = "3"
	machineVersion = "5"
)

// reader turns the elements of one file into a component.
type reader struct {
	file      string
	oldSyntax bool // formulas in the first version of the mathematical language
	problems  *diag.List
	lost      bool // a part of the file has not become a part of the component
}

// report reports something that keeps the component from being complete.
func (r *reader) report(code string, at diag.Span, message string) {
	r.lost = true
	r.problems.Add(diagnostic(code, at, message))
}

// parseFile reads one .buc or .bum file. It returns nil, and reports why, if
// the file is no Rodin component at all.
func parseFile(file string, data []byte, problems *diag.List) *lang.File {
	var f *lang.File
	if !lang.Understand(file, problems, func(problems *diag.List) { f, _ = parse(file, data, problems) }) {
		return nil
	}
	return f
}

// parse is parseFile with the elements of the file, marked as read as far as they
// have become a part of the component.
func parse(file string, data []byte, problems *diag.List) (*lang.File, *element) {
	lines := newLineTable(file, data)
	root, f := parseXML(data, lines)
	if f != nil {
		if _, at := unmerged.Ours(string(data)); at >= 0 {
			f = &fault{BadXML, at, "unmerged: a merge left conflict markers here; choose a side and delete the markers"}
		}
		problems.Add(diagnostic(f.code, lines.span(f.offset, f.offset), f.msg))
		return nil, nil
	}
	r := &reader{file: file, problems: problems}
	component := r.component(root)
	if component == nil {
		return nil, nil
	}
	r.unread(root)
	r.namesakes(root)
	return &lang.File{Path: file, Components: []*lang.Component{component}, Complete: !r.lost}, root
}

// plugins begin the names of elements and attributes by which plug-ins keep what
// adds nothing to the meaning of a model: diagrams, generated flags, texts, units.
var plugins = []string{
	"ac.soton.", "ch.ethz.", "de.be4.", "de.hhu.", "de.prob.", "fr.systerel.", "org.animb.", "org.eventb.codegen.",
	"org.eventb.emf.", "org.eventb.texttools.", "org.rodinp.", "uk.ac.",
}

func ofPlugin(name string) bool {
	return slices.ContainsFunc(plugins, func(p string) bool { return strings.HasPrefix(name, p) })
}

// neutral are attributes of any element that say nothing about the model.
var neutral = []string{"name", "comment", "generated"}

// unread reports the elements and attributes below e that were not asked for.
func (r *reader) unread(e *element) {
	for _, attr := range e.attrs {
		if !attr.read && !slices.Contains(neutral, attr.name) && !ofPlugin(attr.name) {
			r.report(Unread, attr.span, "unknown attribute "+attr.name+" of element "+e.kind+" is ignored")
		}
	}
	for _, c := range e.children {
		switch {
		case c.read:
			r.unread(c)
		case !ofPlugin(c.kind):
			r.report(Unread, c.span, "unknown element "+c.kind+" in "+e.kind+" is ignored")
		}
	}
}

// namesakes reports elements of one kind and one internal name in one element, as a merge by
// line leaves them: Rodin tells elements apart by these.
func (r *reader) namesakes(e *element) {
	seen := map[[2]string]bool{}
	for _, c := range e.children {
		name, found := c.get("name")
		key := [2]string{c.kind, name.value}
		if found && seen[key] {
			r.problems.Add(diagnostic(Namesake, name.span, "another "+c.kind+" has the same internal name "+name.value+", so Rodin sees one element; give this one another name"))
		}
		seen[key] = found
		r.namesakes(c)
	}
}

// component reads a context or machine, whose kind must fit the extension of its file.
func (r *reader) component(root *element) *lang.Component {
	base := path.Base(r.file)
	ext := path.Ext(base)
	c := &lang.Component{
		Name: lang.Name{Text: strings.TrimSuffix(base, ext), Span: root.span},
		Span: root.span,
		Doc:  comment(root),
	}
	want := contextVersion
	switch {
	case root.kind == "contextFile" && ext == ".buc":
	case root.kind == "machineFile" && ext == ".bum":
		c.Kind, want = lang.MachineKind, machineVersion
	default:
		r.report(NotRodin, root.span, "the root of a "+ext+" file cannot be element "+root.kind)
		return nil
	}
	_, found := root.get("configuration")
	c.NoConfiguration = !found
	switch v := root.text("version"); {
	// Versions are whole numbers: the longer one is newer.
	case len(v) > len(want) || len(v) == len(want) && v > want:
		r.report(NewerVersion, root.span, "the file has version "+v+"; gradine reads versions up to "+want)
	default:
		r.oldSyntax = v != want
	}
	for _, e := range root.children {
		e.read = r.clause(c, e)
	}
	r.theorems(c, root)
	return c
}

// clause adds child e of the root to c, and reports whether it is a part of one.
func (r *reader) clause(component *lang.Component, e *element) bool {
	switch e.kind {
	case "extendsContext":
		component.Extends = append(component.Extends, r.name(e, "target"))
	case "refinesMachine":
		component.Refines = append(component.Refines, r.name(e, "target"))
	case "seesContext":
		component.Sees = append(component.Sees, r.name(e, "target"))
	case "carrierSet":
		component.Sets = append(component.Sets, r.name(e, "identifier"))
	case "constant":
		component.Constants = append(component.Constants, r.name(e, "identifier"))
	case "variable":
		component.Variables = append(component.Variables, r.name(e, "identifier"))
	case "axiom":
		component.Axioms = append(component.Axioms, r.predicate(e))
	case "invariant":
		component.Invariants = append(component.Invariants, r.predicate(e))
	case "variant":
		component.Variants = append(component.Variants, r.variant(e))
	case "event":
		component.Events = append(component.Events, r.event(e))
	default:
		return false
	}
	return true
}

// theorems adds the theorem elements of old files, which came after all axioms
// and invariants.
func (r *reader) theorems(component *lang.Component, root *element) {
	for _, e := range root.children {
		if e.kind != "theorem" {
			continue
		}
		e.read = true
		predicate := r.predicate(e)
		predicate.Theorem = true
		if component.Kind == lang.ContextKind {
			component.Axioms = append(component.Axioms, predicate)
		} else {
			component.Invariants = append(component.Invariants, predicate)
		}
	}
}

// event reads an event, and the attributes of older versions of Rodin.
func (r *reader) event(e *element) *lang.Event {
	ev := &lang.Event{Label: r.label(e), Span: e.span, Doc: comment(e)}
	ev.Convergence, ev.NoConvergence = r.convergence(e)
	ext, found := e.get("extended")
	if !found {
		ext, found = e.get("inherited")
	}
	ev.Extended, ev.NoExtended = r.truth(ext, found)
	for _, x := range e.children {
		x.read = true
		switch x.kind {
		case "refinesEvent":
			ev.Refines = append(ev.Refines, r.name(x, "target"))
		case "parameter", "variable": // "variable" in old files
			ev.Parameters = append(ev.Parameters, r.name(x, "identifier"))
		case "guard":
			ev.Guards = append(ev.Guards, r.predicate(x))
		case "witness":
			ev.Witnesses = append(ev.Witnesses, r.predicate(x))
		case "action":
			ev.Actions = append(ev.Actions, r.action(x))
		default:
			x.read = false
		}
	}
	return ev
}

// truth reads the value of a, if there is one.
func (r *reader) truth(a attribute, found bool) (value, absent bool) {
	if found && a.value != "true" && a.value != "false" {
		r.report(BadValue, a.span, a.name+" must be true or false, not "+a.value)
		return false, true
	}
	return a.value == "true", !found
}

// comment returns the comment of e, whose lines may end as on Windows.
func comment(e *element) string { return strings.ReplaceAll(e.text("comment"), "\r\n", "\n") }

// convergence reads the status of event e, and whether it has none.
func (r *reader) convergence(e *element) (c lang.Convergence, absent bool) {
	attr, found := e.get("convergence")
	switch attr.value {
	case "0":
		return lang.Ordinary, false
	case "1":
		return lang.Convergent, false
	case "2":
		return lang.Anticipated, false
	}
	if found {
		r.report(BadValue, attr.span, "convergence must be 0 (ordinary), 1 (convergent) or 2 (anticipated), not "+attr.value)
	}
	return lang.Ordinary, true
}

func (r *reader) name(e *element, attr string) lang.Name {
	a, found := e.get(attr)
	return lang.Name{Text: a.value, Span: a.span, Doc: comment(e), Absent: !found}
}

// label is name for labelled elements, which carry the comment themselves.
func (r *reader) label(e *element) lang.Name {
	n := r.name(e, "label")
	n.Doc = ""
	return n
}

func (r *reader) source(e *element, attr string) lang.Source {
	a, found := e.get(attr)
	return lang.Source{Text: a.value, Span: a.span, Absent: !found}
}

// formula parses the text of src.
func (r *reader) formula(src *lang.Source, parse parser) *lang.Formula {
	f, problems := parse(src.Text, lang.Stored)
	src.Problems = problems
	if r.oldSyntax {
		modernise(f)
	}
	return f
}

func (r *reader) predicate(e *element) *lang.Predicate {
	p := &lang.Predicate{Label: r.label(e), Doc: comment(e)}
	p.Theorem, _ = r.truth(e.get("theorem"))
	p.Source = r.source(e, "predicate")
	if !p.Source.Absent {
		p.Formula = r.formula(&p.Source, lang.ParsePredicate)
	}
	return p
}

func (r *reader) variant(e *element) *lang.Variant {
	v := &lang.Variant{Label: r.label(e), Doc: comment(e)}
	if v.Label.Absent {
		v.Label = lang.Name{Text: defaultVariant, Span: e.span}
	}
	v.Source = r.source(e, "expression")
	if !v.Source.Absent {
		v.Formula = r.formula(&v.Source, lang.ParseExpression)
	}
	return v
}

func (r *reader) action(e *element) *lang.Action {
	a := &lang.Action{Label: r.label(e), Doc: comment(e)}
	a.Source = r.source(e, "assignment")
	if !a.Source.Absent {
		a.Assignment, a.Source.Problems = lang.ParseAssignment(a.Source.Text, lang.Stored)
		if assignment := a.Assignment; assignment != nil && r.oldSyntax {
			modernise(assignment.Index)
			for _, formula := range assignment.Right {
				modernise(formula)
			}
		}
	}
	return a
}

// modernise turns a formula of the first version of the mathematical language
// into one of the second: there, id, prj1 and prj2 were operators, id(S) the
// identity on S and prj1(r) the projection on r; here, S ◁ id and r ◁ prj1.
func modernise(f *lang.Formula) {
	if f == nil {
		return
	}
	for _, a := range f.Args {
		modernise(a)
	}
	if f.Op == logic.Apply {
		switch f.Args[0].Op {
		case logic.Id, logic.Prj1, logic.Prj2:
			f.Op, f.Args[0], f.Args[1] = logic.DomRes, f.Args[1], f.Args[0]
		}
	}
}
