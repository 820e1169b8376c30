package lang

import "strconv"

// Numbered returns labels in which those that a text file leaves out are there:
// prefix with the position, or the next number that is neither given nor used.
func Numbered(prefix string, labels []Name, used func(string) bool) []Name {
	out := make([]Name, len(labels))
	taken := map[string]bool{}
	for i, l := range labels {
		out[i] = l
		taken[l.Text] = true
	}
	for i := range out {
		if !out[i].Absent {
			continue
		}
		n := i + 1
		name := prefix + strconv.Itoa(n)
		for taken[name] || used(name) {
			n++
			name = prefix + strconv.Itoa(n)
		}
		taken[name] = true
		out[i].Text, out[i].Absent = name, false
	}
	return out
}
