package edit

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang/hints"
)

// CheckHints is Check of a file of hints.
func CheckHints(path string, before, after []byte, mean func(*hints.File)) error {
	want, had := readHints(path, before)
	is, has := readHints(path, after)
	mean(want)
	why := differ(reflect.ValueOf(want), reflect.ValueOf(is), "the file of hints")
	if why == "" && has > had {
		why = "the new text has errors"
	}
	return refused(path, why)
}

// AppendHints puts lines, which are hints for one obligation, below all hints of a file. A
// text that is empty is a file that is new.
func AppendHints(path string, before []byte, obligation string, lines []string) ([]byte, error) {
	var block, after bytes.Buffer
	fmt.Fprintf(&block, "for %s\n", hints.Label(obligation))
	for _, line := range lines {
		fmt.Fprintf(&block, "    %s\n", line)
	}
	if kept := bytes.TrimRight(before, "\r\n"); len(kept) > 0 {
		after.Write(kept)
		after.WriteString("\n\n")
	}
	after.Write(block.Bytes())
	text := after.Bytes()
	if bytes.Contains(before, []byte("\r\n")) {
		text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
	}
	added, errors := readHints(path, block.Bytes())
	if errors > 0 || len(added.Blocks) != 1 || len(added.Blocks[0].Patterns) != 1 || added.Blocks[0].Patterns[0].Text != obligation {
		return nil, refused(path, "the new hints cannot be read")
	}
	return text, CheckHints(path, before, text, func(f *hints.File) { f.Append(added.Blocks[0]) })
}

func readHints(path string, text []byte) (file *hints.File, errors int) {
	var problems diag.List
	file = hints.Parse(path, text, &problems)
	for _, p := range problems.Sorted() {
		if p.Severity == diag.Error {
			errors++
		}
	}
	return file, errors
}
