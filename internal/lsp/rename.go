package lsp

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/internal/lsp/names"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/edit"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/lang/scenario"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
)

// A name is changed wherever it stands for the same thing: through the chain of
// refinements, in hints, in gradine.toml, in proofs.lock and in the certificates of
// proofs.certs. What comes out is checked before it is handed over: every obligation must
// still be the same but for the name, so that each keeps its proof, and the kernel accepts
// each certificate under the new name. Otherwise, as where the new name is in use, nothing
// changes.

type renameParams struct {
	protocol.PositionParams
	NewName string `json:"newName"`
}

type prepared struct {
	Range       protocol.Range `json:"range"`
	Placeholder string         `json:"placeholder"`
}

func (s *server) prepareRename(ctx context.Context, params *protocol.PositionParams) (*prepared, error) {
	_, snap, o := s.find(ctx, params)
	if o == nil || o.To.Name == lang.Initialisation {
		return nil, nil
	}
	return &prepared{snap.rangeOf(o.Span), o.To.Name}, nil
}

// rename answers textDocument/rename, or refuses with the reason. It writes nothing that means something else
// afterwards.
func (s *server) rename(ctx context.Context, params *renameParams) (*protocol.WorkspaceEdit, error) {
	h, snap, o := s.find(ctx, &params.PositionParams)
	switch {
	case o == nil:
		return nil, refusal("there is no name here")
	case o.To.Name == lang.Initialisation:
		return nil, refusal("INITIALISATION is called so in every machine")
	case snap.failed != nil:
		return nil, refusal("%v", snap.failed)
	}
	name := unquoted(params.NewName)
	if name == "" || strings.ContainsAny(name, "\n\r\t`@") || strings.HasSuffix(name, "'") {
		return nil, refusal("%q cannot be a name", params.NewName)
	}
	// A project with errors may have places of the name that were not found.
	for _, opened := range snap.projects {
		if opened.Problems.HasErrors() {
			return nil, refusal("project %s has errors; correct them first, so that all places of %s are known", opened.Name, o.To.Name)
		}
	}
	for _, place := range snap.names().Occurrences(o.To) {
		if !project.IsText(place.Span.File) && !project.IsScenario(place.Span.File) {
			return nil, refusal("%s is defined in %s, which is not Event-B text; rename it there", o.To.Name, place.Span.File)
		}
	}
	r := &renaming{snap: snap, of: o.To.Root(), old: o.To.Name, now: name, texts: map[string]string{}}
	if err := r.sources(); err != nil {
		return nil, refusal("%s cannot be renamed to %s: %v", r.old, r.now, err)
	}
	if err := r.hints(); err != nil {
		return nil, refusal("%s cannot be renamed to %s: %v", r.old, r.now, err)
	}
	after, err := r.check(ctx, s, h)
	if err != nil {
		return nil, err
	}
	if err := r.proofs(after); err != nil {
		return nil, refusal("%v", err)
	}
	return s.editOf(snap, r.texts), nil
}

func unquoted(name string) string {
	if len(name) > 2 && name[0] == '`' && name[len(name)-1] == '`' {
		return strings.ReplaceAll(name[1:len(name)-1], "``", "`")
	}
	return name
}

// editOf is the edit that gives files new texts.
func (s *server) editOf(snap *snapshot, texts map[string]string) *protocol.WorkspaceEdit {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := &protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentEdit{}}
	for _, path := range slices.Sorted(maps.Keys(texts)) {
		id := protocol.VersionedID{URI: uriOf(path)}
		if doc := s.docs[filepath.FromSlash(path)]; doc != nil {
			version := snap.versions[path]
			id = protocol.VersionedID{URI: doc.uri, Version: &version}
		}
		if _, err := os.Stat(filepath.FromSlash(path)); err != nil && id.Version == nil && s.create {
			out.DocumentChanges = append(out.DocumentChanges, protocol.DocumentEdit{Kind: "create", URI: id.URI})
		}
		old := snap.textOf(path)
		if edits := lineByLine(newSource(old), newSource(texts[path])); len(edits) > 0 {
			out.DocumentChanges = append(out.DocumentChanges, protocol.DocumentEdit{TextDocument: &id, Edits: edits})
		}
	}
	return out
}

