package project

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/prover/kernel"
)

// WriteProofs writes the proofs among results below dir, as docs/proofs.md describes:
// PROJECT/COMPONENT/OBLIGATION.proof, those of what counterexamples claim as
// OBLIGATION.claim-1.proof and so on, and lemmas/NAME.cert. It says how many there were.
func WriteProofs(dir string, results []verdict.Result) (written int, err error) {
	lemmas, err := fs.Glob(kernel.LemmaFiles, "lemmas/*.cert")
	if err != nil {
		return 0, err
	}
	for _, name := range lemmas {
		text, err := kernel.LemmaFiles.ReadFile(name)
		if err == nil {
			err = writeBelow(dir, name, text)
		}
		if err != nil {
			return 0, err
		}
	}
	taken := map[string]bool{}
	for _, r := range results {
		opened := r.Development.Project
		obligation := opened + "/" + r.Path()
		text, err := r.Exported(obligation)
		if err != nil {
			return written, err
		}
		texts := r.ExportedClaims(obligation)
		if text != nil {
			texts = [][]byte{text}
		}
		if len(texts) == 0 {
			continue
		}
		for i, text := range texts {
			plain := path.Join(fileName(opened), fileName(r.Component), fileName(r.Name))
			if r.Verdict == verdict.Refuted {
				plain += ".claim-" + strconv.Itoa(i+1)
			}
			name := plain
			// A context and a machine may have one name, and names may differ in case alone.
			for n := 2; taken[strings.ToLower(name)]; n++ {
				name = plain + "~" + strconv.Itoa(n)
			}
			taken[strings.ToLower(name)] = true
			if err := writeBelow(dir, name+".proof", text); err != nil {
				return written, err
			}
			written++
		}
	}
	return written, nil
}

// fileName returns name with what has a meaning in paths as %XX.
func fileName(name string) string {
	escaped := url.PathEscape(name)
	if strings.HasPrefix(escaped, ".") {
		escaped = "%2E" + escaped[1:]
	}
	return escaped
}

// writeBelow writes a file below dir, and the folders in between.
func writeBelow(dir, name string, data []byte) error {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return atomic.Write(file, data, 0o666)
}
