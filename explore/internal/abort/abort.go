// Package abort ends an evaluation or a search on an undefined value, a limit or an internal
// error.
//
// NoValue unwinds to the innermost caller that catches it. No code in between continues with
// an undefined value, so only the few callers that catch it must handle the case.
package abort

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
)

// noValue unwinds an evaluation.
type noValue struct{ why string }

// NoValue ends the evaluation of something that has no value.
func NoValue(why string) { panic(&noValue{why}) }

// Try runs fn and returns why the evaluation had no value, or "".
func Try(fn func()) (why string) {
	defer func() {
		if r := recover(); r != nil {
			why = Why(r)
		}
	}()
	fn()
	return ""
}

// Why returns why there is no value, if that is what a panic is about.
func Why(r any) string {
	if n, ok := r.(*noValue); ok {
		return n.why
	}
	panic(r)
}

// Limit ends a search with the verdict bounded.
type Limit struct{ What string }

// Ended says why a context has ended.
func Ended(ctx context.Context) string {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return "time"
	}
	return "interrupted"
}

// Fault is an error of the explorer itself. It costs the machine that it happens
// on, nothing else.
type Fault struct {
	Machine string
	Cause   any
	Stack   []byte // where it happened
}

func (f *Fault) Error() string {
	return fmt.Sprintf("internal error while machine %s was explored (%v); please report it with the model", f.Machine, f.Cause)
}

// Unwrap returns the cause if that is an error.
func (f *Fault) Unwrap() error {
	err, _ := f.Cause.(error)
	return err
}

// Caught runs fn, and returns the limit that ended it; "" if none did. A panic
// comes back as a fault that says where it was, for the goroutine that waits.
func Caught(fn func()) (limit string, fault *Fault) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case Limit:
			limit = p.What
		case *Fault:
			fault = p
		default:
			fault = &Fault{Cause: p, Stack: debug.Stack()}
		}
	}()
	fn()
	return "", nil
}

// Bounded is short for what runs in the goroutine of the search.
func Bounded(fn func()) (limit string) {
	limit, fault := Caught(fn)
	if fault != nil {
		panic(fault)
	}
	return limit
}

// Contain makes an error of what the exploration of a machine panics with; it is to be
// deferred.
func Contain(machine string, err *error) {
	switch p := recover().(type) {
	case nil:
	case Limit:
		*err = fmt.Errorf("machine %s: %s ended the search", machine, p.What)
	case *Fault:
		p.Machine, *err = machine, p
	default:
		*err = &Fault{Machine: machine, Cause: p, Stack: debug.Stack()}
	}
}

// Check ends what is under way if its context, which may be nil, has ended.
func Check(ctx context.Context) {
	if ctx != nil && ctx.Err() != nil {
		panic(Limit{Ended(ctx)})
	}
}
