package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/kernel"
)

// A lemma proves itself; a proof that is changed, or claims another verdict, is refused and
// named, and a folder without proofs is not a success.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"eq.none", "times.none", "card.natural"} {
		text, err := kernel.LemmaFiles.ReadFile("lemmas/" + name + ".cert")
		if err != nil {
			t.Fatal(err)
		}
		write("lemmas/"+name+".cert", string(text))
	}
	l, err := kernel.FindLemma("card.natural")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := kernel.LemmaFiles.ReadFile("lemmas/card.natural.cert")
	sequent := cert.EncodeSequent(logic.Sequent{Bank: l.Bank, Goal: l.Statement}, "p/c/m/thm/THM", "proved")
	proof := string(append(sequent, text...))

	// Claims of counterexamples: one whose equations are absurd, and one that is granted what D says.
	claim := func(hyp, goal, certificate string) string {
		return "gradine sequent 1\nobligation \"p/c/m/x\"\nverdict follows\nterms\nfalse\nint 0\ndiv 1 1\neq 2 1\nsequent\nhyp " +
			hyp + "\ngoal " + goal + "\nend\ngradine certificate 1\nterms\n" + certificate + "end\n"
	}
	contradictory := claim("0", "3", "false\nsteps\nhyp 0\nprop 0 0\nrup : 0 1\n")
	granted := claim("3", "0", "int 0\neq 0 0\nsteps\nwd 0\neuf +1\nrup : 0 1\n")

	for _, c := range []struct {
		file, text, says string
		code             int
	}{
		{"none.txt", "", "no file .proof", misused},
		{"p/c/good.proof", proof, "1 proofs and 3 lemmas, 0 refused", accepted},
		{"p/c/vacuous.proof", strings.Replace(proof, "verdict proved", "verdict vacuous", 1), `p/c/m/thm/THM is proved, and not "vacuous"`, refused},
		{"p/c/vacuous.proof", strings.Replace(proof, "verdict proved", "verdict follows", 1), "2 proofs and 3 lemmas, 0 refused", accepted},
		{"p/c/vacuous.proof", contradictory, "p/c/m/x has inconsistent equations", refused},
		{"p/c/vacuous.proof", granted, "p/c/m/x takes for granted that formulas are well-defined", refused},
		{"p/c/short.proof", strings.Replace(proof, "steps\n", "steps\nrup :\n", 1), "2 proofs and 3 lemmas, 1 refused", refused},
		{"lemmas/eq.none.cert", "gradine certificate 1\nterms\nfalse\nsteps\ngoal\nend\n", "refused lemma eq.none: ", refused},
	} {
		if c.code == refused {
			os.Remove(filepath.Join(dir, "p/c/vacuous.proof"))
		}
		write(c.file, c.text)
		var out bytes.Buffer
		if code := run([]string{dir}, &out, &out); code != c.code || !strings.Contains(out.String(), c.says) {
			t.Errorf("%s: code %d:\n%s", c.file, code, out.String())
		}
	}
	if code := run(nil, &bytes.Buffer{}, &bytes.Buffer{}); code != misused {
		t.Errorf("without a folder: code %d", code)
	}
}
