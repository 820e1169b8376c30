package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/bundle"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/shard"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/spf13/cobra"
)

func (r *run) cacheCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "cache",
		Short: "Copy cached answers between computers",
		Long: `Packs the answers that gradine verify needs into one compressed file, called a bundle, and unpacks bundles into
the proof cache of another computer. Bundles are not trusted: gradine checks every proof and counterexample
before using it.`,
		Example: "  gradine cache pack -o answers.bundle\n  gradine cache unpack answers.bundle && gradine verify",
		Args:    cobra.NoArgs,
	}
	command.AddCommand(r.packCommand(), r.unpackCommand())
	return command
}

func (r *run) packCommand() *cobra.Command {
	var asked flags.Prove
	command := &cobra.Command{
		Use:   "pack [PATH] -o FILE",
		Short: "Write a bundle of the answers that gradine verify needs",
		Long: `Collects the answers that gradine verify needs, and searches for those that the proof cache lacks. Writes all
these answers to FILE, a bundle for gradine cache unpack.`,
		Example: "  gradine cache pack -o answers.bundle",
		RunE: func(_ *cobra.Command, args []string) error {
			if asked.Output == "" {
				return flags.Usagef("cache pack needs -o FILE")
			}
			return r.onAll("cache pack", args, func(w work) error { return r.pack(w, asked) })
		},
	}
	asked.Add(command.Flags())
	command.Flags().StringVarP(&asked.Output, "output", "o", "", "write the bundle to `FILE`")
	return command
}

// pack searches for the answers that verify needs, and writes them to a bundle.
func (r *run) pack(w work, asked flags.Prove) error {
	output := asked.Output
	asked.Output = "" // of a shard
	opts, err := asked.Verdicts()
	if err != nil {
		return err
	}
	var mu sync.Mutex
	answers := map[answer.Digest]*answer.Answer{}
	whole := shard.Part{K: 1, N: 1} // a bundle has the answers of a single shard, which searches everything
	shards, _, err := headerOf(w, opts, whole)
	if err != nil {
		return err
	}
	if _, err := r.searchShard(w, asked, opts, shards, whole, tuningAll(w.projects, asked), func(a *answer.Answer) {
		mu.Lock()
		defer mu.Unlock()
		if answers[a.Question] == nil {
			answers[a.Question] = a
		}
	}); err != nil {
		return err
	}
	if err := r.ctx.Err(); err != nil {
		return err
	}
	list := make([]*answer.Answer, 0, len(answers))
	for _, a := range answers {
		list = append(list, a)
	}
	// Searches end in any order; the same answers are the same bytes.
	slices.SortFunc(list, func(a, b *answer.Answer) int { return bytes.Compare(a.Question[:], b.Question[:]) })
	data, err := bundle.Encode(discharge.SearchVersion(), list)
	if err != nil {
		return err
	}
	if err := replaceFile(r.path(output), data); err != nil {
		return modelError{err}
	}
	fmt.Fprintf(r.out, "%s in %d bytes written to %s; `gradine cache unpack %s` puts them into the proof cache of another computer\n", report.Count(len(list), "answer"), len(data), output, output)
	return nil
}

func (r *run) unpackCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "unpack FILE",
		Short: "Add the answers of a bundle to the proof cache",
		Long: `Adds the answers of a bundle to the proof cache. gradine checks answers before using them: the proof kernel
checks proofs, and the evaluator checks counterexamples. Failed searches and step counts cannot be checked.
gradine accepts them only from a bundle that was made with your GRADINE_KEY. Cached answers that were made with
your GRADINE_KEY are not overwritten.`,
		Example: "  gradine cache pack -o answers.bundle\n  gradine cache unpack answers.bundle",
		Args:    oneArgument("a bundle"),
		RunE:    func(_ *cobra.Command, args []string) error { return r.unpack(args[0]) },
	}
}

// unpack puts the answers of a bundle into the proof cache. What cannot be read of it is told and left out.
func (r *run) unpack(name string) error {
	f, err := os.Open(r.path(name))
	if err != nil {
		return flags.UsageOf(err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, bundle.MaxBytes+1))
	if err != nil {
		return modelError{err}
	}
	list, err := bundle.Decode(discharge.SearchVersion(), data)
	if err != nil && (len(list) == 0 || errors.Is(err, bundle.ErrVersion)) {
		return modelErrorf("%s: %w", name, err)
	}
	if err != nil {
		fmt.Fprintf(r.err, "gradine: %s: %v; the answers before the damage are unpacked\n", name, err)
	}
	store, err := proofstore.DefaultStore()
	if err != nil {
		return err
	}
	defer store.Trim()
	added := 0
	for _, a := range list {
		// Nothing that others have made replaces what can be trusted.
		if old := store.Answer(a.Question); old == nil || !old.Signed(store.Key()) && a.Signed(store.Key()) {
			store.Put(a)
			added++
		}
	}
	fmt.Fprintf(r.out, "%d of %s put into the proof cache\n", added, report.Count(len(list), "answer"))
	return nil
}
