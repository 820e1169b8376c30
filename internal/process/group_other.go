//go:build !unix

package process

import (
	"context"
	"os/exec"
)

// group is a program that is ended with ctx. This system has neither process groups nor
// limits on memory that Go knows.
func group(ctx context.Context, cmd Command) *exec.Cmd {
	return exec.CommandContext(ctx, cmd.Path, cmd.Args...)
}

func endGroup(*exec.Cmd) {}
