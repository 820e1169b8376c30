package formula_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/explore/internal/value"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// carriers are the elements of the set that the formulas of these tests speak of.
var carriers = map[string][]string{"S": {"a", "b", "c"}}

// types are those of the identifiers in the formulas of these tests.
var types = map[string]string{"S": "ℙ(S)", "x": "ℤ", "y": "ℤ", "s": "ℙ(ℤ)", "f": "ℙ(ℤ×ℤ)", "e": "S"}

// room is a compiler of predicates, and the frame that they are evaluated in.
type room struct {
	*formula.Compiler
	frame func() *formula.Frame
}

// compilerOf reads a predicate in which S is a carrier set; the other identifiers are
// variables that have no slots yet.
func compilerOf(t *testing.T, predicate string) (room, logic.Term) {
	t.Helper()
	used := maps.Clone(types)
	maps.DeleteFunc(used, func(name, _ string) bool { return !strings.Contains(predicate, name) })
	s, err := check.ReadSequent(used, nil, nil, predicate)
	if err != nil {
		t.Fatal(predicate, err)
	}
	space := value.NewSpace(s.Bank, carriers)
	c := formula.NewCompiler(space, s.Bank, map[string]value.Value{})
	c.Strict = true
	if _, ok := used["S"]; ok {
		shape := space.Shape(s.Bank.PowType(s.Bank.GivenType("S")))
		c.Consts["S"] = space.Set(shape, value.Full(shape.Elem))
	}
	return room{c, func() *formula.Frame { return c.NewFrame(context.Background()) }}, s.Goal
}

// A predicate without variables is true, false, or has no value for a stated reason.
func TestPredicates(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1+2∗3=7", "true"},
		{"(−7)÷2=−3", "true"},
		{"7 mod 0=1", "mod of a negative number, or by one that is not positive"},
		{"1=2 ∧ 7 mod 0=1", "false"},
		{"1=1 ∨ 7÷0=1", "true"},
		{"7÷0=1 ∨ 1=1", "division by zero"},
		{"1=2 ⇒ max(∅⦂ℙ(ℤ))=1", "true"},
		{"max(∅⦂ℙ(ℤ))=1", "min or max of an empty set"},
		{"∀n·n∈1‥4 ⇒ n∗n≤16", "true"},
		{"∃n·n∈1‥4 ∧ n∗n=15", "false"},
		{"∃n·n>3 ∧ n<5 ∧ n∗n=16", "true"},
		{"{1,2}⊂{1,2,3} ∧ ¬{1,2}⊂{2,1}", "true"},
		{"card({1,2,3}∪{3,4})=4", "true"},
		{"{1↦2,2↦3}∈{1,2}→{2,3} ∧ {1↦2,1↦3}∉{1}⇸{2,3}", "true"},
		{"{1↦2,2↦2}∈{1,2}↣{2,3}", "false"},
		{"{1↦2,2↦3}(3)=0", "application outside the domain"},
		{"{1↦2,1↦3}(1)=2", "application of a relation that is not a function"},
		{"partition({1,2,3},{1},{2,3})", "true"},
		{"partition({1,2,3},{1},{1,2,3})", "false"},
		{"({1↦2,2↦3};{2↦5})={1↦5}", "true"},
		{"dom({1}◁{1↦2,2↦3})={1} ∧ ran({1}⩤{1↦2,2↦3})={3}", "true"},
		{"{1↦2,2↦3}∼[{3}]={2}", "true"},
		{"(λn·n∈1‥3∣n∗n)={1↦1,2↦4,3↦9}", "true"},
		{"{n·n∈1‥3∣n∗n}={1,4,9}", "true"},
		{"union({{1},{2,3}})={1,2,3} ∧ inter({{1,2},{2,3}})={2}", "true"},
		{"(⋃n·n∈1‥2∣{n,n+5})={1,2,6,7}", "true"},
		{"inter(∅⦂ℙ(ℙ(ℤ)))=∅", "inter of no set"},
		{"card(ℙ(1‥3))=8 ∧ ℙ1({1})={{1}}", "true"},
		{"card(S)=3 ∧ finite(S)", "true"},
		{"∀r·r∈S→BOOL ⇒ dom(r)=S", "true"},
		{"bool(1<2)=TRUE", "true"},
		{"∀n·n∈1‥3 ⇒ 6÷n≥2", "true"},
		{"∀n·n∈1‥3 ⇒ 6÷n>2", "false"},
		{"∃n·n∈1‥3 ∧ 6÷n=3", "true"},
		{"∃n·n∈0‥3 ∧ 6÷n=3", "division by zero"},
		{"2^3=8 ∧ 2^70>2^69", "true"},
		{"{6↦1,5↦2,4↦3,3↦4,2↦5,1↦2^70}(2)=5 ∧ card({6↦1,5↦2,4↦3,3↦4,2↦5,6↦1})=5", "true"},
		{"∀n·n∈1‥3 ⇒ {n↦n,5↦2,4↦3,6↦4,7↦5,n↦n}(n)=n", "true"},
		{"{6↦1,5↦2,4↦3,3↦4,2↦5,6↦7}(6)=1", "application of a relation that is not a function"},
	} {
		if got := judged(t, c.text); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}

