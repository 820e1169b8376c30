package merge

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/edit"
	"github.com/gradine/gradine/review"
)

// version is one of the three texts that are joined, with the identifiers in it.
type version struct {
	src   []byte
	file  *lang.File
	words []word
}

// word is one occurrence of an identifier, without its prime.
type word struct {
	event    string // "machine/event" where it stands in one
	name     string
	from, to int
	formula  string // in which it stands; "" where it is declared
	element  string // of which the formula or, of Rodin's files, the declaration is; "" if it has no name
}

// follow gives the common ancestor and one side the new names that the other side gave to
// identifiers, so that a new name is no change of a formula, and a formula with the old name means
// what it meant. A name is followed where nothing can be taken for something else: a side gave it
// up everywhere, the other side still declares it, and neither that one nor the common ancestor
// has the new name. It returns the texts, and for people what changes of one side follow.
func follow(all [3]version, spell func(name string) string) (out [3][]byte, followed []string) {
	matches := [2]review.Texts{review.MatchTexts(all[0].file, all[1].file), review.MatchTexts(all[0].file, all[2].file)}
	var edits [3][]edit.Edit
	for side, m := range matches {
		this, other := side+1, 2-side
		for _, r := range m.Renames {
			scopes, known := [3]string{r.Event}, true
			for i := range matches {
				at, ok := matches[i].Event(r.Event)
				scopes[i+1], known = at, known && ok
			}
			// The side must have given up the old name, and the new one must have been free.
			if !known || all[this].has(scopes[this], r.From) || all[0].has(r.Event, r.To) {
				continue
			}
			// If both sides made the same rename, only the common ancestor has to follow.
			alike := slices.Contains(matches[1-side].Renames, r) && !all[other].has(scopes[other], r.From)
			if !alike && (all[other].has(scopes[other], r.To) || !all[other].declares(scopes[other], r.From)) {
				continue
			}
			if !alike || side == 0 {
				edits[0] = append(edits[0], all[0].renamed(r.Event, r.From, spell(r.To))...)
			}
			if !alike {
				edits[other] = append(edits[other], all[other].renamed(scopes[other], r.From, spell(r.To))...)
				if all[other].saysNew(all[0], scopes[other], r) {
					followed = append(followed, fmt.Sprintf("%s as %s", r.From, r.To))
				}
			}
		}
	}
	// Edits that do not fit together cost the following of names alone: the texts are merged as they are.
	for i := range all {
		text, err := edit.Apply(all[i].src, edits[i]...)
		if err != nil {
			return [3][]byte{all[0].src, all[1].src, all[2].src}, nil
		}
		out[i] = text
	}
	return out, followed
}

// reused are the identifiers that a side gave another name and declares all the same, because it
// gave the old name to something else, where the other side says something new with that name: it would come to speak of
// something else, and no text says it of the old one.
func reused(all [3]version) (out []string) {
	for side := 1; side <= 2; side++ {
		for _, w := range all[0].words {
			r := review.Rename{Event: w.event, From: w.name}
			if w.formula != "" || !all[side].declares(w.event, w.name) || !all[0].gaveAway(all[side], w) {
				continue
			}
			if said := w.name; all[3-side].saysNew(all[0], w.event, r) && !slices.Contains(out, said) {
				out = append(out, said)
			}
		}
	}
	return out
}

// gaveAway reports whether what w declares has another name on a side: its declaration says so, or each formula with it
// that the side still has changed, one of them in that name alone.
func (v version) gaveAway(side version, w word) bool {
	if w.element != "" {
		return slices.ContainsFunc(side.words, func(x word) bool { return x.formula == "" && x.element == w.element && x.name != w.name })
	}
	gone := false
	for _, was := range v.in(w.event, w.name) {
		at := slices.IndexFunc(side.words, func(x word) bool { return x.formula != "" && was.element != "" && x.element == was.element })
		switch {
		case was.formula == "" || at < 0:
		case side.words[at].formula == was.formula:
			return false
		default:
			gone = gone || instead(was.formula, side.words[at].formula, w.name)
		}
	}
	return gone
}

// instead reports whether two formulas differ in identifiers alone, and the second has another one, always the same,
// where the first has name.
func instead(was, is, name string) bool {
	a, b := lang.Tokens(was), lang.Tokens(is)
	if len(a) != len(b) {
		return false
	}
	other := ""
	for i := range a {
		x, y := was[a[i].From:a[i].To], is[b[i].From:b[i].To]
		switch {
		case a[i].Kind != b[i].Kind || a[i].Kind != lang.NameToken && x != y:
			return false
		case a[i].Kind != lang.NameToken || strings.TrimRight(x, "'") != name:
		case other != "" && other != strings.TrimRight(y, "'"):
			return false
		default:
			other = strings.TrimRight(y, "'")
		}
	}
	return other != "" && other != name
}

// clash is the result where names were reused: the whole texts stand between the markers, since no element says what is
// meant by them.
func clash(ours, theirs []byte, names []string) Result {
	r := Result{Text: []byte(marked(string(ours), string(theirs)))}
	for _, n := range names {
		r.Conflicts = append(r.Conflicts, fmt.Sprintf("identifier %s, which one side gave to something else", n))
	}
	return r
}

// in lists the occurrences of a name in an event, or everywhere.
func (v version) in(event, name string) (out []word) {
	for _, w := range v.words {
		if w.name == name && (event == "" || w.event == event) {
			out = append(out, w)
		}
	}
	return out
}

func (v version) has(event, name string) bool { return len(v.in(event, name)) > 0 }

func (v version) declares(event, name string) bool {
	return slices.ContainsFunc(v.in(event, name), func(w word) bool { return w.formula == "" })
}

