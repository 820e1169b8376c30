package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/logic/wd"
	"github.com/spf13/cobra"
)

// question is one line of input of the formula command.
type question struct {
	Kind string            `json:"kind"`
	In   string            `json:"in"`
	Env  map[string]string `json:"env"`
}

func (r *run) formulaCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "formula [FORMULA…]",
		Short: "Parse, type and analyse single formulas",
		Long: `Reads formulas from the arguments, or JSON lines {"kind","in","env"} from the standard
input, and prints for each the fully parenthesised text, the typed text, types and the
well-definedness condition. JSON input is in Rodin's stored (Unicode) language.`,
		Example: "  gradine formula 'x : 1..n & f(x) = 0'\n  gradine formula --format jsonl < formulas.jsonl",
		RunE: func(_ *cobra.Command, args []string) error {
			dialect := lang.Stored
			if r.ascii || len(args) > 0 {
				dialect = lang.Text
			}
			if len(args) > 0 {
				for _, in := range args {
					r.showFormula(dialect, in)
				}
				return nil
			}
			return r.answerAll(dialect)
		},
	}
	command.Flags().BoolVar(&r.ascii, "ascii", false, "accept ASCII spellings in JSON input, too")
	r.formatFlag(command, "text", "jsonl")
	return command
}

// answerAll answers the JSON lines of the standard input.
func (r *run) answerAll(dialect lang.Dialect) error {
	in := json.NewDecoder(bufio.NewReaderSize(r.in, 1<<16))
	buffered := bufio.NewWriterSize(r.out, 1<<16)
	out := report.NewFormulas(buffered)
	var reader check.Reader
	for n := 1; r.ctx.Err() == nil; n++ {
		var q question
		switch err := in.Decode(&q); {
		case errors.Is(err, io.EOF):
			return buffered.Flush()
		case err != nil:
			buffered.Flush()
			return usagef("formula %d of the input: %v; give one object {\"kind\",\"in\",\"env\"} a line", n, err)
		}
		if err := out.Put(answer(&reader, dialect, q)); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// answer analyses one formula.
func answer(reader *check.Reader, dialect lang.Dialect, q question) report.Formula {
	bank := logic.NewBank()
	var env check.Env // nil if the question gives none
	var err error
	if q.Env != nil {
		env, err = reader.Env(bank, q.Env)
	}
	if err != nil {
		return report.Formula{Problems: []report.FormulaProblem{{Message: err.Error()}}}
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
	return report.Formula{Problems: []report.FormulaProblem{{Message: fmt.Sprintf("kind %q; possible are Predicate, Expression, Assignment, Type", q.Kind)}}}
}

func analyse(bank *logic.Bank, env check.Env, formula *lang.Formula, problems []lang.Problem) report.Formula {
	if len(problems) > 0 {
		return report.Formula{Problems: syntaxProblems(problems)}
	}
	out := report.Formula{OK: true, Paren: lang.FullyParenthesised(formula)}
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

func analyseType(b *logic.Bank, env check.Env, in string, d lang.Dialect) report.Formula {
	f, problems := lang.ParseType(in, d)
	if len(problems) > 0 {
		return report.Formula{Problems: syntaxProblems(problems)}
	}
	out := report.Formula{OK: true, Paren: lang.TypeText(f)}
	if typ, _, found := check.Type(b, env, f); len(found) == 0 {
		out.Type = text.Type(b, typ)
	}
	return out
}

func analyseAssignment(bank *logic.Bank, env check.Env, in string, dialect lang.Dialect) report.Formula {
	assignment, problems := lang.ParseAssignment(in, dialect)
	if len(problems) > 0 {
		return report.Formula{Problems: syntaxProblems(problems)}
	}
	out := report.Formula{OK: true, Paren: assignment.FullyParenthesised()}
	act, inferred, found := check.Assignment(bank, env, assignment)
	if len(found) > 0 {
		out.Problems, out.OK = typeProblems(found), env == nil
		return out
	}
	out.Typed, out.Inferred = report.Action(bank, act), typings(bank, inferred)
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

func syntaxProblems(ps []lang.Problem) []report.FormulaProblem {
	var out []report.FormulaProblem
	for _, p := range ps {
		out = append(out, report.FormulaProblem{Code: p.Code, From: p.From, To: p.To, Message: p.Message})
	}
	return out
}

func typeProblems(ds []diag.Diagnostic) []report.FormulaProblem {
	var out []report.FormulaProblem
	for _, d := range ds {
		out = append(out, report.FormulaProblem{Code: d.Code, From: d.Span.From, To: d.Span.To, Message: d.Message})
	}
	return out
}

// showFormula prints for people what is known of one formula: a predicate, or
// else an expression, or else an assignment.
func (r *run) showFormula(dialect lang.Dialect, in string) {
	best := answer(new(check.Reader), dialect, question{Kind: "Predicate", In: in})
	for _, kind := range []string{"Expression", "Assignment"} {
		if !best.OK {
			if a := answer(new(check.Reader), dialect, question{Kind: kind, In: in}); a.OK {
				best = a
			}
		}
	}
	fmt.Fprintln(r.out, r.style().Bold(in))
	show := func(what, s string) {
		if s != "" {
			fmt.Fprintf(r.out, "  %-9s %s\n", what, s)
		}
	}
	show("grouped", best.Paren)
	show("typed", best.Typed)
	show("type", best.Type)
	for _, name := range slices.Sorted(maps.Keys(best.Inferred)) {
		show("where", name+" ∈ "+best.Inferred[name])
	}
	show("defined", best.WD)
	for _, p := range best.Problems {
		fmt.Fprintf(r.out, "  %s %s [%s]\n", r.style().Red("error"), p.Message, p.Code)
	}
	if !best.OK || len(best.Problems) > 0 {
		r.fail(exitModel)
	}
}
