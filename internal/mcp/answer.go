package mcp

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// maxAnswer bounds an answer, in bytes: an agent reads all of it.
const maxAnswer = 60_000

// unproved omits obligations that are proved or have the expected verdict, and counts them.
func unproved(output string) string {
	var out strings.Builder
	proved, expected, all := 0, 0, 0
	for line := range strings.Lines(output) {
		var x struct{ Verdict, Error, Expected string }
		if json.Unmarshal([]byte(line), &x) != nil {
			out.WriteString(line)
			continue
		}
		all++
		switch {
		case x.Error != "":
			out.WriteString(line)
		case x.Expected != "":
			expected++
		case x.Verdict == "proved":
			proved++
		default:
			out.WriteString(line)
		}
	}
	fmt.Fprintf(&out, "{\"proved\":%d,\"as_expected\":%d,\"of\":%d}\n", proved, expected, all)
	return out.String()
}

// without leaves keys out of JSON lines; those of a list are counted under another name.
func without(output string, keys map[string]string) string {
	var out strings.Builder
	for line := range strings.Lines(output) {
		var x map[string]json.RawMessage
		if json.Unmarshal([]byte(line), &x) != nil {
			out.WriteString(line)
			continue
		}
		for key, counted := range keys {
			var list []json.RawMessage
			if counted != "" && json.Unmarshal(x[key], &list) == nil {
				x[counted] = json.RawMessage(fmt.Sprint(len(list)))
			}
			delete(x, key)
		}
		data, err := json.Marshal(x) // in the order of the keys
		if err != nil {
			out.WriteString(line)
			continue
		}
		out.Write(append(data, '\n'))
	}
	return out.String()
}

// goals leaves the hypotheses out where there are too many obligations for them.
func goals(output string) string {
	if len(output) <= maxAnswer {
		return output
	}
	return without(output, map[string]string{"hypotheses": "hypotheses_left_out", "selected": "", "types": "", "sources": ""})
}

// bounded cuts whole lines out of the middle of an answer that is too long, and says so.
func bounded(output string) string {
	if len(output) <= maxAnswer {
		return output
	}
	lines := strings.SplitAfter(output, "\n")
	from, head := 0, 0
	for from < len(lines) && head+len(lines[from]) <= maxAnswer*3/4 {
		head += len(lines[from])
		from++
	}
	to, tail := len(lines), 0
	for to > from && tail+len(lines[to-1]) <= maxAnswer/4 {
		to--
		tail += len(lines[to])
	}
	note := fmt.Sprintf("… %d lines omitted here: name elements to select fewer\n", to-from)
	if strings.HasPrefix(output, "{") {
		note = fmt.Sprintf("{\"left_out\":%d,\"next\":\"name elements to select fewer\"}\n", to-from)
	}
	return strings.Join(lines[:from], "") + note + strings.Join(lines[to:], "")
}

// tools are the commands that answers recommend, and what an agent does instead.
var tools = []struct {
	command *regexp.Regexp
	instead string
}{
	{regexp.MustCompile("`?gradine report why --infer ([^/`\\s]+/)?([^/`\\s]+)/[^`\\s]*`?"), "the tool infer, with machine $2,"},
	{regexp.MustCompile("gradine infer --write adds it"), "add it to the model"},
	{regexp.MustCompile("; gradine prove --suggest searches for hints"), ""},
	{regexp.MustCompile("`?gradine (?:-C \\S+ )?report why (?:[^'`\\s]+ )?'([^'`\\s]+)'`?"), "the tool why, with obligation $1,"},
	{regexp.MustCompile("`?gradine report why '?([^'`\\s]+)'?`?"), "the tool why, with obligation $1,"},
	{regexp.MustCompile("`gradine (check|prove|verify|infer|explore|explain)`"), "the tool $1"},
	{regexp.MustCompile(`gradine (infer|explore|explain) ([\w./]+)`), "the tool $1 with $2"},
}

// instead names tools where an answer for people names commands.
func instead(output string) string {
	for _, x := range tools {
		output = x.command.ReplaceAllString(output, x.instead)
	}
	return output
}
