package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/gpu/runner"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){
		"gradine": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// scratch is a folder that lives as long as the tests. The store in it is theirs
// together, unless a test sets another: what several need is proved once.
var scratch string

type tests struct{ *testing.M }

// Run runs the tests between the making of scratch and its end.
func (m tests) Run() int {
	var err error
	if scratch, err = os.MkdirTemp("", "gradine"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(scratch)
	if err := os.Setenv("GRADINE_CACHE", filepath.Join(scratch, "store")); err != nil {
		panic(err)
	}
	return m.M.Run()
}

// condition reports whether this computer can run kernels in OpenCL.
func condition(name string) (bool, error) {
	if name != "opencl" {
		return false, fmt.Errorf("unknown condition %s", name)
	}
	dir, err := os.MkdirTemp("", "gradine")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	_, err = runner.New(context.Background(), runner.OpenCL, dir, "", runner.Limits{Time: time.Minute, Memory: 4 << 30})
	return err == nil, nil
}

// TestScripts runs the program as people do, on the files of each script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("GRADINE_CACHE", env.WorkDir+"/store")
			env.Setenv("HOME", env.WorkDir)
			root, err := filepath.Abs("../..")
			if err != nil {
				return err
			}
			env.Setenv("ROOT", root)
			for _, who := range []string{"AUTHOR", "COMMITTER"} {
				env.Setenv("GIT_"+who+"_NAME", "a")
				env.Setenv("GIT_"+who+"_EMAIL", "a@example.org")
			}
			return nil
		},
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "forge": forge, "history": history, "interrupts": interrupts, "spoil": spoil, "steps": steps},
		Condition:           condition,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// exits CODE PROGRAM ARGS… runs a program that ends with that exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM ARGS…")
	}
	code := 0
	err := ts.Exec(args[1], args[2:]...)
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		code = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if want := args[0]; strconv.Itoa(code) != want {
		ts.Fatalf("exit code %d, want %s", code, want)
	}
}

// interrupts PROGRAM ARGS… starts a program and interrupts it after a second: it ends with
// exit code 130, and works for at most a second longer on each processor. Its own time is
// looked at, not that of a clock, which a busy machine would change.
func interrupts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: interrupts PROGRAM ARGS…")
	}
	c := exec.Command(args[0], args[1:]...)
	c.Dir, c.Env = ts.MkAbs("."), append(os.Environ(), "GRADINE_CACHE="+ts.Getenv("GRADINE_CACHE"))
	ts.Check(c.Start())
	time.Sleep(time.Second)
	ts.Check(c.Process.Signal(os.Interrupt))
	err := c.Wait()
	most := time.Duration(2*runtime.NumCPU()) * time.Second
	if used := c.ProcessState.UserTime() + c.ProcessState.SystemTime(); used > most {
		ts.Fatalf("it worked for %v, of which a second was before the interrupt", used)
	}
	if failed, ok := errors.AsType[*exec.ExitError](err); !ok || failed.ExitCode() != exitInterrupted {
		ts.Fatalf("it ended with %v", err)
	}
}

// spoil DIR SEED changes a store at random: answers are lost, cut, changed, and put in
// the place of others.
func spoil(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: spoil DIR SEED")
	}
	seed, err := strconv.ParseUint(args[1], 10, 64)
	ts.Check(err)
	r := rand.New(rand.NewPCG(seed, 0))
	names, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*", "*"))
	ts.Check(err)
	if len(names) == 0 {
		ts.Fatalf("%s is empty", args[0])
	}
	for _, name := range names {
		data := []byte(ts.ReadFile(names[r.IntN(len(names))]))
		switch r.IntN(4) {
		case 0:
			ts.Check(os.WriteFile(name, data, 0o600))
		case 1:
			ts.Check(os.WriteFile(name, data[:r.IntN(len(data)+1)], 0o600))
		case 2:
			if data = []byte(ts.ReadFile(name)); len(data) > 0 {
				data[r.IntN(len(data))] ^= 1 << r.IntN(8)
			}
			ts.Check(os.WriteFile(name, data, 0o600))
		}
	}
}

// forge DIR replaces every answer of a store by an open one, as a user with write access to the cache can.
func forge(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: forge DIR")
	}
	names, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*", "*.answer"))
	ts.Check(err)
	if len(names) == 0 {
		ts.Fatalf("%s is empty", args[0])
	}
	for _, name := range names {
		_, line, _ := strings.Cut(ts.ReadFile(name), "\n")
		a, err := answer.Decode([]byte(line))
		ts.Check(err)
		forged, err := (&answer.Answer{Question: a.Question, Verdict: "open", Steps: 7, MAC: a.MAC}).Encode()
		ts.Check(err)
		ts.Check(os.WriteFile(name, fmt.Appendf(nil, "gradine answer 2 %x\n%s", sha256.Sum256(forged), forged), 0o600))
	}
}

// history DIR FILE N makes a repository in DIR whose main branch has N commits;
// each but the first changes the file that is committed first, a comment of FILE.
func history(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: history DIR FILE N")
	}
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	text := ts.ReadFile(args[1])
	var stream strings.Builder
	for i := range n {
		data := fmt.Sprintf("// %d\n%s", i, text)
		fmt.Fprintf(&stream, "commit refs/heads/main\ncommitter a <a@example.org> %d +0000\ndata 1\nc\nM 644 inline m/%s\ndata %d\n%s\n", 1_000_000_000+i, path.Base(args[1]), len(data), data)
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o777))
	for _, line := range [][]string{{"init", "-q", "-b", "main"}, {"fast-import", "--quiet"}, {"reset", "-q", "--hard"}} {
		c := exec.Command("git", line...)
		c.Dir, c.Stdin = dir, strings.NewReader(stream.String())
		if out, err := c.CombinedOutput(); err != nil {
			ts.Fatalf("git %v: %v\n%s", line, err, out)
		}
	}
}
