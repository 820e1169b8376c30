package explore

import (
	"context"
	"fmt"
	"runtime/debug"
)

// Fault is an error of the explorer itself. It costs the machine that it happens
// on, nothing else.
type Fault struct {
	Machine string
	Cause   any
	Stack   []byte // where it happened
}

func (f *Fault) Error() string {
	return fmt.Sprintf("internal fault while machine %s was explored (%v); please report it with the model", f.Machine, f.Cause)
}

// Unwrap returns the cause if that is an error.
func (f *Fault) Unwrap() error {
	err, _ := f.Cause.(error)
	return err
}

// contain makes an error of what a search panics with.
func contain(machine string, err *error) {
	switch p := recover().(type) {
	case nil:
	case limitReached:
		*err = fmt.Errorf("machine %s: %s ended the search", machine, p.what)
	case *Fault:
		p.Machine, *err = machine, p
	default:
		*err = &Fault{machine, p, debug.Stack()}
	}
}

// short runs fn, and returns the limit that ended it; "" if none did. A panic
// comes back as a fault that says where it was, for the goroutine that waits.
func short(fn func()) (limit string, fault *Fault) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case limitReached:
			limit = p.what
		case *Fault:
			fault = p
		default:
			fault = &Fault{Cause: p, Stack: debug.Stack()}
		}
	}()
	fn()
	return "", nil
}

// limited is short for what runs in the goroutine of the search.
func limited(fn func()) (limit string) {
	limit, fault := short(fn)
	if fault != nil {
		panic(fault)
	}
	return limit
}

// interrupted ends what is under way if its context, which may be nil, has ended.
func interrupted(ctx context.Context) {
	if ctx != nil && ctx.Err() != nil {
		panic(limitReached{whyEnded(ctx)})
	}
}
