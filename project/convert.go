package project

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/edit"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/lang/rodin"
)

// Imported says what became of a Rodin project that was written as text.
type Imported struct {
	Manual []Manual   // what people did by hand in its proofs
	Left   []NotTaken // what its files have and texts do not, file by file
	Before []string   // files that were in the folder before, and are read with it now
}

// NotTaken is what the text of one of Rodin's files does not have.
type NotTaken struct {
	File   string
	What   []string
	Proofs int // obligations with a proof, automatic or by hand
}

// ImportRodin writes the texts of a Rodin project, and hints for what people did by hand,
// into dir: all of them, or none if one would be overwritten and force is not given.
func ImportRodin(p *rodin.Project, dir string, opts lang.Options, force bool) (*Imported, error) {
	files, err := textsOf(p, opts)
	if err != nil {
		return nil, err
	}
	manual, err := ManualHints(p)
	if err != nil {
		return nil, err
	}
	for _, m := range manual {
		if m.Hints.Bytes() != nil {
			files = append(files, namedText{m.Component + hints.Ext, m.Hints})
		}
	}
	// All or nothing: what would be overwritten is found before the first write.
	for _, f := range files {
		if err := mayWrite(filepath.Join(dir, f.name), f.text.Bytes(), force); err != nil {
			return nil, err
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	written := map[string]bool{}
	for _, f := range files {
		written[f.name] = true
		if err := f.text.Save(filepath.Join(dir, f.name)); err != nil {
			return nil, err
		}
	}
	out := &Imported{Manual: manual, Left: notTaken(p)}
	others, err := TextFiles(dir)
	for _, name := range others {
		if name = filepath.Base(name); !written[name] {
			out.Before = append(out.Before, name)
		}
	}
	return out, err
}

// namedText is a file that is to be written.
type namedText struct {
	name string
	text edit.Text
}

// textsOf returns the text files of p: one for each name, so that a context and
// a machine of one name share it, as do components whose names differ in case.
func textsOf(p *rodin.Project, opts lang.Options) ([]namedText, error) {
	var names []string
	components := map[string][]*lang.Component{}
	first := map[string]string{} // in lower case → as it is
	for _, file := range p.Files {
		for _, component := range file.Components {
			name := component.Name.Text + ".eventb"
			if !filepath.IsLocal(name) {
				return nil, fmt.Errorf("component name %q cannot name a file", component.Name.Text)
			}
			folded := strings.ToLower(name)
			if first[folded] == "" {
				first[folded] = name
				names = append(names, name)
			}
			components[first[folded]] = append(components[first[folded]], component)
		}
	}
	var files []namedText
	for _, name := range names {
		text, err := edit.Of(name, lang.Format(&lang.File{Components: components[name]}, opts), components[name])
		if err != nil {
			return nil, err
		}
		files = append(files, namedText{name, text})
	}
	return files, nil
}

// notTaken lists what the files of p have and their texts do not.
func notTaken(p *rodin.Project) (out []NotTaken) {
	said := map[string]bool{}
	for _, file := range p.Files {
		n := NotTaken{File: filepath.Base(file.Path)}
		for _, l := range p.Left {
			if l.File == n.File {
				n.What = append(n.What, l.What...)
			}
		}
		// A context and a machine of one name share a file of proofs.
		component := NameOf(n.File)
		if s := p.Recorded[component]; !said[component] {
			said[component] = true
			n.Proofs = s.Auto + s.Manual
		}
		if len(n.What) > 0 || n.Proofs > 0 {
			out = append(out, n)
		}
	}
	return out
}

// NotInRodin says what Rodin's format does not carry of p: how many comments stand outside
// all elements, and the machines of which gradine.toml asks for obligations of kinds that
// Rodin does not have.
func (p *Project) NotInRodin() (comments int, asked []string) {
	for _, file := range p.Files {
		comments += len(lang.Loose(file))
		for _, component := range file.Components {
			if p.Config == nil || component.Kind != lang.MachineKind {
				continue
			}
			if m := p.Config.Machine[component.Name.Text]; m.DeadlockFree || len(m.Enabled) > 0 || len(m.LeadsTo) > 0 {
				asked = append(asked, component.Name.Text)
			}
		}
	}
	return comments, asked
}

// ImportKernels writes the machines of a file of kernels, with the invariants that were
// found, into a file of dir, which it names; there is none without machines.
func (x *Opener) ImportKernels(name, dir string, opts lang.Options, force bool) (to string, machines int, problems []diag.Diagnostic, err error) {
	models, problems, err := x.Machines(name)
	if err != nil || len(models) == 0 {
		return "", 0, problems, err
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "// Made from %s by gradine import. The lines in comments are those of that file.\n\n", filepath.Base(name))
	for _, m := range models {
		text.Write(append(m.Text(), '\n'))
	}
	var wrong diag.List
	data := lang.Format(lang.Parse(name, text.Bytes(), &wrong), opts)
	if wrong.HasErrors() {
		return "", 0, problems, fmt.Errorf("%s: its machines cannot be written as text: %s; no file was written", name, wrong.Sorted()[0].Message)
	}
	said, err := edit.Formatted(name, text.Bytes(), data)
	if err != nil {
		return "", 0, problems, err
	}
	to = filepath.Join(dir, NameOf(name)+".eventb")
	if err := readyFor(to, data, force); err != nil {
		return "", 0, problems, err
	}
	return to, len(models), problems, said.Save(to)
}
