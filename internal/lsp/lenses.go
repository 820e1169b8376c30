package lsp

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/project"
)

// lenses stand above components and events: how they stand, and what can be asked.
func (s *server) lenses(ctx context.Context, params *protocol.DocumentParams) ([]protocol.CodeLens, error) {
	h, snap, path := s.of(ctx, params.TextDocument.URI)
	if snap == nil {
		return nil, nil
	}
	out := []protocol.CodeLens{}
	written, opened := snap.written(path)
	src := snap.source(path)
	answers := s.answers(h, snap)
	add := func(name lang.Name, title, command_ string, args ...any) {
		out = append(out, protocol.CodeLens{Range: src.span(name.Span.From, name.Span.To), Command: &protocol.Command{Title: title, Command: command_, Arguments: args}})
	}
	// The tally of a component comes first, for editors show the lenses of a line in order.
	_, components := snap.tallies(written, answers)
	for _, component := range written {
		name := component.Name.Text
		if t := components[component]; t.total > 0 {
			add(component.Name, t.String(), "gradine.obligations", params.TextDocument.URI, name)
			add(component.Name, "prove", "gradine.prove", params.TextDocument.URI, name)
		}
		if component.Kind == lang.MachineKind && opened.Dev.Machine(name) != nil {
			add(component.Name, "explore", "gradine.explore", params.TextDocument.URI, name)
			if s.opts.Animate != nil {
				add(component.Name, "animate", animateCommand, params.TextDocument.URI, name)
			}
			add(component.Name, "infer", "gradine.infer", params.TextDocument.URI, name)
		}
		if project.IsKernel(path) {
			continue // its events are parts of lines, which have no names
		}
		for _, event := range component.Events {
			proofs := false
			for i, a := range snap.asked {
				if !a.in(component) || a.Event == nil || a.Event.Label != event.Label.Text {
					continue
				}
				if !proofs {
					proofs = true
					add(event.Label, "prove", "gradine.prove", params.TextDocument.URI, name+"/"+event.Label.Text)
				}
				// Why and how are questions about what is known not to be proved.
				known := answers[i]
				if known == nil || known.verdict == verdict.Proved || a.expected(known) != nil {
					continue
				}
				add(event.Label, "why "+a.Name, "gradine.why", params.TextDocument.URI, a.Path())
				if known.verdict == verdict.Refuted && s.opts.Animate != nil {
					add(event.Label, "animate "+a.Name, animateCommand, params.TextDocument.URI, a.Path())
				}
				if known.verdict == verdict.Open {
					add(event.Label, "suggest a hint", "gradine.suggest", params.TextDocument.URI, a.Path())
				}
			}
		}
	}
	return out, nil
}

// commands are what lenses run: the program itself with the open texts above the files,
// but for why and the proofs of one element, which share what is known here.
var commands = map[string][]string{
	"gradine.explore": {"explore"}, "gradine.infer": {"infer"}, "gradine.why": nil, "gradine.suggest": {"prove", "--suggest"},
	"gradine.tune": {"tune"}, animateCommand: nil, "gradine.report": {"report"}, "gradine.reportPage": {"report", "--format", "html"}, "gradine.prove": {"prove"}, "gradine.check": {"check"},
}

// execute answers workspace/executeCommand: the commands behind the lenses, which run this program.
func (s *server) execute(ctx context.Context, params *protocol.ExecuteParams) (*protocol.Executed, error) {
	if params.Command == insertCommand {
		return s.insert(ctx, params.Arguments)
	}
	line, ok := commands[params.Command]
	if !ok {
		return nil, refusal("no command %s", params.Command)
	}
	var args []string
	for _, raw := range params.Arguments {
		var arg string
		if err := json.Unmarshal(raw, &arg); err != nil {
			return nil, refusal("%s: its arguments are the URI of a document and names", params.Command)
		}
		args = append(args, arg)
	}
	if len(args) == 0 || pathOf(args[0]) == "" {
		return nil, refusal("%s: the first argument is the URI of a document", params.Command)
	}
	if len(args) == 2 {
		switch params.Command {
		case "gradine.why":
			component, name, _ := strings.Cut(args[1], "/")
			return s.why(ctx, &proofStateParams{protocol.DocumentID{URI: args[0]}, name, component})
		case "gradine.prove":
			return s.proved(ctx, args[0], args[1])
		case animateCommand:
			return s.animate(args[0], args[1])
		}
	}
	h, snap, _ := s.of(ctx, args[0])
	if snap == nil {
		return nil, ctx.Err()
	}
	// Arguments come from the editor, and must not turn a command that reads into one that
	// writes.
	if slices.ContainsFunc(args[1:], func(arg string) bool { return strings.HasPrefix(arg, "-") }) {
		return nil, refusal("%s takes names, no flags", params.Command)
	}
	if line == nil {
		return nil, refusal("%s: the second argument must name an element", params.Command)
	}
	if s.opts.Run == nil {
		return nil, refusal("%s: this server runs no commands", params.Command)
	}
	line = append(slices.Clone(line), h.at)
	if params.Command == "gradine.tune" {
		// Its arguments are names of entries: it is told by the folder where these are.
		line = []string{"-C", folderOf(h.at), "tune"}
	}
	out, code := s.opts.Run(ctx, snap.texts, append(line, args[1:]...))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	// It may take long, and people go on: they are told rather than left with nothing.
	if !s.current(h, snap) {
		out = "(of the texts as they were when this was asked for)\n" + out
	}
	return &protocol.Executed{Text: out, Code: code}, nil
}

// folderOf is the folder of a home, which may be a file.
func folderOf(at string) string {
	if project.IsConfig(at) || project.IsText(at) {
		return filepath.Dir(at)
	}
	return at
}
