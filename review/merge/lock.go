package merge

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Lock joins two edits of a lock of proofs: a line is there if a side added it, or
// if no side removed it. Lines about other sequents say nothing, so two lines for
// one obligation do no harm until the lock is written again.
func Lock(base, ours, theirs []byte) []byte {
	lines := func(data []byte) []string { return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") }
	was, a, b := lines(base), lines(ours), lines(theirs)
	has := func(list []string) map[string]bool {
		out := map[string]bool{}
		for _, x := range list {
			out[x] = true
		}
		return out
	}
	inBase, inOurs, inTheirs := has(was), has(a), has(b)
	var header, out []string
	for _, x := range append(slices.Clone(a), b...) {
		switch {
		case strings.HasPrefix(x, "#"):
			header = append(header, x)
		case x != "" && (inOurs[x] && inTheirs[x] || !inBase[x]):
			out = append(out, x)
		}
	}
	// The first field alone orders a lock; the rest makes the order total.
	slices.SortFunc(out, func(x, y string) int { return cmp.Or(cmp.Compare(obligation(x), obligation(y)), cmp.Compare(x, y)) })
	out = slices.Compact(out)
	return []byte(strings.Join(append(slices.Compact(header[:min(1, len(header))]), out...), "\n") + "\n")
}

// obligation is the name that a line of a lock begins with, without quotes.
func obligation(line string) string {
	name, _, _ := strings.Cut(line, "\t")
	if plain, err := strconv.Unquote(name); err == nil {
		return plain
	}
	return name
}
