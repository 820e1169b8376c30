package discharge

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/logic"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/prover/cert"
	"github.com/gradine/gradine/prover/kernel"
)

// certificate is a proof of a goal from a core of hypotheses, as text. It proves any
// sequent with that goal that has the core among its hypotheses.
type certificate struct {
	goal  text.Fingerprint
	steps int64              // steps of the search that found it
	hyps  []text.Fingerprint // the hypotheses used, in the order of the text
	text  []byte
}

// encode returns the certificate with its core, without what it cost.
func (c *certificate) encode() []byte {
	out := []byte("gradine proof 1\n")
	for i := range c.hyps {
		out = append(hex.AppendEncode(append(out, "hyp "...), c.hyps[i][:]), '\n')
	}
	return append(append(out, '\n'), c.text...)
}

// name is the address of the certificate as results give it.
func (c *certificate) name() string {
	sum := sha256.Sum256(c.encode())
	return "sha256:" + hex.EncodeToString(sum[:])
}

// StoredProof is a proof with the hypotheses it is from.
type StoredProof struct {
	Core  logic.Sequent // the used hypotheses and the goal, bare
	Hyps  []int         // by hypothesis of the core: its index in the sequent
	Proof *kernel.Proof
}

// Proof returns the proof of sequent q that o holds, nil if there is none.
func (o Outcome) Proof(q logic.Sequent) (*StoredProof, error) {
	if o.proof == nil {
		return nil, nil
	}
	return newProblem(q).open(o.proof)
}

// Exported returns the proof that r has as a text for other checkers: the hypotheses that it
// uses, the goal, and the certificate as it is; nil if there is none.
func (r Result) Exported(name string) ([]byte, error) {
	stored, err := r.Proof(r.Sequent())
	if err != nil || stored == nil {
		return nil, err
	}
	return append(cert.EncodeSequent(stored.Core, name, string(r.Verdict)), r.proof.text...), nil
}

// Proves reports whether the proof that o holds is one of sequent q, too.
func (o Outcome) Proves(q logic.Sequent) bool {
	if o.proof == nil {
		return false
	}
	_, ok := newProblem(q).replay(o.proof)
	return ok
}

// open reads a certificate of the goal of p, whose core must be among the
// hypotheses. Nothing is checked yet.
func (p *problem) open(c *certificate) (*StoredProof, error) {
	out := &StoredProof{}
	core := logic.Sequent{Bank: p.Bank, Goal: p.Goal}
	for _, print := range c.hyps {
		i := slices.Index(p.fps, print)
		if i < 0 {
			return nil, fmt.Errorf("a certificate of another sequent")
		}
		out.Hyps = append(out.Hyps, i)
		core.Hyps = append(core.Hyps, p.Hyps[i])
	}
	// A core is small beside its sequent, and so is the bank that the kernel works in.
	out.Core = core.Bare()
	var err error
	out.Proof, err = kernel.Decode(out.Core.Bank, c.text)
	return out, err
}

// CertificatesName is the name of the file that keeps certificates in Git, beside
// LockName.
const CertificatesName = "proofs.certs"

// Certificates are the committed certificates of a project: of the obligations that
// a search with the default budget does not prove. They are found by goal.
type Certificates struct {
	lines  []*certificateLine
	byGoal map[text.Fingerprint][]*certificateLine
}

// certificateLine is a line of proofs.certs. The name of the obligation is for
// people; what the certificate proves follows from its goal and core.
type certificateLine struct {
	obligation string // component/name
	sequent    text.Fingerprint
	*certificate
}

// NewCertificates returns the certificates among the results of one whole project
// that have to be committed, and of those proofs.certs is made.
func NewCertificates(results []Result) *Certificates {
	c := &Certificates{}
	for _, r := range results {
		if r.Committed && r.proof != nil {
			p := newProblem(r.Sequent())
			c.add(&certificateLine{r.Path(), p.all(), r.proof})
		}
	}
	return c
}

// With returns the certificates of c, which may be nil, and those of results.
func (c *Certificates) With(results []Result) *Certificates {
	out := &Certificates{}
	if c != nil {
		for _, x := range c.lines {
			out.add(x)
		}
	}
	for _, r := range results {
		r.Committed = true
		for _, x := range NewCertificates([]Result{r}).lines {
			out.add(x)
		}
	}
	return out
}

func (c *Certificates) add(x *certificateLine) {
	if c.byGoal == nil {
		c.byGoal = map[text.Fingerprint][]*certificateLine{}
	}
	c.lines = append(c.lines, x)
	c.byGoal[x.goal] = append(c.byGoal[x.goal], x)
}

// Remember adds the proof that o holds, if any, unless one from the same hypotheses is there.
func (c *Certificates) Remember(o Outcome) {
	if o.proof == nil || slices.ContainsFunc(c.byGoal[o.proof.goal], func(x *certificateLine) bool { return slices.Equal(x.hyps, o.proof.hyps) }) {
		return
	}
	c.add(&certificateLine{certificate: o.proof})
}

