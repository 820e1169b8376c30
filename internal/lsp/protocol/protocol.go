// Package protocol defines the messages of the Language Server Protocol 3.17 that the server uses:
// structs with their names in JSON, and named numbers.
package protocol

import "encoding/json"

// Position is a place in a text, counted from zero.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"` // in UTF-16 code units
}

// Range is what lies between two places, without the second.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Location is a range in a document.
type Location struct {
	URI   string `json:"uri"`
	Range Range  `json:"range"`
}

// DocumentID names a document, and perhaps its version.
type DocumentID struct {
	URI     string `json:"uri"`
	Version *int   `json:"version,omitempty"`
}

// InitializeParams says what the editor has open, and what it can do.
type InitializeParams struct {
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
			InlayHint      RefreshSupport `json:"inlayHint"`
			CodeLens       RefreshSupport `json:"codeLens"`
			SemanticTokens RefreshSupport `json:"semanticTokens"`
		} `json:"workspace"`
		Window struct {
			ShowDocument struct {
				Support bool `json:"support"`
			} `json:"showDocument"`
		} `json:"window"`
	} `json:"capabilities"`
}

// RefreshSupport tells whether the server may have something asked for again.
type RefreshSupport struct {
	RefreshSupport bool `json:"refreshSupport"`
}

// DidOpenParams gives the text of a document that was opened.
type DidOpenParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
		Text    string `json:"text"`
	} `json:"textDocument"`
}

// DidChangeParams gives the changes of a document, each made to the result of those before.
type DidChangeParams struct {
	TextDocument   DocumentID   `json:"textDocument"`
	ContentChanges []TextChange `json:"contentChanges"`
}

// TextChange replaces a range, or the whole text if it has none.
type TextChange struct {
	Range *Range `json:"range"`
	Text  string `json:"text"`
}

// DocumentParams asks about a document.
type DocumentParams struct {
	TextDocument DocumentID `json:"textDocument"`
}

// RangeParams asks about a range of a document.
type RangeParams struct {
	TextDocument DocumentID `json:"textDocument"`
	Range        Range      `json:"range"`
}

// Severity says how bad a diagnostic is.
type Severity int

// The severities of the protocol that are used.
const (
	SeverityError   Severity = 1
	SeverityWarning Severity = 2
	SeverityHint    Severity = 4
)

// Diagnostic is a finding about a range.
type Diagnostic struct {
	Range    Range          `json:"range"`
	Severity Severity       `json:"severity"`
	Code     string         `json:"code,omitempty"`
	Source   string         `json:"source"`
	Message  string         `json:"message"`
	Tags     []int          `json:"tags,omitempty"` // 1: of no use
	Related  []RelatedPlace `json:"relatedInformation,omitempty"`
	Data     any            `json:"data,omitempty"`
}

// RelatedPlace is a place that a diagnostic is about, too.
type RelatedPlace struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// PublishParams gives all diagnostics of a document.
type PublishParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// InlayHint is shown between the characters of a text.
type InlayHint struct {
	Position    Position `json:"position"`
	Label       string   `json:"label"`
	Tooltip     string   `json:"tooltip,omitempty"`
	PaddingLeft bool     `json:"paddingLeft"`
}

// PositionParams asks about a place in a document.
type PositionParams struct {
	TextDocument DocumentID `json:"textDocument"`
	Position     Position   `json:"position"`
}

// Markup is a text to show, and the language that it is written in.
type Markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// Hover is shown for a range that the pointer is on.
type Hover struct {
	Contents Markup `json:"contents"`
	Range    Range  `json:"range"`
}

// DocumentSymbol is an entry in the outline of a document.
type DocumentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           int              `json:"kind"`
	Range          Range            `json:"range"`
	SelectionRange Range            `json:"selectionRange"`
	Children       []DocumentSymbol `json:"children,omitempty"`
}

// WorkspaceSymbol is what a search by name finds.
type WorkspaceSymbol struct {
	Name          string   `json:"name"`
	Kind          int      `json:"kind"`
	Location      Location `json:"location"`
	ContainerName string   `json:"containerName,omitempty"`
}

// TextEdit replaces a range.
type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// WorkspaceEdit changes documents, in this order.
type WorkspaceEdit struct {
	DocumentChanges []DocumentEdit `json:"documentChanges"`
}

