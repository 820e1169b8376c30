package project

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge/hinted"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/lang/edit"
	"github.com/gradine/gradine/lang/hints"
	"github.com/gradine/gradine/lang/rodin"
	"github.com/gradine/gradine/po"
	"github.com/gradine/gradine/prover/derive"
	"github.com/gradine/gradine/review"
)

// IsHints reports whether a file of this name holds hints, by its ending.
func IsHints(name string) bool { return filepath.Ext(name) == hints.Ext }

// addHints adds a file of hints.
func (p *Project) addHints(name string, data []byte) {
	p.sources[name] = data
	var file *hints.File
	if !lang.Understand(name, &p.Problems, func(problems *diag.List) { file = hints.Parse(name, data, problems) }) {
		file = &hints.File{Path: name}
	}
	p.Hints = append(p.Hints, file)
}

// readHints reads files of hints.
func (p *Project) readHints(names []string) error {
	for _, name := range names {
		data, err := p.opener.text(name)
		if err != nil {
			return err
		}
		p.addHints(filepath.ToSlash(name), data)
	}
	return nil
}

// filesBeside lists the files of a kind, with its ending, that belong to a source, saved or not:
// all in a folder, that of the same name next to a file.
func (x *Opener) filesBeside(source string, folder bool, kind func(string) bool, ext string) []string {
	if folder {
		names, err := modelFiles(os.DirFS(source), ".", kind)
		if err != nil {
			return nil
		}
		for i := range names {
			names[i] = filepath.Join(source, names[i])
		}
		return x.withNew(source, names, kind)
	}
	name := strings.TrimSuffix(source, filepath.Ext(source)) + ext
	if _, err := x.stat(name); err != nil || !IsText(source) {
		return nil
	}
	return []string{name}
}

// checkHints reports what is wrong with hints.
func (p *Project) checkHints() error {
	if len(p.Hints) == 0 {
		return nil
	}
	_, err := p.Obligations()
	return err
}

// hintsFor returns the hints for obligations, by number; nil if there are none.
func (p *Project) hintsFor(obligations []*po.Obligation) func(int) *derive.Node {
	if p.planned == nil {
		return nil
	}
	return func(i int) *derive.Node { return p.hints(obligations[i]) }
}

// hints are what hints make of o, nil if there are none.
func (p *Project) hints(o *po.Obligation) *derive.Node {
	if p.planned == nil {
		return nil
	}
	return p.planned.nodes[o.ID()]
}

// Hinted reports whether a hint is for an obligation, or has made it.
func (p *Project) Hinted(o *po.Obligation) bool {
	return p.planned != nil && p.planned.nodes[o.ID()] != nil
}

// with returns obligations, each with those that hints make of it behind it.
func (x *plans) with(obligations []*po.Obligation) []*po.Obligation {
	var out []*po.Obligation
	for _, o := range obligations {
		out = append(append(out, o), x.parts[o.ID()]...)
	}
	return out
}

// plans are the obligations of a project that hints are for, and those that hints make.
type plans struct {
	nodes map[po.ID]*derive.Node
	whole map[po.ID]*hinted.Plan
	parts map[po.ID][]*po.Obligation // by the obligation that they are part of, each before what needs it
}

// plan reads the hints for obligations and returns what they say; problems of hints are
// reported once.
func (p *Project) plan(obligations []*po.Obligation) *plans {
	if p.planned != nil {
		return p.planned
	}
	p.planned = &plans{nodes: map[po.ID]*derive.Node{}, whole: map[po.ID]*hinted.Plan{}, parts: map[po.ID][]*po.Obligation{}}
	set := hinted.NewSet(p.Hints)
	for _, o := range obligations {
		name := p.Name + "/" + o.Path()
		if !set.Names(name) {
			continue
		}
		s := o.Sequent()
		plan := set.Plan(name, s, Labels(o))
		if plan == nil {
			continue
		}
		p.planned.nodes[o.ID()], p.planned.whole[o.ID()] = plan.Root, plan
		for _, f := range plan.Facts {
			kind, nature := po.THM, "Fact of a hint"
			if strings.HasSuffix(f.Name, "/WD") {
				kind, nature = po.WD, "Well-definedness of a fact of a hint"
			}
			q, labels := f.Node.Sequent()
			part := o.Part(f.Name, nature, kind, q, labels)
			p.planned.nodes[part.ID()] = f.Node
			p.planned.parts[o.ID()] = append(p.planned.parts[o.ID()], part)
		}
	}
	var problems diag.List
	set.Report(&problems)
	for _, problem := range problems.Sorted() {
		// In a part of a project, hints for the rest name nothing.
		if p.part == nil || problem.Code != hinted.NothingCode {
			p.Problems.Add(problem)
		}
	}
	return p.planned
}

