package review

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Setting is one value of the configuration.
type Setting struct {
	Key   string // "machine.timing.deadlock_free"
	Value string
}

// ConfigurationName is the project that the changes of the configuration are
// listed under.
const ConfigurationName = "gradine.toml"

// Settings reviews the configuration: which settings are new, changed or gone, and
// which of that is a loss. What only has the new names that models of the reviews have is neither.
func Settings(before, now []Setting, models []*Review) *Review {
	r := &Review{Project: ConfigurationName}
	names := namesOf(models)
	old := make([]Setting, len(before))
	for i, s := range before {
		old[i] = names.setting(s, before, now)
	}
	fair := func(claim, event string) (level int) {
		for i, part := range fairness {
			if list, _ := find(old, claim+"."+part); slices.Contains(items(list), event) {
				level = i + 1
			}
		}
		return level
	}
	// What is gone comes before what is new, in the order of each file.
	for i, s := range old {
		value, there := find(now, s.Key)
		if there {
			r.renamedTable(before[i].Key, s.Key)
		}
		switch {
		case !there:
			r.setting(Removed, before[i].Key, before[i].Value, "", fair)
		case value != s.Value:
			r.setting(Changed, s.Key, s.Value, value, fair)
		}
	}
	for _, s := range now {
		if _, there := find(old, s.Key); !there {
			r.setting(Added, s.Key, "", s.Value, fair)
		}
	}
	r.smallerInstances(old, now)
	// An exploration that is gone is one claim.
	r.Claims = slices.DeleteFunc(r.Claims, func(c Claim) bool {
		parts := keyParts(c.Element.Component)
		return parts[0] == "explore" && len(parts) > 2 && parts[2] != "machine" && c.Now == nil && valueOf(now, joinKey([]string{"explore", parts[1], "machine"})) == ""
	})
	// What a claim rests on that is new as a whole takes nothing from what was claimed.
	r.Claims = slices.DeleteFunc(r.Claims, func(c Claim) bool {
		claim, part := leadsToOf(c.Element.Component)
		return part != "" && !slices.ContainsFunc(old, func(s Setting) bool { return strings.HasPrefix(s.Key, claim+".") })
	})
	return r
}

// find is the value of a key, and whether there is one.
func find(list []Setting, key string) (string, bool) {
	i := slices.IndexFunc(list, func(s Setting) bool { return s.Key == key })
	if i < 0 {
		return "", false
	}
	return list[i].Value, true
}

// valueOf is the value of a key, "" if there is none.
func valueOf(list []Setting, key string) string {
	value, _ := find(list, key)
	return value
}

// renamedTable enters the table of a machine that has a new name, once.
func (r *Review) renamedTable(old, now string) {
	table := func(key string) string { return joinKey(keyParts(key)[:2]) }
	if !strings.HasPrefix(old, "machine.") || table(old) == table(now) {
		return
	}
	change := &Change{What: Renamed,
		Old: &Element{Kind: "setting", Component: table(old), File: ConfigurationName},
		New: &Element{Kind: "setting", Component: table(now), File: ConfigurationName}}
	if !slices.ContainsFunc(r.Changes, func(c *Change) bool { return c.What == Renamed && c.Old.Component == change.Old.Component }) {
		r.Changes = append(r.Changes, change)
	}
}

// spelling are the names of now by those of before.
type spelling struct {
	models                            []*Review // that it was made of
	projects, components, identifiers map[string]string
	files                             [][2]string                  // in which a component was, and is
	labels                            map[string]map[string]string // of events and formulas, by the component of before
}

// namesOf collects what has another name now.
func namesOf(models []*Review) spelling {
	n := spelling{models: models, projects: map[string]string{}, components: map[string]string{}, identifiers: map[string]string{}, labels: map[string]map[string]string{}}
	for _, r := range models {
		if r.Was != "" {
			n.projects[r.Was] = r.Project
		}
		for _, c := range r.Changes {
			if c.Old == nil || c.New == nil {
				continue
			}
			if c.What == Moved && c.Old.File != c.New.File {
				n.files = append(n.files, [2]string{c.Old.File, c.New.File})
			}
			switch was, is := c.Old, c.New; {
			case was.Label == "":
				n.components[was.Component] = is.Component
			case was.Label == is.Label || was.Event != "":
			case slices.Contains([]string{"variable", "constant", "set"}, was.Kind):
				n.identifiers[was.Label] = is.Label
			default:
				if n.labels[was.Component] == nil {
					n.labels[was.Component] = map[string]string{}
				}
				n.labels[was.Component][was.Label] = is.Label
			}
		}
	}
	maps.DeleteFunc(n.components, func(was, is string) bool { return was == is })
	return n
}

// of is a name of now.
func of(names map[string]string, name string) string {
	if to, ok := names[name]; ok {
		return to
	}
	return name
}

