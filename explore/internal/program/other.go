package program

import (
	"maps"

	"github.com/gradine/gradine/explore/internal/formula"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// EventAs compiles another event for the machine: one of its own with other witnesses, or with fewer
// abstract events.
func (p *Program) EventAs(e *model.Event) (*Event, error) { return p.event(e) }

// Naming runs fn, in whose formulas additional names stand for slots.
func (p *Program) Naming(names map[string]int, fn func()) {
	compiler := p.Compiler
	slots := compiler.Slots
	defer func() { compiler.Slots = slots }()
	compiler.Slots = maps.Clone(slots)
	maps.Copy(compiler.Slots, names)
	fn()
}

// Search compiles the search for values of names that satisfy conditions, terms in which the names are
// free. It returns the slots of the values. An error says what nothing bounds.
func (p *Program) Search(ids []logic.Term, conds []logic.Term) (search formula.Searcher, params []Param, err error) {
	compiler := p.Compiler
	var names []string
	var types []logic.Type
	for _, id := range ids {
		names, types = append(names, compiler.Bank.Name(id)), append(types, compiler.Bank.Type(id))
	}
	var bound []logic.Term
	for _, t := range conds {
		for _, conjunct := range compiler.Conjuncts(compiler.Bank.Subst(t, compiler.Defs)) {
			bound = append(bound, compiler.Bank.Abstract(conjunct, ids))
		}
	}
	outer := compiler.Bound
	err = formula.Guarded(func() {
		compiler.Root = compiler.Bank.And(conds...)
		base := compiler.NextSlot()
		compiler.Bounding = true
		steps := compiler.Steps(types, names, bound, func() {})
		for i, name := range names {
			params = append(params, Param{name, base + i, compiler.Space.Shape(types[i])})
		}
		search = compiler.Searcher(steps)
	})
	compiler.Bound, compiler.Bounding = outer, false
	return search, params, err
}
