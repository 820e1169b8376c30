package names

// Scope holds the names that can be used at a place; those of the outer scopes can, too.
type Scope struct {
	outer []*Scope // in a text with errors, one may be outside of itself
	names map[string]*Entity
	order []*Entity

	complete bool     // outer is
	chain    []*Scope // once it is: the scope itself and all outside of it, each once
}

func newScope(outer ...*Scope) *Scope { return &Scope{outer: outer, names: map[string]*Entity{}} }

// add declares e, which hides an earlier one of its name.
func (s *Scope) add(e *Entity) {
	s.names[e.Name] = e
	s.order = append(s.order, e)
}

// all returns s and everything outside of it, the innermost first.
func (s *Scope) all() []*Scope {
	if s == nil {
		return nil
	}
	if s.chain != nil {
		return s.chain
	}
	var out []*Scope
	seen := map[*Scope]bool{}
	var visit func(s *Scope)
	visit = func(s *Scope) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		out = append(out, s)
		for _, outer := range s.outer {
			visit(outer)
		}
	}
	visit(s)
	if s.complete {
		s.chain = out
	}
	return out
}

// Find returns what a name stands for, nil if nothing.
func (s *Scope) Find(name string) *Entity {
	for _, x := range s.all() {
		if e := x.names[name]; e != nil {
			return e
		}
	}
	return nil
}

// List returns everything that can be used, the innermost first, each name once.
func (s *Scope) List() (out []*Entity) {
	seen := map[string]bool{}
	for _, x := range s.all() {
		for _, e := range x.order {
			if !seen[e.Name] {
				seen[e.Name] = true
				out = append(out, e)
			}
		}
	}
	return out
}
