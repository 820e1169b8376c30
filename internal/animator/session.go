package animator

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gradine/gradine/explore/animation"
	"github.com/gradine/gradine/internal/seam"
	"github.com/gradine/gradine/lang"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/project"
)

// Opener opens what is animated. Problems are those of a model that has errors; there is no subject then.
type Opener func(ctx context.Context) (s *Subject, stamp string, problems []Problem, err error)

// Writer writes a recorded scenario, and says to which file.
type Writer func(s *Subject, text []byte) (file string, err error)

// Problem is a diagnostic of a model.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
	Help    string `json:"help,omitempty"`
}

// session is the animation that pages ask of. It answers one question at a time.
type session struct {
	open  Opener
	write Writer
	texts func() map[string][]byte // that stand above the files; nil: none do

	mu        sync.Mutex
	stamp     string // of all that was opened
	own       string // of the project of the subject
	looked    time.Time
	count     int // of the models that were opened
	subject   *Subject
	animation *animation.Animation
	scope     project.Scope
	model     json.RawMessage
	seen      map[int]json.RawMessage
	graphs    map[string]*animation.Graph
	pictures  []drawing
	problems  []Problem
	failed    string
	begin     []animation.Named // the run with which the page begins
	about     string            // what that is
}

// look opens the model again if its sources have changed.
func (s *session) look(ctx context.Context) {
	if s.stamp != "" && time.Since(s.looked) < 300*time.Millisecond {
		return
	}
	s.looked = time.Now()
	if s.subject != nil && len(s.problems) == 0 && s.failed == "" && s.present(s.subject) == s.own {
		return
	}
	if fault := seam.Contain(ctx, seam.Exploration, "the model", s.reopen); fault != nil {
		s.stamp, s.failed = "", "internal error: "+fault.Error() // the next question tries again
		s.count++
	}
}

// reopen opens the model, and animates it unless it is the same.
func (s *session) reopen(ctx context.Context) {
	subject, stamp, problems, err := s.open(ctx)
	if stamp == s.stamp && stamp != "" && s.failed == "" {
		return
	}
	s.stamp, s.problems, s.failed = stamp, problems, ""
	s.count++
	if err == nil && subject != nil {
		err = s.start(ctx, subject)
	}
	if err != nil {
		s.failed = err.Error()
	}
}

// present describes all that what is animated may depend on: files that are known to, and all open texts.
func (s *session) present(subject *Subject) string {
	if s.texts == nil {
		return project.Stamp([]*project.Project{subject.Project}, nil)
	}
	texts := s.texts()
	digest := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(digest, "%s %d\n%s", name, len(texts[name]), texts[name])
	}
	return fmt.Sprintf("%s%x", project.Stamp([]*project.Project{subject.Project}, texts), digest.Sum(nil))
}

// start compiles what is animated.
func (s *session) start(ctx context.Context, subject *Subject) error {
	a, err := animation.New(subject.Machine, subject.Instance)
	if err != nil {
		return err
	}
	s.subject, s.animation, s.scope = subject, a, subject.Scope
	s.own = s.present(subject)
	s.seen, s.graphs = map[int]json.RawMessage{}, map[string]*animation.Graph{}
	s.begin, s.about = nil, ""
	described := describe(subject, a)
	if s.pictures, err = s.compilePictures(&described); err != nil {
		return err
	}
	if s.model, err = json.Marshal(described); err != nil || subject.Begin == nil {
		return err
	}
	start, err := subject.Begin(ctx, subject)
	if err == nil && start != nil {
		s.begin, err = start.Steps(ctx, a)
		s.about = start.About
	}
	return err
}

// request is a question of the page.
type request struct {
	Op     string            `json:"op"`
	Count  int               `json:"count"` // of the model that the page knows
	Known  int               `json:"known"` // values that the page knows
	State  int               `json:"state"`
	States []int             `json:"states"`
	Step   animation.Named   `json:"step"`
	Steps  []animation.Named `json:"steps"`
	Level  int               `json:"level"`
	Index  int               `json:"index"`
	Event  string            `json:"event"`
	Text   string            `json:"text"`
	Number int               `json:"number"`
	Seed   uint64            `json:"seed"`
	Name   string            `json:"name"`
	Lines  []line            `json:"lines"` // of a scenario
	Save   bool              `json:"save"`
}