// lineByLine are the edits between texts: line by line if they have as many lines, or
// else of the lines between the first that differs and the last.
func lineByLine(from, to *source) (out []protocol.TextEdit) {
	if len(from.lines) == len(to.lines) {
		for i := range from.lines {
			old, now := from.text[from.lines[i]:from.lineEnd(i)], to.text[to.lines[i]:to.lineEnd(i)]
			if old != now {
				out = append(out, protocol.TextEdit{Range: from.span(from.lines[i], from.lineEnd(i)), NewText: now})
			}
		}
		return out
	}
	// An edit should touch what differs alone: markers and folds of the other lines stay.
	at, most := 0, min(len(from.lines), len(to.lines))-1
	for at < most && from.text[:from.lines[at+1]] == to.text[:to.lines[at+1]] {
		at++
	}
	a, b := len(from.lines), len(to.lines) // behind what differs
	line := func(s *source, i int) string { return s.text[s.lines[i]:s.lineEnd(i)] }
	for a > at+1 && b > at+1 && line(from, a-1) == line(to, b-1) {
		a, b = a-1, b-1
	}
	start := func(s *source, i int) int { return append(s.lines[i:len(s.lines):len(s.lines)], len(s.text))[0] }
	return []protocol.TextEdit{{Range: from.span(from.lines[at], start(from, a)), NewText: to.text[to.lines[at]:start(to, b)]}}
}

// textOf is the text of any file: a source, or a file next to the sources.
func (x *snapshot) textOf(path string) string {
	if text, ok := x.texts[filepath.FromSlash(path)]; ok {
		return string(text)
	}
	if src := x.source(path); src.text != "" {
		return src.text
	}
	text, _ := readFile(path) // no file, no text
	return text
}

func readFile(path string) (string, error) {
	data, err := door.File(filepath.FromSlash(path))
	return string(data), err
}

// renaming is one change of a name.
type renaming struct {
	snap     *snapshot
	of       *names.Entity // the first declaration
	old, now string
	texts    map[string]string // new texts, by path
	expects  string            // the project that the present table of gradine.toml names
}

// spliced replaces places of a text, which stand in order.
func spliced(text string, places []diag.Span, with func(old string) string) string {
	var out strings.Builder
	at := 0
	for _, span := range places {
		out.WriteString(text[at:span.From])
		out.WriteString(with(text[span.From:span.To]))
		at = span.To
	}
	out.WriteString(text[at:])
	return out.String()
}

// spelled is a place of the old name with the new one, the signs of a label and a prime
// kept.
func (r *renaming) spelled(old string) string {
	before, after := "", ""
	if strings.HasPrefix(old, "@") {
		before = "@"
	}
	if strings.HasSuffix(old, ":") {
		after = ":"
	}
	if strings.HasSuffix(old, "'") {
		after = "'"
	}
	name := r.now
	if !r.of.Kind.Labelled() {
		name = quoted(name)
	} else if strings.ContainsAny(name, " `:@") {
		name = "`" + name + "`"
	}
	return before + name + after
}

// inScenario is a place of the old name in a scenario with the new one: as a word of a line, or within a formula.
func (r *renaming) inScenario(string) string {
	switch r.of.Kind {
	case names.Machine, names.Event, names.Invariant:
		return scenario.Name(r.now)
	}
	return lang.Identifier(r.now)
}

// sources rewrites the models and scenarios, and reads each again: nothing but the name may differ.
func (r *renaming) sources() error {
	places := map[string][]diag.Span{}
	for _, o := range r.snap.names().Occurrences(r.of) {
		places[o.Span.File] = append(places[o.Span.File], o.Span)
	}
	for path, list := range places {
		before, at := r.snap.source(path).text, map[int]string{}
		for _, span := range list {
			at[span.From] = r.now
		}
		if project.IsScenario(path) {
			r.texts[path] = spliced(before, list, r.inScenario)
			continue // that names and types are in order is checked with the project
		}
		r.texts[path] = spliced(before, list, r.spelled)
		if err := edit.Check(path, []byte(before), []byte(r.texts[path]), edit.Rename(at)); err != nil {
			return err
		}
	}
	return nil
}

