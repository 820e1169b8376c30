package diag

// Rule is one rule that the input must satisfy, named by a stable code.
type Rule struct {
	Code        string
	Severity    Severity
	Rodin       string // Rodin's identifier of the same problem, without its prefix; "" if it has none
	Title       string
	Explanation string   // what it means, and what gradine does about it
	Fix         string   // what the author can do
	Also        []string // codes that come with it, in the example at least

	// Example is a text file that violates only this rule and those in Also; or an
	// archive of files, separated by lines -- name --; or "".
	Example string
}

// RodinID is Rodin's identifier of the problem, or "".
func (r Rule) RodinID() string {
	if r.Rodin == "" {
		return ""
	}
	return "org.eventb.core." + r.Rodin
}
