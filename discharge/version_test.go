package discharge_test

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/internal/random"
	"github.com/gradine/gradine/lang/check"
	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/project"
	"github.com/gradine/gradine/prover"
)

var update = flag.Bool("update", false, "write search.txt anew, which names another version of the search")

// TestSearchVersion compares what the search answers to fixed questions with search.txt, whose
// digest names the version of the search. Answers of another version must not be taken from a
// store, so the file changes with the search.
func TestSearchVersion(t *testing.T) {
	var list []logic.Sequent
	var names []string
	put := func(name string, s logic.Sequent) { names, list = append(names, name), append(list, s) }
	for i := range 300 {
		put(fmt.Sprintf("random %d", i), random.NewFormulas(logic.NewBank(), rand.New(rand.NewPCG(uint64(i), 2))).Sequent(3, 2))
	}
	// Larger than all scopes in which counterexamples are looked for.
	large, err := check.ReadSequent(map[string]string{"S": "ℙ(S)", "q": "ℙ(S×ℤ)", "A": "ℙ(S)"}, []string{"finite(S)", "card(S)=1000", "q∈S→0‥1", "A⊆S"}, nil, "A=∅")
	if err != nil {
		t.Fatal(err)
	}
	put("a thousand elements", large)
	var open project.Opener
	projects, err := open.Open("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range projects {
		if p.Name != "gpu" {
			continue
		}
		all, err := p.Obligations()
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range all {
			if i%6 == 0 {
				put(p.Name+"/"+o.Path(), o.Sequent())
			}
		}
	}
	var got bytes.Buffer
	for i, o := range run(t, list, discharge.Options{Steps: 40_000}) {
		x := sha256.New()
		if o.Counterexample != nil {
			model, err := o.Counterexample.Model.MarshalJSON()
			fmt.Fprintf(x, "%s %v", model, err)
		}
		fmt.Fprint(x, o.Certificate)
		fmt.Fprintf(&got, "%s %s%s %d %x\n", names[i], o.Verdict, strings.TrimSuffix(":"+string(o.End), ":"), o.Steps, x.Sum(nil)[:8])
	}
	for _, strategy := range prover.Schedule() {
		fmt.Fprintln(&got, "schedule", strategy)
	}
	const name = "search.txt"
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got.Bytes(), want) {
		return
	}
	if *update {
		if err := os.WriteFile(name, got.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the search answers otherwise than discharge/search.txt says: stored answers are those of another version; `go test ./discharge -run SearchVersion -update` writes the file")
}
