package check

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// checker is the check of one project.
type checker struct {
	bank     *logic.Bank
	diags    *diag.List
	dev      *model.Development
	sources  map[source]*lang.Component
	doubled  map[source]bool           // defined twice
	read     map[*lang.Component]bool  // the reader has left nothing of its file out
	contexts map[string]*model.Context // checked
	machines map[string]*model.Machine
	broken   map[*lang.Component]bool // with errors, or building on one with errors
	said     map[string]bool          // faults that were reported; again they follow
	reported map[*lang.Component]findings
}

// again reports whether a fault was reported before.
func (c *checker) again(fault ...string) bool {
	key := strings.Join(fault, "\x00")
	defer func() { c.said[key] = true }()
	return c.said[key]
}

// source is the name of a component; contexts and machines are told apart.
type source struct {
	kind lang.Kind
	name string
}

// Development checks the components of files, which are one project, and
// reports to diags what is wrong. What can be checked nevertheless is in the
// result, whose bank is frozen.
func Development(project string, files []*lang.File, diags *diag.List) *model.Development {
	return new(Memory).Development(project, files, diags)
}

// collect returns the components of files in source order, without those whose name is taken.
func (c *checker) collect(files []*lang.File) []*lang.Component {
	var out []*lang.Component
	names := map[string]lang.Name{} // the first name of each spelling in lower case
	for _, file := range files {
		if file.Complete && len(file.Components) == 0 {
			var found findings
			found.noComponent(place{span: diag.Span{File: file.Path}})
			c.diags.Add(found[0])
		}
		for _, src := range file.Components {
			id := source{src.Kind, src.Name.Text}
			c.read[src] = file.Complete
			k := c.component(src)
			if old := c.sources[id]; old != nil {
				c.doubled[id] = true
				k.found.duplicateComponent(k.at(src.Name.Span), id.name, old.Name.Span)
				k.flush()
				continue
			}
			if old := c.sources[source{other(src.Kind), id.name}]; old != nil {
				k.found.sharedName(k.at(src.Name.Span), id.name, old.Name.Span)
			}
			folded := strings.ToLower(id.name)
			if old, ok := names[folded]; !ok {
				names[folded] = src.Name
			} else if old.Text != id.name {
				k.found.sameButCase(k.at(src.Name.Span), id.name, old)
			}
			k.flush()
			c.sources[id] = src
			out = append(out, src)
		}
	}
	return out
}

// notFound are the codes about what a component builds on.
var notFound = []string{"GR0160", "GR0161", "GR0164", "GR0168", "GR0174"}

// ofMissing are the codes of what is to be expected where a declaration could not be read.
var ofMissing = []string{
	"GR0101", "GR0110", "GR0113", "GR0114", "GR0171", "GR0172", "GR0181", "GR0185", "GR0186", "GR0196", "GR0200", "GR0205", "GR0208", "GR0220", "GR0231",
}

func other(k lang.Kind) lang.Kind {
	if k == lang.ContextKind {
		return lang.MachineKind
	}
	return lang.ContextKind
}

// dependency is a component that a clause names.
type dependency struct {
	clause lang.Name
	src    *lang.Component
}

// dependencies returns the components that src names.
func (c *checker) dependencies(src *lang.Component) []dependency {
	var out []dependency
	add := func(kind lang.Kind, names []lang.Name) {
		for _, name := range names {
			if component := c.sources[source{kind, name.Text}]; component != nil {
				out = append(out, dependency{name, component})
			}
		}
	}
	if src.Kind == lang.ContextKind {
		add(lang.ContextKind, src.Extends)
	} else {
		add(lang.MachineKind, src.Refines[:min(1, len(src.Refines))])
		add(lang.ContextKind, src.Sees)
	}
	return out
}

// ordering sorts components so that each comes after those it names. Cycles
// and what depends on them are reported and left out.
type ordering struct {
	*checker
	state map[*lang.Component]mark
	stack []*lang.Component
	bad   map[*lang.Component]bool
	out   []*lang.Component
}

func (c *checker) inOrder(all []*lang.Component) []*lang.Component {
	o := &ordering{checker: c, state: map[*lang.Component]mark{}, bad: map[*lang.Component]bool{}}
	for _, src := range all {
		o.visit(src)
	}
	return o.out
}

// visit enters src after the components it names.
func (o *ordering) visit(src *lang.Component) {
	if o.state[src] != fresh {
		return
	}
	o.state[src] = active
	o.stack = append(o.stack, src)
	deps := o.dependencies(src)
	for _, d := range deps {
		// A component on the stack is being entered now: the arrow back to it closes a cycle.
		if o.state[d.src] == active {
			o.cycle(d.src)
		} else {
			o.visit(d.src)
		}
	}
	o.stack = o.stack[:len(o.stack)-1]
	o.state[src] = finished
	if o.bad[src] {
		return
	}
	for _, d := range deps {
		if o.bad[d.src] {
			o.bad[src] = true
			k := o.component(src)
			k.found.dependsOnCycle(k.at(d.clause.Span), d.clause.Text)
			k.found.follows(true)
			k.flush()
			return
		}
	}
	o.out = append(o.out, src)
}

// cycle reports the components of the cycle that closes at first, each once.
func (o *ordering) cycle(first *lang.Component) {
	members := o.stack[slices.Index(o.stack, first):]
	var names []string
	for _, src := range members {
		names = append(names, src.Name.Text)
	}
	names = append(names, first.Name.Text)
	for _, src := range members {
		if !o.bad[src] {
			o.bad[src] = true
			k := o.component(src)
			k.found.cyclic(k.at(src.Name.Span), strings.Join(names, " → "))
			k.found.follows(src != members[0])
			k.flush()
		}
	}
}

// flush hands over what was found. Where something that the component builds on has
// errors or cannot be had, all else follows, as far as one can know.
func (k *component) flush() {
	based := k.lacks || slices.ContainsFunc(k.dependencies(k.src), func(d dependency) bool { return k.broken[d.src] })
	k.broken[k.src] = based || k.src.Faulty || slices.ContainsFunc(k.found, func(problem diag.Diagnostic) bool { return problem.Severity == diag.Error })
	for i, problem := range k.found {
		if based && !slices.Contains(notFound, problem.Code) || k.src.Torn && slices.Contains(ofMissing, problem.Code) {
			k.found[i].Follows = true
		}
	}
	for _, problem := range k.found {
		k.diags.Add(problem)
	}
	k.reported[k.src] = k.found
}

func (c *checker) typeText(typ logic.Type) string { return text.Type(c.bank, typ) }
