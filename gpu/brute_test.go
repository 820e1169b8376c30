package gpu_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu"
)

// bruteRounds is how many random kernels a test takes: KERNEL_BRUTE=n is the long form.
func bruteRounds(short int) int {
	if n, err := strconv.Atoi(os.Getenv("KERNEL_BRUTE")); err == nil {
		return n
	}
	return short
}

// TestBarriersByRemoval: what is said of barriers is true of texts in which they are taken out,
// or put in.
func TestBarriersByRemoval(t *testing.T) {
	ctx := context.Background()
	counts := map[string]int{}
	for seed := range bruteRounds(2) {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		lines := []string{"//--local_size=4 --num_groups=1", "__kernel void k(__local int *s, __local int *u) {", "int t = get_local_id(0), x = 0;"}
		for range 3 + r.IntN(3) {
			index := []string{"t", "t", "(t + 1) % 4", "3 - t"}[r.IntN(4)]
			array := []string{"s", "u"}[r.IntN(2)]
			lines = append(lines, []string{array + "[" + index + "] = t;", "x = " + array + "[" + index + "];", "barrier(CLK_LOCAL_MEM_FENCE);"}[r.IntN(3)])
		}
		lines = append(lines, "barrier(CLK_LOCAL_MEM_FENCE);", "s[t] = x;", "barrier(CLK_LOCAL_MEM_FENCE);", "u[t] = s[3 - t];", "}")
		for _, a := range gpu.Barriers(ctx, gpu.Source{Name: "k.cl", Text: []byte(strings.Join(lines, "\n"))}, gpu.Options{}) {
			changed := slices.Clone(lines)
			switch {
			case a.What == "missing":
				changed = slices.Insert(changed, a.Line-1, "barrier(CLK_LOCAL_MEM_FENCE);")
			case a.What == "not found" || a.Line == 2:
				continue
			default:
				changed[a.Line-1] = ""
			}
			counts[a.What]++
			src := []byte(strings.Join(changed, "\n"))
			proved, ran := gpu.File(ctx, "k.cl", src, gpu.Options{})[0].Verdict, gpu.RunBounded(ctx, gpu.Source{Name: "k.cl", Text: src}, gpu.Options{})[0].Verdict
			if safe := a.What != "needed"; safe != (proved == gpu.Safe) || safe != (ran != gpu.Unsafe) {
				t.Errorf("line %d is said to be %s; then the kernel is %s, and in runs %s:\n%s", a.Line, a.What, proved, ran, strings.Join(lines, "\n"))
			}
		}
	}
	t.Log(counts)
}

// launchOf is a launch that conditions are tried with.
type launchOf struct{ local, groups, n int64 }

// value evaluates what conditions are made of: products and remainders.
func (l launchOf) value(s string) int64 {
	f := strings.Fields(s)
	one := func(s string) int64 {
		if v, ok := map[string]int64{"local_size[0]": l.local, "num_groups[0]": l.groups, "n": l.n}[s]; ok {
			return v
		}
		v, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			panic("a condition with " + s)
		}
		return v
	}
	out := one(f[0])
	for i := 1; i+1 < len(f); i += 2 {
		if f[i] == "*" {
			out *= one(f[i+1])
		} else {
			out %= one(f[i+1])
		}
	}
	return out
}

func (l launchOf) holds(text string) bool {
	for _, c := range strings.Split(text, " && ") {
		if c == "true" {
			continue
		}
		if a, b, ok := strings.Cut(c, " >= "); ok {
			if l.value(a) < l.value(b) {
				return false
			}
		} else if a, b, _ := strings.Cut(c, " == "); l.value(a) != l.value(b) {
			return false
		}
	}
	return true
}

