package lsp

import (
	"context"
	"io"
	"slices"

	"github.com/creachadair/jrpc2/channel"
)

// connection is the channel to an editor. It ends with its context, though the editor may
// leave its side open and go on: jrpc2 sees the end of its input, which is the one way to
// stop it that cannot meet a message on the way. Its Stop does, and then panics.
type connection struct {
	channel.Channel
	ended    <-chan struct{}
	messages chan message
}

type message struct {
	data []byte
	err  error
}

func connect(ctx context.Context, in io.Reader, out io.WriteCloser) *connection {
	c := &connection{Channel: channel.LSP(in, out), ended: ctx.Done(), messages: make(chan message)}
	go c.listen()
	return c
}

// listen hands on what the editor says. It may wait for one more word after the end.
func (c *connection) listen() {
	for {
		data, err := c.Channel.Recv()
		select {
		case c.messages <- message{slices.Clone(data), err}: // the next one is read into the same bytes
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
