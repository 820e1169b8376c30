package project

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/prover"
	"github.com/gradine/gradine/review"
	"github.com/gradine/gradine/review/git"
)

// Revision is what a file system holds at one revision: its projects by name.
type Revision map[string]*revision

// revision is a project at one revision.
type revision struct {
	*Project
	text map[string][]byte // of its files, and of its configuration

	configFile   string
	record       *proofstore.Lock
	certificates *proofstore.Certificates
	unread       bool // a source does not exist
}

// Review says what became of the projects between two revisions, with verdicts as
// `gradine prove` would give them. Broken says that the new one has errors.
func Review(ctx context.Context, was, is Revision, opts discharge.Options) (out []*review.Review, broken bool, err error) {
	return compare(ctx, was, is, review.Options{Discharge: opts})
}

// ReviewIn is Review of the revisions that BASE, BASE..HEAD or BASE...HEAD name in the
// repository around dir; without HEAD the new one is the working tree. Searches share a budget unless the review is thorough.
func ReviewIn(ctx context.Context, dir, revisions string, opts discharge.Options, thorough bool) (out []*review.Review, broken bool, err error) {
	repo, err := git.Open(dir)
	if err != nil {
		return nil, false, err
	}
	defer repo.Close()
	base, head, err := repo.Revisions(revisions)
	if err != nil {
		return nil, false, err
	}
	old, err := repo.Files(base)
	if err != nil {
		return nil, false, err
	}
	var now fs.FS
	if head == "" {
		now, err = repo.WorkTree()
	} else {
		now, err = repo.Files(head)
	}
	if err != nil {
		return nil, false, err
	}
	// Both sides are read below the same folder, so that a project is compared with
	// itself and not with its neighbours.
	within, err := repo.Within(dir)
	if err != nil {
		return nil, false, err
	}
	was, err := readRevision(old, within, true)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", base, err)
	}
	is, err := ReadRevision(now, within)
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", cmp.Or(head, "working tree"), err)
	}
	budget := review.NewBudget(is.steps())
	if thorough {
		budget = review.ThoroughBudget(is.steps())
	}
	out, broken, err = compare(ctx, was, is, review.Options{Discharge: opts, Budget: budget})
	if err != nil {
		return nil, broken, err
	}
	review.Waive(out, was.waivers(), is.waivers(), repo.Day(cmp.Or(head, "HEAD")))
	return out, broken, nil
}

// steps is the largest budget that a project has for a search, at least that of the prover: settings that make searches shorter
// leave room for more of them.
func (r Revision) steps() int64 {
	most := int64(prover.DefaultSteps)
	for _, x := range r {
		most = max(most, x.Budget())
	}
	return most
}

// waivers are those of gradine.toml.
func (r Revision) waivers() (out []review.Waiver) {
	// All projects of a revision come from one gradine.toml, so any of them tells.
	for _, name := range slices.Sorted(maps.Keys(r)) {
		if c := r[name].Config; c != nil {
			for _, w := range c.Waiver {
				of := cmp.Or(c.OfProject(w), review.ConfigurationName)
				out = append(out, review.Waiver{Project: of, Gate: review.Loss(w.Gate), Element: w.Element, Says: w.Says, Until: w.Until, Why: w.Why})
			}
			return out
		}
	}
	return nil
}

// compare reviews the projects of two revisions in pairs. broken says that the new one has errors.
func compare(ctx context.Context, was, is Revision, opts review.Options) (out []*review.Review, broken bool, err error) {
	for _, pair := range pairRevisions(was, is) {
		old, now := pair[0], pair[1]
		name := now.Name
		for _, side := range pair {
			if tell := opts.Discharge.Faulted; tell != nil {
				side.Faulted(func(file, why string) { tell(file + ": " + why) })
			}
		}
		// Where a source is missing, it is unknown what has changed in it.
		if maps.EqualFunc(old.text, now.text, bytes.Equal) && !now.unread {
			x, err := now.same(ctx, opts.Discharge.Store)
			if err != nil {
				return nil, broken, err
			}
			broken = broken || len(x.Problems) > 0
			out = append(out, x)
			continue
		}
		a, lost, err := old.side(ctx, opts.Discharge.Store)
		if err != nil {
			return nil, broken, err
		}
		b, more, err := now.side(ctx, opts.Discharge.Store)
		if err != nil {
			return nil, broken, err
		}
		passOver(append(lost, more...), a, b, opts.Discharge.Faulted)
		if !opts.Touched {
			a.Outcomes, b.Outcomes = old.outcomes(ctx, opts.Discharge.Faulted), now.outcomes(ctx, opts.Discharge.Faulted)
		}
		if now.Problems.HasErrors() {
			broken = true
		}
		// Files that are equal need no comparison of their elements.
		changed := func(o, n string) bool { return !bytes.Equal(old.text[o], now.text[n]) }
		opts.Expected = now.Expectations()
		opts.Repair = repairs(old.Project)
		x := review.Compare(ctx, name, a, b, changed, opts)
		if old.Name != name {
			x.Was = old.Name
		}
		followHints(x, old.Project, now.Project)
		out = append(out, x)
	}
	review.Moves(out)
	of, err := settings(was, is, out)
	return append(of, out...), broken, err
}

