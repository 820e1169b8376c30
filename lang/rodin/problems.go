package rodin

import (
	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
)

// Codes of the diagnostics of this package.
const (
	BadXML       = "GR0901"
	BadEncoding  = "GR0902"
	NotRodin     = "GR0903"
	TooLarge     = "GR0904"
	NewerVersion = "GR0905" // a warning
	BadValue     = "GR0906"
	Unreadable   = "GR0907"
	Unread       = "GR0908" // a warning
	Foreigner    = "GR0909" // a warning
)

// Rules explains the codes of this package. Examples are the text of a machine
// file; the limits and the file system have none.
var Rules = []lang.Rule{
	{
		Code:        BadXML,
		Title:       "Not well-formed XML",
		Explanation: "A .buc or .bum file must be one well-formed XML document without a document type declaration; entities of its own are refused, as they can expand without bound. The file is left out.",
		Example:     "<!DOCTYPE a [<!ENTITY x \"xx\">]>\n<org.eventb.core.machineFile version=\"5\" org.eventb.core.comment=\"&x;\"/>",
	},
	{
		Code:        BadEncoding,
		Title:       "Rodin file in another encoding than UTF-8",
		Explanation: "Rodin writes its files in UTF-8. Save the file as UTF-8; it is left out.",
		Example:     "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<org.eventb.core.machineFile version=\"5\"/>",
	},
	{
		Code:        NotRodin,
		Title:       "Not the file that its extension says",
		Explanation: "The root element of a .buc file is a context, that of a .bum file a machine. The file is left out.",
		Example:     "<org.eventb.core.contextFile version=\"3\"/>",
	},
	{
		Code:        TooLarge,
		Title:       "Rodin file too large",
		Explanation: "A file may have 64 MB, unpacked, and elements nested 16 deep. The file is left out.",
	},
	{
		Code:        NewerVersion,
		Title:       "Rodin file of a newer version",
		Explanation: "The file was written by a Rodin with a newer file format. It is read as if it had the newest format known; what is new in it is lost, so the component is inaccurate.",
		Example:     "<org.eventb.core.machineFile version=\"6\" org.eventb.core.configuration=\"org.eventb.core.fwd\"/>",
	},
	{
		Code:        BadValue,
		Title:       "Attribute with an impossible value",
		Explanation: "The convergence of an event is 0 (ordinary), 1 (convergent) or 2 (anticipated), and the attributes extended and theorem are true or false. Any other value is read as if the attribute were absent.",
		Example:     "<org.eventb.core.machineFile version=\"5\">\n<org.eventb.core.event name=\"e\" org.eventb.core.label=\"e\" org.eventb.core.convergence=\"3\"/>\n</org.eventb.core.machineFile>",
	},
	{
		Code:        Unreadable,
		Title:       "Rodin file that cannot be read",
		Explanation: "The file system or the archive does not give the file: there is no permission, or the archive is damaged. The file is left out.",
	},
	{
		Code:        Unread,
		Title:       "Part of a Rodin file that is not read",
		Explanation: "The element or attribute is no part of a context or machine at this place, nor known to belong to a plug-in that adds nothing to the meaning of models. What it says is lost, so the component is inaccurate.",
		Example:     "<org.eventb.core.machineFile version=\"5\" org.eventb.core.configuration=\"org.eventb.core.fwd\">\n<org.eventb.core.invariants name=\"i\" org.eventb.core.label=\"inv1\" org.eventb.core.predicate=\"1=2\"/>\n</org.eventb.core.machineFile>",
	},
	{
		Code:        Foreigner,
		Title:       "File that is left out",
		Explanation: "Theories (.tuf, .dtf, .tul, .tcl) extend the language of formulas for Rodin's Theory plug-in; gradine does not read them, and a formula that takes something from one has undeclared identifiers. A package that ProB makes of a model is Prolog, though its name ends in .eventb; the model itself is in the Rodin project that it was made of.",
	},
}

func diagnostic(code string, span diag.Span, msg string) diag.Diagnostic {
	d := diag.Diagnostic{Code: code, Span: span, Message: msg}
	if code == NewerVersion || code == Unread || code == Foreigner {
		d.Severity = diag.Warning
	}
	return d
}
