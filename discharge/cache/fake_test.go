package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// fake is a server with the rules of bazel-remote 2.6: keys are digests, a value under /cas/ has
// the digest of its key, one under /ac/ is an ActionResult, to which the server adds what ran it;
// a length must be given.
type fake struct {
	mu      sync.Mutex
	entries map[string][]byte
	asked   map[string]int // requests by method
	// spoil, if not nil, answers instead of the server, or changes what it answers with.
	before func(http.ResponseWriter, *http.Request) bool
	change func(data []byte) []byte
	user   string // that may write
}

func newFake(t testing.TB) (*fake, *httptest.Server) {
	f := &fake{entries: map[string][]byte{}, asked: map[string]int{}}
	s := httptest.NewServer(f)
	t.Cleanup(s.Close)
	return f, s
}

var entryName = regexp.MustCompile(`^/(?:[\w/]+/)?(ac|cas)/([0-9a-f]{64})$`)

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.asked[r.Method]++
	before, change := f.before, f.change
	f.mu.Unlock()
	if before != nil && before(w, r) {
		return
	}
	m := entryName.FindStringSubmatch(r.URL.Path)
	if m == nil {
		http.Error(w, "not a digest", http.StatusBadRequest)
		return
	}
	name := m[1] + "/" + m[2]
	switch r.Method {
	case http.MethodGet:
		f.mu.Lock()
		data, ok := f.entries[name]
		f.mu.Unlock()
		if !ok {
			http.NotFound(w, r)
			return
		}
		if change != nil {
			data = change(data)
		}
		_, _ = w.Write(data)
	case http.MethodPut:
		if f.user != "" {
			if user, _, _ := r.BasicAuth(); user != f.user {
				http.Error(w, "who are you", http.StatusUnauthorized)
				return
			}
		}
		if r.ContentLength < 0 {
			http.Error(w, "a length is needed", http.StatusLengthRequired)
			return
		}
		data, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		sum := sha256.Sum256(data)
		switch {
		case m[1] == "cas" && hex.EncodeToString(sum[:]) != m[2]:
			http.Error(w, "another digest", http.StatusBadRequest)
			return
		case m[1] == "ac" && unwrap(data) == nil:
			http.Error(w, "not an ActionResult", http.StatusBadRequest)
			return
		case m[1] == "ac": // execution_metadata is field 9
			data = append(data, 9<<3|2, 5, 0x0a, 3, 'b', 'o', 't')
		}
		f.mu.Lock()
		f.entries[name] = data
		f.mu.Unlock()
	default:
		http.Error(w, "no such method", http.StatusMethodNotAllowed)
	}
}

// mute answers nothing until the request is given up.
func mute(_ http.ResponseWriter, r *http.Request) bool {
	// Of a request that is written the server sees the end of the connection once it has read the body.
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
	return true
}

// status answers everything with one status.
func status(code int) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(code)
		return true
	}
}

// only answers one method with a status.
func only(method string, code int) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == method {
			w.WriteHeader(code)
			return true
		}
		return false
	}
}

func secretIn(text string) bool { return strings.Contains(text, "pass"+"word1") }
