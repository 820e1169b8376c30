package report

import (
	"io"

	"github.com/gradine/gradine/discharge"
)

// Verdict is the outcome for one obligation or sequent.
type Verdict struct {
	ID          any               `json:"id,omitempty"`
	Project     string            `json:"project,omitempty"`
	Component   string            `json:"component,omitempty"`
	Name        string            `json:"name,omitempty"`
	Verdict     discharge.Verdict `json:"verdict"`
	Steps       int64             `json:"steps"`
	Certificate string            `json:"certificate,omitempty"`
	Used        []string          `json:"used"`
	Accurate    bool              `json:"accurate"`
	Uncertified int               `json:"uncertified,omitempty"`
	MS          *float64          `json:"ms,omitempty"`
}

// Verdicts writes one verdict a line.
type Verdicts struct{ out *lines }

// NewVerdicts returns a writer to w.
func NewVerdicts(w io.Writer) *Verdicts { return &Verdicts{newLines(w)} }

// Put writes one verdict.
func (v *Verdicts) Put(x Verdict) error {
	if x.Used == nil {
		x.Used = []string{}
	}
	v.out.put(x)
	return v.out.err
}
