package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/cli/flags"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/report/latex"
	"github.com/gradine/gradine/internal/report/page"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/project"
	"github.com/spf13/cobra"
)

func (r *run) importCommand() *cobra.Command {
	var to string
	var force bool
	command := &cobra.Command{
		Use:   "import RODIN|KERNELS|JSON [-o DIR]",
		Short: "Import Rodin projects, GPU kernels or files of auto-tuners as text",
		Long: `Reads Rodin projects (a folder, or a zip of folders) and writes DIR/PROJECT/COMPONENT.eventb for each component.
Manual proof steps (cuts, cases, instantiations, witnesses, selected hypotheses) become proof hints in .hints
files next to the models. Existing files are kept unless --force is given. Proofs and data of plug-ins have no
text form. The command lists, file by file, which proofs and data it leaves out. gradine export over the same
Rodin project keeps them.

For a file of GPU kernels (.cl or .cu), writes the contexts and machines that model the kernels to
DIR/NAME.eventb, with the inferred invariants.

For a .json file from the auto-tuners Kernel Tuner or KTT, writes an input file of gradine tune. Format T1 gives
DIR/KERNEL.toml, a table of parameters. Format T4 gives DIR/NAME.measured.tsv, a table of measurements. A
restriction that gradine does not understand is an error. For T1, the command also lists the entries that it
left out; add these to DIR/KERNEL.toml.`,
		Example: "  gradine import model.zip -o models\n  gradine import kernel.cl -o models\n  gradine import problem.json",
		Args:    oneArgument("a Rodin project, a file of kernels, or a tuner's file in JSON"),
		RunE: func(_ *cobra.Command, args []string) error {
			if project.IsKernel(args[0]) {
				return r.importKernels(r.path(args[0]), r.path(to), force)
			}
			if strings.EqualFold(filepath.Ext(args[0]), ".json") {
				return r.importTuner(r.path(args[0]), r.path(to), force)
			}
			var problems diag.List
			projects, err := rodin.ReadWithProofs(r.path(args[0]), &problems)
			if err != nil {
				return modelError{err}
			}
			if err := rodin.Distinct(projects); err != nil {
				return modelError{err}
			}
			// What could be read is written even so: it is easier to fix as text.
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
	command.Flags().StringVarP(&to, "output", "o", ".", "write under `DIR`")
	command.Flags().BoolVar(&force, "force", false, "overwrite existing files")
	command.Flags().BoolVar(&r.ascii, "ascii", false, "use ASCII operators")
	return command
}

// importTuner writes what a tuner's file has into dir.
func (r *run) importTuner(name, dir string, force bool) error {
	got, err := project.ImportTuner(name, dir, force)
	if err != nil {
		return modelError{err}
	}
	if !got.Problem {
		fmt.Fprintf(r.out, "%s: %s, %d without a time\n", got.To, report.Count(got.Rows, "measurement"), got.Failed)
		return nil
	}
	fmt.Fprintf(r.out, "%s: %s\n", got.To, report.Count(got.Parameters, "parameter"))
	for _, l := range got.Left {
		fmt.Fprintf(r.out, "  left out: %s\n", l)
	}
	fmt.Fprintf(r.out, "  next: gradine tune %s --table %s --device NAME\n", got.Kernel, got.To)
	return nil
}

// importKernels writes the machines of a file of kernels into dir.
func (r *run) importKernels(name, dir string, force bool) error {
	opener := project.Opener{Context: r.ctx}
	opener.Store, _ = proofstore.DefaultStore() // without one, what is found is the same
	to, machines, problems, err := opener.ImportKernels(name, dir, lang.Options{ASCII: r.ascii}, force)
	report.Problems(r.err, report.Style{}, rodinIDs(problems), func(string) []byte { return nil })
	if err != nil {
		return modelError{err}
	}
	if len(problems) > 0 {
		r.fail(exitModel)
	}
	if machines > 0 {
		fmt.Fprintf(r.out, "%s: %s\n", to, report.Count(machines, "machine"))
	}
	return nil
}

// sayManual says what has become of the proofs of a component.
func (r *run) sayManual(m project.Manual) {
	if m.Hints.Bytes() != nil {
		fmt.Fprintf(r.out, "  %s.bpr: manual proof steps are in %s; `gradine prove` reports unneeded ones\n", m.Component, m.Component+hints.Ext)
	}
	var what []string
	if m.Gone > 0 {
		what = append(what, report.Count(m.Gone, "proof")+" of obligations that the model does not have")
	}
	if m.Lost > 0 {
		what = append(what, report.Count(m.Lost, "step")+" that hints cannot express")
	}
	if len(what) > 0 {
		fmt.Fprintf(r.out, "  %s.bpr: not imported: %s\n", m.Component, strings.Join(what, ", "))
	}
}

// importProject writes the texts of a project into dir, and says what of it they do not
// carry.
func (r *run) importProject(p *rodin.Project, dir string, force bool) error {
	imported, err := project.ImportRodin(p, dir, lang.Options{ASCII: r.ascii}, force)
	if err != nil {
		return modelError{err}
	}
	fmt.Fprintf(r.out, "%s: %s\n", dir, report.Count(len(p.Files), "component"))
	for _, m := range imported.Manual {
		r.sayManual(m)
	}
	for _, l := range imported.Left {
		if l.Proofs > 0 {
			l.What = append(l.What, "proofs of "+report.Count(l.Proofs, "obligation"))
		}
		fmt.Fprintf(r.out, "  %s: not imported: %s\n", l.File, strings.Join(l.What, ", "))
	}
	if len(imported.Left) > 0 {
		fmt.Fprintln(r.out, "  an export over the Rodin project (export -o FOLDER --force) keeps all this there")
	}
	for _, name := range imported.Before {
		fmt.Fprintf(r.out, "  %s: was here before, and is a part of the project now; remove it if it is not meant to be\n", name)
	}
	return nil
}

func (r *run) exportCommand() *cobra.Command {
	var to, certificates string
	var force bool
	command := &cobra.Command{
		Use:   "export [PATH | PROJECT…] {-o TARGET | --certificates DIR}",
		Short: "Export models to Rodin, LaTeX or HTML, or export proofs",
		Long: `Writes projects in Rodin's format: to a zip archive if TARGET ends in .zip, otherwise to a folder. Existing
files are kept unless --force is given. With --force, gradine updates the files of an existing folder. The
update keeps element names, proofs and plug-in data. gradine does not touch files whose content stays the same,
and removes components that the project no longer has. With --format latex or html, TARGET is a document that
typesets the models.

With --certificates, proves the projects as gradine prove does. Writes each proof with its sequent to a file
under DIR, and also writes the lemmas that the proofs use. docs/proofs.md specifies these files, so that you can
write your own checker. The checker "go run ./cmd/recheck DIR" shares no code with gradine.`,
		Example: "  gradine export model.eventb -o copy.zip\n  gradine export gpu -o rodin/gpu --force\n  gradine export model.eventb --format latex -o model.tex\n  gradine export model.eventb --certificates proofs",
		RunE: func(_ *cobra.Command, args []string) error {
			if (to == "") == (certificates == "") {
				return flags.Usagef("give -o TARGET or --certificates DIR")
			}
			projects, rest, err := r.projects(args)
			if err != nil {
				return err
			}
			if projects, err = project.Named(projects, rest); err != nil {
				return flags.Usagef("%w; export takes whole projects", err)
			}
			// A project with errors is exported as it is: Rodin shows them, too.
			r.warnErrors(projects)
			if certificates != "" {
				return r.exportCertificates(projects, r.path(certificates), force)
			}
			if r.format != "rodin" {
				return r.typeset(projects, r.path(to), force)
			}
			return r.export(projects, r.path(to), force)
		},
	}
	command.Flags().StringVarP(&to, "output", "o", "", "write to `TARGET`, a folder or a .zip file")
	command.Flags().StringVar(&certificates, "certificates", "", "write proofs with their certificates under `DIR`")
	command.Flags().BoolVar(&force, "force", false, "overwrite existing files")
	r.formatFlag(command, "rodin", "latex", "html")
	return command
}

// exportCertificates proves projects and writes their proofs below dir.
func (r *run) exportCertificates(projects []*project.Project, dir string, force bool) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 && !force {
		return modelErrorf("%s is not empty; --force writes into it", dir)
	}
	return r.onProjects(projects, nil, func(w work) error {
		opts, err := flags.Prove{}.Options()
		if err != nil {
			return err
		}
		results, err := r.discharge(projects, w.obligations, opts, false, func(*verdict.Result) {})
		if err != nil {
			return err
		}
		written, err := project.WriteProofs(dir, results)
		if err != nil {
			return modelError{err}
		}
		fmt.Fprintf(r.out, "%s: %s of %s written\n", dir, report.Count(written, "proof"), report.Count(len(w.obligations), "obligation"))
		r.sayInterrupted(len(results), len(w.obligations))
		return nil
	})
}

// typeset writes projects as a document.
func (r *run) typeset(projects []*project.Project, to string, force bool) error {
	if _, err := os.Stat(to); err == nil && !force {
		return modelErrorf("%s exists; --force overwrites it", to)
	}
	var listings []project.Listing
	for _, p := range projects {
		listings = append(listings, p.Listings()...)
	}
	var document bytes.Buffer
	origin := r.origin("", projects)
	var err error
	if r.format == "html" {
		err = page.WriteModels(&document, origin, listings)
	} else {
		err = latex.Write(&document, origin.Title, strings.TrimSpace(origin.Revision+" "+origin.Date), listings)
	}
	if err != nil {
		return err
	}
	return replaceFile(to, document.Bytes())
}

// export writes projects in Rodin's format to a zip archive or a folder. Existing files need force.
func (r *run) export(projects []*project.Project, to string, force bool) error {
	var out []*rodin.Project
	for _, opened := range projects {
		out = append(out, &rodin.Project{Name: opened.Name, Files: opened.Files})
	}
	if err := rodin.Distinct(out); err != nil {
		return modelError{err}
	}
	if strings.HasSuffix(to, ".zip") {
		if _, err := os.Stat(to); err == nil && !force {
			return modelErrorf("%s exists; --force overwrites it", to)
		}
		var zip bytes.Buffer
		if err := rodin.WriteZip(&zip, out...); err != nil {
			return modelError{err}
		}
		for _, opened := range projects {
			r.sayDropped(opened)
		}
		return replaceFile(to, zip.Bytes())
	}
	// Several projects get a folder each; a lone one is the folder that was named,
	// which may be a Rodin project already.
	for i, opened := range projects {
		dir := to
		if len(projects) > 1 {
			dir = filepath.Join(to, opened.Name)
		}
		w, err := rodin.WriteDir(dir, out[i], force)
		if err != nil {
			return modelError{err}
		}
		fmt.Fprintf(r.out, "%s: %s written, %d unchanged\n", dir, report.Count(len(w.Files), "file"), w.Same)
		if len(w.Removed) > 0 {
			fmt.Fprintf(r.out, "  removed, because %s no longer has them: %s\n", opened.Name, strings.Join(w.Removed, ", "))
		}
		if len(w.Strange) > 0 {
			fmt.Fprintf(r.out, "  unchanged, because the folder belongs to another project: %s\n", strings.Join(w.Strange, ", "))
		}
		r.sayDropped(opened)
	}
	return nil
}

// sayDropped says what of a project Rodin's format does not carry.
func (r *run) sayDropped(opened *project.Project) {
	comments, asked := opened.NotInRodin()
	if comments > 0 {
		fmt.Fprintf(r.out, "  %s: not exported: %s outside all elements\n", opened.Name, report.Count(comments, "comment"))
	}
	if len(asked) > 0 {
		fmt.Fprintf(r.out, "  %s: not exported: the obligations DLF, ENB and LTO that gradine.toml asks for (%s); Rodin has no such kinds\n", opened.Name, strings.Join(asked, ", "))
	}
}
