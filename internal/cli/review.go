package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/review"
	"github.com/spf13/cobra"
)

func (r *run) reviewCommand() *cobra.Command {
	var f proveFlags
	var failOn string
	c := &cobra.Command{
		Use:   "review BASE[..HEAD]",
		Short: "Say what a change of the models means for their proofs",
		Long: `Compares two revisions of Git, or BASE with the working tree: what changed in the models element
by element, which obligations appeared, vanished, kept their proof or lost it, and which machines
further down are reached. BASE...HEAD compares HEAD with the common ancestor of both. Proofs follow
content: only what the change touches is proved again.`,
		Example: "  gradine review main\n  gradine review main...topic --fail-on lost-proof,refuted,open,cost+20%",
		Args:    oneArgument("the revisions BASE[..HEAD]"),
		RunE: func(_ *cobra.Command, args []string) error {
			conditions, err := parseGates(failOn)
			if err != nil {
				return err
			}
			reviews, err := r.review(args[0], f)
			if err != nil {
				return err
			}
			for _, x := range reviews {
				unconfirmed, unseen := 0, 0
				for _, o := range x.Obligations {
					if o.Unconfirmed {
						unconfirmed++
					}
					if o.New != nil && (o.Is.Verdict == "" || o.Is.Recorded) {
						unseen++
					}
				}
				if unconfirmed > 0 {
					fmt.Fprintf(r.err, "gradine: %s: proofs.lock says more of %s than anything confirms; `gradine prove --lock` writes what is so\n", x.Project, report.Count(unconfirmed, "obligation"))
					r.fail(exitNo)
				}
				if unseen > 0 && len(conditions) > 0 {
					fmt.Fprintf(r.err, "gradine: %s: nobody looked at %s, so that --fail-on cannot pass\n", x.Project, report.Count(unseen, "obligation"))
					r.fail(exitNoVerdict)
				}
				for _, g := range conditions {
					if why := g.failing(x); why != "" {
						fmt.Fprintf(r.err, "gradine: %s: %s\n", x.Project, why)
						r.fail(g.code)
					}
				}
			}
			return report.Reviews(r.out, r.style(), r.format, "gradine review "+args[0], reviews)
		},
	}
	c.Flags().StringVar(&failOn, "fail-on", "", "what makes the review fail: a list of "+gateNames()+", cost+N%")
	c.Flags().Int64Var(&f.steps, "steps", 0, "budget of a search, in steps")
	c.Flags().IntVar(&f.workers, "workers", 0, "number of searches at a time (no influence on results)")
	c.Flags().BoolVar(&f.replay, "replay", false, "check committed certificates; search nothing")
	c.Flags().BoolVar(&f.noStore, "no-store", false, "neither read nor write the store")
	r.formatFlag(c, "text", "markdown", "jsonl", "sarif", "github")
	return c
}

// gate is one condition of --fail-on.
type gate struct {
	name string
	code int
	// count says how many findings of a review do not pass.
	count func(*review.Review) int
	why   string // what the findings are
	cost  float64
}

// gates are the conditions besides cost+N%.
var gates = []gate{
	{name: "lost-proof", code: exitNo, why: "of the obligations that the change touches", count: touched(func(o *review.ObligationChange) bool { return o.Fate == review.Lost })},
	{name: "refuted", code: exitNo, why: "of the obligations that the change touches", count: touched(hasVerdict(discharge.Refuted))},
	{name: "vacuous", code: exitNo, why: "of the obligations that the change touches", count: touched(hasVerdict(discharge.Vacuous))},
	{name: "contradiction", code: exitNo, why: "assumptions contradict themselves, and did not before", count: func(x *review.Review) int {
		n := 0
		for _, c := range x.Contradictions {
			if c.What == review.OnlyNow {
				n++
			}
		}
		return n
	}},
	{name: "open", code: exitNoVerdict, why: "of the obligations that the change touches", count: touched(func(o *review.ObligationChange) bool {
		return o.Is.Verdict == discharge.Open || o.Is.Verdict == "" && o.Fate != review.Unclear
	})},
	{name: "worse", code: exitNo, why: "of the obligations that the change touches", count: touched((*review.ObligationChange).Worse)},
	{name: "weaker", code: exitNo, why: "claims say less", count: losses(review.Weakened)},
	{name: "gone", code: exitNo, why: "claims are no longer made", count: losses(review.Dropped)},
	{name: "assumed", code: exitNo, why: "new assumptions", count: losses(review.Assumed)},
}

