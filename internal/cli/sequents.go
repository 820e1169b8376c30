package cli

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/gradine/gradine/diag"
	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/internal/report"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/derive"
)

// jsonSequent is one line of --sequents: what `po --format jsonl` writes, or the same
// with hyps for hypotheses. docs/cli.md describes it.
type jsonSequent struct {
	ID         any               `json:"id"`
	Project    string            `json:"project"`
	Component  string            `json:"component"`
	Name       string            `json:"name"`
	Types      map[string]string `json:"types"`
	Hyps       *[]string         `json:"hyps"`
	Hypotheses *[]string         `json:"hypotheses"`
	Selected   []int             `json:"selected"`
	Goal       *string           `json:"goal"`
}

// readKeys are the keys of a line that are read, and poKeys those that po writes besides.
var (
	readKeys = []string{"id", "project", "component", "name", "types", "hyps", "hypotheses", "selected", "goal"}
	poKeys   = []string{"kind", "nature", "accurate", "sources"}
)

// check refuses a line that lacks something, or misspells it: a sequent that has lost
// its hypotheses is another one. It returns the keys that nobody reads.
func (q *jsonSequent) check(keys map[string]json.RawMessage) (unread []string, err error) {
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if slices.Contains(readKeys, k) || slices.Contains(poKeys, k) {
			continue
		}
		if near := diag.Nearest(k, readKeys); near != "" {
			return nil, fmt.Errorf("unknown key %q; did you mean %q?", k, near)
		}
		unread = append(unread, k)
	}
	switch {
	case q.Goal == nil:
		return nil, errors.New(`it lacks "goal"`)
	case q.Hyps == nil && q.Hypotheses == nil:
		return nil, errors.New(`it lacks "hyps"; write [] if there are none`)
	case q.Hyps != nil && q.Hypotheses != nil:
		return nil, errors.New(`it has both "hyps" and "hypotheses"`)
	}
	return unread, nil
}

func (q *jsonSequent) hyps() []string {
	if q.Hyps != nil {
		return *q.Hyps
	}
	return *q.Hypotheses
}

// id is the given id, or else the path of the obligation.
func (q *jsonSequent) id() any {
	if q.ID != nil || q.Project == "" {
		return q.ID
	}
	return q.Project + "/" + q.Component + "/" + q.Name
}

// readSequents reads a file of sequents, - being the standard input. It says which keys
// nobody reads, once.
func (r *run) readSequents(name string) ([]jsonSequent, error) {
	in := r.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, modelError{err}
		}
		defer f.Close()
		in = f
	}
	if strings.HasSuffix(name, ".gz") {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, modelErrorf("%s: %w", name, err)
		}
		in = z
	}
	// Values are read, not lines: the hypotheses of one sequent may take megabytes.
	dec := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	var out []jsonSequent
	unread := map[string]bool{}
	// Keys that nothing reads are named once, at the end: a misspelt "hyps" must not
	// pass for a sequent without hypotheses.
	for {
		var line json.RawMessage
		err := dec.Decode(&line)
		if errors.Is(err, io.EOF) {
			break
		}
		var q jsonSequent
		if err == nil {
			var other []string
			other, err = q.decode(line)
			for _, k := range other {
				unread[k] = true
			}
		}
		if err != nil {
			return nil, modelErrorf("%s: sequent %d: %w", name, len(out)+1, err)
		}
		out = append(out, q)
	}
	if len(unread) > 0 {
		fmt.Fprintf(r.err, "gradine: %s: these keys are not read: %s\n", name, strings.Join(slices.Sorted(maps.Keys(unread)), ", "))
	}
	return out, nil
}

func (q *jsonSequent) decode(line []byte) (unread []string, err error) {
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.UseNumber() // an id is written as it came
	if err := dec.Decode(q); err != nil {
		return nil, err
	}
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(line, &keys); err != nil {
		return nil, err
	}
	return q.check(keys)
}

func (r *run) proveSequents(flags proveFlags) error {
	questions, err := r.readSequents(flags.sequents)
	if err != nil {
		return err
	}
	var reader check.Reader
	sequents := make([]logic.Sequent, len(questions))
	for i, q := range questions {
		if sequents[i], err = reader.Sequent(q.Types, q.hyps(), q.Selected, *q.Goal); err != nil {
			return modelErrorf("%s: sequent %d: %w", flags.sequents, i+1, err)
		}
	}
	if flags.suggest {
		return r.suggestSequents(flags, questions, sequents)
	}
	plans, err := r.hintsFor(flags.hints, questions, sequents)
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(r.out)
	defer buffered.Flush()
	out := report.NewVerdicts(buffered)
	counts := map[discharge.Verdict]int{}
	flags.noStore = true
	opts, err := flags.options()
	if err != nil {
		return err
	}
	tasks := withFacts(questions, sequents, plans)
	opts.Hints = func(i int) *derive.Node { return tasks[i].hints }
	discharge.Run(r.ctx, len(tasks), func(i int) logic.Sequent { return tasks[i].sequent }, opts, func(i int, outcome discharge.Outcome) {
		counts[outcome.Verdict]++
		if outcome.Fault != "" {
			r.fail(exitInternal)
		}
		if outcome.Verdict != discharge.Vacuous { // of a lone sequent, a contradiction is a proof
			r.judge(outcome.Verdict)
		}
		if r.format == "jsonl" {
			v := verdictOf(outcome, flags.timing)
			q := tasks[i].of
			v.ID, v.Project, v.Component, v.Name, v.Accurate = q.id(), q.Project, q.Component, q.Name, true
			if fact := tasks[i].fact; fact != "" {
				v.ID, v.Name = fmt.Sprint(q.id())+"/"+fact, q.Name+"/"+fact
			}
			if x := outcome.Counterexample; x != nil {
				v.Countermodel = x.Model
			}
			for _, h := range outcome.Used {
				v.Used = append(v.Used, tasks[i].labels[h])
			}
			err = errors.Join(err, out.Put(v))
		}
	})
	if r.format == "text" {
		fmt.Fprintf(buffered, "%d sequents: %d proved, %d vacuous, %d refuted, %d open\n",
			len(tasks), counts[discharge.Proved], counts[discharge.Vacuous], counts[discharge.Refuted], counts[discharge.Open])
	}
	return err
}
