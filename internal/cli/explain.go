package cli

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/lang/rules"
	"github.com/gradine/gradine/po"
	"github.com/spf13/cobra"
)

func (r *run) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain [CODE | KIND]",
		Short: "Explain a diagnostic code or an obligation kind",
		Long: `Explains a diagnostic code such as GR0150 (meaning, fix, example) or an obligation kind such as INV.
Without an argument, lists all codes and kinds.`,
		Example: "  gradine explain GR0150\n  gradine explain WD",
		Args:    oneAtMost("a code or a kind of obligation"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var codes []string
			for _, rule := range rules.All() {
				codes = append(codes, rule.Code+"\t"+rule.Title)
			}
			for _, k := range po.Kinds() {
				codes = append(codes, k.String()+"\t"+k.Title())
			}
			return codes, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, rule := range rules.All() {
					fmt.Fprintf(r.out, "%s  %-7s  %s\n", rule.Code, rule.Severity, rule.Title)
				}
				for _, k := range po.Kinds() {
					fmt.Fprintf(r.out, "%-6s  %-7s  %s\n", k, "kind", k.Title())
				}
				return nil
			}
			if k, ok := po.KindOf(args[0]); ok {
				fmt.Fprintf(r.out, "%s  obligation: %s\n\n%s\n\nIf it is refuted or open: %s\n\ndocs/obligations.md defines the obligation.\n", r.style().Bold(k.String()), k.Title(), k.Asks(), k.IfOpen())
				return nil
			}
			// People copy the number alone.
			code := strings.ToUpper(args[0])
			if n, err := strconv.Atoi(code); err == nil {
				code = fmt.Sprintf("GR%04d", n)
			}
			rule, ok := rules.Of(code)
			if !ok {
				return flags.Usagef("unknown code or obligation kind %s; `gradine explain` lists all", args[0])
			}
			fmt.Fprintf(r.out, "%s  %s: %s\n\n%s\n\nFix: %s\n", r.style().Bold(rule.Code), rule.Severity, rule.Title, rule.Explanation, rule.Fix)
			if rule.Rodin != "" {
				fmt.Fprintf(r.out, "\nRodin reports it as %s.\n", rule.Rodin)
			}
			if rule.Example != "" {
				fmt.Fprintf(r.out, "\nExample:\n\n%s\n", indentText(rule.Example))
			}
			return nil
		},
	}
}

func indentText(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    ")
}
