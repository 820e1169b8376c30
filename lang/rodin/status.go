package rodin

import "strconv"

// Status counts the obligations of a component by what Rodin recorded of them
// (.bps files): discharged by Rodin alone, with the help of a person, or not.
type Status struct {
	Auto, Manual, Open int
}

// Confidence from which on Rodin calls an obligation discharged (reference §6.8).
const discharged = 501

// parseStatus reads a .bps file; what it cannot read counts for nothing.
func parseStatus(data []byte) (st Status, ok bool) {
	root, f := parseXML(data, newLineTable("", data))
	if f != nil || root.kind != "psFile" {
		return st, false
	}
	for _, element := range root.children {
		if element.kind != "psStatus" {
			continue
		}
		confidence, err := strconv.Atoi(element.text("confidence"))
		switch {
		case err != nil || confidence < discharged || element.text("psBroken") == "true":
			st.Open++
		case element.text("psManual") == "true":
			st.Manual++
		default:
			st.Auto++
		}
	}
	return st, true
}