// TestConditionsByRuns: no launch that fulfils the conditions fails in a run, some launch
// fulfils them, and none of them can be left out.
func TestConditionsByRuns(t *testing.T) {
	ctx := context.Background()
	found, ran := 0, 0
	for seed := range bruteRounds(3) {
		r := rand.New(rand.NewPCG(uint64(seed), 9))
		head := []string{"//--local_size=*,1,1 --num_groups=*,1,1\n", "//--local_size=*,1,1 --num_groups=1\n"}[seed%2]
		index := []string{"l % n", "g % n", "(l + n) % %d", "g & %d", "l * n", "g"}[r.IntN(6)]
		index = strings.ReplaceAll(index, "%d", fmt.Sprint(2+r.IntN(4)))
		body := "__kernel void k(__global int *a, uint n) { %s uint l = get_local_id(0), g = get_global_id(0); a[" + index + "] = g; }"
		src := fmt.Sprintf(head+body, "")
		a := gpu.Conditions(ctx, gpu.Source{Name: "k.cl", Text: []byte(src)}, gpu.Options{})[0]
		if a.What != "holds" {
			continue
		}
		found++
		some := false
		for local := int64(1); local < 6; local++ {
			for groups := int64(1); groups < 4; groups++ {
				for n := int64(0); n < 20; n++ {
					if !(launchOf{local, groups, n}).holds(a.Text) {
						continue
					}
					var o gpu.Options
					if seed%2 == 1 && groups > 1 {
						continue
					}
					o.Launch.Local, o.Launch.Groups = [3]int64{local, 1, 1}, [3]int64{groups, 1, 1}
					o.Launch.Arguments = map[string][]string{"k": {fmt.Sprint(n)}}
					some = true
					ran++
					if v := gpu.RunBounded(ctx, gpu.Source{Name: "k.cl", Text: []byte(src)}, o)[0]; v.Verdict == gpu.Unsafe {
						t.Errorf("%s\nunder %s fails with local size %d, %d groups, n = %d: %s", src, a.Text, local, groups, n, v.Checks[0].Why)
					}
				}
			}
		}
		if !some {
			t.Errorf("%s\nno small launch fulfils %s", src, a.Text)
		}
		parts := strings.Split(a.Text, " && ")
		for drop := range parts {
			kept := slices.Delete(slices.Clone(parts), drop, drop+1)
			if parts[0] == "true" {
				break
			}
			c := strings.NewReplacer("local_size[0]", "get_local_size(0)", "num_groups[0]", "get_num_groups(0)").Replace(strings.Join(append(kept, "1"), " && "))
			if v := gpu.File(ctx, "k.cl", fmt.Appendf(nil, head+body, "__requires("+c+");"), gpu.Options{})[0]; v.Verdict == gpu.Safe {
				t.Errorf("%s\nis safe without %s of %s", src, parts[drop], a.Text)
			}
		}
	}
	t.Logf("%d kernels with conditions, %d runs", found, ran)
}

// step of a thread of the smallest language that can race.
type tinyStep struct {
	op         string // write, read, atomic, barrier
	cell, by   int    // the cell is (cell + by∗t) & 3
	computed   bool   // (x + cell) & 3 instead
	onlyThread int    // −1: all
}

// tinyRun looks for a race in all interleavings: threads, each at a step, with a value.
type tinyRun struct {
	steps   []tinyStep
	threads int
	seen    map[string]bool
}

func (y *tinyRun) races(at, x []int, cells [4]int, touched [][3]int) bool {
	key := fmt.Sprint(at, x, cells, touched)
	if y.seen[key] {
		return false
	}
	y.seen[key] = true
	waiting := 0
	for t := range y.threads {
		if at[t] == len(y.steps) || y.steps[at[t]].op == "barrier" {
			waiting++
			continue
		}
		s := y.steps[at[t]]
		at2, x2, cells2, touched2 := slices.Clone(at), slices.Clone(x), cells, slices.Clone(touched)
		at2[t]++
		if s.onlyThread < 0 || s.onlyThread == t {
			c := (s.cell + s.by*t) & 3
			if s.computed {
				c = (x[t] + s.cell) & 3
			}
			kind := slices.Index([]string{"read", "write", "atomic"}, s.op)
			for _, o := range touched {
				if o[0] != t && o[1] == c && (o[2] != kind || kind == 1) {
					return true
				}
			}
			touched2 = append(touched2, [3]int{t, c, kind})
			switch s.op {
			case "read":
				x2[t] = cells[c]
			case "write":
				cells2[c] = 16*(at[t]+1) + t
			case "atomic":
				x2[t] = cells[c]
				cells2[c]++
			}
		}
		if y.races(at2, x2, cells2, touched2) {
			return true
		}
	}
	if waiting == y.threads && at[0] < len(y.steps) { // all stand at one barrier: steps are the same
		at2 := slices.Clone(at)
		for t := range at2 {
			at2[t]++
		}
		return y.races(at2, x, cells, nil)
	}
	return false
}

// TestBoundedByInterleavings: a kernel that races in some order of its threads, with memory
// that is 0, is unsafe or not decided in runs of one order.
func TestBoundedByInterleavings(t *testing.T) {
	counts := map[string]int{}
	for seed := range bruteRounds(60) {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		y := &tinyRun{threads: 2 + r.IntN(2), seen: map[string]bool{}}
		var b strings.Builder
		fmt.Fprintf(&b, "//--local_size=%d --num_groups=1\n__kernel void k(__local int *s) { int t = get_local_id(0), x = 0;\n", y.threads)
		for i := range 3 + r.IntN(4) {
			s := tinyStep{[]string{"read", "write", "atomic", "atomic", "barrier"}[r.IntN(5)], r.IntN(4), r.IntN(2), r.IntN(3) == 0, r.IntN(5) - 2}
			y.steps = append(y.steps, s)
			cell := fmt.Sprintf("s[(%d + %d * t) & 3]", s.cell, s.by)
			if s.computed {
				cell = fmt.Sprintf("s[(x + %d) & 3]", s.cell)
			}
			if s.onlyThread >= 0 && s.op != "barrier" {
				fmt.Fprintf(&b, "if (t == %d) ", s.onlyThread)
			} else {
				y.steps[i].onlyThread = -1
			}
			b.WriteString(map[string]string{"read": "x = " + cell, "write": fmt.Sprintf("%s = %d + t", cell, 16*(i+1)), "atomic": "x = atomic_inc(&" + cell + ")", "barrier": "barrier(CLK_LOCAL_MEM_FENCE)"}[s.op] + ";\n")
		}
		b.WriteString("}\n")
		races := y.races(make([]int, y.threads), make([]int, y.threads), [4]int{}, nil)
		v := gpu.RunBounded(context.Background(), gpu.Source{Name: "k.cl", Text: []byte(b.String())}, gpu.Options{})[0]
		counts[fmt.Sprint(v.Verdict, " ", races)]++
		if races && v.Verdict == gpu.Bounded && !strings.Contains(v.Why, "do not decide") {
			t.Errorf("seed %d: a race in some order is missed (%s):\n%s", seed, v.Why, b.String())
		}
	}
	t.Log(counts)
}

