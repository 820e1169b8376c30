package report

import (
	"fmt"
	"io"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
)

type jsonObligation struct {
	Project    string            `json:"project"`
	Component  string            `json:"component"`
	Name       string            `json:"name"`
	Kind       string            `json:"kind"`
	Nature     string            `json:"nature"`
	Goal       string            `json:"goal"`
	Types      map[string]string `json:"types"` // of the free identifiers and carrier sets
	Hypotheses []string          `json:"hypotheses"`
	Selected   []int             `json:"selected"`
	Accurate   bool              `json:"accurate"`
	Sources    []jsonSource      `json:"sources"`
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
	names map[logic.Term][]logic.Term // the identifiers and carrier sets in a term
}

func (p *printer) term(b *logic.Bank, t logic.Term) string {
	if p.bank != b {
		p.bank, p.terms, p.names = b, map[logic.Term]string{}, map[logic.Term][]logic.Term{}
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
		names = namesIn(p.bank, t, map[logic.Term]bool{})
		p.names[t] = names
	}
	for _, x := range names {
		if name := p.bank.Name(x); out[name] == "" {
			out[name] = text.Type(p.bank, p.bank.Type(x))
		}
	}
}

func namesIn(b *logic.Bank, t logic.Term, seen map[logic.Term]bool) (out []logic.Term) {
	if seen[t] {
		return nil
	}
	seen[t] = true
	if op := b.Op(t); op == logic.Free || op == logic.Given {
		return []logic.Term{t}
	}
	for _, a := range b.Args(t) {
		out = append(out, namesIn(b, a, seen)...)
	}
	return out
}

// ObligationsJSON writes one obligation a line, in canonical text.
func ObligationsJSON(w io.Writer, obligations []*po.Obligation) error {
	out := newLines(w)
	var p printer
	for _, o := range obligations {
		s := o.Sequent()
		j := jsonObligation{
			Project: o.Project, Component: o.Component, Name: o.Name, Kind: o.Kind.String(), Nature: o.Nature,
			Goal: p.term(s.Bank, s.Goal), Types: map[string]string{}, Hypotheses: []string{}, Selected: []int{}, Accurate: o.Accurate, Sources: []jsonSource{},
		}
		for _, h := range s.Hyps {
			j.Hypotheses = append(j.Hypotheses, p.term(s.Bank, h))
			p.types(h, j.Types)
		}
		p.types(s.Goal, j.Types)
		j.Selected = append(j.Selected, s.Selected...)
		for _, src := range o.Sources {
			j.Sources = append(j.Sources, jsonSource{src.Role.String(), src.Element, src.Origin.Component, src.Label, src.Origin.Span.File, src.Origin.Span.Line})
		}
		out.put(j)
	}
	return out.err
}

// Counts writes how many obligations each component has, by kind.
func Counts(w io.Writer, style Style, obligations []*po.Obligation) {
	type row struct {
		of    *po.Obligation // one of them
		total int
		kinds map[po.Kind]int
	}
	var rows []*row
	for _, o := range obligations {
		if n := len(rows); n == 0 || rows[n-1].of.Of() != o.Of() {
			rows = append(rows, &row{o, 0, map[po.Kind]int{}})
		}
		r := rows[len(rows)-1]
		r.total++
		r.kinds[o.Kind]++
	}
	for _, r := range rows {
		fmt.Fprintf(w, "%s %5d ", style.Bold(fmt.Sprintf("%-28s", r.of.Project+"/"+r.of.Component)), r.total)
		for _, k := range po.Kinds() {
			if n := r.kinds[k]; n > 0 {
				fmt.Fprintf(w, " %s %d", k, n)
			}
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, Count(len(obligations), "obligation"))
}

// Sequent writes an obligation so that a person can read it: where it comes
// from, the selected hypotheses, how many others there are, and the goal. With
// all, every hypothesis is written.
func Sequent(w io.Writer, style Style, o *po.Obligation, all bool) {
	fmt.Fprintf(w, "%s  %s\n", style.Bold(o.Path()), style.Dim(o.Nature))
	for _, src := range o.Sources {
		fmt.Fprintf(w, "  %s %s (%s)\n", src.Element, src.Label, src.Origin.Span)
	}
	s := o.Sequent()
	selected := map[int]bool{}
	for _, i := range s.Selected {
		selected[i] = true
	}
	opts := text.Options{Untyped: true, Spaced: true, Width: 90}
	hidden := 0
	for i, h := range s.Hyps {
		if !all && !selected[i] {
			hidden++
			continue
		}
		fmt.Fprintf(w, "    %s\n", indent(opts.Term(s.Bank, h)))
	}
	if hidden > 0 {
		fmt.Fprintf(w, "    %s\n", style.Dim(fmt.Sprintf("and %d more hypotheses (--all shows them)", hidden)))
	}
	fmt.Fprintf(w, "  ⊢ %s\n\n", indent(opts.Term(s.Bank, s.Goal)))
}
