package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
)

// figures are the numbers of the table.
type figures struct {
	cyclomatic   int     // of the worst function
	fields       int     // of the largest struct
	comments     float64 // inside bodies, per 100 lines of them
	explained    float64 // percentage of long bodies with a comment
	short        float64 // percentage of locals and parameters with one letter
	largest      int     // lines of code of the largest package
	upward       float64 // percentage of arrows that run up, over all packages
	longest, all int     // lines of the longest function; of all bodies
}

func (h *metrics) figures() figures {
	var f figures
	comments, long, explained, locals, short, arrows, up := 0, 0, 0, 0, 0, 0, 0
	for _, x := range h.functions {
		f.cyclomatic = max(f.cyclomatic, x.cyclomatic)
		f.longest = max(f.longest, x.lines)
		f.all += x.lines
		comments += x.comments
		locals += x.locals
		short += x.short
		if x.lines >= longBody {
			long++
			if x.comments > 0 {
				explained++
			}
		}
	}
	for _, s := range h.structs {
		f.fields = max(f.fields, s.n)
	}
	for _, p := range h.packages {
		f.largest = max(f.largest, p.code)
		arrows += p.arrows
		up += p.up
	}
	f.comments = 100 * float64(comments) / float64(max(f.all, 1))
	f.explained = 100 * float64(explained) / float64(max(long, 1))
	f.short = 100 * float64(short) / float64(max(locals, 1))
	f.upward = 100 * float64(up) / float64(max(arrows, 1))
	return f
}

// figure is a line of the table.
type figure struct {
	name  string
	value float64
}

// shown are the figures of the table. None has a limit: a limit is met by contortion.
func (f figures) shown() []figure {
	return []figure{
		{"cyclomatic complexity of the worst function", float64(f.cyclomatic)},
		{"fields of the largest struct", float64(f.fields)},
		{"comment lines inside bodies, per 100 lines", f.comments},
		{fmt.Sprintf("bodies of %d lines and more with a comment, %%", longBody), f.explained},
		{"locals and parameters of one letter, %", f.short},
		{"lines of code of the largest package", float64(f.largest)},
		{"arrows between files of a package that run up, %", f.upward},
	}
}

// write prints the table, and the worst places of each kind.
func (h *metrics) write(out io.Writer, worst int) {
	f := h.figures()
	lines, code, files := 0, 0, 0
	for _, p := range h.packages {
		lines, code, files = lines+p.lines, code+p.code, files+p.files
	}
	fmt.Fprintf(out, "%d packages, %d files, %d lines, %d of code; %d of code in tests\n", len(h.packages), files, lines, code, h.testLines)
	fmt.Fprintf(out, "%d functions, %d lines in bodies, the longest %d; %d structs\n", len(h.functions), f.all, f.longest, len(h.structs))
	fmt.Fprintf(out, "%d tests, %d fuzz targets, %d benchmarks, %d examples\n\n", h.tests["Test"], h.tests["Fuzz"], h.tests["Benchmark"], h.tests["Example"])
	for _, l := range f.shown() {
		fmt.Fprintf(out, "%-50s %7.1f\n", l.name, l.value)
	}
	if worst > 0 {
		h.worst(out, worst)
	}
}

// worst lists the places that a reader would fix first.
func (h *metrics) worst(out io.Writer, n int) {
	top := func(title string, list []counted) {
		slices.SortStableFunc(list, func(a, b counted) int { return cmp.Compare(b.n, a.n) })
		fmt.Fprintf(out, "\n%s:\n", title)
		for _, x := range list[:min(n, len(list))] {
			fmt.Fprintf(out, "  %5d  %s\n", x.n, x.at)
		}
	}
	var complexity, silent, letters, size, up []counted
	unsaid := map[string]int{} // of a folder: lines of bodies beyond fifty for each of comments
	for _, x := range h.functions {
		unsaid[path.Dir(x.at)] += x.lines - 50*x.comments
		complexity = append(complexity, counted{x.at, x.cyclomatic})
		if x.lines >= longBody && x.comments == 0 {
			silent = append(silent, counted{x.at, x.lines})
		}
		if x.lines >= longBody {
			letters = append(letters, counted{x.at, x.short})
		}
	}
	for _, p := range h.packages {
		size = append(size, counted{p.path, p.code})
		text := fmt.Sprintf("of %d  %s", p.arrows, p.path)
		if p.up > 0 {
			text += ": " + strings.Join(p.upward, ", ")
		}
		up = append(up, counted{text, p.up})
	}
	top("cyclomatic complexity", complexity)
	top("fields", slices.Clone(h.structs))
	top("long bodies without a comment", silent)
	top("names of one letter in long bodies", letters)
	top("lines of code", size)
	top("arrows that run up", up)
	var quiet []counted
	for _, dir := range slices.Sorted(maps.Keys(unsaid)) {
		quiet = append(quiet, counted{dir, unsaid[dir] / 50})
	}
	top("comments that bodies lack", quiet)
}
