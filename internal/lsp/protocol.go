package lsp

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
		Workspace struct {
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
