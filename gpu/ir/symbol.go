package ir

import "strings"

// Quantity is what of a launch a symbol counts.
type Quantity uint8

// The quantities. A group has its id, a thread its own.
const (
	NoQuantity  Quantity = iota // a parameter, or a name of the program
	OfThread                    // the id of a thread in its group
	OfGroup                     // the id of a group
	GroupThread                 // how many threads a group has
	GridGroups                  // how many groups the grid has
	AnyValue                    // a value on a path about which only its type is known
)

// Symbol is a number of a launch, in one dimension.
type Symbol struct {
	Of  Quantity
	Dim int
}

// quantities are how the names of machines begin for each.
var quantities = [...]string{OfThread: "lid", OfGroup: "gid", GroupThread: "lsz", GridGroups: "ngr"}

// dimensions are the names of dimensions.
const dimensions = "xyz"

// Name is the name of a number of a launch in machines, for output alone.
func (s Symbol) Name() string { return quantities[s.Of] + dimensions[s.Dim:s.Dim+1] }

// Term is the symbol as a term.
func (s Symbol) Term() *Term {
	return &Term{Op: Sym, Name: s.Name(), Symbol: s, Own: s.IsID()}
}

// FreeValue is a value with a name about which only its type is known.
func FreeValue(name, key string) *Term {
	return &Term{Op: Sym, Name: name, Own: true, Symbol: Symbol{Of: AnyValue}, Text: key}
}

// IsID reports whether s is an id, of a thread or a group.
func (s Symbol) IsID() bool { return s.Of == OfThread || s.Of == OfGroup }

// IsSize reports whether s is a size, of a group or the grid.
func (s Symbol) IsSize() bool { return s.Of == GroupThread || s.Of == GridGroups }

// OfLaunch reports whether s is a number of the launch.
func (s Symbol) OfLaunch() bool { return s.IsID() || s.IsSize() }

// Below reports whether an id is less than a size in every launch.
func (s Symbol) Below(size Symbol) bool {
	return s.Dim == size.Dim && (s.Of == OfThread && size.Of == GroupThread || s.Of == OfGroup && size.Of == GridGroups)
}

// SharedName begins the names of what threads of a group read alike.
const SharedName = "shared"

// taken reports whether machines have a name apart from those of the program.
func taken(n string) bool {
	for _, p := range quantities {
		if rest, ok := strings.CutPrefix(n, p); ok && p != "" && len(rest) <= 1 {
			return true
		}
	}
	numbered := func(prefix string) bool {
		rest, ok := strings.CutPrefix(n, prefix)
		return ok && rest != "" && strings.Trim(rest, "0123456789") == ""
	}
	return numbered("h") || numbered(heldName) || numbered(SharedName)
}
