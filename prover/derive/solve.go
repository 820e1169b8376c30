package derive

import (
	"slices"
	"strings"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/kernel"
)

// Question is a node without rule, as a sequent to be proved: hypothesis i is number
// Hyps[i] of the node. Only the first Granted hypotheses are known to be well-defined,
// and the goal is not.
type Question struct {
	logic.Sequent
	Hyps    []int
	Granted int
	Aside   []int  // hypotheses that are parts of the plan, proved by themselves, but not that this goal is well-defined
	Defined []int  // those of them that say that others are well-defined
	Spent   *int64 // the function that is asked may add its cost: see Node.Spent
}

// Prover proves questions; it returns nil if it does not find a proof. Steps is its
// budget for one, and Stopped reports whether what it did not find says nothing.
type Prover struct {
	Steps   int64
	Prove   func(Question) *Proof
	Stopped func() bool
	Narrow  bool // with the hypotheses to search with alone, where there are such
}

// Solve proves the parts below n, and reports whether all that n follows from has been
// proved. A fact without proof is left out.
func (n *Node) Solve(p Prover) bool {
	switch n.rule.kind {
	case whole:
		n.Proof, n.spent = nil, 0
		for _, only := range []bool{true, false} {
			if n.Proof == nil && (!only || n.Only != nil) && (only || n.Only == nil || !p.Narrow) {
				n.Proof = p.Prove(n.question(only))
			}
		}
		return n.Proof != nil
	case cut:
		n.lost = !n.Parts[0].once(p)
		return n.Parts[1].Solve(p)
	case replace:
		if !n.usable(n.rule.at) {
			return false
		}
	}
	for _, m := range n.Parts {
		if !m.Solve(p) {
			return false
		}
	}
	return true
}

// once is Solve for the first part of a cut, which is also an obligation of its own
// and may be asked for by others at the same time.
func (n *Node) once(p Prover) bool {
	n.solving.Lock()
	defer n.solving.Unlock()
	if ok, known := n.solved[p.Steps]; known {
		return ok
	}
	ok := n.Solve(p)
	if ok || !p.Stopped() {
		if n.solved == nil {
			n.solved = map[int64]bool{}
		}
		n.solved[p.Steps] = ok
	}
	return ok
}

// Proved is Solve and Join for a node that others may ask for at the same time.
func (n *Node) Proved(p Prover) (logic.Sequent, *kernel.Proof, bool) {
	if !n.once(p) {
		return logic.Sequent{}, nil, false
	}
	n.Alone(func() { n.mark() })
	s, proof := n.Join()
	return s, proof, true
}

// Alone does what reads or extends the plan of n, or its bank, while no other goroutine does.
func (n *Node) Alone(do func()) {
	n.plan.writing.Lock()
	defer n.plan.writing.Unlock()
	do()
}

// question is n as it is to be proved: with the hypotheses to search with alone, or with
// all that there are.
func (n *Node) question(only bool) Question {
	n.plan.writing.Lock()
	defer n.plan.writing.Unlock()
	q := Question{Spent: &n.spent, Sequent: logic.Sequent{Bank: n.plan.Bank, Goal: n.Goal}}
	defined := n.plan.Bank.D(n.Goal)
	for i := range n.Hyps {
		if !n.usable(i) || only && !slices.Contains(n.Only, i) {
			continue
		}
		if i < n.plan.Given {
			q.Granted++
		}
		// What a person adds matters, and so does what a person selects.
		if only || i >= n.plan.Given || slices.Contains(n.plan.selected, i) {
			q.Selected = append(q.Selected, len(q.Hyps))
		}
		if (n.Hyps[i].by != nil || n.Hyps[i].Label == goalWD) && n.Hyps[i].Term != defined {
			q.Aside = append(q.Aside, len(q.Hyps))
			if strings.HasSuffix(n.Hyps[i].Label, definedness) {
				q.Defined = append(q.Defined, len(q.Hyps))
			}
		}
		q.Hyps = append(q.Hyps, i)
		q.Sequent.Hyps = append(q.Sequent.Hyps, n.Hyps[i].Term)
	}
	q.Sequent = q.Bare() // in a bank of its own: that of the plan grows when proofs are joined
	return q
}

// usable reports whether hypothesis i speaks of what is known at n.
func (n *Node) usable(i int) bool {
	h := n.Hyps[i]
	return !h.hidden && (h.by == nil || !h.by.lost) && (h.from < 0 || n.usable(h.from))
}

// Sequent is n as an obligation of its own, with names for people and the labels of its
// hypotheses.
func (n *Node) Sequent() (s logic.Sequent, labels []string) {
	n.plan.writing.Lock()
	defer n.plan.writing.Unlock()
	b := logic.NewBank()
	im := logic.NewImporter(b, n.plan.Bank, false)
	s = logic.Sequent{Bank: b, Goal: im.Term(n.Goal)}
	for i, h := range n.Hyps {
		if h.hidden {
			continue
		}
		if i >= n.plan.Given || slices.Contains(n.plan.selected, i) {
			s.Selected = append(s.Selected, len(s.Hyps))
		}
		s.Hyps, labels = append(s.Hyps, im.Term(h.Term)), append(labels, h.Label)
	}
	b.Freeze()
	return s, labels
}

// Spent is what was spent on n and below it, in vain or not, in steps.
func (n *Node) Spent() int64 {
	sum := n.spent
	for _, m := range n.Parts {
		sum += m.Spent()
	}
	return sum
}

// Cost is what the proofs below n have cost, in steps.
func (n *Node) Cost() int64 {
	var sum int64
	if n.rule.kind == whole && n.Proof != nil {
		sum = n.Proof.Cost
	}
	for i, m := range n.Parts {
		if i > 0 || n.rule.kind != cut || !n.lost {
			sum += m.Cost()
		}
	}
	return sum
}

// mark notes which facts below n the proofs use, and returns the hypotheses of n that they
// do: by number.
func (n *Node) mark() map[int]bool {
	n.Needed = false
	if n.rule.kind == whole {
		used := map[int]bool{}
		if n.Proof != nil {
			for _, i := range n.Proof.Hyps {
				used[i] = true
			}
		}
		return used
	}
	used := n.Parts[len(n.Parts)-1].mark()
	switch n.rule.kind {
	case cut:
		if n.Needed = used[len(n.Hyps)]; n.Needed {
			n.join(used, n.Parts[0].mark())
		}
	case instance, obtain:
		if n.Needed = used[len(n.Hyps)]; n.Needed {
			used[n.rule.at] = true
		}
	default:
		n.Needed = true
		if n.rule.kind == replace {
			used[n.rule.at] = true
		}
		for _, m := range n.Parts[:len(n.Parts)-1] {
			n.join(used, m.mark())
		}
	}
	// What the rule adds is not a hypothesis of n.
	for i := range used {
		if i >= len(n.Hyps) {
			delete(used, i)
		}
	}
	return used
}

func (*Node) join(used, more map[int]bool) {
	for i := range more {
		used[i] = true
	}
}

// IsRoot reports whether n is the sequent that its plan is for, and no part of it.
func (n *Node) IsRoot() bool { return n.plan.Root == n }
