package embedded_test

import (
	"net"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge/queue/embedded"
)

// TestRefused: a server that strangers could use, and a URL that is not understood, start nothing.
func TestRefused(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for url, want := range map[string]string{
		"embedded://0.0.0.0:0":                "needs a password",
		"embedded://u:secret@0.0.0.0:0":       "needs a password", // it has no certificate
		"embedded://example.org:0":            "needs a password",
		"embedded://[::]:0":                   "needs a password",
		"nats://127.0.0.1:0":                  "not a server",
		"embedded://127.0.0.1:0/path":         "not a server",
		"embedded://127.0.0.1:0?tls=no":       "not a server",
		"embedded://127.0.0.1:port":           "not a server",
		"":                                    "not a server",
		"embedded://" + taken.Addr().String(): "cannot start",
	} {
		s, err := embedded.Start(url, "", "")
		if err == nil {
			s.Close()
			t.Errorf("%s starts", url)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", url, err, want)
		}
	}
	if s, err := embedded.Start("embedded://127.0.0.1:0", "missing.pem", "missing.pem"); err == nil {
		s.Close()
		t.Error("a server without its certificate starts")
	}
}

// TestStart: the password is that of the URL, and the server listens on this computer alone.
func TestStart(t *testing.T) {
	s, err := embedded.Start("embedded://u:secret@127.0.0.1:0", "", "")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.User != "u" || s.Password != "secret" || !strings.HasPrefix(s.ClientURL(), "nats://127.0.0.1:") {
		t.Errorf("user %q, password %q, at %s", s.User, s.Password, s.ClientURL())
	}
}