// check opens the project with the new texts, and wants it to be the same but for the
// name.
func (r *renaming) check(ctx context.Context, s *server, h *home) (*snapshot, error) {
	// gradine.toml first: what it says of machines by name is part of what must stay the same.
	if config := r.snap.projects[0].Config; config != nil {
		path := filepath.ToSlash(filepath.Join(config.Dir, "gradine.toml"))
		r.config(path, r.snap.textOf(path))
	}
	after := s.with(ctx, h, r.texts)
	// Problems first: two declarations of one name say more than what fails on account of them.
	for _, opened := range after.projects {
		for _, d := range opened.Problems.Sorted() {
			if d.Severity == diag.Error {
				return nil, refusal("%s cannot be renamed to %s: %s", r.old, r.now, d.Message)
			}
		}
	}
	if after.failed != nil {
		return nil, refusal("with the name %s: %v", r.now, after.failed)
	}
	if len(after.asked) != len(r.snap.asked) {
		return nil, refusal("%s cannot be renamed to %s, which would make %d obligations of %d", r.old, r.now, len(after.asked), len(r.snap.asked))
	}
	same := comparer{names: r.names()}
	for i, was := range r.snap.asked {
		if is := after.asked[i]; was.question != is.question && !same.same(was, is) {
			return nil, refusal("%s cannot be renamed to %s, which has a meaning already: %s would be another obligation", r.old, r.now, was.Path())
		}
	}
	return after, nil
}

// with is what is understood of the present texts of h with some of them changed.
func (s *server) with(ctx context.Context, h *home, texts map[string]string) *snapshot {
	opener := project.Opener{Context: ctx, Store: s.opts.Store}
	s.mu.Lock()
	opener.Texts = s.texts()
	s.mu.Unlock()
	for path, text := range texts {
		opener.Texts[filepath.FromSlash(path)] = []byte(text)
	}
	return takeContained(h.at, &opener, new(digests), nil)
}

// comparer tells whether obligations are the same but for the name. It remembers what it
// knows of banks: obligations come bank by bank.
type comparer struct {
	names    proofstore.Names
	old, new *logic.Bank
	was, is  *text.Fingerprinter
	renamer  *proofstore.Renamer
}

// same reports whether two obligations are the same but for the name, in all of their
// parts or in none.
func (c *comparer) same(was, is *asked) bool {
	s, t := was.Sequent(), is.Sequent()
	if was.Kind != is.Kind || len(s.Hyps) != len(t.Hyps) {
		return false
	}
	if c.old != s.Bank || c.new != t.Bank {
		bank := t.Bank.Extend()
		c.old, c.new, c.was, c.is = s.Bank, t.Bank, text.NewFingerprinter(s.Bank), text.NewFingerprinter(bank)
		c.renamer = proofstore.NewRenamer(bank, s.Bank, c.names, true)
	}
	kept, renamed := true, true
	after := append(slices.Clone(t.Hyps), t.Goal)
	for i, was := range append(slices.Clone(s.Hyps), s.Goal) {
		now := c.is.Term(after[i])
		kept = kept && c.was.Term(was) == now
		renamed = renamed && c.is.Term(c.renamer.Term(was)) == now
	}
	return kept || renamed
}

// proofs rewrites what is committed of the proofs.
func (r *renaming) proofs(after *snapshot) error {
	for _, opened := range r.snap.projects {
		var was, now []*po.Obligation
		for i, a := range r.snap.asked {
			if a.project == opened {
				was, now = append(was, a.Obligation), append(now, after.asked[i].Obligation)
			}
		}
		written, err := opened.RenamedProofs(r.names(), was, now)
		if err != nil {
			return err
		}
		for path, text := range written {
			r.texts[filepath.ToSlash(path)] = string(text)
		}
	}
	return nil
}

// names are the new names of identifiers.
func (r *renaming) names() proofstore.Names { return proofstore.Names{r.old: r.now} }

