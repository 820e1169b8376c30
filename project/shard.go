package project

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash/fnv"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/shard"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
)

// Shards say how the obligations of projects are split into N shards.
type Shards struct {
	N    int
	Work string // digest of all obligations of the projects, and of the options that verdicts depend on

	of []int // by obligation
}

// ShardsOf splits obligations of projects into n shards, by the steps that their locks record.
// Everybody with the same sources and options gets the same shards.
func ShardsOf(projects []*Project, obligations []*po.Obligation, opts discharge.Options, n int) (*Shards, error) {
	locks := map[*model.Development]*proofstore.Lock{}
	work := sha256.New()
	var prints text.BankFingerprinter
	for _, p := range projects {
		lock, err := p.readLock(false)
		if err != nil {
			return nil, err
		}
		locks[p.Dev] = lock
		all, err := p.Obligations()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(work, "project %q budget %d\n", p.Name, p.Budget())
		for _, o := range all {
			print := prints.Sequent(o.Sequent())
			fmt.Fprintf(work, "%q %x\n", o.Path(), print[:])
		}
	}
	fmt.Fprintf(work, "steps %d refute %d %t\n", opts.Steps, opts.RefuteSteps, opts.OnlyRefute)
	items := make([]shard.Item, len(obligations))
	for i, o := range obligations {
		print := prints.Sequent(o.Sequent())
		items[i].Fingerprint = print
		if line, ok := locks[o.Development].Find(o.Path(), proofstore.ShortFingerprint(print)); ok {
			items[i].Known, items[i].Steps = true, line.Steps
		}
	}
	return &Shards{N: n, Work: fmt.Sprintf("%x", work.Sum(nil)[:16]), of: shard.Assign(items, n)}, nil
}

// Obligations returns those of shard k, where obligations are all that were split.
func (s *Shards) Obligations(obligations []*po.Obligation, k int) (out []*po.Obligation) {
	for i, o := range obligations {
		if s.of[i] == k {
			out = append(out, o)
		}
	}
	return out
}

// Searches looks for contradictions in the components of projects that asked accepts and that
// are of shard k. What it finds reaches opts.Found.
func (s *Shards) Searches(ctx context.Context, projects []*Project, k int, asked func(model.Component) bool, opts discharge.Options) error {
	for _, p := range projects {
		_, err := Contradictions(ctx, []*Project{p}, func(c model.Component) bool {
			h := fnv.New32a()
			fmt.Fprintf(h, "%q %q", p.Name, c.Name())
			return asked(c) && int(h.Sum32()%uint32(s.N)) == k-1
		}, opts)
		if err != nil {
			return err
		}
	}
	return nil
}

// RecordedSteps returns how many steps the locks of projects record, and the most of one search.
func RecordedSteps(projects []*Project) (total, longest int64) {
	for _, p := range projects {
		lock, err := p.readLock(true)
		if err != nil || lock == nil {
			continue
		}
		for _, x := range lock.Lines {
			total, longest = total+x.Steps, max(longest, x.Steps)
		}
	}
	return total, longest
}
