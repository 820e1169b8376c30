package lsp

import (
	"context"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/lsp/protocol"
	"github.com/gradine/gradine/project"
)

// together are the files of a project that bear on each other, each with the texts that it
// may have, the first of which makes all provable. "" stands for a file that is not there.
var together = map[string][]string{
	"c.eventb": {
		"context c\nconstants top\naxioms\n    @top top ∈ 3‥9\nend\n",
		"context c\nconstants top\naxioms\n    @top top ∈ ℤ\nend\n",
		"context c\nconstants top\naxioms\n    @top top ∈ 3‥9\n    theorem @far top > 5\nend\n",
		"context c\nconstants top\naxioms\n    @top top ∈ \nend\n",
		"",
	},
	"a.eventb": {
		"machine a\nsees c\nvariables x\ninvariants\n    @x x ∈ 0‥top\nevents\n    event INITIALISATION\n    then\n        @x x ≔ 0\n    end\n    event up\n    where\n        @g x < top\n    then\n        @x x ≔ x + 1\n    end\nend\n",
		"machine a\nsees c\nvariables x\ninvariants\n    @x x ∈ 0‥top\nevents\n    event INITIALISATION\n    then\n        @x x ≔ 0\n    end\n    event up\n    then\n        @x x ≔ x + 1\n    end\nend\n",
		"machine a\nsees c\nvariables x\ninvariants\n    @x x ∈ 0‥2\nevents\n    event INITIALISATION\n    then\n        @x x ≔ 0\n    end\n    event up\n    where\n        @g x < 2\n    then\n        @x x ≔ x + 1\n    end\nend\n",
	},
	"b.eventb": {
		"machine b\nrefines a\nsees c\nvariables y\ninvariants\n    @y y = top − x\nevents\n    event INITIALISATION\n    then\n        @y y ≔ top\n    end\n    event up\n    refines up\n    where\n        @g y > 0\n    then\n        @y y ≔ y − 1\n    end\nend\n",
		"machine b\nrefines a\nsees c\nvariables y\ninvariants\n    @y y = 2 − x\nevents\n    event INITIALISATION\n    then\n        @y y ≔ 2\n    end\n    event up\n    refines up\n    where\n        @g y > 0\n    then\n        @y y ≔ y − 1\n    end\nend\n",
		"",
	},
	"gradine.toml": {
		"[project.p]\nsources = [\"a.eventb\", \"b.eventb\", \"c.eventb\"]\n",
		"[project.p]\nsources = [\".\"]\nsteps = 3\n",
		"[project.p]\nsources = [\".\"]\n[machine.a]\ndeadlock_free = true\n[[machine.a.leads_to]]\nname = \"full\"\nfrom = \"⊤\"\nto = \"x = top\"\nvariant = \"top − x\"\n",
		"[project.p]\nsources = [\".\"]\n[[machine.a.leads_to]]\nname = \"full\"\nfrom = \"⊤\"\nto = \"x = top + 1\"\nvariant = \"top − x\"\n",
		"[project.p]\nsources = [\"b.eventb\"]\n",
		"[project",
		"",
	},
	"a.hints": {
		"", "for a/up/x/INV\n    use g\n", "for a/up/x/INV\n    have 1 = 2\n", "for a/up/x/INV\n    only x\n",
	},
	"p.proofs.certs": {"", "no certificates\n"},
}

// TestStaleTogether changes files that bear on each other at random: open ones, and ones that
// another program writes, makes and removes. Whatever is shown as proved at any moment gradine
// prove proves of these very texts.
func TestStaleTogether(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 1))
	files := map[string]string{}
	for name, texts := range together {
		if texts[0] != "" {
			files[name] = texts[0]
		}
	}
	store := proofstore.OpenStore(t.TempDir())
	c := begin(t, files, Options{Store: store})
	names := []string{"a.eventb", "a.hints", "b.eventb", "c.eventb", "gradine.toml", "p.proofs.certs"}
	models := []string{"a.eventb", "b.eventb", "c.eventb"}
	isOpen := map[string]bool{}
	proofs := func() map[string]bool {
		out := map[string]bool{}
		opener := project.Opener{Texts: map[string][]byte{}}
		for name := range isOpen {
			opener.Texts[filepath.Join(c.dir, name)] = []byte(c.texts[name])
		}
		projects, err := opener.Open(opener.Home(filepath.Join(c.dir, "a.eventb")))
		if err != nil {
			return out
		}
		for _, opened := range projects {
			obligations, err := opened.Obligations()
			if err != nil {
				continue
			}
			results, err := opened.Prove(context.Background(), obligations, discharge.Options{Store: store, RefuteSteps: refuteSteps}, nil)
			if err != nil {
				continue
			}
			for _, r := range results {
				if r.Verdict == verdict.Proved && r.Accurate && r.Of().Whole() {
					out[r.Path()] = true
				}
			}
		}
		return out
	}
	shown, questions := 0, 0
	for range edits(t, 120) {
		name := names[random.IntN(len(names))]
		texts := together[name]
		text := texts[0]
		if random.IntN(2) == 0 {
			text = texts[random.IntN(len(texts))]
		}
		path := filepath.Join(c.dir, name)
		switch {
		case isOpen[name] && random.IntN(4) == 0:
			c.tell("textDocument/didClose", protocol.DocumentParams{TextDocument: c.document(name)})
			delete(isOpen, name)
		case isOpen[name]:
			c.change(name, protocol.TextChange{Text: text})
		case random.IntN(3) == 0:
			c.openText(name, text)
			isOpen[name] = true
		default:
			if text == "" {
				_ = os.Remove(path)
			} else if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			c.tell("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": c.uri(name), "type": 2}}})
		}
		if random.IntN(3) == 0 {
			continue
		}
		time.Sleep(pause + time.Duration(random.IntN(150))*time.Millisecond)
		var proved map[string]bool
		for _, model := range models {
			if !isOpen[model] {
				continue
			}
			questions++
			var now proofReport
			c.call("rossi/proofObligations", protocol.DocumentParams{TextDocument: c.document(model)}, &now)
			for _, line := range now.Obligations {
				if line.Status != "discharged" {
					continue
				}
				if proved == nil {
					proved = proofs()
				}
				shown++
				if path := line.Component + "/" + line.Name; !proved[path] {
					all := ""
					for _, name := range slices.Sorted(maps.Keys(isOpen)) {
						all += "-- " + name + "\n" + c.texts[name]
					}
					t.Fatalf("%s is shown as proved, and is not; open are\n%s", path, all)
				}
			}
		}
	}
	t.Logf("%d times proved in %d answers", shown, questions)
	if shown < questions/4 {
		t.Error("hardly anything was shown as proved")
	}
}
