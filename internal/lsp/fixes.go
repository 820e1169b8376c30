package lsp

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/lsp/names"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/edit"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/project"
)

// fixer makes the actions for one document.
type fixer struct {
	server  *server
	home    *home
	snap    *snapshot
	path    string
	src     *source
	file    *lang.File
	answers []*answer
	out     []protocol.CodeAction
}

// offer adds an action that replaces a part of the text. It means a change of the tree, nil
// if that is not known, since the text has syntax errors: then there are fewer afterwards.
func (f *fixer) offer(d *protocol.Diagnostic, title string, from, to int, with string, mean func(*lang.File)) (offered bool) {
	action := protocol.CodeAction{Title: title, Kind: "refactor"}
	if d != nil {
		action.Kind, action.Diagnostics = "quickfix", []protocol.Diagnostic{*d}
	}
	changed := f.src.text[:from] + with + f.src.text[to:]
	// Words in a comment, or a text that is no longer read, are not what a title promises.
	if !project.IsText(f.path) {
		return false
	}
	if before, after := []byte(f.src.text), []byte(changed); mean == nil && !edit.Mends(f.path, before, after) ||
		mean != nil && edit.Check(f.path, before, after, mean) != nil {
		return false
	}
	action.Edit = f.server.editOf(f.snap, map[string]string{f.path: changed})
	if len(action.Edit.DocumentChanges) > 0 {
		action.Edit.DocumentChanges[0].Edits = []protocol.TextEdit{{Range: f.src.span(from, to), NewText: with}}
	}
	f.out = append(f.out, action)
	return true
}

var meant = regexp.MustCompile("did you mean `([^`]+)`")

// fix offers what mends a problem of the text.
func (f *fixer) fix(d protocol.Diagnostic) {
	from, to := f.src.offset(d.Range.Start), f.src.offset(d.Range.End)
	component, event := names.ComponentAt(f.file, from)
	// What the checker guesses is in its message alone.
	if m := meant.FindStringSubmatch(d.Message); m != nil {
		var mean func(*lang.File)
		if !strings.HasPrefix(d.Code, "GR00") { // not a word of the grammar, but a name
			mean = edit.Rename(map[int]string{from: m[1]})
		}
		f.offer(&d, "Replace with "+m[1], from, to, quoted(m[1]), mean)
	}
	word := unquoted(f.src.text[from:to])
	// The codes are those of docs/language.md, which never change their meaning.
	switch d.Code {
	case "GR0010":
		f.parentheses(&d, from)
	case "GR0026", "GR0116":
		f.offer(&d, "Quote the name", from, to, "`"+word+"`", nil)
	case "GR0110", "GR0220":
		f.offerDeclarations(&d, component, event, strings.TrimSuffix(meantBy(d.Message, word), "'"))
	case "GR0185":
		f.initialise(&d, component)
	case "GR0205":
		for _, v := range component.Variables {
			if strings.Contains(d.Message, "`"+v.Text+"`") && event != nil {
				f.addTo(&d, "Initialise "+v.Text, component, event, "then", f.initial(component, v.Text))
			}
		}
	case "GR0231":
		if event != nil {
			for _, name := range f.snap.unwitnessed(component, event) {
				f.addTo(&d, "Add a witness for "+name, component, event, "with", f.witness(component, event, name))
			}
		}
	case "GR0186":
		for _, above := range f.snap.abstract(component) {
			if strings.Contains(d.Message, above.Label.Text) {
				f.extend(&d, component, above.Label.Text)
			}
		}
	}
}

// meantBy is the name that a message is about, the last before its advice: what it stands
// at may be an event that inherits the name.
func meantBy(message, word string) string {
	says, _, _ := strings.Cut(message, "; ")
	if all := quotedNames.FindAllStringSubmatch(says, -1); len(all) > 0 {
		return all[len(all)-1][1]
	}
	return word
}

var quotedNames = regexp.MustCompile("`([^`]+)`")

// parentheses offers the two ways that the message shows.
func (f *fixer) parentheses(d *protocol.Diagnostic, at int) {
	_, help, found := strings.Cut(d.Message, "; write ")
	if !found {
		return
	}
	bare := func(text string) string {
		return strings.NewReplacer("(", "", ")", "", " ", "", "\n", "").Replace(text)
	}
	for i := range len(help) {
		rest, ok := strings.CutPrefix(help[i:], " or ")
		if !ok || bare(help[:i]) != bare(rest) {
			continue
		}
		tokens := lang.Tokens(f.src.text)
		// The message shows the formula in canonical spacing: the same tokens around the place are
		// what it replaces.
		for a := range tokens {
			for b := a; b < len(tokens) && tokens[b].From-tokens[a].From < 2*len(help); b++ {
				from, to := tokens[a].From, tokens[b].To
				if from <= at && at < to && bare(f.src.text[from:to]) == bare(rest) {
					for _, way := range []string{help[:i], rest} {
						f.offer(d, "Write "+way, from, to, way, nil)
					}
					return
				}
			}
		}
	}
}

