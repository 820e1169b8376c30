package picture_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore/internal/picture"
	"github.com/gradine/gradine/explore/internal/program"
	"github.com/gradine/gradine/explore/internal/sample"
	"github.com/gradine/gradine/explore/internal/states"
	"github.com/gradine/gradine/lang/check"
)

const lamp = `machine lamp
variables on times
invariants @on on ∈ BOOL @t times ∈ 0‥2
events
  event INITIALISATION then @on on ≔ FALSE @t times ≔ 0 end
  event press when @few times < 2 then @on on ≔ bool(on = FALSE) @t times ≔ times + 1 end
  event rest any n where @n n ∈ 1‥times then @t times ≔ times − n end
end`

// A graph has a node for each state, or for each value of what is looked at; not more than wanted.
func TestGraphs(t *testing.T) {
	p := sample.Program(t, lamp)
	store := storeOf(p)
	for _, c := range []struct {
		most int
		view string
		want string
	}{
		{6, "", "on=FALSE times=0* | on=TRUE times=1 | on=FALSE times=2 | on=TRUE times=0 | on=FALSE times=1 | on=TRUE times=2 ; " +
			"0-press-1 1-press-2 1-rest(1)-3 2-rest(1)-4 2-rest(2)-0 3-press-4 4-press-5 4-rest(1)-0 5-rest(1)-1 5-rest(2)-3"},
		{5, "", "none"},
		{2, "on", "on=FALSE*3 | on=TRUE3 ; 0-rest-0 0-press-1 1-press-0 1-rest-1"},
		{3, "2÷times", "2÷times=no value*2 | 2÷times=12 | 2÷times=22 ; 0-press-2 1-rest-0 1-rest-2 2-rest-0 2-press-1"},
		{1, "on", "none"},
		{2, "on=TRUE", "on=TRUE is a predicate; bool(on=TRUE) is an expression"},
	} {
		wanted := picture.Wanted{Most: c.most}
		if c.view != "" {
			wanted.View = []picture.Shown{shownAs(t, p, c.view)}
		}
		g, err := picture.Of(context.Background(), p, store, wanted)
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case g == nil:
			got = "none"
		default:
			got = drawn(g)
		}
		if got != c.want {
			t.Errorf("%d %s:\n%s, want\n%s", c.most, c.view, got, c.want)
		}
	}
}

// storeOf has all states of p.
func storeOf(p *program.Program) *states.Store {
	store := states.New(p.Shapes())
	f := p.Frame(context.Background())
	for _, s := range sample.Reached(p) {
		var hash program.Hashed
		p.Unpack(f, s)
		p.Hash(f, &hash)
		p.SetAfter(f, p.Before(f))
		whole, _ := p.HashAfter(f, &hash)
		for {
			packed, fits := store.Pack(p.Before(f), nil)
			if fits {
				store.Reserve(1)
				store.Insert(states.ShardOf(whole), packed, whole, 0)
				break
			}
			store.Widen(p.Before(f))
		}
	}
	return store
}

func shownAs(t *testing.T, p *program.Program, text string) picture.Shown {
	t.Helper()
	types := check.Env{}
	for _, v := range p.Machine.Variables {
		types[v.Name] = p.Setting.Bank.Type(v.Term)
	}
	if strings.Contains(text, "=") {
		term, err := check.Predicate(p.Setting.Bank, types, text)
		if err != nil {
			t.Fatal(err)
		}
		return picture.Shown{Name: text, Term: term}
	}
	term, err := check.Predicate(p.Setting.Bank, types, text+" = "+text)
	if err != nil {
		t.Fatal(err)
	}
	return picture.Shown{Name: text, Term: p.Setting.Bank.Arg(term, 0)}
}

// drawn prints nodes, those that are initial with an asterisk and those of a view with the states they stand for, and edges.
func drawn(g *picture.Graph) string {
	var nodes, edges []string
	for i, s := range g.States {
		var bs []string
		for _, b := range s {
			bs = append(bs, b.Name+"="+b.Value)
		}
		node := strings.Join(bs, " ")
		if i < g.Initial {
			node += "*"
		}
		if g.Count != nil {
			node += fmt.Sprint(g.Count[i])
		}
		nodes = append(nodes, node)
	}
	for _, e := range g.Edges {
		edges = append(edges, fmt.Sprintf("%d-%s-%d", e.From, e.Label, e.To))
	}
	return strings.Join(nodes, " | ") + " ; " + strings.Join(edges, " ")
}
