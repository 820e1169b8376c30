//go:build unix

package clang

import (
	"context"
	"os/exec"
	"strconv"
	"syscall"
)

// command is a program in a process group of its own, with a limit on memory that its
// children inherit; cancelling ctx ends the group. The shell sets the limit and becomes
// the program; where it cannot, there is none.
func command(ctx context.Context, path string, args []string) *exec.Cmd {
	limit := "ulimit -v " + strconv.Itoa(mostMemory>>10) + ` 2>/dev/null; exec "$0" "$@"`
	c := exec.CommandContext(ctx, "/bin/sh", append([]string{"-c", limit, path}, args...)...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	return c
}
