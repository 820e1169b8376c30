package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/gpu"
	"github.com/gradine/gradine/gpu/encode"
	"github.com/gradine/gradine/internal/report/sarif"
	"github.com/gradine/gradine/po"
)

// Kernels writes the verdicts of kernels: one line a kernel and one a failed check,
// or one JSON object a kernel.
type Kernels struct {
	w      io.Writer
	format string // text, jsonl, sarif
	dir    string // that the names of files are relative to
	root   string // that those in SARIF are to be relative to
	found  []finding

	Baseline *Baseline  // findings that are accepted, nil if there is none
	Summary  bool       // one line a file instead
	files    []*summary // in the order in which they were judged
}

// summary counts the kernels of a file by verdict.
type summary struct {
	file     string
	verdicts map[gpu.Verdict]int
	accepted int
}

// NewKernels writes to w. Names of files are relative to dir; in SARIF they become relative to root.
func NewKernels(w io.Writer, format, dir, root string) *Kernels {
	return &Kernels{w: w, format: format, dir: dir, root: root}
}

// Close writes what has to stand in one document.
func (k *Kernels) Close() error {
	if k.format == "sarif" {
		return writeSARIF(k.w, k.root, "gradine/kernel", k.found, nil)
	}
	if k.format != "text" {
		return nil
	}
	var b strings.Builder
	for _, f := range k.files {
		if k.Summary {
			fmt.Fprintf(&b, "%s: %s\n", f.file, f.text())
		}
	}
	if k.Baseline != nil {
		fmt.Fprintf(&b, "%s\n", Count(k.Baseline.Accepted(), "accepted finding"))
	}
	_, err := io.WriteString(k.w, b.String())
	return err
}

