package clang

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
)

// Compiler is a clang that is installed.
type Compiler struct {
	Path    string // of the executable
	Version string // as it says, such as 16.0.6
	Major   int
	Says    string // all that --version prints: build, target, and files of options
}

// String names the compiler as answers do.
func (c Compiler) String() string { return "clang " + c.Version }

// Oldest and newest are the major versions whose IR is understood.
const (
	Oldest = 14
	Newest = 21
)

// ErrNone says that no clang is installed.
var ErrNone = errors.New("no clang is installed: install clang 14 to 21 (apt-get install clang), or name it with --clang PATH")

var versionLine = regexp.MustCompile(`clang version ((\d+)\.\d+\.\d+)`)

// Find returns the compiler at path, or, without a path, the one called clang, or else the
// newest that is called clang-NN. The error wraps ErrNone if there is none.
func Find(ctx context.Context, path string) (Compiler, error) {
	names := []string{path}
	if path == "" {
		names = []string{"clang"}
		for n := Newest; n >= Oldest; n-- {
			names = append(names, "clang-"+strconv.Itoa(n))
		}
	}
	// The first compiler that does not fit is named only if no other one fits.
	unfit := error(nil)
	for _, name := range names {
		at, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		c, err := ask(ctx, at)
		if err == nil {
			return c, nil
		}
		if unfit == nil {
			unfit = err
		}
	}
	switch {
	case ctx.Err() != nil:
		return Compiler{}, context.Cause(ctx)
	case unfit != nil:
		return Compiler{}, unfit
	case path != "":
		return Compiler{}, fmt.Errorf("there is no program %s: give --clang the path of clang 14 to 21", path)
	}
	return Compiler{}, ErrNone
}

// ask asks the program at path for its version.
func ask(ctx context.Context, path string) (Compiler, error) {
	out, err := run(ctx, "", os.TempDir(), path, []string{"--version"})
	if err != nil {
		return Compiler{}, err
	}
	m := versionLine.FindStringSubmatch(out.Stdout)
	if m == nil {
		return Compiler{}, fmt.Errorf("%s is not clang: its --version does not name clang", path)
	}
	major, err := strconv.Atoi(m[2])
	if err != nil || major < Oldest || major > Newest {
		return Compiler{}, fmt.Errorf("%s is clang %s; gradine supports clang %d to %d", path, m[1], Oldest, Newest)
	}
	return Compiler{Path: path, Version: m[1], Major: major, Says: out.Stdout}, nil
}