// TestCountsByRounds: formulas have the values that one gets by going through the loops.
func TestCountsByRounds(t *testing.T) {
	for seed := range bruteRounds(60) {
		r := rand.New(rand.NewPCG(uint64(seed), 13))
		n, threads := int64(r.IntN(5)), int64(1+r.IntN(4))
		var global, local int64 // of the interval that is being counted
		var want []string
		var text strings.Builder
		// statement writes one, and counts what it does in so many rounds of loops around it.
		var statement func(depth int, rounds int64)
		statement = func(depth int, rounds int64) {
			i := string(rune('i' + depth))
			kind := r.IntN(7)
			if depth > 1 {
				kind = r.IntN(4)
			}
			switch kind {
			case 0:
				text.WriteString("x = a[t];\n")
				global += rounds
			case 1:
				text.WriteString("s[t] += x;\n")
				local += 2 * rounds
			case 2:
				text.WriteString("a[t] = s[t] + s[n];\n")
				global, local = global+rounds, local+2*rounds
			case 3:
				text.WriteString("x = x * 2 + t;\n")
			default:
				from := int64(r.IntN(2))
				bound, times := "n + 1", n+1-from
				if kind == 5 {
					bound, times = "get_local_size(0) * 2", 2*threads-from
				} else if kind == 6 {
					bound, times = "3", 3-from
				}
				fmt.Fprintf(&text, "for (int %s = %d; %s < %s; %s++) {\n", i, from, i, bound, i)
				for range 1 + r.IntN(2) {
					statement(depth+1, rounds*times)
				}
				text.WriteString("}\n")
			}
		}
		for range 1 + r.IntN(3) {
			for range 1 + r.IntN(3) {
				statement(0, 1)
			}
			text.WriteString("barrier(CLK_LOCAL_MEM_FENCE);\n")
			want = append(want, fmt.Sprint(global, " ", local))
			global, local = 0, 0
		}
		want = append(want, "0 0")
		src := "//--local_size=*,1,1 --num_groups=*,1,1\n__kernel void k(__global int *a, __local int *s, int n) { int t = get_local_id(0), x = 0;\n" + text.String() + "}\n"
		a := gpu.Counts(context.Background(), gpu.Source{Name: "k.cl", Text: []byte(src)}, gpu.Options{})[0]
		if a.What != "counted" {
			t.Errorf("%s\nis not counted: %s", src, a.Text)
			continue
		}
		var got []string
		for _, i := range a.Intervals {
			if i.Times != "1" || !i.Same() {
				t.Errorf("%s\ninterval %+v", src, i)
			}
			got = append(got, fmt.Sprint(formula(t, i.Global.Most, n, threads), " ", formula(t, i.Local.Most, n, threads)))
		}
		if !slices.Equal(got, want) || formula(t, a.Steps, n, threads) != int64(len(want)) {
			t.Errorf("%s\nn = %d, %d threads: %v, counted %v of %+v", src, n, threads, want, got, a.Intervals)
		}
	}
}

// formula evaluates sums and products, with brackets.
func formula(t *testing.T, s string, n, threads int64) int64 {
	e, err := parser.ParseExpr(strings.NewReplacer("∗", "*", "−", "-").Replace(s))
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	var value func(e ast.Expr) int64
	value = func(e ast.Expr) int64 {
		switch e := e.(type) {
		case *ast.ParenExpr:
			return value(e.X)
		case *ast.UnaryExpr:
			return -value(e.X)
		case *ast.Ident:
			return map[string]int64{"n": n, "threads": threads}[e.Name]
		case *ast.BasicLit:
			v, _ := strconv.ParseInt(e.Value, 10, 64)
			return v
		case *ast.BinaryExpr:
			a, b := value(e.X), value(e.Y)
			return map[token.Token]int64{token.ADD: a + b, token.SUB: a - b, token.MUL: a * b}[e.Op]
		}
		t.Fatalf("formula %s", s)
		return 0
	}
	return value(e)
}
