package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/po"
)

// Kernels writes the verdicts of kernels: one line a kernel and one a failed check,
// or one JSON object a kernel.
type Kernels struct {
	w     io.Writer
	jsonl bool
}

// NewKernels writes to w.
func NewKernels(w io.Writer, jsonl bool) *Kernels { return &Kernels{w, jsonl} }

// Put writes one kernel.
func (k *Kernels) Put(r gpu.Report) error {
	if k.jsonl {
		return json.NewEncoder(k.w).Encode(r)
	}
	var b strings.Builder
	name := r.Kernel
	if name == "" {
		name = "-"
	}
	fmt.Fprintf(&b, "%-11s %s:%d:%d  %s", r.Verdict, r.File, max(1, r.Line), max(1, r.Col), name)
	if r.Why != "" {
		fmt.Fprintf(&b, ": %s", r.Why)
	}
	b.WriteByte('\n')
	for _, c := range r.Checks {
		if c.Verdict.Holds() {
			continue
		}
		fmt.Fprintf(&b, "    %-8s %s:%d:%d  %s: %s\n", c.Verdict, r.File, c.Line, c.Col, c.Kind, c.Why)
		if c.Replayed != "" {
			fmt.Fprintf(&b, "             run   %s\n", c.Replayed)
		}
		if v := c.Violation; v != nil {
			for _, group := range []struct {
				name string
				of   []string
			}{{"with", bound(v.Constants)}, {"state", bound(v.Before)}} {
				if len(group.of) > 0 {
					fmt.Fprintf(&b, "             %-5s %s\n", group.name, strings.Join(group.of, ", "))
				}
			}
		}
	}
	_, err := io.WriteString(k.w, b.String())
	return err
}

// inKernel says what an obligation is about in the source of a kernel; "" if it is about none.
func inKernel(o *po.Obligation) string {
	if o.Event == nil || !o.Event.Path {
		return ""
	}
	at := o.Event.Origin
	if o.Predicate != nil && o.Predicate.Origin.Event != "" {
		at = o.Predicate.Origin
	}
	return strings.TrimSuffix(at.Span.String()+": "+at.Doc, ": ")
}

// bound writes names with their values; the types of integers say nothing.
func bound(bs []discharge.Binding) []string {
	var out []string
	for _, b := range bs {
		out = append(out, b.Name+" = "+b.Value)
	}
	return out
}