// within are the names of what one project has, for several may have machines of one name.
func (n spelling) within(project string) spelling {
	return namesOf(slices.DeleteFunc(slices.Clone(n.models), func(r *Review) bool { return cmp.Or(r.Was, r.Project) != project }))
}

// waiver is a waiver of before with the names of now.
func (n spelling) waiver(w Waiver) Waiver {
	if w.Project == ConfigurationName {
		w.Element = n.setting(Setting{Key: w.Element}, nil, nil).Key
		return w
	}
	w.Element = n.within(w.Project).element(w.Element)
	w.Project = of(n.projects, w.Project)
	return w
}

// word is a name in a formula.
var word = regexp.MustCompile(`[\pL_][\pL\pN_]*`)

// formula is a formula with the names of now.
func (n spelling) formula(text string) string {
	return word.ReplaceAllStringFunc(text, func(name string) string { return of(n.identifiers, name) })
}

// list is a list of events with their names of now.
func (n spelling) list(machine, text string) string {
	all := items(text)
	for i, event := range all {
		all[i] = of(n.labels[machine], event)
	}
	return strings.Join(all, ", ")
}

// setting is a setting of before with the names of now.
func (n spelling) setting(s Setting, before, now []Setting) Setting {
	// Each kind of setting has its names at other places: in the key, in the value, or in both.
	parts := keyParts(s.Key)
	last := len(parts) - 1
	switch {
	case parts[0] == "expect":
		s.Key = parts[0] + "." + n.path(strings.TrimPrefix(s.Key, "expect."))
		return s
	case last < 2:
		return s
	case parts[0] == "project":
		parts[1] = of(n.projects, parts[1])
		if parts[last] == "sources" {
			s.Value = n.sources(s.Value, now)
		}
	case parts[0] == "machine":
		s.Value = n.ofMachine(parts[1], parts[2], parts[last], s.Value)
		parts[1] = of(n.components, parts[1])
	case parts[0] == "tune":
		machine := valueOf(before, joinKey([]string{"tune", parts[1], "machine"}))
		switch parts[2] {
		case "machine":
			s.Value = of(n.components, s.Value)
		case "theorem":
			s.Value = of(n.labels[machine], s.Value)
		case "project":
			s.Value = of(n.projects, s.Value)
		case "criterion", "order":
		default:
			s.Value = n.formula(s.Value)
		}
	}
	if parts[0] == "explore" {
		s.Value = n.ofExploration(parts, s.Value, before)
	}
	// The last part of these keys is an identifier of the model.
	if last > 2 && slices.Contains([]string{"constants", "carriers", "bounds", "search"}, parts[last-1]) {
		parts[last] = of(n.identifiers, parts[last])
	}
	s.Key = joinKey(parts)
	return s
}

// sources are the files and folders of a project that its components are in now.
func (n spelling) sources(text string, now []Setting) string {
	all := items(text)
	for i, source := range all {
		if slices.ContainsFunc(now, func(s Setting) bool {
			return strings.HasSuffix(s.Key, ".sources") && slices.Contains(items(s.Value), source)
		}) {
			continue // what has left it has not taken it along
		}
		for _, moved := range n.files {
			at := strings.Index("/"+moved[0]+"/", "/"+source+"/")
			if at < 0 {
				continue
			}
			above, below := moved[0][:at], moved[0][at+len(source):]
			if now, ok := strings.CutPrefix(moved[1], above); ok && strings.HasSuffix(now, below) {
				all[i] = strings.TrimSuffix(now, below)
				break
			}
		}
	}
	return strings.Join(all, ", ")
}

// ofMachine is the value of a setting of a machine with the names of now.
func (n spelling) ofMachine(machine, kind, part, value string) string {
	switch {
	case slices.Contains([]string{"environment", "enabled", "helpful", "fair", "strongly_fair"}, part):
		return n.list(machine, value)
	case kind == "carriers" || part == "name" || part == "through": // names that nothing else knows
		return value
	}
	return n.formula(value)
}

// ofExploration is the value of a setting of an exploration with the names of now.
func (n spelling) ofExploration(parts []string, value string, before []Setting) string {
	switch parts[2] {
	case "machine":
		return of(n.components, value)
	case "project":
		return of(n.projects, value)
	case "constants":
		return n.formula(value)
	case "finds":
		machine := valueOf(before, joinKey([]string{"explore", parts[1], "machine"}))
		all := items(value)
		for i, what := range all {
			kind, label, _ := strings.Cut(what, " ")
			if label == "" {
				continue
			}
			if inherited, own, ok := strings.Cut(label, "/"); ok { // an invariant of another machine
				label = of(n.components, inherited) + "/" + of(n.labels[inherited], own)
			} else {
				label = of(n.labels[machine], label)
			}
			all[i] = kind + " " + label
		}
		return strings.Join(all, ", ")
	}
	return value
}

