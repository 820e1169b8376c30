package cli

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/cache"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/config"
)

// openCache makes the server that gradine.toml or the environment names a source of answers about w. The
// function it returns writes to the server what was found.
func (r *run) openCache(w work, asked flags.Prove, opts *discharge.Options) (end func(), err error) {
	var names []string
	for _, p := range w.projects {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	var c config.Cache
	if conf := w.projects[0].Config; conf != nil {
		c = conf.Cache
	}
	return r.cacheOf(cmp.Or(c.Name, strings.Join(names, " ")), c, asked, opts)
}

// kernelCache is openCache for what the verdicts of kernels rest on.
func (r *run) kernelCache(asked flags.Prove, opts *discharge.Options) (end func(), err error) {
	var c config.Cache
	if file := config.Find(cmp.Or(r.dir, ".")); file != "" {
		conf, err := config.Read(file)
		if err != nil {
			return nil, modelError{err}
		}
		c = conf.Cache
	}
	return r.cacheOf(strings.TrimSpace(c.Name+" kernels"), c, asked, opts)
}

// cacheOf opens the bundle with a name.
func (r *run) cacheOf(name string, c config.Cache, asked flags.Prove, opts *discharge.Options) (end func(), err error) {
	none := func() {}
	if asked.NoStore || asked.Replay {
		return none, nil
	}
	options := cache.Options{Name: name, Search: discharge.SearchVersion(), ReadOnly: c.ReadOnly || os.Getenv(cache.ReadOnlyVariable) != ""}
	var ok bool
	if options.Server, ok, err = cache.FindServer(c.Remote); err != nil {
		return none, flags.UsageOf(err)
	} else if !ok {
		return none, nil
	}
	if opts.Key, err = answer.UserKey(); err != nil {
		return none, err
	}
	options.Warn = func(text string) { fmt.Fprintf(r.err, "gradine: %s\n", text) }
	shared := cache.New(r.ctx, options)
	opts.Sources = append(opts.Sources, shared)
	// Answers that this run finds go to the remote cache as well as to their earlier readers.
	before := opts.Found
	opts.Found = func(a *answer.Answer) {
		if before != nil {
			before(a)
		}
		shared.Found(a)
	}
	return func() {
		shared.Close()
		r.sayNotes(shared.Notes())
		if asked.Timing {
			fmt.Fprintf(r.err, "gradine: %v\n", shared.Counts())
		}
	}, nil
}
