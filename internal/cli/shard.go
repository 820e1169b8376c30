package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

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
	return shards, shard.Header{Search: discharge.SearchVersion(), Part: part.K, Of: part.N, Work: shards.Work, Commit: commit()}, nil
}

// commit is the commit that a job of continuous integration works on, for messages; "" elsewhere.
func commit() string { return cmp.Or(os.Getenv("GITHUB_SHA"), os.Getenv("CI_COMMIT_SHA")) }

// writeShard searches one shard of w and writes what was found. It judges nothing: who joins the
// shards does. What the entries of tuned rest on is searched, too.
func (r *run) writeShard(w work, asked flags.Prove, opts discharge.Options, tuned tuning) error {
	part, err := shard.ParsePart(asked.Shard)
	if err != nil {
		return flags.UsageOf(fmt.Errorf("--shard: %w", err))
	}
	shards, header, err := headerOf(w, opts, part)
	if err != nil {
		return err
	}
	out := shard.NewWriter(header)
	own := shards.Obligations(w.obligations, part.K)
	done, err := r.searchShard(w, asked, opts, shards, part, tuned, out.Put)
	if err != nil {
		return err
	}
	if err := r.saveShard(out, asked.Output); err != nil {
		return err
	}
	r.sayInterrupted(done, len(own))
	fmt.Fprintf(r.out, "shard %v: %s of %d, %s written to %s; `--from DIR` joins the shards in DIR\n",
		part, report.Count(len(own), "obligation"), len(w.obligations), report.Count(out.Len(), "answer"), asked.Output)
	return nil
}

// saveShard writes a shard to a file, in a folder that need not exist.
func (r *run) saveShard(out *shard.Writer, output string) error {
	text, err := out.Encode(r.ctx.Err() == nil)
	if err != nil {
		return err
	}
	name := r.path(output)
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), replaceFile(name, text)); err != nil {
		return modelError{err}
	}
	return nil
}

// sayNotes says what was wrong with sources of answers.
func (r *run) sayNotes(notes []string) {
	for _, note := range notes {
		fmt.Fprintf(r.err, "gradine: %s\n", note)
	}
}

// searchShard searches what belongs to one shard, calls found with every answer, and returns the number of obligations that
// it looked at. Obligations that are open are no failure of a shard: the verdict is for the command that joins them.
func (r *run) searchShard(w work, asked flags.Prove, opts discharge.Options, shards *project.Shards, part shard.Part, tuned tuning, found func(*answer.Answer)) (int, error) {
	var err error
	opts.Found = found
	if opts.Key, err = answer.UserKey(); err != nil {
		return 0, err
	}
	endCache, err := r.openCache(w, asked, &opts)
	if err != nil {
		return 0, err
	}
	defer endCache()
	endQueue, err := r.openQueue(asked, &opts)
	if err != nil {
		return 0, err
	}
	defer endQueue()
	results, err := r.discharge(w.projects, shards.Obligations(w.obligations, part.K), opts, false, func(x *verdict.Result) {
		if x.Fault != "" {
			r.fail(exitInternal)
		}
	})
	if err != nil {
		return 0, err
	}
	if err := shards.Searches(r.ctx, w.projects, part.K, w.asked(), opts); err != nil {
		return 0, modelError{err}
	}
	r.shared = sharedOf(opts)
	r.tuneShard(w.projects, tuned, part)
	return len(results), nil
}

// tuning says which entries of gradine.toml are tuned, and how.
type tuning struct {
	names []string
	flags flags.Tune
}

// tuningAll is how verify tunes.
func tuningAll(projects []*project.Project, asked flags.Prove) (t tuning) {
	if c := projects[0].Config; c != nil {
		t = tuning{slices.Sorted(maps.Keys(c.Tune)), verifyTuning(asked)}
	}
	return t
}

// tuneShard tunes some entries of gradine.toml, those of one shard, for the proofs that it asks for:
// what it answers is not used, for it assumes the obligations that other shards search.
func (r *run) tuneShard(projects []*project.Project, t tuning, part shard.Part) {
	silent := &run{ctx: r.ctx, in: r.in, out: io.Discard, err: io.Discard, dir: r.dir, format: "text", shared: r.shared}
	silent.shared.assumed = true
	t.flags.Shard, t.flags.Output, t.flags.NATS = "", "", ""
	t.flags.Plots, t.flags.Export, t.flags.Trace, t.flags.Chart.SVG = "", "", "", "" // files are written by who joins the shards
	for i, name := range t.names {
		if i%part.N == part.K-1 && r.ctx.Err() == nil {
			_ = silent.tune(projects, name, projects[0].Config.Tune[name], t.flags) // who judges the entry says what is wrong with it
		}
	}
}

// elsewhere adds the sources of answers in addition to the proof cache: shards, and the cache of a server. The
// function that it returns is for the end of the searches: it lets the cache write, and says what was
// wrong with the sources.
func (r *run) elsewhere(w work, asked flags.Prove, opts *discharge.Options) (end func(), err error) {
	sayShards, err := r.join(w, asked, opts)
	if err != nil {
		return nil, err
	}
	endCache, err := r.openCache(w, asked, opts)
	if err != nil {
		return nil, err
	}
	endQueue, err := r.openQueue(asked, opts)
	r.shared = sharedOf(*opts)
	return func() {
		sayShards()
		endQueue()
		endCache()
	}, err
}

// shared are the options that say where answers come from and go to, in addition to the proof cache. What tuning
// rests on is asked there, too.
type shared struct {
	sources []discharge.Source
	found   func(*answer.Answer)
	key     *answer.Key
	foreign bool
	ahead   int
	assumed bool // obligations that tuning rests on are taken for proved: its answers are worthless
}

func sharedOf(opts discharge.Options) shared {
	return shared{sources: opts.Sources, found: opts.Found, key: opts.Key, foreign: opts.Foreign, ahead: opts.Ahead}
}

func (s shared) apply(opts *discharge.Options) {
	opts.Sources, opts.Found, opts.Key = s.sources, s.found, s.key
	opts.Foreign, opts.Ahead = s.foreign, s.ahead
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
	return func() { r.sayNotes(set.Notes()) }, nil
}