// touched counts the obligations with another sequent, or without one before, that
// are as fails says and not as gradine.toml expects.
func touched(fails func(*review.ObligationChange) bool) func(*review.Review) int {
	return func(x *review.Review) int {
		n := 0
		for _, o := range x.Obligations {
			if o.New != nil && o.Fate != review.Same && o.Expected == "" && fails(o) {
				n++
			}
		}
		return n
	}
}

func hasVerdict(v discharge.Verdict) func(*review.ObligationChange) bool {
	return func(o *review.ObligationChange) bool { return o.Is.Verdict == v }
}

func losses(l review.Loss) func(*review.Review) int {
	return func(x *review.Review) int {
		n := 0
		for _, c := range x.Claims {
			if c.Loss == l {
				n++
			}
		}
		return n
	}
}

func parseGates(list string) ([]gate, error) {
	var out []gate
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		i := slices.IndexFunc(gates, func(g gate) bool { return g.name == name })
		switch {
		case name == "":
		case i >= 0:
			out = append(out, gates[i])
		case strings.HasPrefix(name, "cost+") && strings.HasSuffix(name, "%"):
			n, err := strconv.ParseFloat(name[len("cost+"):len(name)-1], 64)
			if err != nil || n < 0 {
				return nil, usagef("--fail-on %s: write cost+20%% for a fifth", name)
			}
			out = append(out, gate{name: name, code: exitNo, cost: 1 + n/100})
		default:
			return nil, usagef("--fail-on %s: it must be one of %s and cost+N%%", name, gateNames())
		}
	}
	return out, nil
}

func gateNames() string {
	var names []string
	for _, g := range gates {
		names = append(names, g.name)
	}
	return strings.Join(names, ", ")
}

// failing says why a review does not pass, or "".
func (g gate) failing(x *review.Review) string {
	if g.cost > 0 {
		if was, is := x.Cost(); float64(is) > g.cost*float64(was) {
			return fmt.Sprintf("%s: proofs take %d steps, and took %d", g.name, is, was)
		}
		return ""
	}
	if n := g.count(x); n > 0 {
		return fmt.Sprintf("%s: %d %s", g.name, n, g.why)
	}
	return ""
}

// revisions splits BASE, BASE..HEAD or BASE...HEAD. Without HEAD it is the
// working tree.
func revisions(repo *review.Repository, arg string) (base, head string, err error) {
	if a, b, ok := strings.Cut(arg, "..."); ok {
		a, b = cmp.Or(a, "HEAD"), cmp.Or(b, "HEAD")
		base, err = repo.MergeBase(a, b)
		return base, b, err
	}
	a, b, ok := strings.Cut(arg, "..")
	if ok {
		b = cmp.Or(b, "HEAD")
	}
	return cmp.Or(a, "HEAD"), b, nil
}

