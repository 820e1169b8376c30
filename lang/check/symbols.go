package check

import (
	"path"
	"strings"

	"github.com/gradine/gradine/diag"

	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
)

type symbolKind uint8

const (
	carrierSet symbolKind = iota
	constant
	variable
	parameter
)

// symbol is a declared identifier.
type symbol struct {
	name   string
	kind   symbolKind
	typ    logic.Type // NoType until some formula types it
	at     place      // its declaration, or the clause that imports it
	typed  diag.Span  // the formula that types it
	from   string     // the component or abstract event it was imported from; "" if own
	clause int        // 1 + the index of the clause that includes its context; 0 otherwise
	origin model.Origin

	settled bool // in a later conflict it wins, and is only warned about
	faulty  bool // it must not be used

	abstract, concrete bool // of a variable: declared by the refined machine, by this one
}

// symbols is a scope of identifiers.
type symbols struct {
	parent *symbols
	byName map[string]*symbol
	byLook map[string]*symbol // by looks; of several the first
	order  []*symbol
}

func newSymbols(parent *symbols) *symbols {
	return &symbols{parent: parent, byName: map[string]*symbol{}, byLook: map[string]*symbol{}}
}

func (s *symbols) find(name string) *symbol {
	for ; s != nil; s = s.parent {
		if x := s.byName[name]; x != nil {
			return x
		}
	}
	return nil
}

func (s *symbols) put(x *symbol) {
	s.byName[x.name] = x
	if look := looks(x.name); s.byLook[look] == nil {
		s.byLook[look] = x
	}
	s.order = append(s.order, x)
}

// lookup gives the types of identifiers to the inference.
func (s *symbols) lookup(name string) (logic.Type, bool) {
	if x := s.find(name); x != nil && x.typ != logic.NoType {
		return x.typ, true
	}
	return logic.NoType, false
}

// declare puts x into s. If its name is taken, it is reported and false
// returned; what has the name already becomes faulty, unless it is settled.
func (k *component) declare(s *symbols, x *symbol) bool {
	old := s.find(x.name)
	if old == nil {
		if other := s.double(x); other != nil && x.from == "" {
			k.found.lookAlike(x.at, x.name, other.name, other.at)
		}
		s.put(x)
		return true
	}
	k.found.nameConflict(x, old.at)
	x.faulty = true
	if !old.faulty {
		k.found.nameConflict(old, x.at)
		k.found.follows(true)
		old.faulty = !old.settled
	}
	return false
}

// identifier reports whether n is fit to be declared.
func (k *component) identifier(name lang.Name, at place) bool {
	switch {
	case name.Absent:
		k.found.identifierUndef(at)
	case name.Reserved:
		return true // reported, and a name in the formulas of its file
	case !isIdentifier(strings.TrimSpace(name.Text), false):
		k.found.invalidIdentifier(at, name.Text)
	case strings.TrimSpace(name.Text) != name.Text:
		k.found.identifierSpaces(at, name.Text)
	default:
		return true
	}
	return false
}

// isIdentifier reports whether name is one identifier; primed ones are allowed if prime is set.
func isIdentifier(name string, prime bool) bool {
	f, _ := lang.ParseExpression(name, lang.Stored)
	return f != nil && f.Op == logic.Free && f.Name == name && (prime || unprimed(name) == name)
}

type labelKind uint8

const (
	axiomLabel labelKind = iota
	invariantLabel
	variantLabel
	eventLabel
	guardLabel
	actionLabel
	witnessLabel
)

// label is a label in use.
type label struct {
	text            string
	kind            labelKind
	at              place
	settled, faulty bool
}

// labels are the labels in use, by their texts and, behind drawn, by what they look like.
type labels map[string]*label

const drawn = "\x00"

// label enters n into used. It returns nil, and reports why, if there is no
// label or if it is taken.
func (k *component) label(used labels, kind labelKind, name lang.Name, at place) *label {
	switch {
	case name.Absent:
		k.found.labelUndef(at, kind)
		return nil
	case strings.TrimSpace(name.Text) == "":
		k.found.emptyLabel(at)
		return nil
	}
	l := &label{text: name.Text, kind: kind, at: at}
	old := used[name.Text]
	if old == nil {
		used[name.Text] = l
		if other := used[drawn+looks(l.text)]; other != nil {
			k.found.lookAlike(at, l.text, other.text, other.at)
		} else {
			used[drawn+looks(l.text)] = l
		}
		return l
	}
	k.found.labelConflict(l, old.at)
	if !old.faulty {
		k.found.labelConflict(old, at)
		k.found.follows(true)
		old.faulty = !old.settled
	}
	return nil
}

// numbered are the names given to elements without label.
var numbered = [...]string{axiomLabel: "axm", invariantLabel: "inv", guardLabel: "grd", actionLabel: "act"}

// labelNames returns the labels of n elements. In text files elements may have none;
// there they are numbered, by position, around the labels that are given.
func (k *component) labelNames(kind labelKind, used labels, n int, given func(int) lang.Name) []lang.Name {
	names := make([]lang.Name, n)
	for i := range names {
		names[i] = given(i)
	}
	if k.inRodin() || numbered[kind] == "" {
		return names
	}
	return lang.Numbered(numbered[kind], names, func(name string) bool { return used[name] != nil })
}

// inRodin reports whether the component stands in a file of Rodin, where
// attributes may be missing.
func (k *component) inRodin() bool {
	ext := path.Ext(k.src.Span.File)
	return ext == ".buc" || ext == ".bum"
}

func unprimed(name string) string {
	if n := len(name); n > 1 && name[n-1] == '\'' {
		return name[:n-1]
	}
	return name
}

// place is where a problem is: a range of the source and a model element.
type place struct {
	span    diag.Span
	element string
}
