//go:build unix

package process

import (
	"context"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// group is a program in a process group of its own, with limits on memory and processor time that its
// children inherit; cancelling ctx ends the group. The shell sets the limits and becomes
// the program; where it cannot, there are none.
func group(ctx context.Context, cmd Command) *exec.Cmd {
	of := "-v"
	if cmd.Reserved {
		of = "-d"
	}
	limit := "ulimit " + of + " " + strconv.FormatInt(cmd.Memory>>10, 10) + " 2>/dev/null; "
	if cmd.Processor > 0 {
		limit += "ulimit -t " + strconv.FormatInt(int64(cmd.Processor/time.Second), 10) + " 2>/dev/null; "
	}
	limit += `exec "$0" "$@"`
	c := exec.CommandContext(ctx, "/bin/sh", append([]string{"-c", limit, cmd.Path}, cmd.Args...)...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	return c
}

// endGroup ends what a program has left running.
func endGroup(c *exec.Cmd) {
	if c.Process != nil {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) // none is left in most cases, which is an error
	}
}
