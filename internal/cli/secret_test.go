package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/bundle"
	"github.com/nats-io/nats.go"
)

// TestKeyStaysHere greps all that leaves a run for its key: the store, shards, bundles, the files of the queue's server, every message
// and request, and all that is printed and logged. The key and what is made of it stand nowhere, in no spelling.
func TestKeyStaysHere(t *testing.T) {
	const secret = "correct-horse-battery-staple-0123456789abcdef"
	made := sha256.Sum256([]byte("gradine key 1\n" + secret)) // what digests are keyed with
	var spellings [][]byte
	for _, raw := range [][]byte{[]byte(secret), made[:]} {
		spellings = append(spellings, raw, []byte(hex.EncodeToString(raw)), []byte(strings.ToUpper(hex.EncodeToString(raw))), []byte(base64.StdEncoding.EncodeToString(raw)), []byte(base64.URLEncoding.EncodeToString(raw)))
	}
	looked, bytesOf := 0, 0
	look := func(where string, data []byte) {
		t.Helper()
		looked, bytesOf = looked+1, bytesOf+len(data)
		for _, s := range spellings {
			if bytes.Contains(data, s) {
				t.Errorf("%s has the key, as %q", where, s)
			}
		}
	}
	// unpacked looks into what a bundle holds.
	unpacked := func(where string, data []byte) {
		t.Helper()
		look(where, data)
		answers, err := bundle.Decode(discharge.SearchVersion(), data)
		if err != nil || len(answers) == 0 {
			t.Errorf("%s: %d answers, %v", where, len(answers), err)
		}
		for _, a := range answers {
			text, err := a.Encode()
			if err != nil {
				t.Fatal(err)
			}
			look(where, text)
		}
	}
	t.Setenv("TMPDIR", t.TempDir()) // the server keeps its files there
	url := queueServer(t)
	t.Setenv("GRADINE_CACHE", t.TempDir())
	t.Setenv(answer.KeyVariable, secret)

	var mu sync.Mutex
	messages := 0
	spy, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer spy.Close()
	if _, err := spy.Subscribe(">", func(m *nats.Msg) {
		mu.Lock()
		defer mu.Unlock()
		messages++
		look("message "+m.Subject, fmt.Append(m.Data, m.Subject, m.Header))
	}); err != nil {
		t.Fatal(err)
	}
	kept := &shelf{entries: map[string][]byte{}}
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		requests++
		look("request "+r.URL.String(), fmt.Append(body, r.Method, r.URL, r.Header))
		if r.Method == http.MethodPut {
			_, n := binary.Uvarint(body[1:])
			unpacked("request "+r.URL.String(), body[1+n:])
		}
		mu.Unlock()
		r.Body = io.NopCloser(bytes.NewReader(body))
		kept.ServeHTTP(w, r)
	}))
	defer server.Close()
	t.Setenv("GRADINE_CACHE_REMOTE", server.URL)

	log := startWorker(t, "--nats", url)
	dir, to, small := sharded(t), t.TempDir(), smallProject(t)
	if err := os.WriteFile(filepath.Join(dir, "k.cl"), []byte(faultyKernels), 0o666); err != nil {
		t.Fatal(err)
	}
	lines := []string{
		"prove --timing --nats " + url, "verify --nats " + url, "verify -v", "prove --lock", "report", "prove --format jsonl",
		"prove --shard 1/1 -o " + filepath.Join(to, "shard.gradine"), "verify --from " + to, "cache pack -o " + filepath.Join(to, "answers.bundle"),
		"prove --nats nats://127.0.0.1:1", "verify --from nowhere", "cache unpack nowhere",
	}
	if !testing.Short() {
		lines = append(lines, "kernel k.cl --nats "+url, "explore m --const most=3 --bitstate 1 --swarm 3 --nats "+url,
			"tune --by exhaustive --nats "+url+" -C "+small, "verify -C "+small, "prove --lock --from "+to)
	}
	for _, line := range lines {
		out, errs, _ := shell(t, append([]string{"-C", dir}, strings.Fields(line)...)...)
		mu.Lock()
		look("the output of "+line, []byte(out+errs))
		mu.Unlock()
	}
	mu.Lock()
	defer mu.Unlock()
	look("the log of the worker", []byte(log.String()))
	if data, err := os.ReadFile(filepath.Join(to, "answers.bundle")); err != nil {
		t.Error(err)
	} else {
		unpacked("the bundle", data)
	}
	for _, root := range []string{os.Getenv("GRADINE_CACHE"), os.Getenv("TMPDIR"), dir, to} {
		files := 0
		if err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return nil // files of the server come and go
			}
			if data, err := os.ReadFile(name); err == nil {
				files++
				look(name, data)
			}
			return nil
		}); err != nil {
			t.Error(err)
		}
		if files == 0 {
			t.Errorf("%s is empty", root)
		}
	}
	if messages == 0 || requests == 0 || log.String() == "" {
		t.Errorf("%d messages, %d requests and %d bytes of logs: nothing was looked at", messages, requests, len(log.String()))
	}
	t.Logf("%d texts with %d bytes: %d messages, %d requests", looked, bytesOf, messages, requests)
}
