package corpus

import "time"

// Fuse is when a test gives up what it waits for. It ends what hangs, with a word of what that was, and decides nothing
// else: whatever is waited for takes seconds at most, on a machine that is fifty times as slow, too. What else tests do with
// the clock is listed by a test of internal/layers.
const Fuse = 5 * time.Minute

// Until asks until the answer is yes, and reports whether it was before the fuse.
func Until(ok func() bool) bool {
	for end := time.Now().Add(Fuse); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}
