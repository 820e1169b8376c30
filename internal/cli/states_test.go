package cli

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gradine/gradine/internal/report/sample"
)

// reviewed is what the states of TestReviewStates change.
var reviewed = map[string]string{
	"gradine.toml": `[project.gpu]
sources = ["models"]

[project.other]
sources = ["more"]

[machine.m0]
deadlock_free = true

[[expect]]
project = "other"
po = "bad/up/few/INV"
verdict = "refuted"
why = "it shows the counterexample"

[tune.steps]
project = "other"
machine = "bad"
parameters = { by = "by" }
objective = "n"
final = "n > 5"
instances = [{ size = 8 }]

[tune.steps.search]
by = "1‥size"
`,
	"models/c.eventb": `context c
constants low high
axioms
  @low low ∈ ℕ
  @high high ∈ ℕ1
  @order low ≤ high
  theorem @some high ≥ 1
end
`,
	"models/m0.eventb": `machine m0 sees c
variables done
invariants
  @type done ∈ ℕ
  @most done ≤ high
variant
  high − done
events
  event INITIALISATION
  then
    @done done ≔ 0
  end

  convergent event go
  where
    @more done < high
  then
    @done done ≔ done + 1
  end

  event rest
  where
    @end done = high
  end
end
`,
	"models/m1.eventb": `machine m1 refines m0 sees c
variables done left
invariants
  @left left ∈ ℤ
  @sum left + done = high
  @least left ≥ 0
events
  event INITIALISATION extends INITIALISATION
  then
    @left left ≔ high
  end

  event go extends go
  then
    @left left ≔ left − 1
  end

  event rest extends rest
  end
end
`,
	"models/m2.eventb": `machine m2 refines m1 sees c
variables done left last
invariants
  @last last ∈ BOOL
events
  event INITIALISATION extends INITIALISATION
  then
    @last last ≔ FALSE
  end

  event go extends go
  then
    @last last ≔ bool(left = 1)
  end

  event rest extends rest
  end
end
`,
	"models/apart.eventb": `context e
sets COLOUR
constants red
axioms
  @red red ∈ COLOUR
end

machine apart sees e
variables seen
invariants
  @seen seen ⊆ COLOUR
events
  event INITIALISATION
  then
    @seen seen ≔ ∅
  end

  event look
  any c
  where
    @colour c ∈ COLOUR
  then
    @see seen ≔ seen ∪ {c}
  end
end
`,
	"more/bad.eventb": `context d
constants by
axioms
  @by by ∈ ℕ1
end

machine bad sees d
variables n
invariants
  @type n ∈ ℕ
  @few n ≤ 7
events
  event INITIALISATION
  then
    @n n ≔ 0
  end

  event up
  where
    @more n < 6
  then
    @n n ≔ n + by
  end
end
`,
}

// state is a change of the development with what its review has to say.
type state struct {
	name   string
	file   string // that is changed: old is replaced by new, everywhere if it is ""
	old    string
	new    string
	move   string                        // the file is moved there
	gone   bool                          // the file is deleted
	from   func(files map[string]string) // what the development was before; as it is if nil
	edit   func(files map[string]string) // what else is changed
	locked bool                          // the locks of proofs are committed
	says   string                        // what the review says, parts separated by |
	not    string                        // what it must not say
	code   int                           // with all gates
	strict string                        // gates other than all
}

const allGates = "lost-proof,refuted,open,vacuous,contradiction,worse,weakened-claim,removed-claim,new-assumption"

