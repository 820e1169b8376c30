package lsp

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/project"
)

// Options say how a server works.
type Options struct {
	Store   *proofstore.Store
	Version string
	// Workers is the number of searches at a time; 0 for one less than there are cores.
	Workers int
	// Run runs a command of the program, with texts by absolute path above the files, and
	// returns its output, for what a person asks for by a lens; nil if there is none.
	Run func(ctx context.Context, texts map[string][]byte, args []string) (output string, code int)
	// Animate opens a page about a machine or a refuted obligation of the project at a path, which follows texts by absolute
	// path above the files; serve answers it until its context ends. nil if there are no pages.
	Animate func(texts func() map[string][]byte, at, name string) (url string, serve func(context.Context) error, err error)
}

type server struct {
	ctx     context.Context
	rpc     *jrpc2.Server
	opts    Options
	running sync.WaitGroup
	leave   context.CancelFunc // ends ctx: the editor says exit

	publish   sync.Mutex           // of what follows, and of the order of what is sent
	published map[string]announced // by path: the diagnostics sent last
	reported  map[string]string    // by path: the verdicts sent last

	mu      sync.Mutex // of everything below; publish comes before it
	docs    map[string]*document
	homes   map[string]*home
	refresh []string            // requests that make the editor ask again
	resolve bool                // the editor asks for the edit of an action when it is chosen
	create  bool                // an edit may make files
	opens   bool                // the editor opens URLs
	pages   map[animated]string // the URLs of pages
}

// animated is what a page is about.
type animated struct{ at, name string }

// document is an open text.
type document struct {
	uri     string
	version int
	home    *home // that speaks of it
	*source
	told bool // something was said of it since it was opened; with server.publish held
}

// announced are the diagnostics of a file as they were sent, and by whom.
type announced struct {
	by      *home
	message string
}

// home is where a project, or several of one gradine.toml, stand.
type home struct {
	at         string
	opening    sync.Mutex // of opener and digests; it comes before the mutex of the server
	opener     project.Opener
	digests    digests
	generation int // of changes
	snap       *snapshot
	taken      int // the generation of snap
	known      map[question]*answer
	edited     place // what was changed last
	trouble    error // why nothing could be asked of the prover

	timer   *time.Timer
	present context.Context    // ends with the next change
	cancel  context.CancelFunc // ends it
}

type place struct {
	path string
	at   int
}

// rest ends what goes on behind the scenes.
func (h *home) rest() {
	if h.timer != nil {
		h.timer.Stop()
	}
	if h.cancel != nil {
		h.cancel()
	}
}

// homeOf returns the home of a file. It is called with s.mu held.
func (s *server) homeOf(path string) *home {
	opener := project.Opener{Texts: s.texts()}
	at := opener.Home(path)
	h := s.homes[at]
	if h == nil {
		h = &home{at: at, present: s.ctx, known: map[question]*answer{}}
		s.homes[at] = h
	}
	return h
}

// concerns reports whether the text of a file may bear on what is understood of h, the
// home of others: files may belong to several projects, and a folder may get a new one.
func (h *home) concerns(path string) bool {
	if h.snap == nil {
		return true
	}
	for _, opened := range h.snap.projects {
		for _, name := range opened.SourceFiles() {
			if name = filepath.FromSlash(name); name == path || filepath.Dir(name) == filepath.Dir(path) {
				return true
			}
		}
	}
	return h.snap.failed != nil
}

// settle finds the homes of all open texts again: what gradine.toml says of sources may
// have changed. It is called with s.mu held.
func (s *server) settle() {
	for path, doc := range s.docs {
		if h := s.homeOf(path); doc.home != h {
			s.restart(doc.home)
			doc.home = h
			s.restart(h)
		}
	}
}

func (s *server) texts() map[string][]byte {
	out := map[string][]byte{}
	for path, doc := range s.docs {
		out[path] = []byte(doc.text)
	}
	return out
}

// take returns what is understood of the present texts of h, nil if ctx ends before that.
// The server goes on meanwhile: a change makes an end to what is being read, and begins
// again.
func (s *server) take(ctx context.Context, h *home) *snapshot {
	h.opening.Lock()
	defer h.opening.Unlock()
	for ctx.Err() == nil {
		s.mu.Lock()
		if h.snap != nil && h.taken == h.generation {
			defer s.mu.Unlock()
			return h.snap
		}
		generation, versions := h.generation, map[string]int{}
		for path, doc := range s.docs {
			versions[filepath.ToSlash(path)] = doc.version
		}
		// The opener stays with the home: it remembers what came of files that did not change.
		h.opener.Texts, h.opener.Context, h.opener.Store = s.texts(), h.present, s.opts.Store
		s.mu.Unlock()
		snap := takeContained(h.at, &h.opener, &h.digests, versions)
		s.mu.Lock()
		if h.generation == generation {
			h.snap, h.taken = snap, generation
			h.forget()
		}
		s.mu.Unlock()
	}
	return nil
}

// keep is how many answers more than those of the present are kept, for people undo.
const keep = 20_000

// forget forgets answers that were not asked for in a long time.
func (h *home) forget() {
	for _, a := range h.snap.asked {
		if known := h.known[a.question]; known != nil {
			known.last = h.generation
		}
	}
	if len(h.known) < len(h.snap.asked)+keep {
		return
	}
	ages := make([]int, 0, len(h.known))
	for _, known := range h.known {
		ages = append(ages, known.last)
	}
	// The older half goes at once, so that this happens rarely.
	slices.Sort(ages)
	oldest := min(ages[len(ages)/2], h.generation-1)
	maps.DeleteFunc(h.known, func(_ question, known *answer) bool { return known.last <= oldest })
}

// of returns what is understood of the text of a document and of all around it, and its
// path. Nothing that is asked is answered from an older text. There is no snapshot if the
// document is no file, or ctx ends.
func (s *server) of(ctx context.Context, uri string) (*home, *snapshot, string) {
	path := pathOf(uri)
	if path == "" {
		return nil, nil, ""
	}
	s.mu.Lock()
	var h *home
	if doc := s.docs[path]; doc != nil {
		h = doc.home
	} else {
		h = s.homeOf(path)
	}
	s.mu.Unlock()
	return h, s.take(ctx, h), filepath.ToSlash(path)
}

// answers returns what is known of the obligations of a snapshot, nil where nothing is.
func (s *server) answers(h *home, snap *snapshot) []*answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*answer, len(snap.asked))
	for i, a := range snap.asked {
		out[i] = h.known[a.question]
	}
	return out
}
