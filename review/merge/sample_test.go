package merge

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// sample is a machine of which every entry has a number that stays what it is whatever the
// entry is called, and another one that is what it says.
type sample struct {
	name   string
	inv    []sampleEntry
	events []sampleEvent
}

type sampleEntry struct {
	label     string
	internal  string // in Rodin's files
	id, value int
}

// sampleEvent is known by the number of its first guard.
type sampleEvent struct {
	label, internal string
	comment         string
	guards          []sampleEntry
	half            int // number of the event of which this is a half
}

func (e sampleEvent) id() int { return e.guards[0].id }

func (s sample) clone() sample {
	s.inv = slices.Clone(s.inv)
	s.events = slices.Clone(s.events)
	for i := range s.events {
		s.events[i].guards = slices.Clone(s.events[i].guards)
	}
	return s
}

// sampleOf makes a sample of at most so many entries of each kind.
func sampleOf(rnd *rand.Rand, most int, fresh *int) sample {
	next := func() int { *fresh++; return *fresh }
	s := sample{name: "m"}
	for i := range 2 + rnd.IntN(most) {
		s.inv = append(s.inv, sampleEntry{fmt.Sprint("i", i), fmt.Sprint("i", i), next(), 9000})
	}
	for i := range 2 + rnd.IntN(most) {
		e := sampleEvent{label: fmt.Sprint("event", i), internal: fmt.Sprint("e", i)}
		for k := range 2 + rnd.IntN(most) {
			e.guards = append(e.guards, sampleEntry{fmt.Sprint("g", k), fmt.Sprint("g", k), next(), 9000})
		}
		s.events = append(s.events, e)
	}
	return s
}

func (s sample) text() string {
	var out strings.Builder
	fmt.Fprintf(&out, "machine %s\nvariables x\ninvariants\n    @type x ∈ ℤ\n", s.name)
	for _, e := range s.inv {
		fmt.Fprintf(&out, "    @%s x + %d ≤ %d\n", e.label, e.id, e.value)
	}
	out.WriteString("events\n    event INITIALISATION\n        then\n            @begin x ≔ 0\n    end\n")
	for _, e := range s.events {
		out.WriteByte('\n')
		if e.comment != "" {
			fmt.Fprintf(&out, "    // %s\n", e.comment)
		}
		fmt.Fprintf(&out, "    event %s\n        where\n", e.label)
		for _, g := range e.guards {
			fmt.Fprintf(&out, "            @%s x + %d ≤ %d\n", g.label, g.id, g.value)
		}
		out.WriteString("    end\n")
	}
	return out.String() + "end\n"
}

func (s sample) xml() string {
	var out strings.Builder
	entry := func(kind string, e sampleEntry) {
		fmt.Fprintf(&out, "<%s%s name=\"%s\" %slabel=\"%s\" %spredicate=\"x + %d ≤ %d\"/>\n", core, kind, e.internal, core, e.label, core, e.id, e.value)
	}
	fmt.Fprintf(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<%smachineFile version=\"5\">\n", core)
	fmt.Fprintf(&out, "<%srefinesMachine name=\"r\" %starget=\"abs\"/>\n<%sseesContext name=\"s\" %starget=\"ctx\"/>\n", core, core, core, core)
	fmt.Fprintf(&out, "<%svariable name=\"x\" %sidentifier=\"x\"/>\n<%sinvariant name=\"type\" %slabel=\"type\" %spredicate=\"x ∈ ℤ\"/>\n", core, core, core, core, core)
	for _, e := range s.inv {
		entry("invariant", e)
	}
	fmt.Fprintf(&out, "<%sevent name=\"init\" %sconvergence=\"0\" %sextended=\"false\" %slabel=\"INITIALISATION\">\n<%saction name=\"a\" %sassignment=\"x ≔ 0\" %slabel=\"begin\"/>\n</%sevent>\n", core, core, core, core, core, core, core, core)
	for _, e := range s.events {
		comment := ""
		if e.comment != "" {
			comment = fmt.Sprintf(" %scomment=\"%s\"", core, e.comment)
		}
		fmt.Fprintf(&out, "<%sevent name=\"%s\"%s %sconvergence=\"0\" %sextended=\"false\" %slabel=\"%s\">\n", core, e.internal, comment, core, core, core, e.label)
		fmt.Fprintf(&out, "<%srefinesEvent name=\"r\" %starget=\"any\"/>\n", core, core)
		for _, g := range e.guards {
			entry("guard", g)
		}
		fmt.Fprintf(&out, "</%sevent>\n", core)
	}
	return out.String() + "</" + core + "machineFile>\n"
}

