package check

import (
	"slices"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Memory checks a project again and again, as an editor has it, and checks only the components that are not as they were. A
// component is as it was if its syntax is the same value, it had no error, and all that it builds on is as it was; then it is the
// same value in the new development. The zero Memory remembers nothing. It is for one goroutine at a time.
type Memory struct {
	// Checked is how many components the last check has checked.
	Checked int

	bank  *logic.Bank // of the last development
	links int         // developments whose terms are in bank
	kept  map[*lang.Component]kept
}

// kept is a component without errors.
type kept struct {
	made  model.Component
	on    []model.Component // what its clauses name
	found findings          // warnings
}

// mostLinks is the number of developments that may share terms. A bank extends that of the check before, so that what is kept
// stays as it is; each extension makes looking up a term slower, and what is gone from the texts stays in it.
const mostLinks = 64

// Development is the function Development. The result is the same but for the numbers of terms.
func (m *Memory) Development(project string, files []*lang.File, diags *diag.List) *model.Development {
	m.Checked = 0
	if m.links++; m.bank == nil || m.links > mostLinks {
		*m = Memory{bank: logic.NewBank(), links: 1}
	} else {
		m.bank = m.bank.Extend()
	}
	c := &checker{
		bank: m.bank, diags: diags, dev: &model.Development{Project: project, Bank: m.bank},
		sources: map[source]*lang.Component{}, doubled: map[source]bool{}, read: map[*lang.Component]bool{}, contexts: map[string]*model.Context{}, machines: map[string]*model.Machine{}, said: map[string]bool{}, broken: map[*lang.Component]bool{},
		reported: map[*lang.Component]findings{},
	}
	before := m.kept
	m.kept = map[*lang.Component]kept{}
	for _, src := range c.inOrder(c.collect(files)) {
		x, ok := before[src]
		if ok = ok && c.asItWas(src, x); ok {
			c.keep(src, x)
		} else {
			m.Checked++
			c.check(src)
		}
		if made := c.made(src); made != (model.Component{}) && !c.broken[src] && !c.doubled[source{src.Kind, src.Name.Text}] {
			m.kept[src] = kept{made, c.builtOn(src), c.reported[src]}
		}
	}
	m.bank.Freeze()
	return c.dev
}

// check checks a component whose dependencies are checked.
func (c *checker) check(src *lang.Component) {
	k := c.component(src)
	switch {
	case !k.configured():
		k.flush()
	case src.Kind == lang.ContextKind:
		c.context(src)
	default:
		c.machine(src)
	}
}

// asItWas reports whether a check of src would have the same result as before. In addition to its own syntax, which is the same, a
// check sees the components that src names, and whether another one has its name. If a name is not found, that is an error, and
// components with errors are not kept.
func (c *checker) asItWas(src *lang.Component, x kept) bool {
	return !c.doubled[source{src.Kind, src.Name.Text}] && slices.Equal(c.builtOn(src), x.on) &&
		!slices.ContainsFunc(c.dependencies(src), func(d dependency) bool { return c.broken[d.src] })
}

// keep takes over what a check came to before.
func (c *checker) keep(src *lang.Component, x kept) {
	if x.made.Machine != nil {
		c.dev.Machines = append(c.dev.Machines, x.made.Machine)
		c.machines[src.Name.Text] = x.made.Machine
	} else {
		c.dev.Contexts = append(c.dev.Contexts, x.made.Context)
		c.contexts[src.Name.Text] = x.made.Context
	}
	c.broken[src] = false
	c.reported[src] = x.found
	for _, problem := range x.found {
		c.diags.Add(problem)
	}
}

// made is what came of a component, nothing if it was not checked.
func (c *checker) made(src *lang.Component) model.Component {
	if src.Kind == lang.ContextKind {
		return model.Component{Context: c.contexts[src.Name.Text]}
	}
	return model.Component{Machine: c.machines[src.Name.Text]}
}

// builtOn is what came of the components that src names.
func (c *checker) builtOn(src *lang.Component) (out []model.Component) {
	for _, d := range c.dependencies(src) {
		out = append(out, c.made(d.src))
	}
	return out
}
