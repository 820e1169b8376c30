package proofstore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/kernel"
)

// Names maps identifiers and carrier sets to their new names.
type Names map[string]string

// Of returns the new name of an identifier; a primed one changes with its variable.
func (n Names) Of(name string) string {
	stem := strings.TrimRight(name, "'")
	if to, ok := n[stem]; ok {
		return to + name[len(stem):]
	}
	return name
}

// Renamer copies terms of one bank to another under new names.
type Renamer struct {
	names    Names
	dst, src *logic.Bank
	im       *logic.Importer
	known    map[logic.Term]bool
}

// NewRenamer returns a renamer of terms of src into dst; a bare one leaves hints behind.
func NewRenamer(dst, src *logic.Bank, names Names, bare bool) *Renamer {
	return &Renamer{names: names, dst: dst, src: src, im: logic.NewImporter(dst, src, bare), known: map[logic.Term]bool{}}
}

// Term returns the copy of t.
func (r *Renamer) Term(t logic.Term) logic.Term {
	if len(r.names) > 0 {
		r.prepare(t)
	}
	return r.im.Term(t)
}

// prepare tells the importer the new names of what occurs in t.
func (r *Renamer) prepare(t logic.Term) {
	if r.known[t] {
		return
	}
	r.known[t] = true
	r.typ(r.src.Type(t))
	if r.src.Op(t).IsBinder() {
		for _, typ := range r.src.Decls(t) {
			r.typ(typ)
		}
	}
	for _, a := range r.src.Args(t) {
		r.prepare(a)
	}
	if r.src.Op(t) == logic.Free {
		if name := r.src.Name(t); r.names.Of(name) != name {
			r.im.Put(t, r.dst.Free(r.names.Of(name), r.im.Type(r.src.Type(t))))
		}
	}
}

func (r *Renamer) typ(t logic.Type) {
	switch r.src.TypeKind(t) {
	case logic.KindGiven:
		if name := r.src.GivenName(t); r.names.Of(name) != name {
			r.im.PutType(t, r.dst.GivenType(r.names.Of(name)))
		}
	case logic.KindPow:
		r.typ(r.src.Elem(t))
	case logic.KindProd:
		a, b := r.src.Pair(t)
		r.typ(a)
		r.typ(b)
	}
}

// Proof returns the copy of a proof whose terms belong to the bank of the renamer.
func (r *Renamer) Proof(p *kernel.Proof) *kernel.Proof {
	out := &kernel.Proof{Steps: slices.Clone(p.Steps)}
	for i := range out.Steps {
		step := &out.Steps[i]
		step.Terms, step.Clause = slices.Clone(step.Terms), slices.Clone(step.Clause)
		for k, t := range step.Terms {
			step.Terms[k] = r.Term(t)
		}
		for k, literal := range step.Clause {
			atom := r.Term(literal.Atom())
			if step.Clause[k] = kernel.Pos(atom); literal.Negated() {
				step.Clause[k] = kernel.Neg(atom)
			}
		}
	}
	return out
}

// Renamed returns the lock as it reads when the obligations was are called and read as
// now, one by one. A line about another sequent says nothing, before and after.
func (l *Lock) Renamed(was, now []*po.Obligation) *Lock {
	type name struct{ obligation, fingerprint string }
	var before, after text.BankFingerprinter
	number := map[name]int{}
	for i, o := range was {
		number[name{o.Path(), ShortFingerprint(before.Sequent(o.Sequent()))}] = i
	}
	out := &Lock{Lines: slices.Clone(l.Lines)}
	for k := range out.Lines {
		line := &out.Lines[k]
		i, ok := number[name{line.Obligation, line.Fingerprint}]
		if !ok {
			continue
		}
		labels := map[string]string{}
		for h := range was[i].Sequent().Hyps {
			labels[was[i].HypothesisLabel(h)] = now[i].HypothesisLabel(h)
		}
		line.Used = slices.Clone(line.Used)
		for h, used := range line.Used {
			if label, ok := labels[used]; ok {
				line.Used[h] = label
			}
		}
		line.Obligation, line.Fingerprint = now[i].Path(), ShortFingerprint(after.Sequent(now[i].Sequent()))
	}
	sortLines(out.Lines)
	return out
}

// Renamed returns the certificates as they read under new names, when the obligations
// was are called and read as now, one by one. One that is of several obligations may
// become several. What is written again the proof kernel has accepted; what is of none of the
// obligations stays as it is.
func (c *Certificates) Renamed(names Names, was, now []*po.Obligation) (*Certificates, error) {
	var before, after text.BankFingerprinter
	byGoal := map[text.Fingerprint][]int{}
	for i, o := range was {
		s := o.Sequent()
		goal := before.Of(s.Bank).Term(s.Goal)
		byGoal[goal] = append(byGoal[goal], i)
	}
	out := &Certificates{}
	for _, x := range c.lines {
		var own, others []*certificateLine // of the very sequent, of others with its goal
		for _, i := range byGoal[x.Goal] {
			p, q := verdict.ProblemOf(was[i].Sequent(), &before), verdict.ProblemOf(now[i].Sequent(), &after)
			y, err := x.renamed(names, p, q)
			switch {
			case err != nil:
				return nil, fmt.Errorf("%s: %w", x.obligation, err)
			case y == nil:
				continue // its core is not there
			case y.obligation == was[i].Path():
				y.obligation = now[i].Path()
			}
			if y.sequent == q.Print() {
				own = append(own, y)
			} else {
				others = append(others, y)
			}
		}
		written := map[string]bool{}
		for _, y := range append(own, others...) {
			if key := string(y.Goal[:]) + y.Name(); !written[key] {
				written[key] = true
				out.add(y)
			}
		}
		if len(written) == 0 {
			out.add(x)
		}
	}
	return out, nil
}

// renamed returns a certificate of p as one of q, which is p under new names, nil if it
// is none of p.
func (x *certificateLine) renamed(names Names, p, q *verdict.Problem) (*certificateLine, error) {
	stored, err := p.Open(x.Certificate)
	if err != nil {
		return nil, nil
	}
	y := *x
	if p.Print() == q.Print() {
		return &y, nil // nothing in it has a new name
	}
	bank := logic.NewBank()
	y.Certificate = &verdict.Certificate{Steps: x.Steps, Text: cert.Encode(bank, NewRenamer(bank, stored.Core.Bank, names, true).Proof(stored.Proof))}
	for _, h := range stored.Hyps {
		y.Hyps = append(y.Hyps, q.HypPrints[h])
	}
	if _, ok := q.Replay(y.Certificate); !ok {
		return nil, fmt.Errorf("its certificate does not hold under the new name; gradine prove --lock finds it again")
	}
	if y.Goal = q.GoalPrint; x.sequent == p.Print() {
		y.sequent = q.Print()
	}
	return &y, nil
}
