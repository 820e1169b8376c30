package shard

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gradine/gradine/discharge/answer"
)

// Ext is the ending of the names of shards.
const Ext = ".gradine"

// MaxBytes bounds what is read of all shards together.
const MaxBytes = 1 << 30

// Set is the shards of a folder, as a source of answers.
type Set struct {
	known map[answer.Digest][]*answer.Answer
	from  map[*answer.Answer]string // the file of each
	notes []string

	mu       sync.Mutex
	failed   map[string]int // answers that failed their check, by file
	unsigned map[answer.Digest]bool
}

// Read reads the shards in dir and its folders, one level deep, which is where artefacts of jobs
// are unpacked. want is what they should be shards of. What is wrong with a shard is a note; its answers are
// offered all the same, since they are checked. Two different shards of one number are an error.
func Read(dir string, want Header) (*Set, error) {
	names, err := list(dir)
	if err != nil {
		return nil, err
	}
	s := &Set{known: map[answer.Digest][]*answer.Answer{}, from: map[*answer.Answer]string{}, failed: map[string]int{}, unsigned: map[answer.Digest]bool{}}
	seen := map[Part]*file{}
	in := map[Part]string{}
	of := 0
	left := int64(MaxBytes)
	for _, name := range names {
		x, err := open(name, &left)
		if err != nil {
			s.note("%s: %v; skipped", name, err)
			continue
		}
		mine := x.Search == want.Search && x.Work == want.Work
		part := Part{x.Part, x.Of}
		// The same file may lie there twice, as artefacts often do. Only different ones contradict each other.
		switch before := seen[part]; {
		case !mine:
			s.note("%s: %s; only answers that fit are used", name, foreign(x.Header, want))
		case before != nil && before.sum != x.sum:
			return nil, fmt.Errorf("%s and %s are two different shards %v: remove one of them", in[part], name, part)
		case before != nil:
			continue
		default:
			seen[part], in[part] = x, name
			if of != 0 && of != x.Of {
				return nil, fmt.Errorf("%s is shard %v, but another one is of %d: keep the shards of one run", name, part, of)
			}
			of = x.Of
		}
		switch {
		case x.broken != nil:
			s.note("%s: %v; missing answers are searched for here", name, x.broken)
		case x.bad > 0:
			s.note("%s: %d lines are not answers; missing answers are searched for here", name, x.bad)
		case !x.complete:
			s.note("%s: shard %v was interrupted; missing answers are searched for here", name, part)
		}
		// Answers of foreign and damaged shards are kept, too: they are checked like all others.
		for _, a := range x.answers {
			s.known[a.Question] = append(s.known[a.Question], a)
			s.from[a] = name
		}
	}
	if len(names) == 0 {
		s.note("%s: no shards; everything is searched here. `--shard K/N -o NAME%s` writes them", dir, Ext)
	}
	for k := 1; k <= of; k++ {
		if part := (Part{k, of}); seen[part] == nil {
			s.note("shard %v is missing; its obligations are searched here", part)
		}
	}
	return s, nil
}

// foreign says of what else a shard is.
func foreign(is, want Header) string {
	if is.Search != want.Search {
		return fmt.Sprintf("a shard of version %.16q of the search; this is version %s", is.Search, want.Search)
	}
	named := func(h Header) string {
		if h.Commit != "" {
			return fmt.Sprintf("commit %.40q", h.Commit)
		}
		return fmt.Sprintf("sources %.16q", h.Work)
	}
	return fmt.Sprintf("a shard of %s, options or projects other than %s here", named(is), named(want))
}

func (s *Set) note(message string, args ...any) {
	s.notes = append(s.notes, fmt.Sprintf(message, args...))
}

// list returns the names of the shards in dir and in its folders.
func list(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	take := func(dir string, entries []fs.DirEntry) {
		for _, x := range entries {
			if x.Type().IsRegular() && strings.HasSuffix(x.Name(), Ext) {
				names = append(names, filepath.Join(dir, x.Name()))
			}
		}
	}
	take(dir, entries)
	for _, x := range entries {
		if x.IsDir() {
			sub := filepath.Join(dir, x.Name())
			inner, err := os.ReadDir(sub)
			if err != nil {
				return nil, err
			}
			take(sub, inner)
		}
	}
	slices.Sort(names)
	return names, nil
}

func open(name string, left *int64) (*file, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := &io.LimitedReader{R: f, N: *left}
	x, err := decode(in)
	if *left = in.N; *left == 0 {
		return nil, fmt.Errorf("the shards have more than %d bytes together", MaxBytes)
	}
	return x, err
}

// Answers returns the answers to question q of all shards.
func (s *Set) Answers(q answer.Question) []*answer.Answer { return s.known[q.Digest] }

// Arrival returns nil: all answers are here.
func (s *Set) Arrival(answer.Question) <-chan struct{} { return nil }

// Searching does nothing.
func (s *Set) Searching(answer.Digest) {}

// Refused notes an answer that does not count.
func (s *Set) Refused(a *answer.Answer, why answer.Refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if why == answer.Unsigned {
		s.unsigned[a.Question] = true
		return
	}
	s.failed[s.from[a]]++
}

// Notes say what is wrong with the shards, as far as it has shown.
func (s *Set) Notes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := slices.Clone(s.notes)
	var names []string
	for name := range s.failed {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		out = append(out, fmt.Sprintf("%s: %d answers failed their check; they were searched here", name, s.failed[name]))
	}
	if n := len(s.unsigned); n > 0 {
		out = append(out, fmt.Sprintf("%d answers that cannot be checked are not signed with the key of this run; they were searched here. Give all jobs the same %s", n, answer.KeyVariable))
	}
	return out
}
