package rodin

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
)

// Left says what a file has that is not part of the model read from it.
type Left struct {
	File string
	What []string // "12 generated flags", …
}

// pluginWords names what plug-ins keep, by the last part of the name of their
// elements and attributes.
var pluginWords = map[string]string{
	"serialisedExtension": "diagram or other extension of UML-B",
	"generated":           "generated flag",
	"text_representation": "text of Camille",
}

// leftOut says what of a file that was read into a component is not part of it.
func leftOut(root *element) []string {
	var names []string // in the order of their first occurrence
	count := map[string]int{}
	note := func(what string) {
		if count[what]++; count[what] == 1 {
			names = append(names, what)
		}
	}
	var visit func(e *element)
	visit = func(e *element) {
		for _, attr := range e.attrs {
			switch last := attr.name[strings.LastIndex(attr.name, ".")+1:]; {
			case attr.name == "configuration":
				for _, c := range strings.Split(attr.value, ";") {
					if c != plainConfiguration && c != "" {
						note("configuration " + c)
					}
				}
			case attr.read || attr.name == "name" || attr.name == "comment" || last == "text_lastmodified" || last == "generated" && attr.value != "true":
			case pluginWords[last] != "":
				note(pluginWords[last])
			default:
				note("attribute " + attr.name)
			}
		}
		for _, c := range e.children {
			switch last := c.kind[strings.LastIndex(c.kind, ".")+1:]; {
			case c.read:
				visit(c)
			case pluginWords[last] != "":
				note(pluginWords[last])
			default:
				note("element " + c.kind)
			}
		}
	}
	visit(root)
	for i, what := range names {
		if n := count[what]; n > 1 || !strings.HasPrefix(what, "configuration ") && !strings.HasPrefix(what, "text ") {
			names[i] = counted(n, what)
		}
	}
	return names
}

// counted is "1 generated flag" or "3 generated flags".
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	head, tail, found := strings.Cut(what, " ")
	switch {
	case head == "attribute" || head == "element":
		return fmt.Sprintf("%d times %s", n, what)
	case head == "diagram" && found:
		return fmt.Sprintf("%d diagrams %s", n, tail)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// theories are the extensions of the files of the Theory plug-in.
var theories = []string{".tuf", ".dtf", ".tul", ".tcl"}

// endings are those of the files that are read.
var endings = []string{".eventb", ".bucx", ".bumx", ".buc", ".bum", ".hints"}

// Foreign returns a warning for each file of a folder that looks like a model and
// is none that can be read: theories, packages that ProB makes of models, and what
// has the ending of a model in other letters.
func Foreign(fsys fs.FS, dir, shown string) (out []diag.Diagnostic) {
	entries, _ := fs.ReadDir(fsys, dir)
	var found []string
	for _, entry := range entries {
		switch name := entry.Name(); {
		case !entry.Type().IsRegular():
		case !slices.Contains(endings, path.Ext(name)) && slices.Contains(endings, strings.ToLower(path.Ext(name))):
			out = append(out, diagnostic(Foreigner, diag.Span{File: path.Join(shown, name)}, "skipped: write the extension in lower case, as "+strings.ToLower(path.Ext(name))))
		case slices.Contains(theories, path.Ext(name)):
			found = append(found, name)
		case path.Ext(name) == ".eventb" && isPackageFile(fsys, path.Join(dir, name)):
			out = append(out, diagnostic(Foreigner, diag.Span{File: path.Join(shown, name)}, "skipped: a ProB package, not the text of a model"))
		}
	}
	if len(found) > 0 {
		problem := diagnostic(Foreigner, diag.Span{File: path.Join(shown, found[0])}, "theories are skipped ("+strings.Join(found, ", ")+"): identifiers from them are undeclared")
		out = append(out, problem)
	}
	return out
}

// IsPackage reports whether data is a package that ProB makes of a model, in
// Prolog. Its file is called .eventb, too.
func IsPackage(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(data), []byte("package(load_event_b_"))
}

func isPackageFile(fsys fs.FS, name string) bool {
	f, err := fsys.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := f.Read(head)
	return IsPackage(head[:n])
}
