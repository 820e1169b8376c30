package config

import (
	"fmt"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	c, err := parse("dir/gradine.toml", `
[project.p]
sources = ["a", "b"]
[machine.m]
deadlock_free = true
[machine.m.carriers]
S = 3
T = ["t1", "t2"]
[[expect]]
project = "p"
po = "m/e/i/INV"
verdict = "refuted"
why = "it is false"
[tune.t]
machine = "m"
objective = "T_ev"
final = "phase = done"
parameters = { WG = "WG", TS = "TS", a = "a" }
instances = [{ size = 8, NP = 4 }, { size = 8, GMT = 2, NP = 4 }]
[tune.t.search]
WG = "{4}"
TS = "{2}"
`, false)
	if err != nil {
		t.Fatal(err)
	}
	if c.Dir != "dir" || len(c.Project["p"].Sources) != 2 || !c.Machine["m"].DeadlockFree || c.Tune["t"].Instances[0]["size"] != int64(8) {
		t.Errorf("wrong values: %+v", c)
	}
	if e := c.Tune["t"]; fmt.Sprint(e.Shown, e.Searched, e.Given) != "[WG TS a] [WG TS] [size NP GMT]" {
		t.Errorf("not in the order of the file: %v %v %v", e.Shown, e.Searched, e.Given)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[project.p]\nsources = [\"a\"]\nsauces = 1\n", "f:3: unknown key project.p.sauces; known keys: sources"},
		{"x = ", "f:1: "},
		{"project = \"a\"\n", "f:1: project has to be a table of names, not the text \"a\""},
		{"[project]\nsources = [\"a\"]\n", "f:2: project.sources has to be a table with sources, steps, certificates, not a list"},
		{"[project.p]\nsources = \"a\"\n", "f:2: project.p.sources has to be a list, such as [\"a\", \"b\"], not the text \"a\""},
		{"[project.p]\nsources = [1]\n", "f:2: project.p.sources has to be a text in quotes, not 1"},
		{"[project.p]\nsources = [\"/a\"]\n", "/a is an absolute path"},
		{"[project.p]\nsources = [\"a\"]\nsteps = 1.5\n", "f:3: project.p.steps has to be an integer, not 1.5"},
		{"[machine]\nx = 3\n", "f:2: machine.x has to be a table with deadlock_free, "},
		{"[machine.m.bounds]\nx = [1]\n", "f:2: machine.m.bounds.x has to be a list of two numbers"},
		{"[[machine.m.leads_to]]\nform = \"x\"\n", "f:2: unknown key machine.m.leads_to.form; known keys: name, any, from"},
		{"[expect]\npo = \"x\"\n", "f:1: expect has to be a list of tables, not a table"},
		{"[project.p]\n", "names no sources"},
		{"[project.p]\nsources = [\"a\", \"b\", \"./a\"]\n", "f:2: project.p.sources names ./a twice"},
		{"[project.\"a/b\"]\nsources = [\"a\"]\n", "the name of a project begins those of files"},
		{"[project.\"../b\"]\nsources = [\"a\"]\n", "write it without /"},
		{"[machine.m]\n# none\nbounds = { x = [1] }\n", "f:3: machine.m.bounds.x"},
		{"[prooject.p]\nsources = [\"a\"]\n", "f:1: unknown key prooject"},
		{"[[expect]]\nproject = \"q\"\n", "project \"q\", which is not defined"},
		{"[project.p]\nsources = [\"a\"]\n[[expect]]\nproject = \"p\"\nverdict = \"proved\"\n", "use one of"},
		{"[tune.t]\nmachine = \"m\"\n", "lacks objective"},
		{"[project.\"gradine.toml\"]\nsources = [\"a\"]\n", "and not as this file"},
		{"[project.p]\nsources = [\"a\"]\n[project.q]\nsources = [\"b\"]\n[[waiver]]\ngate = \"weakened-claim\"\nelement = \"m/i\"\nsays = \"x\"\nwhy = \"y\"\n", "f:5: [[waiver]] of m/i: write project = with one of p, q"},
		{"[project.p]\nsources = [\"a\"]\n[[waiver]]\ngate = \"removed-claim\"\nproject = \"p\"\nelement = \"machine.m.deadlock_free\"\nsays = \"removed\"\nwhy = \"y\"\n", "a setting is of no project"},
	} {
		if _, err := parse("f", c.text, false); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", c.text, err, c.want)
		}
	}
}

// Keys that another version knows do not hide the rest of an earlier revision, and are settings that went.
func TestPast(t *testing.T) {
	text := "[project.p]\nsources = [\"a\"]\ncolour = 3\n[machine.m]\nleads_to = [{ name = \"x\", from = \"p\", to = \"q\", by = \"v\" }]\n[machine.n]\ndeadlock_free = true\n"
	if _, err := parse("f", text, false); err == nil || !strings.Contains(err.Error(), "unknown key") {
		t.Errorf("now: %v", err)
	}
	c, err := parse("f", text, true)
	if err != nil || c.Machine["m"].LeadsTo[0].To != "q" || !c.Machine["n"].DeadlockFree {
		t.Errorf("past: %+v, %v", c, err)
	}
	if _, err := parse("f", strings.ReplaceAll(text, "\"a\"", "3"), true); err == nil {
		t.Error("a value of another shape is read")
	}
	list, err := Settings("f", []byte(text))
	if err != nil || !strings.Contains(fmt.Sprint(list), "[machine.m.leads_to.x.by v]") {
		t.Errorf("settings: %v, %v", list, err)
	}
}
