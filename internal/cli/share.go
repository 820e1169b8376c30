package cli

import (
	"fmt"
	"io"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/shard"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
)

// share is what one run does of files that several runs share: all of them, with the answers of the shards of --from, or
// one shard. Files have no lock that says how long they take, as the obligations of projects have.
type share struct {
	run    *run
	part   shard.Part    // 1/1 is all
	set    *shard.Set    // of --from
	out    *shard.Writer // of --shard
	output string

	shown io.Writer
	code  int
}

// share begins the share of a work of this digest that asked names, and makes opts say where answers come from and
// go to. A run of one shard shows no verdicts until its end: they are those of the run that joins the shards.
func (r *run) share(asked flags.Prove, work []byte, opts *discharge.Options) (*share, error) {
	s := &share{run: r, part: shard.Part{K: 1, N: 1}, output: asked.Output, shown: r.out, code: r.code}
	header := shard.Header{Search: discharge.SearchVersion(), Part: 1, Of: 1, Work: fmt.Sprintf("%x", work[:16]), Commit: commit()}
	var err error
	if opts.Key, err = answer.UserKey(); err != nil {
		return nil, err
	}
	if asked.From != "" {
		if s.set, err = shard.Read(r.path(asked.From), header); err != nil {
			return nil, flags.UsageOf(fmt.Errorf("--from: %w", err))
		}
		opts.Sources = append(opts.Sources, s.set)
		return s, nil
	}
	if s.part, err = shard.ParsePart(asked.Shard); err != nil {
		return nil, flags.UsageOf(fmt.Errorf("--shard: %w", err))
	}
	header.Part, header.Of = s.part.K, s.part.N
	s.out = shard.NewWriter(header)
	opts.Found = s.out.Put
	r.out = io.Discard
	return s, nil
}

// end writes the shard, and says how much it is of everything, or says what was wrong with the shards of others.
func (s *share) end(much, command string) {
	r := s.run
	if s.set != nil {
		r.sayNotes(s.set.Notes())
		return
	}
	// The exit code is that of the run that joins the shards, as the verdicts are.
	r.out = s.shown
	if r.code != exitInternal && r.code != exitInterrupted {
		r.code = s.code
	}
	if err := r.saveShard(s.out, s.output); err != nil {
		fmt.Fprintf(r.err, "gradine: %v\n", err)
		r.fail(exitModel)
		return
	}
	fmt.Fprintf(r.out, "shard %v: %s, %s written to %s; `%s --from DIR` joins the shards in DIR\n", s.part, much, report.Count(s.out.Len(), "answer"), s.output, command)
}