// settings reviews gradine.toml, where one revision has one, in addition to the models.
func settings(was, is Revision, models []*review.Review) ([]*review.Review, error) {
	// All projects of a revision come from one gradine.toml, so any of them tells.
	read := func(side Revision) ([]review.Setting, error) {
		names := slices.Sorted(maps.Keys(side))
		if len(names) == 0 || side[names[0]].Config == nil {
			return nil, nil
		}
		x := side[names[0]]
		list, err := config.Settings(x.configFile, x.text[x.configFile])
		var out []review.Setting
		for _, kv := range list {
			out = append(out, review.Setting{Key: kv[0], Value: kv[1]})
		}
		return out, err
	}
	old, err := read(was)
	if err != nil {
		return nil, err
	}
	now, err := read(is)
	if err != nil {
		return nil, err
	}
	if x := review.Settings(old, now, models); len(x.Changes) > 0 {
		return []*review.Review{x}, nil
	}
	return nil, nil
}

// pairRevisions pairs the projects of two trees: by name; then a project that is
// gone with a new one that has most of its files, as when a folder is renamed. The
// pairs stand in the order of their names now.
func pairRevisions(was, is Revision) [][2]*revision {
	var out [][2]*revision
	var gone, fresh []string
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if is[name] != nil {
			out = append(out, [2]*revision{was[name], is[name]})
		} else {
			gone = append(gone, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if was[name] == nil {
			fresh = append(fresh, name)
		}
	}
	// A project that was renamed, or that gradine.toml names now, has most of its old text.
	for _, name := range gone {
		best, most := "", 0.5
		for _, f := range fresh {
			if s := was[name].shared(is[f]); s > most {
				best, most = f, s
			}
		}
		if best == "" {
			out = append(out, [2]*revision{was[name], orEmpty(nil, name)})
			continue
		}
		out = append(out, [2]*revision{was[name], is[best]})
		fresh = slices.DeleteFunc(fresh, func(f string) bool { return f == best })
	}
	for _, name := range fresh {
		out = append(out, [2]*revision{orEmpty(nil, name), is[name]})
	}
	slices.SortFunc(out, func(a, b [2]*revision) int { return cmp.Compare(a[1].Name, b[1].Name) })
	return out
}

// shared says how much two projects have in common: the part of the files of x, or of y
// where those are more, that stand where they stood; a file of one name elsewhere counts
// as far as its lines are the same.
func (x *revision) shared(y *revision) float64 {
	old, now := x.models(), y.models()
	elsewhere := map[string][]string{} // by the name in its folder, the paths of y
	for _, name := range now {
		if _, stays := x.text[name]; !stays {
			elsewhere[path.Base(name)] = append(elsewhere[path.Base(name)], name)
		}
	}
	common := 0.0
	for _, name := range old {
		if _, stays := y.text[name]; stays {
			common++
			continue
		}
		best, most := -1, 0.0
		others := elsewhere[path.Base(name)]
		for i, other := range others {
			if alike := sameLines(x.text[name], y.text[other]); alike > most {
				best, most = i, alike
			}
		}
		if best >= 0 {
			common += most
			elsewhere[path.Base(name)] = slices.Delete(others, best, best+1)
		}
	}
	return common / float64(max(len(old), len(now), 1))
}

// models are the paths of what the models of a project are read from.
func (x *revision) models() []string {
	names := slices.Sorted(maps.Keys(x.text))
	return slices.DeleteFunc(names, func(name string) bool { return !IsModel(name) && !IsKernel(name) })
}

// sameLines is the part of the lines of a text, or of the other where those are more, that
// both have.
func sameLines(a, b []byte) float64 {
	if bytes.Equal(a, b) {
		return 1
	}
	count := map[string]int{}
	lines, others, common := 0, 0, 0
	for line := range bytes.Lines(a) {
		count[string(bytes.TrimSpace(line))]++
		lines++
	}
	for line := range bytes.Lines(b) {
		others++
		if text := string(bytes.TrimSpace(line)); count[text] > 0 {
			count[text]--
			common++
		}
	}
	return float64(common) / float64(max(lines, others, 1))
}

func orEmpty(x *revision, name string) *revision {
	if x == nil {
		return &revision{Project: newProject(name, nil)}
	}
	return x
}

// passOver takes the obligations of components with a fault out of both sides: compared with nothing,
// those of one side would look new or gone.
func passOver(faults []*seam.Fault, old, now *review.Side, tell func(why string)) {
	for _, fault := range faults {
		if tell != nil {
			tell(fault.About + ": " + fault.Error())
		}
		for _, side := range []*review.Side{old, now} {
			side.Obligations = slices.DeleteFunc(side.Obligations, func(o *po.Obligation) bool { return po.About(o.Of()) == fault.About })
		}
	}
}

// side checks a project and generates its obligations. Faults say of which components it has none.
func (x *revision) side(ctx context.Context, store *proofstore.Store) (side *review.Side, faults []*seam.Fault, err error) {
	if err := x.readKernels(ctx, store); err != nil {
		return nil, nil, err
	}
	x.Dev = check.Development(x.Name, x.Files, &x.Problems)
	obligations, err := x.Obligations()
	faults, err = seam.Split(err)
	if err != nil {
		return nil, nil, err
	}
	premises, err := x.Premises()
	if err != nil {
		return nil, nil, err
	}
	return &review.Side{Ways: premises.Ways, Hints: x.hints, Files: x.Files, Dev: x.Dev, Problems: x.Problems.Sorted(), Obligations: obligations, Lock: x.record, Certificates: x.certificates, Steps: x.Budget()}, faults, nil
}

// same is the review of a project in which nothing changed: its errors are as before.
func (x *revision) same(ctx context.Context, store *proofstore.Store) (*review.Review, error) {
	if err := x.readKernels(ctx, store); err != nil {
		return nil, err
	}
	check.Development(x.Name, x.Files, &x.Problems)
	out := &review.Review{Project: x.Name}
	for _, problem := range x.Problems.Sorted() {
		if problem.Severity == diag.Error {
			out.Problems = append(out.Problems, review.Problem{What: review.Both, Diagnostic: problem})
		}
	}
	return out, nil
}

// ReadRevision reads the projects of a file system: those of the gradine.toml nearest
// to dir, or else every folder at dir or below that holds models.
func ReadRevision(fsys fs.FS, dir string) (Revision, error) { return readRevision(fsys, dir, false) }

// readRevision is ReadRevision. In the gradine.toml of a past revision, keys that this program does not know mean
// nothing: another version of it may have known them. That they went shows among the settings.
func readRevision(fsys fs.FS, dir string, past bool) (Revision, error) {
	// The gradine.toml of this revision counts, wherever that of another stands.
	for at := dir; ; at = path.Dir(at) {
		data, err := fs.ReadFile(fsys, path.Join(at, config.Name))
		if err == nil {
			return readConfigured(fsys, path.Join(at, config.Name), data, past)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if at == "." {
			break
		}
	}
	out := Revision{}
	// Without gradine.toml every folder with models is a project, called after it.
	err := fs.WalkDir(fsys, dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name == dir:
			return nil
		case err != nil:
			return err
		case entry.IsDir() && name != dir && isHidden(entry.Name()):
			return fs.SkipDir
		case !entry.IsDir() && !rodin.IsArchive(name):
			return nil
		}
		x := newRevision(name, nil)
		if err := x.readPlace(fsys, name, entry.IsDir()); err != nil {
			return err
		}
		if len(x.Files)+len(x.Problems.Sorted()) > 0 {
			out[name] = x
		}
		return x.readRecord(fsys, path.Join(name, proofstore.LockName))
	})
	return out, err
}