func (r *run) review(arg string, f proveFlags) ([]*review.Review, error) {
	repo, err := review.OpenRepository(cmp.Or(r.dir, "."))
	if err != nil {
		return nil, modelError{err}
	}
	defer repo.Close()
	base, head, err := revisions(repo, arg)
	if err != nil {
		return nil, modelError{err}
	}
	old, err := repo.Files(base)
	if err != nil {
		return nil, modelError{err}
	}
	var now fs.FS
	if head == "" {
		now, err = repo.WorkTree()
	} else {
		now, err = repo.Files(head)
	}
	if err != nil {
		return nil, modelError{err}
	}
	dir, err := repo.Within(cmp.Or(r.dir, "."))
	if err != nil {
		return nil, modelError{err}
	}
	was, err := readTree(old, dir)
	if err != nil {
		return nil, modelErrorf("%s: %w", base, err)
	}
	is, err := readTree(now, dir)
	if err != nil {
		return nil, modelErrorf("%s: %w", cmp.Or(head, "working tree"), err)
	}
	return r.compare(was, is, f)
}

// revision is a project at one revision.
type revision struct {
	*project
	text map[string][]byte // of its files, and of its configuration

	configFile   string
	record       *discharge.Lock
	certificates *discharge.Certificates
}

func (r *run) compare(was, is map[string]*revision, f proveFlags) ([]*review.Review, error) {
	opts, err := f.options()
	if err != nil {
		return nil, err
	}
	out, err := settings(was, is)
	if err != nil {
		return nil, err
	}
	for _, pair := range pairRevisions(was, is) {
		old, now := pair[0], pair[1]
		name := now.name
		if maps.EqualFunc(old.text, now.text, bytes.Equal) {
			out = append(out, &review.Review{Project: name})
			continue
		}
		a, err := old.side()
		if err != nil {
			return nil, err
		}
		b, err := now.side()
		if err != nil {
			return nil, err
		}
		if now.problems.HasErrors() {
			r.fail(exitModel)
		}
		changed := func(o, n string) bool { return !bytes.Equal(old.text[o], now.text[n]) }
		x := review.Compare(r.ctx, name, a, b, changed, review.Options{Discharge: opts, Expected: now.expected})
		if old.name != name {
			x.Was = old.name
		}
		out = append(out, x)
	}
	review.Moves(out)
	return out, nil
}

// expected says why gradine.toml expects the verdict that an obligation has now.
func (x *revision) expected(o *review.ObligationChange) (string, bool) {
	if x.config == nil {
		return "", false
	}
	for _, e := range x.config.Expect {
		if e.Project == x.name && e.PO == o.New.Component+"/"+o.New.Name && e.Verdict == string(o.Is.Verdict) {
			return e.Why, true
		}
	}
	return "", false
}

// settings reviews gradine.toml, where one revision has one.
func settings(was, is map[string]*revision) ([]*review.Review, error) {
	read := func(side map[string]*revision) ([]review.Setting, error) {
		for _, name := range slices.Sorted(maps.Keys(side)) {
			x := side[name]
			if x.config == nil {
				return nil, nil
			}
			list, err := config.Settings(x.configFile, x.text[x.configFile])
			var out []review.Setting
			for _, kv := range list {
				out = append(out, review.Setting{Key: kv[0], Value: kv[1]})
			}
			return out, err
		}
		return nil, nil
	}
	old, err := read(was)
	if err != nil {
		return nil, modelError{err}
	}
	now, err := read(is)
	if err != nil {
		return nil, modelError{err}
	}
	if x := review.Settings(old, now); len(x.Changes) > 0 {
		return []*review.Review{x}, nil
	}
	return nil, nil
}

// pairRevisions pairs the projects of two trees: by name; then a project that is
// gone with a new one that has most of its files, as when a folder is renamed. The
// pairs stand in the order of their names now.
func pairRevisions(was, is map[string]*revision) [][2]*revision {
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
	slices.SortFunc(out, func(a, b [2]*revision) int { return cmp.Compare(a[1].name, b[1].name) })
	return out
}

// shared is the part of the files of x, or of y where those are more, that have
// the same name and text in both.
func (x *revision) shared(y *revision) float64 {
	type content struct{ name, text string }
	files := map[content]int{}
	for name, data := range x.text {
		files[content{path.Base(name), string(data)}]++
	}
	common := 0
	for name, data := range y.text {
		if c := (content{path.Base(name), string(data)}); files[c] > 0 {
			files[c]--
			common++
		}
	}
	return float64(common) / float64(max(len(x.text), len(y.text), 1))
}

