package project_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/gradine/gradine/discharge"
	"github.com/gradine/gradine/discharge/judgement"
	"github.com/gradine/gradine/project"
)

const counter = `machine counter
variables n
invariants
  @limit n ≤ 3
events
  event INITIALISATION
  then
    @n n ≔ 0
  end
  event up
  then
    @n n ≔ n + 1
  end
end
`

// A program opens a project, proves what it obliges to, and asks how its components
// stand.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "counting")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "counter.eventb"), []byte(counter), 0o666); err != nil {
		log.Fatal(err)
	}
	projects, err := project.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range projects {
		obligations, err := p.Obligations()
		if err != nil {
			log.Fatal(err)
		}
		results, err := p.Prove(context.Background(), obligations, discharge.Options{RefuteSteps: 100_000}, nil)
		if err != nil {
			log.Fatal(err)
		}
		for _, r := range results {
			fmt.Println(r.Component, r.Name, r.Verdict)
		}
		for _, s := range judgement.Components(p.Dev, results) {
			fmt.Println(s.Component, s.Verified, s.Why)
		}
	}
	// Output:
	// counter INITIALISATION/limit/INV proved
	// counter up/limit/INV refuted
	// counter false up/limit/INV is refuted
}
