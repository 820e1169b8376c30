package review

import (
	"maps"
	"slices"

	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

// Texts is which element of a text is which of an older one, by what they say and are
// called. No types are needed, so that one file of a project is enough.
type Texts struct {
	Pairs []Pair
	// Splits are the groups of events or components whose content was distributed differently.
	// Their elements are in no pair.
	Splits []Split
	// Renames are the identifiers that only have another name now, in the order of scope and name.
	Renames []Rename
}

// Rename is a new name of an identifier. Event is "machine/event" of the old text for a
// parameter, and "" for what holds in all of it.
type Rename struct{ Event, From, To string }

// Event is what an event of the old text, "machine/event", is called now; "" is the whole text.
func (t Texts) Event(old string) (string, bool) {
	if old == "" {
		return "", true
	}
	for _, p := range t.Pairs {
		if p.Old.Kind == "event" && p.Old.Component+"/"+p.Old.Label == old {
			return p.New.Component + "/" + p.New.Label, true
		}
	}
	return "", false
}

// Pair is one element of two texts.
type Pair struct{ Old, New *Element }

// MatchTexts pairs the components, events and parts of two texts as a review does.
func MatchTexts(old, now *lang.File) Texts {
	side := func(f *lang.File) *Side {
		return &Side{Files: []*lang.File{f}, Dev: &model.Development{Bank: logic.NewBank()}}
	}
	before, after := side(old), side(now)
	// The first reading finds the renames; the second one reads the old text with the new names, so that renamed
	// elements pair by what they say.
	plain := logic.NewBank()
	was, is := components(before, plain, newNames{}), components(after, plain, newNames{})
	p := newPairing(was, is)
	was, is = components(before, p.bank.Bank, newNames{p.names, p.params}), components(after, p.bank.Bank, newNames{})
	pairs := pairComponents(was, is)
	matchings := p.match(was, pairs, map[*Element]bool{})
	out := Texts{Renames: p.renames(), Splits: splitComponents(was, is, pairs)}
	for _, c := range was {
		d := pairs[c]
		if d == nil || out.torn(&c.Element) {
			continue
		}
		out.Pairs = append(out.Pairs, Pair{&c.Element, &d.Element})
		m := matchings[c]
		torn := map[string]bool{}
		for _, s := range splits(c, d, m) {
			for _, e := range s.Old {
				torn[e.Label] = true
			}
			out.Splits = append(out.Splits, s)
		}
		for _, x := range c.elements {
			if y := m.pairs[x]; y != nil && !torn[x.Event] && !(x.Kind == "event" && torn[x.Label]) {
				out.Pairs = append(out.Pairs, Pair{x, y})
			}
		}
	}
	return out
}

// torn reports whether an old element is in a split.
func (t Texts) torn(old *Element) bool {
	return slices.ContainsFunc(t.Splits, func(s Split) bool { return slices.Contains(s.Old, old) })
}

// renames lists the new names of identifiers.
func (p *pairing) renames() (out []Rename) {
	add := func(event string, names proofstore.Names) {
		for _, from := range slices.Sorted(maps.Keys(names)) {
			out = append(out, Rename{event, from, names[from]})
		}
	}
	add("", p.names)
	for _, event := range slices.Sorted(maps.Keys(p.params)) {
		add(event, p.params[event])
	}
	return out
}
