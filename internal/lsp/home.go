package lsp

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/project"
)

// Options say how a server works.
type Options struct {
	Store   *discharge.Store
	Version string
	// Workers is the number of searches at a time; 0 for one less than there are cores.
	Workers int
	// Run runs a command of the program and returns its output, for what a person asks
	// for by a lens; nil if there is none.
	Run func(ctx context.Context, args []string) (output string, code int)
}

type server struct {
	ctx     context.Context
	rpc     *jrpc2.Server
	opts    Options
	running sync.WaitGroup
	leave   context.CancelFunc // ends ctx: the editor says exit

	mu      sync.Mutex // of everything below
	docs    map[string]*document
	homes   map[string]*home
	refresh []string // requests that make the editor ask again
	resolve bool     // the editor asks for the edit of an action when it is chosen
	create  bool     // an edit may make files
}

// document is an open text.
type document struct {
	uri     string
	version int
	*source
}

// home is where a project, or several of one gradine.toml, stand.
type home struct {
	at         string
	opener     project.Opener
	generation int // of changes
	snap       *snapshot
	taken      int // the generation of snap
	known      map[question]*answer
	edited     place // what was changed last
	trouble    error // why nothing could be asked of the prover

	timer     *time.Timer
	present   context.Context    // ends with the next change
	cancel    context.CancelFunc // ends it
	publish   sync.Mutex         // of what follows, and of the order of what is sent
	published map[string]string  // by path: the diagnostics sent last
	reported  map[string]string  // by path: the verdicts sent last
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

// homeOf returns the home of a file.
func (s *server) homeOf(path string) *home {
	opener := project.Opener{Texts: s.texts()}
	at := opener.Home(path)
	h := s.homes[at]
	if h == nil {
		h = &home{at: at, present: s.ctx, known: map[question]*answer{}, published: map[string]string{}, reported: map[string]string{}}
		s.homes[at] = h
	}
	return h
}

func (s *server) texts() map[string][]byte {
	out := map[string][]byte{}
	for path, doc := range s.docs {
		out[path] = []byte(doc.text)
	}
	return out
}

// take returns what is understood of the present texts of h. It is called with s.mu held.
func (s *server) take(h *home) *snapshot {
	if h.snap != nil && h.taken == h.generation {
		return h.snap
	}
	// The opener stays with the home: it remembers the syntax of files that did not change.
	h.opener.Texts = s.texts()
	versions := map[string]int{}
	for path, doc := range s.docs {
		versions[filepath.ToSlash(path)] = doc.version
	}
	h.snap, h.taken = takeContained(h.at, &h.opener, versions), h.generation
	h.forget()
	return h.snap
}

// keep is how many answers more than those of the present are kept, for people undo.
const keep = 20_000

// forget forgets answers that nobody has asked for in a long time.
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
// path. Nothing that is asked is answered from an older text.
func (s *server) of(uri string) (*home, *snapshot, string) {
	path := pathOf(uri)
	if path == "" {
		return nil, nil, ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.homeOf(path)
	return h, s.take(h), filepath.ToSlash(path)
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
