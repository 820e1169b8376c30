// Package seam defines the boundaries that contain internal errors. An error costs only the
// answer behind its boundary, which is then reported as missing.
//
// Go can recover from a panic, but not from an exhausted stack or memory. These need explicit
// limits; exceeding one ends with Exceeded.
package seam

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
)

// Seam names a kind of boundary.
type Seam string

// The seams. A test finds them here, and wants a case for each.
const (
	Text           Seam = "text"           // what is understood of one file
	Obligation     Seam = "obligation"     // the verdict of one obligation
	Component      Seam = "component"      // the obligations of one component
	Exploration    Seam = "exploration"    // the states of one machine
	Scenario       Seam = "scenario"       // what became of one scenario
	Inference      Seam = "inference"      // the invariants of one machine
	Tuning         Seam = "tuning"         // the optimum of one entry
	Kernel         Seam = "kernel"         // the verdict of one kernel
	Counterexample Seam = "counterexample" // how one counterexample is shown
	Reachability   Seam = "reachability"   // whether a machine gets into one state
	StoreRead      Seam = "store read"     // what the store remembers of one question
	StoreWrite     Seam = "store write"    // that it remembers one answer
	Renderer       Seam = "renderer"       // one part of a text
	EditorText     Seam = "editor text"    // what is understood of the texts of one editor
	EditorRequest  Seam = "editor request" // the answer to one request of an editor
	EditorShow     Seam = "editor show"    // what an editor is told by itself
	AgentRequest   Seam = "agent request"  // the answer to one request of an agent
	Job            Seam = "job"            // the answer of a worker to one job
)

// Fault is why an answer is missing.
type Fault struct {
	Seam  Seam
	About string // whose answer; "" if the place says it
	Cause any
	Place string // the function that broke off, and its line
}

func (f *Fault) Error() string {
	text := fmt.Sprintf("%v", f.Cause)
	if f.Place != "" {
		text += ", in " + f.Place
	}
	return text
}

// Unwrap returns the cause if that is an error.
func (f *Fault) Unwrap() error {
	err, _ := f.Cause.(error)
	return err
}

// Split takes an error apart that may be several: faults, and the first that is none.
func Split(err error) (faults []*Fault, other error) {
	list := []error{err}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		list = several.Unwrap()
	}
	for _, one := range list {
		if fault, ok := errors.AsType[*Fault](one); ok {
			faults = append(faults, fault)
		} else if one != nil && other == nil {
			other = one
		}
	}
	return faults, other
}

// Exceeded is a panic with which a counted limit ends what would use up memory or the stack.
type Exceeded struct{ What string }

func (e Exceeded) Error() string { return "too much " + e.What }

// Kind is what a test injects.
type Kind int

// The kinds of faults.
const (
	None Kind = iota
	Panic
	Memory    // a counted limit of memory
	Nesting   // a counted limit of nesting
	Cancelled // what is behind the seam is cancelled, and nothing else
)

// hook is nil but in tests.
var hook atomic.Pointer[func(Seam, string) Kind]

// Inject makes each seam that is entered ask which fault it is to have, until the function
// that it returns is called. It is for tests.
func Inject(ask func(seam Seam, about string) Kind) (end func()) {
	hook.Store(&ask)
	return func() { hook.Store(nil) }
}

// Contain runs do, and returns the fault that it broke off with, nil if it did not: then what
// do has made so far counts for nothing.
func Contain(ctx context.Context, s Seam, about string, do func(context.Context)) (fault *Fault) {
	kind := None
	if ask := hook.Load(); ask != nil {
		kind = (*ask)(s, about)
	}
	defer func() {
		if p := recover(); p != nil {
			fault = &Fault{s, about, p, panicked()}
		}
	}()
	switch kind {
	case None:
	case Panic:
		panic("injected")
	case Memory:
		panic(Exceeded{"memory"})
	case Nesting:
		panic(Exceeded{"nesting"})
	case Cancelled:
		inner, cancel := context.WithCancel(ctx)
		cancel()
		do(inner)
		return &Fault{Seam: s, About: about, Cause: context.Canceled}
	}
	do(ctx)
	return nil
}

// Read runs read, which makes something of one text that others need: a fault is its error.
func Read[T any](about string, read func() (T, error)) (out T, err error) {
	fault := Contain(context.Background(), Text, about, func(context.Context) { out, err = read() })
	if fault != nil {
		var nothing T
		return nothing, fmt.Errorf("%s: internal error: %w; please report it with this file", about, fault)
	}
	return out, err
}

// panicked names the function that panicked, and its line. It is called by the
// function that recovers, when the stack still stands.
func panicked() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	below := false // the frames of the runtime that raise the panic have been seen
	for {
		f, more := frames.Next()
		if f.Function == "runtime.gopanic" {
			below = true
		} else if below && !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf("%s, line %d", f.Function[strings.LastIndex(f.Function, "/")+1:], f.Line)
		}
		if !more {
			return "an unknown place"
		}
	}
}
