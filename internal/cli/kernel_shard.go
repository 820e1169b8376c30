package cli

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/shard"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/project"
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
	fmt.Fprintf(work, "%q\n%q\n%q %t %t\n", f.launch, f.checks, f.reader, f.allLaunches, f.anyDim)
	for i, name := range files {
		src, err := door.File(r.path(name))
		if err != nil {
			return nil, opts, nil, err
		}
		// How long a kernel takes is not recorded; longer texts take longer.
		items[i] = shard.Item{Fingerprint: sha256.Sum256(src), Known: true, Steps: int64(len(src))}
		fmt.Fprintf(work, "%x\n", items[i].Fingerprint[:])
		said, err := new(project.Opener).Launch(r.path(name))
		if err != nil {
			return nil, opts, nil, modelError{err}
		}
		for _, kernel := range slices.Sorted(maps.Keys(said.Kernels)) {
			options := said.Kernels[kernel]
			options.Dir = "" // where the files are is no matter
			fmt.Fprintf(work, "%q %v\n", kernel, options)
		}
	}
	s, err := r.share(asked, work.Sum(nil), &opts)
	if err != nil {
		return nil, opts, nil, err
	}
	for i, k := range shard.Assign(items, s.part.N) {
		if k == s.part.K {
			own = append(own, files[i])
		}
	}
	return own, opts, func() {
		s.end(fmt.Sprintf("%s of %d", report.Count(len(own), "file"), len(files)), "gradine kernel")
	}, nil
}