// path is the path of an obligation, PROJECT/COMPONENT/…, with the names of now.
func (n spelling) path(text string) string {
	project, element, found := strings.Cut(text, "/")
	if !found {
		return text
	}
	return of(n.projects, project) + "/" + n.within(project).element(element)
}

// element is the path of what a component has, COMPONENT/EVENT/…, with the names of now.
func (n spelling) element(path string) string {
	parts := strings.Split(path, "/")
	labels := n.labels[parts[0]]
	parts[0] = of(n.components, parts[0])
	for i := 1; i < len(parts); i++ {
		parts[i] = of(n.identifiers, of(labels, parts[i])) // v/EQL is named by a variable
	}
	return strings.Join(parts, "/")
}

// fairness are the parts of a claim that assume runs to be fair to events, the one that assumes
// more of them last: runs that are strongly fair to an event are weakly fair to it, too.
var fairness = []string{"fair", "strongly_fair"}

// keyParts are the names of a key: machine."a.b".ends has three.
func keyParts(key string) (parts []string) {
	for {
		if quoted, err := strconv.QuotedPrefix(key); err == nil {
			name, _ := strconv.Unquote(quoted)
			parts = append(parts, name)
			key = key[len(quoted):]
			if key == "" {
				return parts
			}
			key = strings.TrimPrefix(key, ".")
			continue
		}
		name, rest, more := strings.Cut(key, ".")
		parts = append(parts, name)
		if !more {
			return parts
		}
		key = rest
	}
}

// joinKey is the key of names.
func joinKey(parts []string) string {
	parts = slices.Clone(parts)
	for i, name := range parts {
		if strings.ContainsAny(name, `."`) {
			parts[i] = strconv.Quote(name)
		}
	}
	return strings.Join(parts, ".")
}

// leadsToOf takes the key of a part of a claim that states lead to others apart; part is
// empty for other settings.
func leadsToOf(key string) (claim, part string) {
	i := strings.LastIndexByte(key, '.')
	if i < 0 || !strings.HasPrefix(key, "machine.") || !strings.Contains(key[:i], ".leads_to.") {
		return "", ""
	}
	return key[:i], key[i+1:]
}

// setting enters one setting that is not as it was. fair says how fair an event had to be in a
// claim: an index of fairness from 1, or 0.
func (r *Review) setting(what What, key, was, is string, fair func(claim, event string) int) {
	change := &Change{What: what}
	if what != Added {
		change.Old = &Element{Kind: "setting", Component: key, Text: was, File: ConfigurationName}
	}
	if what != Removed {
		change.New = &Element{Kind: "setting", Component: key, Text: is, File: ConfigurationName}
	}
	if what == Changed {
		change.Diff = []Piece{{'-', was}, {'+', is}}
	}
	r.Changes = append(r.Changes, change)
	if loss := lossOfSetting(what, key, was, is, fair); loss != "" {
		text := map[What]string{Added: "is new: " + is, Removed: "is removed; it was " + was, Changed: "was " + was + ", and is " + is}[what]
		r.Claims = append(r.Claims, claimAbout(loss, "setting "+key+" "+text, change))
	}
}

// lossOfSetting says which loss a change of the configuration is. Set-ups for
// exploring and instances for tuning that are new promise more, not less; a list
// that grew has lost nothing.
func lossOfSetting(what What, key, was, is string, fair func(claim, event string) int) Loss {
	parts := keyParts(key)
	if claim, part := leadsToOf(key); part != "" {
		return lossOfClaim(what, part, is, func(event string) int { return fair(claim, event) })
	}
	switch last := parts[len(parts)-1]; {
	case parts[0] == "expect":
		if what != Removed {
			return Assumed
		}
	case parts[0] == "waiver": // told by itself
	case parts[0] == "explore":
		return lossOfExploration(what, parts, was, is)
	case shrinks(what, parts, was, is):
		return Smaller
	case last == "environment": // these events need not terminate
		if !within(is, was) {
			return Assumed
		}
	case last == "terminal": // where the machine may stop: no deadlock
		if what != Removed {
			return Assumed
		}
	case what == Added:
	case parts[0] == "project" && last == "steps": // what it no longer finds shows in the obligations
	case last == "sources" || last == "enabled" || parts[0] == "tune" && last == "instances":
		if !within(was, is) {
			return Dropped
		}
	case parts[0] == "project" || parts[0] == "tune" || last == "deadlock_free":
		return Dropped
	}
	return ""
}

