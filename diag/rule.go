package diag

// Rule is one rule that the input has to keep, named by a stable code.
type Rule struct {
	Code        string
	Severity    Severity
	Rodin       string // Rodin's identifier of the same problem, without its prefix; "" if it has none
	Title       string
	Explanation string
	Also        []string // codes that come with it, in the example at least

	// Example is a text file that breaks this rule, and none besides it and Also; or
	// an archive of files, with lines -- name -- between them; or "".
	Example string
}

// RodinID is Rodin's identifier of the problem, or "".
func (r Rule) RodinID() string {
	if r.Rodin == "" {
		return ""
	}
	return "org.eventb.core." + r.Rodin
}
