package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/spf13/cobra"
)

func (r *run) importCommand() *cobra.Command {
	var to string
	var force bool
	c := &cobra.Command{
		Use:   "import RODIN [-o DIR]",
		Short: "Turn Rodin projects into text models",
		Long: `Reads a Rodin project, a folder or zip of them, and writes one .eventb file a component below
DIR/PROJECT. Existing files are left alone unless --force is given.`,
		Example: "  gradine import model.zip -o models",
		Args:    oneArgument("a Rodin project"),
		RunE: func(_ *cobra.Command, args []string) error {
			var problems diag.List
			projects, err := rodin.Read(r.path(args[0]), &problems)
			if err != nil {
				return modelError{err}
			}
			if err := distinct(projects); err != nil {
				return err
			}
			report.Problems(r.err, report.Style{}, rodinIDs(problems.Sorted()), func(string) []byte { return nil })
			if problems.HasErrors() {
				r.fail(exitModel)
			}
			for _, p := range projects {
				if err := r.importProject(p, filepath.Join(r.path(to), p.Name), force); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().StringVarP(&to, "output", "o", ".", "write below `DIR`")
	c.Flags().BoolVar(&force, "force", false, "overwrite existing files")
	c.Flags().BoolVar(&r.ascii, "ascii", false, "ASCII spellings of operators")
	return c
}

func (r *run) importProject(p *rodin.Project, dir string, force bool) error {
	type file struct {
		name string
		data []byte
	}
	var files []file
	for _, f := range p.Files {
		for _, c := range f.Components {
			name := filepath.Join(dir, c.Name.Text+".eventb")
			if !filepath.IsLocal(c.Name.Text + ".eventb") {
				return modelErrorf("component name %q cannot name a file", c.Name.Text)
			}
			files = append(files, file{name, lang.Format(&lang.File{Components: []*lang.Component{c}}, lang.Options{ASCII: r.ascii})})
		}
	}
	for _, f := range files {
		old, err := os.ReadFile(f.name)
		if err == nil && !force && !bytes.Equal(old, f.data) {
			return modelErrorf("%s exists; --force overwrites it", f.name)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return modelError{err}
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return modelError{err}
	}
	for _, f := range files {
		if err := replaceFile(f.name, f.data); err != nil {
			return modelError{err}
		}
	}
	fmt.Fprintf(r.out, "%s: %s\n", dir, report.Count(len(files), "component"))
	return nil
}

func (r *run) exportCommand() *cobra.Command {
	var to string
	var force bool
	c := &cobra.Command{
		Use:   "export [PATH] -o TARGET",
		Short: "Write a project for Rodin",
		Long: `Writes a project in Rodin's format: into a zip archive if TARGET ends in .zip, into a folder
otherwise. Existing files are left alone unless --force is given.`,
		Example: "  gradine export model.eventb -o model.zip",
		RunE: func(_ *cobra.Command, args []string) error {
			if to == "" {
				return usagef("-o TARGET is missing")
			}
			projects, rest, err := r.projects(args)
			if err != nil {
				return err
			}
			if err := onePath("export", rest); err != nil {
				return err
			}
			var out []*rodin.Project
			for _, p := range projects {
				out = append(out, &rodin.Project{Name: p.name, Files: p.files})
			}
			r.warnErrors(projects)
			return r.export(out, r.path(to), force)
		},
	}
	c.Flags().StringVarP(&to, "output", "o", "", "write to `TARGET`, a folder or a .zip file")
	c.Flags().BoolVar(&force, "force", false, "overwrite existing files")
	return c
}

// distinct refuses projects that would be written over each other.
func distinct(projects []*rodin.Project) error {
	seen := map[string]bool{}
	for _, p := range projects {
		name := strings.ToLower(p.Name)
		if seen[name] {
			return modelErrorf("two projects named %s would share their files; give the folder of one of them", p.Name)
		}
		seen[name] = true
	}
	return nil
}

func (r *run) export(projects []*rodin.Project, to string, force bool) error {
	if err := distinct(projects); err != nil {
		return err
	}
	if strings.HasSuffix(to, ".zip") {
		if _, err := os.Stat(to); err == nil && !force {
			return modelErrorf("%s exists; --force overwrites it", to)
		}
		var zip bytes.Buffer
		if err := rodin.WriteZip(&zip, projects...); err != nil {
			return modelError{err}
		}
		return replaceFile(to, zip.Bytes())
	}
	for _, p := range projects {
		dir := to
		if len(projects) > 1 {
			dir = filepath.Join(to, p.Name)
		}
		if err := rodin.WriteDir(dir, p, force); err != nil {
			return modelError{err}
		}
	}
	return nil
}
