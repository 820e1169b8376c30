package rodin

import "github.com/gradine/gradine/diag"

// Codes of the diagnostics of this package.
const (
	BadXML       = "GR0901" // a file is not well-formed XML, or has a document type
	BadEncoding  = "GR0902" // a file is not encoded in UTF-8
	NotRodin     = "GR0903" // a file has another root element than its extension says
	TooLarge     = "GR0904" // a file passes a limit
	NewerVersion = "GR0905" // a file has a newer version than the newest known
	BadValue     = "GR0906" // an attribute has no allowed value
	Unreadable   = "GR0907" // a file cannot be read
)

var help = map[string]string{
	BadXML:       "restore the file from its repository, or export it from Rodin again",
	BadEncoding:  "save the file as UTF-8",
	NotRodin:     "rename the file, or export it from Rodin again",
	NewerVersion: "read on as the newest known version",
}

func diagnostic(code string, span diag.Span, msg string) diag.Diagnostic {
	d := diag.Diagnostic{Code: code, Span: span, Message: msg, Help: help[code]}
	if code == NewerVersion {
		d.Severity = diag.Warning
	}
	return d
}
