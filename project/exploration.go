package project

import (
	"fmt"
	"maps"
	"slices"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/lang/model"
)

// Exploration is a search that gradine.toml expects a result of.
type Exploration struct {
	config.Explore
	Name    string
	Of      *Project
	Machine *model.Machine
}

// Explorations are those that gradine.toml has about machines of projects, by their names. One whose
// machine is not there is an error, unless other projects of the file are not open.
func Explorations(projects []*Project) (out []*Exploration, err error) {
	c := projects[0].Config
	if c == nil {
		return nil, nil
	}
	for _, name := range slices.Sorted(maps.Keys(c.Explore)) {
		entry := c.Explore[name]
		var of *Project
		var machine *model.Machine
		var there []string
		for _, opened := range projects {
			if entry.Project != "" && opened.Name != entry.Project {
				continue
			}
			of, machine = opened, opened.Dev.Machine(entry.Machine)
			there = opened.machineNames()
		}
		switch {
		case machine != nil:
			out = append(out, &Exploration{entry, name, of, machine})
		case of != nil && of.part == nil:
			return nil, fmt.Errorf("%s: explore.%s: project %s has no machine %s; %s", c.At("explore", name), name, of.Name, entry.Machine, insteadOf(entry.Machine, there))
		}
	}
	return out, nil
}

// Setup says how the machine is made finite, and s is its scope.
func (x *Exploration) Setup(s Scope) (explore.Setup, error) {
	with := Overrides{Sizes: x.Carriers, Constants: map[string]string{}}
	for name, value := range x.Constants {
		with.Constants[name] = fmt.Sprint(value)
	}
	setup, err := x.Of.Setup(x.Machine, s, with)
	if err != nil {
		return setup, fmt.Errorf("%s: explore.%s: %w", x.Of.Config.At("explore", x.Name), x.Name, err)
	}
	return setup, nil
}

// Explored is what a search found, of all solutions of the axioms together.
type Explored struct {
	States, Transitions int
	Finds               []string          // sorted, each once
	Findings            []explore.Finding // of the first solution that has some
	Open                string            // why there is no verdict; "" if all states were seen and checked
}

// Add adds what one solution shows.
func (x *Explored) Add(in *explore.Instance, r *explore.Result) {
	x.States, x.Transitions = x.States+r.States, x.Transitions+r.Transitions
	for _, f := range r.Findings {
		what := f.Kind
		if f.Label != "" {
			what += " " + f.Label
		}
		if !slices.Contains(x.Finds, what) {
			x.Finds = append(x.Finds, what)
		}
	}
	slices.Sort(x.Finds)
	if x.Findings == nil {
		x.Findings = r.Findings
	}
	switch {
	case x.Open != "":
	case r.Why != "":
		x.Open = "bounded by " + r.Why
	case len(r.Unchecked) > 0:
		x.Open = "not checked: " + r.Unchecked[0]
	case len(in.Unsized) > 0:
		x.Open = "there is no size for " + in.Unsized[0]
	}
}

// Verdict is what explore calls the result.
func (x *Explored) Verdict() explore.Verdict {
	switch {
	case len(x.Finds) > 0:
		return explore.Counterexample
	case x.Open != "":
		return explore.Bounded
	}
	return explore.Complete
}

// Unmet lists where a result is not what is expected.
func (x *Exploration) Unmet(is *Explored) (out []string) {
	number := func(what string, want *int, is int) {
		if want != nil && *want != is {
			out = append(out, fmt.Sprintf("%d %s, expected %d", is, what, *want))
		}
	}
	for _, what := range is.Finds {
		if !slices.Contains(x.Finds, what) {
			out = append(out, "finds "+what+", which is not expected")
		}
	}
	for _, what := range x.Finds {
		if !slices.Contains(is.Finds, what) {
			out = append(out, "does not find "+what+", which is expected")
		}
	}
	number("states", x.States, is.States)
	number("transitions", x.Transitions, is.Transitions)
	return out
}