// The states of the scripted history, each with the answer that was written down
// first.
var states = []state{
	{name: "a variable is renamed", old: "done", new: "ended", says: "renamed|done → ", not: "proof lost|changed "},
	{name: "a guard is stronger", file: "models/m0.eventb", old: "@more done < high", new: "@more done + 1 < high", says: "strengthened|proof lost m0/DLF", code: 1},
	{name: "an invariant is weaker", file: "models/m0.eventb", old: "@most done ≤ high", new: "@most done ≤ high + 1", says: "weakened|weakened-claim ", code: 1},
	{name: "an invariant is split", file: "models/m1.eventb", old: "@sum left + done = high", new: "@sum left + done ≤ high\n  @mus left + done ≥ high", says: "weakened, made up for by others", not: "proof lost|claims"},
	{name: "invariants are swapped", file: "models/m0.eventb", old: "@type done ∈ ℕ\n  @most done ≤ high", new: "@most done ≤ high\n  @type done ∈ ℕ", says: "reordered", not: "proof lost|changed "},
	{name: "an axiom is weaker", file: "models/c.eventb", old: "high ∈ ℕ1", new: "high ∈ ℕ", says: "weakened", code: 1},
	{name: "an axiom is stronger", file: "models/c.eventb", old: "low ∈ ℕ", new: "low ∈ ℕ1", says: "strengthened|new-assumption", code: 1, strict: "new-assumption"},
	{name: "an event is added", file: "models/m1.eventb", old: "  event rest extends rest", new: "  event idle\n  where\n    @some left > 0\n  end\n\n  event rest extends rest", says: "added|event m1/idle|left > 0"},
	{name: "a refinement is deleted", file: "models/m2.eventb", gone: true, says: "removed     machine m2|removed-claim machine m2", code: 1},
	{name: "a requirement is cited in a comment", file: "models/m0.eventb", old: "@most done ≤ high", new: "@most done ≤ high // REQ-17: never more", says: "REQ-17", not: "proof lost"},
	{name: "deadlock freedom is no longer asked", file: "gradine.toml", old: "deadlock_free = true\n", new: "deadlock_free = false\n", says: "m0/DLF|gone", code: 1},
	{name: "a tuning instance changes", file: "gradine.toml", old: "size = 8", new: "size = 4", says: "removed-claim setting tune.steps.instances|size = 4", code: 1},
	{name: "an expectation hides a refutation", file: "gradine.toml", old: "[tune.steps]\n", new: "[[expect]]\nproject = \"gpu\"\npo = \"m1/go/sum/INV\"\nverdict = \"refuted\"\nwhy = \"hidden\"\n\n[tune.steps]\n", says: "new-assumption setting expect.gpu/m1/go/sum/INV", code: 1},
	{name: "a source is dropped", file: "gradine.toml", old: `sources = ["models"]`, new: `sources = ["models/c.eventb", "models/m0.eventb"]`, says: "project.gpu.sources|gone", code: 1},
	{name: "a theorem becomes an axiom", file: "models/c.eventb", old: "theorem @some", new: "@some", says: "new-assumption", code: 1},
	{name: "an event is no longer convergent", file: "models/m0.eventb", old: "convergent event go", new: "event go", says: "convergent|gone", code: 1},
	{name: "an invariant is removed", file: "models/m1.eventb", old: "  @least left ≥ 0\n", new: "", says: "removed     invariant m1/least (implied)", not: "removed-claim invariant"},
	{name: "an invariant that says more is removed", file: "models/m1.eventb", old: "  @sum left + done = high\n", new: "", says: "removed     invariant m1/sum|weakened-claim invariant m1/sum is removed", code: 1},
	{name: "an event no longer refines", file: "models/m1.eventb", old: "event go extends go\n  then", new: "event go\n  then\n    @done done ≔ done + 1", says: "changed     event m1/go|refuted", code: 1},
	{name: "a refinement is put in between", edit: func(files map[string]string) {
		files["models/m05.eventb"] = "machine m05 refines m0 sees c\nvariables done\nevents\n  event INITIALISATION extends INITIALISATION\n  end\n\n  event go extends go\n  end\n\n  event rest extends rest\n  end\nend\n"
		files["models/m1.eventb"] = strings.Replace(files["models/m1.eventb"], "refines m0", "refines m05", 1)
	}, says: "added       machine m05|added       refines m1/m05", not: "no longer refines|proof lost"},
	{name: "a machine sees a new context", edit: func(files map[string]string) {
		files["models/more.eventb"] = "context more extends c\nconstants best\naxioms\n  @best best ∈ ℕ ∧ best > high\n  theorem @pos best > 0\nend\n"
		files["models/m1.eventb"] = strings.Replace(files["models/m1.eventb"], "sees c", "sees more", 1)
	}, says: "new-assumption m1 sees more, and assumes more/best: best ∈ ℕ ∧ best > high", not: "c/low|more/pos:", code: 1, strict: "new-assumption"},
	{name: "a context is added that nobody sees", edit: func(files map[string]string) {
		files["models/more.eventb"] = "context more extends c\nconstants best\naxioms\n  @best best ∈ ℕ ∧ best > high\nend\n"
	}, says: "added       context more", not: "new-assumption more|new-assumption c", strict: "new-assumption"},
	{name: "a context is taken apart", edit: func(files map[string]string) {
		files["models/low.eventb"] = "context bottom\nconstants low\naxioms\n  @low low ∈ ℕ\nend\n"
		files["models/c.eventb"] = strings.NewReplacer("context c", "context c extends bottom", "constants low high", "constants high", "  @low low ∈ ℕ\n", "").Replace(files["models/c.eventb"])
	}, says: "added       context bottom", not: "and assumes|proof lost", strict: "new-assumption,lost-proof"},
	{name: "a source is misspelt", file: "gradine.toml", old: `sources = ["models"]`, new: `sources = ["models", "modles"]`, says: "new error: project.gpu.sources: modles does not exist", code: 3},
	{name: "a source was misspelt and still is", file: "models/m0.eventb", from: func(files map[string]string) {
		files["gradine.toml"] = strings.Replace(files["gradine.toml"], `"models"]`, `"modles"]`, 1)
	}, old: "done < high", new: "done < high + 1", says: "1 error as before", code: 3},
	{name: "an event is renamed in all machines", old: " go", new: " proceed", says: "renamed|go → ", not: "proof lost|removed "},
	{name: "a machine and its file are renamed", file: "models/m2.eventb", old: "machine m2", new: "machine final", move: "models/final.eventb", says: "renamed|m2 → final", not: "proof lost|removed "},
	{name: "a constant is renamed", old: "high", new: "top", says: "renamed|high → ", not: "proof lost|changed "},
	{name: "an axiom contradicts another", file: "models/c.eventb", old: "@order low ≤ high", new: "@order low ≤ high\n  @spread high < low", says: "new contradiction|high < low", not: "now proved", code: 1},
	{name: "a guard is never true", file: "models/m0.eventb", old: "@more done < high", new: "@more done < high\n    @never ⊥", says: "contradiction: m0/go|DLF", code: 1},
	{name: "an action is stronger", file: "models/m1.eventb", old: "@left left ≔ left − 1", new: "@left left :∈ {left − 1, left − 2}", says: "changed     action m1/go/left|m1/go/sum/INV", code: 1},
	{name: "an error", file: "models/m1.eventb", old: "left ≥ 0", new: "lift ≥ 0", says: "error: identifier `lift`", not: "proof lost", code: 3},
	{name: "layout alone", file: "models/m0.eventb", old: "  @type done", new: "     @type   done", says: "reformatted", not: "changed "},
	{name: "a refutation that is expected is touched", file: "more/bad.eventb", old: "@type n ∈ ℕ", new: "@type n ∈ ℕ ∧ n ≥ 0", says: "as expected", strict: "lost-proof,refuted,open"},
	{name: "nothing", says: "no change"},
	{name: "a variable is renamed and its labels stay", edit: func(files map[string]string) {
		for name, text := range files {
			files[name] = regexp.MustCompile(`([^@\w])done`).ReplaceAllString(text, "${1}ended")
		}
	}, says: "renamed     variable m0/done → m0/ended", not: "proof lost|changed |new (|invariant|action"},
	{name: "two invariants are joined", file: "models/m0.eventb", old: "@type done ∈ ℕ\n  @most done ≤ high", new: "@both done ∈ ℕ ∧ done ≤ high", says: "removed     invariant m0/type (implied)|removed     invariant m0/most (implied)|added       invariant m0/both (implied)", not: "proof lost|weaker|removed-claim invariant"},
	{name: "an invariant is split in two of other labels", file: "models/m1.eventb", old: "@sum left + done = high", new: "@below left + done ≤ high\n  @above left + done ≥ high", says: "removed     invariant m1/sum (implied)|added       invariant m1/below (implied)", not: "proof lost|weaker|removed-claim invariant"},
	{name: "a machine and its context move to another project", file: "models/apart.eventb", move: "more/apart.eventb", says: "moved       machine apart from models/apart.eventb to more/apart.eventb|moved       context e", not: "gone|new (|removed|added"},
	{name: "what moves to another project changes as well", file: "models/apart.eventb", move: "more/apart.eventb", old: "seen ⊆ COLOUR", new: "seen ∈ ℙ(COLOUR)", says: "moved       machine apart|changed     invariant apart/seen", code: 1, strict: "weakened-claim"},
	{name: "a project is renamed", file: "gradine.toml", old: "[project.gpu]", new: "[project.device]", says: "device (was gpu)", not: "machine|new (|proof lost|gone"},
	{name: "a folder is renamed where no gradine.toml is", from: bare, edit: func(files map[string]string) {
		for name, text := range files {
			if rest, ok := strings.CutPrefix(name, "models/"); ok {
				delete(files, name)
				files["source/"+rest] = text
			}
		}
	}, says: "source (was models)|moved       machine m0", not: "gone|new (|removed|added|proof lost"},
	{name: "a gradine.toml is adopted", from: bare, edit: func(files map[string]string) { files["gradine.toml"] = reviewed["gradine.toml"] }, says: "gpu (was models)|other (was more)", not: "gone|moved|removed|proof lost", strict: "lost-proof,open,removed-claim"},
	{name: "a lock says proved of what is refuted", locked: true, file: "other.proofs.lock", old: "refuted", new: "proved", says: "proofs.lock records an unconfirmed verdict: bad/up/few/INV", not: "now proved", code: 1},
	{name: "a lock says open of what is proved", locked: true, file: "gpu.proofs.lock", old: "proved", new: "open", not: "proof lost|now proved", says: "no change"},
	{name: "a contradiction is repaired", from: func(files map[string]string) {
		files["models/c.eventb"] = strings.Replace(files["models/c.eventb"], "theorem @some", "@spread high < low\n  theorem @some", 1)
	}, edit: func(files map[string]string) { files["models/c.eventb"] = reviewed["models/c.eventb"] }, says: "repaired contradiction", not: "proof lost|now proved", strict: "lost-proof,refuted,open,contradiction"},
	{name: "what was refuted holds for nothing", file: "more/bad.eventb", old: "by ∈ ℕ1", new: "by ∈ ℕ1 ∧ 1 = 2", says: "new contradiction|vacuous", not: "now proved", code: 1},
	{name: "one branch renames what the other uses", file: "", old: "done", new: "ended", edit: func(files map[string]string) {
		files["models/m1.eventb"] = strings.Replace(files["models/m1.eventb"], "@least left ≥ 0", "@least left ≥ 0\n  @uses done ≥ 0", 1)
	}, says: "new error: identifier `done` has not been declared", not: "proof lost", code: 3},
	{name: "a model with the markers of a merge", file: "models/m1.eventb", old: "  @least left ≥ 0\n", new: "<<<<<<< ours\n  @least left ≥ 0\n=======\n  @least left > −1\n>>>>>>> theirs\n", says: "new error: unmerged", not: "proof lost|refuted|<<<<|>>>>|  changed", code: 3},
	{name: "a lock with the markers of a merge", locked: true, file: "gpu.proofs.lock", old: "m0/DLF", new: "<<<<<<< ours\n=======\n>>>>>>> theirs\nm0/DLF", says: "new error: line 3: it contains merge conflict markers|gradine prove --lock", code: 3},
	{name: "a machine is deleted with its entry to tune", edit: func(files map[string]string) {
		files["gradine.toml"], _, _ = strings.Cut(files["gradine.toml"], "[[expect]]")
		files["more/bad.eventb"], _, _ = strings.Cut(files["more/bad.eventb"], "machine bad")
	}, says: "removed-claim machine bad|removed-claim setting tune.steps.objective|removed     setting expect.other/bad/up/few/INV", code: 1},
	{name: "an invariant that is refuted says less", file: "more/bad.eventb", old: "@few n ≤ 7", new: "@few n ∈ ℤ", says: "weakened-claim invariant bad/few is weakened", code: 1},
	{name: "a term without value is replaced", from: wild, file: "models/wild.eventb", old: "f(7) = 1", new: "f(2) = 1", says: "changed     guard wild/look/g", not: "strengthened|weakened|equivalent"},
	{name: "an invariant has its value now", from: wild, file: "models/wild.eventb", old: "@when x > 0 ⇒", new: "@when x ∈ 1 ‥ 3 ⇒", says: "changed     invariant wild/when", not: "equivalent", code: 1},
	{name: "a variable has another type", from: wild, file: "models/wild.eventb", old: "@t t ∈ ℤ", new: "@t t ∈ BOOL", edit: func(files map[string]string) {
		files["models/wild.eventb"] = strings.Replace(files["models/wild.eventb"], "t ≔ 0", "t ≔ TRUE", 1)
	}, says: "retyped     variable wild/t|{-ℤ-}{+BOOL+}", not: "equivalent", code: 1},
	{name: "a parameter is renamed", file: "models/apart.eventb", old: "any c\n  where\n    @colour c ∈ COLOUR\n  then\n    @see seen ≔ seen ∪ {c}", new: "any hue\n  where\n    @colour hue ∈ COLOUR\n  then\n    @see seen ≔ seen ∪ {hue}", says: "renamed     parameter apart/look/c → apart/look/hue", not: "changed |added|removed"},
	{name: "a constant and its label are renamed", file: "models/apart.eventb", old: "red", new: "blue", says: "renamed     constant e/red → e/blue|renamed     axiom e/red → e/blue", not: "changed |added|removed|new (|gone"},
	{name: "an event is renamed with a part of its body", file: "models/apart.eventb", old: "event look\n  any c\n  where\n    @colour c ∈ COLOUR", new: "event glance\n  any c\n  where\n    @new c ∉ seen\n    @colour c ∈ COLOUR", says: "renamed     event apart/look → apart/glance|added       guard apart/glance/new", not: "removed"},
	{name: "what is inherited is no longer repeated", from: func(files map[string]string) {
		files["models/m1.eventb"] = strings.Replace(files["models/m1.eventb"], "event go extends go\n  then\n", "event go refines go\n  where\n    @more done < high\n  then\n    @done done ≔ done + 1\n", 1)
	}, edit: func(files map[string]string) { files["models/m1.eventb"] = reviewed["models/m1.eventb"] }, says: "{-refines go-}{+extends go+}", not: "removed|proof lost|gone"},
	{name: "a context was missing and is there", from: func(files map[string]string) { delete(files, "models/c.eventb") }, edit: func(files map[string]string) { files["models/c.eventb"] = reviewed["models/c.eventb"] }, says: "gone error|added       context c", not: "changed |proof lost|new error", strict: "lost-proof,refuted"},
	{name: "an error takes hypotheses away", file: "models/m0.eventb", old: "done ≤ high", new: "done ≤ hihg", says: "new error|m1", not: "proof lost|refuted", code: 3},
	{name: "proofs take more steps", file: "models/c.eventb", old: "low ∈ ℕ\n", new: "low ∈ ℕ ∧ low ≥ 0\n", says: "12 proof kept|earlier cost of kept proofs (12) is unknown", strict: "cost+100000%", code: 4},
}

