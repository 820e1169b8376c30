package cache

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Server is where a cache is, and how it is asked.
type Server struct {
	URL *url.URL // without credentials
	Credentials
}

// client speaks the protocol: GET and PUT of /ac/KEY. A value is an ActionResult of Bazel's remote
// execution API whose stdout_raw is the content: servers that validate their values take it.
type client struct {
	Server
	patience time.Duration // how long a request may make no progress
	http     *http.Client
}

func newClient(s Server, patience time.Duration) *client {
	dialer := &net.Dialer{Timeout: patience}
	return &client{Server: s, patience: patience, http: &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSHandshakeTimeout: patience,
			MaxIdleConnsPerHost: 2 * atOnce, MaxConnsPerHost: 2 * atOnce, DisableCompression: true, ForceAttemptHTTP2: true,
		},
		// Credentials are for one server, and so is what is asked.
		CheckRedirect: func(next *http.Request, via []*http.Request) error {
			if len(via) > 3 || next.URL.Host != via[0].URL.Host || next.URL.Scheme != via[0].URL.Scheme {
				return errors.New("it redirects elsewhere")
			}
			return nil
		},
	}}
}

// refusedWrite is the answer of a server that can be read but not written.
type refusedWrite int

func (e refusedWrite) Error() string {
	return fmt.Sprintf("it cannot be written (%d %s)", int(e), http.StatusText(int(e)))
}

// get returns the content of an entry, nil if there is none, and never more than limit bytes.
func (c *client) get(ctx context.Context, key string, limit int) ([]byte, error) {
	var out []byte
	err := c.do(ctx, http.MethodGet, key, nil, func(status int, body io.Reader) error {
		switch {
		case status == http.StatusNotFound:
			return nil
		case status == http.StatusUnauthorized || status == http.StatusForbidden:
			return fmt.Errorf("it refuses to be read (%d %s): give credentials in a netrc file", status, http.StatusText(status))
		case status != http.StatusOK:
			return fmt.Errorf("it answers %d %s", status, http.StatusText(status))
		}
		const metadata = 1 << 20 // what the server may add
		data, err := io.ReadAll(io.LimitReader(body, int64(limit)+metadata))
		if err != nil {
			return err
		}
		if out = unwrap(data); out == nil {
			out = data // such as a page to log in: no bundle, and its reader says so
		}
		return nil
	})
	return out, err
}

// put writes an entry.
func (c *client) put(ctx context.Context, key string, data []byte) error {
	return c.do(ctx, http.MethodPut, key, wrap(data), func(status int, _ io.Reader) error {
		switch {
		case status/100 == 2:
			return nil
		case status/100 == 4:
			return refusedWrite(status)
		}
		return fmt.Errorf("it answers %d %s", status, http.StatusText(status))
	})
}

// idle is the cause of a request that made no progress for so long.
type idle time.Duration

func (e idle) Error() string { return fmt.Sprintf("no progress for %v", time.Duration(e)) }

// do makes one request, which ends when it makes no progress for a while.
func (c *client) do(ctx context.Context, method, key string, body []byte, read func(int, io.Reader) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(c.patience, func() { cancel(idle(c.patience)) })
	defer watch.Stop()
	alive := func(r io.Reader) io.Reader { return progress{r, func() { watch.Reset(c.patience) }} }
	var sent io.Reader
	if body != nil {
		sent = alive(bytes.NewReader(body))
	}
	request, err := http.NewRequestWithContext(ctx, method, c.URL.JoinPath("ac", key).String(), sent)
	if err != nil {
		return err
	}
	if body != nil {
		request.ContentLength = int64(len(body)) // servers of caches demand it
		request.Header.Set("Content-Type", "application/octet-stream")
	}
	c.Credentials.sign(request)
	response, err := c.http.Do(request)
	if err == nil {
		err = read(response.StatusCode, alive(response.Body))
		_, _ = io.CopyN(io.Discard, response.Body, 4096) // so that the connection serves the next request
		response.Body.Close()
	}
	if cause, ok := errors.AsType[idle](context.Cause(ctx)); ok && err != nil {
		return cause
	}
	// The error of the client repeats the URL, which the warning names, too.
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}

// progress is a reader that tells of every byte.
type progress struct {
	io.Reader
	made func()
}

func (p progress) Read(data []byte) (int, error) {
	n, err := p.Reader.Read(data)
	if n > 0 {
		p.made()
	}
	return n, err
}

// stdoutRaw is the tag of field 5 of an ActionResult: bytes with a length.
const stdoutRaw = 5<<3 | 2

// wrap makes an ActionResult of data.
func wrap(data []byte) []byte {
	return append(binary.AppendUvarint([]byte{stdoutRaw}, uint64(len(data))), data...)
}

// unwrap returns the data of an ActionResult, to which the server may have added fields; nil if
// there is none.
func unwrap(message []byte) []byte {
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 {
			return nil
		}
		message = message[n:]
		size := uint64(0)
		// The three low bits of a tag are its wire type in protocol buffers: a varint, 8 bytes, a length with so many
		// bytes, or 4 bytes. Groups (3 and 4) are obsolete and end the reading.
		switch tag & 7 {
		case 0:
			if _, n = binary.Uvarint(message); n <= 0 {
				return nil
			}
			size = uint64(n)
		case 1:
			size = 8
		case 2:
			if size, n = binary.Uvarint(message); n <= 0 {
				return nil
			}
			message = message[n:]
		case 5:
			size = 4
		default:
			return nil
		}
		if size > uint64(len(message)) {
			return nil
		}
		if tag == stdoutRaw {
			return message[:size]
		}
		message = message[size:]
	}
	return nil
}
