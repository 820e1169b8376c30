package cli

import (
	"fmt"
	"strconv"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/hinted"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/project"
)

// hintsFor reads a file of hints for sequents and returns their plans, nil for those that
// no block names.
func (r *run) hintsFor(name string, questions []jsonSequent, sequents []logic.Sequent) ([]*hinted.Plan, error) {
	plans := make([]*hinted.Plan, len(sequents))
	if name == "" {
		return plans, nil
	}
	data, err := project.ReadText(r.path(name))
	if err != nil {
		return nil, modelError{err}
	}
	var problems diag.List
	file := hints.Parse(name, data, &problems)
	set := hinted.NewSet([]*hints.File{file})
	for i, q := range questions {
		s := sequents[i]
		labels := make([]string, len(s.Hyps))
		for k := range labels {
			labels[k] = strconv.Itoa(k)
		}
		plans[i] = set.Plan(fmt.Sprint(q.id()), s, labels)
	}
	set.Report(&problems)
	if problems.Len() > 0 {
		report.Problems(r.err, report.Style{}, rodinIDs(problems.Sorted()), func(string) []byte { return data })
	}
	if problems.HasErrors() {
		r.fail(exitModel)
	}
	return plans, nil
}
