package answer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Question is a question as sources of answers get it.
type Question struct {
	Digest Digest
	Steps  int64 // the budget of the search
	// Job returns what another process needs to search for the answer. It fails if the answer depends on something that
	// only the asking process has.
	Job func() (*Job, error)
}

// Job is a question with all that a search for its answer depends on.
type Job struct {
	Search     string `json:"search"` // the version of the search that is asked for
	Steps      int64  `json:"steps"`
	Short      int64  `json:"short"` // steps before the search for a counterexample
	Refute     int    `json:"refute"`
	OnlyRefute bool   `json:"only_refute,omitempty"`
	Selected   []int  `json:"selected,omitempty"`
	Granted    *int   `json:"granted,omitempty"` // hypotheses granted, of a part of a plan
	Sequent    string `json:"sequent"`           // the sequent as canonical text, which discharge.Do reads
}

// MaxJob bounds the encoded size of a job in bytes.
const MaxJob = 256 << 10

// Encode returns j as JSON. A job that is too large is an error.
func (j *Job) Encode() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(j); err != nil {
		return nil, err
	}
	if out.Len() > MaxJob {
		return nil, fmt.Errorf("a job of %d bytes; the limit is %d", out.Len(), MaxJob)
	}
	return out.Bytes(), nil
}

// DecodeJob reads a job. An error says why it is none; its sequent is not read yet.
func DecodeJob(data []byte) (*Job, error) {
	if len(data) > MaxJob {
		return nil, fmt.Errorf("a job of %d bytes; the limit is %d", len(data), MaxJob)
	}
	j := &Job{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(j); err != nil {
		return nil, fmt.Errorf("not a job: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not a job: text after its end")
	}
	return j, nil
}