// config rewrites gradine.toml. Its strings are formulas, names and paths of obligations;
// which, their key says.
func (r *renaming) config(path, toml string) {
	var out strings.Builder
	section := []string{}
	key := ""
	lines := slices.Collect(strings.Lines(toml))
	for i, line := range lines {
		if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "[") && strings.HasSuffix(trimmed, "]") && !strings.Contains(trimmed, "=") {
			header := strings.Trim(trimmed, "[]")
			section = strings.Split(header, ".")
			r.expects = projectIn(lines[i+1:])
			if section[0] == "machine" && len(section) > 1 && r.of.Kind == names.Machine && strings.Trim(section[1], `"`) == r.old && r.ours(section) {
				line = strings.Replace(line, section[1], tomlKey(r.now), 1)
			}
			out.WriteString(line)
			continue
		}
		before, after, isPair := strings.Cut(line, "=")
		if name := strings.TrimSpace(before); isPair && isWord(name) {
			key = name
			if r.isKey(section, name) {
				before = strings.Replace(before, name, tomlKey(r.now), 1)
			}
			line = before + "=" + r.strings(section, key, after)
		} else {
			line = r.strings(section, key, line) // of a list that began further up
		}
		out.WriteString(line)
	}
	if out.String() != toml {
		r.texts[path] = out.String()
	}
}

