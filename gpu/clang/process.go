package clang

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// Limits of one run of the compiler.
const (
	mostTime   = 60 * time.Second
	mostMemory = 2 << 30 // bytes of addresses, of each process
	mostOutput = 256 << 20
)

// result is what a run of a program printed.
type result struct {
	stdout, stderr string
	failed         bool // it ended with another status than 0
}

// run runs a program in dir, with no environment but a search path and a folder for
// temporary files, and waits for it. It is ended with its children when ctx is, or after a minute. The error says that it did not
// run to its end.
func run(ctx context.Context, dir, temp, path string, args []string) (result, error) {
	limited, stop := context.WithTimeout(ctx, mostTime)
	defer stop()
	var stdout, stderr bounded
	c := command(limited, path, args)
	c.Dir, c.Stdout, c.Stderr = dir, &stdout, &stderr
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TMPDIR=" + temp}
	c.WaitDelay = time.Second
	err := c.Run()
	out := result{stdout.String(), stderr.String(), err != nil}
	exit, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return out, context.Cause(ctx)
	case limited.Err() != nil:
		return out, fmt.Errorf("%s was stopped after %v", path, mostTime)
	case stdout.full || stderr.full:
		return out, fmt.Errorf("%s was stopped: it wrote more than %d MiB", path, mostOutput>>20)
	case err != nil && !ended:
		return out, err
	case ended && !exit.Exited():
		return out, fmt.Errorf("%s was killed by %v (its memory limit is %d GiB)", path, exit, mostMemory>>30)
	}
	return out, nil
}

// bounded keeps what is written to it, up to a limit.
type bounded struct {
	bytes.Buffer
	full bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > mostOutput {
		b.full = true
		return 0, errors.New("too much output")
	}
	return b.Buffer.Write(p)
}
