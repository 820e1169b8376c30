package discharge

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/gradine/gradine/internal/atomic"
)

// Store is a directory that remembers what searches answered, so that the same
// question need not be searched again: one file for each question, written by
// rename, so that any number of processes may share it.
//
//	DIR/ab/ab….answer    what a search found for the question with digest ab…
//
// A question is a sequent, to the letter, with the settings and the program that
// searched: what is found is what the search would find again, so that a store saves
// time and changes no verdict. Proofs are checked by the kernel again and
// counterexamples by the evaluator; a file that is not whole, or about another
// question, counts for nothing.
type Store struct {
	dir   string
	limit int64    // bytes
	grown sync.Map // folders that have got files since the last trim
}

// DefaultStoreSize is how large a store becomes unless $GRADINE_STORE_MB says
// otherwise, in MB.
const DefaultStoreSize = 1024

// OpenStore returns the store in dir. The directory need not exist.
func OpenStore(dir string) *Store { return &Store{dir: dir, limit: DefaultStoreSize << 20} }

// DefaultStore returns the store of this user: $GRADINE_STORE, or gradine below
// the cache directory, of at most $GRADINE_STORE_MB.
func DefaultStore() (*Store, error) {
	dir := os.Getenv("GRADINE_STORE")
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("no place for the store: %w; set GRADINE_STORE", err)
		}
		dir = filepath.Join(cache, "gradine")
	}
	s := OpenStore(dir)
	if size := os.Getenv("GRADINE_STORE_MB"); size != "" {
		mb, err := strconv.ParseInt(size, 10, 40)
		if err != nil || mb < 0 {
			return nil, fmt.Errorf("GRADINE_STORE_MB=%s: not a number of megabytes", size)
		}
		s.limit = mb << 20
	}
	return s, nil
}

// digest is that of a question.
type digest [sha256.Size]byte

func (q digest) String() string { return hex.EncodeToString(q[:]) }

const answerExt = ".answer"

func (s *Store) path(q digest) string {
	name := q.String()
	return filepath.Join(s.dir, name[:2], name+answerExt)
}

const answerHeader = "gradine answer 1"

// seal is the header of an answer, from which damage and mistakes show.
func seal(q digest, body []byte) []byte {
	sum := sha256.Sum256(body)
	return fmt.Appendf(nil, "%s\n%s %s\n", answerHeader, q, digest(sum))
}

// staleAfter is the age from which an answer that is of use is made young again, so
// that trimming spares it.
const staleAfter = 24 * time.Hour

// answer returns what is remembered of a question, nil if nothing is.
func (s *Store) answer(q digest) []byte {
	name := s.path(q)
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil
	}
	_, rest, _ := bytes.Cut(data, []byte("\n"))
	_, body, _ := bytes.Cut(rest, []byte("\n"))
	if !bytes.Equal(seal(q, body), data[:len(data)-len(body)]) {
		return nil
	}
	if time.Since(info.ModTime()) > staleAfter {
		_ = os.Chtimes(name, time.Time{}, time.Now()) // a store that cannot be written costs time later, nothing else
	}
	return body
}

// put remembers the answer to a question. A store that cannot be written costs time
// later, nothing else.
func (s *Store) put(q digest, body []byte) {
	name := s.path(q)
	if os.MkdirAll(filepath.Dir(name), 0o777) == nil && atomic.Write(name, append(seal(q, body), body...), 0o600) == nil {
		s.grown.Store(filepath.Dir(name), true)
	}
}

// shares is the number of folders that questions spread over, evenly, for digests do:
// each has its share of the size of the store.
const shares = 256

// trim removes the oldest answers of the folders that have grown until each keeps to
// its share; the youngest stays.
func (s *Store) trim() {
	s.grown.Range(func(dir, _ any) bool {
		s.grown.Delete(dir)
		trimFolder(dir.(string), s.limit/shares)
		return true
	})
}

func trimFolder(dir string, limit int64) {
	type file struct {
		name string
		size int64
		time time.Time
	}
	var files []file
	var sum int64
	// What earlier versions kept, in folders of their own, is trimmed as well.
	_ = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch filepath.Ext(name) {
		case answerExt, ".cert", ".note", ".tuning":
		default:
			return nil
		}
		if err == nil && entry.Type().IsRegular() {
			if info, err := entry.Info(); err == nil { // else another process has just removed it
				files = append(files, file{name, info.Size(), info.ModTime()})
				sum += info.Size()
			}
		}
		return nil
	})
	slices.SortFunc(files, func(a, b file) int { return cmp.Or(a.time.Compare(b.time), cmp.Compare(a.name, b.name)) })
	for len(files) > 1 && sum > limit {
		_ = os.Remove(files[0].name)
		sum -= files[0].size
		files = files[1:]
	}
}
