package explore

import (
	"context"

	"github.com/gradine/gradine/explore/internal/abort"
	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/picture"
	"github.com/gradine/gradine/explore/internal/setup"
	"github.com/gradine/gradine/explore/internal/symmetry"
	"github.com/gradine/gradine/explore/internal/trace"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Setup says how a machine is made finite.
type Setup = setup.Setup

// Instance is one set-up found: the elements of the carrier sets and the values
// of the constants.
type Instance = setup.Instance

// Solve finds the set-ups of a machine; see [setup.Solve].
func Solve(ctx context.Context, dev *model.Development, machine *model.Machine, s Setup, limit int) (out []*Instance, others string, err error) {
	return setup.Solve(ctx, dev, machine, s, limit)
}

// Enumerated reports whether an axiom seen by m says of which constants a carrier
// set consists.
func Enumerated(b *logic.Bank, m *model.Machine, set string) bool { return setup.Enumerated(b, m, set) }

// Trace is a run from the initialisation.
type Trace = trace.Trace

// Step is one event of a trace.
type Step = trace.Step

// Chart says how a trace is read as a Gantt chart over a clock.
type Chart = trace.Chart

// Bar is an item in a lane of a chart, from one time to another.
type Bar = trace.Bar

// ReadChart reads the text of a chart; see [trace.ReadChart].
func ReadChart(text string) (Chart, error) { return trace.ReadChart(text) }

// Binding is a name and its value, printed.
type Binding = picture.Binding

// Graph, Edge, Drawing and Shown are of graphs of states.
type (
	Graph   = picture.Graph
	Edge    = picture.Edge
	Drawing = picture.Wanted
	Shown   = picture.Shown
)

// Unbounded is the error of an enumeration without bound.
type Unbounded = formula.Unbounded

// Bounds are the least and the greatest value of an integer.
type Bounds = formula.Bounds

// Fault is an error of the explorer itself. It costs the machine that it happens
// on, nothing else.
type Fault = abort.Fault

// Threads is a set of identifiers that are declared to be interchangeable.
type Threads = symmetry.Threads
