package rodin

import (
	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang/rules"
)

// Codes of the diagnostics of this package; package rules explains them.
const (
	BadXML       = "GR0901"
	BadEncoding  = "GR0902"
	NotRodin     = "GR0903"
	TooLarge     = "GR0904"
	NewerVersion = "GR0905"
	BadValue     = "GR0906"
	Unreadable   = "GR0907"
	Unread       = "GR0908"
	Foreigner    = "GR0909"
	Namesake     = "GR0910"
)

func diagnostic(code string, span diag.Span, msg string) diag.Diagnostic {
	r, _ := rules.Of(code)
	return diag.Diagnostic{Code: code, Severity: r.Severity, Span: span, Message: msg}
}
