package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/shard"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/project"
)

// headerOf says what a shard of w with these options is of.
func headerOf(w work, opts discharge.Options, part shard.Part) (*project.Shards, shard.Header, error) {
	shards, err := project.ShardsOf(w.projects, w.obligations, opts, part.N)
	if err != nil {
		return nil, shard.Header{}, modelError{err}
	}
	return shards, shard.Header{Search: discharge.SearchVersion(), Part: part.K, Of: part.N, Work: shards.Work}, nil
}

// writeShard searches one shard of w and writes what was found. It judges nothing: who joins the
// shards does.
func (r *run) writeShard(w work, asked flags.Prove, opts discharge.Options) error {
	part, err := shard.ParsePart(asked.Shard)
	if err != nil {
		return flags.UsageOf(fmt.Errorf("--shard: %w", err))
	}
	shards, header, err := headerOf(w, opts, part)
	if err != nil {
		return err
	}
	out := shard.NewWriter(header)
	opts.Found = out.Put
	if opts.Key, err = answer.UserKey(); err != nil {
		return err
	}
	own := shards.Obligations(w.obligations, part.K)
	results, err := r.discharge(w.projects, own, opts, false, func(x *verdict.Result) {
		if x.Fault != "" {
			r.fail(exitInternal)
		}
	})
	if err != nil {
		return err
	}
	if err := shards.Searches(r.ctx, w.projects, part.K, w.asked(), opts); err != nil {
		return modelError{err}
	}
	text, err := out.Encode(r.ctx.Err() == nil)
	if err != nil {
		return err
	}
	name := r.path(asked.Output)
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), replaceFile(name, text)); err != nil {
		return modelError{err}
	}
	r.sayInterrupted(len(results), len(own))
	fmt.Fprintf(r.out, "shard %v: %s of %d, %s written to %s; `--from DIR` joins the shards in DIR\n",
		part, report.Count(len(own), "obligation"), len(w.obligations), report.Count(out.Len(), "answer"), asked.Output)
	return nil
}

// join makes the shards that --from names a source of answers. The function it returns says what was wrong
// with them, when all is searched.
func (r *run) join(w work, asked flags.Prove, opts *discharge.Options) (say func(), err error) {
	if asked.From == "" {
		return func() {}, nil
	}
	_, want, err := headerOf(w, *opts, shard.Part{K: 1, N: 1})
	if err != nil {
		return nil, err
	}
	set, err := shard.Read(r.path(asked.From), want)
	if err != nil {
		return nil, flags.UsageOf(fmt.Errorf("--from: %w", err))
	}
	if opts.Key, err = answer.UserKey(); err != nil {
		return nil, err
	}
	opts.Sources = append(opts.Sources, set)
	return func() {
		for _, note := range set.Notes() {
			fmt.Fprintf(r.err, "gradine: %s\n", note)
		}
	}, nil
}