// Labels are what hints call the hypotheses of o: by their labels, local ones by number.
func Labels(o *po.Obligation) []string {
	labels := make([]string, len(o.Sequent().Hyps))
	local := 0
	for i := range labels {
		if labels[i] = o.HypothesisLabel(i); o.Hypothesis(i) == nil {
			local++
			labels[i] = "local" + strconv.Itoa(local)
		}
	}
	return labels
}

// HintsFile is the path of the file that hints for o belong to: next to that of its component.
func (p *Project) HintsFile(o *po.Obligation) string {
	var span diag.Span
	if of := o.Of(); of.Machine != nil {
		span = of.Machine.Origin.Span
	} else {
		span = of.Context.Origin.Span
	}
	return strings.TrimSuffix(span.File, filepath.Ext(span.File)) + hints.Ext
}

// UnneededHints are the hints that no result needs: of those that are for some of the results,
// the ones without which a short search proves all of these, and facts and instances that
// none of their proofs uses.
func (p *Project) UnneededHints(results []verdict.Result) []diag.Diagnostic {
	if p.planned == nil {
		return nil
	}
	needed, unneeded := map[diag.Span]bool{}, map[diag.Span]*hints.Hint{}
	for _, x := range p.Own(results) {
		plan := p.planned.whole[x.ID()]
		if plan == nil || x.PartOf() != nil {
			continue
		}
		idle := map[*hints.Hint]bool{}
		for _, h := range plan.Unneeded() {
			idle[h] = x.Hints == verdict.HintsNeeded
		}
		for _, h := range plan.Top {
			if x.Hints == verdict.HintsUnneeded || idle[h] {
				unneeded[h.Span] = h
			} else {
				needed[h.Span] = true // or it may be, where nothing was proved
			}
		}
	}
	var list diag.List
	for span, h := range unneeded {
		if !needed[span] {
			list.Add(diag.Diagnostic{Code: "GR0954", Severity: diag.Warning, Span: span, Message: fmt.Sprintf("no proof needs this %s", h.Kind), Help: "delete the hint"})
		}
	}
	return list.Sorted()
}

// followHints says of hints that name nothing any more what their obligations are called now:
// obligations are followed through renames by their sequents.
func followHints(x *review.Review, old, now *Project) {
	for i, problem := range x.Problems {
		text := now.Source(problem.Span.File)
		if problem.Code != hinted.NothingCode || problem.Span.To > len(text) {
			continue
		}
		pattern := strings.Trim(string(text[problem.Span.From:problem.Span.To]), "`")
		var names []string
		for _, o := range x.Obligations {
			if o.Old == nil || o.New == nil || o.Old.Path() == o.New.Path() || !hinted.Matches(pattern, old.Name+"/"+o.Old.Path()) {
				continue
			}
			if name := o.New.Path(); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			x.Problems[i].Message += "; write " + strings.Join(names, " ") + ", its new name"
		}
	}
}

// Manual is what people did by hand in the proofs that Rodin stored of one component.
type Manual struct {
	Component string
	Hints     edit.Text // a file of hints that say it; without bytes if there is none
	Gone      int       // proofs of obligations that the model does not have
	Lost      int       // steps that no hint says
}

// ManualHints returns what people did in the proofs of a project of Rodin, component by
// component.
func ManualHints(f *rodin.Project) ([]Manual, error) {
	if len(f.Proofs) == 0 {
		return nil, nil
	}
	opened := newProject(f.Name, nil)
	opened.Files = f.Files
	opened.Dev = check.Development(opened.Name, opened.Files, &opened.Problems)
	all, err := opened.Obligations()
	if err != nil {
		return nil, err
	}
	byPath := map[string]*po.Obligation{}
	for _, o := range all {
		byPath[o.Path()] = o
	}
	var out []Manual
	for _, component := range slices.Sorted(maps.Keys(f.Proofs)) {
		m, err := manualOf(component, f.Proofs[component], byPath)
		if err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, nil
}

// manualOf is ManualHints for one component.
func manualOf(component string, proofs []rodin.Proof, obligations map[string]*po.Obligation) (Manual, error) {
	m := Manual{Component: component}
	var text strings.Builder
	for _, proof := range proofs {
		if proof.Root == nil {
			continue
		}
		o := obligations[component+"/"+proof.Name]
		if o == nil {
			m.Gone++
			continue
		}
		lines, lost := hinted.Manual(o.Sequent(), Labels(o), proof)
		if m.Lost += lost; len(lines) > 0 {
			fmt.Fprintf(&text, "for %s\n    %s\n\n", hints.Label(o.Path()), strings.Join(lines, "\n    "))
		}
	}
	if text.Len() > 0 {
		var problems diag.List
		name, said := component+hints.Ext, []byte(text.String())
		formatted := hints.Format(hints.Parse(name, said, &problems), lang.Options{})
		if problems.HasErrors() {
			return m, fmt.Errorf("%s: hints for the steps of proofs cannot be read: %s", name, problems.Sorted()[0].Message)
		}
		var err error
		m.Hints, err = edit.Formatted(name, said, formatted)
		return m, err
	}
	return m, nil
}
