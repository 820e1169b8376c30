package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/cache"
	"github.com/gradine/gradine/internal/cli/flags"
)

// openCache makes the server that gradine.toml or the environment names a source of answers. The function
// it returns writes to the server what was found.
func (r *run) openCache(w work, asked flags.Prove, opts *discharge.Options) (end func(), err error) {
	none := func() {}
	if asked.NoStore || asked.Replay {
		return none, nil
	}
	var names []string
	for _, p := range w.projects {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	options := cache.Options{Name: strings.Join(names, " "), Search: discharge.SearchVersion(), ReadOnly: os.Getenv(cache.ReadOnlyVariable) != ""}
	remote := ""
	if c := w.projects[0].Config; c != nil {
		remote = c.Cache.Remote
		options.ReadOnly = options.ReadOnly || c.Cache.ReadOnly
		if c.Cache.Name != "" {
			options.Name = c.Cache.Name
		}
	}
	var ok bool
	if options.Server, ok, err = cache.FindServer(remote); err != nil {
		return none, flags.UsageOf(err)
	} else if !ok {
		return none, nil
	}
	if opts.Key, err = answer.UserKey(); err != nil {
		return none, err
	}
	options.Warn = func(text string) { fmt.Fprintf(r.err, "gradine: %s\n", text) }
	c := cache.New(r.ctx, options)
	opts.Sources = append(opts.Sources, c)
	before := opts.Found
	opts.Found = func(a *answer.Answer) {
		if before != nil {
			before(a)
		}
		c.Found(a)
	}
	return func() {
		c.Close()
		r.sayNotes(c.Notes())
		if asked.Timing {
			fmt.Fprintf(r.err, "gradine: %v\n", c.Counts())
		}
	}, nil
}