// answer is what the page is told.
type answer struct {
	Count    int                     `json:"count"`
	Error    string                  `json:"error,omitempty"`
	Stale    bool                    `json:"stale,omitempty"` // the page knows another model
	Problems []Problem               `json:"problems,omitempty"`
	Failed   string                  `json:"failed,omitempty"`
	Model    json.RawMessage         `json:"model,omitempty"`
	Values   []json.RawMessage       `json:"values,omitempty"` // those that the page does not know
	From     int                     `json:"from"`             // the number of the first of them
	State    *int                    `json:"state,omitempty"`
	States   map[int]json.RawMessage `json:"states,omitempty"`
	Run      []int                   `json:"run,omitempty"` // the states of the steps that were asked for
	Steps    []animation.Named       `json:"steps,omitempty"`
	Misfit   string                  `json:"misfit,omitempty"` // why the next step is not possible
	Reason   *animation.Reason       `json:"reason,omitempty"`
	Given    []animation.Worth       `json:"given,omitempty"`
	Value    *int                    `json:"value,omitempty"`
	Type     string                  `json:"type,omitempty"`
	Moves    []jsonMove              `json:"moves,omitempty"`
	Why      string                  `json:"why,omitempty"`
	Graph    *jsonGraph              `json:"graph,omitempty"`
	Findings []jsonFinding           `json:"findings,omitempty"`
	About    string                  `json:"about,omitempty"`
	File     string                  `json:"file,omitempty"`
	Text     string                  `json:"text,omitempty"`
	Loop     *int                    `json:"loop,omitempty"`
}

var errUnknown = errors.New("unknown question")

// ask answers a question.
func (s *session) ask(ctx context.Context, q request) (out answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.look(ctx)
	out = answer{Count: s.count, Problems: s.problems, Failed: s.failed}
	if s.animation == nil || q.Op == "poll" {
		return out
	}
	if q.Op != "model" && q.Count != s.count {
		out.Stale = true
		return out
	}
	var err error
	if fault := seam.Contain(ctx, seam.Exploration, "the animation", func(ctx context.Context) { err = s.dispatch(ctx, q, &out) }); fault != nil {
		err = fmt.Errorf("internal error: %w", fault)
	}
	if err != nil {
		out.Error = err.Error()
	}
	if values := s.animation.Values(); q.Known >= 0 && q.Known < len(values) {
		out.Values, out.From = values[q.Known:], q.Known
	}
	return out
}

// checked reports whether there is a state of this number.
func (s *session) checked(number int) error {
	if number != animation.Before && (number < 0 || number >= s.animation.Len()) {
		return fmt.Errorf("there is no state %d", number)
	}
	return nil
}

// dispatch carries out a request of the page. An error is its answer.
func (s *session) dispatch(ctx context.Context, q request, out *answer) error {
	// The number of a state comes from the page, and every operation may use it.
	if err := s.checked(q.State); err != nil {
		return err
	}
	switch q.Op {
	case "model":
		out.Model, out.Steps, out.About = s.model, s.begin, s.about
		return s.show(ctx, out, animation.Before)
	case "state":
		return s.show(ctx, out, q.State)
	case "fire":
		return s.replay(ctx, q.State, []animation.Named{q.Step}, out)
	case "replay":
		return s.replay(ctx, q.State, q.Steps, out)
	case "why":
		return s.why(ctx, q, out)
	case "eval":
		return s.evaluate(ctx, q, out)
	case "more":
		return s.more(ctx, q, out)
	case "random":
		path, err := s.animation.Random(ctx, q.State, min(q.Number, mostSteps), q.Seed)
		return s.follow(ctx, q.State, path, err, out)
	case "until":
		return s.until(ctx, q, out)
	case "graph":
		return s.graph(ctx, q, out)
	case "goto":
		return s.goTo(ctx, q, out)
	case "search":
		return s.search(ctx, out)
	case "record":
		return s.record(ctx, q, out)
	case "open":
		return s.openTrace(ctx, q, out)
	}
	return fmt.Errorf("%w %q", errUnknown, q.Op)
}

// mostSteps bounds the steps of one question.
const mostSteps = 100_000

