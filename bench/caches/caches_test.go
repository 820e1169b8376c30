// Package caches measures what verifying this repository costs with caches that answer well, late, wrongly or not at all.
package caches

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/bundle"
)

// server is a cache in memory with something in front of it.
type server struct {
	mu      sync.Mutex
	entries map[string][]byte
	before  func(w http.ResponseWriter, r *http.Request) (over bool) // nil for nothing
	forge   bool                                                     // a tenth of the answers that it gives
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if s.before != nil && s.before(w, r) {
		return
	}
	key := strings.TrimPrefix(r.URL.Path, "/ac/")
	switch r.Method {
	case http.MethodPut:
		data, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		s.mu.Lock()
		s.entries[key] = data
		s.mu.Unlock()
	case http.MethodGet:
		s.mu.Lock()
		data := s.entries[key]
		s.mu.Unlock()
		if data == nil {
			http.NotFound(w, r)
			return
		}
		if s.forge {
			data = forged(data)
		}
		_, _ = w.Write(data)
	}
}

// forged changes a tenth of the answers of an entry: proofs, verdicts and steps.
func forged(entry []byte) []byte {
	_, n := binary.Uvarint(entry[1:])
	answers, err := bundle.Decode(discharge.SearchVersion(), entry[1+n:])
	if err != nil {
		return entry
	}
	r := rand.New(rand.NewPCG(uint64(len(answers)), 1))
	for _, a := range answers {
		if r.IntN(10) > 0 {
			continue
		}
		switch r.IntN(3) {
		case 0:
			a.Verdict, a.Certificate, a.Core, a.Counterexample = "open", nil, nil, nil
		case 1:
			a.Steps++
		case 2:
			a.Certificate, a.Counterexample = answers[0].Certificate, nil
		}
	}
	data, err := bundle.Encode(discharge.SearchVersion(), answers)
	if err != nil {
		return entry
	}
	return append(binary.AppendUvarint(entry[:1:1], uint64(len(data))), data...)
}

// cost is that of one run.
type cost struct {
	processor, wall time.Duration
	out, said       string
}

// TestCaches verifies this repository with one key and a fresh store each time. Processor time decides, as it depends little on
// what else the machine does; the whole takes some seven minutes of it. GRADINE_CACHES is a pattern of the servers that are tried.
func TestCaches(t *testing.T) {
	wanted := os.Getenv("GRADINE_CACHES")
	if wanted == "" {
		t.Skip("GRADINE_CACHES=. verifies the repository fifty times")
	}
	asked := regexp.MustCompile(wanted)
	program := filepath.Join(t.TempDir(), "gradine")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/gradine").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	do := func(url, store, letter string, args ...string) (c cost) {
		t.Helper()
		var out, errs bytes.Buffer
		run := exec.Command(program, append([]string{"-C", "../.."}, args...)...)
		run.Env = append(os.Environ(), "GRADINE_CACHE_REMOTE="+url, "GRADINE_CACHE="+store, answer.KeyVariable+"="+strings.Repeat(letter, answer.MinKey))
		run.Stdout, run.Stderr = &out, &errs
		began := time.Now()
		if err := run.Run(); err != nil {
			t.Fatalf("%s: %v: %s", url, err, errs.String())
		}
		return cost{run.ProcessState.UserTime() + run.ProcessState.SystemTime(), time.Since(began), out.String(), errs.String()}
	}
	verify := func(url, store string) cost { return do(url, store, "a", "verify") }
	// against measures what a run costs compared with one without any cache, in two pairs of them one after the other: what else the
	// machine does changes from minute to minute, and slows both of a pair.
	against := func(name string, most float64, run func() cost) {
		t.Helper()
		if !asked.MatchString(name) {
			return
		}
		var base, own time.Duration
		var c cost
		for range 2 {
			alone := verify("off", t.TempDir())
			c = run()
			base, own = base+alone.processor, own+c.processor
			if c.out != alone.out {
				t.Errorf("%s: the output differs", name)
			}
		}
		share := own.Seconds() / base.Seconds()
		t.Logf("| %s | %.2f s | %.2f s | %.2f | %.1f s | %s |", name, own.Seconds()/2, base.Seconds()/2, share, c.wall.Seconds(), strings.TrimSpace(c.said))
		if share > most {
			t.Errorf("%s: %.2f of a run without a cache; at most %.2f", name, share, most)
		}
	}
	begin := func() {}
	atMost := func(name, url string, most float64) {
		t.Helper()
		against(name, most, func() cost { begin(); return verify(url, t.TempDir()) })
	}
	good := &server{entries: map[string][]byte{}}
	serve := func(before func(http.ResponseWriter, *http.Request) bool, forge bool) string {
		s := httptest.NewServer(&server{entries: good.entries, before: before, forge: forge})
		t.Cleanup(s.Close)
		return s.URL
	}
	late := func(d time.Duration) func(http.ResponseWriter, *http.Request) bool {
		return func(http.ResponseWriter, *http.Request) bool { time.Sleep(d); return false }
	}
	begin = func() { clear(good.entries) }
	atMost("empty cache", serve(nil, false), 1.3) // it is filled, which searches later save
	begin = func() {}
	if verify(serve(nil, false), t.TempDir()); len(good.entries) == 0 {
		t.Fatal("nothing was written")
	}
	atMost("full cache", serve(nil, false), 0.25)
	atMost("full cache, 50 ms away", serve(late(50*time.Millisecond), false), 0.25)
	const bad = 1.1
	atMost("answers after 1 s", serve(late(time.Second), false), bad)
	atMost("a tenth is forged", serve(nil, true), bad)
	atMost("500 for all", serve(func(w http.ResponseWriter, _ *http.Request) bool {
		http.Error(w, "no", http.StatusInternalServerError)
		return true
	}, false), bad)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	atMost("accepts and says nothing", fmt.Sprintf("http://%v", l.Addr()), bad)
	l.Close()
	atMost("nobody listens", fmt.Sprintf("http://%v", l.Addr()), bad)
	store := t.TempDir()
	verify("off", store)
	against("warm store", 0.25, func() cost { return verify("off", store) })
	packed := filepath.Join(t.TempDir(), "answers.bundle")
	do("off", store, "a", "cache", "pack", "-o", packed)
	unpacked := func(letter string) cost {
		there := t.TempDir()
		do("off", there, letter, "cache", "unpack", packed)
		return do("off", there, letter, "verify")
	}
	against("unpacked bundle, its key", 1./3, func() cost { return unpacked("a") })
	against("unpacked bundle, another key", 1./3, func() cost { return unpacked("b") })
	if remote, err := exec.LookPath("bazel-remote"); err == nil && asked.MatchString("bazel-remote") {
		at := freeAddress(t)
		c := exec.Command(remote, "--dir", t.TempDir(), "--max_size", "1", "--http_address", at, "--grpc_address", "none")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Process.Kill(); _ = c.Wait() }()
		for range 600 {
			if conn, err := net.Dial("tcp", at); err == nil {
				conn.Close()
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		first := verify("http://"+at, t.TempDir())
		t.Logf("| bazel-remote, empty | %.2f s | %s |", first.processor.Seconds(), first.said)
		atMost("bazel-remote, full", "http://"+at, 0.25)
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
