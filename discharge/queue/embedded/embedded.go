// Package embedded starts a NATS server inside this process. Workers on this machine can
// connect; with a password, so can workers on other machines.
package embedded

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Server is a running server.
type Server struct {
	*server.Server
	User, Password string // of clients
	dir            string
}

const (
	defaultPort = 4222
	room        = 1 << 30 // for the streams, in bytes of the disk
	readyWithin = 10 * time.Second
)

// Start starts the server that a URL such as embedded://USER:PASSWORD@HOST:PORT describes. The
// word "embedded" stands for port 4222 of this machine; port 0 is any free one. certificate and key
// are the files of its TLS certificate, "" for none. A server that other computers can reach needs both
// TLS and a password.
func Start(text, certificate, key string) (*Server, error) {
	o := &server.Options{
		ServerName: "gradine", Host: "127.0.0.1", Port: defaultPort, NoSigs: true, NoLog: true, JetStream: true,
		JetStreamMaxMemory: 1 << 20, JetStreamMaxStore: room, DisableJetStreamBanner: true,
	}
	if text != "embedded" {
		u, err := url.Parse(text)
		if err != nil || u.Scheme != "embedded" || u.Path != "" || u.RawQuery != "" || u.Fragment != "" {
			return nil, errors.New("not a server: write embedded or embedded://USER:PASSWORD@HOST:PORT")
		}
		if u.Hostname() != "" {
			o.Host = u.Hostname()
		}
		if port := u.Port(); port != "" {
			if o.Port, err = strconv.Atoi(port); err != nil {
				return nil, fmt.Errorf("port %s is not a number", port)
			}
			if o.Port == 0 {
				o.Port = server.RANDOM_PORT
			}
		}
		if u.User != nil {
			o.Username = u.User.Username()
			o.Password, _ = u.User.Password()
		}
	}
	at := net.JoinHostPort(o.Host, strconv.Itoa(o.Port))
	if certificate != "" {
		var err error
		if o.TLSConfig, err = server.GenTLSConfig(&server.TLSConfigOpts{CertFile: certificate, KeyFile: key}); err != nil {
			return nil, err
		}
		o.TLSTimeout = server.TLS_TIMEOUT.Seconds()
	}
	if ip := net.ParseIP(o.Host); o.Host != "localhost" && (ip == nil || !ip.IsLoopback()) && (o.Password == "" || o.TLSConfig == nil) {
		return nil, fmt.Errorf("other computers can reach %s: the server needs a password, embedded://USER:PASSWORD@%s, and a certificate", o.Host, at)
	}
	if o.Port > 0 { // the server itself would say nothing of a port that is taken
		l, err := net.Listen("tcp", at)
		if err != nil {
			return nil, fmt.Errorf("the server cannot start: %w", err)
		}
		l.Close()
	}
	dir, err := os.MkdirTemp("", "gradine-nats-")
	if err != nil {
		return nil, err
	}
	o.StoreDir = dir
	s, err := server.NewServer(o)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	running := &Server{s, o.Username, o.Password, dir}
	go s.Start()
	if !s.ReadyForConnections(readyWithin) {
		running.Close()
		return nil, fmt.Errorf("the server does not start at %s", at)
	}
	return running, nil
}

// Close ends the server.
func (s *Server) Close() {
	s.Shutdown()
	s.WaitForShutdown()
	os.RemoveAll(s.dir)
}