// vary makes so many edits. New elements of Rodin's get the same next internal name on both sides.
func (s sample) vary(rnd *rand.Rand, side string, edits int, fresh *int) sample {
	s = s.clone()
	next := func() int { *fresh++; return *fresh }
	for range edits {
		list := &s.inv
		if len(s.events) > 0 && rnd.IntN(2) == 0 {
			list = &s.events[rnd.IntN(len(s.events))].guards
		}
		first := 0
		if list != &s.inv {
			first = 1 // the first guard stands for the event
		}
		i := first
		if len(*list) > first {
			i = first + rnd.IntN(len(*list)-first)
		}
		e := rnd.IntN(max(len(s.events), 1))
		switch rnd.IntN(12) {
		case 0, 1:
			if i < len(*list) {
				(*list)[i].value = next()
			}
		case 2:
			if i < len(*list) {
				(*list)[i].label = fmt.Sprint("r", side, next())
			}
		case 3:
			if i < len(*list) {
				*list = slices.Delete(*list, i, i+1)
			}
		case 4:
			n := next()
			*list = slices.Insert(*list, i, sampleEntry{fmt.Sprint("n", side, n), internalName("n", *list), n, 9000})
		case 5:
			if len(s.events) > 0 {
				s.events[e].label = fmt.Sprint("e", side, next())
			}
		case 6:
			// One half that is left would only be the event under another name.
			if len(s.events) > 1 && s.events[e].half == 0 {
				s.events = slices.Delete(s.events, e, e+1)
			}
		case 7:
			if len(s.events) > 1 {
				moved := s.events[e]
				s.events = slices.Delete(s.events, e, e+1)
				s.events = slices.Insert(s.events, rnd.IntN(len(s.events)+1), moved)
			}
		case 8:
			n := next()
			added := sampleEvent{label: fmt.Sprint("e", side, n), internal: s.internalName(), guards: []sampleEntry{{"g0", "g0", n, 9000}, {"g", "g1", next(), 9000}}}
			s.events = slices.Insert(s.events, e, added)
		case 9:
			if len(s.events) > 0 && s.events[e].half == 0 && len(s.events[e].guards) > 2 {
				s = s.split(e, next)
			}
		case 10: // two labels are exchanged
			if k := first + rnd.IntN(max(len(*list)-first, 1)); i < len(*list) && k < len(*list) {
				(*list)[i].label, (*list)[k].label = (*list)[k].label, (*list)[i].label
			}
		case 11:
			if len(s.events) > 0 {
				s.events[e].comment = fmt.Sprint("about ", next())
			}
		}
	}
	return s
}

func internalName(name string, list []sampleEntry) string {
	for slices.ContainsFunc(list, func(e sampleEntry) bool { return e.internal == name }) {
		name += "'"
	}
	return name
}

func (s sample) internalName() string {
	name := "new"
	for slices.ContainsFunc(s.events, func(e sampleEvent) bool { return e.internal == name }) {
		name += "'"
	}
	return name
}

// split makes two events of one, each with a guard of its own.
func (s sample) split(e int, next func() int) sample {
	was := s.events[e]
	var halves []sampleEvent
	for i := range 2 {
		h := was
		h.half = was.id()
		h.label = fmt.Sprint(was.label, "_", i+1)
		h.guards = slices.Clone(was.guards)
		if i > 0 {
			h.internal = s.internalName()
		}
		h.guards = slices.Insert(h.guards, 0, sampleEntry{"half", internalName("half", h.guards), next(), 9000})
		halves = append(halves, h)
	}
	s.events = slices.Replace(s.events, e, e+1, halves...)
	return s
}

