package tune

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// Certificate is the text that records an answer: every point with its exact
// value, the bound that excluded it, or the reason why it is none; and what the
// values rest on. The same answer has the same text.
func (a *Answer) Certificate() string {
	var w strings.Builder
	fmt.Fprintf(&w, "gradine tuning 3\nentry %s\n", a.Entry)
	fmt.Fprintf(&w, "criterion %s\norder %s\n", a.Criterion, a.Order)
	for _, objective := range a.Objectives {
		fmt.Fprintf(&w, "%s %s\n", objective.Sense(), objective.Text)
	}
	for _, constraint := range a.Constraints {
		fmt.Fprintf(&w, "constraint %s\n", constraint)
	}
	for _, g := range a.Given {
		fmt.Fprintf(&w, "given %s %s\n", g.Name, g.Value.Text)
	}
	for _, s := range a.Carriers {
		fmt.Fprintf(&w, "carrier %s %s\n", s.Name, s.Value.Text)
	}
	if a.Closed != nil {
		fmt.Fprintf(&w, "theorem %s %s\n", a.Closed.Label, a.Closed.Certificate)
	}
	for _, what := range a.Proved {
		fmt.Fprintf(&w, "proved %s\n", what)
	}
	for _, what := range a.Cut {
		fmt.Fprintf(&w, "cut %s\n", what)
	}
	for _, name := range a.Unshown {
		fmt.Fprintf(&w, "unshown %s\n", name)
	}
	// Every point has its line, those that are not best too: "no point is better" is a
	// statement about all of them.
	fmt.Fprintf(&w, "parameters %s\n", strings.Join(a.Names, " "))
	// Every point has its line: who checks the answer need not know how points are
	// made.
	for _, p := range a.Points {
		for _, constant := range p.Values {
			fmt.Fprintf(&w, "%s ", constant.Text)
		}
		switch {
		case p.Illegal != "":
			fmt.Fprintf(&w, "illegal %s\n", p.Illegal)
		case p.Above != nil:
			fmt.Fprintf(&w, "above %s %s %d\n", p.Above, p.By, p.Steps)
		case p.Bounded != "":
			fmt.Fprintf(&w, "unknown %s\n", p.Bounded)
		default:
			w.WriteString("value")
			for _, r := range p.Ranges {
				fmt.Fprintf(&w, " %s %s", r.Low, r.High)
			}
			if p.rest != 0 {
				fmt.Fprintf(&w, " %+v", p.rest)
			}
			fmt.Fprintf(&w, " %s %d\n", p.By, p.Steps)
		}
	}
	fmt.Fprintf(&w, "complete %t\n", a.Complete)
	return w.String()
}

// Address names a certificate by its content.
func Address(certificate string) string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(certificate)))
}
