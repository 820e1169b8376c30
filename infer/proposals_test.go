package infer_test

import (
	"slices"
	"testing"

	"github.com/gradine/gradine/infer"
	"github.com/gradine/gradine/logic/text"
)

// What is proposed for small machines that lack an invariant is what their author would
// write: what an analysis finds or the text says comes before what a goal alone lacks,
// goals are simple, and nothing is added that the rest makes superfluous.
func TestProposals(t *testing.T) {
	for _, c := range []struct {
		source string
		want   []string
	}{
		{`machine mutex variables p1 p2 lock
invariants
	@p1 p1 ∈ BOOL
	@p2 p2 ∈ BOOL
	@lock lock ∈ BOOL
	@safe ¬(p1 = TRUE ∧ p2 = TRUE)
events
	event INITIALISATION then @a p1 ≔ FALSE @b p2 ≔ FALSE @c lock ≔ FALSE end
	event enter1 where @g lock = FALSE then @a p1 ≔ TRUE @c lock ≔ TRUE end
	event leave1 where @g p1 = TRUE then @a p1 ≔ FALSE @c lock ≔ FALSE end
	event enter2 where @g lock = FALSE then @a p2 ≔ TRUE @c lock ≔ TRUE end
	event leave2 where @g p2 = TRUE then @a p2 ≔ FALSE @c lock ≔ FALSE end
end`, []string{"p1 = TRUE ⇒ lock = TRUE", "p2 = TRUE ⇒ lock = TRUE"}},
		{`context items sets ITEM constants capacity axioms @c capacity ∈ ℕ1 end
machine queue sees items variables buffer head tail
invariants
	@buffer buffer ∈ ℕ ⇸ ITEM
	@head head ∈ ℕ
	@tail tail ∈ ℕ
	@bound tail − head ≤ capacity
events
	event INITIALISATION then @b buffer ≔ ∅ @h head ≔ 0 @t tail ≔ 0 end
	event put any x where @x x ∈ ITEM @room tail − head < capacity then @b buffer(tail) ≔ x @t tail ≔ tail + 1 end
	event get any x where @some head < tail @x x = buffer(head) then @b buffer ≔ {head} ⩤ buffer @h head ≔ head + 1 end
end`, []string{"head ≤ tail", "dom(buffer) = head ‥ tail − 1"}},
		{`context colours sets COLOUR constants red green axioms @p partition(COLOUR, {red}, {green}) end
machine traffic sees colours variables north east turn
invariants
	@n north ∈ COLOUR
	@e east ∈ COLOUR
	@t turn ∈ 0 ‥ 1
	@safe north = red ∨ east = red
events
	event INITIALISATION then @n north ≔ red @e east ≔ red @t turn ≔ 0 end
	event north_goes where @t turn = 0 then @n north ≔ green end
	event north_stops where @g north = green then @n north ≔ red @t turn ≔ 1 end
	event east_goes where @t turn = 1 then @e east ≔ green end
	event east_stops where @g east = green then @e east ≔ red @t turn ≔ 0 end
end`, []string{"turn = 0 ⇒ east = red", "turn = 1 ⇒ north = red"}},
		{`context store sets FILE USER end
machine files sees store variables existing owner opened
invariants
	@existing existing ⊆ FILE
	@owner owner ∈ FILE ⇸ USER
	@opened opened ∈ USER ↔ FILE
	@real ran(opened) ⊆ existing
events
	event INITIALISATION then @e existing ≔ ∅ @o owner ≔ ∅ @p opened ≔ ∅ end
	event create any f u where @f f ∈ FILE ∖ existing @u u ∈ USER then @e existing ≔ existing ∪ {f} @o owner(f) ≔ u end
	event open any f u where @f f ∈ dom(owner) @u u = owner(f) then @p opened ≔ opened ∪ {u ↦ f} end
	event delete any f where @f f ∈ existing @n f ∉ ran(opened) then @e existing ≔ existing ∖ {f} @o owner ≔ {f} ⩤ owner end
end`, []string{"existing = dom(owner)"}},
	} {
		dev, m, _ := guessed(t, c.source)
		r, err := infer.Infer(t.Context(), dev, m, infer.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range r.Added() {
			got = append(got, text.Readable(r.Development.Bank, p))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", m.Name, got, c.want)
		}
	}
}