// lossOfExploration is lossOfSetting for an exploration. What it counts is compared with the machine by
// gradine verify, so that another number is no loss; that its instance is smaller, smallerInstances finds.
func lossOfExploration(what What, parts []string, was, is string) Loss {
	switch last := parts[2]; {
	case last == "verdict" && what == Changed && is == "counterexample", last == "verdict" && what == Added && is == "counterexample":
		return Assumed
	case last == "finds" && what == Changed && !within(is, was):
		return Assumed
	case last == "machine" && what != Added, last == "project" && what == Changed, (last == "states" || last == "transitions") && what == Removed:
		return Dropped
	}
	return ""
}

// smallerInstances finds the explorations of which a carrier set or a constant is smaller than before, whether
// their own table says so or that of their machine.
func (r *Review) smallerInstances(old, now []Setting) {
	for _, s := range now {
		parts := keyParts(s.Key)
		was := valueOf(old, s.Key)
		if len(parts) != 3 || parts[0] != "explore" || parts[2] != "machine" || was != s.Value {
			continue
		}
		before, after := instanceOf(old, parts[1], was), instanceOf(now, parts[1], s.Value)
		for _, x := range before {
			is, there := find(after, x.Key)
			key := joinKey([]string{"explore", parts[1]}) + "." + x.Key
			if !there {
				is = "left out"
			} else if !shrinks(Changed, append([]string{"machine", s.Value}, keyParts(x.Key)...), x.Value, is) {
				continue
			}
			// A shrunk table of the machine is a claim of its own; this one names the exploration.
			change := &Change{What: Changed, Old: &Element{Kind: "setting", Component: key, Text: x.Value, File: ConfigurationName}, New: &Element{Kind: "setting", Component: key, Text: is, File: ConfigurationName}}
			r.Claims = append(r.Claims, claimAbout(Smaller, fmt.Sprintf("exploration %s: %s was %s, and is %s", parts[1], x.Key, x.Value, is), change))
		}
	}
}

// instanceOf lists what makes the machine of an exploration finite: carriers.S and constants.n, where its
// own table goes before that of the machine.
func instanceOf(settings []Setting, name, machine string) (out []Setting) {
	for _, table := range [][]string{{"explore", name}, {"machine", machine}} {
		for _, kind := range []string{"carriers", "constants"} {
			prefix := joinKey(append(slices.Clone(table), kind)) + "."
			for _, s := range settings {
				rest, ok := strings.CutPrefix(s.Key, prefix)
				if _, there := find(out, kind+"."+rest); ok && !there {
					out = append(out, Setting{kind + "." + rest, s.Value})
				}
			}
		}
	}
	return out
}

// shrinks reports whether a finite instance has fewer states to explore: a smaller set, a
// constant with a smaller value or with one that cannot be compared, closer bounds.
func shrinks(what What, parts []string, was, is string) bool {
	if len(parts) != 4 || parts[0] != "machine" {
		return false
	}
	number := func(text string) (int, bool) {
		n, err := strconv.Atoi(text)
		return n, err == nil
	}
	size := func(text string) int {
		if n, ok := number(text); ok {
			return n
		}
		return len(items(text))
	}
	switch parts[2] {
	case "carriers":
		return what == Changed && size(is) < size(was)
	case "constants":
		a, plain := number(was)
		// A constant without a number on either side may stand for fewer states, so it counts as smaller.
		b, also := number(is)
		return what == Changed && (!plain || !also || b < a)
	case "bounds":
		if what != Changed {
			return what == Added
		}
		// A greater lower bound or a smaller upper bound leaves fewer states.
		a, b := items(was), items(is)
		for i := range min(len(a), len(b)) {
			x, _ := number(a[i])
			y, _ := number(b[i])
			if i == 0 && y > x || i == 1 && y < x {
				return true
			}
		}
	}
	return false
}

// lossOfClaim is lossOfSetting for a part of a claim that states lead to others. How it is
// proved is its author's business; that it is gone shows in its obligations.
func lossOfClaim(what What, part, is string, fair func(event string) int) Loss {
	level := slices.Index(fairness, part) + 1
	switch {
	case level > 0:
		if what != Removed && slices.ContainsFunc(items(is), func(event string) bool { return fair(event) < level }) {
			return Assumed
		}
	case part == "any" && what == Added, what == Changed && (part == "any" || part == "from" || part == "to"):
		return Weakened
	}
	return ""
}

// within reports whether all items of one list are in another.
func within(list, other string) bool {
	return !slices.ContainsFunc(items(list), func(x string) bool { return !slices.Contains(items(other), x) })
}

// items takes a list apart as config.Settings writes it: items are texts, or tables in braces.
func items(list string) []string {
	switch {
	case list == "":
		return nil
	case strings.HasPrefix(list, "{ "):
		return strings.Split(strings.TrimSuffix(strings.TrimPrefix(list, "{ "), " }"), " }, { ")
	}
	return strings.Split(list, ", ")
}