// readPlace reads what stands at one place of a tree, without gradine.toml: the models
// of a folder itself, or those of an archive, if it is one.
func (x *revision) readPlace(fsys fs.FS, name string, folder bool) error {
	if folder {
		return x.readFolder(fsys, name)
	}
	// An archive that was not named may hold anything: one that cannot be read, as in a
	// partial clone, is told of and ends nothing.
	if err := x.readArchive(fsys, name); err != nil && !errors.Is(err, zip.ErrFormat) {
		x.Problems.Add(diag.Diagnostic{Code: rodin.Unreadable, Severity: diag.Warning, Span: diag.Span{File: name}, Message: err.Error()})
	}
	return nil
}

func newRevision(name string, c *config.Config) *revision {
	return &revision{Project: newProject(name, c), text: map[string][]byte{}}
}

// readConfigured reads the projects of a gradine.toml of a revision.
func readConfigured(fsys fs.FS, file string, data []byte, past bool) (Revision, error) {
	read := config.ReadFS
	if past {
		read = config.ReadPastFS
	}
	c, err := seam.Read(file, func() (*config.Config, error) { return read(fsys, file) })
	if err != nil {
		return nil, err
	}
	out := Revision{}
	for name, p := range c.Project {
		x := newRevision(name, c)
		x.text[file], x.configFile = unixLines(data), file
		for _, s := range p.Sources {
			source := path.Join(path.Dir(file), s)
			if _, err := fs.Stat(fsys, source); errors.Is(err, fs.ErrNotExist) {
				// A clone of this revision cannot be verified. What else there is, is reviewed.
				x.unread = true
				x.Problems.Add(diag.Diagnostic{Code: rodin.Unreadable, Severity: diag.Error, Span: diag.Span{File: file}, Message: missingSource(name, s)})
				continue
			}
			if err := x.read(fsys, source); err != nil {
				return nil, fmt.Errorf("%s: project %s: %w", file, name, err)
			}
		}
		if err := x.readRecord(fsys, path.Join(path.Dir(file), name+"."+proofstore.LockName)); err != nil {
			return nil, err
		}
		out[name] = x
	}
	return out, nil
}

