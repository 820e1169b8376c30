package explore

import (
	"fmt"
	"runtime/debug"

	"github.com/gradine/gradine/explore/internal/unwind"
)

// contain makes an error of what a search panics with.
func contain(machine string, err *error) {
	switch p := recover().(type) {
	case nil:
	case unwind.Limit:
		*err = fmt.Errorf("machine %s: %s ended the search", machine, p.What)
	case *unwind.Fault:
		p.Machine, *err = machine, p
	default:
		*err = &unwind.Fault{Machine: machine, Cause: p, Stack: debug.Stack()}
	}
}