// offerDeclarations offers to declare a name that the component lacks, the innermost scope first.
func (f *fixer) offerDeclarations(d *protocol.Diagnostic, component *lang.Component, event *lang.Event, name string) {
	if component == nil || name == "" {
		return
	}
	// What has to be a variable is no parameter: that is said of what is assigned or inherited.
	if event != nil && event.Label.Text != lang.Initialisation && !strings.Contains(d.Message, "not a variable") {
		f.addName(d, "Declare "+name+" as a parameter of "+event.Label.Text, event.Clauses, "any", event.Label.Span.To, name, "        any ",
			f.first(component, event, func(_ *lang.Component, e *lang.Event) *[]lang.Name { return &e.Parameters }, name))
	}
	if component.Kind == lang.MachineKind {
		f.addName(d, "Declare "+name+" as a variable", component.Clauses, "variables", f.headEnd(component), name, "variables ",
			f.first(component, nil, func(c *lang.Component, _ *lang.Event) *[]lang.Name { return &c.Variables }, name))
	} else {
		f.addName(d, "Declare "+name+" as a constant", component.Clauses, "constants", f.headEnd(component), name, "constants ",
			f.first(component, nil, func(c *lang.Component, _ *lang.Event) *[]lang.Name { return &c.Constants }, name))
	}
}

// within means a change of a component of the document, or of an event of it.
func (f *fixer) within(component *lang.Component, event *lang.Event, change func(*lang.Component, *lang.Event)) func(*lang.File) {
	i, k := slices.Index(f.file.Components, component), slices.Index(component.Events, event)
	return func(file *lang.File) {
		c, e := file.Components[i], (*lang.Event)(nil)
		if k >= 0 {
			e = c.Events[k]
		}
		change(c, e)
	}
}

// first means a name in front of those of a list.
func (f *fixer) first(component *lang.Component, event *lang.Event, list func(*lang.Component, *lang.Event) *[]lang.Name, name string) func(*lang.File) {
	return f.within(component, event, func(c *lang.Component, e *lang.Event) {
		names := list(c, e)
		*names = slices.Insert(*names, 0, lang.Name{Text: name})
	})
}

// eventOf is what the text of an event says by itself.
func eventOf(text string) *lang.Event {
	var problems diag.List
	file := lang.Parse("event", []byte("machine m\nevents\n"+text+"\nend\n"), &problems)
	if len(file.Components) != 1 || len(file.Components[0].Events) != 1 || problems.HasErrors() {
		return &lang.Event{} // which no text says
	}
	return file.Components[0].Events[0]
}

// headEnd is where the clauses that say what a component builds on end.
func (f *fixer) headEnd(component *lang.Component) int {
	at := component.Name.Span.To
	for _, list := range [][]lang.Name{component.Refines, component.Sees, component.Extends} {
		for _, name := range list {
			at = max(at, name.Span.To)
		}
	}
	return at
}

// addName adds a name behind the keyword of a clause, or a clause at a place.
func (f *fixer) addName(d *protocol.Diagnostic, title string, clauses []lang.Clause, keyword string, at int, name, clause string, mean func(*lang.File)) {
	for _, c := range clauses {
		if c.Keyword == keyword {
			// Between the keyword and the first name, on whose side a comment may stand.
			first := c.Span.To + len(f.src.text[c.Span.To:])
			for _, tok := range lang.Tokens(f.src.text) {
				if tok.Kind == lang.NameToken && tok.From >= c.Span.To {
					first = min(first, tok.From)
				}
			}
			if !f.offer(d, title, c.Span.To, c.Span.To, " "+quoted(name), mean) {
				f.offer(d, title, first, first, quoted(name)+" ", mean)
			}
			return
		}
	}
	e := edit.After([]byte(f.src.text), f.file, at, clause+quoted(name))
	f.offer(d, title, e.From, e.To, e.With, mean)
}

// addTo adds an element to a clause of an event.
func (f *fixer) addTo(d *protocol.Diagnostic, title string, component *lang.Component, event *lang.Event, keyword, element string) {
	order := []string{"any", "where", "with", "then", "end"}
	added := eventOf("event e\n" + keyword + "\n" + element + "\nend")
	mean := f.within(component, event, func(_ *lang.Component, e *lang.Event) {
		e.Witnesses = append(added.Witnesses, e.Witnesses...)
		e.Actions = append(added.Actions, e.Actions...)
	})
	for _, c := range event.Clauses {
		if c.Keyword == keyword {
			e := edit.After([]byte(f.src.text), f.file, c.Span.To, "            "+element)
			f.offer(d, title, e.From, e.To, e.With, mean)
			return
		}
	}
	// The clause is new: it stands before the first that must come behind it.
	for _, c := range event.Clauses {
		if slices.Index(order, c.Keyword) > slices.Index(order, keyword) {
			f.offer(d, title, c.Span.From, c.Span.From, keyword+"\n            "+element+"\n        ", mean)
			return
		}
	}
}