// projectIn is the project that a table names, whose lines come first: what an expectation
// is about, another project may have as well.
func projectIn(lines []string) string {
	for _, line := range lines {
		if strings.HasPrefix(strings.TrimSpace(line), "[") {
			break
		}
		if key, value, ok := strings.Cut(line, "="); ok && strings.TrimSpace(key) == "project" {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}

func tomlKey(name string) string {
	if isWord(name) {
		return name
	}
	return fmt.Sprintf("%q", name)
}

// ours reports whether a section speaks of a machine of the project in which the name
// changes.
func (r *renaming) ours(section []string) bool {
	if len(section) < 2 {
		return false
	}
	opened, config := r.of.Project, r.snap.projects[0].Config
	switch name := strings.Trim(section[1], `"`); section[0] {
	case "machine":
		return opened.Dev.Machine(name) != nil
	case "tune":
		return config.Tune[name].Project == opened.Name || config.Tune[name].Project == "" && opened.Dev.Machine(config.Tune[name].Machine) != nil
	}
	return false
}

// isIdentifier reports whether formulas may hold the name.
func (r *renaming) isIdentifier() bool {
	return r.of.Kind == names.Set || r.of.Kind == names.Constant || r.of.Kind == names.Variable
}

// isKey reports whether a key is the old name.
func (r *renaming) isKey(section []string, key string) bool {
	if key != r.old || !r.isIdentifier() || !r.ours(section) || len(section) < 3 {
		return false
	}
	return slices.Contains([]string{"carriers", "constants", "bounds", "search"}, section[2]) || section[2] == "instances"
}

// strings rewrites the strings in the value of a key.
func (r *renaming) strings(section []string, key, value string) string {
	parts := strings.Split(value, `"`)
	for i := 1; i < len(parts); i += 2 {
		parts[i] = r.value(section, key, parts[i])
	}
	// Tables on one line have keys of their own.
	if r.isIdentifier() && r.ours(section) && (key == "instances" || key == "carriers" || key == "constants" || key == "bounds" || key == "search") {
		for i := 0; i < len(parts); i += 2 {
			parts[i] = r.words(parts[i])
		}
	}
	return strings.Join(parts, `"`)
}

// value is a value of gradine.toml under the new name. key is its key in a section.
func (r *renaming) value(section []string, key, value string) string {
	switch {
	case len(section) == 0:
		return value
	case section[0] == "expect" && key == "po":
		if r.expects == "" || r.expects == r.of.Project.Name {
			return r.path(value)
		}
	case !r.ours(section):
		return value
	case key == "machine":
		if r.of.Kind == names.Machine && value == r.old {
			return r.now
		}
	case key == "environment" || key == "enabled" || key == "helpful" || key == "fair" || key == "strongly_fair":
		if r.of.Kind == names.Event && value == r.old && strings.Trim(section[1], `"`) == r.of.Component.Name.Text {
			return r.now
		}
	case key == "theorem":
		if r.of.Kind.Labelled() && value == r.old {
			return r.now
		}
	case key == "project" || key == "criterion" || key == "name":
	case r.isIdentifier():
		return r.words(value)
	}
	return value
}

// words replaces the names of a formula.
func (r *renaming) words(formula string) string {
	var places []diag.Span
	for _, tok := range lang.Tokens(formula) {
		if tok.Kind == lang.NameToken && strings.TrimSuffix(unquoted(formula[tok.From:tok.To]), "'") == r.old {
			places = append(places, diag.Span{From: tok.From, To: tok.To})
		}
	}
	return spliced(formula, places, r.spelled)
}

// path replaces a part of the path of an obligation, perhaps behind that of its project.
func (r *renaming) path(path string) string {
	parts := strings.Split(path, "/")
	first := 0
	if len(parts) > 1 && parts[0] == r.of.Project.Name && r.of.Project.Dev.Machine(parts[0]) == nil && r.of.Project.Dev.Context(parts[0]) == nil {
		first = 1
	}
	dev := r.of.Project.Dev
	if !strings.Contains(parts[first], "*") && dev.Machine(parts[first]) == nil && dev.Context(parts[first]) == nil || r.another(strings.Join(parts[first:], "/")) {
		return path
	}
	switch r.of.Kind {
	case names.Machine, names.Context:
		if parts[first] == r.old {
			parts[first] = r.now
		}
	case names.Event:
		if len(parts) > first+1 && parts[first+1] == r.old && (parts[first] == r.of.Component.Name.Text || strings.Contains(parts[first], "*")) {
			parts[first+1] = r.now
		}
	default:
		// A label of an invariant, a guard or an action; a variable in the name of the
		// obligation about it.
		for i := first + 1; i+1 < len(parts); i++ {
			if parts[i] == r.old || parts[i] == r.old+"'" {
				parts[i] = r.now + parts[i][len(r.old):]
			}
		}
	}
	return strings.Join(parts, "/")
}

// another reports whether an obligation is about another element with the label.
func (r *renaming) another(path string) bool {
	i := slices.IndexFunc(r.snap.asked, func(a *asked) bool { return a.project == r.of.Project && a.Path() == path })
	return i >= 0 && r.of.Kind.Labelled() && !slices.ContainsFunc(r.snap.asked[i].Sources, func(s po.Source) bool { return s.Origin.Span == r.of.Decl })
}

// hints rewrites the files of hints of the project.
func (r *renaming) hints() error {
	for _, file := range r.of.Project.Hints {
		var places []diag.Span
		replaced, meant := map[diag.Span]string{}, map[int]string{}
		add := func(span diag.Span, now, means string) {
			if span.To > span.From {
				places = append(places, span)
				replaced[span], meant[span.From] = now, means
			}
		}
		// A pattern names an obligation, whose path may have the old name as one of its parts.
		for _, block := range file.Blocks {
			for _, pattern := range block.Patterns {
				if now := r.path(pattern.Text); now != pattern.Text {
					add(pattern.Span, hints.Label(now), now)
				}
			}
			r.hintPlaces(block.Hints, add)
		}
		if len(places) == 0 {
			continue
		}
		slices.SortFunc(places, func(a, b diag.Span) int { return a.From - b.From })
		i := -1
		before := r.snap.textOf(file.Path)
		r.texts[file.Path] = spliced(before, places, func(string) string {
			i++
			return replaced[places[i]]
		})
		// Nothing is written that reads as other hints than those before with the new name.
		if err := edit.CheckHints(file.Path, []byte(before), []byte(r.texts[file.Path]), edit.RenameHints(meant)); err != nil {
			return err
		}
	}
	return nil
}

// hintPlaces passes the places of the name in hints to add, each with its new text and what that means.
func (r *renaming) hintPlaces(list []*hints.Hint, add func(span diag.Span, now, means string)) {
	word := func(w hints.Word) {
		if w.Text == r.old && (r.isIdentifier() || r.of.Kind == names.Parameter || r.of.Kind.Labelled()) {
			add(w.Span, r.spelled(r.old), r.now)
		}
	}
	var formula func(f *lang.Formula)
	formula = func(f *lang.Formula) {
		if f == nil || r.of.Kind.Labelled() || r.of.Kind == names.Event {
			return
		}
		if slices.ContainsFunc(f.Decls, func(d lang.Decl) bool { return d.Name == r.old }) {
			return // another one
		}
		if f.Op == logic.Free && strings.TrimSuffix(f.Name, "'") == r.old {
			add(f.Span, r.spelled(f.Name), r.now)
		}
		for _, arg := range f.Args {
			formula(arg)
		}
	}
	for _, hint := range list {
		word(hint.Label)
		for _, w := range hint.Words {
			word(w)
		}
		formula(hint.Fact)
		for _, v := range hint.Values {
			formula(v.Expr)
		}
		r.hintPlaces(hint.Below, add)
	}
}
