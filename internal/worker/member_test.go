package worker_test

import (
	"crypto/sha256"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge/answer"
	"github.com/gradine/gradine/discharge/queue"
	"github.com/gradine/gradine/explore/swarm"
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
