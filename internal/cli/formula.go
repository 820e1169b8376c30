package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/analysis"
	"github.com/gradine/gradine/lang/check"
)

func (r *run) formulaCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "formula [FORMULA…]",
		Short: "Parse and type-check formulas",
		Long: `Reads formulas from the arguments, or JSON lines {"kind","in","env"} from standard input. For each formula,
prints the fully parenthesised text, the typed text, the types, and the well-definedness condition. Formulas in
JSON use Unicode, as Rodin's files do.`,
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
	command.Flags().BoolVar(&r.ascii, "ascii", false, "accept ASCII operators in JSON input")
	r.formatFlag(command, "text", "jsonl")
	return command
}

// answerAll answers the JSON lines of the standard input.
func (r *run) answerAll(dialect lang.Dialect) error {
	stream := door.NewValues(r.in)
	in := json.NewDecoder(bufio.NewReaderSize(stream, 1<<16))
	buffered := bufio.NewWriterSize(r.out, 1<<16)
	out := report.NewFormulas(buffered)
	var reader check.Reader
	for n := 1; r.ctx.Err() == nil; n++ {
		stream.Next()
		var q analysis.Question
		switch err := in.Decode(&q); {
		case errors.Is(err, io.EOF):
			return buffered.Flush()
		case err != nil:
			buffered.Flush()
			return flags.Usagef("formula %d of the input: %v; write one object {\"kind\",\"in\",\"env\"} per line", n, err)
		}
		if err := out.Put(analysis.Answer(&reader, dialect, q)); err != nil {
			return err
		}
	}
	return buffered.Flush()
}

// showFormula prints for people what is known of one formula: a predicate, or
// else an expression, or else an assignment.
func (r *run) showFormula(dialect lang.Dialect, in string) {
	best := analysis.Answer(new(check.Reader), dialect, analysis.Question{Kind: "Predicate", In: in})
	for _, kind := range []string{"Expression", "Assignment"} {
		if !best.OK {
			if a := analysis.Answer(new(check.Reader), dialect, analysis.Question{Kind: kind, In: in}); a.OK {
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
