package worker_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/queue"
	"github.com/gradine/gradine/explore/swarm"
	"github.com/gradine/gradine/internal/corpus"
	"github.com/gradine/gradine/internal/worker"
	"github.com/gradine/gradine/project"
)

// counting is a machine with 900 states.
const counting = `context c constants n axioms @n n = 29 end
machine m sees c variables x y invariants @x x ∈ 0‥n @y y ∈ 0‥n
events event INITIALISATION then @a x ≔ 0 @b y ≔ 0 end
event right where @g x < n then @a x ≔ x + 1 end
event up where @g y < n then @b y ≔ y + 1 end end
`

func explored() worker.Exploration {
	return worker.Exploration{
		Project: &project.Parcel{Name: "p", Models: []string{counting}, Config: "[project.p]\nsources = [\"elsewhere\"]\n[kernel.k]\nir = \"/etc/passwd\"\n"},
		Machine: "m", Instance: 1, NoDeadlock: true, MaxMemory: 1 << 24, BitState: 1 << 16, MaxStates: 300,
	}
}

// TestMembers: a worker's claim is what the member finds out here, and counts under the key of the worker alone.
func TestMembers(t *testing.T) {
	k := key(t, "a")
	do := worker.Handlers(k, limits)[queue.Members]
	for number := 1; number <= 3; number++ {
		text, err := explored().Job(number)
		if err != nil {
			t.Fatal(err)
		}
		data, err := do(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		var c answer.Claim
		var got swarm.Share
		if err := json.Unmarshal(data, &c); err != nil {
			t.Fatal(err)
		}
		digest := answer.Digest(sha256.Sum256(text))
		if signed, err := c.Read(digest, &got, k); !signed || err != nil {
			t.Errorf("not signed: %v", err)
		}
		want, err := explored().Member(t.Context(), number)
		if err != nil || !reflect.DeepEqual(got, want) || want.States < 300 {
			t.Errorf("member %d: %v\n%+v\n%+v", number, err, got, want)
		}
		if signed, _ := c.Read(digest, &got, key(t, "b")); signed {
			t.Error("signed with a key that nobody has")
		}
		if _, err := c.Read(answer.Digest{}, &got, k); err == nil {
			t.Error("answers another question")
		}
		c.Says = json.RawMessage(strings.Replace(string(c.Says), `"Found":false`, `"Found":true`, 1))
		if signed, _ := c.Read(digest, &got, k); signed {
			t.Error("signed though it was changed")
		}
	}
}

// TestMemberLimits: a job that is malformed, too large or of another program is an error that names the cause.
func TestMemberLimits(t *testing.T) {
	do := worker.Handlers(key(t, "a"), worker.Limits{Steps: 1, Memory: 1 << 25})[queue.Members]
	x := explored()
	text, err := x.Job(1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := do(t.Context(), text); err != nil {
		t.Error(err)
	}
	for change, want := range map[[2]string]string{
		{`"program":"`, `"program":"x`}:                      "a job of gradine",
		{`"member":1`, `"member":0`}:                         "without a project, a number",
		{`"bit_state":65536`, `"bit_state":999999999999999`}: "this worker allows 32",
		{`"max_memory":16777216`, `"max_memory":0`}:          "or memory",
		{`"machine":"m"`, `"machine":"q"`}:                   "there is no machine",
		{`"instance":1`, `"instance":7`}:                     "no solution 7",
		{`"project":{`, `"project":[{`}:                      "invalid character",
	} {
		changed := strings.Replace(string(text), change[0], change[1], 1)
		if changed == string(text) {
			t.Errorf("%s does not occur in %s", change[0], text)
		}
		if _, err := do(t.Context(), []byte(changed)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", change[1], err)
		}
	}
}

// lamps is an entry to tune with three points.
func lamps() worker.Tuning {
	return worker.Tuning{
		Project: &project.Parcel{
			Name: "p",
			Models: []string{`context sizes constants most size axioms @most most ∈ 1‥size end
machine lamps sees sizes variables on invariants @on on ∈ 0‥most
events event INITIALISATION then @a on ≔ 0 end
event switch where @more on < most then @a on ≔ on + 1 end
event rest where @all on = most then skip end end
`},
			Config: "[project.p]\nsources = [\"models\"]\n[tune.lamps]\nmachine = \"lamps\"\nparameters = { most = \"most\" }\nobjective = \"on\"\nfinal = \"on = most\"\nsearch = { most = \"1‥size\" }\n",
		},
		Entry: "lamps", Given: []project.Assignment{{Name: "size", Value: "3"}}, Objective: []string{"on"}, MaxMemory: 1 << 24,
	}
}

// claimForgeries change a claim so that it is JSON of the right form all the same. It was signed with the key of the run before, as
// for somebody who changes messages on their way.
var claimForgeries = map[string]func(c, before *answer.Claim){
	"numbers": func(c, _ *answer.Claim) {
		c.Says = regexp.MustCompile(`[1-9]\d*`).ReplaceAllFunc(c.Says, func(n []byte) []byte { return append(n, '7') })
	},
	"nothing":            func(c, _ *answer.Claim) { c.Says = json.RawMessage("null") },
	"of another job":     func(c, before *answer.Claim) { c.Says, c.MAC = before.Says, before.MAC },
	"to another job":     func(c, before *answer.Claim) { *c = *before },
	"without a digest":   func(c, _ *answer.Claim) { c.MAC = "" },
	"with a huge answer": func(c, _ *answer.Claim) { c.Says = json.RawMessage(`"` + strings.Repeat("x", 1<<20) + `"`) },
}

// TestForgedClaims: what workers claim about points of an entry and about members of a swarm cannot be checked. Whatever is changed in
// a claim, it does not count: the run does its part by itself.
func TestForgedClaims(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	k := key(t, "a")
	honest := worker.Handlers(k, limits)
	const n = 3
	for kind, job := range map[string]func(i int) ([]byte, error){
		queue.Points:  func(i int) ([]byte, error) { return lamps().Job([]int{i}) },
		queue.Members: func(i int) ([]byte, error) { return explored().Job(i + 1) },
	} {
		var texts, says [n][]byte
		for i := range n {
			var err error
			if texts[i], err = job(i); err != nil {
				t.Fatal(err)
			}
			data, err := honest[kind](t.Context(), texts[i])
			if err != nil {
				t.Fatal(err)
			}
			var c answer.Claim
			if err := json.Unmarshal(data, &c); err != nil || len(c.Says) < 10 {
				t.Fatalf("%v: %s", err, data)
			}
			says[i] = c.Says
		}
		for name, change := range claimForgeries {
			s := start(t)
			var mu sync.Mutex
			before := &answer.Claim{Says: json.RawMessage("[]")}
			help(t, s, map[string]queue.Handler{kind: func(ctx context.Context, text []byte) ([]byte, error) {
				data, err := honest[kind](ctx, text)
				if err != nil {
					return nil, err
				}
				var c answer.Claim
				if err := json.Unmarshal(data, &c); err != nil {
					return nil, err
				}
				mu.Lock()
				defer mu.Unlock()
				was := c
				change(&c, before)
				before = &was
				return json.Marshal(c)
			}})
			r, err := queue.NewReader(t.Context(), queue.Options{Server: queue.InProcess(s, "test", "", ""), Search: discharge.SearchVersion()})
			if err != nil {
				t.Fatal(err)
			}
			source := queue.NewSource(r, k, k)
			done := 0
			parts := queue.Parts[json.RawMessage]{
				Source: source, Kind: kind, AtOnce: 1,
				Job: func(i int) ([]byte, error) { return texts[i], nil },
				Do: func(_ context.Context, i int) json.RawMessage {
					// All others have an answer of the worker before this run does any.
					for j := range n {
						if x := source.Find(sha256.Sum256(texts[j])); j != i && done == 0 && x != nil {
							select {
							case <-x.Arrived():
							case <-time.After(corpus.Fuse):
								t.Errorf("%s, %s: no answer", kind, name)
							}
						}
					}
					done++
					return says[i]
				},
			}
			for i, got := range parts.InOrder(t.Context(), n) {
				if !bytes.Equal(got, says[i]) {
					t.Errorf("%s, %s: part %d is %.200s\nwant %.200s", kind, name, i, got, says[i])
				}
			}
			if notes := strings.Join(source.Notes(), "\n"); done != n || notes == "" || len(notes) > 1000 {
				t.Errorf("%s, %s: the run did %d parts; %q", kind, name, done, notes)
			}
			r.Close()
		}
	}
}
