package logic

// Sequent is a list of hypotheses and a goal: closed predicates of one bank.
// Selected are indices of the hypotheses that the obligation generator points
// out for a first attempt; they have no meaning.
type Sequent struct {
	Bank     *Bank
	Hyps     []Term
	Selected []int
	Goal     Term
}

// Bare returns a copy of s in a bank of its own, without hints. Its indices
// depend on the sequent alone.
func (s Sequent) Bare() Sequent {
	b := NewBank()
	im := NewImporter(b, s.Bank, true)
	out := Sequent{Bank: b, Selected: s.Selected}
	for _, h := range s.Hyps {
		out.Hyps = append(out.Hyps, im.Term(h))
	}
	out.Goal = im.Term(s.Goal)
	return out
}
