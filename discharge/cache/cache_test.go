package cache

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/bundle"
	"github.com/gradine/gradine/internal/corpus"
)

func question(n byte) answer.Question { return answer.Question{Digest: answer.Digest{n}} }

func an(n byte, steps int64) *answer.Answer {
	return &answer.Answer{Question: answer.Digest{n}, Verdict: "proved", Steps: steps, Certificate: bytes.Repeat([]byte{'a' + n%26}, 100)}
}

// warnings collects what a user would read.
type warnings struct {
	mu   sync.Mutex
	list []string
}

func (w *warnings) warn(s string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, s)
}

func (w *warnings) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.list, "\n")
}

func open(t *testing.T, server string, change func(*Options)) (*Cache, *warnings) {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	w := &warnings{}
	opts := Options{Server: Server{URL: u}, Name: "p", Search: "v", Warn: w.warn, patience: fuse}
	if change != nil {
		change(&opts)
	}
	return New(context.Background(), opts), w
}

// fuse ends a test that hangs. No test decides by it.
const fuse = corpus.Fuse

// settled waits until the bundle has been asked for.
func settled(t *testing.T, c *Cache) {
	t.Helper()
	select {
	case <-c.hasBundle:
	case <-time.After(fuse):
		t.Fatal("the bundle does not arrive")
	}
}

// searched goes through a question that is searched here.
func searched(c *Cache, a *answer.Answer) {
	q := answer.Question{Digest: a.Question}
	c.Answers(q)
	c.Arrival(q)
	c.Found(a)
}

// TestBundle: what one run has found, the next one has at once; a run that finds nothing new writes
// nothing; another version of the search and another project have bundles of their own.
func TestBundle(t *testing.T) {
	f, s := newFake(t)
	c, w := open(t, s.URL+"/gradine", nil)
	settled(t, c)
	for n := range byte(10) {
		searched(c, an(n, 10))
	}
	c.Close()
	if f.asked["PUT"] != 1 {
		t.Errorf("%d writes", f.asked["PUT"])
	}
	c, _ = open(t, s.URL+"/gradine", nil)
	settled(t, c)
	for n := range byte(10) {
		list := c.Answers(question(n))
		if len(list) != 1 || !same(list[0], an(n, 10)) {
			t.Fatalf("%d: %v", n, list)
		}
		c.Found(list[0])
	}
	c.Close()
	if f.asked["PUT"] != 1 {
		t.Errorf("%d writes, though nothing was new", f.asked["PUT"])
	}
	if n := c.Counts(); n.Used != 10 || n.Others != 0 {
		t.Errorf("%v", n)
	}
	for _, change := range []func(*Options){func(o *Options) { o.Name = "q" }, func(o *Options) { o.Search = "w" }} {
		c, _ := open(t, s.URL+"/gradine", change)
		settled(t, c)
		if len(c.Answers(question(1))) > 0 {
			t.Error("an answer of another project or version")
		}
		c.Close()
	}
	if w.text() != "" {
		t.Error(w.text())
	}
}

// TestMerged: a bundle keeps what other branches and other users need, and drops what failed.
func TestMerged(t *testing.T) {
	_, s := newFake(t)
	c, _ := open(t, s.URL, nil)
	settled(t, c)
	open1 := &answer.Answer{Question: answer.Digest{1}, Verdict: "open", Steps: 5, MAC: []byte{1}}
	searched(c, open1)
	searched(c, an(2, 10))
	searched(c, an(3, 10))
	c.Close()
	c, _ = open(t, s.URL, nil)
	settled(t, c)
	open2 := &answer.Answer{Question: answer.Digest{1}, Verdict: "open", Steps: 5, MAC: []byte{2}}
	for _, a := range c.Answers(question(1)) {
		c.Refused(a, answer.Unsigned)
	}
	searched(c, open2)
	for _, a := range c.Answers(question(2)) {
		c.Refused(a, answer.False)
	}
	other := &answer.Answer{Question: answer.Digest{2}, Verdict: "refuted", Steps: 7, Counterexample: []byte("{}")}
	searched(c, other)
	c.Close()
	if text := strings.Join(c.Notes(), ""); !strings.Contains(text, "1 answers failed their check") {
		t.Errorf("%q", text)
	}
	c, _ = open(t, s.URL, nil)
	settled(t, c)
	defer c.Close()
	if list := c.Answers(question(1)); len(list) != 2 || !same(list[0], open2) || !same(list[1], open1) {
		t.Errorf("of two users: %v", list)
	}
	if list := c.Answers(question(2)); len(list) != 1 || !same(list[0], other) {
		t.Errorf("what failed its check stays: %v", list)
	}
	if list := c.Answers(question(3)); len(list) != 1 {
		t.Errorf("what this run had no use for is lost: %v", list)
	}
}

