package infer_test

import (
	"context"
	"slices"
	"testing"

	"github.com/gradine/gradine/infer"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
)

// kernel is a loop with a barrier, of two threads s and t of a kernel: both write to
// gid∗size + lid, and count their turns.
const kernel = `
context c
constants size gid lids lidt n
axioms
  @size size ∈ ℕ1
  @gid gid ∈ 0‥3
  @lids lids ∈ 0‥size−1
  @lidt lidt ∈ 0‥size−1
  @n n ∈ ℕ
end
machine kernel sees c
variables ws wt is it on
invariants
  @ws ws ⊆ ℤ
  @wt wt ⊆ ℤ
  @is is ∈ ℤ
  @it it ∈ ℤ
  @on on ∈ BOOL
events
  event INITIALISATION then @ws ws ≔ ∅ @wt wt ≔ ∅ @is is ≔ 0 @it it ≔ 0 @on on ≔ TRUE end
  event turn where @g is < n @h on = TRUE then @ws ws ≔ {gid∗size+lids} @wt wt ≔ {gid∗size+lidt} @is is ≔ is + 1 @it it ≔ it + 1 @on on ≔ FALSE end
  event barrier where @g on = FALSE then @ws ws ≔ ∅ @wt wt ≔ ∅ @on on ≔ TRUE end
end`

// facts is what a reader would say of it.
func facts(dev *model.Development, m *model.Machine) (*model.Development, *model.Threads) {
	bank := dev.Bank.Extend()
	at := map[string]logic.Term{}
	for _, v := range m.Variables {
		at[v.Name] = v.Term
	}
	for _, k := range m.Contexts[0].Constants {
		at[k.Name] = k.Term
	}
	head := bank.App(logic.Eq, at["on"], bank.App(logic.TrueE))
	facts := &model.Threads{
		Pairs:     []model.Pair{{First: at["is"], Second: at["it"]}},
		SameGroup: bank.App(logic.Le, at["gid"], at["gid"]),
		SameWarp:  bank.App(logic.Eq, at["lids"], at["lidt"]),
	}
	loop := model.Loop{Head: head, Barrier: true, Changed: []logic.Term{at["is"], at["it"]}}
	for i, s := range []string{"s", "t"} {
		offset := bank.App(logic.Plus, bank.App(logic.Times, at["gid"], at["size"]), at["lid"+s])
		facts.Accesses = append(facts.Accesses,
			model.Access{Array: "a", Kind: model.Write, Thread: i, Offsets: at["w"+s], Sites: []model.Site{{Offset: offset}}},
			model.Access{Array: "a", Kind: model.Read, Thread: i, Pending: bank.App(logic.Neq, at["w"+s], bank.Atom(logic.Empty, bank.Type(at["w"+s]))), Offset: offset})
		facts.Identities = append(facts.Identities, model.Identity{Thread: i, Term: at["gid"], Group: true}, model.Identity{Thread: i, Term: at["lid"+s], Size: at["size"]})
		loop.Guard[i] = bank.App(logic.Lt, at["i"+s], at["n"])
		loop.Enabled[i] = loop.Guard[i]
		loop.Counters = append(loop.Counters, model.Counter{Thread: i, Term: at["i"+s], Before: bank.Int64(0)})
	}
	facts.Loops = []model.Loop{loop}
	bank.Freeze()
	wider := *dev
	wider.Bank = bank
	return &wider, facts
}

// Each rule about threads guesses something of a kernel, and what it should.
func TestThreads(t *testing.T) {
	dev, m, _ := guessed(t, kernel)
	dev, threads := facts(dev, m)
	want := map[string]string{
		"r0":  "∀w·w ∈ ws ⇒ lids = w − size ∗ gid",
		"r1":  "∀w·w ∈ ws ⇒ w = gid ∗ size + lids",
		"r2":  "∀w·w ∈ ws ⇒ size ∗ gid + lids ≤ w",
		"r3":  "∀w·w ∈ ws ⇒ w < size ∗ (gid + 1) + lids",
		"r6":  "on = TRUE ⇒ (¬is < n ⇒ ws = ∅)",
		"r7":  "on = TRUE ⇒ is − 0 = it − 0",
		"r8":  "on = TRUE ⇒ 0 ≤ is",
		"r9":  "on = TRUE ⇒ 0 ≤ is",
		"r11": "on = TRUE ⇒ (is < n ⇔ it < n)",
		"r12": "on = TRUE ⇒ ¬ws ≠ ∅",
		"r13": "on = TRUE ⇒ ws = ∅",
		"r16": "on = TRUE ⇒ is = it",
		"r18": "gid ≤ gid ∧ lids = lidt ⇒ ws = ∅",
	}
	for rule, formula := range want {
		wider, candidates := infer.Guess(t.Context(), dev, m, infer.Options{Threads: threads, Only: []string{rule}})
		var made []string
		for _, c := range candidates {
			made = append(made, text.Readable(wider.Bank, c.Term))
		}
		if !slices.Contains(made, formula) {
			t.Errorf("%s does not guess %s, but %q", rule, formula, made)
		}
	}
	wider, candidates := infer.Guess(t.Context(), dev, m, infer.Options{Threads: threads, Only: []string{"r1", "r7", "r8", "r13", "r16"}})
	r, err := infer.Check(context.Background(), wider, m, candidates, infer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]bool{}
	for _, k := range r.Kept {
		kept[k.Rule] = true
	}
	for _, rule := range []string{"r1", "r7", "r8", "r13"} {
		if !kept[rule] {
			t.Errorf("nothing of %s is kept", rule)
		}
	}
}
