package project

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/gradine/gradine/discharge/proofstore"
	"github.com/gradine/gradine/discharge/verdict"
	"github.com/gradine/gradine/internal/atomic"
	"github.com/gradine/gradine/po"
)

// certificates is the path of the proofs.certs next to the lock.
func (p *Project) certificates() string { return proofstore.CertificatesBeside(p.Lock) }

// readLock reads the proofs.lock of p, nil if there is none. To be written again, a file
// that conflicts of merges have spoilt is read as far as it can be.
func (p *Project) readLock(spoilt bool) (lock *proofstore.Lock, err error) {
	err = p.readCommitted(p.Lock, spoilt, func(data []byte) (err error) {
		lock, err = proofstore.DecodeLock(data)
		return err
	})
	return lock, err
}

// readCertificates is readLock for the proofs.certs next to it.
func (p *Project) readCertificates(spoilt bool) (certificates *proofstore.Certificates, err error) {
	err = p.readCommitted(p.certificates(), spoilt, func(data []byte) (err error) {
		certificates, err = proofstore.DecodeCertificates(data)
		return err
	})
	return certificates, err
}

func (p *Project) readCommitted(name string, spoilt bool, decode func([]byte) error) error {
	if p.Lock == "" {
		return nil
	}
	data, err := p.opener.text(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if err := decode(data); err != nil && !spoilt {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// RenamedProofs returns what is committed of the proofs of p, by file, as it reads under
// new names, when the obligations was are called and read as now, one by one. What does
// not change is left out.
func (p *Project) RenamedProofs(names proofstore.Names, was, now []*po.Obligation) (map[string][]byte, error) {
	lock, err := p.readLock(false)
	if err != nil {
		return nil, err
	}
	certificates, err := p.readCertificates(false)
	out := map[string][]byte{}
	if err != nil {
		return nil, err
	}
	if lock != nil {
		if old, renamed := lock.Encode(), lock.Renamed(was, now).Encode(); !bytes.Equal(old, renamed) {
			out[p.Lock] = renamed
		}
	}
	if certificates == nil {
		return out, nil
	}
	renamed, err := certificates.Renamed(names, was, now)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.certificates(), err)
	}
	if text := renamed.Encode(); !bytes.Equal(text, certificates.Encode()) {
		out[p.certificates()] = text
	}
	return out, nil
}

// WriteLock writes proofs.lock for the results of all obligations of p, and
// proofs.certs, which is removed when there is nothing to keep in it.
//
// With all, or if gradine.toml asks for it, proofs.certs has the certificate of every proof, so
// that a replay needs no search.
func (p *Project) WriteLock(results []verdict.Result, all bool) error {
	written := results
	if all || p.Config != nil && p.Config.Project[p.Name].Certificates {
		written = slices.Clone(results)
		for i := range written {
			written[i].Committed = written[i].Verdict.Holds()
		}
	}
	certificates := proofstore.NewCertificates(written)
	if certificates.Len() > 0 {
		if err := atomic.Write(p.certificates(), certificates.Encode(), 0o666); err != nil {
			return err
		}
	} else if err := os.Remove(p.certificates()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// The lock comes last: what it claims is then committed.
	return atomic.Write(p.Lock, proofstore.NewLock(results).Encode(), 0o666)
}
