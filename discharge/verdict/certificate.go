package verdict

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/kernel"
)

// Certificate is a proof of a goal from a core of hypotheses, as text. It proves any
// sequent with that goal that has the core among its hypotheses.
type Certificate struct {
	Goal  text.Fingerprint
	Steps int64              // steps of the search that found it
	Hyps  []text.Fingerprint // the hypotheses used, in the order of the text
	Text  []byte
}

// encode returns the certificate with its core, without what it cost.
func (c *Certificate) encode() []byte {
	out := []byte("gradine proof 1\n")
	for i := range c.Hyps {
		out = append(hex.AppendEncode(append(out, "hyp "...), c.Hyps[i][:]), '\n')
	}
	return append(append(out, '\n'), c.Text...)
}

// Name is the address of the certificate as results give it.
func (c *Certificate) Name() string {
	sum := sha256.Sum256(c.encode())
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Written is the certificate of the proof that o holds, or nil if o holds none. Only Replay sets it.
func (o Outcome) Written() *Certificate { return o.proof }

// StoredProof is a proof with the hypotheses it is from.
type StoredProof struct {
	Core  logic.Sequent // the used hypotheses and the goal, bare
	Hyps  []int         // by hypothesis of the core: its index in the sequent
	Proof *kernel.Proof
}

// Proof returns the proof of sequent q that o holds, nil if there is none.
func (o Outcome) Proof(q logic.Sequent) (*StoredProof, error) {
	if o.proof == nil {
		return nil, nil
	}
	return NewProblem(q).Open(o.proof)
}

// Exported returns the proof that r has as a text for other checkers: the hypotheses that it
// uses, the goal, and the certificate as it is; nil if there is none.
func (r Result) Exported(name string) ([]byte, error) {
	stored, err := r.Proof(r.Sequent())
	if err != nil || stored == nil {
		return nil, err
	}
	return append(cert.EncodeSequent(stored.Core, name, string(r.Verdict)), r.proof.Text...), nil
}

// Proves reports whether the proof that o holds is one of sequent q, too.
func (o Outcome) Proves(q logic.Sequent) bool {
	if o.proof == nil {
		return false
	}
	_, ok := NewProblem(q).Replay(o.proof)
	return ok
}