func orEmpty(x *revision, name string) *revision {
	if x == nil {
		return &revision{project: newProject(name, nil)}
	}
	return x
}

// side checks a project and generates its obligations.
func (x *revision) side() (*review.Side, error) {
	x.dev = check.Development(x.name, x.files, &x.problems)
	obligations, err := po.All(x.dev, x.options())
	if err != nil {
		return nil, modelError{err}
	}
	return &review.Side{Files: x.files, Dev: x.dev, Problems: x.problems.Sorted(), Obligations: obligations, Lock: x.record, Certificates: x.certificates, Steps: x.budget()}, nil
}

// readTree reads the projects of a file system: those of the gradine.toml nearest
// to dir, or else every folder at dir or below that holds models.
func readTree(fsys fs.FS, dir string) (map[string]*revision, error) {
	for at := dir; ; at = path.Dir(at) {
		data, err := fs.ReadFile(fsys, path.Join(at, config.Name))
		if err == nil {
			return readConfigured(fsys, path.Join(at, config.Name), data)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		if at == "." {
			break
		}
	}
	out := map[string]*revision{}
	err := fs.WalkDir(fsys, dir, func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == dir {
			return nil
		}
		if err != nil {
			return err
		}
		if !d.IsDir() {
			return nil
		}
		if name != dir && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		x := newRevision(name, nil)
		if err := x.read(fsys, name); err != nil {
			return err
		}
		if len(x.files) > 0 {
			out[name] = x
		}
		return x.readLock(fsys, path.Join(name, discharge.LockName))
	})
	return out, err
}

func newRevision(name string, c *config.Config) *revision {
	return &revision{project: newProject(name, c), text: map[string][]byte{}}
}

func readConfigured(fsys fs.FS, file string, data []byte) (map[string]*revision, error) {
	c, err := config.ReadFS(fsys, file)
	if err != nil {
		return nil, err
	}
	out := map[string]*revision{}
	for name, p := range c.Project {
		x := newRevision(name, c)
		x.text[file], x.configFile = unixLines(data), file
		for _, s := range p.Sources {
			if err := x.read(fsys, path.Join(path.Dir(file), s)); err != nil {
				return nil, fmt.Errorf("%s: project %s: %w", file, name, err)
			}
		}
		if err := x.readLock(fsys, path.Join(path.Dir(file), name+"."+discharge.LockName)); err != nil {
			return nil, err
		}
		out[name] = x
	}
	return out, nil
}

// readLock reads the lock with the given path, and the certificates beside it.
func (x *revision) readLock(fsys fs.FS, name string) error {
	x.lock = name
	err := x.readIfAny(fsys, name, func(data []byte) (err error) {
		x.record, err = discharge.DecodeLock(data)
		return err
	})
	if err != nil {
		return err
	}
	return x.readIfAny(fsys, x.project.certificates(), func(data []byte) (err error) {
		x.certificates, err = discharge.DecodeCertificates(data)
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
	if err := decode(data); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	x.text[name] = unixLines(data)
	return nil
}

// unixLines returns text with the line ends that Git commits, for core.autocrlf
// writes others into the working tree.
func unixLines(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }

// read adds the models of a source: a file, or the files of a folder.
func (x *revision) read(fsys fs.FS, source string) error {
	info, err := fs.Stat(fsys, source)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // Git has no empty folders
	}
	if err != nil {
		return err
	}
	names := []string{source}
	if info.IsDir() {
		if names, err = modelFiles(fsys, source, isText, isRodin); err != nil {
			return err
		}
	}
	for _, name := range names {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		x.text[name] = unixLines(data)
		x.add(name, data)
	}
	return nil
}
