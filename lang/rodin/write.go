package rodin

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/lang"
)

// File is one file of a project, ready to be written.
type File struct {
	Name string
	Data []byte
}

// Encode returns the files of p: .project, then the components in their order.
// The same project gives the same bytes. It is an error if a component or the
// project has a name that cannot name a file, or two components have one name.
func Encode(p *Project) ([]File, error) {
	if err := checkFileName("project", p.Name); err != nil {
		return nil, err
	}
	p = labelled(p)
	files := []File{{".project", encodeProject(p.Name)}}
	seen := map[string]bool{}
	for _, f := range p.Files {
		for _, c := range f.Components {
			name := c.Name.Text
			if err := checkFileName("component", name); err != nil {
				return nil, err
			}
			if folded := strings.ToLower(name); seen[folded] {
				return nil, fmt.Errorf("two components named %s would share their files", name)
			} else {
				seen[folded] = true
			}
			if c.Kind == lang.MachineKind {
				files = append(files, File{name + ".bum", encodeMachine(c)})
			} else {
				files = append(files, File{name + ".buc", encodeContext(c)})
			}
		}
	}
	return files, nil
}

func checkFileName(what, name string) error {
	if name == "" || name[0] == '.' || strings.ContainsAny(name, "/\\:*?\"<>|\x00") || !utf8.ValidString(name) {
		return fmt.Errorf("%s name %q cannot name a file", what, name)
	}
	return nil
}

