package lsp

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge/hinted"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/lsp/names"
	"github.com/gradine/gradine/internal/lsp/projectfiles"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/project"
)

// Completion and hover in gradine.toml and in .hints files.

// offer adds a completion.
type offer func(label, detail string, kind int)

// completeProjectFile returns the completions at a byte of gradine.toml or of a .hints file.
func (x *snapshot) completeProjectFile(path string, at int, answers []*answer) []protocol.CompletionItem {
	src := newSource(x.textOf(path))
	at = min(at, len(src.text))
	out := []protocol.CompletionItem{}
	from := at
	add := func(label, detail string, kind int) {
		out = append(out, protocol.CompletionItem{Label: label, Detail: detail, Kind: kind, TextEdit: &protocol.TextEdit{Range: src.span(from, at), NewText: label}})
	}
	switch {
	case project.IsConfig(path):
		place := projectfiles.InConfig(src.text, at)
		from = place.From
		x.inConfig(place, add)
	case project.IsHints(path):
		place := projectfiles.InHints(src.text, at)
		from = place.From
		x.inHints(path, place, at, answers, add)
	case project.IsScenario(path):
		for from > 0 && isWord(src.text[from-1:from]) {
			from--
		}
		x.inScenario(path, src.text[:from], add)
	}
	return out
}

// inConfig offers what may stand at a place of gradine.toml.
func (x *snapshot) inConfig(place projectfiles.Place, add offer) {
	switch {
	case place.Header:
		for _, key := range project.ConfigKeys() {
			add(key.Name, "[["+key.Name+"]] or ["+key.Name+".NAME]", protocol.CompleteModule)
		}
		x.named(names.Machine, func(e *names.Entity) { add("machine."+e.Name, "machine of "+e.Project.Name, protocol.CompleteModule) })
	case place.Key == "":
		for _, key := range project.ConfigKeys(place.Table...) {
			add(key.Name, key.Shape, protocol.CompleteProperty)
		}
		kinds := map[string]names.Kind{"carriers": names.Set, "constants": names.Constant, "bounds": names.Variable}
		if kind, ok := kinds[last(place.Table)]; ok {
			x.named(kind, func(e *names.Entity) { add(e.Name, e.Kind.String(), protocol.CompleteVariable) })
		}
	case place.Quoted:
		x.valueOf(place, add)
	}
}

// valueOf offers the texts that a key may have, as far as they are names.
func (x *snapshot) valueOf(place projectfiles.Place, add offer) {
	switch place.Key {
	case "project":
		for _, opened := range x.projects {
			add(opened.Name, "project", protocol.CompleteModule)
		}
	case "machine":
		x.named(names.Machine, func(e *names.Entity) { add(e.Name, "machine of "+e.Project.Name, protocol.CompleteModule) })
	case "environment", "enabled", "helpful", "fair", "strongly_fair":
		x.named(names.Event, func(e *names.Entity) {
			if len(place.Table) > 1 && e.Component.Name.Text == place.Table[1] {
				add(e.Name, "event of "+place.Table[1], protocol.CompleteFunction)
			}
		})
	case "po":
		for _, a := range x.asked {
			if a.PartOf() == nil {
				add(a.Path(), a.Nature, protocol.CompleteProperty)
			}
		}
	case "verdict":
		for _, verdict := range []verdict.Verdict{verdict.Refuted, verdict.Open, verdict.Vacuous} {
			add(string(verdict), "verdict that is expected", protocol.CompleteConstant)
		}
	}
}

// named hands over the declarations of one kind, of each name the first.
func (x *snapshot) named(kind names.Kind, use func(e *names.Entity)) {
	seen := map[string]bool{}
	for _, e := range x.names().All {
		// A machine and an event are themselves; a variable that is kept is the same one.
		name := e.Project.Name + "/" + e.Name
		if kind == names.Event {
			name = e.Project.Name + "/" + e.Component.Name.Text + "/" + e.Name
		}
		if e.Kind == kind && !seen[name] {
			seen[name] = true
			use(e)
		}
	}
}

func last(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[len(list)-1]
}

