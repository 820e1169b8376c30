package queue

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// Server is a NATS server and how to reach it. Credentials are never printed.
type Server struct {
	urls     string // may have a user and a password
	options  []nats.Option
	redacted string
}

// String names the server without credentials.
func (s Server) String() string { return s.redacted }

// GoString hides credentials, too.
func (s Server) GoString() string { return s.redacted }

// The variables of the environment that say how to prove to a server who asks. They have the names
// that NATS's own command line gives them.
const (
	CredentialsVariable = "NATS_CREDS" // file of a user's JWT and seed
	NKeyVariable        = "NATS_NKEY"  // file of a seed
	UserVariable        = "NATS_USER"
	PasswordVariable    = "NATS_PASSWORD"
	TokenVariable       = "NATS_TOKEN"
	AuthorityVariable   = "NATS_CA"   // file of certificate authorities
	CertificateVariable = "NATS_CERT" // file of the client's certificate
	KeyVariable         = "NATS_KEY"  // file of its key
)

// ParseServer reads one URL or several with commas between them, and the credentials of the
// environment. Credentials are sent over TLS only, except to this machine.
func ParseServer(urls string) (Server, error) {
	s := Server{urls: urls}
	var names []string
	local, secret := true, false
	for _, text := range strings.Split(urls, ",") {
		u, err := url.Parse(strings.TrimSpace(text))
		if err != nil || u.Host == "" { // the error of the parser repeats the text, which may have a password
			return Server{}, errors.New("not the URL of a NATS server: write nats://HOST:4222")
		}
		switch u.Scheme {
		case "nats":
			local = local && loopback(u.Hostname())
		case "tls", "wss":
		default:
			return Server{}, fmt.Errorf("%s is not the URL of a NATS server: write nats://, tls:// or wss://", u.Redacted())
		}
		secret = secret || u.User != nil
		u.User = nil
		names = append(names, u.String())
	}
	s.redacted = strings.Join(names, ",")
	get := os.Getenv
	if file := get(CredentialsVariable); file != "" {
		if _, err := os.Stat(file); err != nil {
			return Server{}, fmt.Errorf("%s: %w", CredentialsVariable, err)
		}
		s.options = append(s.options, nats.UserCredentials(file))
	}
	if file := get(NKeyVariable); file != "" {
		option, err := nats.NkeyOptionFromSeed(file)
		if err != nil {
			return Server{}, fmt.Errorf("%s: %w", NKeyVariable, err)
		}
		s.options = append(s.options, option)
	}
	if user := get(UserVariable); user != "" {
		s.options = append(s.options, nats.UserInfo(user, get(PasswordVariable)))
		secret = true
	}
	if token := get(TokenVariable); token != "" {
		s.options = append(s.options, nats.Token(token))
		secret = true
	}
	secured := false
	if file := get(AuthorityVariable); file != "" {
		if _, err := os.Stat(file); err != nil {
			return Server{}, fmt.Errorf("%s: %w", AuthorityVariable, err)
		}
		s.options = append(s.options, nats.RootCAs(file))
		secured = true // the client then insists on TLS
	}
	switch certificate, key := get(CertificateVariable), get(KeyVariable); {
	case (certificate == "") != (key == ""):
		return Server{}, fmt.Errorf("%s and %s belong together: set both", CertificateVariable, KeyVariable)
	case certificate != "":
		for _, file := range []string{certificate, key} {
			if _, err := os.Stat(file); err != nil {
				return Server{}, err
			}
		}
		s.options = append(s.options, nats.ClientCert(certificate, key))
		secured = true
	}
	if secret && !local && !secured {
		return Server{}, fmt.Errorf("a password for %s would be sent unencrypted: write tls://", s)
	}
	return s, nil
}

func loopback(host string) bool {
	return host == "localhost" || strings.HasPrefix(host, "127.") || host == "::1"
}

// InProcess is a server of this process, for a client with a user and a
// password if there are any.
func InProcess(server nats.InProcessConnProvider, name, user, password string) Server {
	s := Server{options: []nats.Option{nats.InProcessServer(server)}, redacted: name}
	if user != "" {
		s.options = append(s.options, nats.UserInfo(user, password))
	}
	return s
}

// reconnectWait is how long a client waits between two attempts to connect.
const reconnectWait = 500 * time.Millisecond

// connect returns a connection that is made, and made again, whenever the server can be reached.
func (s Server) connect(name string, more ...nats.Option) (*nats.Conn, error) {
	options := append([]nats.Option{
		nats.Name(name), nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(reconnectWait),
		nats.ReconnectJitter(reconnectWait/4, reconnectWait/4), nats.Timeout(requestTimeout),
		nats.ReconnectBufSize(-1), // what is sent without a connection is an error: the table of jobs sends it again
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}), // it would write to the standard error
	}, s.options...)
	return nats.Connect(s.urls, append(options, more...)...)
}