// show adds what the page knows of a state.
func (s *session) show(ctx context.Context, out *answer, number int) error {
	data, err := s.see(ctx, number)
	if err != nil {
		return err
	}
	if out.States == nil {
		out.States = map[int]json.RawMessage{}
	}
	out.State, out.States[number] = &number, data
	return nil
}

// replay takes steps one after the other, as far as they are possible.
func (s *session) replay(ctx context.Context, at int, steps []animation.Named, out *answer) error {
	if len(steps) > mostSteps {
		return fmt.Errorf("more than %d steps", mostSteps)
	}
	out.Run = []int{}
	for _, step := range steps {
		found, err := s.animation.Find(ctx, at, step)
		if err == nil {
			at, err = s.animation.Fire(ctx, at, found)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			out.Misfit = err.Error()
			break
		}
		out.Run = append(out.Run, at)
	}
	return s.show(ctx, out, at)
}

// follow takes the steps that a search has found.
func (s *session) follow(ctx context.Context, at int, path animation.Path, err error, out *answer) error {
	if err != nil {
		return err
	}
	out.Steps, out.Why = path.Steps, path.Why
	return s.replay(ctx, at, path.Steps, out)
}

// mostSearched bounds the states that a search for a run visits.
const mostSearched = 200_000

func (s *session) until(ctx context.Context, q request, out *answer) error {
	var goal logic.Term
	if text := strings.TrimSpace(q.Text); text != "" {
		var err error
		if goal, err = s.scope.Formula(text, lang.ParsePredicate); err != nil {
			return err
		}
	}
	path, err := s.animation.Until(ctx, q.State, mostSearched, goal)
	if err == nil && len(path.Steps) == 0 && path.Why == "" {
		path.Why = "no run from here leads there"
	}
	return s.follow(ctx, q.State, path, err, out)
}

// why explains why an event is not enabled in a state, or an invariant of a level false.
func (s *session) why(ctx context.Context, q request, out *answer) (err error) {
	if q.State == animation.Before {
		return nil
	}
	if q.Event != "" {
		e := s.subject.Machine.Event(q.Event)
		if e == nil {
			return fmt.Errorf("there is no event %s", q.Event)
		}
		blocked, err := s.animation.Blocks(ctx, q.State, e, true)
		out.Reason, out.Given, out.Why = blocked.Reason, blocked.Given, blocked.Why
		return err
	}
	if q.Level < 0 || q.Level >= len(s.animation.Levels) || q.Index < 0 || q.Index >= len(s.animation.Levels[q.Level].Machine.Invariants) {
		return errors.New("there is no such invariant")
	}
	out.Reason, err = s.animation.Invariant(ctx, q.State, q.Level, q.Index)
	return err
}

// formula reads a predicate or an expression.
func (s *session) formula(text string) (logic.Term, error) {
	term, err := s.scope.Formula(text, lang.ParsePredicate)
	if err != nil {
		var second error
		if term, second = s.scope.Formula(text, lang.ParseExpression); second == nil {
			return term, nil
		}
	}
	return term, err
}

// evaluate answers with the value of a formula in a state, or its truth and the reason.
func (s *session) evaluate(ctx context.Context, q request, out *answer) error {
	if q.State == animation.Before {
		return errors.New("nothing has a value before the initialisation")
	}
	term, err := s.formula(q.Text)
	if err != nil {
		return err
	}
	found, err := s.animation.Evaluate(ctx, q.State, s.scope.Bank(), term)
	if err != nil {
		return err
	}
	out.Reason, out.Type = found.Reason, found.Type
	if found.Reason == nil {
		out.Value = &found.Value
	}
	return nil
}

func (s *session) more(ctx context.Context, q request, out *answer) error {
	e := s.subject.Machine.Event(q.Event)
	if e == nil {
		return fmt.Errorf("there is no event %s", q.Event)
	}
	term, err := s.scope.Of(e).Formula(q.Text, lang.ParsePredicate)
	if err != nil {
		return err
	}
	found, why, err := s.animation.Choose(ctx, q.State, e, term, mostListed)
	out.Why = why
	for _, m := range found {
		out.Moves = append(out.Moves, jsonMove{Named: m.Named()})
	}
	return err
}
