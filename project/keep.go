package project

import (
	"path/filepath"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/review"
	"github.com/gradine/gradine/review/git"
)

// KeepProofs adds the certificates of old proofs that reviews of the working tree around dir
// have kept behind cuts to what is committed next to the locks. It returns how many it has
// written, by file.
func KeepProofs(dir string, reviews []*review.Review) (map[string]int, error) {
	repo, err := git.Open(dir)
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	files, err := repo.WorkTree()
	if err != nil {
		return nil, err
	}
	within, err := repo.Within(dir)
	if err != nil {
		return nil, err
	}
	is, err := ReadRevision(files, within)
	if err != nil {
		return nil, err
	}
	written := map[string]int{}
	// Only proofs that hold with cuts need a certificate: the others are found again by the search.
	for _, x := range reviews {
		var kept []verdict.Result
		for _, o := range x.Obligations {
			if o.Behind != nil {
				kept = append(kept, verdict.Result{Obligation: o.New, Outcome: o.Behind.Outcome})
			}
		}
		now := is[x.Project]
		if len(kept) == 0 || now == nil {
			continue
		}
		name := now.Project.certificates()
		file := filepath.Join(repo.Root, filepath.FromSlash(name))
		if err := atomic.Write(file, now.certificates.With(kept).Encode(), 0o666); err != nil {
			return written, err
		}
		written[name] = len(kept)
	}
	return written, nil
}
