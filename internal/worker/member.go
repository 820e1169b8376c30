package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/swarm"
	"github.com/gradine/gradine/project"
)

// Exploration is how a machine of a project is explored by a swarm.
type Exploration struct {
	Project  *project.Parcel   `json:"project"`
	Machine  string            `json:"machine"`
	With     project.Overrides `json:"with"`
	Instance int               `json:"instance"` // which solution of the axioms, counted from 1
	Goal     string            `json:"goal,omitempty"`
	Ends     string            `json:"ends,omitempty"`

	NoDeadlock bool `json:"no_deadlock,omitempty"`
	KeepGoing  bool `json:"keep_going,omitempty"`
	Refinement bool `json:"refinement,omitempty"`
	Symmetry   bool `json:"symmetry,omitempty"`
	MaxStates  int  `json:"max_states,omitempty"` // 0: no bound
	MaxDepth   int  `json:"max_depth,omitempty"`  // of the first member; 0: no bound
	MaxMemory  int  `json:"max_memory"`           // bytes of states and values
	BitState   int  `json:"bit_state"`            // bytes
}

// member is the job of one member of a swarm.
type member struct {
	build
	Exploration
	Member int `json:"member"` // its number, counted from 1
}

// Job is the text of the job of a member, numbered from 1.
func (x Exploration) Job(number int) ([]byte, error) {
	return json.Marshal(member{build{Program()}, x, number})
}

// explored answers the job of a member, for the claim.
func explored(ctx context.Context, text []byte, limits Limits) (any, error) {
	var j member
	if err := json.Unmarshal(text, &j); err != nil {
		return nil, err
	}
	if err := j.check(); err != nil {
		return nil, err
	}
	if j.Project == nil || j.Member < 1 || j.Instance < 1 || j.BitState < 1 || j.MaxMemory < 1 {
		return nil, errors.New("the job of a member of a swarm without a project, a number, a solution or memory")
	}
	if need := int64(j.BitState) + int64(j.MaxMemory); need > limits.Memory || need < 0 {
		return nil, fmt.Errorf("a search in %d MB; this worker allows %d", need>>20, limits.Memory>>20)
	}
	share, err := j.Exploration.Member(ctx, j.Member)
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx) // what was cut short says nothing
	}
	return share, err
}

// Member runs a member, by its number, counted from 1. Several may run at the same time: each reads the project again.
func (x Exploration) Member(ctx context.Context, number int) (share swarm.Share, err error) {
	p, err := x.Project.Open()
	if err != nil {
		return share, err
	}
	m := p.Dev.Machine(x.Machine)
	if m == nil {
		return share, fmt.Errorf("there is no machine %.40q", x.Machine)
	}
	scope := p.Scope(m)
	setup, err := p.Setup(m, scope, x.With)
	if err != nil {
		return share, err
	}
	opt := explore.Options{
		MaxStates: x.MaxStates, MaxDepth: x.MaxDepth, MaxMemory: x.MaxMemory, BitState: x.BitState,
		NoDeadlock: x.NoDeadlock, KeepGoing: x.KeepGoing, Refinement: x.Refinement, Symmetry: x.Symmetry,
	}
	if opt.Threads, err = p.Threads(m, scope); err != nil {
		return share, err
	}
	if opt.Ends, err = p.Ends(m, scope, x.Ends); err != nil {
		return share, err
	}
	if x.Goal != "" {
		if opt.Goal, err = scope.Predicate(x.Goal); err != nil {
			return share, err
		}
	}
	// The axioms are solved here in the same order as where the job comes from, so the number of a solution means the
	// same.
	found, _, err := explore.Solve(ctx, p.Dev, m, setup, x.Instance)
	if err != nil {
		return share, err
	}
	if len(found) < x.Instance {
		return share, fmt.Errorf("there is no solution %d of the axioms", x.Instance)
	}
	r, err := explore.Run(ctx, m, found[x.Instance-1], swarm.Options(opt, number))
	if err != nil {
		return share, err
	}
	// What an interrupted member has seen is not its share.
	if ctx.Err() != nil {
		return share, context.Cause(ctx)
	}
	return swarm.ShareOf(r), nil
}
