package proofstore

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/logic/text"
)

// CertificatesName is the name of the file that keeps certificates in Git, next to
// LockName.
const CertificatesName = "proofs.certs"

// CertificatesBeside is the path of the certificates that belong to a lock.
func CertificatesBeside(lock string) string {
	return strings.TrimSuffix(lock, LockName) + CertificatesName
}

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
	*verdict.Certificate
}

// NewCertificates returns the certificates among the results of one whole project
// that have to be committed, and of those proofs.certs is made.
func NewCertificates(results []verdict.Result) *Certificates {
	c := &Certificates{}
	for _, r := range results {
		if r.Committed && r.Written() != nil {
			p := verdict.NewProblem(r.Sequent())
			c.add(&certificateLine{r.Path(), p.Print(), r.Written()})
		}
	}
	return c
}

// With returns the certificates of c, which may be nil, and those of results.
func (c *Certificates) With(results []verdict.Result) *Certificates {
	out := &Certificates{}
	if c != nil {
		for _, x := range c.lines {
			out.add(x)
		}
	}
	for _, r := range results {
		r.Committed = true
		for _, x := range NewCertificates([]verdict.Result{r}).lines {
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
	c.byGoal[x.Goal] = append(c.byGoal[x.Goal], x)
}

// Remember adds the proof that o holds, if any, unless one from the same hypotheses is there.
func (c *Certificates) Remember(o verdict.Outcome) {
	if o.Written() == nil || slices.ContainsFunc(c.byGoal[o.Written().Goal], func(x *certificateLine) bool { return slices.Equal(x.Hyps, o.Written().Hyps) }) {
		return
	}
	c.add(&certificateLine{Certificate: o.Written()})
}

// Len is the number of certificates.
func (c *Certificates) Len() int {
	if c == nil {
		return 0
	}
	return len(c.lines)
}

// Proves looks for a certificate of p: for one of this very sequent, or for others.
func (c *Certificates) Proves(p *verdict.Problem, others bool) (verdict.Outcome, bool) {
	if c == nil {
		return verdict.Outcome{}, false
	}
	for _, x := range c.byGoal[p.GoalPrint] {
		if others == (x.sequent == p.Print()) {
			continue
		}
		if outcome, ok := p.Replay(x.Certificate); ok {
			outcome.Committed = true
			return outcome, true
		}
	}
	return verdict.Outcome{}, false
}

const certificatesHeader = "# gradine certificates 1"

// Encode returns the text of c: a header, then a line for each certificate, sorted:
// obligation, fingerprints of the sequent and of its goal, steps, fingerprints of the
// core, and the text of the certificate with its line ends as \n.
func (c *Certificates) Encode() []byte {
	var lines []string
	for _, x := range c.lines {
		var core []string
		for _, print := range x.Hyps {
			core = append(core, hex.EncodeToString(print[:]))
		}
		lines = append(lines, fmt.Sprintf("%s\t%x\t%x\t%d\t%s\t%s\n", quoteField(x.obligation), x.sequent[:], x.Goal[:], x.Steps, strings.Join(core, " "), onOneLine.Replace(string(x.Text))))
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

// decodeCertificate reads a line of proofs.certs.
func decodeCertificate(line string) (x *certificateLine, err error) {
	x = &certificateLine{Certificate: &verdict.Certificate{}}
	if isConflictMarker(line) {
		return x, errConflict
	}
	fields := strings.Split(line, "\t")
	if len(fields) != 6 {
		return x, fmt.Errorf("%d fields instead of 6", len(fields))
	}
	// Nothing of this is compared with the obligation: the kernel decides what it proves.
	x.Text = []byte(onManyLine.Replace(fields[5]))
	if x.obligation, err = unquoteField(fields[0]); err != nil {
		return x, err
	}
	if x.sequent, err = decodeFingerprint(fields[1]); err != nil {
		return x, err
	}
	if x.Goal, err = decodeFingerprint(fields[2]); err != nil {
		return x, err
	}
	if x.Steps, err = strconv.ParseInt(fields[3], 10, 64); err != nil || x.Steps < 0 {
		return x, fmt.Errorf("%q is not a number of steps", fields[3])
	}
	for _, f := range strings.Fields(fields[4]) {
		print, err := decodeFingerprint(f)
		if err != nil {
			return x, err
		}
		x.Hyps = append(x.Hyps, print)
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

var errConflict = fmt.Errorf("it contains merge conflict markers")

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
