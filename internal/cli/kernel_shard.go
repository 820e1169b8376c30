package cli

import (
	"crypto/sha256"
	"fmt"
	"io"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/shard"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/report"
)

// shardKernels returns the files that are judged and the options that say where answers come from: all
// files and the shards of --from, or the files of one shard. The function it returns ends the work: it writes
// the shard, or says what was wrong with shards. A verdict of a kernel rests on many searches that
// depend on each other, so only answers under the reader's key count.
func (r *run) shardKernels(files []string, f kernelFlags) (own []string, opts discharge.Options, end func(), err error) {
	asked := f.shards
	if asked.Shard == "" && asked.From == "" {
		if asked.Output != "" {
			return nil, opts, nil, flags.Usagef("-o needs --shard K/N")
		}
		return files, opts, func() {}, nil
	}
	if f.conditions || f.barriers || f.counts || f.bounded || f.compile.emit != "" {
		return nil, opts, nil, flags.Usagef("--shard and --from cannot be combined with --bounded, --conditions, --barriers, --counts or --emit-ll")
	}
	if _, err := asked.Options(); err != nil {
		return nil, opts, nil, err
	}
	items := make([]shard.Item, len(files))
	work := sha256.New()
	fmt.Fprintf(work, "%q\n%q\n", f.launch, f.checks)
	for i, name := range files {
		src, err := door.File(r.path(name))
		if err != nil {
			return nil, opts, nil, err
		}
		// How long a kernel takes is not recorded; longer texts take longer.
		items[i] = shard.Item{Fingerprint: sha256.Sum256(src), Known: true, Steps: int64(len(src))}
		fmt.Fprintf(work, "%x\n", items[i].Fingerprint[:])
	}
	header := shard.Header{Search: discharge.SearchVersion(), Part: 1, Of: 1, Work: fmt.Sprintf("%x", work.Sum(nil)[:16]), Commit: commit()}
	if opts.Key, err = answer.UserKey(); err != nil {
		return nil, opts, nil, err
	}
	if asked.From != "" {
		set, err := shard.Read(r.path(asked.From), header)
		if err != nil {
			return nil, opts, nil, flags.UsageOf(fmt.Errorf("--from: %w", err))
		}
		opts.Sources = []discharge.Source{set}
		return files, opts, func() { r.sayNotes(set.Notes()) }, nil
	}
	part, err := shard.ParsePart(asked.Shard)
	if err != nil {
		return nil, opts, nil, flags.UsageOf(fmt.Errorf("--shard: %w", err))
	}
	for i, k := range shard.Assign(items, part.N) {
		if k == part.K {
			own = append(own, files[i])
		}
	}
	header.Part, header.Of = part.K, part.N
	out := shard.NewWriter(header)
	opts.Found = out.Put
	// The verdicts are those of whoever joins the shards, and so is the exit code.
	shown, code := r.out, r.code
	r.out = io.Discard
	return own, opts, func() {
		r.out = shown
		if r.code != exitInternal && r.code != exitInterrupted {
			r.code = code
		}
		if err := r.saveShard(out, asked.Output); err != nil {
			fmt.Fprintf(r.err, "gradine: %v\n", err)
			r.fail(exitModel)
			return
		}
		fmt.Fprintf(r.out, "shard %v: %s of %d, %s written to %s; `gradine kernel --from DIR` joins the shards in DIR\n",
			part, report.Count(len(own), "file"), len(files), report.Count(out.Len(), "answer"), asked.Output)
	}, nil
}
