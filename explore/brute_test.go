package explore_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/order"
)

// Random machines, with terms without value, great integers, relations that are no
// functions, sets of sets and theorems among the guards, have the states,
// transitions, deadlocks and failures that brute force finds; so they have under
// symmetry and partial order. GRADINE_MACHINES says how many machines are tried,
// GRADINE_SEED with which one to begin.
func TestAgreesWithBruteForce(t *testing.T) {
	n, from := 180, uint64(0)
	if s := os.Getenv("GRADINE_MACHINES"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	if s := os.Getenv("GRADINE_SEED"); s != "" {
		from, _ = strconv.ParseUint(s, 10, 64)
	}
	count := map[string]int{}
	for i := range uint64(n) {
		for _, what := range compareWithBruteForce(t, from+i) {
			count[what]++
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("seeds %d to %d: %v", from, from+uint64(n)-1, count)
	if count["compared"] < n/2 {
		t.Errorf("only %d of %d machines are compared", count["compared"], n)
	}
}

// bruteWork is what an exploration is granted, see [corpus.Granted].
const bruteWork = 4_000

// compareWithBruteForce explores the machine of a seed and says what it is like.
func compareWithBruteForce(t *testing.T, seed uint64) []string {
	g := &chance{Rand: rand.New(rand.NewPCG(seed, 7)), rough: seed%4 == 0}
	m := g.machine()
	k := int64(g.IntN(4) - 1)
	text := m.text(k)
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("seed %d: %s\n%s", seed, fmt.Sprintf(format, args...), text)
	}
	var problems diag.List
	dev := check.Development("random", []*lang.File{lang.Parse("random.eventb", []byte(text), &problems)}, &problems)
	if problems.HasErrors() {
		fail("%v", problems)
		return nil
	}
	machine := dev.Machine("M")
	ins, _, err := explore.Solve(t.Context(), dev, machine, explore.Setup{Default: m.size}, 1)
	if err != nil {
		fail("%v", err)
		return nil
	}
	in := ins[0]
	consts := map[string]string{}
	for _, b := range in.Bindings(machine) {
		if b.Name != "S" {
			consts[b.Name] = b.Value
		}
	}
	want := exploreByForce(m, in.Carriers["S"], consts)
	if want == nil {
		return []string{"too large"}
	}
	// Here and there brute force is the faster one: it does not try what is in vain.
	ctx := corpus.Granted(bruteWork)
	plain, err := explore.Run(ctx, machine, in, explore.Options{KeepGoing: true, Graph: explore.Drawing{Most: bruteStates}, MaxStates: 20 * bruteStates})
	if _, unbounded := errors.AsType[explore.Unbounded](err); unbounded {
		return []string{"refused"}
	}
	if err != nil {
		fail("%v", err)
		return nil
	}
	out := []string{"compared"}
	hides := slices.ContainsFunc(m.events, func(e *bruteEvent) bool { return e.hideaway })
	if ctx.Err() != nil {
		return []string{"slow"}
	}
	if plain.Why != "" {
		// A limit that brute force does not meet, for it need not build what is passed
		// over; or guards without value for integers that are not tried.
		for _, limit := range []string{"invariant that cannot", "a set of more than", "all subsets of", "an integer of more than"} {
			if strings.Contains(plain.Why, limit) {
				return []string{"bounded"}
			}
		}
		if hides && strings.Contains(plain.Why, "no value") {
			return []string{"bounded"}
		}
		fail("bounded: %s", plain.Why)
	}
	for kind := range want.failed {
		kind, _, _ = strings.Cut(kind, " ")
		out = append(out, kind)
	}
	if plain.States != len(want.values) || plain.Transitions != want.transitions || plain.Deadlocks != want.deadlocks {
		fail("%d states, %d transitions, %d deadlocks; by force %d, %d, %d", plain.States, plain.Transitions, plain.Deadlocks, len(want.values), want.transitions, want.deadlocks)
	}
	if got := failures(plain); !maps.Equal(got, want.failed) {
		fail("fails %v; by force %v", keys(got), keys(want.failed))
	}
	if t.Failed() {
		return nil
	}
	want.compareGraph(fail, plain.Graph)
	want.lead(fail, machine, in)
	if i := slices.IndexFunc(machine.Invariants, func(p *model.Predicate) bool { return p.Label == "i0" }); i >= 0 {
		ended, err := explore.Run(ctx, machine, in, explore.Options{KeepGoing: true, Ends: machine.Invariants[i].Term})
		if stuck := want.stuckBesides(m.invariants[0]); ctx.Err() == nil && (err != nil || ended.Deadlocks != stuck) {
			fail("with declared ends: %v, %d deadlocks; by force %d", err, ended.Deadlocks, stuck)
		}
	}
	for _, f := range plain.Findings {
		want.follow(fail, f)
	}

	// In the normal run a machine gets few limits, and is searched by one in three of the other ways; few machines get
	// goals. So it stays short, and all machines together still see all of it.
	limits, goals, apart := 1, seed%8 == 0, 3
	if os.Getenv("GRADINE_MACHINES") != "" {
		limits, goals, apart = 6, true, 1
	}
	want.keptElsewhere(fail, plain, int(seed)%apart, apart, func(opt explore.Options) *explore.Result {
		r, err := explore.Run(ctx, machine, in, opt)
		if err != nil {
			fail("%v", err)
		}
		return r
	}, t.TempDir())
	for range limits {
		out = append(out, want.limited(fail, rand.New(g), plain, t.TempDir(), func(opt explore.Options, cancel context.CancelFunc, ctx context.Context) *explore.Result {
			defer cancel()
			r, err := explore.Run(ctx, machine, in, opt)
			if err != nil {
				fail("%v", err)
			}
			return r
		})...)
	}
	if ctx.Err() != nil {
		return []string{"slow"}
	}
	if goals {
		want.goals(fail, machine, func(opt explore.Options) *explore.Result {
			r, err := explore.Run(ctx, machine, in, opt)
			if err != nil {
				fail("%v", err)
			}
			return r
		}, t.TempDir())
	}
	if ctx.Err() != nil {
		return []string{"slow"}
	}

	symmetric, err := explore.Run(ctx, machine, in, explore.Options{KeepGoing: true, Symmetry: true})
	switch {
	case ctx.Err() != nil:
		return []string{"slow"}
	case err != nil:
		fail("symmetry: %v", err)
	case !maps.Equal(failures(symmetric), want.failed):
		fail("under symmetry fails %v; by force %v", keys(failures(symmetric)), keys(want.failed))
	case symmetric.States > plain.States || symmetric.States < want.orbits():
		fail("under symmetry %d states; %d in all, %d orbits", symmetric.States, plain.States, want.orbits())
	}
	if symmetric.States < plain.States {
		out = append(out, "symmetric")
	}

	for _, symmetry := range []bool{false, true} {
		reduced, err := explore.Run(ctx, machine, in, explore.Options{KeepGoing: true, Symmetry: symmetry, Independence: want.independence(machine)})
		switch {
		case ctx.Err() != nil:
			return []string{"slow"}
		case err != nil:
			fail("partial order: %v", err)
		case !maps.Equal(failures(reduced), want.failed):
			fail("in partial order (symmetry %v) fails %v; by force %v", symmetry, keys(failures(reduced)), keys(want.failed))
		case reduced.States > plain.States || !symmetry && reduced.Deadlocks != want.deadlocks:
			fail("in partial order %d states, %d deadlocks; by force %d, %d", reduced.States, reduced.Deadlocks, len(want.values), want.deadlocks)
		}
		if !symmetry && reduced.States < plain.States {
			out = append(out, "reduced")
		}
	}
	return out
}

// keptElsewhere compares a search with others: with states on disk, by bit-state hashing, depth-first, and with
// bounds that it just keeps, or not: of these searches with every so many a one, from the first on.
func (r *brute) keptElsewhere(fail func(string, ...any), plain *explore.Result, first, apart int, run func(explore.Options) *explore.Result, dir string) {
	lengths := func(x *explore.Result) map[string]int {
		out := map[string]int{}
		for _, f := range x.Findings {
			r.follow(fail, f)
			out[f.Kind+" "+f.Label] = len(f.Trace.Steps)
		}
		return out
	}
	for i, opt := range []explore.Options{
		{Disk: dir}, {Disk: dir, Symmetry: true}, {MaxStates: plain.States}, {MaxStates: plain.States, Disk: dir}, {MaxStates: plain.States - 1}, {MaxStates: plain.States - 1, Disk: dir},
		{Order: explore.DepthFirst}, {BitState: 1 << 16}, {BitState: 8},
	} {
		if i%apart != first {
			continue
		}
		opt.KeepGoing = true
		got := run(opt.Gathering(300))
		if got == nil {
			return
		}
		states, failed := got.States == plain.States, maps.Equal(failures(got), failures(plain))
		shortest := maps.Equal(lengths(got), lengths(plain))
		ok := states && failed
		switch {
		case got.Why == "interrupted" || got.Why == "time":
			return
		case opt.BitState == 8: // bits are soon used up; whatever is found is true
			ok = got.States <= plain.States && got.Why != ""
			for what := range failures(got) {
				ok = ok && r.failed[what]
			}
		case opt.BitState > 0:
			ok = ok && got.Why != "" && got.Transitions == plain.Transitions
		case opt.Order == explore.DepthFirst:
			ok = ok && got.Why == ""
		case opt.Symmetry:
			ok = failed && shortest && got.States <= plain.States && got.States >= r.orbits()
		case opt.MaxStates == plain.States-1 && plain.States > 1:
			// What was found in one go with the last states that the bound allows may be all as well.
			ok = got.Why != "" || ok && got.Transitions == plain.Transitions
		default:
			ok = ok && shortest && got.Verdict == plain.Verdict && got.Transitions == plain.Transitions && got.Depth == plain.Depth
		}
		if !ok {
			fail("kept as %+v: %s by %q, %d states, %d transitions, depth %d, %v; plain: %s, %d, %d, %d, %v", opt, got.Verdict, got.Why, got.States, got.Transitions, got.Depth, lengths(got),
				plain.Verdict, plain.States, plain.Transitions, plain.Depth, lengths(plain))
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		fail("files are left: %v %v", left, err)
	}
}

// limited gives a search limits of all kinds by chance: it sees what the plain one does, or says that it is
// bounded. What it finds until then is true.
func (r *brute) limited(fail func(string, ...any), g *rand.Rand, plain *explore.Result, dir string, run func(explore.Options, context.CancelFunc, context.Context) *explore.Result) []string {
	ctx, cancel := context.WithCancel(context.Background())
	calls, last := 0, g.IntN(4)
	opt := explore.Options{KeepGoing: true, Workers: 1 + g.IntN(4), Progress: func(int, int) {
		if calls++; calls > last && last > 0 {
			cancel()
		}
	}}
	some := func(most int) int { return (1 + g.IntN(most)) * (g.IntN(2)) }
	switch g.IntN(5) {
	case 0:
		opt.Disk, opt.MaxDisk = dir, some(3000)
	case 1:
		opt.Order = explore.DepthFirst
	case 2:
		opt.BitState = 1 << g.IntN(12)
	}
	opt.MaxStates, opt.MaxDepth, opt.MaxTried = some(plain.States+1), some(plain.Depth+2), some(2000)
	if g.IntN(3) == 0 {
		opt.MaxMemory = 1 + g.IntN(40_000)
	}
	got := run(opt.Gathering(200), cancel, ctx)
	if got == nil {
		return nil
	}
	for _, f := range got.Findings {
		// A trace that an interrupt cuts off is none.
		if len(f.Trace.Steps) > 0 || got.Why == "" {
			r.follow(fail, f)
		} else if !r.failed[f.Kind+" "+f.Label] {
			fail("%+v: %s %s is found", opt, f.Kind, f.Label)
		}
	}
	all := got.States == plain.States && got.Transitions == plain.Transitions && got.Deadlocks == plain.Deadlocks && maps.Equal(failures(got), failures(plain))
	switch {
	case got.Why == "" && (!all || got.Verdict != plain.Verdict || opt.BitState > 0):
		fail("%+v: %s, %d states, %d transitions, depth %d, %v; plain: %s, %d, %d, %d, %v", opt, got.Verdict, got.States, got.Transitions, got.Depth, keys(failures(got)),
			plain.Verdict, plain.States, plain.Transitions, plain.Depth, keys(failures(plain)))
	case got.Why != "" && got.Verdict == explore.Complete:
		fail("%+v: complete in spite of %s", opt, got.Why)
	case got.Why != "":
		return []string{"limited"}
	}
	return []string{"not limited"}
}

// goals looks for a state that satisfies an invariant, and says where runs may end, under all reductions.
func (r *brute) goals(fail func(string, ...any), machine *model.Machine, run func(explore.Options) *explore.Result, dir string) {
	for i, p := range r.m.invariants {
		at := slices.IndexFunc(machine.Invariants, func(p *model.Predicate) bool { return p.Label == fmt.Sprint("i", i) })
		if at < 0 {
			continue
		}
		reached := slices.ContainsFunc(r.values, func(e *env) bool {
			holds := false
			return has(func() { holds = r.pred(p, e) }) && holds
		})
		independent := r.independence(machine)
		for _, opt := range []explore.Options{{}, {Symmetry: true}, {Independence: independent}, {Symmetry: true, Independence: independent}, {Disk: dir}, {Disk: dir, Symmetry: true}, {Order: explore.DepthFirst, Independence: independent}} {
			opt.KeepGoing = true
			opt.Goal = machine.Invariants[at].Term
			got := run(opt)
			if got == nil {
				return
			}
			if failures(got)["goal "] != reached && got.Why == "" {
				fail("goal i%d under %+v: reached %v, by force %v", i, opt, !reached, reached)
			}
			opt.Goal, opt.Ends = 0, opt.Goal
			got = run(opt)
			if got == nil {
				return
			}
			if stuck := r.stuckBesides(p); got.Why == "" && ((got.Deadlocks > 0) != (stuck > 0) || !opt.Symmetry && got.Deadlocks != stuck) {
				fail("ends i%d under %+v: %d deadlocks, by force %d", i, opt, got.Deadlocks, stuck)
			}
		}
	}
}

// stuckBesides counts the deadlocks in which p does not hold.
func (r *brute) stuckBesides(p *node) (n int) {
	for _, s := range r.stuck {
		holds := false
		if !has(func() { holds = r.pred(p, r.values[s]) }) || !holds {
			n++
		}
	}
	return n
}

func keys(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }

func failures(r *explore.Result) map[string]bool {
	out := map[string]bool{}
	for _, f := range r.Findings {
		out[f.Kind+" "+f.Label] = true
	}
	return out
}

// keyOf is the key of a state that is printed.
func (r *brute) keyOf(state []explore.Binding) string {
	var key strings.Builder
	for _, v := range r.m.vars {
		for _, b := range state {
			if b.Name == v.name {
				key.WriteString(readValue(b.Value).key + ";")
			}
		}
	}
	return key.String()
}

// compareGraph compares the transitions between states.
func (r *brute) compareGraph(fail func(string, ...any), g *explore.Graph) {
	if g == nil {
		fail("no graph")
		return
	}
	number := make([]int, len(g.States))
	for i, s := range g.States {
		n, ok := r.states[r.keyOf(s)]
		if !ok {
			fail("state %v is not reached", s)
			return
		}
		number[i] = n
	}
	var got, want []string
	for _, e := range g.Edges {
		event, _, _ := strings.Cut(e.Label, "(")
		got = append(got, fmt.Sprint(number[e.From], event, number[e.To]))
	}
	for from, steps := range r.steps {
		for _, s := range steps {
			want = append(want, fmt.Sprint(from, s.event, s.to))
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		fail("transitions %v; by force %v", got, want)
	}
}

// follow checks that the trace of a finding is a run that leads to what is found.
func (r *brute) follow(fail func(string, ...any), f explore.Finding) {
	at := -1
	for i, s := range f.Trace.Steps {
		to, ok := r.states[r.keyOf(s.State)]
		step := func(x bruteStep) bool { return x.event == s.Event && x.to == to }
		if !ok || i == 0 && !slices.Contains(r.initial, to) || i > 0 && !slices.ContainsFunc(r.steps[at], step) {
			fail("%s %s: step %d of the trace, %s, is none", f.Kind, f.Label, i, s.Event)
			return
		}
		at = to
	}
	alone := *r
	alone.failed, alone.steps, alone.instances = map[string]bool{}, nil, nil
	if at < 0 {
		alone.fire(r.m.init, -1, r.consts)
	} else {
		alone.expand(at)
	}
	if !alone.failed[f.Kind+" "+f.Label] {
		fail("%s %s: the trace leads to a state in which %v", f.Kind, f.Label, keys(alone.failed))
	}
}

// orbits counts the states up to all permutations of the elements.
func (r *brute) orbits() int {
	seen := map[string]bool{}
	n := 0
	for _, e := range r.values {
		keys := map[string]bool{}
		permutations(len(r.elems), func(p []int) {
			to := map[string]*val{}
			for i, x := range r.elems {
				to[x.key] = r.elems[p[i]]
			}
			var key strings.Builder
			for _, v := range r.m.vars {
				key.WriteString(e.of(v.name).rename(to).key + ";")
			}
			keys[key.String()] = true
		})
		new := true
		for k := range keys {
			new = new && !seen[k]
		}
		if new {
			n++
		}
		maps.Copy(seen, keys)
	}
	return n
}

func (v *val) rename(to map[string]*val) *val {
	switch v.kind {
	case 'a':
		if x, ok := to[v.key]; ok {
			return x
		}
		return v
	case 'p':
		return pairOf(v.parts[0].rename(to), v.parts[1].rename(to))
	case 's':
		return v.each(func(x *val) []*val { return []*val{x.rename(to)} })
	}
	return v
}

func permutations(n int, visit func([]int)) {
	p := make([]int, 0, n)
	var next func()
	next = func() {
		if len(p) == n {
			visit(p)
		}
		for i := range n {
			if !slices.Contains(p, i) {
				p = append(p, i)
				next()
				p = p[:len(p)-1]
			}
		}
	}
	next()
}

// independence is what is true of the order of events in the states reached.
func (r *brute) independence(m *model.Machine) *order.Independence {
	// A machine that nothing but deadlocks befalls is as good as verified.
	befalls := maps.Clone(r.failed)
	delete(befalls, "deadlock ")
	out := &order.Independence{Verified: len(befalls) == 0}
	var events []*model.Event
	for _, e := range m.Events {
		if !e.IsInit() {
			events = append(events, e)
		}
	}
	for i, a := range events {
		for j, b := range events {
			if j >= i && r.commute(i, j) {
				out.Commuting = append(out.Commuting, order.Commuting{First: a, Second: b})
			}
			if i != j && r.exclusive(i, j) {
				out.Exclusive = append(out.Exclusive, order.Exclusive{First: a, Second: b})
			}
			for k, g := range b.Guards {
				if !g.Theorem && r.leavesFalse(i, j, k) {
					out.Harmless = append(out.Harmless, order.Harmless{Event: a, Other: b, Guard: g.Term})
				}
			}
		}
	}
	return out
}

// commute reports whether other instances of two events commute wherever both happen.
func (r *brute) commute(i, j int) bool {
	for _, all := range r.instances {
		for _, a := range all {
			for _, b := range all {
				if a.event != i || b.event != j || i == j && a.args == b.args {
					continue
				}
				ab, ok1 := r.then(a, b)
				ba, ok2 := r.then(b, a)
				if !ok1 || !ok2 || !slices.Equal(ab, ba) {
					return false
				}
			}
		}
	}
	return true
}

// then returns where b leads after a, and whether it can always happen there.
func (r *brute) then(a, b bruteInstance) (to []int, ok bool) {
	for _, s := range a.to {
		k := slices.IndexFunc(r.instances[s], func(x bruteInstance) bool { return x.event == b.event && x.args == b.args })
		if k < 0 || len(r.instances[s][k].to) == 0 {
			return nil, false
		}
		to = append(to, r.instances[s][k].to...)
	}
	slices.Sort(to)
	return slices.Compact(to), true
}

func (r *brute) exclusive(i, j int) bool {
	for _, all := range r.instances {
		happens := func(e int) bool {
			return slices.ContainsFunc(all, func(x bruteInstance) bool { return x.event == e && len(x.to) > 0 })
		}
		if happens(i) && happens(j) {
			return false
		}
	}
	return true
}

// leavesFalse reports whether guard k of event j, one about variables alone, stays
// false where event i happens.
func (r *brute) leavesFalse(i, j, k int) (known bool) {
	defer func() {
		if p := recover(); p != nil {
			if _, large := p.(tooLarge); !large {
				panic(p)
			}
			known = false // where a guard before this one is false
		}
	}()
	g := r.m.events[j].guards[k]
	if g.op == "∧" || g.op == "⊤" || slices.ContainsFunc(r.m.events[j].params, func(p *node) bool { return g.mentions(p.name) }) {
		return false
	}
	isFalse := func(s int) bool {
		holds := false
		return has(func() { holds = r.pred(g, r.values[s]) }) && !holds
	}
	for s, all := range r.instances {
		for _, x := range all {
			if x.event == i && isFalse(s) && slices.ContainsFunc(x.to, func(to int) bool { return !isFalse(to) }) {
				return false
			}
		}
	}
	return true
}

func (n *node) mentions(name string) bool {
	return n.name == name || slices.ContainsFunc(n.args, func(a *node) bool { return a.mentions(name) })
}
