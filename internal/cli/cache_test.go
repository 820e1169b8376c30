package cli

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
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
	"github.com/gradine/gradine/discharge/bundle"
	"github.com/gradine/gradine/internal/corpus"
)

// shelf keeps what is put on it, and hands it out as handle says.
type shelf struct {
	mu      sync.Mutex
	entries map[string][]byte
	handle  func(w http.ResponseWriter, r *http.Request, content []byte) // nil for what is kept
}

func (s *shelf) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	content, ok := s.entries[r.URL.Path]
	handle := s.handle
	s.mu.Unlock()
	switch {
	case handle != nil:
		handle(w, r, content)
	case r.Method == http.MethodPut:
		data, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.entries[r.URL.Path] = data
	case !ok:
		http.NotFound(w, r)
	default:
		_, _ = w.Write(content)
	}
}

// forged changes one in ten answers of a bundle.
func forged(content []byte) []byte {
	_, n := binary.Uvarint(content[1:])
	answers, err := bundle.Decode(discharge.SearchVersion(), content[1+n:])
	if err != nil {
		panic(err)
	}
	for i, a := range answers {
		switch {
		case i%10 == 3:
			a.Verdict = map[string]string{"proved": "open", "open": "proved", "refuted": "proved", "vacuous": "proved"}[a.Verdict]
		case i%10 == 4 && len(a.Certificate) > 0:
			a.Certificate = bytes.Replace(a.Certificate, []byte("lin"), []byte("rup"), 1)
		}
	}
	data, err := bundle.Encode(discharge.SearchVersion(), answers)
	if err != nil {
		panic(err)
	}
	return append(binary.AppendUvarint([]byte{0x2a}, uint64(len(data))), data...)
}

// mostTries is how often a race is run that may be lost without a fault, until it is won once.
const mostTries = 100

// TestCache: whatever a cache does, what is printed is the same; with a good one nothing is searched.
func TestCache(t *testing.T) {
	dir := sharded(t)
	fresh(t, "a")
	want, _, wantCode := shell(t, "-C", dir, "prove", "--format", "jsonl")
	kept := &shelf{entries: map[string][]byte{}}
	server := httptest.NewServer(kept)
	defer server.Close()
	t.Setenv("GRADINE_CACHE_REMOTE", server.URL+"/cache")
	counted := regexp.MustCompile(`(\d+) answers from the cache, (\d+) searched for`)
	prove := func(name string) (errs string) {
		t.Helper()
		got, errs, code := shell(t, "-C", dir, "prove", "--format", "jsonl")
		if got != want || code != wantCode {
			t.Errorf("%s: exit code %d, want %d\n%s\n%s", name, code, wantCode, errs, got)
		}
		return errs
	}
	fresh(t, "a")
	if errs := prove("cold"); strings.Contains(errs, "cache") {
		t.Error(errs)
	}
	if len(kept.entries) == 0 {
		t.Fatal("nothing is written")
	}
	for path, data := range kept.entries {
		if bytes.Contains(data, []byte(strings.Repeat("a", 32))) {
			t.Errorf("%s has the key", path)
		}
	}
	// A search may end before the bundle has come, which is no fault: here it comes in time at last.
	for tries, used := 0, false; !used; tries++ {
		fresh(t, "a")
		_, errs, _ := shell(t, "-C", dir, "prove", "--timing")
		m := counted.FindStringSubmatch(errs)
		if used = m != nil && m[1] != "0"; m == nil || !used && tries == mostTries {
			t.Fatalf("warm: %s", errs)
		}
	}
	fresh(t, "a")
	prove("warm")
	for name, test := range map[string]struct {
		handle func(w http.ResponseWriter, r *http.Request, content []byte)
		warns  string
	}{
		"500": {func(w http.ResponseWriter, _ *http.Request, _ []byte) { w.WriteHeader(500) }, "500 Internal Server Error; going on without it"},
		"slow": {func(w http.ResponseWriter, r *http.Request, _ []byte) {
			select {
			case <-time.After(3 * time.Second):
			case <-r.Context().Done():
			}
		}, ""},
		"forged": {func(w http.ResponseWriter, r *http.Request, content []byte) {
			if r.Method == http.MethodGet && len(content) > 2000 {
				content = forged(content)
			}
			if content == nil {
				w.WriteHeader(404)
			}
			_, _ = w.Write(content)
		}, ""},
		"noise": {func(w http.ResponseWriter, _ *http.Request, _ []byte) { _, _ = w.Write([]byte("<html>hello</html>")) }, ""},
	} {
		kept.mu.Lock()
		kept.handle = test.handle
		kept.mu.Unlock()
		// So may what the server says.
		for tries, told := 0, false; !told; tries++ {
			fresh(t, "a")
			errs := prove(name)
			if told = strings.Contains(errs, test.warns); strings.Count(errs, "going on without it") > 1 || !told && tries == mostTries {
				t.Fatalf("%s: %s", name, errs)
			}
		}
	}
	kept.mu.Lock()
	kept.handle = nil
	kept.mu.Unlock()
	// Another user: all but the steps.
	fresh(t, "b")
	got, _, code := shell(t, "-C", dir, "prove", "--format", "jsonl")
	if stepsOf.ReplaceAllString(got, "") != stepsOf.ReplaceAllString(want, "") || code != wantCode {
		t.Errorf("another key: %s", got)
	}
	server.Close()
	fresh(t, "a")
	if errs := prove("closed"); strings.Count(errs, "cache "+server.URL) != 1 {
		t.Errorf("closed: %s", errs)
	}
	t.Setenv("GRADINE_CACHE_REMOTE", "https://user:"+strings.Repeat("s", 9)+"@localhost:port/")
	if _, errs, code := shell(t, "-C", dir, "prove"); code != exitUsage || strings.Contains(errs, "sssssssss") {
		t.Errorf("exit code %d: %s", code, errs)
	}
}

