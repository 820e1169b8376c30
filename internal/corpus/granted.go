package corpus

import (
	"context"
	"sync/atomic"
)

// Granted returns a context that ends once it has been asked n times whether it has. Searches ask after so many steps, so that
// it grants them work, and no time: a test ends there alike on a busy machine. Contexts that are derived from it do not end with it.
func Granted(n int64) context.Context {
	g := &granted{Context: context.Background()}
	g.left.Store(n)
	return g
}

type granted struct {
	context.Context
	left atomic.Int64
}

// Err counts, and is that of a deadline at the end.
func (g *granted) Err() error {
	if g.left.Add(-1) < 0 {
		return context.DeadlineExceeded
	}
	return nil
}
