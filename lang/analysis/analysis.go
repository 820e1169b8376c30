// Package analysis answers gradine formula: the grouping, the type and the well-definedness
// condition of a single formula.
package analysis

import (
	"fmt"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/logic/wd"
)

// Question is a formula of one kind: Predicate, Expression, Assignment or Type. Env gives
// types to its identifiers; without it they are inferred.
type Question struct {
	Kind string            `json:"kind"`
	In   string            `json:"in"`
	Env  map[string]string `json:"env"`
}

// Formula is what is known about one formula that was read.
type Formula struct {
	OK       bool              `json:"ok"`
	Paren    string            `json:"paren,omitempty"`
	Typed    string            `json:"typed,omitempty"`
	Type     string            `json:"type,omitempty"`
	Inferred map[string]string `json:"inferred,omitempty"`
	WD       string            `json:"wd,omitempty"`
	Problems []Problem         `json:"problems"`
}

// Problem is one reason why a formula has no meaning.
type Problem struct {
	Code    string `json:"code"`
	From    int    `json:"from"`
	To      int    `json:"to"`
	Message string `json:"message"`
}

// Answer analyses one formula, whose types may be read by reader.
func Answer(reader *check.Reader, dialect lang.Dialect, q Question) Formula {
	bank := logic.NewBank()
	var env check.Env // nil if the question gives none
	var err error
	if q.Env != nil {
		env, err = reader.Env(bank, q.Env)
	}
	if err != nil {
		return Formula{Problems: []Problem{{Message: err.Error()}}}
	}
	switch q.Kind {
	case "Predicate":
		formula, problems := lang.ParsePredicate(q.In, dialect)
		return analyse(bank, env, formula, problems)
	case "Expression":
		formula, problems := lang.ParseExpression(q.In, dialect)
		return analyse(bank, env, formula, problems)
	case "Type":
		return analyseType(bank, env, q.In, dialect)
	case "Assignment":
		return analyseAssignment(bank, env, q.In, dialect)
	}
	return Formula{Problems: []Problem{{Message: fmt.Sprintf("kind %q; use one of Predicate, Expression, Assignment, Type", q.Kind)}}}
}

// analyse types a formula that was parsed with problems. Without an environment a formula without types is accepted,
// too.
func analyse(bank *logic.Bank, env check.Env, formula *lang.Formula, problems []lang.Problem) Formula {
	if len(problems) > 0 {
		return Formula{Problems: syntaxProblems(problems)}
	}
	out := Formula{OK: true, Paren: lang.FullyParenthesised(formula)}
	term, inferred, found := check.Formula(bank, env, formula)
	if len(found) > 0 {
		out.Problems = typeProblems(found)
		// A formula without types is still a formula of the language; it is
		// rejected where an environment was given to type it in.
		out.OK = env == nil
		return out
	}
	out.Typed, out.Inferred = text.Term(bank, term), typings(bank, inferred)
	if bank.Type(term) != logic.Prop {
		out.Type = text.Type(bank, bank.Type(term))
	}
	out.WD = text.Term(bank, wd.Lemma(bank, term))
	return out
}

func analyseType(b *logic.Bank, env check.Env, in string, d lang.Dialect) Formula {
	f, problems := lang.ParseType(in, d)
	if len(problems) > 0 {
		return Formula{Problems: syntaxProblems(problems)}
	}
	out := Formula{OK: true, Paren: lang.TypeText(f)}
	if typ, _, found := check.Type(b, env, f); len(found) == 0 {
		out.Type = text.Type(b, typ)
	}
	return out
}

func analyseAssignment(bank *logic.Bank, env check.Env, in string, dialect lang.Dialect) Formula {
	assignment, problems := lang.ParseAssignment(in, dialect)
	if len(problems) > 0 {
		return Formula{Problems: syntaxProblems(problems)}
	}
	out := Formula{OK: true, Paren: assignment.FullyParenthesised()}
	act, inferred, found := check.Assignment(bank, env, assignment)
	if len(found) > 0 {
		out.Problems, out.OK = typeProblems(found), env == nil
		return out
	}
	out.Typed, out.Inferred = Action(bank, act), typings(bank, inferred)
	out.WD = text.Term(bank, wd.Assignment(bank, after(bank, act), act.Right...))
	return out
}

// after returns the free identifiers x' of an assignment x :∣ P.
func after(b *logic.Bank, a *model.Action) []logic.Term {
	if a.Kind != model.BecomesSuch {
		return nil
	}
	var out []logic.Term
	for _, l := range a.Left {
		out = append(out, b.Free(b.Name(l)+"'", b.Type(l)))
	}
	return out
}

func typings(b *logic.Bank, ts []check.Typing) map[string]string {
	out := map[string]string{}
	for _, t := range ts {
		out[t.Name] = text.Type(b, t.Type)
	}
	return out
}

func syntaxProblems(ps []lang.Problem) []Problem {
	var out []Problem
	for _, p := range ps {
		out = append(out, Problem{Code: p.Code, From: p.From, To: p.To, Message: p.Message})
	}
	return out
}

func typeProblems(ds []diag.Diagnostic) []Problem {
	var out []Problem
	for _, d := range ds {
		out = append(out, Problem{Code: d.Code, From: d.Span.From, To: d.Span.To, Message: d.Message})
	}
	return out
}

// Action returns the canonical text of an assignment.
func Action(b *logic.Bank, a *model.Action) string {
	opts := text.Options{}
	list := func(ts []logic.Term) string {
		var out []string
		for _, t := range ts {
			out = append(out, opts.Term(b, t))
		}
		return strings.Join(out, ",")
	}
	return list(a.Left) + " " + [...]string{"≔", ":∈", ":∣"}[a.Kind] + " " + list(a.Right)
}
