// Command recheck checks the proofs that gradine export --certificates writes. Its checker
// shares no code with the proof kernel.
package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gradine/gradine/prover/recheck"
)

// Exit codes, those of gradine.
const (
	accepted = 0
	refused  = 1
	misused  = 2
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run checks the lemmas and the proofs below a folder.
func run(args []string, out, errw io.Writer) int {
	if len(args) != 1 || strings.HasPrefix(args[0], "-") {
		fmt.Fprintln(errw, "usage: recheck DIR, where DIR is what gradine export --certificates DIR wrote")
		return misused
	}
	lemmas, proofs, err := findProofs(args[0])
	// A folder without proofs is a mistake of the caller: it must not look like one in which nothing was refused.
	if err == nil && len(proofs) == 0 {
		err = fmt.Errorf("%s: no file .proof below it; gradine export --certificates %[1]s writes them", args[0])
	}
	if err != nil {
		fmt.Fprintln(errw, "recheck:", err)
		return misused
	}
	library := recheck.NewLibrary(lemmas)
	bad := 0
	refuse := func(what string, err error) {
		bad++
		fmt.Fprintf(out, "refused %s: %v\n", what, err)
	}
	// Proofs rest on the lemmas, so a refused lemma is named before the proofs that use it.
	for _, name := range library.Lemmas() {
		if err := library.Lemma(name); err != nil {
			refuse("lemma "+name, err)
		}
	}
	for _, name := range proofs {
		if err := check(library, name); err != nil {
			refuse(name, err)
		}
	}
	fmt.Fprintf(out, "%d proofs and %d lemmas, %d refused\n", len(proofs), len(lemmas), bad)
	if bad > 0 {
		return refused
	}
	return accepted
}

// check checks one proof, and that it is one of the verdict that it claims.
func check(library *recheck.Library, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	res, err := library.Check(text)
	if err != nil {
		return err
	}
	// What a counterexample claims of a state follows from its equations, and no more is granted.
	if res.Claim == "follows" {
		switch {
		case res.Granted:
			return fmt.Errorf("%s takes for granted that formulas are well-defined", res.Obligation)
		case res.Vacuous:
			return fmt.Errorf("%s has inconsistent equations", res.Obligation)
		}
		return nil
	}
	verdict := "proved"
	if res.Vacuous {
		verdict = "vacuous"
	}
	if verdict != res.Claim {
		return fmt.Errorf("%s is %s, and not %q", res.Obligation, verdict, res.Claim)
	}
	return nil
}

// findProofs returns the certificates of lemmas below dir by name, and the paths of proofs in the order of WalkDir, so that
// the report is the same on every machine.
func findProofs(dir string) (lemmas map[string][]byte, proofs []string, err error) {
	lemmas = map[string][]byte{}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch filepath.Ext(name) {
		case ".proof":
			proofs = append(proofs, name)
		case ".cert":
			text, err := os.ReadFile(name)
			lemmas[strings.TrimSuffix(d.Name(), ".cert")] = text
			return err
		}
		return nil
	})
	return lemmas, proofs, err
}
