package shard

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/gradine/gradine/discharge/answer"
)

// Header says what a shard is of. It stands in the first line of its file.
type Header struct {
	Format string `json:"gradine"`
	Search string `json:"search"` // the version of the search
	Part   int    `json:"shard"`
	Of     int    `json:"of"`
	Work   string `json:"work"`             // digest of everything that the shards together search
	Commit string `json:"commit,omitempty"` // of the sources, if it is known; for messages only
}

// format names the format of a shard.
const format = "shard 1"

// footer is the last line of a shard: without it the file is truncated.
type footer struct {
	Answers  int    `json:"answers"`
	Complete bool   `json:"complete"` // the run was not interrupted
	SHA256   string `json:"sha256"`   // of all lines before
}

// Writer collects the answers of a shard. Its methods may be called by several goroutines.
type Writer struct {
	header Header
	mu     sync.Mutex
	lines  map[answer.Digest][]byte
}

// NewWriter returns a writer of a shard without answers.
func NewWriter(h Header) *Writer {
	h.Format = format
	return &Writer{header: h, lines: map[answer.Digest][]byte{}}
}

// Put adds an answer, the first one to each question.
func (w *Writer) Put(a *answer.Answer) {
	line, err := a.Encode()
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		return // it is too long, and searched again
	}
	if _, ok := w.lines[a.Question]; !ok {
		w.lines[a.Question] = line
	}
}

// Len is the number of answers.
func (w *Writer) Len() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.lines)
}

// Encode returns the text of the shard, its answers in the order of their questions; complete
// says that the run was not interrupted.
func (w *Writer) Encode(complete bool) ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	questions := make([]answer.Digest, 0, len(w.lines))
	for q := range w.lines {
		questions = append(questions, q)
	}
	slices.SortFunc(questions, func(a, b answer.Digest) int { return bytes.Compare(a[:], b[:]) })
	head, err := json.Marshal(w.header)
	if err != nil {
		return nil, err
	}
	out := append(head, '\n')
	for _, q := range questions {
		out = append(append(out, w.lines[q]...), '\n')
	}
	sum := sha256.Sum256(out)
	foot, err := json.Marshal(footer{len(questions), complete, hex.EncodeToString(sum[:])})
	return append(append(out, foot...), '\n'), err
}

// file is a shard as it was read.
type file struct {
	Header
	answers  []*answer.Answer
	bad      int   // lines that are no answers
	broken   error // why the file is not whole, if it is not
	complete bool
	sum      [sha256.Size]byte // of all its text
}

// decode reads a shard. What can be read of a damaged one is kept, with the damage; an error says
// that it is no shard at all.
func decode(in io.Reader) (*file, error) {
	x := &file{}
	all := sha256.New() // of the lines before this one
	whole := sha256.New()
	r := bufio.NewReaderSize(in, 1<<16)
	var last []byte // a line that may be the footer
	first := true
	for {
		line, err := answer.ReadLine(r)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			x.broken = err
			break
		}
		whole.Write(line)
		whole.Write([]byte("\n"))
		if first {
			first = false
			if err := strict(line, &x.Header); err != nil || x.Format != format || x.Of < 1 || x.Of > MaxParts || x.Part < 1 || x.Part > x.Of {
				return nil, errors.New("not a shard of this version of gradine")
			}
			all.Write(line)
			all.Write([]byte("\n"))
			continue
		}
		if last != nil {
			x.put(last)
			all.Write(last)
			all.Write([]byte("\n"))
		}
		last = line
	}
	if first {
		return nil, errors.New("not a shard: the file is empty")
	}
	whole.Sum(x.sum[:0])
	var foot footer
	switch {
	case x.broken != nil:
	case last == nil || strict(last, &foot) != nil:
		if last != nil {
			x.put(last)
		}
		x.broken = fmt.Errorf("truncated after %d answers", len(x.answers))
	case foot.SHA256 != hex.EncodeToString(all.Sum(nil)) || foot.Answers != len(x.answers)+x.bad:
		x.broken = errors.New("changed since it was written")
	}
	x.complete = foot.Complete
	return x, nil
}

func (x *file) put(line []byte) {
	a, err := answer.Decode(line)
	if err != nil {
		x.bad++
		return
	}
	x.answers = append(x.answers, a)
}

// strict reads one value of JSON that has no unknown keys.
func strict(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("text after the value")
	}
	return nil
}
