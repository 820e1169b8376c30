package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gradine/gradine/gpu"
)

// AcceptedFinding is a finding about a kernel that somebody has looked at and accepts.
type AcceptedFinding struct {
	Fingerprint string `toml:"fingerprint"`
	Place       string `toml:"place"`  // where it was found; it may move
	Kernel      string `toml:"kernel"` // "" for a file without kernels
	Check       string `toml:"check"`
	Digest      string `toml:"digest"` // of what the kernel did then, and how it was launched
	Reason      string `toml:"reason"`

	file string // of its place
	used bool
}

// Baseline is a file of accepted findings. It changes no verdict: what it accepts does not fail a run.
type Baseline struct {
	entries []*AcceptedFinding
	now     []AcceptedFinding // what was found, with the reasons that are known
	judged  map[string]bool   // files
	seen    map[string]int    // keys of findings, such as those of overloaded kernels
	reason  string            // by which all other findings are accepted, "" if they are not
	count   int
}

// BaselineFile is what a file of accepted findings has.
type BaselineFile struct {
	Finding []*AcceptedFinding `toml:"finding"`
}

// NewBaseline checks a file of accepted findings. All others are accepted by a reason, unless it is "".
func NewBaseline(file BaselineFile, reason string) (*Baseline, error) {
	b := &Baseline{judged: map[string]bool{}, seen: map[string]int{}, reason: reason}
	seen := map[string]bool{}
	for n, e := range file.Finding {
		at := fmt.Sprintf("finding %d", n+1)
		if e.Place != "" {
			at += " (" + e.Place + ")"
		}
		parts := strings.Split(e.Place, ":")
		switch {
		case e.Fingerprint == "" || e.Digest == "" || len(parts) < 3:
			return nil, fmt.Errorf("%s: fingerprint, digest and a place FILE:LINE:COLUMN are needed", at)
		case strings.TrimSpace(e.Reason) == "":
			return nil, fmt.Errorf("%s has no reason", at)
		case seen[e.Fingerprint]:
			return nil, fmt.Errorf("%s stands there twice", at)
		}
		seen[e.Fingerprint] = true
		e.file = strings.Join(parts[:len(parts)-2], ":")
		b.entries = append(b.entries, e)
	}
	return b, nil
}

// judge marks those of the findings about a kernel that are accepted, and returns how many are. Those in the report are marked, too.
func (b *Baseline) judge(file string, r *gpu.Report, found []finding, source []byte) (accepted int) {
	b.judged[file] = true
	material := r.Material()
	if r.Digest == "" { // what it does is not known: any change of its file may matter
		material = string(source)
	}
	sum := sha256.Sum256([]byte(material))
	digest := hex.EncodeToString(sum[:16])
	for n := range found {
		f := &found[n]
		if b.seen[f.key]++; b.seen[f.key] > 1 {
			f.key = fmt.Sprintf("%s#%d", f.key, b.seen[f.key])
		}
		now := AcceptedFinding{Fingerprint: fingerprint(f.key), Place: fmt.Sprintf("%s:%d:%d", file, f.at.Line, f.at.Col), Kernel: r.Kernel, Check: f.rule.id, Digest: digest}
		f.baseline = "new"
		if k := slices.IndexFunc(b.entries, func(e *AcceptedFinding) bool { return e.Fingerprint == now.Fingerprint && !e.used }); k >= 0 {
			e := b.entries[k]
			e.used = true
			f.baseline = "updated"
			if e.Digest == digest {
				f.baseline, now.Reason = "unchanged", e.Reason
			}
		}
		if now.Reason == "" {
			now.Reason = b.reason
		}
		if f.accepted = now.Reason; f.accepted != "" {
			accepted++
			if f.check >= 0 {
				r.Checks[f.check].Accepted = f.accepted
			} else {
				r.Accepted = f.accepted
			}
		}
		b.now = append(b.now, now)
	}
	b.count += accepted
	return accepted
}

// Accepted is how many findings were accepted.
func (b *Baseline) Accepted() int { return b.count }

// Stale says which entries about judged files were not found again.
func (b *Baseline) Stale() (out []string) {
	for _, e := range b.entries {
		if !e.used && b.judged[e.file] {
			out = append(out, fmt.Sprintf("%s: %s of %s is no longer found; remove the entry", e.Place, e.Check, e.Kernel))
		}
	}
	return out
}

// Text is the text of a baseline that accepts what this one has accepted. What it says of files that were not judged stays.
func (b *Baseline) Text() []byte {
	all := slices.Clone(b.now)
	for _, e := range b.entries {
		if !b.judged[e.file] {
			all = append(all, *e)
		}
	}
	slices.SortStableFunc(all, func(x, y AcceptedFinding) int {
		return strings.Compare(x.Place[:strings.LastIndexByte(x.Place, ':')], y.Place[:strings.LastIndexByte(y.Place, ':')])
	})
	var out bytes.Buffer
	out.WriteString("# Findings of gradine kernel that are accepted, each with its reason. Written by: gradine kernel --baseline FILE --accept REASON\n")
	for _, e := range all {
		out.WriteString("\n[[finding]]\n")
		for _, kv := range [][2]string{{"fingerprint", e.Fingerprint}, {"place", e.Place}, {"kernel", e.Kernel}, {"check", e.Check}, {"digest", e.Digest}, {"reason", e.Reason}} {
			fmt.Fprintf(&out, "%s = %s\n", kv[0], strconv.Quote(kv[1]))
		}
	}
	return out.Bytes()
}
