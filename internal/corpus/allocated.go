package corpus

import "runtime"

// Allocated returns the bytes that do allocates. They stand for work where a test may not
// look at the clock: unlike time they do not depend on what else a machine does, as long as
// no other test runs in the same process at the same time.
func Allocated(do func()) int64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return int64(after.TotalAlloc - before.TotalAlloc)
}
