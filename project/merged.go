package project

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/review"
	"github.com/gradine/gradine/review/merge"
)

// Merge joins two texts that began from base: a model by element, a lock line by line.
func Merge(name string, base, ours, theirs []byte) (merge.Result, error) {
	if strings.HasSuffix(name, "proofs.lock") || strings.HasSuffix(name, "proofs.certs") {
		return merge.Result{Text: merge.Lock(base, ours, theirs)}, nil
	}
	return merge.Text(name, base, ours, theirs)
}

// LostTogether says what two edits of a file lose only together, though each reads well:
// errors that neither makes by itself, and obligations that the joined text leaves without
// a proof where each edit by itself proves them or does not have them. The other files of
// the project are taken as they are.
func LostTogether(ctx context.Context, file string, ours, theirs, joined []byte, opts discharge.Options) ([]string, error) {
	trial, err := NewTrial(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	name, err := filepath.Rel(trial.root, file)
	if err != nil {
		return nil, err
	}
	name = filepath.ToSlash(name)
	read := func(text []byte) (Revision, error) {
		return ReadRevision(overlay{trial.FS, map[string][]byte{name: text}}, trial.dir)
	}
	var both [2]map[string]string // what is lost of either side, with what became of it
	for i, side := range [][]byte{ours, theirs} {
		was, err := read(side)
		if err != nil {
			return nil, err
		}
		is, err := read(joined)
		if err != nil {
			return nil, err
		}
		reviews, _, err := compare(ctx, was, is, review.Options{Discharge: opts, Touched: true})
		if err != nil {
			return nil, err
		}
		both[i] = losses(reviews)
	}
	// What one side lost by itself is its own doing, and no loss against it.
	var out []string
	for what, how := range both[0] {
		if other, also := both[1][what]; also && (how != unprovedNow || other != unprovedNow) {
			if how == unprovedNow {
				how = other
			}
			out = append(out, fmt.Sprintf("%s %s", what, how))
		}
	}
	slices.Sort(out)
	return out, ctx.Err()
}

// unprovedNow is said of an obligation that is not proved and was not there before.
const unprovedNow = "is new and not proved"

// losses are the errors that only the new revision has, and its obligations that are new
// or had a proof, and have none.
func losses(reviews []*review.Review) map[string]string {
	out := map[string]string{}
	for _, r := range reviews {
		for _, p := range r.Problems {
			if p.What == review.OnlyNow && p.Severity == diag.Error {
				out[p.Element+": "+p.Message] = "(an error)"
			}
		}
		for _, o := range r.Obligations {
			switch {
			case o.New == nil || o.Expected != nil || o.Is.Proved():
			case o.Was.Proved() && o.Is.Verdict != "":
				out[o.New.Path()] = fmt.Sprintf("is %s", o.Is.Verdict)
			case o.Fate == review.Appeared:
				out[o.New.Path()] = unprovedNow
			}
		}
	}
	return out
}