// DocumentEdit changes a document or, if it has a kind, makes a file.
type DocumentEdit struct {
	Kind         string       `json:"kind,omitempty"`
	URI          string       `json:"uri,omitempty"`
	TextDocument *VersionedID `json:"textDocument,omitempty"`
	Edits        []TextEdit   `json:"edits,omitempty"`
}

// VersionedID has a version, null for a file that is not open.
type VersionedID struct {
	URI     string `json:"uri"`
	Version *int   `json:"version"`
}

// CompletionItem is a text that may be put in at a place.
type CompletionItem struct {
	Label      string    `json:"label"`
	Kind       int       `json:"kind"`
	Detail     string    `json:"detail,omitempty"`
	FilterText string    `json:"filterText,omitempty"`
	TextEdit   *TextEdit `json:"textEdit,omitempty"`
	Format     int       `json:"insertTextFormat,omitempty"` // 2: a snippet
}

// CompletionList offers such texts; if it is incomplete, more typing finds others.
type CompletionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []CompletionItem `json:"items"`
}

// SignatureHelp tells of the operators around a place, and which argument it is in.
type SignatureHelp struct {
	Signatures      []Signature `json:"signatures"`
	ActiveSignature int         `json:"activeSignature"`
	ActiveParameter int         `json:"activeParameter"`
}

// Signature is the form of a call.
type Signature struct {
	Label         string      `json:"label"`
	Documentation string      `json:"documentation,omitempty"`
	Parameters    []Parameter `json:"parameters"`
}

// Parameter is a part of the label of a signature.
type Parameter struct {
	Label string `json:"label"`
}

// CodeLens is a line shown above a range, with what a click on it does.
type CodeLens struct {
	Range   Range    `json:"range"`
	Command *Command `json:"command,omitempty"`
}

// Command is what an editor sends back on a click.
type Command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}

// CodeAction is a change, or a command, that is offered for a range.
type CodeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []Diagnostic   `json:"diagnostics,omitempty"`
	Edit        *WorkspaceEdit `json:"edit,omitempty"`
	Command     *Command       `json:"command,omitempty"`
	Data        *Search        `json:"data,omitempty"` // where the edit takes a search
}

// ActionParams asks what is offered for a range with these diagnostics.
type ActionParams struct {
	RangeParams
	Context struct {
		Diagnostics []Diagnostic `json:"diagnostics"`
	} `json:"context"`
}

// FoldingRange is a run of lines that can be folded.
type FoldingRange struct {
	StartLine int    `json:"startLine"`
	EndLine   int    `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

// SelectionRange is what is selected next, and what after that.
type SelectionRange struct {
	Range  Range           `json:"range"`
	Parent *SelectionRange `json:"parent,omitempty"`
}

// CallItem is a thing that calls others or is called by them.
type CallItem struct {
	Name           string `json:"name"`
	Detail         string `json:"detail,omitempty"`
	Kind           int    `json:"kind"`
	URI            string `json:"uri"`
	Range          Range  `json:"range"`
	SelectionRange Range  `json:"selectionRange"`
}

// ExecuteParams asks to run a command.
type ExecuteParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

// Executed is what a command printed, and its exit code.
type Executed struct {
	Text string `json:"text"`
	Code int    `json:"code"`
}

// ShowDocument asks the editor to open a URI; an external one in another program.
type ShowDocument struct {
	URI       string `json:"uri"`
	External  bool   `json:"external"`
	TakeFocus bool   `json:"takeFocus"`
}

// ShowMessage asks the editor to show a text; 3 is the type of information.
type ShowMessage struct {
	Type    int    `json:"type"`
	Message string `json:"message"`
}

// Search says what to look for.
type Search struct {
	URI        string `json:"uri"`
	Kind       string `json:"kind"`
	Project    string `json:"project"`
	Obligation string `json:"obligation"` // component/name
}

// The kinds of symbols.
const (
	KindModule    = 2
	KindNamespace = 3
	KindClass     = 5
	KindProperty  = 7
	KindFunction  = 12
	KindVariable  = 13
	KindConstant  = 14
	KindNumber    = 16
	KindEnum      = 10
	KindParameter = 26
)

// The kinds of completions.
const (
	CompleteFunction = 3
	CompleteVariable = 6
	CompleteModule   = 9
	CompleteProperty = 10
	CompleteKeyword  = 14
	CompleteSnippet  = 15
	CompleteConstant = 21
	CompleteOperator = 24
)
