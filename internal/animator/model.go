package animator

import (
	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/animation"
	"github.com/gradine/gradine/lang/model"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/project"
)

// Subject is what is animated.
type Subject struct {
	Project  *project.Project
	Machine  *model.Machine
	Scope    project.Scope // of the bank of the instance
	Instance *explore.Instance
	Others   string   // there are other values of the constants; ""
	View     string   // an expression by which the graph merges states; "": it does not
	Gantt    bool     // pages show a Gantt chart first, if there is one
	Unsaved  []string // source files of which an open text is shown, other than the file
	Begin    Begin    // says how pages begin; nil: before the initialisation
}

// The model as the page knows it.
type (
	jsonModel struct {
		Project   string               `json:"project"`
		Machine   string               `json:"machine"`
		Others    string               `json:"others,omitempty"`
		View      string               `json:"view,omitempty"`
		Gantt     bool                 `json:"gantt,omitempty"`
		Unsaved   []string             `json:"unsaved,omitempty"`
		Levels    []jsonLevel          `json:"levels"`
		Constants []animation.Constant `json:"constants"`
		Pictures  []jsonPicture        `json:"pictures,omitempty"`
	}
	jsonLevel struct {
		Name       string            `json:"name"`
		Why        string            `json:"why,omitempty"` // it is not animated
		Variables  []animation.Typed `json:"vars"`
		Invariants []jsonInvariant   `json:"invs"`
		Events     []jsonEvent       `json:"events"`
	}
	jsonInvariant struct {
		Label   string `json:"l"`
		Text    string `json:"t"`
		Doc     string `json:"doc,omitempty"`
		Gluing  bool   `json:"glue,omitempty"`
		Theorem bool   `json:"thm,omitempty"`
	}
	jsonEvent struct {
		Label       string          `json:"l"`
		Doc         string          `json:"doc,omitempty"`
		Parameters  []string        `json:"params,omitempty"`
		Guards      []jsonInvariant `json:"guards,omitempty"`
		Refines     []string        `json:"refines,omitempty"`
		New         bool            `json:"new,omitempty"` // it refines skip
		Convergence string          `json:"conv,omitempty"`
	}
)

// describe says what the page knows of a model.
func describe(s *Subject, a *animation.Animation) jsonModel {
	out := jsonModel{Project: s.Project.Name, Machine: s.Machine.Name, Others: s.Others, View: s.View, Gantt: s.Gantt, Unsaved: s.Unsaved, Constants: a.Constants(s.Instance)}
	bank := s.Instance.Set.Bank
	for i, l := range a.Levels {
		level := jsonLevel{Name: l.Machine.Name, Why: l.Why, Variables: a.Variables(i)}
		for k, inv := range l.Machine.Invariants {
			shown := predicate(bank, inv)
			shown.Gluing = a.Gluing(i, k)
			level.Invariants = append(level.Invariants, shown)
		}
		for _, e := range l.Machine.Events {
			level.Events = append(level.Events, event(bank, l.Machine, e))
		}
		out.Levels = append(out.Levels, level)
	}
	return out
}

func predicate(bank *logic.Bank, p *model.Predicate) jsonInvariant {
	return jsonInvariant{Label: p.Label, Text: text.Readable(bank, p.Term), Doc: p.Origin.Doc, Theorem: p.Theorem}
}

func event(bank *logic.Bank, m *model.Machine, e *model.Event) jsonEvent {
	out := jsonEvent{Label: e.Label, Doc: e.Origin.Doc, New: m.Refines != nil && len(e.Refines) == 0 && !e.IsInit()}
	if e.Convergence != model.Ordinary {
		out.Convergence = e.Convergence.String()
	}
	for _, x := range e.Parameters {
		out.Parameters = append(out.Parameters, x.Name)
	}
	for _, g := range animation.Guards(e) {
		out.Guards = append(out.Guards, predicate(bank, g))
	}
	for _, a := range e.Refines {
		out.Refines = append(out.Refines, a.Label)
	}
	return out
}
