package answer

import (
	"crypto/hmac"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Claim is an answer that cannot be checked, such as the number of states that a search met. It counts only if it
// is signed with the reader's key.
type Claim struct {
	Question Digest          `json:"question"` // of the text of the job
	Says     json.RawMessage `json:"says"`
	MAC      string          `json:"hmac"`
}

// NewClaim returns the signed claim that answers a question.
func NewClaim(question Digest, says any, k *Key) (*Claim, error) {
	text, err := json.Marshal(says)
	if err != nil {
		return nil, err
	}
	c := &Claim{Question: question, Says: text}
	if k != nil {
		c.MAC = hex.EncodeToString(c.mac(k))
	}
	return c, nil
}

// Read reads what a claim of data says about a question into says. Signed reports whether a holder of k has made it.
func (c *Claim) Read(question Digest, says any, k *Key) (signed bool, err error) {
	if c.Question != question {
		return false, fmt.Errorf("an answer to another question")
	}
	mac, err := hex.DecodeString(c.MAC)
	if err != nil || k == nil || !hmac.Equal(mac, c.mac(k)) {
		return false, nil
	}
	return true, json.Unmarshal(c.Says, says)
}

func (c *Claim) mac(k *Key) []byte { return k.mac([]byte("gradine claim"), c.Question[:], c.Says) }
