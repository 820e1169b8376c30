package cli

import (
	"context"
	"io"

	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/internal/animator"
	"github.com/gradine/gradine/internal/lsp"
	"github.com/spf13/cobra"
)

func (r *run) lspCommand() *cobra.Command {
	var workers int
	command := &cobra.Command{
		Use:   "lsp",
		Short: "Run the language server for editors",
		Long: `Runs the Language Server Protocol on standard input and output. Editors start it to show diagnostics and the
verdicts of obligations while you type. See docs/editors.md for setup.`,
		Example: "  gradine lsp",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			store, err := proofstore.DefaultStore()
			if err != nil {
				return err
			}
			// The server closes its stream when the editor goes; the standard output is not its to
			// close.
			return lsp.Serve(r.ctx, r.in, unclosed{r.out}, lsp.Options{Store: store, Version: version(), Workers: workers, Run: r.shown, Animate: r.served})
		},
	}
	command.Flags().Bool("stdio", true, "use standard input and output (the only transport; some editors pass this flag)")
	command.Flags().IntVar(&workers, "workers", 0, "number of parallel searches (does not affect results)")
	return command
}

// shown runs another command with texts that stand above the files, and returns all that
// it prints.
func (r *run) shown(ctx context.Context, texts map[string][]byte, args []string) (output string, code int) {
	other := &run{ctx: ctx, texts: texts, dir: r.dir}
	output, messages, code := other.perform(ctx, "", "", args)
	return output + messages, code
}

// served opens a page that animates a machine, or the counterexample of an obligation, of the project at a path. It follows
// the texts, and is served until the context of serve ends.
func (r *run) served(texts func() map[string][]byte, at, name string) (url string, serve func(context.Context) error, err error) {
	quiet := &run{ctx: r.ctx, out: io.Discard, err: io.Discard, dir: r.dir, noStore: r.noStore}
	server, err := animator.Listen(animator.Options{Open: quiet.opener([]string{at}, []string{name}, animateFlags{}, texts), Write: writeRecorded, Texts: texts})
	if err != nil {
		return "", nil, err
	}
	return server.URL(), server.Serve, nil
}