// TestNginx shares answers through a real nginx with WebDAV.
func TestNginx(t *testing.T) {
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("nginx is not installed")
	}
	dir := sharded(t)
	place, err := os.MkdirTemp("", "gradine-nginx") // its workers must reach it
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(place)
	for _, name := range []string{place, filepath.Join(place, "root"), filepath.Join(place, "body")} {
		if err := os.MkdirAll(name, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(name, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	conf := filepath.Join(place, "nginx.conf")
	if err := os.WriteFile(conf, fmt.Appendf(nil, `daemon off; worker_processes 1; pid %[1]s/pid; error_log %[1]s/error.log;
events {}
http {
	access_log off; client_body_temp_path %[1]s/body; client_max_body_size 64m;
	proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi; uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
	server {
		listen %[2]s; root %[1]s/root;
		location /write/ { alias %[1]s/root/; dav_methods PUT; create_full_put_path on; }
		location /read/ { alias %[1]s/root/; limit_except GET { deny all; } }
	}
}
`, place, address), 0o666); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(nginx, "-c", conf, "-e", filepath.Join(place, "error.log"))
	var said bytes.Buffer
	c.Stderr = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = c.Process.Signal(os.Interrupt)
		_ = c.Wait()
	}()
	if !corpus.Until(func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
		}
		return err == nil
	}) {
		t.Fatalf("nginx does not start: %s", said.String())
	}
	fresh(t, "a")
	want, _, _ := shell(t, "-C", dir, "prove", "--format", "jsonl")
	for _, from := range []string{"write", "write", "read"} {
		t.Setenv("GRADINE_CACHE_REMOTE", "http://"+address+"/"+from)
		fresh(t, "a")
		if got, errs, _ := shell(t, "-C", dir, "prove", "--format", "jsonl"); got != want || strings.Contains(errs, "cache") {
			t.Errorf("%s: %s\n%s", from, errs, got)
		}
		if entries, _ := filepath.Glob(filepath.Join(place, "root", "ac", "*")); len(entries) == 0 {
			t.Errorf("nothing is written: %s", said.String())
		}
	}
	// A new obligation is news for the bundle, which cannot be written.
	if err := os.WriteFile(filepath.Join(dir, "more.eventb"), []byte("context more constants c axioms @c c > 3 theorem @t c > 2 end"), 0o666); err != nil {
		t.Fatal(err)
	}
	fresh(t, "a")
	_, errs, _ := shell(t, "-C", dir, "prove")
	if !strings.Contains(errs, "cannot be written (403 Forbidden); it is only read from now on") {
		t.Errorf("read-only: %s", errs)
	}
	t.Setenv("GRADINE_CACHE_READ_ONLY", "1")
	fresh(t, "a")
	if _, errs, _ := shell(t, "-C", dir, "prove"); strings.Contains(errs, "cache") {
		t.Errorf("read-only as asked: %s", errs)
	}
}

