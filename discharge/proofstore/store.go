package proofstore

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/internal/atomic"
)

// Store is a directory that remembers what searches answered, so that the same
// question need not be searched again: one file for each question, written by
// rename, so that any number of processes may share it.
//
//	DIR/ab/ab….answer    what a search found for the question with digest ab…
//	DIR/ab/ab….claim     what was found and cannot be checked, such as by tuning
//
// A question is a sequent, to the letter, with the settings and the version of the
// search: what is found is what the search would find again, so that a store saves
// time and changes no verdict. Proofs are checked by the kernel again and
// counterexamples by the evaluator. What cannot be checked, that nothing was found and the
// number of steps, counts only if the answer is signed with the key of the reader. A file
// that is not whole, or about another question, counts for nothing.
type Store struct {
	dir   string
	key   *answer.Key
	limit int64    // bytes
	grown sync.Map // folders that have got files since the last trim
}

// DefaultStoreSize is how large a store becomes unless $GRADINE_CACHE_MB says
// otherwise, in MB.
const DefaultStoreSize = 1024

// OpenStore returns the store in dir, which need not exist. It has the key of this process:
// what earlier ones could not prove or refute is searched again.
func OpenStore(dir string) *Store {
	return &Store{dir: dir, key: answer.ProcessKey(), limit: DefaultStoreSize << 20}
}

// Key is that of the reader.
func (s *Store) Key() *answer.Key { return s.key }

// WithKey is s for a reader with key k.
func (s *Store) WithKey(k *answer.Key) *Store { return &Store{dir: s.dir, key: k, limit: s.limit} }

// DefaultStore returns the store of this user: $GRADINE_CACHE, or gradine below
// the cache directory, of at most $GRADINE_CACHE_MB, with the key of the user.
func DefaultStore() (*Store, error) {
	dir := os.Getenv("GRADINE_CACHE")
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("no place for the store: %w; set GRADINE_CACHE", err)
		}
		dir = filepath.Join(cache, "gradine")
	}
	key, err := answer.UserKey()
	if err != nil {
		return nil, err
	}
	s := OpenStore(dir).WithKey(key)
	if size := os.Getenv("GRADINE_CACHE_MB"); size != "" {
		mb, err := strconv.ParseInt(size, 10, 40)
		if err != nil || mb < 0 {
			return nil, fmt.Errorf("GRADINE_CACHE_MB=%s: not a number of megabytes", size)
		}
		s.limit = mb << 20
	}
	return s, nil
}

const (
	answerExt = ".answer"
	claimExt  = ".claim"
)

func (s *Store) path(q answer.Digest, ext string) string {
	name := q.String()
	return filepath.Join(s.dir, name[:2], name+ext)
}

const answerHeader = "gradine answer 2 "

// header begins the file of an answer: damage and mistakes show in its checksum.
func header(line []byte) []byte { return fmt.Appendf(nil, "%s%x\n", answerHeader, sha256.Sum256(line)) }

// staleAfter is the age from which an answer that is of use is made young again, so
// that trimming spares it.
const staleAfter = 24 * time.Hour

// Answer returns what is remembered of a question, nil if nothing is.
func (s *Store) Answer(q answer.Digest) *answer.Answer {
	data := s.read(q, answerExt)
	_, line, _ := bytes.Cut(data, []byte("\n"))
	if !bytes.Equal(header(line), data[:len(data)-len(line)]) {
		return nil
	}
	a, err := answer.Decode(line)
	if err != nil {
		return nil
	}
	return a
}

// read returns what a file of the store holds, nil if there is none.
func (s *Store) read(q answer.Digest, ext string) []byte {
	name := s.path(q, ext)
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(f, answer.MaxLine+128)) // 128 is more than the header of an answer takes
	if err != nil {
		return nil
	}
	if time.Since(info.ModTime()) > staleAfter {
		_ = os.Chtimes(name, time.Time{}, time.Now()) // a store that cannot be written costs time later, nothing else
	}
	return data
}

// Claim reads what is claimed of a question into says. It reports whether there is a claim and a holder of the
// reader's key has made it: nothing else counts, as it cannot be checked.
func (s *Store) Claim(q answer.Digest, says any) bool {
	var c answer.Claim
	if json.Unmarshal(s.read(q, claimExt), &c) != nil {
		return false
	}
	signed, err := c.Read(q, says, s.key)
	return signed && err == nil
}

// PutClaim remembers what was found of a question, under the reader's key.
func (s *Store) PutClaim(q answer.Digest, says any) {
	c, err := answer.NewClaim(q, says, s.key)
	if err != nil {
		return
	}
	if data, err := json.Marshal(c); err == nil {
		s.write(q, claimExt, data)
	}
}

// Put remembers an answer. A store that cannot be written costs time later, nothing else.
func (s *Store) Put(a *answer.Answer) {
	line, err := a.Encode()
	if err != nil {
		return
	}
	s.write(a.Question, answerExt, append(header(line), line...))
}

func (s *Store) write(q answer.Digest, ext string, data []byte) {
	name := s.path(q, ext)
	if os.MkdirAll(filepath.Dir(name), 0o777) == nil && atomic.Write(name, data, 0o600) == nil {
		s.grown.Store(filepath.Dir(name), true)
	}
}

// shares is the number of folders that questions spread over, evenly, for digests do:
// each has its share of the size of the store.
const shares = 256

// Trim removes the oldest answers of the folders that have grown until each keeps to
// its share; the youngest stays.
func (s *Store) Trim() {
	s.grown.Range(func(dir, _ any) bool {
		s.grown.Delete(dir)
		trimFolder(dir.(string), s.limit/shares)
		return true
	})
}

// trimFolder removes the oldest answers of a folder until the rest is within the limit, in bytes.
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
		case answerExt, claimExt, ".cert", ".note", ".tuning":
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
