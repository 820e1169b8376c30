package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// dining is the table of philosophers who take one fork after the other: they can get stuck.
const dining = `context table constants n axioms @n n = 8 end
machine philosophers sees table variables thinking left eating forks
invariants @t thinking ⊆ 0‥n−1 @l left ⊆ 0‥n−1 @e eating ⊆ 0‥n−1 @f forks ⊆ 0‥n−1
events
event INITIALISATION then @t1 thinking ≔ 0‥n−1 @l1 left ≔ ∅ @e1 eating ≔ ∅ @f1 forks ≔ 0‥n−1 end
event take_left any p where @p p ∈ thinking @q p ∈ forks then @t2 thinking ≔ thinking∖{p} @l2 left ≔ left∪{p} @f2 forks ≔ forks∖{p} end
event take_right any p where @p p ∈ left @q (p+1) mod n ∈ forks then @l2 left ≔ left∖{p} @e2 eating ≔ eating∪{p} @f2 forks ≔ forks∖{(p+1) mod n} end
event put any p where @p p ∈ eating then @e2 eating ≔ eating∖{p} @t2 thinking ≔ thinking∪{p} @f2 forks ≔ forks∪{p,(p+1) mod n} end
end
`

// TestSwarm: a swarm answers the same alone, with workers that have its key, with such as have not, and with a server
// without workers; what it finds is a run of the machine; that it found nothing is never complete.
func TestSwarm(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long, and needs no reference data: the full form has it")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "m.eventb"), []byte(dining), 0o666); err != nil {
		t.Fatal(err)
	}
	fresh(t, "a")
	helped, forged := queueServer(t), queueServer(t)
	startWorker(t, "--nats", helped)
	fresh(t, "b")
	startWorker(t, "--nats", forged)
	fresh(t, "a")
	for line, c := range map[string]struct {
		code int
		want string
	}{
		"--no-deadlock --max-states 500":                {exitNoVerdict, "a swarm of 6 searches; together they met about "},
		"--no-deadlock --max-depth 40":                  {exitNoVerdict, "a swarm of 6 searches"},
		"--no-deadlock --max-states 500 --format jsonl": {exitNoVerdict, `"verdict":"bounded"`},
		"":                                  {exitNo, "no event is enabled"},
		"--no-deadlock --goal eating={1,3}": {exitYes, "goal"},
	} {
		args := append([]string{"-C", dir, "explore", "m.eventb", "--bitstate", "1", "--swarm", "6"}, strings.Fields(line)...)
		want, errs, code := shell(t, args...)
		if code != c.code || !strings.Contains(want, c.want) {
			t.Errorf("%s: exit code %d\n%s%s", line, code, want, errs)
		}
		for _, at := range []string{helped, forged, "embedded://127.0.0.1:0", "nats://127.0.0.1:1"} {
			got, errs, is := shell(t, append(args, "--nats", at)...)
			if got != want || is != code {
				t.Errorf("%s --nats %s: exit code %d, want %d\n%s\n%s\nwant\n%s", line, at, is, code, errs, got, want)
			}
		}
	}
}

// TestSwarmSeeds: another seed is another swarm, and each member sees other states first.
func TestSwarmSeeds(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "m.eventb"), []byte(dining), 0o666); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, seed := range []string{"1", "2", "3", "1"} {
		got, _, _ := shell(t, "-C", dir, "explore", "m.eventb", "--no-deadlock", "--bitstate", "1", "--swarm", "1", "--max-states", "300", "--seed", seed)
		seen[got] = true
	}
	if len(seen) != 3 {
		t.Errorf("%d different answers of three seeds: %v", len(seen), seen)
	}
}

// TestSwarmUsage: what a swarm cannot do is said.
func TestSwarmUsage(t *testing.T) {
	dir := smallProject(t)
	for line, want := range map[string]string{
		"--swarm 3":                                      "--swarm needs --bitstate",
		"--bitstate 1 --swarm 3 --proved":                "exclude each other",
		"--nats nats://h":                                "--nats needs --swarm",
		"--bitstate 1 --swarm 3 --seed 0":                "counted from 1",
		"--bitstate 1 --swarm -1":                        "--swarm cannot be negative",
		"--bitstate 1 --swarm 2 --nats http://h":         "not the URL of a NATS server",
		"--bitstate 1 --swarm 2 --seed 9999999999999999": "numbers up to",
	} {
		if _, errs, code := shell(t, append([]string{"-C", dir, "explore", "model.eventb"}, strings.Fields(line)...)...); code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: exit code %d: %s", line, code, errs)
		}
	}
	if _, errs, code := shell(t, "-C", dir, "explore", "model.zip", "--bitstate", "1", "--swarm", "2"); code != exitUsage || !strings.Contains(errs, "gradine import") {
		t.Errorf("a project of Rodin: exit code %d: %s", code, errs)
	}
}