// WriteDir writes p into directory dir, which is made if needed. Each file is
// replaced as a whole or not at all. Unless overwrite is set, it is an error,
// and nothing is written, if one of the files exists.
func WriteDir(dir string, p *Project, overwrite bool) error {
	files, err := Encode(p)
	if err != nil {
		return err
	}
	for _, f := range files {
		name := filepath.Join(dir, f.Name)
		if _, err := os.Lstat(name); err == nil && !overwrite {
			return fmt.Errorf("%s exists already", name)
		} else if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, f := range files {
		if err := atomic.Write(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// archiveDate stands in archives for the time of every file, so that the same
// project gives the same bytes. It is the first that the format can say.
var archiveDate = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

// WriteZip writes an archive that Rodin imports: one directory a project.
func WriteZip(w io.Writer, projects ...*Project) error {
	z := zip.NewWriter(w)
	for _, p := range projects {
		files, err := Encode(p)
		if err != nil {
			return err
		}
		for _, f := range files {
			out, err := z.CreateHeader(&zip.FileHeader{Name: p.Name + "/" + f.Name, Method: zip.Deflate, Modified: archiveDate})
			if err != nil {
				return err
			}
			if _, err := out.Write(f.Data); err != nil {
				return err
			}
		}
	}
	return z.Close()
}

const projectFile = xml.Header + `<projectDescription>
	<name>%s</name>
	<comment></comment>
	<projects>
	</projects>
	<buildSpec>
		<buildCommand>
			<name>org.rodinp.core.rodinbuilder</name>
			<arguments>
			</arguments>
		</buildCommand>
	</buildSpec>
	<natures>
		<nature>org.rodinp.core.rodinnature</nature>
	</natures>
</projectDescription>
`

func encodeProject(name string) []byte { return fmt.Appendf(nil, projectFile, escape(name)) }

func decodeProjectName(data []byte) string {
	var p struct {
		XMLName xml.Name `xml:"projectDescription"`
		Name    string   `xml:"name"`
	}
	if err := xml.Unmarshal(data, &p); err != nil {
		return ""
	}
	return strings.TrimSpace(p.Name)
}

func encodeContext(c *lang.Component) []byte {
	w := newWriter("contextFile", contextVersion, c)
	w.names("extendsContext", "target", c.Extends)
	w.names("carrierSet", "identifier", c.Sets)
	w.names("constant", "identifier", c.Constants)
	w.predicates("axiom", c.Axioms)
	return w.end("contextFile")
}

func encodeMachine(c *lang.Component) []byte {
	w := newWriter("machineFile", machineVersion, c)
	w.names("refinesMachine", "target", c.Refines)
	w.names("seesContext", "target", c.Sees)
	w.names("variable", "identifier", c.Variables)
	w.predicates("invariant", c.Invariants)
	w.variants(c.Variants)
	w.events(c.Events)
	return w.end("machineFile")
}

// writer writes the elements of one file. Elements of one parent and kind have
// distinct names.
type writer struct {
	out    bytes.Buffer
	indent string
	taken  map[string]int // kind#name of the children of the current parent: how often it was wanted
}

func newWriter(root, version string, c *lang.Component) *writer {
	w := &writer{taken: map[string]int{}}
	w.out.WriteString(`<?xml version="1.0" encoding="UTF-8" standalone="no"?>` + "\n<" + prefix + root)
	if !c.NoConfiguration {
		w.attr("configuration", "org.eventb.core.fwd")
	}
	w.comment(c.Doc)
	w.out.WriteString(` version="` + version + "\">\n")
	w.indent = "\t"
	return w
}

func (w *writer) end(root string) []byte {
	w.out.WriteString("</" + prefix + root + ">\n")
	return w.out.Bytes()
}

// open begins the start tag of an element whose name is made from base.
func (w *writer) open(kind, base string) {
	w.out.WriteString(w.indent + "<" + prefix + kind + ` name="` + w.elementName(kind, base) + `"`)
}

func (w *writer) close() { w.out.WriteString("/>\n") }

func (w *writer) attr(name, value string) {
	w.out.WriteString(" " + prefix + name + `="` + escape(value) + `"`)
}

// given writes an attribute unless it is absent.
func (w *writer) given(name, value string, absent bool) {
	if !absent {
		w.attr(name, value)
	}
}

func (w *writer) comment(doc string) {
	if doc != "" {
		w.attr("comment", doc)
	}
}

// elementName makes a name that no sibling of that kind has, of characters that
// need no escape in XML and in handles.
func (w *writer) elementName(kind, base string) string {
	clean := strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '_' || r == '-' || r == '.' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z') {
			return r
		}
		return '_'
	}, base)
	if clean == "" {
		clean = kind
	}
	name := clean
	for w.taken[kind+"#"+name] > 0 {
		w.taken[kind+"#"+clean]++
		name = clean + "." + strconv.Itoa(w.taken[kind+"#"+clean])
	}
	w.taken[kind+"#"+name] = 1
	return name
}

func (w *writer) names(kind, attr string, names []lang.Name) {
	for _, n := range names {
		w.open(kind, n.Text)
		w.comment(n.Doc)
		w.given(attr, n.Text, n.Absent)
		w.close()
	}
}

func (w *writer) predicates(kind string, ps []*lang.Predicate) {
	for _, p := range ps {
		w.open(kind, p.Label.Text)
		w.comment(p.Doc)
		w.given("label", p.Label.Text, p.Label.Absent)
		w.given("predicate", sourceText(p.Source, p.Formula, lang.ParsePredicate), p.Source.Absent)
		if p.Theorem {
			w.attr("theorem", "true")
		}
		w.close()
	}
}

func (w *writer) variants(vs []*lang.Variant) {
	for _, v := range vs {
		w.open("variant", v.Label.Text)
		w.comment(v.Doc)
		w.given("expression", sourceText(v.Source, v.Formula, lang.ParseExpression), v.Source.Absent)
		w.given("label", v.Label.Text, v.Label.Text == defaultVariant)
		w.close()
	}
}

func (w *writer) events(es []*lang.Event) {
	for _, e := range es {
		w.open("event", e.Label.Text)
		w.comment(e.Doc)
		w.given("convergence", strconv.Itoa(int(e.Convergence)), e.NoConvergence)
		w.given("extended", strconv.FormatBool(e.Extended), e.NoExtended)
		w.given("label", e.Label.Text, e.Label.Absent)
		if len(e.Refines)+len(e.Parameters)+len(e.Guards)+len(e.Witnesses)+len(e.Actions) == 0 {
			w.close()
			continue
		}
		w.out.WriteString(">\n")
		siblings := w.taken
		w.indent, w.taken = "\t\t", map[string]int{}
		w.names("refinesEvent", "target", e.Refines)
		w.names("parameter", "identifier", e.Parameters)
		w.predicates("guard", e.Guards)
		w.predicates("witness", e.Witnesses)
		w.actions(e.Actions)
		w.indent, w.taken = "\t", siblings
		w.out.WriteString(w.indent + "</" + prefix + "event>\n")
	}
}

func (w *writer) actions(as []*lang.Action) {
	for _, a := range as {
		w.open("action", a.Label.Text)
		w.given("assignment", assignmentText(a), a.Source.Absent)
		w.comment(a.Doc)
		w.given("label", a.Label.Text, a.Label.Absent)
		w.close()
	}
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\t", "&#9;", "\n", "&#10;", "\r", "&#13;")

// escape writes s as the value of an attribute. What XML has no way to write
// becomes U+FFFD.
func escape(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return utf8.RuneError
		}
		return r
	}, s)
	return escapes.Replace(s)
}
