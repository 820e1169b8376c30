package gpu_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/internal/corpus"
)

// lessened is what comes of a file where something is left out of the search.
type lessened struct {
	verdict gpu.Verdict
	found   encode.Tally                // in the groups of its kernels as they are written
	made    encode.Rules                // by which anything was guessed in any search
	again   bool                        // a kernel was searched in more than one form
	seen    map[string]map[int]struct{} // by kernel: the scopes of its searches
}

func lesser(path string, src []byte, without encode.Rules, rolled bool) *lessened {
	ctx, cancel := context.WithTimeout(context.Background(), fuse)
	defer cancel()
	o := &lessened{seen: map[string]map[int]struct{}{}}
	o.verdict, _ = worst(gpu.Lesser(ctx, path, src, without, rolled, o.searched))
	return o
}

func (o *lessened) searched(k *encode.Kernel, s encode.Scope, found encode.Tally) {
	name := fmt.Sprint(k.Name, ":", k.Line)
	if o.seen[name] == nil {
		o.seen[name] = map[int]struct{}{}
	}
	_, before := o.seen[name][int(s)]
	o.seen[name][int(s)] = struct{}{}
	o.again = o.again || before
	for r := range encode.NumRules {
		if found[r].Made > 0 {
			o.made |= encode.Only(r)
		}
		if !before && s == encode.Group {
			o.found[r].Made += found[r].Made
			o.found[r].Live += found[r].Live
		}
	}
}

// means are what a proof may rest on, by what has to be left out to do without.
var means = [3]string{"invariants of one thread", "relations between threads", "unrolled loops"}

const oneThread = encode.AllRules &^ (1 << encode.Alike)

// leaving is what is left out if only some of means are there, as bits.
func leaving(with int) (without encode.Rules, rolled bool) {
	if with&1 == 0 {
		without |= oneThread
	}
	if with&2 == 0 {
		without |= encode.Only(encode.Alike)
	}
	return without, with&4 == 0
}

// worths is what the rules are worth over some files.
type worths struct {
	files, searched, safe, trivial int
	rules                          [encode.NumRules]struct{ hard, trivial, made, live, essential int }
	influence                      [encode.NumRules][encode.NumRules]int
	with                           [8]int // safe files by means
}

// measure adds a file. Only files that are safe are judged again with less: nothing else can be lost.
func (w *worths) measure(path string, src []byte) {
	w.files++
	all := lesser(path, src, 0, false)
	if len(all.seen) == 0 {
		return
	}
	w.searched++
	again := func(without encode.Rules, rolled bool) *lessened {
		if all.made&without == 0 && !(rolled && all.again) {
			return all // each search would be the same
		}
		return lesser(path, src, without, rolled)
	}
	trivial := false
	if all.verdict == gpu.Safe {
		w.safe++
		for with := range w.with {
			if without, rolled := leaving(with); again(without, rolled).verdict == gpu.Safe {
				w.with[with]++
				trivial = trivial || with == 0
			}
		}
	}
	if trivial {
		w.trivial++
	}
	for r := range encode.NumRules {
		x := &w.rules[r]
		x.made += all.found[r].Made
		x.live += all.found[r].Live
		switch {
		case all.found[r].Made == 0:
		case trivial:
			x.trivial++
		default:
			x.hard++
		}
		if all.verdict != gpu.Safe || !all.made.Has(r) {
			continue
		}
		less := again(encode.Only(r), false)
		if less.verdict != gpu.Safe {
			x.essential++
		}
		for s := range encode.NumRules {
			if s != r && less.found[s].Live < all.found[s].Live {
				w.influence[r][s]++
			}
		}
	}
}

