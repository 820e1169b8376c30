package recheck

// replace rebuilds t with leaf(u, level) in place of each u for which that is not nil, where
// level is the number of variables bound between u and the root.
func (s *store) replace(t *Term, leaf func(u *Term, level int) *Term) *Term {
	return s.replaceIn(t, 0, leaf, map[place]*Term{})
}

// replaceIn is t with its leaves replaced, level binders below where it began.
func (s *store) replaceIn(t *Term, level int, leaf func(*Term, int) *Term, done map[place]*Term) *Term {
	if u := leaf(t, level); u != nil {
		return u
	}
	if len(t.args) == 0 {
		return t
	}
	if u := done[place{t, level}]; u != nil {
		return u
	}
	u := *t
	u.args, u.open = nil, 0
	for _, a := range t.args {
		u.args = append(u.args, s.replaceIn(a, level+len(t.decls), leaf, done))
	}
	done[place{t, level}] = s.intern(u)
	return done[place{t, level}]
}

// instantiate puts closed values for the variables of a binder in its argument body, of
// which these are all that it does not bind itself.
func (s *store) instantiate(body *Term, values []*Term) *Term {
	n := len(values)
	return s.replace(body, func(u *Term, level int) *Term {
		switch i := u.index - level; {
		case u.open <= level:
			return u
		case u.op != "bound":
			return nil
		case i >= n: // bound further out, where the binder that goes is one fewer
			return s.bound(u.index-n, u.typ)
		default:
			value := values[n-1-i]
			need(value.typ == u.typ, "value of another type than the variable")
			return value
		}
	})
}

// quantify returns op over variables of the given types of the formula that body makes of
// them. The variables are constants that no certificate can name, until the end.
func (s *store) quantify(op string, types []*Type, body func(vars []*Term) *Term) *Term {
	marks := make([]*Term, len(types))
	number := map[*Term]int{}
	for i, t := range types {
		s.marks++
		marks[i] = s.intern(Term{op: "mark", typ: t, index: s.marks})
		number[marks[i]] = i
	}
	bound := s.replace(body(marks), func(u *Term, level int) *Term {
		if i, ok := number[u]; ok {
			return s.bound(level+len(types)-1-i, u.typ)
		}
		if u.op == "bound" && u.index >= level {
			return s.bound(u.index+len(types), u.typ)
		}
		return nil
	})
	return s.binder(op, 0, types, bound)
}