// syntax is what a sample says, by the numbers of its elements and not by their names: i/ID of an
// invariant, e/ID of an event, g/EVENT/ID of a guard.
type syntax map[string]string

func (s sample) syntax() syntax {
	out := syntax{}
	for _, x := range s.inv {
		out[fmt.Sprint("i/", x.id)] = fmt.Sprint(x.label, " ", x.value)
	}
	for _, e := range s.events {
		out[fmt.Sprint("e/", e.id())] = e.label
		for _, g := range e.guards {
			out[fmt.Sprint("g/", e.id(), "/", g.id)] = fmt.Sprint(g.label, " ", g.value)
		}
	}
	return out
}

// readSyntax reads what a text says; twice names what stands in it twice.
func readSyntax(text string) (out syntax, twice string) {
	out = syntax{}
	number := regexp.MustCompile(`x \+ (\d+) (?:≤|&le;) (\d+)`)
	name := regexp.MustCompile(`(?:event |<org\.eventb\.core\.event .*label=")([A-Za-z_0-9]+)`)
	label := regexp.MustCompile(`(?:@|label=")([A-Za-z_0-9]+)`)
	event, id := "", ""
	put := func(key, value string) {
		if _, had := out[key]; had {
			twice = key
		}
		out[key] = value
	}
	for line := range strings.Lines(text) {
		if m := name.FindStringSubmatch(line); m != nil && !strings.HasPrefix(strings.TrimSpace(line), "//") {
			event, id = m[1], ""
		}
		m := number.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		value := label.FindStringSubmatch(line)[1] + " " + m[2]
		if event == "" {
			put("i/"+m[1], value)
			continue
		}
		if id == "" {
			id = m[1]
			put("e/"+id, event)
		}
		put("g/"+id+"/"+m[1], value)
	}
	return out, twice
}

// mergeSyntax is the merge of what samples say, written apart from the package: by number, so that
// no name has to be recognised. It says why there is none.
func mergeSyntax(base, ours, theirs sample) (out syntax, conflict string) {
	b, o, t := base.syntax(), ours.syntax(), theirs.syntax()
	out = syntax{}
	for key := range union(b, o, t) {
		was, is, other := b[key], o[key], t[key]
		switch {
		case is == other || other == was:
		case is == was:
			is = other
		default:
			return nil, "both decided about " + key
		}
		if is != "" {
			out[key] = is
		}
	}
	names := map[string]bool{}
	for key, value := range out {
		parts := strings.Split(key, "/")
		at := parts[0]
		if at == "g" {
			if out["e/"+parts[1]] == "" {
				return nil, key + " stands in an event that is gone"
			}
			at += parts[1]
		}
		at += " " + strings.Fields(value)[0]
		if names[at] {
			return nil, "two elements are called " + at
		}
		names[at] = true
	}
	for i, side := range []sample{ours, theirs} {
		other := []syntax{t, o}[i]
		for _, e := range side.events {
			if e.half != 0 && changedEvent(b, other, e.half) {
				return nil, fmt.Sprint("an event that is two elsewhere changed: ", e.half)
			}
		}
	}
	return out, ""
}

// changedEvent reports whether a side did something to an event.
func changedEvent(base, side syntax, id int) bool {
	of := func(s syntax) syntax {
		out := syntax{}
		for key, value := range s {
			if key == fmt.Sprint("e/", id) || strings.HasPrefix(key, fmt.Sprint("g/", id, "/")) {
				out[key] = value
			}
		}
		return out
	}
	was, is := of(base), of(side)
	for key := range union(was, is) {
		if was[key] != is[key] {
			return true
		}
	}
	return false
}

func union[M ~map[string]string](all ...M) map[string]bool {
	out := map[string]bool{}
	for _, m := range all {
		for k := range m {
			out[k] = true
		}
	}
	return out
}
