package report

import (
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
)

// Obligation is an obligation in canonical text.
type Obligation struct {
	Project    string            `json:"project"`    // name of the project
	Component  string            `json:"component"`  // name of the context or machine
	Name       string            `json:"name"`       // name in Rodin, such as evt/inv/INV
	Kind       string            `json:"kind"`       // kind of the obligation, such as INV or WD; gradine explain describes it
	Nature     string            `json:"nature"`     // description of the kind in words
	Goal       string            `json:"goal"`       // the formula to prove
	Types      map[string]string `json:"types"`      // types of the free identifiers and carrier sets
	Hypotheses []string          `json:"hypotheses"` // the formulas that a proof may use
	Selected   []int             `json:"selected"`   // indices of the hypotheses that Rodin selects
	Accurate   bool              `json:"accurate"`   // the obligation is accurate: it was generated from a model that was read without an error
	Sources    []jsonSource      `json:"sources"`    // elements of the model from which the obligation is generated
}

type jsonSource struct {
	Role      string `json:"role"`
	Element   string `json:"element"`
	Component string `json:"component"`
	Label     string `json:"label"`
	File      string `json:"file,omitempty"`
	Line      int    `json:"line,omitempty"`
}

// printer prints terms of the banks of components, each term once.
type printer struct {
	bank  *logic.Bank
	terms map[logic.Term]string
	names map[logic.Term]map[string]string // the types of the identifiers and carrier sets in a term
}

func (p *printer) term(b *logic.Bank, t logic.Term) string {
	if p.bank != b {
		p.bank, p.terms, p.names = b, map[logic.Term]string{}, map[logic.Term]map[string]string{}
	}
	s, ok := p.terms[t]
	if !ok {
		s = text.Term(b, t)
		p.terms[t] = s
	}
	return s
}

// types adds the types of the identifiers and carrier sets in t to out. It is called
// after term has been.
func (p *printer) types(t logic.Term, out map[string]string) {
	names, ok := p.names[t]
	if !ok {
		names = map[string]string{}
		typesIn(p.bank, t, map[logic.Term]bool{}, names)
		p.names[t] = names
	}
	maps.Copy(out, names)
}

// typesIn adds to out the types of the identifiers and carrier sets in t, with those of carrier sets that stand only in types
// that the text of t writes.
func typesIn(bank *logic.Bank, t logic.Term, seen map[logic.Term]bool, out map[string]string) {
	if seen[t] {
		return
	}
	seen[t] = true
	typ := bank.Type(t)
	switch bank.Op(t) {
	case logic.Free, logic.Given:
		out[bank.Name(t)] = text.Type(bank, typ)
	}
	carriers(bank, typ, out)
	if bank.Op(t).IsBinder() {
		for _, d := range bank.Decls(t) {
			carriers(bank, d, out)
		}
	}
	for _, a := range bank.Args(t) {
		typesIn(bank, a, seen, out)
	}
}

// carriers adds the types of the carrier sets in typ.
func carriers(bank *logic.Bank, typ logic.Type, out map[string]string) {
	switch bank.TypeKind(typ) {
	case logic.KindGiven:
		name := bank.GivenName(typ)
		out[name] = "ℙ(" + name + ")"
	case logic.KindPow:
		carriers(bank, bank.Elem(typ), out)
	case logic.KindProd:
		s, t := bank.Pair(typ)
		carriers(bank, s, out)
		carriers(bank, t, out)
	}
}

// ObligationsJSON writes one obligation a line, in canonical text.
func ObligationsJSON(w io.Writer, obligations []*po.Obligation) error {
	out := NewLines(w)
	var p printer
	for _, obligation := range obligations {
		out.Put(p.obligation(obligation))
	}
	return out.Err
}

// ObligationOf returns one obligation in canonical text.
func ObligationOf(obligation *po.Obligation) Obligation { return new(printer).obligation(obligation) }

// obligation is an obligation as JSON lines have it.
func (p *printer) obligation(obligation *po.Obligation) Obligation {
	sequent := obligation.Sequent()
	j := Obligation{
		Project: obligation.Project, Component: obligation.Component, Name: obligation.Name, Kind: obligation.Kind.String(), Nature: obligation.Nature,
		Goal: p.term(sequent.Bank, sequent.Goal), Types: map[string]string{}, Hypotheses: []string{}, Selected: []int{}, Accurate: obligation.Accurate, Sources: []jsonSource{},
	}
	for _, hypothesis := range sequent.Hyps {
		j.Hypotheses = append(j.Hypotheses, p.term(sequent.Bank, hypothesis))
		p.types(hypothesis, j.Types)
	}
	p.types(sequent.Goal, j.Types)
	j.Selected = append(j.Selected, sequent.Selected...)
	for _, src := range obligation.Sources {
		j.Sources = append(j.Sources, jsonSource{src.Role.String(), src.Element, src.Origin.Component, src.Label, src.Origin.Span.File, src.Origin.Span.Line})
	}
	return j
}

// Counts writes how many obligations each component has, by kind.
func Counts(out io.Writer, style Style, obligations []*po.Obligation) {
	type row struct {
		of    *po.Obligation // one of them
		total int
		kinds map[po.Kind]int
	}
	var rows []*row
	for _, obligation := range obligations {
		if n := len(rows); n == 0 || rows[n-1].of.Of() != obligation.Of() {
			rows = append(rows, &row{obligation, 0, map[po.Kind]int{}})
		}
		r := rows[len(rows)-1]
		r.total++
		r.kinds[obligation.Kind]++
	}
	for _, r := range rows {
		fmt.Fprintf(out, "%s %5d ", style.Bold(fmt.Sprintf("%-28s", r.of.Project+"/"+r.of.Component)), r.total)
		for _, k := range po.Kinds() {
			if n := r.kinds[k]; n > 0 {
				fmt.Fprintf(out, " %s %d", k, n)
			}
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out, Count(len(obligations), "obligation"))
}

// Sequent writes an obligation so that a person can read it: where it comes
// from, the selected hypotheses, how many others there are, and the goal. With
// all, every hypothesis is written.
func Sequent(out io.Writer, style Style, obligation *po.Obligation, all bool) {
	fmt.Fprintf(out, "%s  %s\n", style.Bold(obligation.Path()), style.Dim(strings.Join(strings.Fields(obligation.Nature), " ")))
	for _, src := range obligation.Sources {
		fmt.Fprintf(out, "  %s %s (%s)\n", src.Element, src.Label, src.Origin.Span)
	}
	sequent := obligation.Sequent()
	selected := map[int]bool{}
	for _, i := range sequent.Selected {
		selected[i] = true
	}
	opts := text.Options{Untyped: true, Spaced: true, Width: 90}
	hidden := 0
	for i, hypothesis := range sequent.Hyps {
		if !all && !selected[i] {
			hidden++
			continue
		}
		fmt.Fprintf(out, "    %s\n", indent(opts.Term(sequent.Bank, hypothesis)))
	}
	if hidden > 0 {
		fmt.Fprintf(out, "    %s\n", style.Dim(fmt.Sprintf("and %d more hypotheses (use --all)", hidden)))
	}
	fmt.Fprintf(out, "  ⊢ %s\n\n", indent(opts.Term(sequent.Bank, sequent.Goal)))
}
