package verdict

import (
	"encoding/json"
	"slices"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/eval"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/refute"
)

// claimText is a claim as stores keep it.
type claimText struct {
	Hyp         int    `json:"hyp"`
	D           bool   `json:"d,omitempty"` // the well-definedness of the hypothesis is claimed
	Certificate string `json:"certificate"`
}

// integralText is a counterexample in which the integers stand for carrier sets.
type integralText struct {
	Integers []string        `json:"integers"`
	Whole    json.RawMessage `json:"whole"` // a counterexample to the sequent with ℤ in their places
}

// encodeCounterexample writes a counterexample for stores: its model, and the certificates of its claims.
func encodeCounterexample(x *refute.Counterexample) ([]byte, error) {
	if len(x.Integers) > 0 {
		whole, err := encodeCounterexample(&refute.Counterexample{Model: x.Whole, Claims: x.Claims})
		if err != nil {
			return nil, err
		}
		return json.Marshal(integralText{x.Integers, whole})
	}
	model, err := x.Model.MarshalJSON()
	if err != nil || len(x.Claims) == 0 {
		return model, err
	}
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(model, &parts); err != nil {
		return nil, err
	}
	var claims []claimText
	for _, c := range x.Claims {
		claims = append(claims, claimText{c.Hyp, c.D, string(c.Certificate)})
	}
	if parts["claims"], err = json.Marshal(claims); err != nil {
		return nil, err
	}
	return json.Marshal(parts)
}

// decodeCounterexample reads what encodeCounterexample writes. It is confirmed by the evaluator and
// the kernel; nil if they do not.
func decodeCounterexample(original, bare logic.Sequent, data []byte) *refute.Counterexample {
	var integral integralText
	if err := json.Unmarshal(data, &integral); err == nil && len(integral.Integers) > 0 {
		x := decodeCounterexample(refute.Integral(original, integral.Integers), refute.Integral(bare, integral.Integers), integral.Whole)
		return refute.WithIntegers(original, x, integral.Integers)
	}
	m, err := eval.ReadModel(bare.Bank, bare.Bank.FreeIdents(append(slices.Clone(bare.Hyps), bare.Goal)...), data)
	if err != nil {
		return nil
	}
	var written struct {
		Claims []claimText `json:"claims"`
	}
	if err := json.Unmarshal(data, &written); err != nil {
		return nil
	}
	var claims []refute.Claim
	for _, c := range written.Claims {
		claims = append(claims, refute.Claim{Condition: eval.Condition{Hyp: c.Hyp, D: c.D}, Certificate: []byte(c.Certificate)})
	}
	return refute.Confirm(original, m, claims...)
}

// ExportedClaims returns the claims of r, each as a text for other checkers: the equations of the state,
// what follows from them, and the certificate; none if r is not refuted, or all of it is evaluated.
func (r Result) ExportedClaims(name string) (out [][]byte) {
	if r.Counterexample == nil {
		return nil
	}
	for _, c := range r.Counterexample.Claims {
		out = append(out, append(cert.EncodeSequent(c.Sequent, name, FollowsClaim), c.Certificate...))
	}
	return out
}

// FollowsClaim stands in place of the verdict of a claim: unlike a proof, it is granted nothing
// about where formulas are well-defined.
const FollowsClaim = "follows"

// Unlisted names the hypothesis that keeps counterexamples to r from being found because its identifier
// ranges over infinite sets, see refute.Unlisted; "" if there is none.
func (r Result) Unlisted() string {
	if i := refute.Unlisted(r.Sequent()); i >= 0 {
		return r.HypothesisLabel(i)
	}
	return ""
}