// readRecord reads the lock with the given path, and the certificates next to it.
func (x *revision) readRecord(fsys fs.FS, name string) error {
	x.Lock = name
	err := x.readIfAny(fsys, name, func(data []byte) (err error) {
		x.record, err = proofstore.DecodeLock(data)
		return err
	})
	if err != nil {
		return err
	}
	return x.readIfAny(fsys, x.Project.certificates(), func(data []byte) (err error) {
		x.certificates, err = proofstore.DecodeCertificates(data)
		return err
	})
}

func (x *revision) readIfAny(fsys fs.FS, name string, decode func([]byte) error) error {
	data, err := fs.ReadFile(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	x.text[name] = unixLines(data)
	// proofs.lock is not trusted, so that one that a merge has spoilt is an error of
	// this revision, and all else is reviewed.
	if err := decode(data); err != nil {
		x.Problems.Add(diag.Diagnostic{Code: rodin.Unreadable, Severity: diag.Error, Span: diag.Span{File: name}, Message: err.Error()})
	}
	return nil
}

// unixLines returns text with the line ends that Git commits, for core.autocrlf
// writes others into the working tree.
func unixLines(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }

// read adds the models of a source: a file, an archive, or a folder. A folder without text
// stands for all that Rodin has below it.
func (x *revision) read(fsys fs.FS, source string) error {
	info, err := fs.Stat(fsys, source)
	switch {
	case err != nil:
		return err
	case rodin.IsArchive(source) && !info.IsDir():
		return x.readArchive(fsys, source)
	case !info.IsDir():
		return x.readFile(fsys, source)
	}
	if text, err := modelFiles(fsys, source, IsText, IsKernel); err != nil || len(text) > 0 {
		return errors.Join(err, x.readFolder(fsys, source))
	}
	return fs.WalkDir(fsys, source, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !entry.IsDir():
			return nil
		case name != source && isHidden(entry.Name()):
			return fs.SkipDir
		}
		return x.readFolder(fsys, name)
	})
}

// readFolder adds the models and hints of a folder itself.
func (x *revision) readFolder(fsys fs.FS, folder string) error {
	names, err := modelFiles(fsys, folder, append(x.kinds(), IsHints, IsScenario)...)
	for _, name := range names {
		err = errors.Join(err, x.readFile(fsys, name))
	}
	return err
}

func (x *revision) readFile(fsys fs.FS, name string) error {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	x.enter(name, data)
	return nil
}

// readArchive adds the models of one of Rodin's archives: what they say counts, and not
// how they are packed.
func (x *revision) readArchive(fsys fs.FS, name string) error {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return err
	}
	inside, err := rodin.Unpack(data)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, file := range slices.Sorted(maps.Keys(inside)) {
		x.enter(path.Join(name, file), inside[file])
	}
	return nil
}

func (x *revision) enter(name string, data []byte) {
	x.text[name] = unixLines(data)
	if IsHints(name) {
		x.addHints(name, data)
		return
	}
	if IsScenario(name) {
		x.addScenarios(name, data)
		return
	}
	x.add(name, data)
}