// TestSingle: the answer of a long search is found without its bundle, while the search runs.
func TestSingle(t *testing.T) {
	f, s := newFake(t)
	c, _ := open(t, s.URL, nil)
	settled(t, c)
	searched(c, an(1, longSearch))
	searched(c, an(2, longSearch-1))
	c.Close()
	if f.asked["PUT"] != 2 {
		t.Errorf("%d writes, want those of the bundle and of one answer", f.asked["PUT"])
	}
	f.mu.Lock()
	delete(f.entries, "ac/"+c.bundleKey())
	f.mu.Unlock()
	c, w := open(t, s.URL, nil)
	defer c.Close()
	settled(t, c)
	if len(c.Answers(question(1))) > 0 {
		t.Fatal("found too early")
	}
	select {
	case <-c.Arrival(question(1)):
	case <-time.After(fuse):
		t.Fatal("it does not arrive", w.text())
	}
	if list := c.Answers(question(1)); len(list) != 1 || !same(list[0], an(1, longSearch)) {
		t.Fatalf("%v", list)
	}
	// It failed its check: what has been offered does not arrive again.
	if c.Arrival(question(1)) != nil {
		t.Error("it arrives again")
	}
}

// TestBadServers: a server that is mute, dead or wrong is given up with one warning, and
// closing does not wait for it.
func TestBadServers(t *testing.T) {
	dead, deadURL := newFake(t)
	_ = dead
	_, closed := newFake(t)
	closed.Close()
	for name, test := range map[string]struct {
		server  string
		before  func(http.ResponseWriter, *http.Request) bool
		change  func([]byte) []byte
		warning string
	}{
		"mute":   {"", mute, nil, "no progress for 20ms"},
		"500":    {"", status(500), nil, "answers 500"},
		"503":    {"", status(503), nil, "answers 503"},
		"closed": {closed.URL, nil, nil, "going on without it"},
		"401":    {"", status(401), nil, "refuses to be read (401 Unauthorized): give credentials"},
		"redirect": {"", func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, deadURL.URL, http.StatusFound)
			return true
		}, nil, "redirects elsewhere"},
		"noise":       {"", nil, func([]byte) []byte { return wrap([]byte("<html>")) }, "not a bundle"},
		"login":       {"", nil, func([]byte) []byte { return []byte("<html>log in</html>") }, "not a bundle"},
		"nothing":     {"", nil, func([]byte) []byte { return nil }, "not a bundle"},
		"no result":   {"", nil, func([]byte) []byte { return []byte("\xff\xff\xff") }, ""},
		"cut":         {"", nil, func(b []byte) []byte { return wrap(unwrap(b)[:len(unwrap(b))-9]) }, "damaged"},
		"read-only":   {"", only("PUT", 405), nil, "cannot be written (405 Method Not Allowed); it is only read from now on"},
		"too large":   {"", only("PUT", 413), nil, "cannot be written (413"},
		"write fails": {"", only("PUT", 500), nil, "answers 500"},
	} {
		f, s := newFake(t)
		good, _ := open(t, s.URL, nil)
		settled(t, good)
		searched(good, an(1, 10))
		good.Close()
		f.mu.Lock()
		f.before, f.change = test.before, test.change
		before := f.asked[http.MethodGet] + f.asked[http.MethodPut]
		f.mu.Unlock()
		url := s.URL
		if test.server != "" {
			url = test.server
		}
		c, w := open(t, url, func(o *Options) {
			if name == "mute" {
				o.patience = 20 * time.Millisecond // however slow the computer is, nothing comes
			}
		})
		settled(t, c)
		for n := range byte(20) {
			searched(c, an(50+n, 2*longSearch))
		}
		c.Close()
		// What is under way when the server is given up ends; nothing else is asked for.
		f.mu.Lock()
		asked := f.asked[http.MethodGet] + f.asked[http.MethodPut] - before
		f.mu.Unlock()
		if strings.Contains(w.text(), "going on without it") && asked > atOnce {
			t.Errorf("%s: %d requests", name, asked)
		}
		if n := len(w.list); test.warning != "" && n != 1 || !strings.Contains(w.text(), test.warning) {
			t.Errorf("%s: %d warnings: %s", name, n, w.text())
		}
	}
}

