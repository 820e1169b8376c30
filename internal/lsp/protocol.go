package lsp

import (
	"encoding/json"

	"github.com/creachadair/jrpc2"
)

// The parts of the Language Server Protocol 3.17 that are spoken here.

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"` // in UTF-16 code units
}

type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string    `json:"uri"`
	Range textRange `json:"range"`
}

type documentID struct {
	URI     string `json:"uri"`
	Version *int   `json:"version,omitempty"`
}

type initializeParams struct {
	RootURI      string `json:"rootUri"`
	Capabilities struct {
		TextDocument struct {
			CodeAction struct {
				ResolveSupport struct {
					Properties []string `json:"properties"`
				} `json:"resolveSupport"`
			} `json:"codeAction"`
		} `json:"textDocument"`
		Workspace struct {
			WorkspaceEdit struct {
				ResourceOperations []string `json:"resourceOperations"`
			} `json:"workspaceEdit"`
			InlayHint      refreshSupport `json:"inlayHint"`
			CodeLens       refreshSupport `json:"codeLens"`
			SemanticTokens refreshSupport `json:"semanticTokens"`
		} `json:"workspace"`
	} `json:"capabilities"`
}

type refreshSupport struct {
	RefreshSupport bool `json:"refreshSupport"`
}

type didOpenParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
		Text    string `json:"text"`
	} `json:"textDocument"`
}

type didChangeParams struct {
	TextDocument   documentID   `json:"textDocument"`
	ContentChanges []textChange `json:"contentChanges"`
}

// textChange replaces a range, or the whole text if it has none.
type textChange struct {
	Range *textRange `json:"range"`
	Text  string     `json:"text"`
}

type documentParams struct {
	TextDocument documentID `json:"textDocument"`
}

type rangeParams struct {
	TextDocument documentID `json:"textDocument"`
	Range        textRange  `json:"range"`
}

type diagnosticSeverity int

const (
	severityError   diagnosticSeverity = 1
	severityWarning diagnosticSeverity = 2
	severityHint    diagnosticSeverity = 4
)

type diagnostic struct {
	Range    textRange          `json:"range"`
	Severity diagnosticSeverity `json:"severity"`
	Code     string             `json:"code,omitempty"`
	Source   string             `json:"source"`
	Message  string             `json:"message"`
	Tags     []int              `json:"tags,omitempty"` // 1: of no use
	Related  []relatedPlace     `json:"relatedInformation,omitempty"`
	Data     any                `json:"data,omitempty"`
}

type relatedPlace struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type publishParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type inlayHint struct {
	Position    position `json:"position"`
	Label       string   `json:"label"`
	Tooltip     string   `json:"tooltip,omitempty"`
	PaddingLeft bool     `json:"paddingLeft"`
}
type positionParams struct {
	TextDocument documentID `json:"textDocument"`
	Position     position   `json:"position"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type hover struct {
	Contents markup    `json:"contents"`
	Range    textRange `json:"range"`
}

type documentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           int              `json:"kind"`
	Range          textRange        `json:"range"`
	SelectionRange textRange        `json:"selectionRange"`
	Children       []documentSymbol `json:"children,omitempty"`
}

type workspaceSymbol struct {
	Name          string   `json:"name"`
	Kind          int      `json:"kind"`
	Location      location `json:"location"`
	ContainerName string   `json:"containerName,omitempty"`
}

type textEdit struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}

type workspaceEdit struct {
	DocumentChanges []documentEdit `json:"documentChanges"`
}

// documentEdit changes a document or, if it has a kind, makes a file.
type documentEdit struct {
	Kind         string       `json:"kind,omitempty"`
	URI          string       `json:"uri,omitempty"`
	TextDocument *versionedID `json:"textDocument,omitempty"`
	Edits        []textEdit   `json:"edits,omitempty"`
}

// versionedID has a version, null for a file that is not open.
type versionedID struct {
	URI     string `json:"uri"`
	Version *int   `json:"version"`
}

type completionItem struct {
	Label      string    `json:"label"`
	Kind       int       `json:"kind"`
	Detail     string    `json:"detail,omitempty"`
	FilterText string    `json:"filterText,omitempty"`
	TextEdit   *textEdit `json:"textEdit,omitempty"`
	Format     int       `json:"insertTextFormat,omitempty"` // 2: a snippet
}

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

type signatureHelp struct {
	Signatures      []signature `json:"signatures"`
	ActiveSignature int         `json:"activeSignature"`
	ActiveParameter int         `json:"activeParameter"`
}

type signature struct {
	Label         string      `json:"label"`
	Documentation string      `json:"documentation,omitempty"`
	Parameters    []parameter `json:"parameters"`
}

type parameter struct {
	Label string `json:"label"`
}

type codeLens struct {
	Range   textRange `json:"range"`
	Command *command  `json:"command,omitempty"`
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}

type codeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	Edit        *workspaceEdit `json:"edit,omitempty"`
	Command     *command       `json:"command,omitempty"`
	Data        *search        `json:"data,omitempty"` // where the edit takes a search
}

type actionParams struct {
	rangeParams
	Context struct {
		Diagnostics []diagnostic `json:"diagnostics"`
	} `json:"context"`
}

type foldingRange struct {
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

type selectionRange struct {
	Range  textRange       `json:"range"`
	Parent *selectionRange `json:"parent,omitempty"`
}

type callItem struct {
	Name           string    `json:"name"`
	Detail         string    `json:"detail,omitempty"`
	Kind           int       `json:"kind"`
	URI            string    `json:"uri"`
	Range          textRange `json:"range"`
	SelectionRange textRange `json:"selectionRange"`
}

type executeParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

// executed is what a command printed, and its exit code.
type executed struct {
	Text string `json:"text"`
	Code int    `json:"code"`
}

// search says what to look for.
type search struct {
	URI        string `json:"uri"`
	Kind       string `json:"kind"`
	Project    string `json:"project"`
	Obligation string `json:"obligation"` // component/name
}

// The codes of the protocol for what was cancelled, and for an answer that a change has
// overtaken.
const (
	requestCancelled jrpc2.Code = -32800
	contentModified  jrpc2.Code = -32801
)

// refusal is an error that an editor shows to its user.
func refusal(format string, args ...any) error {
	return jrpc2.Errorf(jrpc2.InvalidParams, format, args...)
}

// overtaken is the answer to what a change has overtaken.
func overtaken() error {
	return jrpc2.Errorf(contentModified, "a text has changed since: ask again")
}

// The kinds of symbols.
const (
	kindModule    = 2
	kindNamespace = 3
	kindClass     = 5
	kindProperty  = 7
	kindFunction  = 12
	kindVariable  = 13
	kindConstant  = 14
	kindNumber    = 16
	kindEnum      = 10
	kindParameter = 26
)

// The kinds of completions.
const (
	completeFunction = 3
	completeVariable = 6
	completeModule   = 9
	completeProperty = 10
	completeKeyword  = 14
	completeSnippet  = 15
	completeConstant = 21
	completeOperator = 24
)
