package check

import (
	"fmt"
	"slices"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
)

// foreignNames are names of other languages, and what they are here.
var foreignNames = map[string]string{
	"INTEGER": "ℤ (INT)", "Integer": "ℤ (INT)", "Int": "ℤ (INT)", "int": "ℤ (INT)", "Z": "ℤ (INT)",
	"NATURAL": "ℕ (NAT)", "Natural": "ℕ (NAT)", "Nat": "ℕ (NAT)", "nat": "ℕ (NAT)", "NATURAL1": "ℕ1 (NAT1)",
	"Bool": "BOOL", "BOOLEAN": "BOOL", "Boolean": "BOOL", "boolean": "BOOL", "True": "TRUE", "False": "FALSE",
	"SUBSET": "ℙ (POW)", "emptyset": "∅ ({})", "EMPTY": "∅ ({})", "Cardinality": "card", "size": "card", "domain": "dom", "range": "ran",
}

// meant says what the author of an undeclared name may have had in mind, or "".
func (k *component) meant(s *symbols, name string) string {
	if own, ok := foreignNames[name]; ok {
		return "write " + own
	}
	var known []string
	for scope := s; scope != nil; scope = scope.parent {
		for _, symbol := range scope.order {
			known = append(known, symbol.name)
		}
	}
	if hint := diag.DidYouMean(name, known); hint != "" {
		return hint
	}
	for _, context := range k.named(lang.ContextKind) {
		if src := k.sources[source{lang.ContextKind, context}]; src != k.src && declares(src, name) {
			if is := func(n lang.Name) bool { return n.Text == context }; slices.ContainsFunc(k.src.Sees, is) || slices.ContainsFunc(k.src.Extends, is) {
				return fmt.Sprintf("correct its declaration in context %s first", context)
			}
			clause := [...]string{lang.ContextKind: "extends", lang.MachineKind: "sees"}[k.src.Kind]
			return fmt.Sprintf("context %s declares it: add %s %[1]s", context, clause)
		}
	}
	return ""
}

func declares(src *lang.Component, name string) bool {
	is := func(n lang.Name) bool { return n.Text == name }
	return slices.ContainsFunc(src.Sets, is) || slices.ContainsFunc(src.Constants, is) || slices.ContainsFunc(src.Variables, is)
}

// named lists the components of a kind.
// others lists the names of the other components of a kind: none refines or extends itself.
func (k *component) others(kind lang.Kind) []string {
	return slices.DeleteFunc(k.named(kind), func(name string) bool { return kind == k.src.Kind && name == k.src.Name.Text })
}

func (c *checker) named(kind lang.Kind) []string {
	var names []string
	for id := range c.sources {
		if id.kind == kind {
			names = append(names, id.name)
		}
	}
	slices.Sort(names)
	return names
}
