package lsp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/creachadair/jrpc2/channel"
)

// connection is the channel to an editor. It ends with its context, though the editor may
// leave its side open and go on: jrpc2 sees the end of its input, which is the one way to
// stop it that cannot meet a message on the way. Its Stop does, and then panics.
type connection struct {
	channel.Channel
	in       *bufio.Reader
	sending  sync.Mutex
	ended    <-chan struct{}
	messages chan message
}

type message struct {
	data []byte
	err  error
}

func connect(ctx context.Context, in io.Reader, out io.WriteCloser) *connection {
	c := &connection{Channel: channel.LSP(in, out), in: bufio.NewReaderSize(in, maxHeader), ended: ctx.Done(), messages: make(chan message)}
	go c.listen()
	return c
}

// What an editor may say in one message: more would have to be held in memory.
const (
	maxMessage = 64 << 20
	maxHeader  = 4 << 10 // a line of a header
)

// Send sends one message after the other.
func (c *connection) Send(data []byte) error {
	c.sending.Lock()
	defer c.sending.Unlock()
	return c.Channel.Send(data)
}

// read reads the next message. One that is too long is passed over, and the editor is told.
func (c *connection) read() ([]byte, error) {
	for {
		length, err := c.header()
		if err != nil {
			return nil, err
		}
		if length <= maxMessage {
			data := make([]byte, length)
			_, err := io.ReadFull(c.in, data)
			return data, err
		}
		// It is unknown which request it is.
		answer := fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"a message of %d bytes is passed over: it may have %d"}}`, length, maxMessage)
		if err := c.Send([]byte(answer)); err != nil {
			return nil, err
		}
		if _, err := io.CopyN(io.Discard, c.in, length); err != nil {
			return nil, err
		}
	}
}

// header reads the lines before a message, and returns its length.
func (c *connection) header() (length int64, err error) {
	length = -1
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil && (err != io.EOF || len(line) == 0) {
			return 0, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" {
			break
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return 0, errors.New("invalid header line")
		}
		if strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64); err != nil || length < 0 {
				return 0, errors.New("invalid content-length")
			}
		}
	}
	if length < 0 {
		return 0, errors.New("missing required content-length")
	}
	return length, nil
}

// listen hands on what the editor says. It may wait for one more word after the end.
func (c *connection) listen() {
	for {
		data, err := c.read()
		select {
		case c.messages <- message{data, err}:
		case <-c.ended:
			return
		}
		if err != nil {
			return
		}
	}
}

// Recv returns the next message, io.EOF from the end on.
func (c *connection) Recv() ([]byte, error) {
	select {
	case <-c.ended:
		return nil, io.EOF
	default:
	}
	select {
	case m := <-c.messages:
		return m.data, m.err
	case <-c.ended:
		return nil, io.EOF
	}
}
