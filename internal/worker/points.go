package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
)

// Tuning says which entry of a project is tuned, and what is asked of it.
type Tuning struct {
	Project     *project.Parcel      `json:"project"`
	Entry       string               `json:"entry"`
	Given       []project.Assignment `json:"given"` // the instance
	Objective   []string             `json:"objective"`
	Constraints []string             `json:"constraints,omitempty"`
	Criterion   string               `json:"criterion,omitempty"`
	Order       string               `json:"order,omitempty"`
	MaxPoints   int                  `json:"max_points,omitempty"`
	MaxSteps    int                  `json:"max_steps"`  // states of the exploration of a point; 0: no bound
	MaxMemory   int                  `json:"max_memory"` // bytes of one
}

// points is the job of exploring some points.
type points struct {
	build
	Tuning
	Points []int `json:"points"` // by their number in the answer
}

// Job is the text of the job of exploring points, by their number in the answer.
func (x Tuning) Job(numbers []int) ([]byte, error) {
	return json.Marshal(points{build{Program()}, x, numbers})
}

// tuned answers the job of exploring points, for the claim: a tune.Exploration for each.
func tuned(ctx context.Context, text []byte, limits Limits) (any, error) {
	var j points
	if err := json.Unmarshal(text, &j); err != nil {
		return nil, err
	}
	if err := j.check(); err != nil {
		return nil, err
	}
	switch {
	case j.Project == nil || j.MaxMemory < 1 || j.MaxSteps < 0 || len(j.Points) == 0:
		return nil, errors.New("the job of points without a project, points or memory")
	case int64(j.MaxMemory) > limits.Memory:
		return nil, fmt.Errorf("an exploration in %d MB; this worker allows %d", j.MaxMemory>>20, limits.Memory>>20)
	case int64(j.MaxSteps) > limits.Steps:
		return nil, fmt.Errorf("a budget of %d states; this worker allows %d", j.MaxSteps, limits.Steps)
	}
	p, err := j.Project.Open()
	if err != nil {
		return nil, err
	}
	if p.Config == nil {
		return nil, errors.New("a project without entries")
	}
	conf, ok := p.Config.Tune[j.Entry]
	if !ok || p.Dev.Machine(conf.Machine) == nil {
		return nil, fmt.Errorf("there is no entry %.40q, or not its machine", j.Entry)
	}
	conf.Objective, conf.Constraints, conf.Criterion, conf.Order = j.Objective, j.Constraints, j.Criterion, j.Order
	entry, err := p.Entry(j.Entry, conf, j.Given)
	if err != nil {
		return nil, err
	}
	opt := tune.Options{MaxPoints: j.MaxPoints, MaxSteps: j.MaxSteps, MaxMemory: j.MaxMemory}
	answer, err := tune.Points(ctx, entry, opt)
	if err != nil {
		return nil, err
	}
	out, err := entry.Explore(ctx, answer, j.Points, opt)
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx) // what was cut short says nothing
	}
	return out, err
}