// Len is the number of certificates.
func (c *Certificates) Len() int {
	if c == nil {
		return 0
	}
	return len(c.lines)
}

// proves looks for a certificate of p: for one of this very sequent, or for others.
func (c *Certificates) proves(p *problem, others bool) (Outcome, bool) {
	if c == nil {
		return Outcome{}, false
	}
	for _, x := range c.byGoal[p.goal] {
		if others == (x.sequent == p.all()) {
			continue
		}
		if outcome, ok := p.replay(x.certificate); ok {
			outcome.Committed = true
			return outcome, true
		}
	}
	return Outcome{}, false
}

const certificatesHeader = "# gradine certificates 1"

// Encode returns the text of c: a header, then a line for each certificate, sorted:
// obligation, fingerprints of the sequent and of its goal, steps, fingerprints of the
// core, and the text of the certificate with its line ends as \n.
func (c *Certificates) Encode() []byte {
	var lines []string
	for _, x := range c.lines {
		var core []string
		for _, print := range x.hyps {
			core = append(core, hex.EncodeToString(print[:]))
		}
		lines = append(lines, fmt.Sprintf("%s\t%x\t%x\t%d\t%s\t%s\n", quoteField(x.obligation), x.sequent[:], x.goal[:], x.steps, strings.Join(core, " "), onOneLine.Replace(string(x.text))))
	}
	slices.Sort(lines)
	return []byte(certificatesHeader + "\n" + strings.Join(slices.Compact(lines), ""))
}

var (
	onOneLine  = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	onManyLine = strings.NewReplacer(`\\`, `\`, `\n`, "\n")
)

// DecodeCertificates reads the text of committed certificates. Lines may stand in any
// order, as merging leaves them. Lines that are none are left out, and the error names
// the first.
func DecodeCertificates(data []byte) (*Certificates, error) {
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	c := &Certificates{}
	var first error
	bad := func(n int, err error) {
		if first == nil {
			first = fmt.Errorf("line %d: %w; `gradine prove --lock` writes the file again", n, err)
		}
	}
	if lines[0] != certificatesHeader {
		bad(1, fmt.Errorf("not %q", certificatesHeader))
	}
	numbers := make([]int, 0, len(lines))
	for i := range lines[1:] {
		numbers = append(numbers, i+1)
	}
	// The order of a file must not decide which of two proofs of one goal is taken.
	slices.SortStableFunc(numbers, func(a, b int) int { return strings.Compare(lines[a], lines[b]) })
	for k, i := range numbers {
		if k > 0 && lines[i] == lines[numbers[k-1]] {
			continue
		}
		if x, err := decodeCertificate(lines[i]); err != nil {
			bad(i+1, err)
		} else {
			c.add(x)
		}
	}
	return c, first
}

func decodeCertificate(line string) (x *certificateLine, err error) {
	x = &certificateLine{certificate: &certificate{}}
	if isConflictMarker(line) {
		return x, errConflict
	}
	fields := strings.Split(line, "\t")
	if len(fields) != 6 {
		return x, fmt.Errorf("%d fields instead of 6", len(fields))
	}
	// Nothing of this is compared with the obligation: the kernel decides what it proves.
	x.text = []byte(onManyLine.Replace(fields[5]))
	if x.obligation, err = unquoteField(fields[0]); err != nil {
		return x, err
	}
	if x.sequent, err = decodeFingerprint(fields[1]); err != nil {
		return x, err
	}
	if x.goal, err = decodeFingerprint(fields[2]); err != nil {
		return x, err
	}
	if x.steps, err = strconv.ParseInt(fields[3], 10, 64); err != nil || x.steps < 0 {
		return x, fmt.Errorf("%q is not a number of steps", fields[3])
	}
	for _, f := range strings.Fields(fields[4]) {
		print, err := decodeFingerprint(f)
		if err != nil {
			return x, err
		}
		x.hyps = append(x.hyps, print)
	}
	return x, nil
}

func decodeFingerprint[T string | []byte](s T) (f text.Fingerprint, err error) {
	if len(s) == hex.EncodedLen(len(f)) {
		_, err = hex.Decode(f[:], []byte(s))
	}
	if err != nil || len(s) != hex.EncodedLen(len(f)) {
		return text.Fingerprint{}, fmt.Errorf("%q is not a fingerprint", s)
	}
	return f, nil
}

var errConflict = fmt.Errorf("a conflict of a merge is left in it")

// isConflictMarker recognises the lines that Git puts around conflicts.
func isConflictMarker(line string) bool {
	for _, m := range []string{"<<<<<<<", "=======", ">>>>>>>", "|||||||"} {
		if strings.HasPrefix(line, m) {
			return true
		}
	}
	return false
}

func quoteField(s string) string {
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return r == ' ' || r == '"' || r == '`' || r == '\'' || !strconv.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}

func unquoteField(s string) (string, error) {
	if !strings.HasPrefix(s, `"`) {
		return s, nil
	}
	u, err := strconv.Unquote(s)
	if err != nil {
		return "", fmt.Errorf("%s is not quoted well", s)
	}
	return u, nil
}
