package report

import (
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/discharge/explain"
	"github.com/gradine/gradine/discharge/verdict"
)

// violation writes a counterexample under the obligation that it refutes, one
// name a line.
func violation(out io.Writer, style Style, v *verdict.Violation) {
	if v == nil {
		return
	}
	block := func(what string, lines []string) {
		for _, line := range lines {
			fmt.Fprintf(out, "    %s  %s\n", style.Dim(fmt.Sprintf("%-5s", what)), line)
			what = ""
		}
	}
	block("with", bindingLines(v.Constants))
	block("any", bindingLines(v.Params))
	state := "state"
	if len(v.Before) == 0 {
		state = "after"
	}
	block(state, stateLines(style, v))
	block("false", []string{v.Failing})
	if text := ReachText(v.Reach); text != "" {
		block("", []string{text})
	}
}

// bindingLines writes names and values in two columns.
func bindingLines(list []verdict.Binding) []string {
	width := 0
	for _, b := range list {
		width = max(width, columns(b.Name))
	}
	var out []string
	for _, b := range list {
		out = append(out, pad(b.Name, width)+"  "+Shorten(b.Value))
	}
	return out
}

// stateLines writes the variables in two columns, and an arrow to the value after
// the event for those that change.
func stateLines(style Style, violation *verdict.Violation) []string {
	rows := violation.State()
	width := 0
	for _, r := range rows {
		width = max(width, columns(r.Name))
	}
	var out []string
	for _, r := range rows {
		line := pad(r.Name, width) + "  "
		switch {
		case r.Change != nil:
			line += Shorten(r.Before) + style.Bold(" → "+Changed(r))
		case r.Before != "":
			line += Shorten(r.Before)
		default:
			line += Shorten(r.After)
		}
		out = append(out, line)
	}
	return out
}

// Changed is the value of a variable after the event: of a set that is too long
// to see what changes, what leaves it and what enters it.
func Changed(r verdict.Row) string {
	short := max(columns(r.Before), columns(r.After)) <= maxCompared
	switch removed, added := strings.Join(r.Change.Removed, ", "), strings.Join(r.Change.Added, ", "); {
	case short || removed+added == "":
		return Shorten(r.After)
	case removed == "":
		return "and " + Shorten(added)
	case added == "":
		return "without " + Shorten(removed)
	default:
		return Shorten(added) + " in place of " + Shorten(removed)
	}
}

// maxCompared is the length of a set that is read at a glance.
const maxCompared = 40

// violationLines writes a counterexample in lines without layout.
func violationLines(violation *verdict.Violation) []string {
	if violation == nil {
		return nil
	}
	var out []string
	list := func(name string, bindings []verdict.Binding) {
		if len(bindings) > 0 {
			out = append(out, name+": "+bindingText(bindings))
		}
	}
	list("constants", violation.Constants)
	list("before", violation.Before)
	list("parameters", violation.Params)
	var after []verdict.Binding
	// What keeps its value is shown before the event alone.
	for _, r := range violation.State() {
		if r.Change != nil {
			after = append(after, verdict.Binding{Name: r.Name, Value: Changed(r)})
		} else if r.Before == "" {
			after = append(after, verdict.Binding{Name: r.Name, Value: r.After})
		}
	}
	list("after", after)
	out = append(out, "false: "+violation.Failing)
	if text := ReachText(violation.Reach); text != "" {
		out = append(out, text)
	}
	return out
}

// counterexampleMarkdown writes the counterexample of a refuted obligation as a
// table that code hosts fold.
func counterexampleMarkdown(out io.Writer, result verdict.Result) {
	violation := explain.Lift(result)
	if violation == nil {
		return
	}
	fmt.Fprintf(out, "<details><summary>refuted: %s/%s</summary>\n\n| name | before | after |\n|---|---|---|\n", html.EscapeString(result.Component), html.EscapeString(result.Name))
	// Constants and parameters have one value: the column behind stays empty.
	for _, b := range append(slices.Clone(violation.Constants), violation.Params...) {
		fmt.Fprintf(out, "| %s | %s | |\n", code(b.Name), code(Shorten(b.Value)))
	}
	for _, x := range violation.State() {
		before, after := "", ""
		if x.Before != "" {
			before = code(Shorten(x.Before))
		}
		if x.Change != nil {
			after = "**" + code(Changed(x)) + "**"
		} else if x.Before == "" {
			after = code(Shorten(x.After))
		}
		fmt.Fprintf(out, "| %s | %s | %s |\n", code(x.Name), before, after)
	}
	fmt.Fprintf(out, "\nfalse: %s\n", code(violation.Failing))
	if text := ReachText(violation.Reach); text != "" {
		fmt.Fprintf(out, "\n%s\n", text)
	}
	fmt.Fprint(out, "\n</details>\n\n")
}

func bindingText(list []verdict.Binding) string {
	var out []string
	for _, b := range list {
		out = append(out, b.Name+" = "+Shorten(b.Value))
	}
	return strings.Join(out, ", ")
}

// ReachText says what is known of the way to the state of a counterexample.
func ReachText(r *verdict.Reach) string {
	switch {
	case r == nil:
		return ""
	case r.Verdict == verdict.Reached:
		return "reachable: " + run(r.Trace)
	case r.Verdict == verdict.Elsewhere:
		return fmt.Sprintf("reachable, but a different state fails first (%s): %s", r.Fails, run(r.Trace))
	case r.Verdict == verdict.Unreachable:
		return fmt.Sprintf("not reachable in %s: the invariants are too weak; add an invariant that excludes this state", Count(r.States, "state"))
	case r.Verdict == verdict.Untried:
		return "reachability not checked: " + r.Why
	}
	return fmt.Sprintf("not among the first %s explored", Count(r.States, "state"))
}

// maxRun is how many events of a run are named.
const maxRun = 12

// run names the events of a run, the last ones if there are many.
func run(events []string) string {
	if n := len(events) - maxRun; n > 0 {
		return fmt.Sprintf("%d events, then %s", n, strings.Join(events[n:], ", "))
	}
	return strings.Join(events, ", ")
}

func columns(s string) int { return utf8.RuneCountInString(s) }

func pad(s string, width int) string { return s + strings.Repeat(" ", max(0, width-columns(s))) }
