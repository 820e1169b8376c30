// Package bundle packs answers into one compressed file, so that a project's proof cache can
// be shared without a server. A bundle is not trusted: every answer is checked when it is used.
package bundle

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/klauspost/compress/zstd"
)

// magic begins a bundle, uncompressed, so that servers and people can tell what it is.
const magic = "gradine bundle 1\n"

// Limits of what is read.
const (
	MaxBytes   = 64 << 20  // of a bundle
	MaxText    = 512 << 20 // of a bundle, unpacked
	maxWindow  = 64 << 20  // memory of the decoder
	maxVersion = 64        // of the name of a version of the search
)

// ErrVersion is the error of a bundle of another version of the search.
var ErrVersion = errors.New("of another version of the search")

// Encode packs answers of the named version of the search, in their order.
func Encode(search string, answers []*answer.Answer) ([]byte, error) {
	out := bytes.NewBufferString(magic)
	// One frame: most of what answers have in common is in other answers.
	z, err := zstd.NewWriter(out, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(8<<20))
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(z, "%s\n", search)
	for _, a := range answers {
		line, err := a.Encode()
		if err != nil {
			return nil, err
		}
		if _, err := z.Write(append(line, '\n')); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	if out.Len() > MaxBytes {
		return nil, fmt.Errorf("a bundle of %d bytes; the limit is %d", out.Len(), MaxBytes)
	}
	return out.Bytes(), nil
}

// Decode unpacks a bundle. It returns what could be read of a damaged one, with an error that says
// what is wrong with it.
func Decode(search string, data []byte) ([]*answer.Answer, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("a bundle of more than %d bytes", MaxBytes)
	}
	packed, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok {
		return nil, errors.New("not a bundle of this version of gradine")
	}
	// One decoder with a bounded window: what a stranger compressed cannot take more memory than the limits say.
	z, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxText))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	text := &io.LimitedReader{R: z, N: MaxText}
	in := bufio.NewReaderSize(text, 1<<16)
	var out []*answer.Answer
	for first := true; ; first = false {
		line, err := answer.ReadLine(in)
		switch {
		// The reader stops at the limit as at an end of the text. Only what is left over tells the two apart.
		case errors.Is(err, io.EOF) && text.N == 0:
			return out, fmt.Errorf("a bundle with more than %d bytes of text", MaxText)
		case errors.Is(err, io.EOF) && first:
			return nil, errors.New("an empty bundle")
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return out, fmt.Errorf("damaged: %w", err)
		case first && len(line) > maxVersion:
			return nil, errors.New("not a bundle")
		case first && string(line) != search:
			return nil, fmt.Errorf("%w: %q, and this is %q", ErrVersion, line, search)
		case first:
			continue
		}
		a, err := answer.Decode(line)
		if err != nil {
			return out, fmt.Errorf("damaged: %w", err)
		}
		out = append(out, a)
	}
}
