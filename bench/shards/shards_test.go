// Package shards measures what it costs to split work into shards and to join them, and compares every byte of what is printed.
package shards

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/internal/corpus"
)

// TestShards splits the work that GRADINE_SHARDS names, a pattern, into GRADINE_SHARDS_N shards, such as 1,8,16, and joins them
// under their key. Processor time is measured, as it depends little on what else the machine does.
func TestShards(t *testing.T) {
	wanted := os.Getenv("GRADINE_SHARDS")
	if wanted == "" {
		t.Skip("GRADINE_SHARDS=. splits this repository, the reference sequents and kernels into 1 to 16 shards: half an hour of processor time")
	}
	var numbers []int
	for text := range strings.SplitSeq(os.Getenv("GRADINE_SHARDS_N"), ",") {
		if n, err := strconv.Atoi(text); err == nil {
			numbers = append(numbers, n)
		}
	}
	if len(numbers) == 0 {
		for n := range 16 {
			numbers = append(numbers, n+1)
		}
	}
	program := filepath.Join(t.TempDir(), "gradine")
	if out, err := exec.Command("go", "build", "-o", program, "../../cmd/gradine").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	asked := regexp.MustCompile(wanted)
	for _, work := range []struct {
		name    string
		command func(t *testing.T) []string
	}{
		{"repository", func(*testing.T) []string { return []string{"-C", "../..", "verify"} }},
		{"sequents", func(t *testing.T) []string {
			return []string{"prove", "--format", "jsonl", "--sequents", corpus.Path(t, "rodin-dev.sequents.jsonl.gz")}
		}},
		{"kernels", func(t *testing.T) []string {
			return append([]string{"kernel", "--reader", "c", "--format", "jsonl"}, kernels(t)...)
		}},
	} {
		t.Run(work.name, func(t *testing.T) {
			if !asked.MatchString(work.name) {
				t.Skip("not asked for")
			}
			command := work.command(t)
			whole := run(t, program, command)
			t.Logf("one run: %.1f s, exit code %d, %d bytes", whole.processor.Seconds(), whole.code, len(whole.out))
			for _, n := range numbers {
				split(t, program, command, whole, n)
			}
		})
	}
}

// kernels are the labelled kernels of tiers 1 to 3.
func kernels(t *testing.T) (names []string) {
	dir := corpus.Path(t, "kernels")
	index, err := os.ReadFile(filepath.Join(dir, "index.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(index)) {
		if f := strings.Split(line, "\t"); len(f) > 3 && len(f[3]) == 1 && strings.Contains("123", f[3]) {
			names = append(names, filepath.Join(dir, f[0]))
		}
	}
	return names
}

// split writes n shards, joins them, and compares what is printed with that of the whole run.
func split(t *testing.T, program string, command []string, whole result, n int) {
	dir := t.TempDir()
	var all, longest time.Duration
	for k := 1; k <= n; k++ {
		s := run(t, program, slices.Concat(command, []string{"--shard", fmt.Sprintf("%d/%d", k, n), "-o", filepath.Join(dir, fmt.Sprintf("%d.gradine", k))}))
		if s.code != 0 {
			t.Fatalf("shard %d/%d: exit code %d: %s", k, n, s.code, s.said)
		}
		all, longest = all+s.processor, max(longest, s.processor)
	}
	joined := run(t, program, slices.Concat(command, []string{"--from", dir}))
	if joined.out != whole.out || joined.code != whole.code || joined.said != whole.said {
		t.Errorf("%d shards: the output differs: exit code %d, %d bytes, %s", n, joined.code, len(joined.out), joined.said)
	}
	share := joined.processor.Seconds() / whole.processor.Seconds()
	t.Logf("| %d | together %.1f s | longest %.1f s | join %.1f s | %.3f of one run |", n, all.Seconds(), longest.Seconds(), joined.processor.Seconds(), share)
}

type result struct {
	processor time.Duration
	code      int
	out, said string
}

// run runs the program with a proof cache of its own and one key.
func run(t *testing.T, program string, args []string) result {
	t.Helper()
	var out, errs bytes.Buffer
	c := exec.Command(program, args...)
	c.Env = append(os.Environ(), "GRADINE_CACHE_REMOTE=off", "GRADINE_CACHE="+t.TempDir(), answer.KeyVariable+"="+strings.Repeat("a", answer.MinKey))
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil && c.ProcessState == nil {
		t.Fatal(err)
	}
	return result{c.ProcessState.UserTime() + c.ProcessState.SystemTime(), c.ProcessState.ExitCode(), out.String(), errs.String()}
}
