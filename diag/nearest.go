package diag

import "strings"

// Nearest is the candidate that word is most likely a misspelling of: the first
// of those with the fewest letters changed, left out, added or swapped, upper and
// lower case being equal unless two are as near. It is "" if all are too far away.
func Nearest(word string, candidates []string) string {
	best, least := "", tolerance(word)+1
	for _, c := range candidates {
		if c == word {
			continue
		}
		d := distance(strings.ToLower(word), strings.ToLower(c), least+1)
		if d < least || d == least && best != "" && distance(word, c, maxWord) < distance(word, best, maxWord) {
			best, least = c, d
		}
	}
	return best
}

// maxWord bounds the distance of words, which are as different as they can be beyond it.
const maxWord = 100

// DidYouMean is a sentence about the nearest of candidates, or "".
func DidYouMean(word string, candidates []string) string {
	if c := Nearest(word, candidates); c != "" {
		return "did you mean `" + c + "`?"
	}
	return ""
}

// tolerance is how many mistakes a word may hold: short names differ from each
// other by one letter on purpose, so that one is not a hint.
func tolerance(word string) int {
	switch n := len([]rune(word)); {
	case n <= 2:
		return 0
	case n <= 4:
		return 1
	case n <= 8:
		return 2
	}
	return 3
}

// distance is the number of mistakes between a and b: letters changed, left out,
// added, or swapped with their neighbours; at most the bound.
func distance(a, b string, bound int) int {
	s, t := []rune(a), []rune(b)
	if abs := len(s) - len(t); abs >= bound || -abs >= bound {
		return bound
	}
	var before []int // the row before the last
	last := make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := range s {
		row := make([]int, len(t)+1)
		row[0] = i + 1
		for j := range t {
			change := 1
			if s[i] == t[j] {
				change = 0
			}
			row[j+1] = min(last[j]+change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && s[i] == t[j-1] && s[i-1] == t[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return min(last[len(t)], bound)
}
