package random

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Certificate returns a certificate changed in one or two places: words, numbers, signs, or lines.
// Words are replaced by others of the text or of extra, numbers mostly by near ones. It also
// returns the first words of the lines that it changed.
func Certificate(r *rand.Rand, text string, extra ...string) (mutant string, kinds []string) {
	lines := strings.Split(text, "\n")
	for range 1 + r.IntN(2) {
		i := r.IntN(len(lines))
		first, _, _ := strings.Cut(lines[i], " ")
		kinds = append(kinds, first)
		switch r.IntN(12) {
		case 0:
			lines = slices.Delete(lines, i, i+1)
			if len(lines) == 0 {
				return "", kinds
			}
		case 1:
			lines[i] = one(r, lines...)
		case 2:
			j := r.IntN(len(lines))
			lines[i], lines[j] = lines[j], lines[i]
		default:
			words := strings.Split(lines[i], " ")
			k := r.IntN(len(words))
			words[k] = word(r, words[k], lines, extra)
			lines[i] = strings.Join(words, " ")
		}
	}
	return strings.Join(lines, "\n"), kinds
}

// word returns another word in place of w.
func word(r *rand.Rand, w string, lines, extra []string) string {
	sign := ""
	if strings.HasPrefix(w, "+") || strings.HasPrefix(w, "-") {
		sign, w = w[:1], w[1:]
		if r.IntN(3) == 0 {
			return one(r, "+", "-", "") + w
		}
	}
	if n, err := strconv.Atoi(w); err == nil {
		return sign + one(r, strconv.Itoa(max(0, n-1)), strconv.Itoa(n+1), strconv.Itoa(r.IntN(n+2)), "0", "1", "-1", "99999999999999999999")
	}
	if len(extra) > 0 && r.IntN(3) == 0 {
		return one(r, extra...)
	}
	return one(r, strings.Split(one(r, lines...), " ")...)
}
