package clang

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// TestReal measures how many of the kernels of public projects have their entry in the IR.
func TestReal(t *testing.T) {
	dir := os.Getenv("GRADINE_REAL")
	if dir == "" {
		t.Skip("GRADINE_REAL names no folder with projects and a list.tsv of project, path, kernels")
	}
	c, err := Find(t.Context(), os.Getenv("GRADINE_CLANG"))
	if err != nil {
		t.Skip(err)
	}
	f, err := os.Open(filepath.Join(dir, "list.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	type row struct {
		project, path string
		kernels, read int
		compiled      bool
		why           string
	}
	var rows []*row
	for s := bufio.NewScanner(f); s.Scan(); {
		parts := strings.Split(s.Text(), "\t")
		n, _ := strconv.Atoi(parts[2])
		if only := os.Getenv("GRADINE_ONLY"); only == "" || strings.Contains(parts[1], only) {
			rows = append(rows, &row{project: parts[0], path: parts[1], kernels: n})
		}
	}
	work := make(chan *row)
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			for r := range work {
				u, err := c.Compile(t.Context(), Source{Dir: filepath.Join(dir, r.project), File: r.path, Language: LanguageOf(r.path)}, realOptions(r.project))
				if u != nil {
					r.why = u.Messages
					for _, l := range u.Lost {
						r.why += "\nLOST error: " + l.String()
					}
					for _, l := range u.Missing {
						r.why += "\nMISSING error: " + l
					}
				}
				if err != nil {
					r.why += err.Error()
					continue
				}
				r.compiled = true
				places := map[string]bool{}
				for _, e := range u.Kernels {
					places[fmt.Sprint(e.File, e.Line)] = true
				}
				r.read = min(r.kernels, len(places))
			}
		})
	}
	for _, r := range rows {
		work <- r
	}
	close(work)
	wait.Wait()
	files, kernels, read := 0, 0, 0
	by := map[string][2]int{}
	for _, r := range rows {
		if r.compiled {
			files++
		}
		kernels += r.kernels
		read += r.read
		p := by[r.project]
		by[r.project] = [2]int{p[0] + r.read, p[1] + r.kernels}
		if r.read < r.kernels {
			first := ""
			for _, l := range strings.Split(r.why, "\n") {
				if strings.Contains(l, "error:") {
					first += "\n        " + l
					if strings.Count(first, "\n") > 4 {
						break
					}
				}
			}
			fmt.Printf("%d of %d %v %s/%s%s\n", r.read, r.kernels, r.compiled, r.project, r.path, first)
		}
	}
	fmt.Printf("files %d of %d, kernels %d of %d\n%v\n", files, len(rows), read, kernels, by)
}

// realOptions are the macros that a project is built with.
func realOptions(project string) Options {
	switch {
	case strings.HasSuffix(project, "darknet"):
		return Options{Defines: []string{"DGPU"}, Include: []string{"include"}}
	case strings.HasSuffix(project, "ggml"):
		return Options{Include: []string{"include", "src"}}
	case strings.HasSuffix(project, "cuda-samples"):
		return Options{Include: []string{"Common"}}
	}
	return Options{}
}
