package cli

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/bundle"
)

// raw takes the connection of a request and writes to it what speak says.
func raw(w http.ResponseWriter, speak func(write func(string) bool)) {
	conn, out, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	speak(func(text string) bool {
		_, err := out.WriteString(text)
		return err == nil && out.Flush() == nil
	})
}

// TestHostileCaches: whatever a server does to the protocol, the output is the same, and no server is waited for to the end.
func TestHostileCaches(t *testing.T) {
	dir := sharded(t)
	kept := &shelf{entries: map[string][]byte{}}
	server := httptest.NewServer(kept)
	defer server.Close()
	fresh(t, "a")
	want, _, wantCode := shell(t, "-C", dir, "prove", "--format", "jsonl")
	t.Setenv("GRADINE_CACHE_REMOTE", server.URL)
	fresh(t, "a")
	shell(t, "-C", dir, "prove")
	if len(kept.entries) == 0 {
		t.Fatal("nothing is written")
	}
	const ok = "HTTP/1.1 200 OK\r\n"
	again := func(change func(lines [][]byte) [][]byte) func(http.ResponseWriter, *http.Request, []byte) {
		return func(w http.ResponseWriter, _ *http.Request, content []byte) {
			_, n := binary.Uvarint(content[1:])
			answers, err := bundle.Decode(discharge.SearchVersion(), content[1+n:])
			if err != nil {
				t.Error(err)
			}
			var texts [][]byte
			for _, a := range answers {
				texts = append(texts, a.Certificate)
			}
			for i, text := range change(texts) {
				answers[i%len(answers)].Certificate = text
			}
			data, err := bundle.Encode(discharge.SearchVersion(), append(answers, answers...))
			if err != nil {
				t.Error(err)
			}
			_, _ = w.Write(append(binary.AppendUvarint([]byte{0x2a}, uint64(len(data))), data...))
		}
	}
	for name, handle := range map[string]func(w http.ResponseWriter, r *http.Request, content []byte){
		"more promised than sent": func(w http.ResponseWriter, _ *http.Request, content []byte) {
			raw(w, func(write func(string) bool) {
				write(fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", ok, 2*len(content), content))
			})
		},
		"zeros without end": func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			raw(w, func(write func(string) bool) {
				write(ok + "Connection: close\r\n\r\n")
				for zeros := strings.Repeat("\x00", 1<<20); write(zeros); {
				}
			})
		},
		"redirects in a circle": func(w http.ResponseWriter, r *http.Request, _ []byte) {
			http.Redirect(w, r, r.URL.Path+"?again", http.StatusFound)
		},
		"redirects to a file": func(w http.ResponseWriter, r *http.Request, _ []byte) {
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		},
		"a part": func(w http.ResponseWriter, _ *http.Request, content []byte) {
			w.WriteHeader(http.StatusPartialContent)
			_, _ = w.Write(content[:len(content)/2])
		},
		"a page": func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			_, _ = w.Write([]byte("<html><body>Log in</body></html>"))
		},
		"a byte every 100 ms": func(w http.ResponseWriter, _ *http.Request, content []byte) {
			raw(w, func(write func(string) bool) {
				write(fmt.Sprintf("%sContent-Length: %d\r\n\r\n", ok, len(content)))
				for i := 0; i < len(content) && write(string(content[i:i+1])); i++ {
					time.Sleep(100 * time.Millisecond)
				}
			})
		},
		"a header every 100 ms": func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			raw(w, func(write func(string) bool) {
				write(ok)
				for i := 0; i < 10_000 && write(fmt.Sprintf("X-%d: x\r\n", i)); i++ {
					time.Sleep(100 * time.Millisecond)
				}
			})
		},
		"unauthorised": func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			w.Header().Set("WWW-Authenticate", `Basic realm="<script>"`)
			w.WriteHeader(http.StatusUnauthorized)
		},
		"too many": func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			w.Header().Set("Retry-After", "86400")
			w.WriteHeader(http.StatusTooManyRequests)
		},
		"nothing": func(w http.ResponseWriter, _ *http.Request, _ []byte) { w.WriteHeader(http.StatusNoContent) },
		"compressed twice": func(w http.ResponseWriter, _ *http.Request, content []byte) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = z.Write(content)
			_ = z.Close()
		},
		"cut": func(w http.ResponseWriter, _ *http.Request, content []byte) {
			_, _ = w.Write(content[:len(content)*2/3])
		},
		"everything twice":       again(func(texts [][]byte) [][]byte { return texts }),
		"certificates exchanged": again(func(texts [][]byte) [][]byte { return append(texts[1:len(texts):len(texts)], texts[0]) }),
		"closed after the head": func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			raw(w, func(write func(string) bool) { write(ok + "Content-Length: 9\r\n\r\n") })
		},
		"HTTP/1.0": func(w http.ResponseWriter, _ *http.Request, content []byte) {
			raw(w, func(write func(string) bool) { write("HTTP/1.0 200 OK\r\n\r\n" + string(content)) })
		},
		"large headers": func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			raw(w, func(write func(string) bool) {
				write(ok)
				for line := "X: " + strings.Repeat("x", 1<<16) + "\r\n"; write(line); {
				}
			})
		},
		"noise": func(w http.ResponseWriter, _ *http.Request, _ []byte) {
			raw(w, func(write func(string) bool) { write("\x16\x03\x01 what?") })
		},
	} {
		t.Run(name, func(t *testing.T) {
			kept.mu.Lock()
			kept.handle = func(w http.ResponseWriter, r *http.Request, content []byte) {
				if r.Method == http.MethodGet && content == nil {
					content = bytes.Repeat([]byte("x"), 100) // of what the server does not have
				}
				if r.Method == http.MethodPut || (name == "everything twice" || name == "certificates exchanged") && content[0] == 'x' {
					http.NotFound(w, r)
					return
				}
				handle(w, r, content)
			}
			kept.mu.Unlock()
			fresh(t, "a")
			began := time.Now()
			want := want
			got, errs, code := shell(t, "-C", dir, "prove", "--format", "jsonl")
			t.Logf("%v: %s", time.Since(began).Round(time.Millisecond), errs)
			// A certificate of another question may be one of this, too: then it counts, and its steps are unknown.
			if name == "certificates exchanged" && !strings.Contains(got, `"open","steps":null`) {
				got, want = stepsOf.ReplaceAllString(got, ""), stepsOf.ReplaceAllString(want, "")
			}
			if got != want || code != wantCode {
				t.Errorf("exit code %d, want %d\n%s\n%s", code, wantCode, errs, got)
			}
		})
	}
}
