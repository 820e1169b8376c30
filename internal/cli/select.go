package cli

import (
	"strings"

	"github.com/gradine/gradine/po"
)

// selectionHelp says how elements are named on the command line, for --help.
const selectionHelp = `An ELEMENT consists of consecutive parts of a full name PROJECT/COMPONENT/EVENT/LABEL/KIND; * matches any text.
Examples are a project, a component, an event, a label, a kind such as INV, inc/*/GRD, and */DLF. If nothing
matches, parts may be skipped: COMPONENT/LABEL also matches COMPONENT/EVENT/LABEL.`

// firstNames lists some of several obligations.
func firstNames(obligations []*po.Obligation) string {
	var names []string
	for _, o := range obligations[:min(3, len(obligations))] {
		names = append(names, o.Path())
	}
	if len(names) == 0 {
		return ""
	}
	return ", such as " + strings.Join(names, ", ")
}
