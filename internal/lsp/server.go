package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/creachadair/jrpc2/handler"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/project"
)

// Options say how a server works.
type Options struct {
	Store   *discharge.Store
	Version string
	// Workers is the number of searches at a time; 0 for one less than there are cores.
	Workers int
	// Run runs a command of the program and returns its output, for what a person asks
	// for by a lens; nil if there is none.
	Run func(ctx context.Context, args []string) (output string, code int)
}

// Serve speaks with an editor until it says exit or closes the connection.
func Serve(ctx context.Context, in io.Reader, out io.WriteCloser, opts Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{ctx: ctx, opts: opts, left: make(chan struct{}), docs: map[string]*document{}, homes: map[string]*home{}}
	s.rpc = jrpc2.NewServer(s.methods(), &jrpc2.ServerOptions{AllowPush: true, Concurrency: 16, NewContext: func() context.Context { return ctx }})
	s.rpc.Start(channel.LSP(in, out))
	ended := make(chan error, 1)
	go func() { ended <- s.rpc.Wait() }()
	var err error
	// An editor that says exit may leave its end open: nobody waits for more to read.
	select {
	case err = <-ended:
	case <-s.left:
	case <-ctx.Done():
	}
	cancel()
	go s.rpc.Stop()
	s.running.Wait()
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

type server struct {
	ctx     context.Context
	rpc     *jrpc2.Server
	opts    Options
	running sync.WaitGroup
	left    chan struct{} // is closed when the editor says exit
	leave   sync.Once

	mu      sync.Mutex // of everything below
	docs    map[string]*document
	homes   map[string]*home
	refresh []string // requests that make the editor ask again
	resolve bool     // the editor asks for the edit of an action when it is chosen
	create  bool     // an edit may make files
}

// document is an open text.
type document struct {
	uri     string
	version int
	*source
}

// pause is how long a text rests before it is checked.
const pause = 50 * time.Millisecond

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
	for name, method := range methods {
		methods[name] = contained(method)
	}
	return methods
}

// The codes of the protocol for what was cancelled, and for an answer that a change has
// overtaken.
const (
	requestCancelled jrpc2.Code = -32800
	contentModified  jrpc2.Code = -32801
)