// saysNew reports whether a formula with the old name stands here that the common ancestor has not.
func (v version) saysNew(base version, event string, r review.Rename) bool {
	old := base.in(r.Event, r.From)
	return slices.ContainsFunc(v.in(event, r.From), func(w word) bool {
		return !slices.ContainsFunc(old, func(o word) bool { return o.formula == w.formula })
	})
}

// renamed are the edits that give a name another one; primes stay.
func (v version) renamed(event, name, to string) (out []edit.Edit) {
	for _, w := range v.in(event, name) {
		out = append(out, edit.Edit{From: w.from, To: w.to, With: to})
	}
	return out
}

// identifiers are the occurrences of identifiers in a piece of text: of a formula, or of the
// declaration of a name.
func identifiers(text, event string, formula bool) (out []word) {
	for _, t := range lang.Tokens(text) {
		if t.Kind != lang.NameToken {
			continue
		}
		w := word{event: event, from: t.From, to: t.To}
		spelt := text[t.From:t.To]
		if stem := strings.TrimRight(spelt, "'"); stem != "" {
			w.to -= len(spelt) - len(stem)
			spelt = stem
		}
		w.name = spelt
		if len(spelt) > 2 && spelt[0] == '`' {
			w.name = strings.ReplaceAll(spelt[1:len(spelt)-1], "``", "`")
		}
		if formula {
			w.formula = text
		}
		out = append(out, w)
	}
	return out
}

// textVersion finds the identifiers of a text model.
func textVersion(src []byte, file *lang.File) version {
	v := version{src: src, file: file}
	add := func(event, element string, from, to int, formula bool) {
		for _, w := range identifiers(string(src[from:to]), event, formula) {
			w.from, w.to, w.element = w.from+from, w.to+from, element
			v.words = append(v.words, w)
		}
	}
	names := func(event string, list []lang.Name) {
		for _, n := range list {
			add(event, "", n.Span.From, n.Span.To, false)
		}
	}
	source := func(event, element string, s lang.Source) { add(event, element, s.Span.From, s.Span.To, true) }
	named := func(event, kind string, label lang.Name) string {
		if label.Absent || label.Text == "" {
			return ""
		}
		return event + " " + kind + label.Text
	}
	predicates := func(event string, list []*lang.Predicate) {
		for _, p := range list {
			source(event, named(event, "@", p.Label), p.Source)
		}
	}
	for _, c := range file.Components {
		names("", c.Sets)
		names("", c.Constants)
		names("", c.Variables)
		predicates("", c.Axioms)
		predicates("", c.Invariants)
		for _, x := range c.Variants {
			source("", "", x.Source)
		}
		for _, e := range c.Events {
			at := c.Name.Text + "/" + e.Label.Text
			names(at, e.Parameters)
			predicates(at, e.Guards)
			predicates(at, e.Witnesses)
			for _, w := range e.Witnesses { // its label is what it witnesses
				if span := w.Label.Span; !w.Label.Absent && !span.IsZero() {
					from := span.From + strings.Count(string(src[span.From:span.From+1]), "@")
					add(at, "", from, from+len(strings.TrimSuffix(string(src[from:span.To]), ":")), true)
				}
			}
			for _, a := range e.Actions {
				source(at, named(at, "!", a.Label), a.Source)
			}
		}
	}
	return v
}

// xmlVersion finds the identifiers of a file of Rodin's.
func xmlVersion(src []byte, file *lang.File) version {
	v := version{src: src, file: file}
	// A file that is not read as a model has no identifiers to follow, and is merged as text.
	if file == nil || len(file.Components) == 0 {
		return v
	}
	text := string(src)
	d := xml.NewDecoder(bytes.NewReader(src))
	event := ""
	for {
		t := tag{from: int(d.InputOffset())}
		token, err := d.Token()
		if err != nil {
			return v
		}
		switch token := token.(type) {
		case xml.EndElement:
			if token.Name.Local == core+"event" {
				event = ""
			}
		case xml.StartElement:
			t.to = int(d.InputOffset())
			t.find(text, token.Attr)
			kind := strings.TrimPrefix(token.Name.Local, core)
			if label, ok := t.attribute(core + "label").said(); ok && kind == "event" {
				event = file.Components[0].Name.Text + "/" + label
			}
			internal, _ := t.attribute("name").said()
			// Attributes with a name declare or use an identifier, and those with a formula may use several.
			for _, a := range t.attributes {
				switch name := strings.TrimPrefix(a.name, core); {
				case name == "identifier":
					v.attribute(event, event+"#"+internal, a, false)
				case name == "predicate" || name == "expression" || name == "assignment" || name == "label" && kind == "witness":
					v.attribute(event, "", a, true)
				}
			}
		}
	}
}

// attribute adds the identifiers in the value of an attribute.
func (v *version) attribute(event, element string, a attribute, formula bool) {
	text, at := unescaped(string(v.src[a.valueFrom:a.valueTo]))
	for _, w := range identifiers(text, event, formula) {
		w.from, w.to, w.element = a.valueFrom+at[w.from], a.valueFrom+at[w.to], element
		v.words = append(v.words, w)
	}
}

// unescaped is the value of an attribute, and where each byte of it begins in the file; its end, too.
func unescaped(raw string) (text string, at []int) {
	var out strings.Builder
	for i := 0; i < len(raw); {
		n := 1
		if end := strings.IndexByte(raw[i:], ';'); raw[i] == '&' && end > 0 {
			n = end + 1
		}
		before := out.Len()
		out.WriteString(html.UnescapeString(raw[i : i+n]))
		for range out.Len() - before {
			at = append(at, i)
		}
		i += n
	}
	return out.String(), append(at, len(raw))
}
