package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/gradine/gradine/internal/mcp"
	"github.com/spf13/cobra"
)

func (r *run) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Run the MCP server for agents",
		Long: `Runs the Model Context Protocol on standard input and output. Each tool runs a gradine command and returns its
output: check, verify, obligations (po), sequent (po of one obligation), prove, why (report why), explore,
infer, suggest (prove --suggest), fmt, try, explain. Unless the argument all is true, answers omit proved
obligations and rejected candidates. The server writes only the proof cache. docs/agents.md has instructions for
agents; gradine init --agent copies them into a project.`,
		Example: "  gradine mcp",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return mcp.Serve(r.ctx, io.NopCloser(r.in), unclosed{r.out}, version(), r.tool)
		},
	}
}

// tool runs a command of an agent. What stands behind -- is never a flag.
func (r *run) tool(ctx context.Context, c mcp.Command) (output, messages string, code int) {
	if _, err := os.Stat(r.path(c.Path)); c.Path != "" && errors.Is(err, fs.ErrNotExist) {
		return "", "gradine: " + c.Path + ": no such file or directory; path is a project: its folder, its gradine.toml, or a model file\n", exitUsage
	}
	return r.perform(ctx, c.Dir, c.Input, append(append(c.Line, "--"), c.Names...))
}

// perform runs another command as if it had been called, in the same folder or in one
// below it.
func (r *run) perform(ctx context.Context, dir, input string, args []string) (output, messages string, code int) {
	// A run of its own: the exit code, the format and the folder of this one stay as they are.
	if dir = r.path(dir); dir != "" {
		args = append([]string{"-C", dir}, args...)
	}
	var out, err bytes.Buffer
	other := &run{ctx: ctx, texts: r.texts, in: strings.NewReader(input), err: &err}
	code = other.execute(args, &out)
	return out.String(), err.String(), code
}

// unclosed is a stream that is closed by the code that opened it.
type unclosed struct{ io.Writer }

// Close does nothing.
func (unclosed) Close() error { return nil }