func judged(t *testing.T, text string) string {
	c, goal := compilerOf(t, text)
	var p formula.Pred
	if err := formula.Guarded(func() { c.Root = goal; p = c.Pred(goal) }); err != nil {
		return err.Error()
	}
	holds, why := c.frame().Try(p)
	switch {
	case why != "":
		return why
	case holds:
		return "true"
	}
	return "false"
}

// A search visits what satisfies its conditions, each once and in the same order always, or
// says what would bound it. What it did not look at for all values is named.
func TestSearches(t *testing.T) {
	for _, c := range []struct{ conditions, variables, want string }{
		{"x∈1‥4 ∧ x mod 2=0", "x", "2 4"},
		{"x≥3 ∧ x≤5", "x", "3 4 5"},
		{"x>3 ∧ y=x+1 ∧ x<6", "x y", "4,5 5,6"},
		{"x∈1‥2 ∧ y∈x‥2", "x y", "1,1 1,2 2,2"},
		{"x∈{3,1,3}", "x", "1 3"},
		{"s⊆{1,2}", "s", "∅ {1} {2} {1, 2}"},
		{"s⊆{1,2,3} ∧ card(s)=2", "s", "{1, 2} {1, 3} {2, 3}"},
		{"f∈{1,2}→{5,6}", "f", "{1↦6, 2↦6} {1↦6, 2↦5} {1↦5, 2↦6} {1↦5, 2↦5}"},
		{"f∈{1,2}⤖{5,6}", "f", "{1↦6, 2↦5} {1↦5, 2↦6}"},
		{"x↦y∈{1↦2,3↦4}", "x y", "1,2 3,4"},
		{"e∈S ∧ e∈S", "e", "a b c"},
		{"x∈1‥3 ∧ 6÷(x−1)>2", "x", "division by zero"},
		{"x∈1‥3 ∧ x>1 ∧ 6÷(x−1)>2", "x", "2 3"},
		{"6÷x>2 ∧ x∈1‥3", "x", "1 2 and not all tried of 6 ÷ x > 2"},
		{"x>y ∧ y=2", "x y", "no bound for x in x > y ∧ y = 2; an upper bound such as x ≤ 9 would bound it"},
		{"x∗x=4", "x", "no bound for x in x ∗ x = 4; x ∈ 0‥9, for instance, would bound it"},
	} {
		if got := searched(t, c.conditions, c.variables); got != c.want {
			t.Errorf("%s: %q, want %q", c.conditions, got, c.want)
		}
	}
}

func searched(t *testing.T, conditions, variables string) string {
	c, goal := compilerOf(t, conditions)
	var ids []logic.Term
	var decls []logic.Type
	names := strings.Fields(variables)
	for _, id := range c.Bank.FreeIdents(goal) {
		if name := c.Bank.Name(id); name != "S" {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b logic.Term) int { return strings.Compare(c.Bank.Name(a), c.Bank.Name(b)) })
	var shapes []*value.Shape
	for _, id := range ids {
		decls = append(decls, c.Bank.Type(id))
		shapes = append(shapes, c.Space.Shape(c.Bank.Type(id)))
	}
	c.Root = goal
	base := c.NextSlot()
	var search formula.Searcher
	if err := formula.Guarded(func() {
		search = c.Binder(decls, names, c.Conjuncts(c.Bank.Abstract(goal, ids)), func() {})
	}); err != nil {
		return err.Error()
	}
	var found []string
	if _, why := c.frame().Visit(search, func(f *formula.Frame) bool {
		var one []string
		for i, shape := range shapes {
			one = append(one, c.Space.String(shape, f.Slots[base+i]))
		}
		found = append(found, strings.Join(one, ","))
		return true
	}); why != "" {
		return why
	}
	for _, hidden := range c.Hidden {
		found = append(found, "and not all tried of "+text.Readable(c.Bank, hidden))
	}
	return strings.Join(found, " ")
}
