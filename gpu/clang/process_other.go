//go:build !unix

package clang

import (
	"context"
	"os/exec"
)

// command is a program that is ended with ctx. This system has neither process groups nor
// limits on memory that Go knows.
func command(ctx context.Context, path string, args []string) *exec.Cmd {
	return exec.CommandContext(ctx, path, args...)
}