// bare takes the configuration away.
func bare(files map[string]string) { delete(files, "gradine.toml") }

// wild adds a machine with terms that have no value everywhere.
func wild(files map[string]string) {
	files["models/wild.eventb"] = `machine wild
variables f x t
invariants
  @f f ∈ 1 ‥ 3 → ℤ
  @x x ∈ ℤ
  @t t ∈ ℤ
  @when x > 0 ⇒ f(x) = 1
events
  event INITIALISATION
  then
    @f f ≔ (1 ‥ 3) × {1}
    @x x ≔ 0
    @t t ≔ 0
  end

  event look
  where
    @g f(7) = 1
  then
    @a x ≔ 0
  end
end
`
}

// after is the development with the change.
func (s state) after(t *testing.T, before map[string]string) map[string]string {
	files := map[string]string{}
	for name, text := range before {
		if s.old != "" && (s.file == name || s.file == "" && strings.HasSuffix(name, ".eventb")) {
			if s.file != "" && !strings.Contains(text, s.old) {
				t.Fatalf("%s has no %s", name, s.old)
			}
			text = strings.ReplaceAll(text, s.old, s.new)
		}
		if name == s.file && s.move != "" {
			name = s.move
		}
		if name != s.file || !s.gone {
			files[name] = text
		}
	}
	if s.edit != nil {
		s.edit(files)
	}
	return files
}

