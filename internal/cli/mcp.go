package cli

import (
	"bytes"
	"context"
	"io"

	"github.com/gradine/gradine/internal/mcp"
	"github.com/spf13/cobra"
)

func (r *run) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve an agent",
		Long: `Speaks the Model Context Protocol on standard input and output. Each tool is one of these commands
and answers what it prints: check, obligations (po), sequent (po of one), prove, why (report why),
explore, infer, explain. Nothing is written but the store. docs/agents.md is a page for agents,
which gradine init --agent writes into a project.`,
		Example: "  gradine mcp",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return mcp.Serve(r.ctx, io.NopCloser(r.in), unclosed{r.out}, version(), r.perform)
		},
	}
}

// perform runs another command as if it had been called, in the same folder.
func (r *run) perform(ctx context.Context, args []string) (output, messages string, code int) {
	var out, err bytes.Buffer
	other := &run{ctx: ctx, in: bytes.NewReader(nil), err: &err}
	code = other.execute(append([]string{"-C", r.dir}, args...), &out)
	return out.String(), err.String(), code
}