// TestCacheOfKernels: kernels are judged alike with a cache, empty, full, of others, or forged.
func TestCacheOfKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	command := []string{"kernel", "--format", "jsonl", filepath.Join("..", "..", "kernels", "minimum.cl")}
	fresh(t, "a")
	want, _, wantCode := shell(t, command...)
	kept := &shelf{entries: map[string][]byte{}}
	server := httptest.NewServer(kept)
	defer server.Close()
	t.Setenv("GRADINE_CACHE_REMOTE", server.URL+"/cache")
	judge := func(name, letter string) (errs string) {
		t.Helper()
		fresh(t, letter)
		got, errs, code := shell(t, command...)
		if got != want || code != wantCode {
			t.Errorf("%s: exit code %d, want %d\n%s\n%s", name, code, wantCode, errs, got)
		}
		return errs
	}
	judge("cold", "a")
	if len(kept.entries) == 0 {
		t.Fatal("nothing is written")
	}
	judge("warm", "a")
	judge("another key", "b")
	kept.handle = func(w http.ResponseWriter, r *http.Request, content []byte) {
		switch {
		case r.Method != http.MethodGet:
		case content == nil:
			http.NotFound(w, r)
		default:
			_, _ = w.Write(forged(content))
		}
	}
	if errs := judge("forged", "a"); !strings.Contains(errs, "failed their check") && !strings.Contains(errs, "not signed") {
		t.Errorf("no forgery is told: %s", errs)
	}
}

// answersIn counts the answers of the store.
func answersIn(t *testing.T) int {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(os.Getenv("GRADINE_CACHE"), "*", "*.answer"))
	if err != nil {
		t.Fatal(err)
	}
	return len(names)
}

// TestPack carries answers in a file: with the key nothing is searched again, and without it what
// cannot be checked.
func TestPack(t *testing.T) {
	dir := sharded(t)
	file := filepath.Join(t.TempDir(), "answers.bundle")
	fresh(t, "a")
	if _, errs, code := shell(t, "-C", dir, "cache", "pack", "-o", file); code != exitYes {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	packed := answersIn(t)
	fresh(t, "a")
	want, _, wantCode := shell(t, "-C", dir, "verify")
	for _, letter := range []string{"a", "b"} {
		fresh(t, letter)
		if out, errs, code := shell(t, "cache", "unpack", file); code != exitYes || !strings.Contains(out, fmt.Sprintf("%d of %d answers put", packed, packed)) {
			t.Fatalf("exit code %d: %s%s", code, out, errs)
		}
		before := map[string]string{}
		names, _ := filepath.Glob(filepath.Join(os.Getenv("GRADINE_CACHE"), "*", "*"))
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			before[name] = string(data)
		}
		if got, errs, code := shell(t, "-C", dir, "verify"); got != want || code != wantCode {
			t.Errorf("key %s: exit code %d, want %d\n%s\n%s", letter, code, wantCode, errs, got)
		}
		searched, other := 0, 0
		names, _ = filepath.Glob(filepath.Join(os.Getenv("GRADINE_CACHE"), "*", "*"))
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if before[name] != string(data) {
				if searched++; !strings.Contains(string(data), `"verdict":"open"`) {
					other++
				}
			}
		}
		if letter == "a" && searched > 0 || letter == "b" && searched == 0 {
			t.Errorf("key %s: %d answers were searched", letter, searched)
		}
		// Parts of hints are searched again, too.
		if other > 4 {
			t.Errorf("key %s: %d answers that can be checked were searched again", letter, other)
		}
		// What can be trusted stays.
		if out, _, _ := shell(t, "cache", "unpack", file); !strings.Contains(out, "0 of ") {
			t.Errorf("key %s: %s", letter, out)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		data []byte
		code int
		says string
	}{
		"empty":         {nil, exitModel, "not a bundle of this version"},
		"cut":           {data[:len(data)-10], exitModel, "damaged"},
		"cut at once":   {data[:20], exitModel, "damaged"},
		"a bit flipped": {append(bytes.Clone(data[:len(data)/2]), append([]byte{data[len(data)/2] ^ 8}, data[len(data)/2+1:]...)...), exitModel, "damaged"},
	} {
		if err := os.WriteFile(file, test.data, 0o600); err != nil {
			t.Fatal(err)
		}
		fresh(t, "a")
		if _, errs, code := shell(t, "cache", "unpack", file); !strings.Contains(errs, test.says) || code != test.code && name != "cut" && name != "a bit flipped" {
			t.Errorf("%s: exit code %d: %s", name, code, errs)
		}
		if got, _, code := shell(t, "-C", dir, "verify"); got != want || code != wantCode {
			t.Errorf("%s: %s", name, got)
		}
	}
	if _, errs, code := shell(t, "cache", "unpack", filepath.Join(dir, "no")); code != exitUsage {
		t.Errorf("exit code %d: %s", code, errs)
	}
}
