package lsp

import (
	"context"

	"github.com/gradine/gradine/internal/lsp/protocol"
)

// codeActions lists what can be done about a range: what mends its problems first, then
// what takes a search, then what nothing asks for.
func (s *server) codeActions(ctx context.Context, params *protocol.ActionParams) ([]protocol.CodeAction, error) {
	h, snap, path := s.of(ctx, params.TextDocument.URI)
	if snap == nil {
		return nil, nil
	}
	file, _ := snap.file(path)
	if file == nil {
		return []protocol.CodeAction{}, nil
	}
	f := &fixer{server: s, home: h, snap: snap, path: path, src: snap.source(path), file: file, answers: s.answers(h, snap), out: []protocol.CodeAction{}}
	for _, d := range snap.diagnostics(make([]*answer, len(snap.asked)))[path] {
		if d.Range.Start.Line <= params.Range.End.Line && d.Range.End.Line >= params.Range.Start.Line {
			f.fix(d)
		}
	}
	f.searches(params)
	at := f.src.offset(params.Range.Start)
	f.refactor(at)
	f.unused(ctx, at)
	return f.out, nil
}
