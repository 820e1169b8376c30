package rodin

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/lang"
)

// Limits on directories and archives.
const (
	maxEntries = 100_000
	maxTotal   = 512 << 20 // bytes read of one archive or directory, unpacked
)

// Project is one Rodin project: a directory with components in it.
type Project struct {
	Name  string       // as .project says, or else the directory's name
	Dir   string       // where it was read
	Files []*lang.File // by file name

	// Recorded is what Rodin recorded of the obligations of components, by name.
	Recorded map[string]Status
	// Left is what the files hold that Files does not, file by file.
	Left []Left
	// Proofs are those that Rodin stored, by component, if they were asked for.
	Proofs map[string][]Proof
}

// Read reads the projects in a directory or zip archive, or the one component
// in a .buc or .bum file. Every directory that holds components is a project.
// What is wrong with single files is reported to problems; an error says that
// path itself cannot be read, is hostile, or holds no component.
func Read(name string, problems *diag.List) ([]*Project, error) {
	return read(name, false, problems)
}

// ReadWithProofs is Read with the proofs that Rodin stored.
func ReadWithProofs(name string, problems *diag.List) ([]*Project, error) {
	return read(name, true, problems)
}

// languages are those of other tools, by the ends of the names of their files.
var languages = map[string]string{
	".mch": "classical B", ".ref": "classical B", ".imp": "classical B",
	".tla": "TLA+", ".als": "Alloy", ".pml": "Promela", ".prom": "Promela", ".smt2": "SMT-LIB",
}

// read reads projects from a folder, a zip archive, or the file of one component.
func read(name string, proofs bool, problems *diag.List) ([]*Project, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	switch {
	case info.IsDir():
		return readFS(os.DirFS(name), name, proofs, problems)
	case isComponent(name):
		return readFile(name, problems)
	}
	z, err := zip.OpenReader(name)
	if err != nil {
		if language := languages[strings.ToLower(filepath.Ext(name))]; language != "" {
			return nil, fmt.Errorf("%s: this is %s; gradine reads Event-B text (.eventb) and Rodin projects", name, language)
		}
		return nil, fmt.Errorf("%s: not a model; gradine reads .eventb, .buc and .bum files, and folders and zip archives of them (%w)", name, err)
	}
	defer z.Close()
	if err := checkEntries(z.File); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return readFS(z, name, proofs, problems)
}

// Unpack reads the files of components in a zip archive, by their paths in it.
func Unpack(archive []byte) (map[string][]byte, error) {
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	if err := checkEntries(z.File); err != nil {
		return nil, err
	}
	s := &scan{fsys: z, left: maxTotal}
	out := map[string][]byte{}
	for _, entry := range z.File {
		if !isComponent(entry.Name) || strings.HasPrefix(entry.Name, ".") || strings.Contains(entry.Name, "/.") {
			continue
		}
		if out[entry.Name], err = s.read(entry.Name); err != nil {
			return nil, fmt.Errorf("%s: %s", entry.Name, cause(err))
		}
	}
	return out, nil
}

// IsArchive reports whether a file of this name is an archive, by its ending.
func IsArchive(name string) bool { return path.Ext(name) == ".zip" }

func isComponent(name string) bool {
	ext := path.Ext(name)
	return ext == ".buc" || ext == ".bum"
}

// checkEntries refuses archives that name files outside themselves.
func checkEntries(files []*zip.File) error {
	if len(files) > maxEntries {
		return fmt.Errorf("the archive has more than %d entries", maxEntries)
	}
	seen := map[string]bool{}
	for _, entry := range files {
		if seen[entry.Name] && isComponent(entry.Name) {
			return fmt.Errorf("the archive has two entries named %q", entry.Name)
		}
		seen[entry.Name] = true
		name := strings.TrimSuffix(entry.Name, "/")
		if !fs.ValidPath(name) || strings.ContainsAny(name, "\\\x00") || !filepath.IsLocal(name) {
			return fmt.Errorf("the archive has an entry with the unsafe name %q", entry.Name)
		}
	}
	return nil
}

func readFile(name string, problems *diag.List) ([]*Project, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if err != nil {
		return nil, err
	}
	p := &Project{Name: strings.TrimSuffix(filepath.Base(name), filepath.Ext(name)), Dir: filepath.Dir(name)}
	if file := parseFile(filepath.ToSlash(name), data, problems); file != nil {
		p.Files = append(p.Files, file)
	}
	return []*Project{p}, nil
}

// scan reads the projects of one file system.
type scan struct {
	fsys     fs.FS
	at       string // path of fsys, for messages
	entries  int
	left     int64 // bytes that may still be read
	problems *diag.List
	projects []*Project
	foreign  []diag.Diagnostic

	withProofs bool
}

// Parse reads the text of one component, a .buc or .bum file. What is wrong with
// it is reported to problems; it is nil if nothing can be read.
func Parse(name string, data []byte, problems *diag.List) *lang.File {
	return parseFile(name, data, problems)
}

// ParseRenamed is Parse of a file whose name may have lost its ending, as those have that
// Git hands to its drivers: which kind it is stands in the text as well.
func ParseRenamed(name string, data []byte, problems *diag.List) *lang.File {
	ext := ".buc"
	if bytes.Contains(data, []byte("org.eventb.core.machineFile")) {
		ext = ".bum"
	}
	name = strings.TrimSuffix(path.Base(filepath.ToSlash(name)), path.Ext(name)) + ext
	return Parse(name, data, problems)
}

