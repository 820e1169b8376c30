package main

import (
	"go/ast"
	"go/types"
	"path"
	"slices"
)

// arrows counts the pairs of files of a package of which one uses a name that the
// other declares, and lists those that run up: against the order of files in which
// the fewest do, as far as it was found.
func arrows(files []source) (all int, upward []string) {
	slices.SortFunc(files, func(a, b source) int { return slices.Compare([]byte(a.name), []byte(b.name)) })
	uses := usesOf(files)
	n := len(files)
	for i := range n {
		for j := range n {
			if uses[i][j] {
				all++
			}
		}
	}
	order := layered(uses)
	at := make([]int, n)
	for place, i := range order {
		at[i] = place
	}
	for i := range n {
		for j := range n {
			if uses[i][j] && at[i] > at[j] {
				upward = append(upward, path.Base(files[i].name)+" → "+path.Base(files[j].name))
			}
		}
	}
	return all, upward
}

// usesOf tells which file uses which other one: which one declares a function,
// method, type, field, variable or constant that it names. Types are checked without
// what other packages declare; a use that only they would tell of is missed.
func usesOf(files []source) [][]bool {
	list := make([]*ast.File, len(files))
	declares := map[string]int{} // name of a file → its place
	for i, s := range files {
		list[i] = s.file
		declares[s.fset.File(s.file.Pos()).Name()] = i
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: nothing{}, Error: func(error) {}}
	// The errors are those of what is not imported.
	here, _ := config.Check(list[0].Name.Name, files[0].fset, list, info)
	uses := make([][]bool, len(files))
	for i, s := range files {
		uses[i] = make([]bool, len(files))
		ast.Inspect(s.file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if used := info.Uses[id]; used != nil && used.Pkg() == here && used.Pos().IsValid() {
					j := declares[s.fset.File(used.Pos()).Name()]
					uses[i][j] = uses[i][j] || i != j
				}
			}
			return true
		})
	}
	return uses
}

// nothing imports packages that declare nothing.
type nothing struct{}

func (nothing) Import(name string) (*types.Package, error) {
	p := types.NewPackage(name, path.Base(name))
	p.MarkComplete()
	return p, nil
}

// layered orders files so that few use one before them: the greedy order of Eades,
// Lin and Smyth (1993), then moves of single files as long as one helps.
func layered(uses [][]bool) []int {
	n := len(uses)
	left := make([]bool, n)
	for i := range left {
		left[i] = true
	}
	degree := func(i int) (out, in int) {
		for j := range n {
			if left[j] && uses[i][j] {
				out++
			}
			if left[j] && uses[j][i] {
				in++
			}
		}
		return out, in
	}
	var head, tail []int
	for range n {
		// What no remaining package uses goes to the front, what uses no remaining package to the end; else
		// the file that uses the most beyond what uses it.
		best, score := -1, 0
		for i := range n {
			if !left[i] {
				continue
			}
			out, in := degree(i)
			s := out - in
			switch {
			case out == 0:
				s = -n * n
			case in == 0:
				s = n * n
			}
			if best < 0 || abs(s) == n*n && abs(score) != n*n || abs(score) != n*n && s > score {
				best, score = i, s
			}
		}
		left[best] = false
		if score == -n*n {
			tail = append(tail, best)
		} else {
			head = append(head, best)
		}
	}
	slices.Reverse(tail)
	order := append(head, tail...)
	for improve(order, uses) {
	}
	return order
}

// improve moves one file to where the fewest arrows run up; it reports whether
// that helped.
func improve(order []int, uses [][]bool) bool {
	for from, i := range order {
		rest := slices.Delete(slices.Clone(order), from, from+1)
		// cost is the number of upward arrows of file i if it stands before rest[to].
		cost := 0
		for _, j := range rest {
			if uses[j][i] {
				cost++
			}
		}
		best, least, now := 0, cost, 0
		for to := 0; to <= len(rest); to++ {
			if to == from {
				now = cost
			}
			if cost < least {
				best, least = to, cost
			}
			if to < len(rest) {
				if uses[i][rest[to]] {
					cost++
				}
				if uses[rest[to]][i] {
					cost--
				}
			}
		}
		if least < now {
			copy(order, slices.Insert(rest, best, i))
			return true
		}
	}
	return false
}

func abs(n int) int { return max(n, -n) }