// TestBomb: a small bundle that unpacks to much is an error, and costs little memory.
func TestBomb(t *testing.T) {
	for name, lines := range map[string]int{"lines": 3 << 20} {
		var list []*answer.Answer
		for range 3 {
			list = append(list, &answer.Answer{Certificate: bytes.Repeat([]byte("a"), 15<<20)})
		}
		for len(list) < 40 {
			list = append(list, list[0])
		}
		data, err := bundle.Encode("v", list)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bundle.Decode("v", data); err == nil || !strings.Contains(err.Error(), "more than") {
			t.Errorf("%s %d: %d bytes: %v", name, lines, len(data), err)
		}
	}
}

// TestServer: credentials go where they belong, and nowhere else.
func TestServer(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("NETRC", "")
	secret := "pass" + "word1"
	if err := os.WriteFile(filepath.Join(dir, ".netrc"), []byte("# mine\nmachine other.example login o password x\nmachine cache.example\n  login me password "+secret+"\nmacdef m\n machine evil.example login a password b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		remote, token, configured string
		user, password, bearer    string
		off                       bool
		err                       string
	}{
		"none":             {off: true},
		"off":              {configured: "https://cache.example/", remote: "off", off: true},
		"netrc":            {configured: "https://cache.example/g", user: "me", password: secret},
		"netrc, other":     {configured: "https://evil.example/g"},
		"token":            {remote: "https://ci.example/g", token: secret, bearer: secret},
		"token, file":      {configured: "https://evil.example/g", token: secret},
		"URL":              {remote: "https://u:" + secret + "@ci.example/g", user: "u", password: secret},
		"URL, file":        {configured: "https://u:" + secret + "@ci.example/g", err: "has credentials"},
		"unencrypted":      {remote: "http://u:" + secret + "@ci.example/g", err: "unencrypted"},
		"loopback":         {remote: "http://u:" + secret + "@127.0.0.1:80/g", user: "u", password: secret},
		"not a URL":        {remote: "http://u:" + secret + "@ci.example:port/%%", err: "is not a URL"},
		"another protocol": {remote: "ftp://u:" + secret + "@ci.example", err: "not an http or https URL"},
		"a file":           {remote: "/tmp/cache", err: "not an http or https URL"},
		"a query":          {remote: "https://ci.example/?a=b", err: "query"},
	} {
		t.Setenv(RemoteVariable, test.remote)
		t.Setenv(TokenVariable, test.token)
		s, ok, err := FindServer(test.configured)
		if err != nil || test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) || test.err == "" || secretIn(err.Error()) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if ok == test.off {
			t.Errorf("%s: found %t", name, ok)
		}
		if s.user != test.user || s.password != test.password || s.token != test.bearer {
			t.Errorf("%s: other credentials", name)
		}
		if ok && s.URL.User != nil {
			t.Errorf("%s: the URL has credentials", name)
		}
	}
}

// TestUnwrap never reads beyond a message.
func TestUnwrap(t *testing.T) {
	message := append([]byte{0x08, 0x96, 0x01, 0x11, 1, 2, 3, 4, 5, 6, 7, 8, 0x1d, 1, 2, 3, 4, 0x12, 2, 'x', 'y'}, wrap([]byte("content"))...)
	if got := unwrap(message); string(got) != "content" {
		t.Errorf("%q", got)
	}
	for i := range message {
		unwrap(message[:i])
	}
	for _, bad := range []string{"", "\x2a", "\x2a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x2a\x05ab", "\x0b", strings.Repeat("\xff", 20)} {
		if got := unwrap([]byte(bad)); got != nil {
			t.Errorf("%q: %q", bad, got)
		}
	}
}