// contained answers a request that meets a fault of the program with an error: the
// editor goes on, and its user's next word may be about something else.
func contained(method jrpc2.Handler) jrpc2.Handler {
	return func(ctx context.Context, request *jrpc2.Request) (result any, err error) {
		defer func() {
			if fault := recover(); fault != nil {
				err = jrpc2.Errorf(jrpc2.InternalError, "internal fault in %s: %v", request.Method(), fault)
			} else if errors.Is(err, context.Canceled) {
				err = jrpc2.Errorf(requestCancelled, "cancelled")
			}
		}()
		return method(ctx, request)
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

func (s *server) initialize(_ context.Context, params *initializeParams) (*initializeResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	workspace := params.Capabilities.Workspace
	for method, supported := range map[string]refreshSupport{"workspace/inlayHint/refresh": workspace.InlayHint, "workspace/codeLens/refresh": workspace.CodeLens} {
		if supported.RefreshSupport {
			s.refresh = append(s.refresh, method)
		}
	}
	slices.Sort(s.refresh)
	s.resolve = slices.Contains(params.Capabilities.TextDocument.CodeAction.ResolveSupport.Properties, "edit")
	s.create = slices.Contains(workspace.WorkspaceEdit.ResourceOperations, "create")
	return &initializeResult{Capabilities: capabilities(), ServerInfo: serverInfo{"gradine", s.opts.Version}}, nil
}

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
	s.leave.Do(func() { close(s.left) })
	return nil
}

func (s *server) cancelRequest(_ context.Context, params struct {
	ID json.RawMessage `json:"id"`
}) error {
	s.rpc.CancelRequest(string(params.ID))
	return nil
}

func (s *server) didOpen(_ context.Context, params *didOpenParams) error {
	path := pathOf(params.TextDocument.URI)
	if path == "" {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.docs[path] = &document{params.TextDocument.URI, params.TextDocument.Version, newSource(params.TextDocument.Text)}
	s.touch(path, 0)
	return nil
}

func (s *server) didChange(_ context.Context, params *didChangeParams) error {
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

func (s *server) didClose(_ context.Context, params *documentParams) error {
	path := pathOf(params.TextDocument.URI)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.docs, path)
	if path != "" {
		s.touch(path, 0)
	}
	return nil
}

// didSave: what is saved is what is open already.
func (s *server) didSave(context.Context, *documentParams) error { return nil }

// didChangeWatchedFiles: files that another program wrote. What is committed of proofs
// may be among them, and answers may rest on it.
func (s *server) didChangeWatchedFiles(context.Context, json.RawMessage) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range s.homes {
		clear(h.known)
		s.restart(h)
	}
	return nil
}

// home is where a project, or several of one gradine.toml, stand.
type home struct {
	at         string
	opener     project.Opener
	generation int // of changes
	snap       *snapshot
	taken      int // the generation of snap
	known      map[question]*answer
	edited     place // what was changed last
	trouble    error // why nothing could be asked of the prover

	timer     *time.Timer
	present   context.Context    // ends with the next change
	cancel    context.CancelFunc // ends it
	publish   sync.Mutex         // of what follows, and of the order of what is sent
	published map[string]string  // by path: the diagnostics sent last
	reported  map[string]string  // by path: the verdicts sent last
}

type place struct {
	path string
	at   int
}

// rest ends what goes on behind the scenes.
func (h *home) rest() {
	if h.timer != nil {
		h.timer.Stop()
	}
	if h.cancel != nil {
		h.cancel()
	}
}

// touch notes that the text of a file has changed. It is called with s.mu held.
func (s *server) touch(path string, at int) {
	h := s.homeOf(path)
	h.edited = place{path, at}
	s.restart(h)
}

// restart makes h be looked at again after a pause.
func (s *server) restart(h *home) {
	h.rest()
	h.present, h.cancel = context.WithCancel(s.ctx)
	h.generation++
	h.trouble = nil
	h.timer = time.AfterFunc(pause, func() {
		if s.ctx.Err() != nil {
			return
		}
		s.mu.Lock()
		snap := s.take(h)
		s.mu.Unlock()
		s.announce(h)
		s.prove(h, snap)
	})
}

// homeOf returns the home of a file.
func (s *server) homeOf(path string) *home {
	opener := project.Opener{Texts: s.texts()}
	at := opener.Home(path)
	h := s.homes[at]
	if h == nil {
		h = &home{at: at, present: s.ctx, known: map[question]*answer{}, published: map[string]string{}, reported: map[string]string{}}
		s.homes[at] = h
	}
	return h
}

func (s *server) texts() map[string][]byte {
	out := map[string][]byte{}
	for path, doc := range s.docs {
		out[path] = []byte(doc.text)
	}
	return out
}

// take returns what is understood of the present texts of h. It is called with s.mu held.
func (s *server) take(h *home) *snapshot {
	if h.snap != nil && h.taken == h.generation {
		return h.snap
	}
	h.opener.Texts = s.texts()
	versions := map[string]int{}
	for path, doc := range s.docs {
		versions[filepath.ToSlash(path)] = doc.version
	}
	h.snap, h.taken = takeContained(h.at, &h.opener, versions), h.generation
	h.forget()
	return h.snap
}

// keep is how many answers more than those of the present are kept, for people undo.
const keep = 20_000

// forget forgets answers that nobody has asked for in a long time.
func (h *home) forget() {
	for _, a := range h.snap.asked {
		if known := h.known[a.question]; known != nil {
			known.last = h.generation
		}
	}
	if len(h.known) < len(h.snap.asked)+keep {
		return
	}
	ages := make([]int, 0, len(h.known))
	for _, known := range h.known {
		ages = append(ages, known.last)
	}
	slices.Sort(ages)
	oldest := min(ages[len(ages)/2], h.generation-1)
	maps.DeleteFunc(h.known, func(_ question, known *answer) bool { return known.last <= oldest })
}

// of returns what is understood of the text of a document and of all around it, and its
// path. Nothing that is asked is answered from an older text.
func (s *server) of(uri string) (*home, *snapshot, string) {
	path := pathOf(uri)
	if path == "" {
		return nil, nil, ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.homeOf(path)
	return h, s.take(h), filepath.ToSlash(path)
}

// answers returns what is known of the obligations of a snapshot, nil where nothing is.
func (s *server) answers(h *home, snap *snapshot) []*answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]*answer, len(snap.asked))
	for i, a := range snap.asked {
		out[i] = h.known[a.question]
	}
	return out
}
