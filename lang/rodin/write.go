package rodin

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/internal/door"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/edit"
)

// File is one file of a project, ready to be written.
type File struct {
	Name string
	Data []byte
}

// document is a component on its way into a file.
type document struct {
	name      string
	component *lang.Component
	root      *element
}

// readBack reads the content that a file is to have: it must say what the component says.
func (d document) readBack(data []byte) error {
	var problems diag.List
	file := Parse(d.name, data, &problems)
	why := "it cannot be read"
	if file != nil {
		why = edit.Components([]*lang.Component{d.component}, file.Components)
	}
	if why != "" {
		return fmt.Errorf("%s: the file would not say what the model says: %s; nothing was written", d.name, why)
	}
	return nil
}

// documents returns the components of p in their order. It is an error if a
// component or the project has a name that cannot name a file, if two would
// share a file, or if Rodin lacks an operator.
func documents(p *Project) ([]document, error) {
	if err := checkFileName("project", p.Name); err != nil {
		return nil, err
	}
	var out []document
	seen := map[string]string{}
	for _, f := range labelled(p).Files {
		for _, component := range f.Components {
			name := component.Name.Text
			if err := checkFileName("component", name); err != nil {
				return nil, err
			}
			if err := readable(component); err != nil {
				return nil, err
			}
			file := name + ".buc"
			if component.Kind == lang.MachineKind {
				file = name + ".bum"
			}
			// A project travels: what one file system keeps apart another takes for one file.
			folded := strings.ToLower(file)
			switch old, ok := seen[folded]; {
			case ok && old == name:
				return nil, fmt.Errorf("two components would be written to %s; rename one", file)
			case ok:
				return nil, fmt.Errorf("%s and %s differ only in case, so their files collide on Windows and macOS; rename one", old, name)
			}
			seen[folded] = name
			out = append(out, document{file, component, elementOf(component)})
		}
	}
	return out, nil
}

// Encode returns the files of p: .project, then the components in their order.
// The same project gives the same bytes.
func Encode(p *Project) ([]File, error) {
	docs, err := documents(p)
	if err != nil {
		return nil, err
	}
	files := []File{{projectFile, encodeProject(p.Name)}}
	for _, d := range docs {
		d.root.nameChildren()
		data := encode(d.root, "\t")
		if err := d.readBack(data); err != nil {
			return nil, err
		}
		files = append(files, File{d.name, data})
	}
	return files, nil
}

// Written says what WriteDir did to a folder.
type Written struct {
	Files   []string // new or changed
	Same    int      // files that say the same already
	Removed []string // files of components that the project does not have any more
	Strange []string // components in the folder that belong to another project
}

// WriteDir writes p into folder dir, which is made if needed. Each file is
// replaced as a whole or not at all. Without overwrite it is an error, and
// nothing is written, if a file exists that would change. With it, what the
// folder has in addition to p stays: .project, proofs, and in each file what the text of
// a model does not say; components that p does not have are removed.
func WriteDir(dir string, p *Project, overwrite bool) (*Written, error) {
	files, out, err := changes(dir, p)
	if err != nil {
		return nil, err
	}
	if !overwrite {
		for _, f := range files {
			if name := filepath.Join(dir, f.Name); exists(name) && f.Name != projectFile {
				return nil, fmt.Errorf("%s already exists; --force updates it and keeps everything that the text does not express", name)
			}
		}
		if len(out.Removed) > 0 {
			return nil, fmt.Errorf("%s is no longer a component of %s; --force removes it", filepath.Join(dir, out.Removed[0]), p.Name)
		}
	}
	// Everything that can be refused has been; from here on only the disk can fail.
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := atomic.Write(filepath.Join(dir, f.Name), f.Data, 0o666); err != nil {
			return nil, err
		}
		out.Files = append(out.Files, f.Name)
	}
	for _, name := range out.Removed {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// changes compares p with what dir holds: it returns the files to be written, and
// what else is to be done.
func changes(dir string, p *Project) ([]File, *Written, error) {
	docs, err := documents(p)
	if err != nil {
		return nil, nil, err
	}
	out := &Written{}
	var files []File
	// All files are compared before the first is written: an error leaves the folder
	// as it was.
	put := func(name string, data func(old []byte) []byte, readBack func(data []byte) error) error {
		old, err := door.File(filepath.Join(dir, name))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		now := data(old)
		if err == nil && string(now) == string(old) {
			out.Same++
		} else {
			files = append(files, File{name, now})
		}
		return readBack(now)
	}
	err = put(projectFile, func(old []byte) []byte { return updateProject(old, p.Name) }, func([]byte) error { return nil })
	bases := map[string]bool{}
	for _, d := range docs {
		bases[strings.TrimSuffix(d.name, filepath.Ext(d.name))] = true
		err = errors.Join(err, put(d.name, func(old []byte) []byte {
			if old == nil {
				d.root.nameChildren()
				return encode(d.root, "\t")
			}
			return update(d.name, old, d.root)
		}, d.readBack))
	}
	if err != nil {
		return nil, nil, err
	}
	return files, out, out.removals(dir, p, docs, bases)
}

// derived are the extensions of what Rodin makes of a component.
var derived = []string{".bcc", ".bcm", ".bpo", ".bpr", ".bps"}

// removals lists the files in dir of components that docs lack. Those of a folder
// that another project owns are strange, and stay.
func (w *Written) removals(dir string, p *Project, docs []document, bases map[string]bool) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	description, _ := door.File(filepath.Join(dir, projectFile))
	own := decodeProjectName(description) == p.Name
	for _, e := range entries {
		name := e.Name()
		ext := filepath.Ext(name)
		base := strings.TrimSuffix(name, ext)
		if e.IsDir() || !isComponent(name) || slices.ContainsFunc(docs, func(d document) bool { return d.name == name }) {
			continue
		}
		if !own {
			w.Strange = append(w.Strange, name)
			continue
		}
		w.Removed = append(w.Removed, name)
		for _, x := range derived {
			// A context and a machine of one name share these.
			if file := base + x; !bases[base] && exists(filepath.Join(dir, file)) && !slices.Contains(w.Removed, file) {
				w.Removed = append(w.Removed, file)
			}
		}
	}
	return nil
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
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

// projectFile describes an Eclipse project.
const projectFile = ".project"

const (
	nature       = "<nature>org.rodinp.core.rodinnature</nature>"
	buildCommand = `<buildCommand>
			<name>org.rodinp.core.rodinbuilder</name>
			<arguments>
			</arguments>
		</buildCommand>`
	projectText = xml.Header + `<projectDescription>
	<name>%s</name>
	<comment></comment>
	<projects>
	</projects>
	<buildSpec>
		` + buildCommand + `
	</buildSpec>
	<natures>
		` + nature + `
	</natures>
</projectDescription>
`
)

func encodeProject(name string) []byte { return fmt.Appendf(nil, projectText, escape(name)) }

// updateProject returns a description of a project that Rodin takes for its own.
// The natures and builders of others stay, as does the name.
func updateProject(old []byte, name string) []byte {
	text := string(old)
	switch {
	case decodeProjectName(old) == "":
		return encodeProject(name)
	case strings.Contains(text, nature):
		return old
	case strings.Contains(text, "</natures>") && strings.Contains(text, "</buildSpec>"):
		text = strings.Replace(text, "</natures>", "\t"+nature+"\n\t</natures>", 1)
		return []byte(strings.Replace(text, "</buildSpec>", "\t"+buildCommand+"\n\t</buildSpec>", 1))
	}
	return encodeProject(name)
}
