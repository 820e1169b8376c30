package mcp

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// messages passes on the lines of a stream that are messages. Any other line gets an error, as JSON-RPC 2.0 (section 5.1)
// asks for, and costs nothing else: what serves messages ends with the first line that is none.
type messages struct {
	in    io.ReadCloser
	lines *bufio.Reader
	rest  []byte // of the line that is read
	out   io.Writer
}

func newMessages(in io.ReadCloser, out io.Writer) *messages {
	return &messages{in: in, lines: bufio.NewReader(in), out: out}
}

// Read reads from the lines that are messages.
func (m *messages) Read(p []byte) (int, error) {
	for len(m.rest) == 0 {
		line, err := m.lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) > 0 {
			err = nil
		}
		if err != nil {
			return 0, err
		}
		if m.rest, err = m.checked(line); err != nil {
			return 0, err
		}
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	return n, nil
}

// Close closes the stream.
func (m *messages) Close() error { return m.in.Close() }

// checked is a line that is a message; nothing, and an answer that says why, if it is none.
func (m *messages) checked(line []byte) ([]byte, error) {
	code, why := int64(jsonrpc.CodeInvalidRequest), "this is no message of JSON-RPC 2.0"
	if !json.Valid(line) {
		code, why = jsonrpc.CodeParseError, "this line is not JSON"
	} else if _, err := jsonrpc.DecodeMessage(line); err == nil {
		return line, nil
	} else {
		why += ": " + err.Error()
	}
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": why}})
	if err == nil {
		_, err = m.out.Write(append(answer, '\n'))
	}
	return nil, err
}

// shared is a stream that several write lines to.
type shared struct {
	io.WriteCloser
	mu sync.Mutex
}

// Write writes one line.
func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.WriteCloser.Write(p)
}