// inHints offers what may stand at a place of a file of hints.
func (x *snapshot) inHints(path string, place projectfiles.Hint, at int, answers []*answer, add offer) {
	switch place.Word {
	case "":
		for _, word := range hints.Words() {
			add(word, "", protocol.CompleteKeyword)
		}
	case "for":
		// What is not proved comes first: hints are for that.
		for _, proved := range []bool{false, true} {
			for i, a := range x.asked {
				if known := answers[i]; a.PartOf() == nil && (known != nil && known.verdict.Holds()) == proved {
					add(a.Path(), a.Nature, protocol.CompleteProperty)
				}
			}
		}
	default:
		hinted := x.hintedAt(path, at)
		seen := map[string]bool{}
		once := func(label, detail string, kind int) {
			if !seen[label] {
				seen[label] = true
				add(label, detail, kind)
			}
		}
		for _, a := range hinted {
			if place.Word == "use" || place.Word == "inst" || place.Word == "witness" {
				shown := report.ObligationOf(a.Obligation).Hypotheses
				for i, label := range project.Labels(a.Obligation) {
					once(hints.Label(label), shown[i], protocol.CompleteProperty)
				}
			}
			if place.Word != "use" {
				for _, id := range identifiers(a.Obligation) {
					once(hints.Identifier(id.Name), id.Type, protocol.CompleteVariable)
				}
			}
		}
	}
}

// hintedAt lists the obligations that the block of hints at a byte is for.
func (x *snapshot) hintedAt(path string, at int) (out []*asked) {
	for _, opened := range x.projects {
		for _, file := range opened.Hints {
			if filepath.ToSlash(file.Path) != path {
				continue
			}
			i := len(file.Blocks) - 1
			for i >= 0 && file.Blocks[i].Span.From > at {
				i--
			}
			if i < 0 {
				continue
			}
			set := hinted.NewSet([]*hints.File{{Blocks: file.Blocks[i : i+1]}})
			for _, a := range x.asked {
				if a.project == opened && a.PartOf() == nil && set.Names(opened.Name+"/"+a.Path()) {
					out = append(out, a)
				}
			}
		}
	}
	return out
}

// hoverProjectFile explains a word of gradine.toml or of a .hints file: a key, a label in
// hints, or which obligations hints are for and how these stand.
func (x *snapshot) hoverProjectFile(path string, at int, answers []*answer) *protocol.Hover {
	src := newSource(x.textOf(path))
	at = min(at, len(src.text))
	to := at
	for to < len(src.text) && !strings.ContainsAny(src.text[to:to+1], "\"[]={}, \t\r\n") {
		to++
	}
	var out strings.Builder
	from := to
	switch {
	case project.IsConfig(path):
		place := projectfiles.InConfig(src.text, to)
		from = place.From
		for _, key := range project.ConfigKeys(place.Table...) {
			if !place.Quoted && key.Name == src.text[from:to] {
				fmt.Fprintf(&out, "`%s`: %s", key.Name, key.Shape)
			}
		}
	case project.IsHints(path):
		place := projectfiles.InHints(src.text, to)
		from = place.From
		x.hintsHover(&out, path, place, to, answers)
	}
	if out.Len() == 0 {
		return nil
	}
	return &protocol.Hover{Contents: protocol.Markup{Kind: "markdown", Value: out.String()}, Range: src.span(from, to)}
}

// hintsHover writes what a place in a file of hints is about: the obligations of a block, or the result of one hint.
func (x *snapshot) hintsHover(out *strings.Builder, path string, place projectfiles.Hint, at int, answers []*answer) {
	const most = 20 // rows
	hinted := x.hintedAt(path, at)
	if place.Word == "for" || place.Word == "" {
		for i, a := range hinted {
			if i == 0 {
				out.WriteString("| obligation | verdict | steps |\n|---|---|---|\n")
			}
			if i == most {
				fmt.Fprintf(out, "\nand %d more\n", len(hinted)-most)
				return
			}
			verdict, steps := "…", ""
			if known := answers[slices.Index(x.asked, a)]; known != nil {
				verdict, steps = known.found(), fmt.Sprint(known.steps)
			}
			fmt.Fprintf(out, "| %s | %s | %s |\n", a.Path(), verdict, steps)
		}
		return
	}
	// A label or an identifier means what it means in the first of them that has it.
	for _, a := range hinted {
		for i, label := range project.Labels(a.Obligation) {
			if hints.Label(label) == place.Text {
				fmt.Fprintf(out, "```eventb\n@%s %s\n```\n", label, report.ObligationOf(a.Obligation).Hypotheses[i])
				return
			}
		}
		for _, id := range identifiers(a.Obligation) {
			if hints.Identifier(id.Name) == place.Text {
				fmt.Fprintf(out, "```eventb\n%s ⦂ %s\n```\n", id.Name, id.Type)
				return
			}
		}
	}
}
