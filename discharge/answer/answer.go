// Package answer defines the answer to one question of a search, as stores, shards, caches and
// workers exchange it. It checks only the keyed digest; the receiver checks what the answer claims.
package answer

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/gradine/gradine/logic/text"
)

// Digest is the digest of a question: of a sequent to the letter, the settings and the version
// of the search.
type Digest [sha256.Size]byte

func (d Digest) String() string { return hex.EncodeToString(d[:]) }

// MarshalText writes d in hexadecimal digits.
func (d Digest) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, d[:]), nil }

// UnmarshalText reads hexadecimal digits.
func (d *Digest) UnmarshalText(data []byte) error {
	if len(data) != hex.EncodedLen(len(d)) {
		return fmt.Errorf("%.80q is not a digest", data)
	}
	_, err := hex.Decode(d[:], data)
	return err
}

// Answer is what a search found.
type Answer struct {
	Question Digest
	Verdict  string
	End      string             // how a search ended in vain; it counts only if the answer is signed
	Steps    int64              // search steps; they count only if the answer is signed
	Core     []text.Fingerprint // of a proof: the hypotheses it uses
	// Certificate is the text of a proof. It is checked by the proof kernel before it counts.
	Certificate []byte
	// Counterexample is a model in JSON. It is checked by the evaluator before it counts.
	Counterexample []byte
	// MAC is the keyed digest of all other fields, empty if the answer is not signed.
	MAC []byte
}

// Refusal is why an answer does not count; "" if it counts.
type Refusal string

// The refusals.
const (
	Unsigned Refusal = "unsigned" // it claims what cannot be checked, and the reader's key has not signed it
	False    Refusal = "false"    // it failed its check
)

// MaxLine bounds the encoded size of an answer in bytes. A longer one is searched again.
const MaxLine = 16 << 20

// line is the encoding of an answer: one line of JSON.
type line struct {
	Question       Digest          `json:"question"`
	Verdict        string          `json:"verdict"`
	End            string          `json:"end,omitempty"`
	Steps          int64           `json:"steps"`
	Core           []Digest        `json:"core,omitempty"`
	Certificate    string          `json:"certificate,omitempty"`
	Counterexample json.RawMessage `json:"counterexample,omitempty"`
	MAC            string          `json:"hmac,omitempty"`
}

// Encode returns a as one line of JSON, without the line feed.
func (a *Answer) Encode() ([]byte, error) {
	x := line{Question: a.Question, Verdict: a.Verdict, End: a.End, Steps: a.Steps, Certificate: string(a.Certificate), Counterexample: a.Counterexample, MAC: hex.EncodeToString(a.MAC)}
	for _, f := range a.Core {
		x.Core = append(x.Core, Digest(f))
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(x); err != nil {
		return nil, err
	}
	if out.Len() > MaxLine {
		return nil, fmt.Errorf("an answer of %d bytes; the limit is %d", out.Len(), MaxLine)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// Decode reads one line of JSON. An error says that it is not an answer; what the answer
// claims is not checked.
func Decode(data []byte) (*Answer, error) {
	if len(data) > MaxLine {
		return nil, fmt.Errorf("an answer of %d bytes; the limit is %d", len(data), MaxLine)
	}
	var x line
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&x); err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text after the answer")
	}
	mac, err := hex.DecodeString(x.MAC)
	if err != nil {
		return nil, errors.New("hmac is not hexadecimal")
	}
	if x.Steps < 0 {
		return nil, fmt.Errorf("%d is not a number of steps", x.Steps)
	}
	a := &Answer{Question: x.Question, Verdict: x.Verdict, End: x.End, Steps: x.Steps, Certificate: []byte(x.Certificate), Counterexample: x.Counterexample, MAC: mac}
	for _, f := range x.Core {
		a.Core = append(a.Core, text.Fingerprint(f))
	}
	return a, nil
}

// Sign adds the keyed digest of a. Without a key it does nothing.
func (a *Answer) Sign(k *Key) {
	if k != nil {
		a.MAC = a.mac(k)
	}
}

// Signed reports whether a holder of k has signed a, as it is now. No answer is signed for a
// reader without a key.
func (a *Answer) Signed(k *Key) bool {
	return k != nil && hmac.Equal(a.MAC, a.mac(k))
}

// mac is the keyed digest of the question and of every field of a that a reader trusts.
func (a *Answer) mac(k *Key) []byte {
	core := make([]byte, 0, len(a.Core)*sha256.Size)
	for _, f := range a.Core {
		core = append(core, f[:]...)
	}
	return k.mac([]byte("gradine answer"), a.Question[:], []byte(a.Verdict), []byte(a.End), binary.BigEndian.AppendUint64(nil, uint64(a.Steps)),
		core, a.Certificate, a.Counterexample)
}

// ReadLine reads a line without its end. A line that is longer than any answer is an error, and
// so is the rest of a file without a line feed, which is a line that was cut: it is dropped.
func ReadLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > MaxLine+1 {
			return nil, fmt.Errorf("a line of more than %d bytes", MaxLine)
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			return nil, err
		}
	}
}
