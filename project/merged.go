package project

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/internal/config"
	"github.com/gradine/gradine/review"
	"github.com/gradine/gradine/review/merge"
)

// Merge joins two texts that began from base: a model, text or Rodin's, by element, hints and
// scenarios by block, proofs of Rodin by obligation, gradine.toml by key, a lock line by line.
func Merge(name string, base, ours, theirs []byte) (merge.Result, error) {
	switch {
	case strings.HasSuffix(name, proofstore.LockName) || strings.HasSuffix(name, proofstore.CertificatesName):
		return merge.Result{Text: merge.Lock(base, ours, theirs)}, nil
	case path.Base(filepath.ToSlash(name)) == config.Name:
		return mergeSettings(name, base, ours, theirs)
	case IsHints(name):
		return merge.Hints(name, base, ours, theirs)
	case IsScenario(name):
		return merge.Scenarios(name, base, ours, theirs)
	case path.Ext(name) == ".bpr":
		return merge.Proofs(name, base, ours, theirs)
	case !IsText(name) && IsModel(name):
		return merge.Rodin(name, base, ours, theirs)
	}
	return merge.Text(name, base, ours, theirs)
}

// mergeSettings joins two edits of gradine.toml; what is wrong with the result alone is an
// error that they make only together.
func mergeSettings(name string, base, ours, theirs []byte) (merge.Result, error) {
	r, err := merge.Settings(name, base, ours, theirs)
	if err != nil || len(r.Conflicts) > 0 {
		return r, err
	}
	if _, err := config.Parse(name, r.Text); err != nil {
		for _, side := range [][]byte{ours, theirs} {
			if _, had := config.Parse(name, side); had != nil {
				return r, nil
			}
		}
		r.Together = append(r.Together, err.Error())
	}
	return r, nil
}

// Together is what a comparison of a joined text with both of its sides found.
type Together struct {
	// Lost says what neither side loses by itself, and the joined text does.
	Lost []string
	// Unclear counts the obligations that the join touches and that could not be compared,
	// since a side is below errors that it has by itself.
	Unclear int
}

// LostTogether says what two edits of a file lose only together, though each reads well:
// errors that neither makes by itself, assumptions that contradict each other, and
// obligations that the joined text leaves without a proof where each edit by itself proves
// them or does not have them. The other files of the project are taken as they are. A file
// that no project of the gradine.toml around it reads is one of its folder.
func LostTogether(ctx context.Context, file string, ours, theirs, joined []byte, opts discharge.Options) (Together, error) {
	trial, err := NewTrial(filepath.Dir(file))
	if err != nil {
		return Together{}, err
	}
	name, err := trial.inside(file)
	if err != nil {
		return Together{}, err
	}
	files, dir := trial.FS, trial.dir
	read := func(text []byte) (Revision, error) {
		return ReadRevision(overlay{files, map[string][]byte{name: text}}, dir)
	}
	if now, err := read(joined); err != nil {
		return Together{}, err
	} else if !now.reads(name) {
		files, dir = unconfigured{trial.FS}, path.Dir(name)
		if now, err = read(joined); err != nil {
			return Together{}, err
		}
		if !now.reads(name) {
			return Together{}, fmt.Errorf("no project reads it")
		}
	}
	var both [2]map[string]string // what is lost of either side, with what became of it
	var unclear [2]map[string]bool
	for i, side := range [][]byte{ours, theirs} {
		was, err := read(side)
		if err != nil {
			return Together{}, err
		}
		is, err := read(joined)
		if err != nil {
			return Together{}, err
		}
		reviews, _, err := compare(ctx, was, is, review.Options{Discharge: opts, Touched: true})
		if err != nil {
			return Together{}, err
		}
		both[i], unclear[i] = losses(reviews)
	}
	var out Together
	// What one side lost by itself is its own doing, and no loss against it.
	for what, how := range both[0] {
		if other, also := both[1][what]; also {
			if how == unprovedNow {
				how = other
			}
			out.Lost = append(out.Lost, fmt.Sprintf("%s %s", what, how))
		}
	}
	slices.Sort(out.Lost)
	maps.Copy(unclear[0], unclear[1])
	out.Unclear = len(unclear[0])
	return out, ctx.Err()
}

// unconfigured is a file system without gradine.toml.
type unconfigured struct{ fs.FS }

func (u unconfigured) Open(name string) (fs.File, error) {
	if path.Base(name) == config.Name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return u.FS.Open(name)
}

// unprovedNow is said of an obligation that is not proved and was not there before.
const unprovedNow = "is new and not proved"

// losses are the errors and contradictions that only the new revision has, and its
// obligations that are new or had a proof, and have none. Those that errors kept from being
// compared are unclear.
func losses(reviews []*review.Review) (out map[string]string, unclear map[string]bool) {
	out, unclear = map[string]string{}, map[string]bool{}
	for _, r := range reviews {
		for _, p := range r.Problems {
			if p.What == review.OnlyNow && p.Severity == diag.Error {
				out[p.Element+": "+p.Message] = "(an error)"
			}
		}
		for _, c := range r.Contradictions {
			if c.What == review.OnlyNow && !r.Intended(c) {
				out[c.Path()] = "contradicts itself"
			}
		}
		for _, o := range r.Obligations {
			switch {
			case o.Fate == review.Unclear:
				unclear[o.New.Path()] = true
			case o.New == nil || o.Expected != nil || o.Is.Proved():
			case o.Was.Proved() && o.Is.Verdict != "":
				out[o.New.Path()] = fmt.Sprintf("is %s", o.Is.Verdict)
			case o.Fate == review.Appeared:
				out[o.New.Path()] = unprovedNow
			}
		}
	}
	return out, unclear
}
