package gpu_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/gradine/gradine/gpu"
)

func TestCorpus(t *testing.T) {
	dir := os.Getenv("KDIR")
	if dir == "" {
		t.Skip()
	}
	only := os.Getenv("KONLY")
	tiers := os.Getenv("KTIERS")
	data, _ := os.ReadFile(filepath.Join(dir, "index.tsv"))
	type cell struct{ right, wrong, unsup, open, falseSafe int }
	table := map[string]*cell{}
	var times []float64
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		f := strings.Split(line, "\t")
		if only != "" && !strings.Contains(f[0], only) || tiers != "" && !strings.Contains(tiers, f[3]) {
			continue
		}
		src, _ := os.ReadFile(filepath.Join(dir, f[0]))
		start := time.Now()
		var opts gpu.Options
		if only != "" && os.Getenv("KDEBUG") != "" {
			opts.Debug = func(format string, args ...any) { fmt.Printf(format, args...) }
		}
		var rs []gpu.Report
		func() {
			defer func() {
				if e := recover(); e != nil {
					fmt.Println("PANIC", f[0], e)
					if only != "" {
						panic(e)
					}
					rs = []gpu.Report{{Verdict: "open", Why: fmt.Sprint("PANIC ", e)}}
				}
			}()
			ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
			defer cancel()
			rs = gpu.File(ctx, f[0], src, opts)
		}()
		took := time.Since(start).Seconds()
		times = append(times, took)
		verdict := gpu.Safe
		why := ""
		order := map[gpu.Verdict]int{gpu.Safe: 0, gpu.Open: 1, gpu.Unsupported: 2, gpu.Possible: 3, gpu.Unsafe: 4}
		for _, r := range rs {
			if order[r.Verdict] > order[verdict] {
				verdict = r.Verdict
			}
			if r.Verdict != gpu.Safe {
				why += fmt.Sprintf(" %d:%d %s", r.Line, r.Col, r.Why)
				for _, c := range r.Checks {
					if c.Verdict != "proved" {
						why += fmt.Sprintf(" [%s %d:%d %s]", c.Kind, c.Line, c.Col, c.Verdict)
					}
				}
			}
		}
		c := table[f[3]]
		if c == nil {
			c = &cell{}
			table[f[3]] = c
		}
		mark := "ok"
		switch {
		case verdict == gpu.Unsupported:
			c.unsup++
			mark = "UNSUPPORTED"
		case (f[1] == "pass") == (verdict == gpu.Safe) && verdict != gpu.Open:
			c.right++
		case verdict == gpu.Open:
			c.open++
			mark = "OPEN"
		default:
			c.wrong++
			mark = "WRONG"
			if f[1] == "fail" {
				c.falseSafe++
				mark = "FALSE SAFE"
			}
		}
		if mark != "ok" || only != "" || took > 5 {
			if len(why) > 260 {
				why = why[:260]
			}
			fmt.Printf("%-12s T%s %5.1fs %-4s %-11s %s %s\n", mark, f[3], took, f[1], verdict, strings.TrimPrefix(f[0], "gpuverify/testsuite/"), why)
		}
	}
	var ts []string
	for k := range table {
		ts = append(ts, k)
	}
	sort.Strings(ts)
	for _, k := range ts {
		c := table[k]
		fmt.Printf("tier %s: right %d wrong %d (false safe %d) open %d unsupported %d\n", k, c.right, c.wrong, c.falseSafe, c.open, c.unsup)
	}
	sort.Float64s(times)
	fmt.Printf("median %.2f s, max %.1f s\n", times[len(times)/2], times[len(times)-1])
}
