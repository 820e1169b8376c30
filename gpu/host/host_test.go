package host_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gradine/gradine/gpu/host"
	"github.com/gradine/gradine/internal/golden"
)

// A table is a module of a host; what it shows are its launches, with all that is known of them.
func TestLaunches(t *testing.T) {
	golden.Tables(t, func(t *testing.T, in string) string {
		launches, problem := host.Launches("k.ll", []byte(in))
		if problem != nil {
			return fmt.Sprintf("%d:%d: %s", problem.Line, problem.Col, problem.Construct)
		}
		var out strings.Builder
		for _, l := range launches {
			fmt.Fprintf(&out, "launch of %s%s at %d:%d\n", l.Symbol, l.Name, l.Line, l.Col)
			if l.Why != "" {
				fmt.Fprintf(&out, "  not understood: %s\n", l.Why)
				continue
			}
			fmt.Fprintf(&out, "  %s\n  certain %t, arguments known %t\n", l.Text(), l.Certain, l.ArgsKnown)
			for i, a := range l.Args {
				fmt.Fprintf(&out, "  argument %d: %s\n", i, argument(a))
			}
			for _, f := range l.Facts {
				fmt.Fprintf(&out, "  fact: %s\n", f)
			}
			if l.Overlap != "" {
				fmt.Fprintf(&out, "  may overlap: %s\n", l.Overlap)
			}
		}
		return out.String()
	})
}

func argument(a host.Argument) string {
	switch {
	case a.Ptr != nil:
		return fmt.Sprintf("%d bytes, pointer to %s, %s bytes, from %s", a.Size, a.Ptr.Root.Name, a.Ptr.Root.Bytes, a.Ptr.Off)
	case a.Num != nil:
		return fmt.Sprintf("%d bytes, %s", a.Size, a.Num)
	}
	return fmt.Sprintf("%d bytes", a.Size)
}
