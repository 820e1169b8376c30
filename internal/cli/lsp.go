package cli

import (
	"context"

	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/internal/lsp"
	"github.com/spf13/cobra"
)

func (r *run) lspCommand() *cobra.Command {
	var workers int
	command := &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor",
		Long: `Speaks the Language Server Protocol on standard input and output: an editor starts it and is told,
while its user types, what is wrong with the models and which obligations are proved, refuted
or open. docs/editors.md says how to set up an editor.`,
		Example: "  gradine lsp",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			store, err := proofstore.DefaultStore()
			if err != nil {
				return err
			}
			// The server closes its stream when the editor goes; the standard output is not its to
			// close.
			return lsp.Serve(r.ctx, r.in, unclosed{r.out}, lsp.Options{Store: store, Version: version(), Workers: workers, Run: r.shown})
		},
	}
	command.Flags().Bool("stdio", true, "speak on standard input and output, as some editors ask for: there is no other way")
	command.Flags().IntVar(&workers, "workers", 0, "number of searches at a time (no influence on results)")
	return command
}

// shown runs another command with texts that stand above the files, and returns all that
// it prints.
func (r *run) shown(ctx context.Context, texts map[string][]byte, args []string) (output string, code int) {
	other := &run{ctx: ctx, texts: texts, dir: r.dir}
	output, messages, code := other.perform(ctx, "", "", args)
	return output + messages, code
}
