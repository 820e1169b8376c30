package main

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
)

func itoa(n int) string { return strconv.Itoa(n) }

// arrows counts the pairs of files of a package of which one uses a name that the
// other declares, and lists those that run up: against the order of files in which
// the fewest do, as far as it was found. A method counts as used where something
// of its name is selected and no other type of the package has a method or field
// of that name.
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

// usesOf tells which file uses which other one.
func usesOf(files []source) [][]bool {
	top := map[string]int{}    // package-level names → file
	member := map[string]int{} // methods and fields; -1 if several types have one
	enter := func(name string, file int) {
		if old, ok := member[name]; ok && old != file {
			file = -1
		}
		member[name] = file
	}
	for i, s := range files {
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					top[d.Name.Name] = i
				} else {
					enter(d.Name.Name, i)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						top[spec.Name.Name] = i
						if st, ok := spec.Type.(*ast.StructType); ok {
							for _, f := range st.Fields.List {
								for _, name := range f.Names {
									enter(name.Name, i)
								}
							}
						}
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							top[name.Name] = i
						}
					}
				}
			}
		}
	}
	uses := make([][]bool, len(files))
	for i, s := range files {
		uses[i] = make([]bool, len(files))
		use := func(table map[string]int, name string) {
			if j, ok := table[name]; ok && j >= 0 && j != i {
				uses[i][j] = true
			}
		}
		selected := map[*ast.Ident]bool{}
		local := localNames(s.file)
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				selected[n.Sel] = true
				use(member, n.Sel.Name)
			case *ast.KeyValueExpr:
				if id, ok := n.Key.(*ast.Ident); ok {
					selected[id] = true // a field in a literal, of a type that is named, too
				}
			case *ast.Ident:
				if !selected[n] && !local[n.Name] {
					use(top, n.Name)
				}
			}
			return true
		})
	}
	return uses
}

// localNames are the names that functions of f declare: they may hide others, and
// a use of one is none of a package-level name.
func localNames(f *ast.File) map[string]bool {
	local := map[string]bool{}
	list := func(l *ast.FieldList) {
		if l != nil {
			for _, p := range l.List {
				for _, name := range p.Names {
					local[name.Name] = true
				}
			}
		}
	}
	// One set a file is coarse, but a name that is local somewhere and package-level
	// elsewhere is rare, and rarer still the only use of a file.
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		list(fn.Recv)
		list(fn.Type.Params)
		list(fn.Type.Results)
		ast.Inspect(fn, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, id := range identifiers(n.Lhs...) {
					local[id.Name] = true
				}
			case *ast.RangeStmt:
				for _, id := range identifiers(n.Key, n.Value) {
					local[id.Name] = true
				}
			case *ast.ValueSpec:
				for _, id := range n.Names {
					local[id.Name] = true
				}
			case *ast.FuncLit:
				list(n.Type.Params)
				list(n.Type.Results)
			}
			return true
		})
	}
	return local
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
		// What nobody left uses goes to the front, what uses nobody to the end; else
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
