package animator

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// The page: bundled from web/*.jsx and committed.
//
//go:embed web/page.js web/page.css web/page.html web/LICENSES.txt
var assets embed.FS

// mostAsked is the size of the largest question.
const mostAsked = 64 << 20

// policy lets the page load nothing but what the program serves. Styles stand in pictures, too.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Server serves one animation.
type Server struct {
	session  session
	listener net.Listener
	token    string
	host     string
}

// Options say what is served.
type Options struct {
	Open  Opener
	Write Writer
	Texts func() map[string][]byte // by absolute path, above the files: those of an editor; nil: none are
}

// Listen opens a port of the loopback interface, with a token that pages must know.
func Listen(o Options) (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return &Server{session: session{open: o.Open, write: o.Write, texts: o.Texts}, listener: listener, token: rand.Text(), host: listener.Addr().String()}, nil
}

// URL is where the page is.
func (s *Server) URL() string { return "http://" + s.host + "/" + s.token + "/" }

// Serve answers until ctx ends.
func (s *Server) Serve(ctx context.Context) error {
	server := &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	defer context.AfterFunc(ctx, func() { server.Close() })()
	if err := server.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// ServeHTTP answers only the page and its questions: the host is the one that was printed, so that no
// name of a foreign page leads here; the token is in the path; questions come from the page itself.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("Content-Security-Policy", policy)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("Cross-Origin-Resource-Policy", "same-origin")
	head.Set("Cross-Origin-Opener-Policy", "same-origin")
	head.Set("Cache-Control", "no-store")
	token, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch {
	case r.Host != s.host:
		refuse(w, http.StatusForbidden, "this host is not served")
	case subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) != 1:
		refuse(w, http.StatusForbidden, "the token is missing or wrong: open the URL that gradine printed")
	case name == "ask":
		s.ask(w, r)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		refuse(w, http.StatusMethodNotAllowed, "only questions are posted")
	default:
		file(w, name)
	}
}

func refuse(w http.ResponseWriter, code int, why string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	fmt.Fprintln(w, why)
}

// files are those of the page, with their types: nothing else is served.
var files = map[string][2]string{
	"":             {"web/page.html", "text/html; charset=utf-8"},
	"page.js":      {"web/page.js", "text/javascript; charset=utf-8"},
	"page.css":     {"web/page.css", "text/css; charset=utf-8"},
	"LICENSES.txt": {"web/LICENSES.txt", "text/plain; charset=utf-8"},
}

func file(w http.ResponseWriter, name string) {
	known, ok := files[name]
	if !ok {
		refuse(w, http.StatusNotFound, "there is no such file")
		return
	}
	data, err := assets.ReadFile(known[0])
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", known[1])
	_, _ = w.Write(data) // a page that has gone needs none
}

// ask answers a question, which is posted by the page itself.
func (s *Server) ask(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method != http.MethodPost:
		refuse(w, http.StatusMethodNotAllowed, "questions are posted")
		return
	case r.Header.Get("Origin") != "http://"+s.host:
		refuse(w, http.StatusForbidden, "questions come from the page itself")
		return
	case r.Header.Get("Content-Type") != "application/json":
		refuse(w, http.StatusUnsupportedMediaType, "questions are JSON")
		return
	}
	var q request
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostAsked))
	if err == nil {
		err = json.Unmarshal(data, &q)
	}
	if err != nil {
		refuse(w, http.StatusBadRequest, "no question: "+err.Error())
		return
	}
	out, err := json.Marshal(s.session.ask(r.Context(), q))
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(out) // a page that has gone needs none
}
