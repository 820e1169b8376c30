// Package memory bounds the memory of commands that search much: searches use little and throw
// away much. No result depends on it.
package memory

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// bytes is the memory that a command takes before the collector works harder than it is set to: the largest searches would
// else leave some 600 MB behind, and a project of 5,000 components 900 MB.
const bytes = 380 << 20

// rarely is how much garbage, in percent of what is in use, may collect below that bound.
const rarely = 400

// Bound limits the memory of the process until the function it returns is called: to 380 MB or, if more than half of that is in
// use, to twice what is in use. So the collector never works more than it does by Go's default. GOMEMLIMIT and
// GOGC override that.
func Bound() (unbound func()) { return bound(bytes) }

func bound(least int64) (unbound func()) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	limit := debug.SetMemoryLimit(least)
	ended := loosen(least)
	restore := func() {
		ended()
		debug.SetMemoryLimit(limit)
	}
	if os.Getenv("GOGC") != "" {
		return restore
	}
	percent := debug.SetGCPercent(rarely)
	return func() {
		debug.SetGCPercent(percent)
		restore()
	}
}

// cycle is garbage at once: its cleanup runs after each collection.
type cycle struct{ _ [16]byte }

// loosen sets the limit after each collection, by what that found in use, until the function it returns is called. A limit
// below what is in use would have the collector run without a pause.
func loosen(least int64) (ended func()) {
	var mu sync.Mutex
	over := false
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	var again func(struct{})
	arm := func() { runtime.AddCleanup(&cycle{}, again, struct{}{}) }
	again = func(struct{}) {
		mu.Lock()
		defer mu.Unlock()
		if over {
			return
		}
		metrics.Read(sample)
		debug.SetMemoryLimit(max(least, 2*int64(sample[0].Value.Uint64())))
		arm()
	}
	arm()
	return func() {
		mu.Lock()
		defer mu.Unlock()
		over = true
	}
}
