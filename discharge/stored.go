package discharge

import (
	"fmt"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// StoredProof is a proof that the store holds, with the hypotheses it is from.
type StoredProof struct {
	Core  logic.Sequent // the used hypotheses and the goal, bare
	Hyps  []int         // by hypothesis of the core: its index in the sequent
	Proof *kernel.Proof
}

// Proof returns the stored proof of s with the given address, nil if that is "".
// It is for people to read; replaying checks it.
func (s *Store) Proof(q logic.Sequent, address string) (*StoredProof, error) {
	if address == "" || s == nil {
		return nil, nil
	}
	p := newProblem(q)
	for _, e := range s.proofs(p.goal, false) {
		if e.name() != address {
			continue
		}
		out := &StoredProof{Core: logic.Sequent{Bank: p.Bank, Goal: p.Goal}}
		for _, d := range e.hyps {
			i, ok := p.hyps[d]
			if !ok {
				return nil, fmt.Errorf("%s is a proof of another sequent", address)
			}
			out.Hyps = append(out.Hyps, i)
			out.Core.Hyps = append(out.Core.Hyps, p.Hyps[i])
		}
		var err error
		out.Proof, err = kernel.Decode(p.Bank, e.cert)
		return out, err
	}
	return nil, fmt.Errorf("%s is not in the store", address)
}

// name is the address of the certificate as results give it.
func (e entry) name() string { return "sha256:" + address(e.encode()) }
