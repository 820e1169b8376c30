//go:build unix

package process_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/internal/process"
)

// shell is a command of the shell within limits that it does not reach by itself.
func shell(text string) process.Command {
	return process.Command{Path: "/bin/sh", Args: []string{"-c", text}, Env: os.Environ(), Time: time.Hour, Memory: 1 << 30, Output: 1 << 16}
}

func TestRun(t *testing.T) {
	out, err := process.Run(t.Context(), shell("echo said; echo shouted >&2; exit 3"))
	if err != nil || out.Stdout != "said\n" || out.Stderr != "shouted\n" || !out.Failed {
		t.Errorf("%+v, %v", out, err)
	}
	if out, err := process.Run(t.Context(), shell("exit 0")); err != nil || out.Failed {
		t.Errorf("%+v, %v", out, err)
	}
	absent := shell("")
	absent.Dir = "/nowhere/at/all"
	if _, err := process.Run(t.Context(), absent); err == nil {
		t.Error("a program runs in a folder that there is not")
	}
}

// Each limit ends the program, and the error says which.
func TestLimits(t *testing.T) {
	long := shell("while :; do :; done")
	long.Time = 50 * time.Millisecond
	for name, c := range map[string]struct {
		command process.Command
		want    process.Reason
	}{
		"time":   {long, process.TooLong},
		"output": {shell("while :; do echo much; done"), process.TooMuch},
		"signal": {shell("kill -SEGV $$"), process.Signaled},
	} {
		_, err := process.Run(t.Context(), c.command)
		stopped, ok := errors.AsType[*process.Stopped](err)
		if !ok || stopped.Reason != c.want || !strings.HasPrefix(stopped.Error(), "/bin/sh was ") {
			t.Errorf("%s: %v, want reason %d", name, err, c.want)
		}
	}
}

// A program is ended after its processor time; one that waits has not used it up, nor has one that fails or is killed.
func TestProcessorTime(t *testing.T) {
	if testing.Short() {
		t.Skip("the least limit is a second: the full form has it")
	}
	for text, want := range map[string]string{
		"while :; do :; done": "/bin/sh was stopped after 1s of processor time",
		"sleep 1.2":           "<nil>",
		"exit 3":              "<nil>",
		"kill -KILL $$":       "/bin/sh was killed by signal: killed (its memory limit is 1024 MiB)",
	} {
		c := shell(text)
		c.Processor = time.Second
		if out, err := process.Run(t.Context(), c); fmt.Sprint(err) != want {
			t.Errorf("%s: %+v, %v, want %s", text, out, err, want)
		}
	}
}

// A program that is given little memory cannot take more, whichever way it is counted.
func TestMemory(t *testing.T) {
	// The shell keeps the text in its memory: doubled 27 times it has 128 MB.
	const doubling = `x=a; i=0; while [ $i -lt 27 ]; do x=$x$x || exit 7; i=$((i+1)); done; echo all`
	for _, reserved := range []bool{false, true} {
		c := shell(doubling)
		c.Memory, c.Reserved = 64<<20, reserved
		out, err := process.Run(t.Context(), c)
		if err == nil && !out.Failed || strings.Contains(out.Stdout, "all") {
			t.Errorf("reserved %v: 128 MB in 64 MB: %+v, %v", reserved, out, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("no more")
	go cancel(why)
	if _, err := process.Run(ctx, shell("while :; do :; done")); !errors.Is(err, why) {
		t.Errorf("%v, want %v", err, why)
	}
}

// Children that a program leaves behind end with it.
func TestChildren(t *testing.T) {
	out, err := process.Run(t.Context(), shell("sleep 100000 >/dev/null 2>&1 & echo $!"))
	if err != nil {
		t.Fatal(err)
	}
	stat := fmt.Sprintf("/proc/%s/stat", strings.TrimSpace(out.Stdout))
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("this system does not list processes in /proc")
	}
	for { // the signal was sent; when it arrives is up to the system
		text, err := os.ReadFile(stat)
		if err != nil || strings.Contains(string(text), ") Z ") {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
