package clang

import (
	"context"
	"os"
	"time"

	"github.com/gradine/gradine/internal/process"
)

// mostTime limits one run of the compiler that waits; tests take less.
var mostTime = time.Hour

// Other limits of one run. That on processor time is what a run meets that has too much to do: on a busy computer, too,
// clang then compiles the same sources.
const (
	mostProcessor = 60 * time.Second
	mostMemory    = 2 << 30 // bytes of addresses, of each process
	mostOutput    = 256 << 20
)

// run runs a program in dir, with no environment but a search path and a folder for
// temporary files, and waits for it. The error says that it did not run to its end.
func run(ctx context.Context, dir, temp, path string, args []string) (process.Result, error) {
	return process.Run(ctx, process.Command{
		Path: path, Args: args, Dir: dir, Env: []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TMPDIR=" + temp},
		Time: mostTime, Processor: mostProcessor, Memory: mostMemory, Output: mostOutput,
	})
}