// initialise offers an INITIALISATION that gives each variable some value of its type. It becomes the first event; a machine
// without events gets the clause, before its end.
func (f *fixer) initialise(d *protocol.Diagnostic, component *lang.Component) {
	out := "    event INITIALISATION\n        then\n"
	for _, v := range component.Variables {
		out += "            " + f.initial(component, v.Text) + "\n"
	}
	out += "    end\n\n"
	added := eventOf(out)
	at := -1
	for _, c := range component.Clauses {
		if c.Keyword == "end" && at < 0 {
			at, out = c.Span.From, "events\n"+strings.TrimSuffix(out, "\n")
		}
	}
	if len(component.Events) > 0 {
		at = f.src.lines[f.src.position(component.Events[0].Span.From).Line]
		out = strings.TrimPrefix(strings.TrimSuffix(out, "\n")+"\n", "events\n")
	}
	if at >= 0 {
		f.offer(d, "Add an INITIALISATION", at, at, out, f.within(component, nil, func(c *lang.Component, _ *lang.Event) {
			c.Events = slices.Insert(c.Events, 0, added)
		}))
	}
}

// initial is an action that gives a variable a value of its type.
func (f *fixer) initial(component *lang.Component, name string) string {
	label := "@init_" + name
	if !isWord(name) {
		label = "@`init_" + name + "`"
	}
	_, opened := f.snap.file(f.path)
	if machine := opened.Dev.Machine(component.Name.Text); machine != nil {
		for _, v := range machine.Variables {
			if v.Name != name {
				continue
			}
			bank := opened.Dev.Bank
			typ := bank.Type(v.Term)
			switch {
			case typ == logic.IntType:
				return fmt.Sprintf("%s %s ≔ 0", label, quoted(name))
			case typ == logic.BoolType:
				return fmt.Sprintf("%s %s ≔ FALSE", label, quoted(name))
			case strings.HasPrefix(text.Type(bank, typ), "ℙ"):
				return fmt.Sprintf("%s %s ≔ ∅", label, quoted(name))
			}
			return fmt.Sprintf("%s %s :∈ %s", label, quoted(name), text.Type(bank, typ))
		}
	}
	return fmt.Sprintf("%s %s ≔ 0", label, quoted(name))
}

// witness is one of the same type as what it is for, where the event has a parameter of
// it.
func (f *fixer) witness(component *lang.Component, event *lang.Event, name string) string {
	_, opened := f.snap.file(f.path)
	machine := opened.Dev.Machine(component.Name.Text)
	if machine == nil || machine.Event(event.Label.Text) == nil {
		return fmt.Sprintf("@%s ⊤", quoted(name))
	}
	concrete, bank := machine.Event(event.Label.Text), opened.Dev.Bank
	for _, above := range concrete.Refines {
		for _, p := range above.Parameters {
			for _, own := range concrete.Parameters {
				if p.Name == name && bank.Type(p.Term) == bank.Type(own.Term) {
					return fmt.Sprintf("@%s %s = %s", quoted(name), quoted(name), quoted(own.Name))
				}
			}
		}
	}
	return fmt.Sprintf("@%s ⊤", quoted(name))
}

// extend offers an event that extends one of the refined machine.
func (f *fixer) extend(d *protocol.Diagnostic, component *lang.Component, label string) {
	text := fmt.Sprintf("\n    event %s extends %s\n    end\n", quoted(label), quoted(label))
	added := eventOf(text)
	for _, c := range component.Clauses {
		if c.Keyword == "end" {
			f.offer(d, "Extend "+label, c.Span.From, c.Span.From, text, f.within(component, nil, func(c *lang.Component, _ *lang.Event) {
				c.Events = append(c.Events, added)
			}))
		}
	}
}

// refactor offers what can be done at a place where nothing is wrong: to delete a name that nothing uses, and, at the machine
// that a machine refines, to add the events that it lacks.
func (f *fixer) refactor(at int) {
	component, _ := names.ComponentAt(f.file, at)
	if component == nil {
		return
	}
	if o := f.snap.names().Find(f.path, at); o != nil && o.Declares && (o.To.Kind == names.Variable || o.To.Kind == names.Constant || o.To.Kind == names.Parameter) {
		if len(f.snap.names().Occurrences(o.To)) == 1 {
			from := o.Span.From
			for from > 0 && strings.ContainsRune(" \t", rune(f.src.text[from-1])) {
				from--
			}
			f.offer(nil, "Delete the unused "+o.To.Name, from, o.Span.To, "", edit.Delete(from, o.Span.To))
		}
	}
	if !slices.ContainsFunc(component.Refines, func(n lang.Name) bool { return n.Span.From <= at && at <= n.Span.To }) {
		return
	}
	for _, above := range f.snap.abstract(component) {
		label := above.Label.Text
		if !slices.ContainsFunc(component.Events, func(e *lang.Event) bool {
			return e.Label.Text == label || slices.ContainsFunc(e.Refines, func(n lang.Name) bool { return n.Text == label })
		}) {
			f.extend(nil, component, label)
		}
	}
}