// text says how many kernels of a file have which verdict.
func (s *summary) text() string {
	var parts []string
	for _, v := range []gpu.Verdict{gpu.Unsafe, gpu.Possible, gpu.Open, gpu.Unsupported, gpu.Bounded, gpu.Safe} {
		if n := s.verdicts[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	if s.accepted > 0 {
		parts = append(parts, Count(s.accepted, "accepted finding"))
	}
	return strings.Join(parts, ", ")
}

// count adds a kernel to the summary of its file.
func (k *Kernels) count(r gpu.Report, accepted int) {
	i := slices.IndexFunc(k.files, func(s *summary) bool { return s.file == r.File })
	if i < 0 {
		i = len(k.files)
		k.files = append(k.files, &summary{file: r.File, verdicts: map[gpu.Verdict]int{}})
	}
	k.files[i].verdicts[r.Verdict]++
	k.files[i].accepted += accepted
}

// lineIn is a line that a reason names.
var lineIn = regexp.MustCompile(` in line \d+`)

// findingsOf are what speaks against a kernel. Its file has a name in their keys that is the same from wherever gradine runs.
func (k *Kernels) findingsOf(r gpu.Report) (out []finding) {
	seen := map[string]int{}
	file := k.name(r.File)
	place := func(line, col int) diag.Span { return diag.Span{File: r.File, Line: max(1, line), Col: max(1, col)} }
	for n, c := range r.Checks {
		if c.Verdict.Holds() {
			continue
		}
		f := finding{check: n, rule: &rule{id: c.Kind}, at: place(c.Line, c.Col), level: sarif.Warning, text: fmt.Sprintf("%s: %s is %s: %s", r.Kernel, c.Kind, c.Verdict, c.Why)}
		// Lines are not part of the key: they move, and the finding is the same.
		f.key = strings.Join([]string{file, r.Kernel, c.Kind, lineIn.ReplaceAllString(c.Why, "")}, "/")
		if seen[f.key]++; seen[f.key] > 1 { // the second one of its kind is another finding
			f.key = fmt.Sprintf("%s/%d", f.key, seen[f.key])
		}
		if r.Verdict == gpu.Unsafe && (c.Replayed != "" || c.Verdict == verdict.Refuted) {
			f.level = sarif.Error
		}
		if c.Replayed != "" {
			f.text += "\nrun: " + c.Replayed
		}
		for _, l := range sceneLines(c.Counterexample) {
			f.text += "\n" + l.name + ": " + l.text
		}
		out = append(out, f)
	}
	// A kernel that was not read, or is only possibly unsafe, must not look as if nothing was found.
	if r.Verdict != gpu.Safe && len(out) == 0 {
		f := finding{check: -1, rule: &rule{id: "kernel"}, at: place(r.Line, r.Col), level: sarif.Warning, text: fmt.Sprintf("%s is %s: %s", cmp.Or(r.Kernel, "the file"), r.Verdict, r.Why)}
		f.key = strings.Join([]string{file, r.Kernel, string(r.Verdict)}, "/")
		out = append(out, f)
	}
	return out
}

// name is a file relative to the root, with slashes, if it is below.
func (k *Kernels) name(file string) string {
	at := file
	if !filepath.IsAbs(at) {
		at = filepath.Join(k.dir, at)
	}
	if rel, err := filepath.Rel(k.root, at); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(file)
}

// Put writes one kernel, and reports whether all that speaks against it is accepted; source is the text of its file.
func (k *Kernels) Put(r gpu.Report, source []byte) (accepted bool, err error) {
	found := k.findingsOf(r)
	n := 0
	if k.Baseline != nil {
		n = k.Baseline.judge(k.name(r.File), &r, found, source)
	}
	k.count(r, n)
	return len(found) > 0 && n == len(found) && r.Fault == "", k.write(r, found)
}

func (k *Kernels) write(r gpu.Report, found []finding) error {
	switch {
	case k.format == "jsonl":
		return json.NewEncoder(k.w).Encode(r)
	case k.format == "sarif":
		// A run of SARIF is one document, which is written when all kernels are known.
		for _, f := range found {
			if !filepath.IsAbs(f.at.File) {
				f.at.File = filepath.Join(k.dir, f.at.File)
			}
			k.found = append(k.found, f)
		}
		return nil
	case k.Summary:
		return nil
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
	if r.Other != "" {
		fmt.Fprintf(&b, "    differs  %s\n", r.Other)
	}
	said := func(check int) {
		for _, f := range found {
			switch {
			case f.check != check:
			case f.accepted != "":
				fmt.Fprintf(&b, "    accepted %s\n", f.accepted)
			case f.baseline == "updated":
				fmt.Fprintf(&b, "    changed  the kernel, or its launch, has changed since this finding was accepted\n")
			}
		}
	}
	said(-1)
	for n, c := range r.Checks {
		if c.Verdict.Holds() {
			continue
		}
		fmt.Fprintf(&b, "    %-8s %s:%d:%d  %s: %s\n", c.Verdict, r.File, c.Line, c.Col, c.Kind, c.Why)
		if c.Replayed != "" {
			fmt.Fprintf(&b, "             run     %s\n", c.Replayed)
		}
		for _, l := range sceneLines(c.Counterexample) {
			fmt.Fprintf(&b, "             %-7s %s\n", l.name, l.text)
		}
		said(n)
	}
	_, err := io.WriteString(k.w, b.String())
	return err
}

// Advice writes what was found out about a kernel, in a line or as a JSON object.
func Advice(w io.Writer, a gpu.Advice, jsonl bool) error {
	if jsonl {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return enc.Encode(a)
	}
	assuming := ""
	if a.Assuming != "" {
		assuming = " (assuming " + a.Assuming + ")"
	}
	_, err := fmt.Fprintf(w, "%-11s %s:%d:%d  %s: %s%s\n", a.What, a.File, max(1, a.Line), max(1, a.Col), cmp.Or(a.Kernel, "-"), a.Text, assuming)
	for _, i := range a.Intervals {
		note := ""
		if !i.Same() {
			note = "   (varies between threads)"
		}
		fmt.Fprintf(w, "            %s times: global %s, local %s%s\n", i.Times, i.Global, i.Local, note)
	}
	if a.Block != nil {
		block(w, a.Block)
	}
	return err
}

// block prints what a block of threads does.
func block(w io.Writer, b *gpu.Block) {
	say := func(format string, args ...any) { fmt.Fprintf(w, "            "+format+"\n", args...) }
	certainty := map[string]string{"exact": "exact", "bounds": "upper bounds", "partial": "not all is counted"}[b.Certainty]
	say("%s; shared memory %d bytes, barriers %s", certainty, b.Shared, b.Barriers)
	say("registers for the values of a thread: %s (an estimate)", b.Registers)
	if n := b.Before.Bytes + b.Behind.Bytes; n > 0 {
		say("global memory: %s asked for, %d distinct, in %s of 128 bytes", Count(int(b.Before.Asked+b.Behind.Asked), "byte"), n, Count(int(b.Touched), "line"))
	}
	work := func(when string, x gpu.BlockWork) {
		if x != (gpu.BlockWork{}) {
			say("%s, in warps: float %d, special %d, double %d, integer %d, turns of shared memory %d, lines of global memory %d; %s", when, x.Float, x.Special, x.Double, x.Integer, x.Shared, x.Global, Count(int(x.Bytes), "byte"))
		}
	}
	work("before the first barrier", b.Before)
	// Without a barrier the work has one part only.
	if b.Barriers == (gpu.Between{}) {
		work("work", b.Behind)
	} else {
		work("behind it", b.Behind)
	}
	for _, x := range b.Accesses {
		how := ""
		switch x.Space {
		case "shared":
			how = fmt.Sprintf(", %s turns", x.Turns)
		case "local":
		default:
			how = fmt.Sprintf(", %s lines", x.Lines)
		}
		if x.Stride != "" {
			how += ", stride " + x.Stride
		}
		say("%d:%d %s of %s (%s, %s): by %s threads, %s warps%s", x.Line, x.Col, x.Kind, x.Object, x.Space, Count(int(x.Bytes), "byte"), x.Threads, x.Warps, how)
	}
	for _, l := range b.Loops {
		unrolled := ""
		if l.Unrolled {
			unrolled = ", unrolled"
		}
		say("%d:%d loop: %s rounds%s", l.Line, l.Col, l.Rounds, unrolled)
	}
	for _, n := range b.Notes {
		say("%s", n)
	}
}

// Check says which check of a kernel an obligation is, and where; file is "" if it is none.
func Check(o *po.Obligation) (file string, line int, what string) {
	if o.Predicate == nil || o.Predicate.Origin.Doc == "" || o.Predicate.Origin.Event == "" || o.Event == nil || !o.Event.Path || o.Kind != po.THM {
		return "", 0, ""
	}
	at := o.Predicate.Origin
	return at.Span.File, at.Span.Line, at.Doc
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

// sceneLine is one thing that is told of a counterexample.
type sceneLine struct{ name, text string }

// sceneLines tell a counterexample in the words of the source: the threads, the launch, and what each thread holds.
func sceneLines(s *encode.Scene) (out []sceneLine) {
	if s == nil {
		return nil
	}
	one, two := s.Threads[0], s.Threads[1]
	threads := tuples(one.Id, two.Id)
	groups := tuples(one.Group, two.Group)
	// Two threads of one group, one thread with itself (an index out of bounds), or threads of two groups.
	word, text := "threads", fmt.Sprintf("%s and %s of group %s", threads[0], threads[1], groups[0])
	if one.Id == two.Id && one.Group == two.Group {
		word, text = "thread", fmt.Sprintf("%s of group %s", threads[0], groups[0])
	}
	if one.Group != two.Group {
		text = fmt.Sprintf("%s of group %s, and %s of group %s", threads[0], groups[0], threads[1], groups[1])
	}
	out = append(out, sceneLine{word, text})
	if launch := named(append(slices.Clone(s.Launch), s.Parameters...)); launch != "" {
		out = append(out, sceneLine{"launch", launch})
	}
	first := one.Variables
	if s.Offset != "" {
		first = append([]encode.Value{{Name: "offset", Value: s.Offset}}, first...)
	}
	for i, variables := range [][]encode.Value{first, two.Variables} {
		if text := named(variables); text != "" {
			out = append(out, sceneLine{[]string{"first", "second"}[i], text})
		}
	}
	return out
}

// tuples writes ids without the dimensions in which all of them are 0.
func tuples(ids ...[3]string) (out []string) {
	most := 1
	for _, id := range ids {
		for d, n := range id {
			if n != "0" {
				most = max(most, d+1)
			}
		}
	}
	for _, id := range ids {
		text := strings.Join(id[:most], ", ")
		if most > 1 {
			text = "(" + text + ")"
		}
		out = append(out, text)
	}
	return out
}

// named writes names with their values.
func named(values []encode.Value) string {
	var out []string
	for _, v := range values {
		out = append(out, v.Name+" = "+v.Value)
	}
	return strings.Join(out, ", ")
}
