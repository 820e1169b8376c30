// Package process runs other programs with limits on time, memory and output, and terminates
// them with their children.
package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// Command is a program to run, and its limits.
type Command struct {
	Path string
	Args []string
	Dir  string   // "" for the current one
	Env  []string // all of it

	Time time.Duration // of the clock: what a program that waits for ever may take
	// Processor is the processor time of each process, in whole seconds; 0: any. What a program gets done in it does not
	// depend on what else the computer does.
	Processor time.Duration
	Memory    int64 // bytes that each process may use
	Output    int   // bytes of either stream
	// Reserved allows address space beyond Memory that is never written: drivers of GPUs reserve more than there is memory.
	Reserved bool
}

// Result is what a program printed.
type Result struct {
	Stdout, Stderr string
	Failed         bool // it ended with another status than 0
}

// Reason is why a program did not run to its end.
type Reason int

// The reasons.
const (
	TooLong  Reason = iota // it was stopped when its time was over
	TooSlow                // … its processor time
	TooMuch                // it wrote more than it may
	Signaled               // a signal killed it: it crashed, or another program ended it
)

// Stopped is the error of a program that started, and did not run to its end.
type Stopped struct {
	Command Command
	Reason  Reason
	Signal  string // of Signaled
}

func (s *Stopped) Error() string {
	switch c := s.Command; s.Reason {
	case TooLong:
		return fmt.Sprintf("%s was stopped after %v", c.Path, c.Time)
	case TooSlow:
		return fmt.Sprintf("%s was stopped after %v of processor time", c.Path, c.Processor)
	case TooMuch:
		return fmt.Sprintf("%s was stopped: it wrote more than %d MiB", c.Path, c.Output>>20)
	default:
		return fmt.Sprintf("%s was killed by %s (its memory limit is %d MiB)", c.Path, s.Signal, c.Memory>>20)
	}
}

// Run runs a program and waits for it. It is ended with its children when ctx is, or after its times; children that
// outlive it are ended, too. The error says that it did not run to its end: one of Stopped, or that it did not start.
func Run(ctx context.Context, cmd Command) (Result, error) {
	limited, stop := context.WithTimeout(ctx, cmd.Time)
	defer stop()
	stdout, stderr := bounded{most: cmd.Output, stop: stop}, bounded{most: cmd.Output, stop: stop}
	c := group(limited, cmd)
	c.Dir, c.Stdout, c.Stderr, c.Env = cmd.Dir, &stdout, &stderr, cmd.Env
	c.WaitDelay = 30 * time.Second // for what it has printed to arrive, on a busy machine too
	err := c.Run()
	endGroup(c)
	out := Result{stdout.String(), stderr.String(), err != nil}
	exit, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return out, context.Cause(ctx)
	case stdout.full || stderr.full:
		return out, &Stopped{Command: cmd, Reason: TooMuch}
	case limited.Err() != nil:
		return out, &Stopped{Command: cmd, Reason: TooLong}
	case err != nil && !ended:
		return out, err
	// The system kills a process that has used its processor time up. It counts that in other steps than what it tells
	// here, so half of it is enough to tell this end from others.
	case ended && exit.Error() == "signal: killed" && cmd.Processor > 0 && exit.UserTime()+exit.SystemTime() >= cmd.Processor/2:
		return out, &Stopped{Command: cmd, Reason: TooSlow}
	case ended && !exit.Exited():
		return out, &Stopped{Command: cmd, Reason: Signaled, Signal: exit.Error()}
	}
	return out, nil
}

// bounded keeps what is written to it, up to a limit, at which it stops the program. It has no ReadFrom: a copy would
// fill a buffer with that, past the limit.
type bounded struct {
	kept bytes.Buffer
	most int
	full bool
	stop func()
}

func (b *bounded) String() string { return b.kept.String() }

func (b *bounded) Write(p []byte) (int, error) {
	if b.kept.Len()+len(p) > b.most {
		b.full = true
		b.stop()
		return 0, errors.New("too much output")
	}
	return b.kept.Write(p)
}
