package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/spf13/cobra"
)

func (r *run) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "explain [CODE]",
		Short:   "Say more about a diagnostic code",
		Long:    "Explains a code such as GR0150: what it means, what to do, and an example. Without a code,\nlists all of them.",
		Example: "  gradine explain GR0150",
		Args:    oneAtMost("a code"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			var codes []string
			for _, rule := range rules() {
				codes = append(codes, rule.Code+"\t"+rule.Title)
			}
			return codes, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, rule := range rules() {
					fmt.Fprintf(r.out, "%s  %-7s  %s\n", rule.Code, rule.Severity, rule.Title)
				}
				return nil
			}
			all := rules()
			i := slices.IndexFunc(all, func(rule check.Rule) bool { return rule.Code == strings.ToUpper(args[0]) })
			if i < 0 {
				return usagef("no code %s; `gradine explain` lists all", args[0])
			}
			rule := all[i]
			fmt.Fprintf(r.out, "%s  %s: %s\n\n%s\n", r.style().Bold(rule.Code), rule.Severity, rule.Title, strings.TrimSpace(rule.Explanation))
			if rule.Rodin != "" {
				fmt.Fprintf(r.out, "\nRodin calls it %s.\n", rule.Rodin)
			}
			if rule.Example != "" {
				fmt.Fprintf(r.out, "\nExample:\n\n%s\n", indentText(rule.Example))
			}
			return nil
		},
	}
}

// rules returns the rules of all packages, by code.
func rules() []check.Rule {
	all := check.AllRules()
	for _, rule := range rodin.Rules {
		r := check.Rule{Code: rule.Code, Title: rule.Title, Explanation: rule.Explanation, Example: rule.Example}
		if rule.Code == rodin.NewerVersion {
			r.Severity = diag.Warning
		}
		all = append(all, r)
	}
	return all
}

func indentText(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    ")
}
