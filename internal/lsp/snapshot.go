package lsp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/lsp/names"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/project"
)

// snapshot is what was understood of all projects of a home at one moment. It never
// changes, apart from what is computed of it when somebody asks.
type snapshot struct {
	home     string
	projects []*project.Project
	failed   error             // why there are none
	versions map[string]int    // of the open texts, by path
	texts    map[string][]byte // the open texts, by path as files have them
	asked    []*asked          // the obligations of all projects

	mu      sync.Mutex
	sources map[string]*source // by path
	index   *names.Index
}

// asked is an obligation and the question that it puts to the prover.
type asked struct {
	*po.Obligation
	project  *project.Project
	question question
}

// question is the digest of all that an answer depends on.
type question [sha256.Size]byte

// answer is what became of a question, apart from everything that speaks of the terms
// of one snapshot.
type answer struct {
	verdict     verdict.Verdict
	end         verdict.End
	steps       int64
	used        []int // hypotheses
	usedWD      []int // hypotheses whose well-definedness is used
	certificate string
	committed   bool
	violation   *verdict.Violation
	fault       string
	last        int // the generation that asked last
}

// found is the verdict, and how the search for a proof ended in vain.
func (x *answer) found() string {
	if end := report.EndText(x.end); end != "" {
		return string(x.verdict) + ": " + end
	}
	return string(x.verdict)
}

// take reads and checks everything at home, but for what known and opener remember.
func take(home string, opener *project.Opener, known *digests, versions map[string]int) *snapshot {
	snap := &snapshot{home: home, versions: versions, texts: opener.Texts, sources: map[string]*source{}}
	if snap.projects, snap.failed = opener.Open(home); snap.failed != nil {
		return snap
	}
	for _, opened := range snap.projects {
		obligations, err := opener.Obligations(opened)
		if err != nil {
			snap.failed = err // a fault of the program costs the obligations of one component
		}
		snap.asked = append(snap.asked, known.questions(opened, obligations)...)
	}
	known.end()
	return snap
}

// takeContained is take, for which a fault of the program is one more reason why a text
// is not understood.
func takeContained(home string, opener *project.Opener, known *digests, versions map[string]int) (snap *snapshot) {
	fault := seam.Contain(context.Background(), seam.EditorText, home, func(context.Context) { snap = take(home, opener, known, versions) })
	if fault != nil {
		return &snapshot{home: home, versions: versions, sources: map[string]*source{}, failed: fmt.Errorf("internal error: %w", fault)}
	}
	return snap
}

// digests are those of sequents, of the present obligations and of those before. A component that is checked again has another
// bank, and so has a part that is made again.
type digests struct {
	before, now map[sequentOf][sha256.Size]byte
	made        int // since the last end
}

// sequentOf tells sequents apart.
type sequentOf struct {
	bank *logic.Bank
	id   po.ID
}

// end forgets what was not asked for since the last end.
func (d *digests) end() { d.before, d.now = d.now, nil }

// questions digests the sequents of obligations, which come bank by bank. Unlike the
// fingerprint of a sequent, a question has its hypotheses in their order, as searches do.
func (d *digests) questions(opened *project.Project, obligations []*po.Obligation) []*asked {
	if d.now == nil {
		d.now, d.made = map[sequentOf][sha256.Size]byte{}, 0
	}
	out := make([]*asked, 0, len(obligations))
	var bank *logic.Bank
	var prints *text.Fingerprinter
	var buf bytes.Buffer
	for _, obligation := range obligations {
		of := sequentOf{obligation.Bank(), obligation.ID()}
		digest, ok := d.before[of]
		if !ok {
			sequent := obligation.Sequent()
			if sequent.Bank != bank {
				bank = sequent.Bank
				prints = text.NewFingerprinter(bank)
			}
			buf.Reset()
			fmt.Fprintf(&buf, "%d\n", sequent.Selected)
			for _, term := range append([]logic.Term{sequent.Goal}, sequent.Hyps...) {
				print := prints.Term(term)
				buf.Write(print[:])
			}
			digest = sha256.Sum256(buf.Bytes())
			d.made++
		}
		d.now[of] = digest
		buf.Reset()
		fmt.Fprintf(&buf, "%s %d\n", opened.Name, opened.Budget())
		if opened.Hinted(obligation) {
			for _, file := range opened.Hints {
				buf.Write(opened.Source(file.Path)) // any of them may bear on it
			}
		}
		buf.Write(digest[:])
		out = append(out, &asked{obligation, opened, sha256.Sum256(buf.Bytes())})
	}
	return out
}

// problems counts what is wrong with the texts.
func (x *snapshot) problems() (n int) {
	for _, opened := range x.projects {
		n += opened.Problems.Len()
	}
	return n
}

// source returns the text of a file as it was.
func (x *snapshot) source(path string) *source {
	path = filepath.ToSlash(path)
	x.mu.Lock()
	defer x.mu.Unlock()
	if s, ok := x.sources[path]; ok {
		return s
	}
	s := newSource("")
	for _, opened := range x.projects {
		if data := opened.Source(path); data != nil {
			s = newSource(string(data))
			break
		}
	}
	x.sources[path] = s
	return s
}

// written returns the components that a file holds, or that its kernels are translated
// into, and their project.
func (x *snapshot) written(path string) (out []*lang.Component, of *project.Project) {
	for _, opened := range x.projects {
		for _, file := range opened.Files {
			if file.Path == path && (of == nil || of == opened) {
				out, of = append(out, file.Components...), opened
			}
		}
	}
	return out, of
}

// file returns the syntax of a file and its project, nil if it belongs to none or is no
// text in Event-B.
func (x *snapshot) file(path string) (*lang.File, *project.Project) {
	path = filepath.ToSlash(path)
	for _, opened := range x.projects {
		for _, file := range opened.Files {
			if file.Path == path && !project.IsKernel(path) {
				return file, opened
			}
		}
	}
	return nil, nil
}

// names returns the index of a snapshot.
func (x *snapshot) names() *names.Index {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.index == nil {
		x.index = names.New(x.projects)
	}
	return x.index
}

// scopeAt returns the scope at a byte of a file, nil outside of all components.
func (x *snapshot) scopeAt(path string, at int) (*names.Scope, *lang.Component, *lang.Event) {
	file, _ := x.file(path)
	if file == nil {
		return nil, nil, nil
	}
	component, event := names.ComponentAt(file, at)
	return x.names().Visible(component, event), component, event
}
