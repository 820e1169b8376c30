package proofstore

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/logic/text"
	"github.com/gradine/gradine/po"
)

// LockName is the name of the file that keeps the lock of a project in Git:
// alone for a project that is a directory, behind "NAME." for the project NAME of
// a gradine.toml.
const LockName = "proofs.lock"

// Lock is what is committed of a project's proofs: for each obligation the
// verdict, and what it cost. It proves nothing; certificates do. Lines stand in
// the order of obligations' paths.
type Lock struct{ Lines []verdict.LockLine }

// ShortFingerprint is the part of a sequent's fingerprint that a lock holds.
func ShortFingerprint(f text.Fingerprint) string { return hex.EncodeToString(f[:16]) }

// NewLock returns the lock of the results of one whole project.
func NewLock(results []verdict.Result) *Lock {
	l := &Lock{}
	var prints text.BankFingerprinter
	for _, result := range results {
		line := verdict.LockLine{
			Obligation: result.Path(), Fingerprint: ShortFingerprint(prints.Sequent(result.Sequent())),
			Verdict: result.Verdict, Steps: result.Steps,
		}
		for _, i := range result.Used {
			line.Used = append(line.Used, result.HypothesisLabel(i))
		}
		l.Lines = append(l.Lines, line)
	}
	sortLines(l.Lines)
	return l
}

func sortLines(lines []verdict.LockLine) {
	slices.SortStableFunc(lines, func(a, b verdict.LockLine) int {
		return cmp.Or(cmp.Compare(a.Obligation, b.Obligation), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
}

// Find returns the line of an obligation of the given fingerprint, if there is
// one: a line about another sequent of the same name says nothing about this one.
func (l *Lock) Find(obligation, fingerprint string) (verdict.LockLine, bool) {
	if l == nil {
		return verdict.LockLine{}, false
	}
	i, _ := slices.BinarySearchFunc(l.Lines, obligation, func(x verdict.LockLine, o string) int { return cmp.Compare(x.Obligation, o) })
	for ; i < len(l.Lines) && l.Lines[i].Obligation == obligation; i++ {
		if l.Lines[i].Fingerprint == fingerprint {
			return l.Lines[i], true
		}
	}
	return verdict.LockLine{}, false
}

// Recorded returns the line that l has of an obligation with an outcome of a Run with that
// lock, nil where it has none.
func (l *Lock) Recorded(obligation *po.Obligation, outcome verdict.Outcome) *verdict.LockLine {
	if l == nil {
		return nil
	}
	print := outcome.Print
	if print == (text.Fingerprint{}) {
		print = text.SequentFingerprint(obligation.Sequent())
	}
	if line, ok := l.Find(obligation.Path(), ShortFingerprint(print)); ok {
		return &line
	}
	return nil
}

const lockHeader = "# gradine proofs 1"

// Encode returns the text of l: a header, then a line for each obligation, its
// fields separated by tabs, its labels by blanks. Names with blanks, quotes or
// signs that do not print are quoted as in Go.
func (l *Lock) Encode() []byte {
	var w bytes.Buffer
	fmt.Fprintln(&w, lockHeader)
	for _, x := range l.Lines {
		used := make([]string, len(x.Used))
		for i, u := range x.Used {
			used[i] = quoteField(u)
		}
		fmt.Fprintf(&w, "%s\t%s\t%s\t%d\t%s\n", quoteField(x.Obligation), x.Fingerprint, x.Verdict, x.Steps, strings.Join(used, " "))
	}
	return w.Bytes()
}

// DecodeLock reads the text of a lock. The error names the line that is none.
func DecodeLock(data []byte) (*Lock, error) {
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if lines[0] != lockHeader {
		return nil, fmt.Errorf("line 1: not %q", lockHeader)
	}
	l := &Lock{}
	for i, line := range lines[1:] {
		x, err := decodeLine(line)
		if err == nil && i > 0 && l.Lines[i-1].Obligation > x.Obligation {
			err = fmt.Errorf("out of order")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w; `gradine prove --lock` writes the file again", i+2, err)
		}
		l.Lines = append(l.Lines, x)
	}
	return l, nil
}

// decodeLine reads a line of proofs.lock.
func decodeLine(line string) (x verdict.LockLine, err error) {
	if isConflictMarker(line) {
		return x, errConflict
	}
	fields := strings.Split(line, "\t")
	if len(fields) != 5 {
		return x, fmt.Errorf("%d fields instead of 5", len(fields))
	}
	if x.Obligation, err = unquoteField(fields[0]); err != nil {
		return x, err
	}
	x.Fingerprint, x.Verdict = fields[1], verdict.Verdict(fields[2])
	if _, err := hex.DecodeString(x.Fingerprint); err != nil || len(x.Fingerprint) != 32 {
		return x, fmt.Errorf("%q is not a fingerprint", x.Fingerprint)
	}
	if !slices.Contains([]verdict.Verdict{verdict.Proved, verdict.Vacuous, verdict.Refuted, verdict.Open}, x.Verdict) {
		return x, fmt.Errorf("%q is not a verdict", x.Verdict)
	}
	if x.Steps, err = strconv.ParseInt(fields[3], 10, 64); err != nil || x.Steps < 0 {
		return x, fmt.Errorf("%q is not a number of steps", fields[3])
	}
	// Labels are separated by blanks, so those with blanks in them are quoted; a quoted one
	// must be taken whole before the next blank is looked for.
	for rest := fields[4]; rest != ""; {
		end := strings.IndexByte(rest, ' ')
		if quoted, err := strconv.QuotedPrefix(rest); err == nil {
			end = len(quoted)
		} else if end < 0 {
			end = len(rest)
		}
		label, err := unquoteField(rest[:end])
		if err != nil {
			return x, err
		}
		x.Used = append(x.Used, label)
		rest = strings.TrimPrefix(rest[end:], " ")
	}
	return x, nil
}
