package discharge

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/logic/text"
)

// Store is a directory of certificates and countermodels: one content-addressed
// file each, written by rename, so that any number of processes may share it.
// Nothing in it is believed: what is found is checked again before it counts.
//
//	DIR/ab/ab…/SHA256.cert    proofs of the goal with fingerprint ab…
//	DIR/ab/ab….tuning         certificate of a tuning
//	DIR/ab/ab….note           what a search found for the sequent ab…: open, or a countermodel
//
// What a search finds is not looked up by another search of the same run: nothing
// learnt from one obligation steers another.
type Store struct {
	dir   string
	fresh sync.Map // files that searches of the present run have put
}

// OpenStore returns the store in dir. The directory need not exist.
func OpenStore(dir string) *Store { return &Store{dir: dir} }

// DefaultStore returns the store of this user: $GRADINE_STORE, or gradine below
// the cache directory.
func DefaultStore() (*Store, error) {
	if dir := os.Getenv("GRADINE_STORE"); dir != "" {
		return OpenStore(dir), nil
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("no place for certificates: %w; set GRADINE_STORE", err)
	}
	return OpenStore(filepath.Join(cache, "gradine")), nil
}

// entry is one stored proof: the core of a sequent, and the certificate that
// refutes the core and the negated goal.
type entry struct {
	steps int64              // steps of the search that found it
	hyps  []text.Fingerprint // the hypotheses used, in the order of the certificate
	cert  []byte
}

const entryHeader = "gradine proof 1"

func (e entry) encode() []byte {
	var w bytes.Buffer
	fmt.Fprintf(&w, "%s\nsteps %d\n", entryHeader, e.steps)
	for _, h := range e.hyps {
		fmt.Fprintf(&w, "hyp %x\n", h[:])
	}
	fmt.Fprintf(&w, "\n%s", e.cert)
	return w.Bytes()
}

func decodeEntry(data []byte) (entry, error) {
	var e entry
	head, cert, ok := bytes.Cut(data, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	if !ok || len(lines) < 2 || lines[0] != entryHeader {
		return e, fmt.Errorf("no stored proof")
	}
	for _, line := range lines[1:] {
		key, val, _ := strings.Cut(line, " ")
		var err error
		switch key {
		case "steps":
			e.steps, err = strconv.ParseInt(val, 10, 64)
		case "hyp":
			var raw []byte
			if raw, err = hex.DecodeString(val); err == nil && len(raw) != sha256.Size {
				err = fmt.Errorf("fingerprint of %d bytes", len(raw))
			}
			if err == nil {
				e.hyps = append(e.hyps, text.Fingerprint(raw))
			}
		default:
			err = fmt.Errorf("unknown line %q", line)
		}
		if err != nil {
			return e, fmt.Errorf("stored proof: %w", err)
		}
	}
	e.cert = cert
	return e, nil
}

func (s *Store) goalDir(goal text.Fingerprint) string {
	name := hex.EncodeToString(goal[:])
	return filepath.Join(s.dir, name[:2], name)
}

// proofs returns the stored proofs of a goal, by file name; with earlier, those
// alone that no search of this run found. Files that are not what they say are
// passed over.
func (s *Store) proofs(goal text.Fingerprint, earlier bool) []entry {
	dir := s.goalDir(goal)
	files, _ := os.ReadDir(dir)
	var out []entry
	for _, f := range files {
		name := filepath.Join(dir, f.Name())
		if _, fresh := s.fresh.Load(name); fresh && earlier {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil || address(data)+".cert" != f.Name() {
			continue
		}
		if e, err := decodeEntry(data); err == nil {
			out = append(out, e)
		}
	}
	return out
}

// putProof keeps a proof; found says that a search of this run found it.
func (s *Store) putProof(goal text.Fingerprint, e entry, found bool) error {
	data := e.encode()
	name := filepath.Join(s.goalDir(goal), address(data)+".cert")
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, data) {
		return nil
	}
	if found {
		s.fresh.Store(name, true)
	}
	return writeFile(name, data)
}

func (s *Store) notePath(sequent text.Fingerprint) string {
	name := hex.EncodeToString(sequent[:])
	return filepath.Join(s.dir, name[:2], name+".note")
}

// note returns what a search found for a sequent that it did not prove, nil if
// none is stored. It is fresh if the search had the given settings: countermodels
// hold whatever found them, that nothing was found does not.
func (s *Store) note(sequent text.Fingerprint, settings string) (body []byte, fresh bool) {
	data, err := os.ReadFile(s.notePath(sequent))
	if err != nil {
		return nil, false
	}
	head, body, _ := bytes.Cut(data, []byte("\n"))
	return body, string(head) == settings
}

func (s *Store) putNote(sequent text.Fingerprint, settings string, body []byte) error {
	return writeFile(s.notePath(sequent), append([]byte(settings+"\n"), body...))
}

// address is the name of a file by its content.
func address(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// writeFile writes a file of the store, and the folders on the way to it.
func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return atomic.Write(name, data, 0o600)
}

func (s *Store) tuningPath(key string) string {
	name := address([]byte(key))
	return filepath.Join(s.dir, name[:2], name+".tuning")
}

// Tuning returns the certificate kept of the tuning with the given key.
func (s *Store) Tuning(key string) (certificate []byte, ok bool) {
	data, err := os.ReadFile(s.tuningPath(key))
	return data, err == nil
}

// PutTuning keeps the certificate of a tuning.
func (s *Store) PutTuning(key string, certificate []byte) error {
	return writeFile(s.tuningPath(key), certificate)
}
