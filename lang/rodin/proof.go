package rodin

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
)

// Proof is a proof that Rodin stored of one obligation (.bpr files, reference §6.9), as far
// as it says what people did: the steps with what they were given, and the sequents that
// they lead to. Formulas are texts in Rodin's stored language; nothing is checked.
type Proof struct {
	Name string   // of the obligation
	Hyps []string // hypotheses of the obligation that the proof needs
	Root *Step    // nil if there is no proof
}

// Step is the application of a reasoner.
type Step struct {
	Reasoner string   // its id, without a version
	Hyps     []string // hypotheses that it is about
	Preds    []string // the predicates that it was given
	Exprs    []string // the expressions that it was given; "" where there is none
	Branches []Branch // what is left to prove
}

// Branch is a sequent that a step leads to, by what it has more than the sequent before.
type Branch struct {
	Goal     string // "" if it is the one before
	Hyps     []string
	New      []string // identifiers
	Inferred []Inference
	Selects  bool // hypotheses are selected
	Next     *Step
}

// Inference adds hypotheses that follow from others.
type Inference struct {
	From, To []string
	New      []string // identifiers
}

// The proofs of one file may not nest deeper, and the steps of one proof are not more.
const (
	maxProofDepth = 4000
	maxSteps      = 100_000
)

// proofs adds the proofs of a component. A file that cannot be read is reported, and does
// not keep its project from being read.
func (s *scan) proofs(p *Project, component, name string) {
	data, err := s.read(name)
	if err != nil {
		s.problems.Add(diagnostic(Unreadable, diag.Span{File: s.path(name)}, cause(err)))
		return
	}
	list, f := parseProofs(data)
	if f != nil {
		damaged := diagnostic(f.code, newLineTable(s.path(name), data).span(f.offset, f.offset), f.msg)
		damaged.Severity = diag.Warning // the model is whole
		s.problems.Add(damaged)
		return
	}
	if p.Proofs == nil {
		p.Proofs = map[string][]Proof{}
	}
	p.Proofs[component] = list
}

// parseProofs reads a .bpr file.
func parseProofs(data []byte) ([]Proof, *fault) {
	root, f := parseNested(data, newLineTable("", data), maxProofDepth)
	switch {
	case f != nil:
		return nil, f
	case root.kind != "prFile":
		return nil, &fault{NotRodin, 0, "the root of a .bpr file cannot be element " + root.kind}
	}
	var out []Proof
	for _, e := range root.children {
		if e.kind == "prProof" {
			out = append(out, proofOf(e))
		}
	}
	return out, nil
}

// proof is one that is being read: its steps name formulas and reasoners by keys.
type proof struct {
	formulas  map[string]string // of predicates p0, …, and of expressions e0, …
	reasoners map[string]string
	steps     int
}

// proofOf reads a proof of Rodin. Its formulas and reasoners are stored once, and are looked up by name.
func proofOf(e *element) Proof {
	p := &proof{formulas: map[string]string{}, reasoners: map[string]string{}}
	for _, c := range e.children {
		switch c.kind {
		case "prPred":
			p.formulas[c.text("name")] = c.text("predicate")
		case "prExpr":
			p.formulas[c.text("name")] = c.text("expression")
		case "prReas":
			p.reasoners[c.text("name")] = c.text("prRID")
		}
	}
	out := Proof{Name: e.text("name"), Hyps: p.all(e.text("prHyps"))}
	for _, c := range e.children {
		if c.kind == "prRule" && out.Root == nil {
			out.Root = p.step(c)
		}
	}
	return out
}

// all returns the formulas of keys with commas between them; an empty key is not a formula.
func (p *proof) all(keys string) []string {
	if keys == "" {
		return nil
	}
	var out []string
	for key := range strings.SplitSeq(keys, ",") {
		out = append(out, p.formulas[key])
	}
	return out
}

// step reads a prRule element; nil if there are too many.
func (p *proof) step(e *element) *Step {
	if p.steps++; p.steps > maxSteps {
		return nil
	}
	// Before Rodin 2.2 the id itself was the name.
	id := cmp.Or(p.reasoners[e.text("name")], e.text("name"))
	id, _, _ = strings.Cut(id, ":")
	s := &Step{Reasoner: strings.TrimPrefix(id, prefix+"seqprover."), Hyps: p.all(e.text("prHyps"))}
	for _, c := range e.children {
		switch c.kind {
		case "prPredRef":
			s.Preds = append(s.Preds, p.all(c.text("prRef"))...)
		case "prExprRef":
			s.Exprs = append(s.Exprs, p.all(c.text("prRef"))...)
		case "prAnte":
			s.Branches = append(s.Branches, p.branch(c))
		}
	}
	return s
}

// branch reads a prAnte element.
func (p *proof) branch(e *element) Branch {
	b := Branch{Goal: p.formulas[e.text("prGoal")], Hyps: p.all(e.text("prHyps")), New: identifiers(e)}
	for _, c := range e.children {
		switch c.kind {
		case "prHypAction":
			b.Selects = b.Selects || strings.HasPrefix(c.text("name"), "SELECT")
			if to := p.all(c.text("prInfHyps")); len(to) > 0 {
				b.Inferred = append(b.Inferred, Inference{p.all(c.text("prHyps")), to, identifiers(c)})
			}
		case "prRule":
			if b.Next == nil {
				b.Next = p.step(c)
			}
		}
	}
	return b
}

// identifiers are those that e introduces.
func identifiers(e *element) (out []string) {
	for _, c := range e.children {
		if c.kind == "prIdent" {
			out = append(out, c.text("name"))
		}
	}
	return out
}

// Steps calls visit for all steps of a proof, each before those that it leads to.
func (p Proof) Steps(visit func(*Step)) {
	open := []*Step{p.Root}
	for len(open) > 0 {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		if s == nil {
			continue
		}
		visit(s)
		for _, b := range slices.Backward(s.Branches) {
			open = append(open, b.Next)
		}
	}
}
