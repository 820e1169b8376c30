package cache

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Credentials prove to a server who asks. They are never printed.
type Credentials struct {
	user, password string
	token          string
}

// String hides what credentials are.
func (c Credentials) String() string { return "credentials" }

// GoString hides what credentials are.
func (c Credentials) GoString() string { return "credentials" }

func (c Credentials) empty() bool { return c == Credentials{} }

func (c Credentials) sign(r *http.Request) {
	switch {
	case c.token != "":
		r.Header.Set("Authorization", "Bearer "+c.token)
	case c.user != "" || c.password != "":
		r.SetBasicAuth(c.user, c.password)
	}
}

// The variables of the environment.
const (
	RemoteVariable   = "GRADINE_CACHE_REMOTE"
	TokenVariable    = "GRADINE_CACHE_TOKEN"
	ReadOnlyVariable = "GRADINE_CACHE_READ_ONLY"
)

// FindServer returns the server of $GRADINE_CACHE_REMOTE or, if that is empty, the one that
// gradine.toml configures; ok is false if there is none. Credentials come from the URL or the token in
// the environment, or from the netrc file. Those of the environment are for the server of the
// environment alone: the author of a change of gradine.toml must not choose where they are sent.
func FindServer(configured string) (s Server, ok bool, err error) {
	text, from := os.Getenv(RemoteVariable), RemoteVariable
	if text == "" {
		if text, from = configured, "[cache] remote"; text == "" || text == "off" {
			return Server{}, false, nil
		}
	}
	if text == "off" {
		return Server{}, false, nil
	}
	u, err := url.Parse(text)
	switch {
	case err != nil: // the error of the parser repeats the text, which may have a password
		return Server{}, false, fmt.Errorf("%s is not a URL", from)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return Server{}, false, fmt.Errorf("%s: %q is not an http or https URL", from, u.Redacted())
	case u.RawQuery != "" || u.Fragment != "":
		return Server{}, false, fmt.Errorf("%s: %q has a query or a fragment", from, u.Redacted())
	case u.User != nil && from != RemoteVariable:
		return Server{}, false, fmt.Errorf("%s has credentials: put them into a netrc file, or use %s", from, RemoteVariable)
	}
	if from == RemoteVariable {
		s.token = os.Getenv(TokenVariable)
		if u.User != nil {
			s.user = u.User.Username()
			s.password, _ = u.User.Password()
		}
	}
	u.User = nil
	s.URL = u
	if s.empty() {
		s.user, s.password = netrc(u.Hostname())
	}
	if !s.empty() && u.Scheme == "http" && !loopback(u.Hostname()) {
		return Server{}, false, fmt.Errorf("%s: credentials for %s would be sent unencrypted: use https", from, u.Redacted())
	}
	return s, true, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// netrc returns user and password for a host from the netrc file, if it has them.
func netrc(host string) (user, password string) {
	name := os.Getenv("NETRC")
	if name == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", ""
		}
		name = filepath.Join(home, ".netrc")
	}
	const enough = 1 << 20
	info, err := os.Stat(name)
	if err != nil || info.Size() > enough || !info.Mode().IsRegular() {
		return "", ""
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", ""
	}
	u, p, err := parseNetrc(string(data), host)
	if err != nil {
		return "", ""
	}
	return u, p
}

var errNoEntry = errors.New("no entry for the host")

// parseNetrc finds the first entry for host, or the default one.
func parseNetrc(text, host string) (user, password string, err error) {
	var words []string
	for line := range strings.Lines(text) {
		// A macro goes on to the next blank line, which fields do not show: it ends the file here.
		if strings.HasPrefix(strings.TrimSpace(line), "macdef") {
			break
		}
		if before, _, ok := strings.Cut(line, " #"); ok {
			line = before
		}
		if !strings.HasPrefix(line, "#") {
			words = append(words, strings.Fields(line)...)
		}
	}
	mine, any := false, false
	for i := 0; i < len(words); i++ {
		next := func() string {
			if i++; i < len(words) {
				return words[i]
			}
			return ""
		}
		switch words[i] {
		case "machine", "default":
			if mine {
				return user, password, nil
			}
			if words[i] == "default" {
				mine = true
			} else {
				mine = strings.EqualFold(next(), host)
			}
			any = any || mine
		case "login":
			if w := next(); mine {
				user = w
			}
		case "password":
			if w := next(); mine {
				password = w
			}
		case "account":
			next()
		}
	}
	if !any {
		return "", "", errNoEntry
	}
	return user, password, nil
}
