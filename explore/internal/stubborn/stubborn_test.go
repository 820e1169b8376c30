package stubborn_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/sample"
	"github.com/gradine/gradine/explore/internal/stubborn"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/order"
)

// Two workers count by themselves; a third event needs both to be through.
const workers = `machine workers
variables a s
invariants @a a ∈ 1‥2 → 0‥2 @s s ∈ 0‥1
events
  event INITIALISATION then @a a ≔ {1 ↦ 0, 2 ↦ 0} @s s ≔ 0 end
  event work any w where @w w ∈ 1‥2 @low a(w) < 2 then @a a(w) ≔ a(w) + 1 end
  event sum when @one a(1) = 2 @two a(2) = 2 @not s = 0 then @s s ≔ 1 end
end`

// What is known of the workers: different ones commute, and work of one leaves what sum waits for of the other.
func known(m *model.Machine, bank *logic.Bank) *order.Independence {
	by := map[string]*model.Event{}
	for _, e := range m.Events {
		by[e.Label] = e
	}
	work, sum := by["work"], by["sum"]
	w := work.Parameters[0].Term
	k := &order.Independence{Verified: true}
	k.Commuting = []order.Commuting{{First: work, Second: work, Where: []order.Different{{First: w, Second: w}}}}
	k.Exclusive = []order.Exclusive{{First: work, Second: sum}}
	k.Within = []order.Within{{Event: work, Param: w, Set: bank.Arg(work.Guards[0].Term, 1)}}
	for i, n := range []int64{1, 2} {
		k.Harmless = append(k.Harmless, order.Harmless{Event: work, Other: sum, Guard: sum.Guards[i].Term, Where: []order.Different{{First: w, Second: bank.Int64(n)}}})
	}
	return k
}

// A state is followed as far as the known facts need: "all" of it where nothing is known, or where
// a property reads what changes; one of several that commute.
func TestChoices(t *testing.T) {
	p := sample.Program(t, workers)
	bank := p.Setting.Bank
	all := known(p.Machine, bank)
	nothing := &order.Independence{}
	commuting := &order.Independence{Commuting: all.Commuting, Within: all.Within}
	waiting := &order.Independence{Verified: true, Commuting: all.Commuting, Within: all.Within, Harmless: all.Harmless}
	var s logic.Term
	for _, v := range p.Machine.Variables {
		if v.Name == "s" {
			s = v.Term
		}
	}
	for _, c := range []struct {
		name     string
		known    *order.Independence
		preserve []logic.Term
		state    string
		nodes    int
		want     string
	}{
		{"nothing", nothing, nil, "a={1↦0, 2↦0} s=0", 2, "all"},
		{"commuting", commuting, nil, "a={1↦0, 2↦0} s=0", 3, "all"},
		{"all", all, nil, "a={1↦0, 2↦0} s=0", 3, "work(1)"},
		{"all but exclusive", waiting, nil, "a={1↦0, 2↦0} s=0", 3, "work(1)"},
		{"all but exclusive and harmless", &order.Independence{Verified: true, Commuting: all.Commuting, Within: all.Within}, nil, "a={1↦0, 2↦0} s=0", 3, "all"},
		{"all, about s", all, []logic.Term{s}, "a={1↦0, 2↦1} s=0", 3, "work(1)"},
		{"all, about a", all, []logic.Term{p.Machine.Variables[0].Term}, "a={1↦0, 2↦1} s=0", 3, "all"},
	} {
		sets := stubborn.New(context.Background(), p, c.known)
		sets.Preserve(p, c.preserve...)
		if sets.N != c.nodes {
			t.Errorf("%s: %d nodes, want %d", c.name, sets.N, c.nodes)
		}
		if got := followed(t, p, sets, c.state); got != c.want {
			t.Errorf("%s in %s: %s, want %s", c.name, c.state, got, c.want)
		}
	}
}

// followed prints the transitions of a state that are followed.
func followed(t *testing.T, p *program.Program, sets *stubborn.Sets, state string) string {
	c := sets.Chooser()
	c.Begin()
	at := sample.Find(t, p, state)
	f := p.Frame(context.Background())
	p.Unpack(f, at)
	var names []string
	for i, e := range p.Events {
		f.Visit(e.Fire, func(f *formula.Frame) bool {
			var hash program.Hashed
			p.Hash(f, &hash)
			after, changed := p.HashAfter(f, &hash)
			c.Moves = append(c.Moves, stubborn.Transition{Node: c.Node(i, e, f), Event: i + 1, Hash: after, Changed: changed, Beyond: -1})
			var args []string
			for _, x := range e.Params {
				args = append(args, p.Space.String(x.Shape, f.Slots[x.Slot]))
			}
			names = append(names, fmt.Sprintf("%s(%s)", e.Model.Label, strings.Join(args, ",")))
			return true
		})
	}
	chosen := c.Choose(f)
	if chosen == nil {
		return "all"
	}
	var out []string
	for k, name := range names {
		if c.Follows(chosen, k) {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

// Nothing is known of an abstract machine that goes along.
func TestRefinementIsNotReduced(t *testing.T) {
	p := sample.Program(t, workers+"\n\nmachine finer refines workers\nvariables a s\nevents\n  event INITIALISATION extends INITIALISATION end\nend")
	if stubborn.New(context.Background(), p, &order.Independence{}) != nil {
		t.Error("a refinement is reduced")
	}
}
