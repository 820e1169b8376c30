package prompt_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/explore"
	"github.com/gradine/gradine/explore/animation"
	"github.com/gradine/gradine/internal/golden"
	"github.com/gradine/gradine/internal/prompt"
	"github.com/gradine/gradine/project"
)

// A lift with two floors: "call" can happen in two ways, "down" never at the start, and
// the invariant fails on floor 2.
const lift = `machine lift
variables floor
invariants
@typ floor ∈ ℕ
@low floor < 2
events
event INITIALISATION then @i floor ≔ 0 end
event up where @g floor < 2 then @a floor ≔ floor + 1 end
event call any to where @t to ∈ 0‥1 @g floor = 1 then @a floor ≔ to end
event down where @g floor = 7 then @a floor ≔ 0 end
end
`

// lead answers commands at the prompt of lift.
func lead(t *testing.T, asJSON bool, commands string) (answers string, understood bool) {
	t.Helper()
	// The model stands elsewhere: the current folder is for the runs that commands write.
	file := filepath.Join(t.TempDir(), "lift.eventb")
	if err := os.WriteFile(file, []byte(lift), 0o666); err != nil {
		t.Fatal(err)
	}
	projects, err := project.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	p := projects[0]
	m := p.Dev.Machine("lift")
	if m == nil {
		t.Fatal(p.Problems.Sorted())
	}
	scope := p.Scope(m)
	setup, err := p.Setup(m, scope, project.Overrides{})
	if err != nil {
		t.Fatal(err)
	}
	found, _, err := explore.Solve(t.Context(), p.Dev, m, setup, 1)
	if err != nil {
		t.Fatal(err)
	}
	session, err := animation.Begin(t.Context(), m, found[0])
	if err != nil {
		t.Fatal(err)
	}
	lead := prompt.Prompt{Animation: session, Machine: m.Name, Scope: scope, JSON: asJSON}
	var out bytes.Buffer
	understood, err = lead.Run(t.Context(), strings.NewReader(commands), &out)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), understood
}

// A table is a list of commands with their answers, as text or, after the line "json", as lines of JSON.
// It ends with whether all commands were understood, and with the run that was written.
func TestAnswers(t *testing.T) {
	golden.Tables(t, func(t *testing.T, in string) string {
		dir := t.TempDir()
		t.Chdir(dir)
		commands, asJSON := strings.CutPrefix(in, "json\n")
		answers, understood := lead(t, asJSON, commands)
		out := fmt.Sprintf("%s\nunderstood: %t\n", answers, understood)
		if run, err := os.ReadFile("run.itf"); err == nil {
			out += fmt.Sprintf("%d bytes\n%s", len(run), run)
		}
		return out
	})
}

// A command that is too long to be read ends the input, and says so.
func TestLongCommand(t *testing.T) {
	answers, understood := lead(t, true, "1\n"+strings.Repeat("x", 1<<17)+"\n1\n")
	if understood || !strings.HasSuffix(answers, `{"length":1,"error":"cannot read the next command: bufio.Scanner: token too long"}`+"\n") {
		t.Errorf("understood %t: %s", understood, answers)
	}
}
