package cli

import (
	"context"
	"crypto/sha256"
	"encoding/json"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/internal/report/figures"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/internal/worker"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/tune"
)

// remembered keeps in the store what verify says of instances that need no attention. Exploring and evaluating points
// found it, which cannot be checked, so that it counts under the reader's key alone. The zero value keeps nothing.
type remembered struct {
	run   *run
	store *proofstore.Store
	asked tuningAsked
}

// tuningAsked is all that the answer to an instance depends on.
type tuningAsked struct {
	Program string               `json:"program"`
	Inputs  answer.Digest        `json:"inputs"` // files
	Entry   string               `json:"entry"`
	Given   []project.Assignment `json:"given"`
	Theorem string               `json:"theorem"` // certificate of the closed form, "" without one
	Steps   int64                `json:"steps"`   // of each proof
	Refute  bool                 `json:"refute"`
	Points  int                  `json:"max_points"`
	Runs    int                  `json:"max_steps"`
	Memory  int                  `json:"max_memory"`
}

// digest is that of the question of an instance.
func (x tuningAsked) digest() answer.Digest {
	text, err := json.Marshal(x)
	if err != nil {
		panic("cli: " + err.Error())
	}
	return sha256.Sum256(append([]byte("gradine tuning 1\n"), text...))
}

// remember returns what is remembered of an entry about machine m of p, whose proofs have these options.
func (r *run) remember(p *project.Project, m *model.Machine, entry string, proofs *tune.Proofs, bounds tune.Options) remembered {
	program := worker.Program()
	if proofs.Options.Store == nil || program == "" || r.shared.assumed {
		return remembered{}
	}
	inputs, err := p.Inputs(m)
	if err != nil {
		return remembered{} // of a machine that does not consist of text alone
	}
	return remembered{r, proofs.Options.Store, tuningAsked{
		Program: program, Inputs: inputs, Entry: entry, Steps: proofs.Options.Steps, Refute: proofs.Options.OnlyRefute,
		Points: bounds.MaxPoints, Runs: bounds.MaxSteps, Memory: bounds.MaxMemory,
	}}
}

// of is the question of an instance whose closed form, if it has one, is closed.
func (x remembered) of(given []project.Assignment, closed *tune.Closed) remembered {
	x.asked.Given = given
	if closed != nil {
		x.asked.Theorem = closed.Label + " " + closed.Certificate
	}
	return x
}

// line returns what is remembered; nil if nothing is.
func (x remembered) line() (line *figures.Line) {
	if x.store == nil {
		return nil
	}
	_ = seam.Contain(x.run.ctx, seam.StoreRead, "", func(context.Context) { // what is lost is searched again
		var found figures.Line
		if x.store.Claim(x.asked.digest(), &found) {
			line = &found
		}
	})
	return line
}

// put remembers what a run has found that was neither interrupted nor had a fault.
func (x remembered) put(line figures.Line) {
	if x.store == nil || x.run.ctx.Err() != nil || x.run.faulty() {
		return
	}
	_ = seam.Contain(x.run.ctx, seam.StoreWrite, "", func(context.Context) { x.store.PutClaim(x.asked.digest(), line) })
}