// tables are the tables of the document.
func (w *worths) tables(tiers string, of int) string {
	var b strings.Builder
	sample, first := fmt.Sprintf("all %d files", of), ""
	if w.files < of {
		sample, first = fmt.Sprintf("the first %d of the %d files", w.files, of), fmt.Sprintf(" FIRST=%d", w.files)
	}
	fmt.Fprintf(&b, "Sample: %s of tiers %s\n(`GRADINE_SWEEP=1 KERNELS=%s%s go test ./gpu -run 'Guesses$' -update`).\ngradine searches for invariants in %d of them. %d of these are `safe`, and %d are `safe`\nwithout guesses and unrolled loops (*trivial*).\n\n",
		sample, strings.Join(strings.Split(tiers, ""), " and "), tiers, first, w.searched, w.safe, w.trivial)
	b.WriteString("| rule | guess | non-trivial | trivial | candidates | kept | hit rate | essential |\n|---|---|---:|---:|---:|---:|---:|---:|\n")
	for r := range encode.NumRules {
		x := w.rules[r]
		rate := "–"
		if x.made > 0 {
			rate = fmt.Sprintf("%d %%", 100*x.live/x.made)
		}
		fmt.Fprintf(&b, "%s %d | %d | %d | %d | %s | %d |\n", ruleCells(r), x.hard, x.trivial, x.made, x.live, rate, x.essential)
	}
	b.WriteString("\nInfluence: the `safe` files in which the rule of the row, left out, costs the rule of the column kept candidates.\n\n| |")
	for s := range encode.NumRules {
		fmt.Fprintf(&b, " %s |", s)
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", int(encode.NumRules)) + "\n")
	for r := range encode.NumRules {
		fmt.Fprintf(&b, "| %s |", r)
		for s := range encode.NumRules {
			cell := ""
			if n := w.influence[r][s]; n > 0 {
				cell = fmt.Sprint(n, " ")
			}
			fmt.Fprintf(&b, " %s|", cell)
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "\nMeans of proof, alone and together:\n\n| means | `safe`, of %d |\n|---|---:|\n", w.safe)
	for _, with := range []int{0, 1, 2, 4, 3, 5, 6, 7} {
		var names []string
		for i, name := range means {
			if with>>i&1 != 0 {
				names = append(names, name)
			}
		}
		said := strings.Join(names, ", ")
		if said == "" {
			said = "none"
		}
		fmt.Fprintf(&b, "| %s | %d |\n", said, w.with[with])
	}
	return b.String()
}

func ruleCells(r encode.Rule) string { return fmt.Sprintf("| %s | %s |", r, r.Doc()) }

// TestGuesses measures what the rules of guessing are worth over labelled kernels, and writes the tables of docs/evaluation/kernels.md
// with -update. That takes minutes of processor time, so that it needs GRADINE_SWEEP; KERNELS=123 takes other tiers than 1 and 2,
// FIRST=40 the first 40 files.
// Otherwise the document only has to have the rules that there are.
func TestGuesses(t *testing.T) {
	const name = "../docs/evaluation/kernels.md"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- guesses -->\n", "<!-- end of guesses -->"
	before, rest, ok1 := strings.Cut(string(data), begin)
	is, after, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatal(name, "has no place for the tables")
	}
	if os.Getenv("GRADINE_SWEEP") == "" {
		for r := range encode.NumRules {
			if strings.Count(is, ruleCells(r)) != 1 {
				t.Errorf("%s lacks the rule %s: run GRADINE_SWEEP=1 go test ./gpu -run 'Guesses$' -update", name, r)
			}
		}
		return
	}
	tiers := os.Getenv("KERNELS")
	if tiers == "" {
		tiers = "12"
	}
	first := math.MaxInt
	if given := os.Getenv("FIRST"); given != "" {
		if first, err = strconv.Atoi(given); err != nil {
			t.Fatal(err)
		}
	}
	dir := corpus.Path(t, "kernels")
	var w worths
	of := 0
	for _, k := range readIndex(t, dir) {
		if !strings.Contains(tiers, k.tier) {
			continue
		}
		if of++; of > first {
			continue
		}
		src, err := os.ReadFile(filepath.Join(dir, k.path))
		if err != nil {
			t.Fatal(err)
		}
		w.measure(k.path, src)
	}
	now := w.tables(tiers, of)
	t.Log(now)
	switch {
	case now == is:
	case !*update:
		t.Fatal(name + " is not what the program says; run GRADINE_SWEEP=1 go test ./gpu -run 'Guesses$' -update")
	default:
		if err := os.WriteFile(name, []byte(before+begin+now+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLesser: what is left out is missed, and nothing else is.
func TestLesser(t *testing.T) {
	if testing.Short() {
		t.Skip("two seconds")
	}
	const part = `kernel void part(local int *a, global const int *b) {
		int t = get_local_id(0);
		for (int i = 4 * t; i < 4 * t + 4; i += 1 + (b[t] & 1)) a[i] = t;
	}`
	const tree = `kernel void tree(local int *a) {
		int t = get_local_id(0);
		for (int d = 1; d < 64; d *= 2) { barrier(CLK_LOCAL_MEM_FENCE); a[t] = d; }
	}`
	for _, x := range []struct {
		src     string
		without encode.Rules
		rolled  bool
		safe    bool
	}{
		{"kernel void straight(global int *a) { a[get_global_id(0)] = 1; }", encode.AllRules, true, true},
		{part, encode.Only(encode.Typed), false, true},
		{part, encode.Only(encode.Started), false, false},
		{tree, encode.Only(encode.Alike), false, true},
		{tree, encode.Only(encode.Alike), true, false},
		{tree, 0, true, true},
	} {
		o := lesser("kernel.cl", []byte(x.src), x.without, x.rolled)
		if (o.verdict == gpu.Safe) != x.safe {
			t.Errorf("%s, without rules %b, rolled %v: %s", x.src, x.without, x.rolled, o.verdict)
		}
		for r := range encode.NumRules {
			if x.without.Has(r) && o.found[r].Live > 0 {
				t.Errorf("%s: %s is left out, and keeps %d", x.src, r, o.found[r].Live)
			}
		}
	}
}
