package kernel

import "github.com/gradine/gradine/logic"

var (
	byName   = map[string]*Schema{}
	memberOf = map[logic.Op]*Schema{}
)

func init() {
	for _, s := range axioms {
		if byName[s.Name] != nil {
			panic("kernel: two schemata called " + s.Name)
		}
		byName[s.Name] = s
		if s.Op != logic.Invalid && memberOf[s.Op] == nil {
			memberOf[s.Op] = s
		}
	}
}

// Axioms returns the axiom table. The caller must not change it.
func Axioms() []*Schema { return axioms }

// Lookup returns the axiom schema or certified lemma called name, or nil.
func Lookup(name string) *Schema { return byName[name] }

// Membership returns the schema that says when x∈S, for a term S of op, or nil.
func Membership(op logic.Op) *Schema { return memberOf[op] }

// Lemma reports whether s is a lemma.
func (s *Schema) Lemma() bool { return false }
