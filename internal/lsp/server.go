package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/handler"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/project"
)

// Serve speaks with an editor until it says exit or closes the connection.
func Serve(ctx context.Context, in io.Reader, out io.WriteCloser, opts Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{ctx: ctx, leave: cancel, opts: opts, docs: map[string]*document{}, homes: map[string]*home{}, published: map[string]announced{}, reported: map[string]string{}, pages: map[animated]string{}}
	s.rpc = jrpc2.NewServer(s.methods(), &jrpc2.ServerOptions{AllowPush: true, Concurrency: 16, NewContext: func() context.Context { return ctx }})
	s.rpc.Start(connect(ctx, in, out))
	ended := make(chan error, 1)
	go func() { ended <- s.rpc.Wait() }()
	var err error
	// Requests that go on after exit are not waited for: an editor that does not read any
	// more would hold their answers up.
	select {
	case err = <-ended:
	case <-ctx.Done():
	}
	// A search starts with the lock held and the context alive: after this none does.
	s.mu.Lock()
	cancel()
	s.mu.Unlock()
	s.running.Wait()
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// pause is how long a text rests before it is checked.
const pause = 50 * time.Millisecond

// methods are the requests and notifications that the server understands.
func (s *server) methods() handler.Map {
	methods := handler.Map{
		"initialize":      handler.New(s.initialize),
		"initialized":     handler.New(func(context.Context) error { return nil }),
		"shutdown":        handler.New(s.shutdown),
		"exit":            handler.New(s.exit),
		"$/cancelRequest": handler.New(s.cancelRequest),
		"$/setTrace":      handler.New(func(context.Context, json.RawMessage) error { return nil }),

		"textDocument/didOpen":             handler.New(s.didOpen),
		"textDocument/didChange":           handler.New(s.didChange),
		"textDocument/didClose":            handler.New(s.didClose),
		"textDocument/didSave":             handler.New(s.didSave),
		"workspace/didChangeWatchedFiles":  handler.New(s.didChangeWatchedFiles),
		"workspace/didChangeConfiguration": handler.New(func(context.Context, json.RawMessage) error { return nil }),

		"textDocument/inlayHint":            handler.New(s.inlayHint),
		"textDocument/hover":                handler.New(s.hover),
		"textDocument/definition":           handler.New(s.definition),
		"textDocument/references":           handler.New(s.references),
		"textDocument/documentHighlight":    handler.New(s.highlights),
		"textDocument/documentSymbol":       handler.New(s.documentSymbols),
		"workspace/symbol":                  handler.New(s.workspaceSymbols),
		"textDocument/prepareCallHierarchy": handler.New(s.prepareHierarchy),
		"callHierarchy/incomingCalls":       handler.New(s.refining),
		"callHierarchy/outgoingCalls":       handler.New(s.refined),
		"textDocument/completion":           handler.New(s.completion),
		"textDocument/signatureHelp":        handler.New(s.signatureHelp),
		"textDocument/formatting":           handler.New(s.formatting),
		"textDocument/rangeFormatting":      handler.New(s.rangeFormatting),
		"textDocument/onTypeFormatting":     handler.New(s.onType),
		"textDocument/semanticTokens/full":  handler.New(s.tokens),
		"textDocument/semanticTokens/range": handler.New(s.rangeTokens),
		"textDocument/foldingRange":         handler.New(s.folding),
		"textDocument/selectionRange":       handler.New(s.selection),
		"textDocument/prepareRename":        handler.New(s.prepareRename),
		"textDocument/rename":               handler.New(s.rename),
		"textDocument/codeAction":           handler.New(s.codeActions),
		"codeAction/resolve":                handler.New(s.resolveAction),
		"textDocument/codeLens":             handler.New(s.lenses),
		"workspace/executeCommand":          handler.New(s.execute),

		"rossi/proofObligations": handler.New(s.proofObligations),
		"rossi/proofState":       handler.New(s.proofState),
		"rossi/operatorTable":    handler.New(s.operatorTable),

		"gradine/why":         handler.New(s.why),
		"gradine/refinements": handler.New(s.refinements),
	}
	// Each is contained, so that no method can be added that is not.
	for name, method := range methods {
		methods[name] = contained(method)
	}
	return methods
}

// contained answers a request that meets a fault of the program with an error: the
// editor goes on, and its user's next word may be about something else.
func contained(method jrpc2.Handler) jrpc2.Handler {
	return func(ctx context.Context, request *jrpc2.Request) (result any, err error) {
		fault := seam.Contain(ctx, seam.EditorRequest, request.Method(), func(ctx context.Context) { result, err = method(ctx, request) })
		switch {
		case fault != nil && errors.Is(fault, context.Canceled):
			return nil, jrpc2.Errorf(requestCancelled, "cancelled")
		case fault != nil:
			return nil, jrpc2.Errorf(jrpc2.InternalError, "internal error in %s: %v", request.Method(), fault)
		case errors.Is(err, context.Canceled) || err == nil && ctx.Err() != nil:
			return nil, jrpc2.Errorf(requestCancelled, "cancelled")
		}
		return result, err
	}
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type initializeResult struct {
	Capabilities map[string]any `json:"capabilities"`
	ServerInfo   serverInfo     `json:"serverInfo"`
}

func (s *server) initialize(_ context.Context, params *protocol.InitializeParams) (*initializeResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	workspace := params.Capabilities.Workspace
	for method, supported := range map[string]protocol.RefreshSupport{"workspace/inlayHint/refresh": workspace.InlayHint, "workspace/codeLens/refresh": workspace.CodeLens} {
		if supported.RefreshSupport {
			s.refresh = append(s.refresh, method)
		}
	}
	slices.Sort(s.refresh)
	s.resolve = slices.Contains(params.Capabilities.TextDocument.CodeAction.ResolveSupport.Properties, "edit")
	s.opens = params.Capabilities.Window.ShowDocument.Support
	s.create = slices.Contains(workspace.WorkspaceEdit.ResourceOperations, "create")
	return &initializeResult{Capabilities: capabilities(), ServerInfo: serverInfo{"gradine", s.opts.Version}}, nil
}

// capabilities are those of the server, as the answer to initialize says them.
func capabilities() map[string]any {
	return map[string]any{
		"textDocumentSync":  map[string]any{"openClose": true, "change": 2, "save": map[string]any{"includeText": false}},
		"inlayHintProvider": true, "hoverProvider": true, "definitionProvider": true, "referencesProvider": true,
		"documentHighlightProvider": true, "documentSymbolProvider": true, "workspaceSymbolProvider": true, "callHierarchyProvider": true,
		"completionProvider":               map[string]any{"triggerCharacters": []string{"\\", "@"}},
		"signatureHelpProvider":            map[string]any{"triggerCharacters": []string{"(", ","}},
		"documentFormattingProvider":       true,
		"documentRangeFormattingProvider":  true,
		"documentOnTypeFormattingProvider": map[string]any{"firstTriggerCharacter": " ", "moreTriggerCharacter": []string{"\n", "(", ")"}},
		"semanticTokensProvider": map[string]any{
			"legend": map[string]any{"tokenTypes": tokenTypes, "tokenModifiers": []string{}}, "full": true, "range": true,
		},
		"foldingRangeProvider": true, "selectionRangeProvider": true,
		"renameProvider":         map[string]any{"prepareProvider": true},
		"codeActionProvider":     map[string]any{"codeActionKinds": []string{"quickfix", "refactor"}, "resolveProvider": true},
		"codeLensProvider":       map[string]any{},
		"executeCommandProvider": map[string]any{"commands": append(slices.Sorted(maps.Keys(commands)), insertCommand)},
	}
}

func (s *server) shutdown(context.Context) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.homes {
		h.rest()
	}
	return nil, nil
}

func (s *server) exit(context.Context) error {
	s.leave()
	return nil
}

func (s *server) cancelRequest(_ context.Context, params struct {
	ID json.RawMessage `json:"id"`
}) error {
	s.rpc.CancelRequest(string(params.ID))
	return nil
}

func (s *server) didOpen(_ context.Context, params *protocol.DidOpenParams) error {
	path := pathOf(params.TextDocument.URI)
	if path == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.docs[path] = &document{params.TextDocument.URI, params.TextDocument.Version, nil, newSource(params.TextDocument.Text), false}
	s.docs[path].home = s.homeOf(path)
	s.touch(path, 0)
	return nil
}

// didChange applies the changes of a document in their order, and has its project checked again.
func (s *server) didChange(_ context.Context, params *protocol.DidChangeParams) error {
	path := pathOf(params.TextDocument.URI)
	s.mu.Lock()
	defer s.mu.Unlock()
	doc := s.docs[path]
	if doc == nil {
		return nil
	}
	// A version that comes late is older than what is here.
	if v := params.TextDocument.Version; v != nil {
		if *v <= doc.version {
			return nil
		}
		doc.version = *v
	}
	at := 0
	for _, change := range params.ContentChanges {
		if change.Range != nil {
			at = doc.offset(change.Range.Start)
		}
		doc.source = newSource(doc.changed(change))
	}
	s.touch(path, at)
	return nil
}

func (s *server) didClose(_ context.Context, params *protocol.DocumentParams) error {
	path := pathOf(params.TextDocument.URI)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.docs[path] != nil {
		s.touch(path, 0)
		delete(s.docs, path)
	}
	return nil
}

// didSave: what is saved is what is open already.
func (s *server) didSave(context.Context, *protocol.DocumentParams) error { return nil }

// didChangeWatchedFiles: files that another program wrote. What is committed of proofs
// may be among them, and answers may rest on it.
func (s *server) didChangeWatchedFiles(context.Context, json.RawMessage) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.homes {
		clear(h.known)
		s.restart(h)
	}
	s.settle()
	return nil
}

// touch notes that the text of an open file has changed, for all whom it concerns. It is
// called with s.mu held.
func (s *server) touch(path string, at int) {
	own := s.docs[path].home
	own.edited = place{path, at}
	question := project.IsModel(path) || project.IsKernel(path) || project.IsHints(path) || project.IsConfig(path) || project.IsScenario(path)
	for _, h := range s.homes {
		if h == own || h.concerns(path) {
			if !question {
				clear(h.known) // what is committed of proofs is no part of a question
			}
			s.restart(h)
		}
	}
	if project.IsConfig(path) {
		s.settle()
	}
}

// restart makes h be looked at again after a pause.
func (s *server) restart(h *home) {
	h.rest()
	h.present, h.cancel = context.WithCancel(s.ctx)
	h.generation++
	h.trouble = nil
	present := h.present
	h.timer = time.AfterFunc(pause, func() {
		if snap := s.take(present, h); snap != nil {
			s.announce(h)
			s.prove(h, snap)
		}
	})
}