// Distinct refuses projects that would be written over each other.
func Distinct(projects []*Project) error {
	seen := map[string]bool{}
	for _, p := range projects {
		name := strings.ToLower(p.Name)
		if seen[name] {
			return fmt.Errorf("two projects are named %s, so their files would collide; give the folder of one of them", p.Name)
		}
		seen[name] = true
	}
	return nil
}

// ErrEmpty is the error of a folder or archive that holds nothing of Rodin.
var ErrEmpty = errors.New("contains no Rodin component (.buc, .bum)")

func readFS(fsys fs.FS, at string, proofs bool, problems *diag.List) ([]*Project, error) {
	s := &scan{fsys: fsys, at: at, left: maxTotal, withProofs: proofs, problems: problems}
	if err := s.dir("."); err != nil {
		return nil, err
	}
	switch {
	case len(s.projects) == 0 && len(s.foreign) > 0:
		return nil, fmt.Errorf("%s: contains no Event-B component; %s", at, s.foreign[0].Message)
	case len(s.projects) == 0:
		return nil, fmt.Errorf("%s: %w", at, ErrEmpty)
	}
	return s.projects, nil
}

// dir reads directory name and those below it, but for hidden ones.
func (s *scan) dir(name string) error {
	entries, err := fs.ReadDir(s.fsys, name)
	if err != nil {
		if name == "." {
			return fmt.Errorf("%s: %s", s.at, cause(err))
		}
		s.problems.Add(diagnostic(Unreadable, diag.Span{File: s.path(name)}, cause(err)))
		return nil
	}
	if s.entries += len(entries); s.entries > maxEntries {
		return fmt.Errorf("%s: more than %d files", s.at, maxEntries)
	}
	if err := s.project(name, entries); err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.IsDir() && !strings.HasPrefix(entry.Name(), ".") {
			if err := s.dir(path.Join(name, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// project reads the components in directory dir, if it holds any.
func (s *scan) project(dir string, entries []fs.DirEntry) error {
	p := &Project{Dir: s.path(dir)}
	// A component that cannot be read leaves its folder a project all the same, so
	// that the others are not taken for the whole of another one.
	found := false
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") {
			continue // what editors keep next to a file is not part of the project
		}
		if component, ok := strings.CutSuffix(entry.Name(), ".bps"); ok && !entry.IsDir() {
			s.status(p, component, path.Join(dir, entry.Name()))
		}
		if component, ok := strings.CutSuffix(entry.Name(), ".bpr"); ok && !entry.IsDir() && s.withProofs {
			s.proofs(p, component, path.Join(dir, entry.Name()))
		}
		if entry.IsDir() || !isComponent(entry.Name()) {
			continue
		}
		found = true
		data, err := s.read(path.Join(dir, entry.Name()))
		switch {
		case errors.Is(err, errTotal):
			return err
		case err != nil:
			s.problems.Add(diagnostic(Unreadable, diag.Span{File: s.path(path.Join(dir, entry.Name()))}, cause(err)))
			continue
		}
		if file, root := parse(s.path(path.Join(dir, entry.Name())), data, s.problems); file != nil {
			p.Files = append(p.Files, file)
			if what := leftOut(root); len(what) > 0 {
				p.Left = append(p.Left, Left{entry.Name(), what})
			}
		}
	}
	foreign := Foreign(s.fsys, dir, s.path(dir))
	for _, problem := range foreign {
		s.problems.Add(problem)
	}
	s.foreign = append(s.foreign, foreign...)
	if !found {
		return nil
	}
	p.Name = s.projectName(dir)
	s.projects = append(s.projects, p)
	return nil
}

// status adds what Rodin recorded of a component, if it can be read.
func (s *scan) status(p *Project, component, name string) {
	data, err := s.read(name)
	if err != nil {
		return
	}
	if st, ok := parseStatus(data); ok {
		if p.Recorded == nil {
			p.Recorded = map[string]Status{}
		}
		p.Recorded[component] = st
	}
}

var errTotal = fmt.Errorf("more than %d MB of Event-B components", maxTotal>>20)

func (s *scan) read(name string) ([]byte, error) {
	f, err := s.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileSize+1))
	if s.left -= int64(len(data)); s.left < 0 {
		return nil, fmt.Errorf("%s: %w", s.at, errTotal)
	}
	return data, err
}

// projectName returns the name that the .project file of dir gives, if it can
// name a directory, or else the name of dir.
func (s *scan) projectName(dir string) string {
	if data, err := s.read(path.Join(dir, ".project")); err == nil {
		if name := decodeProjectName(data); checkFileName("project", name) == nil {
			return name
		}
	}
	if dir != "." {
		return path.Base(dir)
	}
	at := s.at
	if abs, err := filepath.Abs(at); err == nil {
		at = abs
	}
	base := filepath.Base(at)
	return strings.TrimSuffix(base, ".zip")
}

// path returns the path of a file of fsys, as the user would write it.
func (s *scan) path(name string) string { return path.Join(filepath.ToSlash(s.at), name) }

// cause returns the message of err without the path, which is next to it.
func cause(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

func checkFileName(what, name string) error {
	if name == "" || name[0] == '.' || strings.ContainsAny(name, "/\\:*?\"<>|\x00") || !utf8.ValidString(name) {
		return fmt.Errorf("%s name %q is not a valid file name", what, name)
	}
	return nil
}

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