// TestReviewStates reviews each state against the development, and wants the answer
// that was written first; the same bytes and the same exit code with an empty store, with a
// full one, and again.
func TestReviewStates(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	dir := t.TempDir()
	lay := func(files map[string]string) {
		old, err := os.ReadDir(dir)
		must(err)
		for _, e := range old {
			if e.Name() != ".git" {
				must(os.RemoveAll(filepath.Join(dir, e.Name())))
			}
		}
		for name, text := range files {
			must(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
			must(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
		}
	}
	git := func(lines ...string) {
		for _, line := range lines {
			c := exec.Command("git", strings.Fields(line)...)
			c.Dir = dir
			if out, err := c.CombinedOutput(); err != nil {
				t.Fatalf("git %s: %v\n%s", line, err, out)
			}
		}
	}
	const commit = "-c user.name=a -c user.email=a@example.org commit -q -m state"
	lay(reviewed)
	git("init -q -b main", "add -A", commit)
	long := os.Getenv("GRADINE_SWEEP") != ""
	texts := map[string]string{}
	for i, s := range states {
		t.Run(s.name, func(t *testing.T) {
			before := maps.Clone(reviewed)
			if s.from != nil || s.locked {
				if s.from != nil {
					s.from(before)
				}
				lay(before)
				if s.locked {
					var out bytes.Buffer
					Main([]string{"-C", dir, "prove", "--lock"}, strings.NewReader(""), &out, &out)
					for _, name := range []string{"gpu.proofs.lock", "other.proofs.lock"} {
						data, err := os.ReadFile(filepath.Join(dir, name))
						must(err)
						before[name] = string(data)
					}
				}
				git("add -A", commit)
				defer git("reset -q --hard HEAD~1")
			}
			files := s.after(t, before)
			lay(files)
			gates := s.strict
			if gates == "" {
				gates = allGates
			}
			review := func(flags ...string) (string, int) {
				var out bytes.Buffer
				code := Main(append([]string{"-C", dir, "review", "HEAD", "--fail-on", gates}, flags...), strings.NewReader(""), &out, &out)
				return out.String(), code
			}
			said, code := review()
			for _, want := range strings.Split(s.says, "|") {
				if !strings.Contains(said, want) {
					t.Errorf("it does not say %q", want)
				}
			}
			for _, bad := range strings.Split(s.not, "|") {
				if bad != "" && strings.Contains(said, bad) {
					t.Errorf("it says %q", bad)
				}
			}
			if code != s.code {
				t.Errorf("exit code %d, want %d", code, s.code)
			}
			if long || i%14 == 0 {
				for _, flags := range [][]string{nil, {"--no-cache"}} {
					if again, c := review(flags...); again != said || c != code {
						t.Errorf("%v: it says, with exit code %d:\n%s", flags, c, again)
					}
				}
			}
			if long || i%14 == 0 {
				text, _ := review("--format", "sarif")
				// Warnings for people stand in front, in this test.
				texts[strconv.Itoa(i)] = text[strings.Index(text, "{"):]
				wantSARIF(t, texts[strconv.Itoa(i)])
			}
			if t.Failed() {
				t.Log(said)
			}
		})
	}
	t.Run("validator", func(t *testing.T) { sample.ValidateSARIF(t, texts) })
}

// wantSARIF wants a file that its schema allows and code hosts show, with a state for each result.
func wantSARIF(t *testing.T, text string) {
	t.Helper()
	for _, result := range sample.ReadSARIF(t, text).Results {
		if result.BaselineState == nil {
			t.Errorf("%s has no baseline state", *result.RuleID)
		}
	}
}
